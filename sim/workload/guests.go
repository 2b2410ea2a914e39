package workload

import (
	"flockscope/sim/dataset"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/partition"
	"flockscope/sim/say"
)

// spares finds n samples that no client holds or is tested on, or fewer where
// there are no more: numbers of samples of a set.
type spares func(v param.Values, n int) (*dataset.Set, []int32, error)

// drawnFurther draws as many more after those that a generator made.
func drawnFurther(name string) spares {
	return func(v param.Values, n int) (*dataset.Set, []int32, error) {
		g, _ := dataset.Registry.Lookup(name)
		from := v.Int("n")
		return g.Make(uint64(v.Int("sd")), from+n), numbers(from, from+n), nil
	}
}

// keptApart takes samples of a set's own test split, every so many of it, as sets
// may be sorted.
func keptApart(set *dataset.Set) spares {
	return func(v param.Values, n int) (*dataset.Set, []int32, error) {
		if v.Text("test") != "set" {
			return nil, nil, &param.Error{Field: "guests", Got: v.Text("guests"), Want: "0 unless test=set",
				Hint:   say.Messagef("all samples of the set are in use; set %s, so that its test split is free", "test=set"),
				Offers: []param.Offer{{Key: "guests", Value: "0"}}}
		}
		have := set.Len() - set.Train
		n = min(n, have)
		out := make([]int32, n)
		for j := range out {
			out[j] = int32(set.Train + j*have/n)
		}
		return set, out, nil
	}
}

// numbers returns from to to − 1.
func numbers(from, to int) []int32 {
	out := make([]int32, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, int32(i))
	}
	return out
}

// invite makes the test clients that the settings ask for, and returns the
// partitions with theirs.
func (w *shared) invite(v param.Values, spare []spares, deals []*partition.Partition) ([]*partition.Partition, error) {
	n := v.Int("guests")
	if n == 0 {
		return deals, nil
	}
	refuse := func(want, hint say.Message) ([]*partition.Partition, error) {
		return nil, &param.Error{Field: "guests", Got: v.Text("guests"), Want: want, Hint: hint,
			Offers: []param.Offer{{Key: "guests", Value: "0"}}}
	}
	switch {
	case w.Classes() == 0:
		return refuse("0 with this model", "test clients measure accuracy, and it has no classes")
	case n < 2:
		return refuse("0, or at least 2", "half of the samples choose a model, the other half test it")
	}
	all := deals[:len(deals):len(deals)]
	for i, deal := range deals {
		set, samples, err := spare[i](v, n)
		if err != nil {
			return nil, err
		}
		own := deal.Guests(set, samples)
		for j := range own.Clients {
			w.guests = append(w.guests, hand{own, &own.Clients[j], j})
		}
		all = append(all, own)
	}
	return all, nil
}

// Guests is the number of test clients.
func (w *shared) Guests() int { return len(w.guests) }

// Back is the number of samples that a client holds back.
func (w *shared) Back(client int) int { return len(w.hands[client].Test) }

// Meet fills the two halves of what a test client holds.
func (w *shared) Meet(first, then *model.Batch, guest int) {
	h := &w.guests[guest]
	w.layAll(first, h, h.Train)
	w.layAll(then, h, h.Test)
}
