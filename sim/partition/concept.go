package partition

import (
	"slices"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/say"
)

// Concept gives the meaning of labels to the clients of each kind.
type Concept struct {
	Kinds
	// Relabel holds, for each kind, the label of each class; nil keeps the labels.
	Relabel [][]uint8
}

// ConceptMaker makes a concept from checked settings. The error, if any, is a
// *param.Error.
type ConceptMaker func(v param.Values, set *dataset.Set, seed uint64) (Concept, error)

// Concepts lists every concept shift.
var Concepts registry.Registry[ConceptMaker]

func init() {
	Concepts.Register(registry.Entry[ConceptMaker]{
		Meta: registry.Meta{
			Name:  "none",
			Title: "Same labels for all",
			Doc:   "A label means the same to all clients.",
			Paper: registry.FedAvg.At("section 3"),
		},
		Make: func(param.Values, *dataset.Set, uint64) (Concept, error) {
			return Concept{Kinds: Kinds{Group: []int{0}}, Relabel: [][]uint8{nil}}, nil
		},
	})
}

// fieldConcepts is the number of concepts, where it can be chosen.
var fieldConcepts = param.Field{Name: "concepts", Label: "Concepts", Section: param.Data, Kind: param.Int, Min: 2,
	Max: 8, Default: "3",
	Doc: "Number of different meanings of the labels. Each applies to the same number of clients."}

// identity keeps all labels.
func identity(classes int) []uint8 {
	table := make([]uint8, classes)
	for c := range table {
		table[c] = uint8(c)
	}
	return table
}

// planted makes a concept of tables of labels. Equal tables are one group, since their clients do
// not differ.
func planted(tables [][]uint8, names []say.Message) Concept {
	var c Concept
	var first []int // first kind of each group
	for i, table := range tables {
		g := slices.IndexFunc(first, func(j int) bool { return slices.Equal(tables[j], table) })
		if g < 0 {
			g = len(first)
			first = append(first, i)
			c.Groups = append(c.Groups, names[i])
		}
		c.Group = append(c.Group, g)
		if slices.Equal(table, identity(len(table))) {
			table = nil
		}
		c.Relabel = append(c.Relabel, table)
	}
	return c
}

// swapClasses swaps pairs of classes in a table and returns a name for it:
// "0↔3 8↔9", "Shirt↔Coat, Bag↔Boot".
func swapClasses(table []uint8, set *dataset.Set, pairs [][2]int) say.Message {
	var words []say.Message
	var signs []string // used if all names are single characters
	long := false
	for _, p := range pairs {
		table[p[0]], table[p[1]] = table[p[1]], table[p[0]]
		names := classNames(set, p[:])
		long = long || len(names[0]) > 1 || len(names[1]) > 1
		words, signs = append(words, say.JoinMessage(names, "↔")), append(signs, string(names[0]+"↔"+names[1]))
	}
	if long {
		return say.JoinMessage(words, ", ")
	}
	return say.Message(strings.Join(signs, " "))
}
