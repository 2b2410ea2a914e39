package partition

import (
	"strconv"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	Splits.Register(registry.Entry[SplitSpec]{
		Meta: registry.Meta{
			Name:  "writers",
			Title: "Real owners",
			Doc:   "Every client is one of the people the samples come from, with all of that person's samples and nobody else's.",
			Paper: paperLEAF.At("FEMNIST"),
		},
		Make: SplitSpec{Make: makeWriters, ByWriter: true},
	})
}

func makeWriters(v param.Values, set *dataset.Set, seed uint64) (Split, error) {
	if len(set.Writers) == 0 {
		return nil, &param.Error{Field: "split", Got: "writers", Want: "a set that knows who made each sample",
			Hint: set.Name + " does not; try even"}
	}
	w := &writers{groups: set.Groups, queue: make([][]int32, max(1, len(set.Groups)))}
	order := make([]int32, len(set.Writers))
	for i := range order {
		order[i] = int32(i)
	}
	var s rng.Stream
	s.Reset(seed, splitPlan, 0, 0)
	shuffle(order, &s)
	for _, writer := range order {
		g := 0
		if len(set.Groups) > 0 {
			g = int(set.Group[writer])
		}
		w.queue[g] = append(w.queue[g], writer)
	}
	return w, nil
}

// writers gives the clients of a group the group's writers in an order that the
// seed decides, so that more clients are more writers beside the same ones.
type writers struct {
	groups []string
	queue  [][]int32 // of each group
}

func (w *writers) Groups() []string { return w.groups }

func (w *writers) Deal(d *Deal) ([][]int32, error) {
	client := make([]int, len(d.Set.Writers)) // who is this writer, −1 nobody
	for i := range client {
		client[i] = -1
	}
	for g, clients := range d.members(len(w.queue)) {
		if len(clients) > len(w.queue[g]) {
			whose := "writers"
			if len(w.groups) > 0 {
				whose += " of " + w.groups[g]
			}
			return nil, &param.Error{Field: "C", Got: strconv.Itoa(len(d.Group)), Want: "no more clients than writers",
				Hint: strconv.Itoa(len(clients)) + " clients would have to be one of " + strconv.Itoa(len(w.queue[g])) + " " + whose}
		}
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
