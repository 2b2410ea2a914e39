package engine_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/engine"
	"flockscope/sim/trace"
	"flockscope/sim/userfiles"
	"flockscope/sim/workload"
)

// recording keeps everything about one run.
type recording struct {
	header    *trace.Header
	lanes     [][]trace.Frame // by lane and round
	summaries []*trace.Summary
	rounds    []int
	onRound   func(t int)
}

func (r *recording) Begin(h *trace.Header) {
	r.header, r.lanes, r.summaries = h, make([][]trace.Frame, len(h.Lanes)), make([]*trace.Summary, len(h.Lanes))
}

func (r *recording) Frame(lane int, f *trace.Frame) {
	var own trace.Frame // a copy: f changes with the next round
	if rest, err := trace.DecodeFrame(&own, trace.AppendFrame(nil, f)); err != nil || len(rest) > 0 {
		panic(fmt.Sprint("a frame does not survive its codec: ", err))
	}
	r.lanes[lane] = append(r.lanes[lane], own)
}

func (r *recording) Round(t int) {
	if r.rounds = append(r.rounds, t); r.onRound != nil {
		r.onRound(t)
	}
}

func (r *recording) End(lane int, s *trace.Summary) { own := *s; r.summaries[lane] = &own }

// record runs a query that must be faultless.
func record(t testing.TB, query string, file *workload.File) *recording {
	t.Helper()
	r := new(recording)
	if err := engine.Run(context.Background(), parse(t, query), file, r); err != nil {
		t.Fatalf("Run(%s): %v", query, err)
	}
	return r
}

// fingerprints of the lanes, in order.
func (r *recording) fingerprints() []uint64 {
	out := make([]uint64, len(r.summaries))
	for i, s := range r.summaries {
		out[i] = s.Fingerprint
	}
	return out
}

// table is a file of clients with 1 to n rows each, in two groups on the lines
// y = x and y = −x.
func table(t testing.TB, seed uint64, clients, n int, scale float64, groups bool) *workload.File {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, seed))
	var b strings.Builder
	for i := range clients {
		for range 1 + r.IntN(n) {
			x := r.Float64()
			y := x*float64(1-2*(i%2)) + 0.1*r.Float64()
			fmt.Fprintf(&b, "c%d,%v,%v", i, scale*x, scale*y)
			if groups {
				fmt.Fprintf(&b, ",g%d", i%2)
			}
			b.WriteByte('\n')
		}
	}
	rows, err := userfiles.ReadTable([]byte(b.String()))
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return &workload.File{Table: rows}
}

// checkFrames fails unless every frame of a recording is sound: finite, of the
// right shape, and in agreement with itself.
func checkFrames(t *testing.T, name string, r *recording) {
	t.Helper()
	h := r.header
	finite := func(what string, values ...float64) bool {
		for _, v := range values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Errorf("%s: %s is %v", name, what, v)
				return false
			}
		}
		return true
	}
	for i, frames := range r.lanes {
		info := h.Lanes[i]
		if len(frames) != h.Rounds+1 {
			t.Errorf("%s: lane %s has %d frames, want %d", name, info.ID, len(frames), h.Rounds+1)
		}
		for n := range frames {
			f := &frames[n]
			at := fmt.Sprintf("lane %s, round %d", info.ID, n)
			ok := finite(at+": a metric", f.ARI, f.Down, f.Up, f.Accuracy, float64(f.Kept))
			if !frames[0].Events.Has(trace.Evaluated) || f.Events.Has(trace.Evaluated) {
				ok = finite(at+": a loss", f.Loss, f.Worst) && ok
			}
			for what, values := range map[string][]float32{"loss": f.Losses, "embedding": f.Embedding, "map": f.XY,
				"model": f.Models, "accuracy": f.Accuracies} {
				for _, v := range values {
					if !ok || !finite(at+": a "+what, float64(v)) {
						ok = false
						break
					}
				}
			}
			if !ok {
				return
			}
			if f.Round != n {
				t.Errorf("%s: %s says round %d", name, at, f.Round)
			}
			if !h.Admits(i, f) {
				t.Errorf("%s: %s is not admitted by its own header", name, at)
			}
			if len(f.Label) != h.Clients || len(f.Losses) != h.Clients*info.Columns ||
				len(f.Models) != info.Models*info.FrameParams ||
				(len(f.XY) != 0 && len(f.XY) != 2*h.Clients) ||
				(info.Map == trace.NoMap && len(f.XY) != 0) {
				t.Errorf("%s: %s has %d labels, %d losses, %d parameters, %d coordinates for %d clients and %+v",
					name, at, len(f.Label), len(f.Losses), len(f.Models), len(f.XY), h.Clients, info)
				return
			}
			used := slices.Compact(slices.Sorted(slices.Values(f.Label)))
			if f.Clusters != len(used) || int(used[len(used)-1]) >= info.Models {
				t.Errorf("%s: %s has labels %v and says %d clusters of %d models", name, at, f.Label, f.Clusters,
					info.Models)
			}
			if f.Worst < f.Loss*(1-1e-12) || f.Loss < 0 || f.ARI > 1 || f.ARI < -0.5 || f.Misplaced < 0 ||
				f.Misplaced >= max(1, h.Clients) {
				t.Errorf("%s: %s has %+v", name, at, f.Metrics)
			}
			checkExam(t, name+": "+at, h, f)
			if h.HasTruth() && (f.ARI == 1) != (f.Misplaced == 0) {
				t.Errorf("%s: %s has ARI %v and %d misplaced", name, at, f.ARI, f.Misplaced)
			}
			if moved := n > 0 && !slices.Equal(f.Label, frames[n-1].Label); moved != f.Events.Has(trace.Moved) {
				t.Errorf("%s: %s moves a client: %v, and has the event: %v", name, at, moved, !moved)
			}
			if n > 0 && (f.Down < frames[n-1].Down || f.Up < frames[n-1].Up) {
				t.Errorf("%s: %s takes traffic back", name, at)
			}
			if !(f.Kept >= 0 && f.Kept <= 1.000001) {
				t.Errorf("%s: %s keeps %v of the spread", name, at, f.Kept)
			}
		}
		s := r.summaries[i]
		if s == nil {
			t.Errorf("%s: lane %s has no summary", name, info.ID)
			continue
		}
		last, got := frames[len(frames)-1].Metrics, s.Metrics
		if s.Diverged >= 0 { // of the last finite frame
			finite := frames[s.Diverged-1]
			last.Loss, last.Worst, last.Accuracy = finite.Loss, finite.Worst, finite.Accuracy
			last.Val, last.Test, last.ARIParticipants = finite.Val, finite.Test, finite.ARIParticipants
		}
		for _, v := range []*float64{&last.Loss, &last.Worst, &last.ARIParticipants, &got.Loss, &got.Worst,
			&got.ARIParticipants} {
			if math.IsNaN(*v) {
				*v = -7 // unknown is unknown
			}
		}
		if got != last {
			t.Errorf("%s: lane %s: summary %+v, last frame %+v", name, info.ID, s.Metrics, last)
		}
		alias := slices.Sorted(slices.Values(s.Alias))
		for k, a := range alias {
			if len(alias) != info.Models || int(a) != k {
				t.Errorf("%s: lane %s: alias %v is no permutation of %d", name, info.ID, s.Alias, info.Models)
				break
			}
		}
		var hash trace.Hash
		for n := range frames {
			hash.Add(&frames[n])
		}
		if hash.Sum() != s.Fingerprint {
			t.Errorf("%s: lane %s: fingerprint %016x, the frames' is %016x", name, info.ID, s.Fingerprint, hash.Sum())
		}
	}
}

// checkExam: answers are there after an evaluation and only then, each client's shares
// of right ones are those of its confusion, and in between nobody knows a loss that has to
// be tried.
func checkExam(t *testing.T, name string, h *trace.Header, f *trace.Frame) {
	t.Helper()
	if !f.Events.Has(trace.Evaluated) {
		if len(f.Accuracies) != 0 || len(f.Confusion) != 0 || f.Weights != 0 {
			t.Errorf("%s has %d accuracies, %d answers and weights %x without an exam", name, len(f.Accuracies),
				len(f.Confusion), f.Weights)
		}
		if h.DataPreview.Floor < 0 && len(f.Models) == 0 &&
			!(math.IsNaN(f.Loss) && math.IsNaN(f.Worst) && f.Accuracy == 0) {
			t.Errorf("%s has %+v without an exam", name, f.Metrics)
		}
		return
	}
	if len(f.Accuracies) != h.Clients || f.Weights == 0 {
		t.Errorf("%s has %d accuracies and weights %x", name, len(f.Accuracies), f.Weights)
		return
	}
	mean, classes := 0.0, 0
	for classes*classes*h.Clients < len(f.Confusion) {
		classes++
	}
	for i, accuracy := range f.Accuracies {
		mean += float64(accuracy) / float64(h.Clients)
		all, right := 0, 0
		for y := range classes {
			for found := range classes {
				n := int(f.Confusion[(i*classes+y)*classes+found])
				if all += n; y == found {
					right += n
				}
			}
		}
		if classes > 0 && accuracy != float32(right)/float32(max(all, 1)) {
			t.Errorf("%s: client %d has accuracy %v and %d right of %d", name, i, accuracy, right, all)
		}
	}
	if math.Abs(mean-f.Accuracy) > 1e-12 || f.Accuracy < 0 || f.Accuracy > 1 {
		t.Errorf("%s: Accuracy = %v, want the mean %v", name, f.Accuracy, mean)
	}
}

// sameLoss reports whether two losses are equal, or both unknown.
func sameLoss(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
