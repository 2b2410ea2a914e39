package partition

import (
	"strconv"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

// Split assigns samples to clients.
type Split interface {
	// Groups names the groups of clients that hold different things; none
	// if the clients differ by chance only.
	Groups() []say.Message
	// Deal returns the samples of each client of the deal. Each sample goes to at most one client.
	Deal(d *Deal) ([][]int32, error)
}

// Limited is a split by writers: a group has at most as many clients as writers. Groups are filled
// in proportion to that.
type Limited interface {
	Split
	Capacity() []int // capacity of each group, or of the only one
}

// SplitSpec makes a split from checked settings. The error, if any, is a
// *param.Error.
type SplitSpec struct {
	Make func(v param.Values, set *dataset.Set, seed uint64) (Split, error)
	// ByWriter means that clients are people, who are tested on their own samples and not only on samples of their
	// classes.
	ByWriter bool
}

// Splits lists every split.
var Splits registry.Registry[SplitSpec]

// Deal is one distribution of samples. A partition has several if groups with different views or
// labels may hold the same samples.
type Deal struct {
	Set   *dataset.Set
	Pool  []int32 // the samples, in the order of the set
	Group []int   // group of each client of the deal: an index of Split.Groups, or 0
	Turn  int     // number of the deal
	Seed  uint64
}

// stream returns the stream of one purpose in this deal.
func (d *Deal) stream(p rng.Purpose, which int) rng.Stream {
	var s rng.Stream
	s.Reset(d.Seed, p, d.Turn, which)
	return s
}

// byClass returns the samples of each class, in random order.
func (d *Deal) byClass() [][]int32 {
	out := make([][]int32, d.Set.Classes)
	for _, i := range d.Pool {
		c := d.Set.Label[i]
		out[c] = append(out[c], i)
	}
	for c := range out {
		s := d.stream(dealOrder, c)
		shuffle(out[c], &s)
	}
	return out
}

// shuffled returns the whole pool in random order.
func (d *Deal) shuffled() []int32 {
	out := append([]int32(nil), d.Pool...)
	s := d.stream(dealOrder, 0)
	shuffle(out, &s)
	return out
}

// members returns the clients of each of n groups.
func (d *Deal) members(n int) [][]int {
	out := make([][]int, n)
	for j, g := range d.Group {
		out[g] = append(out[g], j)
	}
	return out
}

// needClasses returns an error for a set without classes, and suggests an option of the layer that needs none.
func needClasses(v param.Values, field string, set *dataset.Set, wanted say.Message) error {
	if set.Classes > 0 {
		return nil
	}
	plain := "none"
	if field == "split" {
		plain = "even"
	}
	return &param.Error{Field: field, Got: v.Text(field), Want: wanted,
		Hint:        say.Messagef("%s has a target, not classes", set.Name),
		Suggestions: []param.Suggestion{{Key: field, Value: plain}}}
}

// classNames returns the names of classes: or their numbers if they have no names.
func classNames(set *dataset.Set, classes []int) []say.Message {
	names := make([]say.Message, len(classes))
	for i, c := range classes {
		names[i] = say.Message(strconv.Itoa(c))
		if c < len(set.ClassNames) {
			// Names of synthetic classes are translated.
			names[i] = say.Message(say.Name(set.ClassNames[c]).String())
		}
	}
	return names
}

// classWords names a group by its classes: "classes 0 1", "Shirt, Coat".
func classWords(set *dataset.Set, classes []int) say.Message {
	names := classNames(set, classes)
	var signs []string
	for _, name := range names {
		if len(name) > 1 {
			return say.JoinMessage(names, ", ")
		}
		signs = append(signs, string(name))
	}
	return say.Messagef("classes %s", strings.Join(signs, " "))
}
