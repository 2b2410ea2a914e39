package cflgp

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"flockscope/sim/fl"
)

// TestCFLGPHead: features of the last layer alone, compressed or not, are the
// means of the gradients' numbers there (spec 2.6).
func TestCFLGPHead(t *testing.T) {
	groups := []int{0, 0, 1, 1, 2, 2}
	for _, tt := range []struct{ size, compression, width int }{{10, 1, 5}, {10, 2, 2}, {10, 100, 1}, {401, 1, 201},
		{401, 10, 20}} {
		const models, period = 3, 2
		d := newDiary(t, 1, groups, tt.size, models, "layer=head", fmt.Sprint("cr=", tt.compression))
		of := d.Round.Exchange.Coordinates
		if len(of) != tt.width || of[0] < int32(tt.size/2) || int(of[len(of)-1]) >= tt.size || !slices.IsSorted(of) {
			t.Fatalf("%+v: coordinates %v, want %d of the last half", tt, of, tt.width)
		}
		for round := range 20 {
			before := d.Traffic
			d.step(t, round, round%period == 1)
			if up := d.Traffic.Up - before.Up; round%period == 1 && up > int64(6*(tt.size+tt.width)) {
				t.Errorf("%+v: round %d sends %d floats, want no more than %d for features", tt, round, up, tt.width)
			}
			g := d.Server.(*paper).memory.whole()
			for i := range groups {
				for k := range models {
					for j, got := range g.Row(i)[k*tt.width : (k+1)*tt.width] {
						want, n := 0.0, float64(len(d.said[i][k]))
						for _, said := range d.said[i][k] {
							want += said[of[j]] / n
						}
						if math.Abs(got-want) > 5*n*0x1p-24*6 {
							t.Fatalf("%+v: after round %d entry (%d, %d, %d) of G = %v, want %v", tt, round, i, k, j,
								got, want)
						}
					}
				}
			}
		}
	}
}

// TestCFLGPTrunk: after every round all models have one trunk, the mean over the
// clients of those that each had trained, and heads of their own (spec 2.6).
func TestCFLGPTrunk(t *testing.T) {
	const size, models, rate = 6, 3, 0.1
	groups := []int{0, 0, 0, 1, 1, 2, 2}
	d := newDiary(t, 7, groups, size, models, "trunk=common")
	for k := range models {
		for j := range size {
			d.Bank.Model(k)[j] += float32(j)
		}
	}
	for round := range 12 {
		own, before := slices.Clone(d.Label), slices.Clone(d.Bank.Params)
		d.step(t, round, round%2 == 1)
		trained := make([]float64, len(before))
		for k := range models {
			n := 0.0
			for i, said := range d.now {
				if own[i] == k {
					n++
					for j, v := range said[k] {
						trained[k*size+j] += float64(v)
					}
				}
			}
			for j := range size {
				at := k*size + j
				trained[at] = float64(before[at]) - rate*trained[at]/max(n, 1)
			}
		}
		for j := range size {
			mean := 0.0
			for _, k := range own {
				mean += trained[k*size+j] / float64(len(own))
			}
			for k := range models {
				want := trained[k*size+j]
				if j < size/2 {
					want = mean
				}
				if got := float64(d.Bank.Model(k)[j]); math.Abs(got-want) > 1e-5*max(1, math.Abs(want)) {
					t.Fatalf("round %d: parameter %d of model %d = %v, want %v", round, j, k, got, want)
				}
			}
		}
	}
}

// TestCFLGPEnd: from round T_cl on nothing is clustered and nothing is paid for it.
func TestCFLGPEnd(t *testing.T) {
	const end = 6
	d := newDiary(t, 3, []int{0, 0, 1, 1, 2, 2}, 2, 3, "tcl=6")
	for round := range 12 {
		before := d.Traffic
		d.step(t, round, round < end && round%2 == 1)
		if d.Round.Stopped != (round == end) {
			t.Errorf("round %d: frozen %v", round, d.Round.Stopped)
		}
		if down := d.Traffic.Down - before.Down; round >= end && down != 12 {
			t.Errorf("round %d: %d floats down, want 12", round, down)
		}
	}
}

// TestCFLGPNewcomers: who comes when the others are clustered is placed by its
// gradients of all models, at once if wanted, and for certain when clustering is
// over (spec 2.14).
func TestCFLGPNewcomers(t *testing.T) {
	const size, models = 4, 3
	groups := []int{2, 2, 0, 0, 1, 1, 0, 1, 2}
	old := []int{0, 1, 2, 3, 4, 5}
	for _, tt := range []struct {
		words  []string
		placed bool
	}{{[]string{"meet=once"}, true}, {[]string{"tcl=20"}, true}, {[]string{"stop=1", "T=40"}, true}, {nil, false}} {
		for seed := range uint64(10) {
			d := newDiary(t, seed, groups, size, models, tt.words...)
			for round := range 24 {
				d.PlayWith(round, old)
			}
			if !samePartition(d.Label[:6], groups[:6]) {
				t.Fatalf("%v, seed %d: labels %v of groups %v: this proves nothing", tt.words, seed, d.Label[:6],
					groups[:6])
			}
			before := d.Traffic
			d.PlayWith(24, []int{0, 2, 4, 6, 7, 8}, 8)
			down, up := d.Traffic.Down-before.Down, d.Traffic.Up-before.Up
			if !tt.placed {
				if down != 6*size {
					t.Errorf("%v, seed %d: %d floats down, want %d", tt.words, seed, down, 6*size)
				}
				continue
			}
			// Two newcomers receive all models, the one that they are given
			// among these; a third is lost with them.
			if wantDown, wantUp := int64(3*size+3*models*size), int64(3*size+2*(models*size+size)); down != wantDown ||
				up != wantUp {
				t.Errorf("%v, seed %d: %d floats down and %d up, want %d and %d", tt.words, seed, down, up, wantDown,
					wantUp)
			}
			if !samePartition(d.Label[:8], groups[:8]) || !d.Round.Reclustered {
				t.Errorf("%v, seed %d: labels %v of groups %v, news %v", tt.words, seed, d.Label[:8], groups[:8],
					d.Round.Reclustered)
			}
			if d.PlayWith(25, old); d.Round.Reclustered && len(tt.words) == 1 && tt.words[0] == "tcl=20" {
				t.Errorf("%v, seed %d: news without newcomers", tt.words, seed)
			}
		}
	}
}

// TestCFLGPFindsK: during the warm-up all clients train model 0 and cost what
// FedAvg does; then K is found, the models begin as copies, and clients are in
// their groups (spec 2.7).
func TestCFLGPFindsK(t *testing.T) {
	const size = 6
	for _, by := range []string{"silhouette", "elbow", "gap"} {
		for _, tt := range []struct {
			groups []int
			want   int
		}{
			{[]int{0, 0, 0, 0, 1, 1, 1, 1}, 2},
			{[]int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, 3},
			{[]int{0, 3, 0, 3, 1, 0, 1, 1, 2, 2, 2, 3}, 4},
		} {
			for seed := range uint64(10) {
				d := newDiary(t, seed, tt.groups, size, 3, "findk="+by, "solo=7", "most=8")
				n := len(tt.groups)
				if d.Bank.Models() != 8 {
					t.Fatalf("%s: %d models, want 8", by, d.Bank.Models())
				}
				for round := range 20 {
					before := d.Traffic
					d.Play(round)
					if round < 7 {
						if slices.Max(d.Label) != 0 || d.Round.Reclustered ||
							d.Traffic.Down-before.Down != int64(n*size) ||
							d.Traffic.Up-before.Up != int64(n*size) {
							t.Fatalf("%s, seed %d: round %d: labels %v, news %v, traffic from %+v to %+v, want FedAvg",
								by, seed, round,
								d.Label, d.Round.Reclustered, before, d.Traffic)
						}
						continue
					}
					if round == 7 {
						for k := 1; k < d.Server.(*paper).k; k++ {
							if !slices.Equal(d.Bank.Model(k), d.Bank.Model(0)) {
								t.Errorf("%s, seed %d: model %d = %v, want a copy of %v", by, seed, k, d.Bank.Model(k),
									d.Bank.Model(0))
							}
						}
						if got := d.Server.(*paper).k; got != tt.want {
							t.Errorf("%s, seed %d: %d clusters of the groups %v", by, seed, got, tt.groups)
						}
					}
				}
				if d.Server.(*paper).k == tt.want && !samePartition(d.Label, tt.groups) {
					t.Errorf("%s, seed %d: labels %v of groups %v", by, seed, d.Label, tt.groups)
				}
			}
		}
	}
}

// TestCFLGPReleased: the released code's loop, step by step: clusters in rounds
// t mod P = 0 by what each client says of its own model, mixed into one block
// with its β, before the update, which uses the new clusters (spec 2.4).
func TestCFLGPReleased(t *testing.T) {
	const size, models, period, rate = 4, 3, 2, 0.1
	groups := []int{0, 0, 1, 1, 2, 2}
	d := newDiary(t, 5, groups, size, models, "as=released", "tcl=10")
	block := make([][]float64, len(groups))
	for i := range block {
		block[i] = make([]float64, size)
	}
	for round := range 16 {
		own, before, paid := slices.Clone(d.Label), slices.Clone(d.Bank.Params), d.Traffic
		if round == 0 && slices.Max(own) != 0 {
			t.Errorf("clients begin with %v, want model 0", own)
		}
		d.Play(round)
		if d.Traffic.Down-paid.Down != size*6 || d.Traffic.Up-paid.Up != size*6 {
			t.Errorf("round %d: traffic %+v after %+v, want %d each way", round, d.Traffic, paid, size*6)
		}
		clustering := round%period == 0 && round < 10
		if d.Round.Reclustered != clustering {
			t.Errorf("round %d: news %v, want %v", round, d.Round.Reclustered, clustering)
		}
		if clustering {
			beta := 1 / float64((round+1)/(models*period)+1)
			for i := range groups {
				for j, v := range d.now[i][own[i]] {
					block[i][j] = (1-beta)*block[i][j] + beta*float64(v)
				}
				got := d.Server.(*released).memory.whole().Row(i)
				for j, v := range got {
					want := 0.0
					if j < size {
						want = block[i][j]
					}
					if math.Abs(v-want) > 1e-12 {
						t.Fatalf("round %d: row %d of G = %v, want %v and zeros", round, i, got, block[i])
					}
				}
			}
		}
		want := slices.Clone(before)
		for k := range models {
			n, sum := 0.0, make([]float64, size)
			for i := range groups {
				if d.Label[i] == k { // the new one
					n++
					for j, v := range d.now[i][own[i]] {
						sum[j] += float64(v)
					}
				}
			}
			for j := range sum {
				if n > 0 {
					want[k*size+j] = float32(float64(before[k*size+j]) - float64(rate*(sum[j]/n)))
				}
			}
		}
		if !slices.Equal(d.Bank.Params, want) {
			t.Errorf("round %d moves the models to %v, want %v", round, d.Bank.Params, want)
		}
	}
}

// TestCFLGPCompression: coordinates are drawn once and are the server's alone to
// choose; the features of a client whose model is the common one are taken from
// its update, and only the others send theirs, of one in cr numbers.
func TestCFLGPCompression(t *testing.T) {
	groups := []int{0, 0, 1, 1, 2, 2, 0}
	for seed, tt := range []struct{ size, compression, width int }{{10, 1, 10}, {10, 2, 5}, {10, 3, 3}, {10, 11, 1},
		{500, 100, 5}, {500, 2, 250}} {
		const models, period = 3, 2
		d := newDiary(t, uint64(seed), groups, tt.size, models, fmt.Sprint("cr=", tt.compression))
		x := d.Round.Exchange
		if (x.Coordinates == nil) != (tt.compression == 1) || x.Width() != tt.width {
			t.Errorf("%+v: coordinates %v, want %d of them", tt, x.Coordinates, tt.width)
		}
		drawn := slices.Clone(x.Coordinates)
		for round := range 20 {
			own, before := slices.Clone(d.Label), d.Traffic
			d.step(t, round, round%period == 1)
			want := fl.Traffic{}
			for _, k := range own {
				want.Down += int64(tt.size)
				want.Up += int64(tt.size)
				if round%period == 1 && k != d.common[len(d.common)-1] {
					want.Down += int64(tt.size)
					want.Up += int64(tt.width)
				}
			}
			if got := (fl.Traffic{Down: d.Traffic.Down - before.Down, Up: d.Traffic.Up - before.Up}); got != want {
				t.Errorf("%+v: round %d: traffic %+v, want %+v", tt, round, got, want)
			}
		}
		if !slices.Equal(x.Coordinates, drawn) {
			t.Errorf("%+v: coordinates %v and later %v", tt, drawn, x.Coordinates)
		}
	}
}

// TestCFLGPCompressionTrainsTheSame: with one model there is nothing to cluster,
// and what is compared changes no bit of what is trained.
func TestCFLGPCompressionTrainsTheSame(t *testing.T) {
	whole, part := newDiary(t, 1, []int{0, 1, 2, 0}, 90, 1), newDiary(t, 1, []int{0, 1, 2, 0}, 90, 1, "cr=30")
	for round := range 20 {
		whole.step(t, round, round%2 == 1)
		part.step(t, round, round%2 == 1)
		if !slices.Equal(whole.Bank.Params, part.Bank.Params) {
			t.Fatalf("round %d: models %v, and with compression %v", round, whole.Bank.Params, part.Bank.Params)
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
	s := d.Server.(*paper)
	taken := func() (n int) {
		for _, count := range s.memory.counts {
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

// TestCFLGPExplainsMix: what is noted of a client's memory is what becomes of it: the mean
// of as many gradients as it has given of the common model, whichever that is.
func TestCFLGPExplainsMix(t *testing.T) {
	for _, words := range [][]string{nil, {"beta=1"}} {
		d := newDiary(t, 6, []int{0, 0, 1, 1, 2, 2}, 2, 3, words...)
		s := d.Server.(*paper)
		noted := 0
		for round := range 20 {
			rec := &fl.Recorder{Client: round % 6}
			common, clustering := s.common, round%2 == 1
			old := slices.Clone(s.memory.block(rec.Client, common))
			d.Round.Begin(round)
			d.Round.SetRecorder(rec)
			d.Server.Round(d.Round)
			d.Round.SetRecorder(nil)
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
				taken, beta := float64(s.memory.count(rec.Client, common)), 1.0
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

// samePartition reports whether two labellings put the same clients together.
func samePartition(a, b []int) bool {
	for i := range b {
		for j := range i {
			if (a[i] == a[j]) != (b[i] == b[j]) {
				return false
			}
		}
	}
	return true
}
