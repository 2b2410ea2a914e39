package partition

import (
	"slices"
	"strconv"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

func init() {
	Splits.Register(registry.Entry[SplitSpec]{
		Meta: registry.Meta{
			Name:  "classes",
			Title: "A few classes per client",
			Doc:   "Every client holds samples of a few classes only.",
			Paper: paperHCFL.At("Tables 11 to 13, C = 2 and C = 4"),
			Fields: []param.Field{
				{Name: "per", Label: "Classes per client", Section: param.Data, Kind: param.Int, Min: 1, Max: 256, Low: 1, High: 10, Default: "2",
					Doc: "Number of classes that a client holds."},
				{Name: "pick", Label: "Which classes", Section: param.Data, Kind: param.Choice, Default: "fixed",
					Options: []param.Option{{Name: "fixed", Title: "neighbours"},
						{Name: "random", Title: "drawn for each client"}},
					Doc: "Neighbours (0 1, 2 3, …) make groups without a common class. Drawn: random classes for each client, and no planted groups."},
			},
		},
		Make: SplitSpec{Make: makeClasses},
	})
}

func makeClasses(v param.Values, set *dataset.Set, seed uint64) (Split, error) {
	if err := needClasses(v, "split", set, "a set with classes"); err != nil {
		return nil, err
	}
	per := v.Int("per")
	if per > set.Classes {
		return nil, &param.Error{Field: "per", Got: v.Text("per"),
			Want:        say.Messagef("at most %d, as many classes as there are", set.Classes),
			Suggestions: divisors(per, set.Classes)}
	}
	if v.Text("pick") == "random" {
		return anyClasses{per: per}, nil
	}
	if set.Classes%per != 0 {
		return nil, &param.Error{Field: "per", Got: v.Text("per"),
			Want:        say.Messagef("a divisor of %d, the number of classes", set.Classes),
			Hint:        "or pick=random, where classes are drawn for each client",
			Suggestions: append(divisors(per, set.Classes), param.Suggestion{Key: "pick", Value: "random"})}
	}
	var f fixedClasses
	for first := 0; first < set.Classes; first += per {
		var own []int
		for c := range per {
			own = append(own, first+c)
		}
		f.classes = append(f.classes, own)
		f.names = append(f.names, classWords(set, own))
	}
	return f, nil
}

// divisors offers the divisors of the number of classes next to per.
func divisors(per, classes int) (offers []param.Suggestion) {
	offer := func(n int) { offers = append(offers, param.Suggestion{Key: "per", Value: strconv.Itoa(n)}) }
	for n := min(per, classes); n > 0; n-- {
		if classes%n == 0 {
			offer(n)
			break
		}
	}
	for n := per + 1; n <= classes; n++ {
		if classes%n == 0 {
			offer(n)
			break
		}
	}
	return offers
}

// fixedClasses gives group g the classes g·per … g·per+per−1, and its clients
// equal random shares of all their samples.
type fixedClasses struct {
	classes [][]int
	names   []say.Message
}

func (f fixedClasses) Groups() []say.Message { return f.names }

func (f fixedClasses) Deal(d *Deal) ([][]int32, error) {
	byClass := d.byClass()
	held := make([][]int32, len(f.classes))
	for g, classes := range f.classes {
		for _, c := range classes {
			held[g] = append(held[g], byClass[c]...)
		}
	}
	return d.splitWithinGroups(held), nil
}

// splitWithinGroups gives the clients of each group equal random shares of the group's samples.
func (d *Deal) splitWithinGroups(held [][]int32) [][]int32 {
	hands := make([][]int32, len(d.Group))
	for g, clients := range d.members(len(held)) {
		s := d.stream(dealOrder, maxClasses+g)
		shuffle(held[g], &s)
		for i, j := range clients {
			hands[j] = share(held[g], i, len(clients))
		}
	}
	return hands
}

// maxClasses is the most classes a set can have: labels are bytes.
const maxClasses = 256

// anyClasses gives each client classes from a shuffled deck of all classes, which is refilled when
// it is empty, so that all classes have about equally many owners. The samples of a class go to its
// owners in equal random shares.
type anyClasses struct{ per int }

func (anyClasses) Groups() []say.Message { return nil }

func (a anyClasses) Deal(d *Deal) ([][]int32, error) {
	s := d.stream(dealShares, 0)
	owners := make([][]int, d.Set.Classes)
	var pack []int
	for j := range d.Group {
		for range a.per {
			// The first in the deck that the client does not have yet.
			has := func(c int) bool { return slices.Contains(owners[c], j) }
			at := slices.IndexFunc(pack, func(c int) bool { return !has(c) })
			if at < 0 {
				pack = append(pack, freshDeck(d.Set.Classes, &s)...)
				at = slices.IndexFunc(pack, func(c int) bool { return !has(c) })
			}
			owners[pack[at]] = append(owners[pack[at]], j)
			pack = slices.Delete(pack, at, at+1)
		}
	}
	hands := dealOut(d.byClass(), owners, len(d.Group), false)
	if slices.ContainsFunc(hands, func(hand []int32) bool { return len(hand) < 2 }) {
		hands = dealOut(d.byClass(), owners, len(d.Group), true)
	}
	return hands, nil
}

// dealOut gives the samples of each class to its owners in equal shares. Remainders go to the same
// owners in every class, unless inTurn rotates them: with many clients, some would otherwise get no
// sample.
func dealOut(byClass [][]int32, owners [][]int, clients int, inTurn bool) [][]int32 {
	hands := make([][]int32, clients)
	for c, samples := range byClass {
		n := len(owners[c])
		for i, j := range owners[c] {
			if inTurn {
				i = (i + c) % n
			}
			hands[j] = append(hands[j], share(samples, i, n)...)
		}
	}
	return hands
}

// freshDeck returns the numbers 0 … n−1 in random order.
func freshDeck(n int, s *rng.Stream) []int {
	pack := make([]int, n)
	for i := range pack {
		pack[i] = i
	}
	shuffle(pack, s)
	return pack
}
