package workload

import (
	"flockscope/sim/dataset"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/partition"
	"flockscope/sim/say"
)

// extraSamples returns up to n samples of a set, by index, that no client trains on. With a set's test split clients are tested
// on some of them.
type extraSamples func(v param.Values, n int) (*dataset.Set, []int32, error)

// generateMore generates samples after those that clients hold.
func generateMore(name string) extraSamples {
	return func(v param.Values, n int) (*dataset.Set, []int32, error) {
		g, _ := dataset.Registry.Lookup(name)
		from := v.Int("n")
		return g.Make(uint64(v.Int("sd")), from+n), integers(from, from+n), nil
	}
}

// fromTestSplit takes samples of a set's test split at equal distances, since sets may be sorted.
func fromTestSplit(set *dataset.Set) extraSamples {
	return func(v param.Values, n int) (*dataset.Set, []int32, error) {
		if v.Text("test") != "set" {
			return nil, nil, &param.Error{Field: "guests", Got: v.Text("guests"), Want: "0 unless test=set",
				Hint:        say.Messagef("all samples of the set are in use; set %s, so that its test split is free", "test=set"),
				Suggestions: []param.Suggestion{{Key: "guests", Value: "0"}}}
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

// integers returns the numbers from `from` to `to` − 1.
func integers(from, to int) []int32 {
	out := make([]int32, 0, to-from)
	for i := from; i < to; i++ {
		out = append(out, int32(i))
	}
	return out
}

// addTestClients makes the test clients of the settings, and returns the partitions with their samples.
func (w *shared) addTestClients(v param.Values, spare []extraSamples,
	deals []*partition.Partition) ([]*partition.Partition, error) {
	n := v.Int("guests")
	if n == 0 {
		return deals, nil
	}
	refuse := func(want, hint say.Message) ([]*partition.Partition, error) {
		return nil, &param.Error{Field: "guests", Got: v.Text("guests"), Want: want, Hint: hint,
			Suggestions: []param.Suggestion{{Key: "guests", Value: "0"}}}
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
		own := deal.TestClients(set, samples)
		for j := range own.Clients {
			w.testClients = append(w.testClients, holding{own, &own.Clients[j], j})
		}
		all = append(all, own)
	}
	return all, nil
}

// TestClients is the number of test clients.
func (w *shared) TestClients() int { return len(w.testClients) }

// HeldOut is the number of held-out samples of a client.
func (w *shared) HeldOut(client int) int { return len(w.clients[client].Test) }

// TestClientSamples fills the two halves of what a test client holds.
func (w *shared) TestClientSamples(first, then *model.Batch, client int) {
	h := &w.testClients[client]
	w.putSamples(first, h, h.Train, false)
	w.putSamples(then, h, h.Test, false)
}
