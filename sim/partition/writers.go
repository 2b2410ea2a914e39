package partition

import (
	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

func init() {
	Splits.Register(registry.Entry[SplitSpec]{
		Meta: registry.Meta{
			Name:  "writers",
			Title: "Real owners",
			Doc:   "Each client is one of the people who made the samples, and holds all of that person's samples. Of a domain, such as a shop, several clients hold equal shares.",
			Paper: paperLEAF.At("FEMNIST"),
			Fields: []param.Field{
				{Name: "clean", Label: "First domain unchanged", Section: param.Data, Kind: param.Switch, Default: "0", Advanced: true,
					Doc: "Of two domains: whether the clients of the first see their samples as they are, with their own labels. Feature and concept shifts then concern the second domain only."}},
		},
		Make: SplitSpec{Make: makeWriters, ByWriter: true},
	})
}

func makeWriters(v param.Values, set *dataset.Set, seed uint64) (Split, error) {
	if len(set.Writers) == 0 {
		return nil, &param.Error{Field: "split", Got: "writers", Want: "a set with writers",
			Hint: say.Messagef("%s has none; try %s", set.Name, "even"), Suggestions: []param.Suggestion{{Key: "split", Value: "even"}}}
	}
	if set.Domains {
		var names domains
		for _, name := range set.Groups {
			names = append(names, say.Name(name))
		}
		return names, nil
	}
	order := make([]int32, len(set.Writers))
	for i := range order {
		order[i] = int32(i)
	}
	var s rng.Stream
	s.Reset(seed, splitPlan, 0, 0)
	shuffle(order, &s)
	able := Able(set, v.Text("test") == "set")
	queue := make([][]int32, max(1, len(set.Groups)))
	for _, writer := range order {
		if !able[writer] {
			continue
		}
		g := 0
		if len(set.Groups) > 0 {
			g = int(set.Group[writer])
		}
		queue[g] = append(queue[g], writer)
	}
	w := &writers{}
	for g, own := range queue {
		if len(own) == 0 {
			continue
		}
		w.queue = append(w.queue, own)
		if len(set.Groups) > 0 {
			w.groups = append(w.groups, say.Name(set.Groups[g]))
		}
	}
	if len(w.queue) == 0 {
		return nil, &param.Error{Field: "split", Got: "writers",
			Want:        "writers with a sample to train on and one to be tested on",
			Hint:        say.Messagef("no writer of %s has both; try %s", set.Name, "even"),
			Suggestions: []param.Suggestion{{Key: "split", Value: "even"}}}
	}
	return w, nil
}

// Able reports for each writer whether it has samples for training and for testing: two in all, or with ownTests one in
// each of the set's splits.
func Able(set *dataset.Set, ownTests bool) []bool {
	train, test := make([]int, len(set.Writers)), make([]int, len(set.Writers))
	for i, writer := range set.Writer {
		if i < set.Train {
			train[writer]++
		} else {
			test[writer]++
		}
	}
	able := make([]bool, len(set.Writers))
	for w := range able {
		if ownTests {
			able[w] = train[w] > 0 && test[w] > 0
		} else {
			able[w] = train[w]+test[w] > 1
		}
	}
	return able
}

// writers assigns the writers of a group to its clients, in an order that depends on the seed only,
// so that more clients add writers to the same ones. Writers with too few samples are ignored, and
// so are groups without others.
type writers struct {
	groups []say.Message
	queue  [][]int32 // writers of each group, as lists of samples
}

var _ Limited = (*writers)(nil) // asserted in builder.layers

func (w *writers) Groups() []say.Message { return w.groups }

// Capacity is the number of writers in each group.
func (w *writers) Capacity() []int {
	room := make([]int, len(w.queue))
	for g, own := range w.queue {
		room[g] = len(own)
	}
	return room
}

func (w *writers) Deal(d *Deal) ([][]int32, error) {
	client := make([]int, len(d.Set.Writers)) // client of each writer, −1 for none
	for i := range client {
		client[i] = -1
	}
	for g, clients := range d.members(len(w.queue)) {
		for i, j := range clients {
			client[w.queue[g][i]] = j
		}
	}
	hands := make([][]int32, len(d.Group))
	for _, i := range d.Pool {
		if j := client[d.Set.Writer[i]]; j >= 0 {
			hands[j] = append(hands[j], i)
		}
	}
	return hands, nil
}

// domains gives the clients of each domain equal random shares of its samples.
type domains []say.Message

func (names domains) Groups() []say.Message { return names }

func (names domains) Deal(d *Deal) ([][]int32, error) {
	held := make([][]int32, len(names))
	for _, i := range d.Pool {
		domain := d.Set.Writer[i]
		held[domain] = append(held[domain], i)
	}
	return d.splitWithinGroups(held), nil
}
