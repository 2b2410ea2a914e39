package engine_test

import (
	_ "embed"
	"encoding/json"
	"math"
	"testing"

	"flockscope/sim/theory"
	"flockscope/sim/trace"
)

//go:embed testdata/theory.json
var theoryText []byte

// TestTheory: frames have what an independent program finds on an exported run: the error of models, the gradient noise
// of CFL-GP and the gaps between groups.
func TestTheory(t *testing.T) {
	var runs []struct {
		Query  string
		Rounds [][4]float64 // error, ‖E‖, gap over all blocks, gap of a block
	}
	if err := json.Unmarshal(theoryText, &runs); err != nil || len(runs) < 8 {
		t.Fatalf("%d runs: %v", len(runs), err)
	}
	for _, run := range runs {
		frames := record(t, run.Query, nil).lanes[0]
		if len(frames) != len(run.Rounds) {
			t.Fatalf("%s: %d frames, want %d", run.Query, len(frames), len(run.Rounds))
		}
		for n, want := range run.Rounds {
			f := &frames[n].Theory
			for j, got := range [...]float32{f.Error, f.Noise, f.Gap, f.BlockGap} {
				if !(math.Abs(float64(got)-want[j]) <= 1e-4*want[j]+2e-5) {
					t.Errorf("%s: round %d: number %d is %v, want %v", run.Query, n, j, got, want[j])
				}
			}
		}
	}
}

// TestBoundIsVacuous: at 20° the bound (18) is hundreds of clients where twelve exist and have long been right; it
// falls as 1/t, as Lemma 1 says. It always holds.
func TestBoundIsVacuous(t *testing.T) {
	const seeds = 5
	mean := map[int]float64{}
	for _, seed := range []string{"1", "2", "3", "4", "5"} {
		query := "data=linreg&algos=cflgp&T=400&sd=" + seed + "&sm=" + seed + "&sa=" + seed
		frames := record(t, query, nil).lanes[0]
		for _, f := range frames {
			bound := f.Theory.MisplacedBound(3)
			want := theory.MisplacedBound(3, float64(f.Theory.Noise), float64(f.Theory.Gap))
			if bound != want && f.Theory.Gap > 0 {
				t.Fatalf("%s: round %d: the bound is %v, want %v", query, f.Round, bound, want)
			}
			if bound > 0 && float64(f.Misplaced) > bound {
				t.Errorf("%s: round %d: %d clients are misplaced, the bound is %v", query, f.Round, f.Misplaced, bound)
			}
			mean[f.Round] += bound / seeds
		}
		if f := frames[25]; f.Misplaced > 0 {
			t.Errorf("%s: round 25: %d clients are misplaced, want none", query, f.Misplaced)
		}
	}
	// NumPy's means over twelve seeds are 519, 116, 30 and 7.3 (package theory's testdata).
	for round, want := range map[int]float64{7: 519, 25: 116, 99: 30, 399: 7.3} {
		if got := mean[round]; got < want/2 || got > 2*want {
			t.Errorf("round %d: the bound is %v on average, want about %v", round, got, want)
		}
	}
	if mean[5] != 0 || mean[6] == 0 {
		t.Errorf("the bound is %v and %v after rounds 5 and 6, want it from 6 on, when all models were sent", mean[5], mean[6])
	}
}

// TestPromise: gradient descent shrinks the error of a quadratic by a known factor; with exact clusters and hardly any
// noise the measured error stays below a promise of little more, until noise holds it up.
func TestPromise(t *testing.T) {
	frames := record(t, "data=mixreg&algos=clove&sqrt=1&avg=gradient&lr=0.4&b=1000&C=50&D=2&K=2&T=8", nil).lanes[0]
	for n, f := range frames[1:] {
		if want := frames[n].Theory.Promise * 0.2; math.Abs(float64(f.Theory.Promise-want)) > 1e-6*float64(want) {
			t.Errorf("round %d: the promise is %v, want |1 − 2·0.4| of the last, %v", n+1, f.Theory.Promise, want)
		}
	}
	if f := frames[3].Theory; f.Error > 2*f.Promise || f.Error < f.Promise/2 {
		t.Errorf("round 3: the error is %v, promised is %v", f.Error, f.Promise)
	}
	for _, query := range []string{"algos=local", "data=digits&net=softmax&n=600&C=4&algos=ifca", "data=mix1d&algos=ifca"} {
		for _, f := range record(t, query+"&T=3", nil).lanes[0] {
			if f.Theory != (trace.Theory{}) {
				t.Errorf("%s: round %d has %+v, want nothing", query, f.Round, f.Theory)
			}
		}
	}
}

// TestFallingRate: after the last clustering round the learning rate falls as 1/t (Proposition 1); the schedule of the
// proposition itself, with 1/μ, diverges on the paper's own data.
func TestFallingRate(t *testing.T) {
	falling := record(t, "data=linreg&algos=cflgp&tcl=20&fall=1/t&T=40", nil).lanes[0]
	constant := record(t, "data=linreg&algos=cflgp&tcl=20&T=40", nil).lanes[0]
	move := func(frames []trace.Frame, n int) float64 {
		return math.Abs(float64(frames[n].Models[1] - frames[n-1].Models[1]))
	}
	if a, b := move(falling, 21), move(constant, 21); a != b {
		t.Errorf("round 21 moves an offset by %v, and by %v without the schedule, want the same until T_cl", a, b)
	}
	ratio := 0.0
	for n := 22; n <= 40; n++ {
		ratio += move(falling, n) / float64(len(falling))
	}
	if later := move(falling, 40); later == 0 || ratio == 0 || later > move(constant, 40) && later > move(falling, 22) {
		t.Errorf("round 40 moves an offset by %v", later)
	}
	r := record(t, "data=linreg&algos=cflgp&tcl=20&fall=1/t&T=40&lr=8.4", nil)
	if s := r.summaries[0]; s.Diverged < 0 && s.Loss < 10 {
		t.Errorf("with 1/μ = 8.4 the loss is %v, want a divergence", s.Loss)
	}
}
