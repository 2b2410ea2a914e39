package fl

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// everybodyReplies makes r a round in which all clients replied, with labels.
func (r *Round) everybodyReplies(label []int) {
	r.Begin(0)
	copy(r.Label, label)
	r.Replied = r.Replied[:0]
	for i := range label {
		r.Replied = append(r.Replied, i)
		r.replied[i] = true
	}
	r.balance.done = false
}

// TestRebalance: every cluster that has updates ends with B of them, or with an equal share where there are too few
// clients; only clusters with more than that lose clients, none more than it can spare; and no more clients move than
// are missing.
func TestRebalance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for n := range 2000 {
		models, clients, least := 1+random.IntN(6), 1+random.IntN(30), 1+random.IntN(12)
		r := fixture(models, clients)
		r.Rebalance(least, uint64(n))
		label := make([]int, clients)
		before, after := make([]int, models), make([]int, models)
		for i := range label {
			label[i] = min(random.IntN(models), random.IntN(models))
			before[label[i]]++
		}
		r.everybodyReplies(label)
		moved := 0
		for i := range label {
			k := r.Cluster(i)
			after[k]++
			if k != label[i] {
				moved++
			}
		}
		used := models - count0(before)
		want, missing := min(least, clients/used), 0
		for k := range models {
			switch {
			case before[k] == 0 && after[k] != 0:
				t.Fatalf("%v, B = %d: the empty cluster %d has %d updates", before, least, k, after[k])
			case before[k] > 0 && after[k] < want, after[k] > max(before[k], want):
				t.Fatalf("%v, B = %d: clusters have %v updates, want %d each at least", before, least, after, want)
			}
			if before[k] > 0 {
				missing += max(0, want-before[k])
			}
		}
		if moved != missing || !slices.Equal(r.Label, label) {
			t.Fatalf("%v, B = %d: %d clients moved, want %d, with the labels they had", before, least, moved, missing)
		}
	}
}

func count0(list []int) (n int) {
	for _, v := range list {
		if v == 0 {
			n++
		}
	}
	return n
}

// TestRebalanceIsFair: each client of the larger cluster is moved as often as any other, in every round anew. Of 6000
// draws of 3 among 9, the number for each is within 5 standard deviations of 2000, but for one test in 100 000.
func TestRebalanceIsFair(t *testing.T) {
	const rounds = 6000
	label := []int{1, 0, 0, 0, 0, 0, 0, 0, 0, 0}
	r := fixture(2, len(label))
	r.Rebalance(4, 7)
	often := make([]int, len(label))
	for n := range rounds {
		r.everybodyReplies(label)
		r.T = n
		for i := range label {
			if r.Cluster(i) != label[i] {
				often[i]++
			}
		}
	}
	for i, n := range often[1:] {
		if p := 3. / 9; math.Abs(float64(n)-rounds*p) > 5*math.Sqrt(rounds*p*(1-p)) {
			t.Errorf("client %d moved %d times of %d, want about %v", i+1, n, rounds, rounds*p)
		}
	}
}

// TestRebalancedMean: worked out by hand. Cluster 0 has clients 0 to 2 and cluster 1 has client 3. With B = 2 one of the
// first three moves, and each model follows the mean of what is then in its cluster; adding up while replies arrive
// comes to the same.
func TestRebalancedMean(t *testing.T) {
	weights := []float64{1, 2, 4, 8}
	for _, streamed := range []bool{false, true} {
		r := fixture(2, 4)
		r.Rebalance(2, 3)
		r.everybodyReplies([]int{0, 0, 0, 1})
		for i := range 4 {
			copy(r.Exchange.Buffer(i, 0), []float32{float32(i + 1), 0})
			if streamed {
				r.Accumulate(i, weights[i])
			}
		}
		given := weights
		if streamed {
			given = nil
		}
		r.ApplyMean(given)
		var sum, weight [2]float64
		moved := -1
		for i := range 4 {
			k := r.Cluster(i)
			sum[k] += weights[i] * float64(i+1)
			weight[k] += weights[i]
			if i < 3 && k == 1 {
				moved = i
			}
		}
		if moved < 0 {
			t.Fatal("nobody moved")
		}
		for k, start := range []float64{10, 30} {
			if got, want := r.Bank.Model(k)[0], float32(start-sum[k]/weight[k]); got != want {
				t.Errorf("streamed %v: model %d moves to %v, want %v", streamed, k, got, want)
			}
		}
	}
}
