package partition

import (
	"slices"
	"strings"
	"testing"

	"flockscope/sim/dataset"
)

// cases are partitions of every entry and of several together.
func cases() (out [][]string) {
	for _, e := range Splits.All() {
		out = append(out, []string{"split=" + e.Name}, []string{"split=" + e.Name, "test=set"},
			[]string{"split=" + e.Name, "each=10"}, []string{"split=" + e.Name, "shift=rotations", "reuse=1",
				"test=set"})
	}
	for _, e := range Shifts.All() {
		out = append(out, []string{"shift=" + e.Name, "order=shuffled"})
	}
	for _, e := range Concepts.All() {
		out = append(out, []string{"concept=" + e.Name}, []string{"concept=" + e.Name, "split=skew3", "reuse=1"})
	}
	for _, e := range Noises.All() {
		out = append(out, []string{"noise=" + e.Name})
	}
	return append(out,
		[]string{"split=dirichlet", "drawby=client"}, []string{"split=dirichlet", "drawby=client", "test=set"},
		[]string{"split=classes", "pick=random", "per=3"}, []string{"concept=beta", "rename=swap"},
		[]string{"split=skew1", "shift=rotations", "concept=swaps"}, []string{"shift=corruptions", "planted=1",
			"concept=permute"})
}

// TestEverySampleOnce: whoever shares what sets clients apart shares no sample,
// and nobody is tested on what anybody alike trains on.
func TestEverySampleOnce(t *testing.T) {
	for _, words := range cases() {
		for seed := uint64(1); seed <= 3; seed++ {
			for _, clients := range []int{1, 7, 24} {
				p := build(t, digits(), clients, seed, words...)
				reuse := slices.Contains(words, "reuse=1")
				type use struct {
					group  string // who draws on the same pool
					sample int32
				}
				used := map[use]int{}
				for i, c := range p.Clients {
					turn := ""
					if reuse && p.Groups > 0 {
						turn = pool(p, i)
					}
					if len(c.Train) == 0 || len(c.Test) == 0 {
						t.Fatalf("%v, %d clients, seed %d: client %d has %d and %d samples", words, clients, seed, i,
							len(c.Train), len(c.Test))
					}
					for _, sample := range slices.Concat(c.Train, c.Test) {
						if other, ok := used[use{turn, sample}]; ok {
							t.Fatalf("%v, %d clients, seed %d: clients %d and %d both hold sample %d", words, clients,
								seed, other, i, sample)
						}
						used[use{turn, sample}] = i
					}
					if slices.Contains(words, "test=set") {
						if slices.Max(c.Train) >= int32(p.Set.Train) || slices.Min(c.Test) < int32(p.Set.Train) {
							t.Fatalf("%v, seed %d: client %d mixes the set's training and test samples", words, seed, i)
						}
						if len(c.Test) > len(c.Train) {
							t.Fatalf("%v, seed %d: client %d is tested on %d samples and trains on %d", words, seed, i,
								len(c.Test), len(c.Train))
						}
					}
				}
			}
		}
	}
}

// pool names the deal that a client was in: the planted group of its view or its
// concept, which comes last in the group's name.
func pool(p *Partition, client int) string {
	name := groupNames(p)[p.Clients[client].Group]
	return name[strings.LastIndex(name, ",")+1:]
}

func TestSameSeedSamePartition(t *testing.T) {
	for _, words := range cases() {
		a, b := build(t, digits(), 12, 5, words...), build(t, digits(), 12, 5, words...)
		other := build(t, digits(), 12, 6, words...)
		same := true
		for i := range a.Clients {
			x, y := a.Clients[i], b.Clients[i]
			if x.Group != y.Group || !slices.Equal(x.Train, y.Train) || !slices.Equal(x.Test, y.Test) ||
				!slices.Equal(x.Relabel, y.Relabel) {
				t.Errorf("%v: client %d differs between two partitions of one seed", words, i)
			}
			same = same && slices.Equal(x.Train, other.Clients[i].Train)
		}
		if same {
			t.Errorf("%v: seeds 5 and 6 deal alike", words)
		}
	}
}

// TestShareOfTraining: 70 % of what a client holds, give or take half a sample.
func TestShareOfTraining(t *testing.T) {
	for _, share := range []string{"0.1", "0.5", "0.7", "0.9"} {
		p := build(t, digits(), 9, 1, "share="+share)
		for i, c := range p.Clients {
			n := len(c.Train) + len(c.Test)
			if n < 3500/9 || n > 3500/9+1 {
				t.Errorf("client %d of 9 holds %d of 3500 samples", i, n)
			}
			want := settings(t, "share="+share).Float("share") * float64(n)
			if d := float64(len(c.Train)) - want; d > 0.5 || d < -0.5 {
				t.Errorf("share %s: client %d trains on %d of %d, want %.1f", share, i, len(c.Train), n, want)
			}
		}
	}
}

// TestEach: a smaller limit leaves each client the first of what a larger one
// gives it.
func TestEach(t *testing.T) {
	for _, test := range []string{"test=share", "test=set"} {
		all := build(t, digits(), 10, 1, test)
		small := build(t, digits(), 10, 1, test, "each=50")
		for i, c := range small.Clients {
			if n := len(c.Train); n != 50 {
				t.Errorf("%s, each=50: client %d trains on %d samples", test, i, n)
			}
			if !slices.Equal(c.Train, all.Clients[i].Train[:50]) {
				t.Errorf("%s, each=50: client %d trains on other samples than without the limit", test, i)
			}
			if test == "test=share" && len(c.Test) != 21 {
				t.Errorf("%s, each=50: client %d is tested on %d samples, want 21", test, i, len(c.Test))
			}
		}
	}
}

// TestTestsFollowTraining: tests from the set's own split have the classes that
// the client trains on, in the same proportions, and there are as many as its
// scarcest class allows. Every class's number is rounded once, up or down.
func TestTestsFollowTraining(t *testing.T) {
	const tests = 200 // of each class
	set := labelled(14000, 10, 0)
	for _, split := range []string{"even", "skew1", "skew2", "skew3", "skew4", "pairs", "dirichlet", "classes", "unequal"} {
		for _, each := range []string{"each=0", "each=150"} {
			for seed := uint64(1); seed <= 3; seed++ {
				p := build(t, set, 20, seed, "split="+split, "test=set", each)
				total := make([]int, 10)
				for _, c := range p.Clients {
					for class, n := range countClasses(set, c.Train) {
						total[class] += n
					}
				}
				for i, c := range p.Clients {
					train, test := countClasses(set, c.Train), countClasses(set, c.Test)
					rate := 1.
					for class, n := range train {
						if n > 0 && 20*n >= len(c.Train) {
							rate = min(rate, tests/float64(total[class]))
						}
					}
					for class, n := range train {
						if n == 0 {
							if test[class] > 0 {
								t.Errorf("%s, %s, seed %d: client %d is tested on class %d, which it has never seen",
									split, each, seed, i, class)
							}
							continue
						}
						want := float64(n) * min(rate, tests/float64(total[class]))
						if d := float64(test[class]) - want; d >= 1 || d <= -1 {
							t.Errorf("%s, %s, seed %d: client %d is tested on %d samples of class %d, want about %.2f",
								split, each, seed, i, test[class], class, want)
						}
					}
				}
			}
		}
	}
}

// TestReuse: with it, each view's group draws on the whole set.
func TestReuse(t *testing.T) {
	p := build(t, digits(), 8, 1, "shift=rotations", "reuse=1")
	for g, samples := range groupSamples(p) {
		if len(samples) < 2400 || len(samples) > 2500 {
			t.Errorf("group %d trains on %d samples, want 70%% of 3500", g, len(samples))
		}
	}
	for _, c := range build(t, digits(), 8, 1, "shift=corruptions", "reuse=1").Clients {
		if n := len(c.Train) + len(c.Test); n > 3500/8+1 {
			t.Errorf("a client holds %d samples: views that plant no group share one pool", n)
		}
	}
}

// TestNumbersWithoutClasses: a set to predict numbers from can be dealt too.
func TestNumbersWithoutClasses(t *testing.T) {
	set := &dataset.Set{Name: "Numbers", Shape: dataset.Shape{Height: 1, Width: 3, Channels: 1},
		Value: make([]float32, 700), Train: 600}
	for _, words := range [][]string{{"split=even"}, {"split=unequal"}, {"split=even", "test=set"}} {
		p := build(t, set, 10, 1, words...)
		if p.Groups != 0 || p.NoGroupsWhy == "" || p.Clients[3].Group != -1 {
			t.Errorf("%v: %d groups, reason %q, client 3 in %d, want none, a reason and −1", words, p.Groups, p.NoGroupsWhy,
				p.Clients[3].Group)
		}
	}
}
