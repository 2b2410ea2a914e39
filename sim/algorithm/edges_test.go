package algorithm

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/sim/fl"
)

// TestIFCADividesByAnswers: with divide=all the divisor is the number of clients whose
// answers arrived, not of those that were asked; who dropped out moves no model.
func TestIFCADividesByAnswers(t *testing.T) {
	losses := [][]float64{{3, 1, 2}, {1, 3, 3}, {3, 1, 9}, {9, 3, 4}, {5, 5, 5}, {1, 2, 3}}
	// Client i's gradient is (i+1, its model).
	tests := []struct {
		here []int
		lost []bool
		want []float32
	}{
		{[]int{0, 1, 2, 3, 4, 5}, []bool{false, true, false, false, true, false},
			[]float32{-0.5 * 6 / 4., 0, -0.5 * (1 + 3 + 4) / 4., -0.5 * 3 / 4., 0, 0}},
		{[]int{1, 2, 3}, []bool{false, false, false, true, false, false},
			[]float32{-0.5 * 2 / 2., 0, -0.5 * 3 / 2., -0.5 * 1 / 2., 0, 0}},
		{[]int{1, 2}, []bool{false, true, true, false, false, false}, []float32{0, 0, 0, 0, 0, 0}},
	}
	for _, tt := range tests {
		r := lossRig(t, "ifca", losses, nil, "K=3", "lr=0.5", "divide=all")
		r.Round.Begin(0)
		r.Round.Attend(tt.here, tt.lost)
		r.Server.Round(r.Round)
		if !slices.Equal(r.Bank.Params, tt.want) {
			t.Errorf("of clients %v, lost %v, models move to %v, want %v", tt.here, tt.lost, r.Bank.Params, tt.want)
		}
	}
}

// TestCFLGPStopRuleIsPatient: in a short run a tenth of the rounds is less than a period.
// The rule then waits for a whole period, so that one clustering confirms another.
func TestCFLGPStopRuleIsPatient(t *testing.T) {
	for _, rounds := range []int{1, 5, 10, 19, 20, 29, 30, 49, 50, 100} {
		for _, period := range []int{2, 3, 4, 7} {
			patience := max(rounds/10, period)
			for seed := range uint64(5) {
				d := newDiary(t, seed, []int{0, 0, 1, 1, 2, 2}, 2, 3, "stop=1", fmt.Sprint("T=", rounds),
					fmt.Sprint("P=", period))
				lastMove, frozenAt := -1, -1
				for round := 0; frozenAt < 0 && round < 200; round++ {
					before := slices.Clone(d.Label)
					d.step(t, round, round%period == 1)
					if round == 1 || !slices.Equal(before, d.Label) {
						lastMove = round // the first clustering confirms nothing even where it moves nobody
					}
					if d.Round.Stopped {
						frozenAt = round
					}
				}
				// A first clustering that moves nobody counts as a round without a move.
				if got := frozenAt - lastMove; got != patience && (lastMove != 1 || got != patience-1) {
					t.Errorf("T=%d, P=%d, seed %d: frozen in round %d, %d rounds after the last move, want %d", rounds,
						period, seed,
						frozenAt, got, patience)
				}
			}
		}
	}
}

// TestCFLGPAveragesWhileOthersWork: each gradient is taken before the next client replies.
func TestCFLGPAveragesWhileOthersWork(t *testing.T) {
	groups := []int{0, 0, 1, 1, 2, 2}
	d := newDiary(t, 3, groups, 2, 3)
	s := d.Server.(*cflgp)
	taken := func() (n int) {
		for _, count := range s.averaged {
			n += count
		}
		return n
	}
	answer, clustering := d.Answer, false
	want := 0
	d.Answer = func(i int, task *fl.Task, reply *fl.Reply) {
		if taken() != want {
			t.Errorf("%d gradients are taken before client %d replies, want %d", taken(), i, want)
		}
		if clustering {
			want++
		}
		answer(i, task, reply)
	}
	for round := range 12 {
		clustering = round%2 == 1
		d.step(t, round, clustering)
	}
	if want != 6*len(groups) {
		t.Errorf("%d gradients are taken, want %d", want, 6*len(groups))
	}
}

// TestCLoVEUnheard: where K is searched for, losses of clients that have not been heard
// are 0, whatever was clustered to make room before the first round.
func TestCLoVEUnheard(t *testing.T) {
	losses := [][]float64{{3, 1, 2}, {1, 3, 3}, {3, 1, 9}, {9, 3, 4}, {5, 5, 5}, {1, 2, 3}}
	for _, words := range [][]string{{"K=3"}, {"bestk=silhouette", "most=3"}} {
		r := lossRig(t, "clove", losses, nil, words...)
		here := []int{0, 1, 3, 5}
		r.Round.Begin(0)
		r.Round.Attend(here, make([]bool, len(losses)))
		r.Server.Round(r.Round)
		for i := range losses {
			row, heard := r.Embedding().Row(i), slices.Contains(here, i)
			if slices.ContainsFunc(row, func(v float64) bool { return v != 0 }) != heard {
				t.Errorf("%q: client %d was heard: %v, and has the losses %v", words, i, heard, row)
			}
		}
	}
}

// TestCFLGPExplainsMix: what is noted of a client's memory is what becomes of it: the mean
// of as many gradients as it has given of the common model, whichever that is.
func TestCFLGPExplainsMix(t *testing.T) {
	for _, words := range [][]string{nil, {"beta=1"}} {
		d := newDiary(t, 6, []int{0, 0, 1, 1, 2, 2}, 2, 3, words...)
		s := d.Server.(*cflgp)
		noted := 0
		for round := range 20 {
			rec := &fl.Recorder{Client: round % 6}
			common, clustering := s.common, round%2 == 1
			old := slices.Clone(s.memory.block(rec.Client, common))
			d.Round.Begin(round)
			d.Round.Record(rec)
			d.Server.Round(d.Round)
			d.Round.Record(nil)
			if !clustering {
				continue
			}
			for _, note := range rec.Notes {
				if note.Step != "mix" {
					continue
				}
				noted++
				value := map[string][]float64{}
				for _, v := range note.Values {
					value[v.Name] = v.Numbers
				}
				taken, beta := float64(s.averaged[common*6+rec.Client]), 1.0
				if words == nil {
					beta = 1 / taken
				}
				if value["k"][0] != float64(common) || value["taken"][0] != taken || value["beta"][0] != beta ||
					value["keep"][0] != 1-beta {
					t.Errorf("%q, round %d: noted model %v, %v gradients, weights %v and %v, want %d, %v, %v and %v",
						words, round,
						value["k"], value["taken"], value["keep"], value["beta"], common, taken, 1-beta, beta)
				}
				for j, now := range s.memory.block(rec.Client, common) {
					if value["old"][j] != float64(old[j]) || math.Abs(value["new"][j]-float64(now)) > 1e-6 {
						t.Errorf("%q, round %d: noted %v to %v, want %v to %v", words, round, value["old"],
							value["new"], old, now)
						break
					}
				}
			}
		}
		if noted != 10 {
			t.Errorf("%q: %d memories are explained, want 10", words, noted)
		}
	}
}

// TestVariance: the mean squared distance from the mean.
func TestVariance(t *testing.T) {
	for _, tt := range []struct {
		x    []float64
		want float64
	}{{[]float64{5}, 0}, {[]float64{1, 3}, 1}, {[]float64{0, 0, 2, 6}, 6}, {[]float64{-4, -4}, 0}} {
		if got := variance(tt.x); math.Abs(got-tt.want) > 1e-15 {
			t.Errorf("variance(%v) = %v, want %v", tt.x, got, tt.want)
		}
	}
}
