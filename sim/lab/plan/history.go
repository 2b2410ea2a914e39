package plan

import (
	"math"
	"slices"

	"flockscope/sim/trace"
)

// History are the numbers of a lane that papers take from all of its rounds, or from the best one. Rounds count as in
// frames: 1 is the state after one round. Records of older programs have none. Missing values are absent: those of
// clusterings without known groups and of methods that make no clusters, those of accuracies where models classify
// nothing, and rounds that never came.
type History struct {
	Rounds  int `json:"rounds,omitempty"`  // T
	Classes int `json:"classes,omitempty"` // number of classes, 0 for none

	ARI10             *float64 `json:"ari10,omitempty"` // ARI after round 10
	ARI10Participants *float64 `json:"ari10_participants,omitempty"`
	// First90 is the first round with an ARI of at least 0.9, and First90Of that with at least 90 % of the last ARI.
	First90             *int `json:"first90,omitempty"`
	First90Participants *int `json:"first90_participants,omitempty"`
	First90Of           *int `json:"first90of,omitempty"`
	Peak                *int `json:"peak,omitempty"`    // first round with the largest ARI of all
	Stable              *int `json:"stable,omitempty"`  // first round from which clients keep their companions
	Stopped             *int `json:"stopped,omitempty"` // round in which the stop rule ended clustering
	MostClusters        int  `json:"most_clusters,omitempty"`
	// Gap is after how many of the newest singular values the next one is smaller by most.
	Gap *int `json:"gap,omitempty"`

	// The best evaluation by accuracy, and by each of HCFL's accuracies with the other one in that round.
	Best      *float64 `json:"best,omitempty"`
	BestRound *int     `json:"best_round,omitempty"`
	BestVal   *float64 `json:"best_val,omitempty"`
	TestThen  *float64 `json:"test_then,omitempty"`
	BestTest  *float64 `json:"best_test,omitempty"`
	ValThen   *float64 `json:"val_then,omitempty"`

	// Transmissions is how many models were sent in both directions, over all clients. Reached has for accuracies of 5 %,
	// 10 %, … how many had been sent when an evaluation first reached it, and ReachedComputed the multiply-adds per client;
	// both end with the last accuracy that was reached.
	Transmissions   float64   `json:"transmissions,omitempty"`
	Reached         []float32 `json:"reached,omitempty"`
	ReachedComputed []float32 `json:"reached_computed,omitempty"`

	// Curves at the rounds of [CurveRounds]: ARI; number of clusters; and accuracy or, where models classify nothing, loss,
	// each of the last evaluation by then, −1 before the first one.
	CurveARI      []float32 `json:"curve_ari,omitempty"`
	CurveClusters []float32 `json:"curve_clusters,omitempty"`
	CurveScore    []float32 `json:"curve_score,omitempty"`
	// What a client had spent by then: floats down and up, and multiply-adds.
	CurveFloats   []float32 `json:"curve_floats,omitempty"`
	CurveComputed []float32 `json:"curve_computed,omitempty"`

	// Contents has clusters × classes numbers of training samples at the end, if clients hold different ones, by the
	// order of the clusters' first clients; it is absent if there are more than maxContents.
	Contents []float32 `json:"contents,omitempty"`

	// Losses has groups × models losses of the first client of each group, on its samples of the last round and before that
	// round's update. Models are in the order of the groups whose clients have them. It is absent with fewer than two
	// models, or with more than maxContents numbers. Records of older programs have none.
	Losses []float32 `json:"losses,omitempty"`
	Models int       `json:"models,omitempty"` // number of columns of Losses
}

const (
	curvePoints  = 40
	maxContents  = 400
	reachedSteps = 20 // accuracies of 5 %, 10 %, …, 100 %
)

func (h *History) members() []member {
	return []member{
		{"rounds", &h.Rounds, true}, {"classes", &h.Classes, true}, {"ari10", &h.ARI10, true},
		{"ari10_participants", &h.ARI10Participants, true}, {"first90", &h.First90, true},
		{"first90_participants", &h.First90Participants, true}, {"first90of", &h.First90Of, true},
		{"peak", &h.Peak, true}, {"stable", &h.Stable, true}, {"stopped", &h.Stopped, true}, {"most_clusters", &h.MostClusters, true},
		{"gap", &h.Gap, true},
		{"best", &h.Best, true}, {"best_round", &h.BestRound, true}, {"best_val", &h.BestVal, true},
		{"test_then", &h.TestThen, true}, {"best_test", &h.BestTest, true}, {"val_then", &h.ValThen, true},
		{"transmissions", &h.Transmissions, true}, {"reached", &h.Reached, true},
		{"reached_computed", &h.ReachedComputed, true}, {"curve_ari", &h.CurveARI, true},
		{"curve_clusters", &h.CurveClusters, true}, {"curve_score", &h.CurveScore, true},
		{"curve_floats", &h.CurveFloats, true}, {"curve_computed", &h.CurveComputed, true}, {"contents", &h.Contents, true},
		{"losses", &h.Losses, true}, {"models", &h.Models, true},
	}
}

// CurveRounds returns the rounds of a run of T rounds at which curves have points: all of at most 40, else 41 of them.
func CurveRounds(rounds int) []int {
	n := max(1, min(rounds, curvePoints))
	out := make([]int, n+1)
	for i := range out {
		out[i] = i * rounds / n
	}
	return out
}

// past is what a lane's history is computed from.
type past struct {
	ari, participants, score []float64 // by round; score is −1 before the first evaluation
	floats, computed         []float32
	clusters                 []int
	label                    []uint16 // the newest, by the order of first clients
	stable                   int
	model                    []uint16  // of each client in the newest frame
	losses                   []float32 // of the newest frame
	History
}

// add takes the next frame. classifies means that models are classifiers; size is the number of parameters of a model.
func (p *past) add(f *trace.Frame, classifies bool, size int) {
	participants := f.ARI
	if f.Events.Has(trace.Partial) {
		participants = f.ARIParticipants
	}
	p.ari, p.participants = append(p.ari, f.ARI), append(p.participants, participants)
	p.clusters = append(p.clusters, f.Clusters)
	p.model, p.losses = append(p.model[:0], f.Label...), append(p.losses[:0], f.Losses...)
	p.floats, p.computed = append(p.floats, float32(f.Down+f.Up)), append(p.computed, float32(f.Computed))
	if f.Round > 0 {
		p.MostClusters = max(p.MostClusters, f.Clusters)
	}
	if f.Round == 0 || f.Events.Has(trace.Moved) {
		if label := byFirst(f.Label); f.Round == 0 || !slices.Equal(label, p.label) {
			p.label, p.stable = label, max(1, f.Round)
		}
	}
	if p.Stopped == nil && f.Events.Has(trace.ClusteringStopped) {
		p.Stopped = ref(f.Round)
	}
	if len(f.Spectrum) > 1 {
		p.Gap = ref(largestGap(f.Spectrum))
	}
	p.Transmissions = (f.Down + f.Up) / float64(max(1, size)) * float64(len(f.Label))
	score := -1.0
	if len(p.score) > 0 {
		score = p.score[len(p.score)-1]
	}
	switch {
	case len(f.Confusion) > 0:
		score = f.Accuracy
		p.Classes = int(math.Sqrt(float64(len(f.Confusion) / max(1, len(f.Accuracies)))))
		p.evaluated(f)
	case !classifies && !math.IsNaN(f.Loss) && !math.IsInf(f.Loss, 0):
		score = f.Loss
	}
	p.score = append(p.score, score)
}

// largestGap returns after how many of some descending values the next one is smaller by most; the first of equal gaps.
func largestGap(values []float32) int {
	best := 1
	for i := 1; i < len(values); i++ {
		if values[i-1]-values[i] > values[best-1]-values[best] {
			best = i
		}
	}
	return best
}

// evaluated takes a frame after whose round models were evaluated.
func (p *past) evaluated(f *trace.Frame) {
	if f.Round > 0 && !f.Events.Has(trace.Diverged) {
		if p.Best == nil || f.Accuracy > *p.Best {
			p.Best, p.BestRound = ref(f.Accuracy), ref(f.Round)
		}
		if f.Val != 0 || f.Test != 0 {
			if p.BestVal == nil || f.Val > *p.BestVal {
				p.BestVal, p.TestThen = ref(f.Val), ref(f.Test)
			}
			if p.BestTest == nil || f.Test > *p.BestTest {
				p.BestTest, p.ValThen = ref(f.Test), ref(f.Val)
			}
		}
	}
	for len(p.Reached) < reachedSteps && f.Accuracy >= float64(len(p.Reached)+1)/reachedSteps {
		p.Reached = append(p.Reached, float32(p.Transmissions))
		p.ReachedComputed = append(p.ReachedComputed, float32(f.Computed))
	}
}

// finish returns the history of a lane of a run.
func (p *past) finish(h *trace.Header, judges, partial bool) History {
	out := p.History
	out.Rounds = h.Rounds
	if len(p.ari) == 0 { // the budget did not last for the start
		return History{Rounds: h.Rounds}
	}
	last := len(p.ari) - 1
	if judges {
		out.Stable = ref(p.stable)
		if p.stable > last {
			out.Stable = nil
		}
		out.First90, out.First90Of = first(p.ari, 0.9), first(p.ari, 0.9*p.ari[last])
		if last > 0 {
			out.Peak = first(p.ari, slices.Max(p.ari[1:]))
		}
		if p.ari[last] <= 0 {
			out.First90Of = nil
		}
		if last >= 10 {
			out.ARI10 = ref(p.ari[10])
		}
		if partial {
			out.First90Participants = first(p.participants, 0.9)
			if last >= 10 && !math.IsNaN(p.participants[10]) {
				out.ARI10Participants = ref(p.participants[10])
			}
		}
		out.Contents = contents(h, p.label)
		out.Losses, out.Models = p.lossesOfGroups(h)
	}
	for _, t := range CurveRounds(h.Rounds) {
		t = min(t, last)
		if judges {
			out.CurveARI = append(out.CurveARI, float32(math.Round(p.ari[t]*1e4)/1e4))
			out.CurveClusters = append(out.CurveClusters, float32(p.clusters[t]))
		}
		out.CurveScore = append(out.CurveScore, float32(p.score[t]))
		out.CurveFloats = append(out.CurveFloats, p.floats[t])
		out.CurveComputed = append(out.CurveComputed, p.computed[t])
	}
	return out
}

// Within returns the accuracy, or the loss where models classify nothing, of the last evaluation by which a client had
// spent at most this many floats and multiply-adds, 0 for no limit, and the last round of the curves within both. It is
// false if there is none, or in records of older programs. The numbers of curves are rounded to 32 bits, and so are the
// limits.
func (h *History) Within(floats, computed float64) (score float64, round int, ok bool) {
	if len(h.CurveFloats) != len(h.CurveScore) || len(h.CurveComputed) != len(h.CurveScore) {
		return 0, 0, false
	}
	for i, t := range CurveRounds(h.Rounds) {
		if i >= len(h.CurveScore) || floats > 0 && h.CurveFloats[i] > float32(floats) ||
			computed > 0 && h.CurveComputed[i] > float32(computed) {
			break
		}
		score, round, ok = float64(h.CurveScore[i]), t, h.CurveScore[i] >= 0
	}
	return score, round, ok
}

// first returns the first round from 1 with at least a value, nil for none.
func first(values []float64, least float64) *int {
	for t := 1; t < len(values); t++ {
		if values[t] >= least {
			return &t
		}
	}
	return nil
}

// byFirst renames labels by the order of their first clients, so that equal clusterings have equal names.
func byFirst(label []uint16) []uint16 {
	names := map[uint16]uint16{}
	out := make([]uint16, len(label))
	for i, k := range label {
		name, ok := names[k]
		if !ok {
			name = uint16(len(names))
			names[k] = name
		}
		out[i] = name
	}
	return out
}

// contents counts the samples of each class in each cluster.
func contents(h *trace.Header, label []uint16) []float32 {
	g := &h.DataPreview.Gallery
	if len(g.Clients) < len(label) || len(label) == 0 || len(g.Clients[0].PerClass) == 0 {
		return nil
	}
	classes, clusters := len(g.Clients[0].PerClass), int(slices.Max(label))+1
	if classes*clusters > maxContents {
		return nil
	}
	out := make([]float32, clusters*classes)
	for i, k := range label {
		for class, n := range g.Clients[i].PerClass {
			out[int(k)*classes+class] += float32(n)
		}
	}
	return out
}

// lossesOfGroups returns the newest losses of the first client of each group on all models, and the number of models;
// see [History].
func (p *past) lossesOfGroups(h *trace.Header) (out []float32, models int) {
	models = len(p.losses) / max(1, len(p.model))
	if models < 2 || models*h.Groups > maxContents || len(h.Group) != len(p.model) {
		return nil, 0
	}
	var clients, order []int
	for g := range h.Groups {
		if i := slices.Index(h.Group, int16(g)); i >= 0 {
			clients = append(clients, i)
		}
	}
	add := func(model int) {
		if model < models && !slices.Contains(order, model) {
			order = append(order, model)
		}
	}
	for _, i := range clients {
		add(int(p.model[i]))
	}
	for model := range models {
		add(model)
	}
	sum := 0.0
	for _, i := range clients {
		for _, model := range order {
			v := p.losses[i*models+model]
			sum += float64(v)
			out = append(out, v)
		}
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) { // nobody was asked, or a model is beyond all bounds
		return nil, 0
	}
	return out, models
}

func ref[T any](v T) *T { return &v }
