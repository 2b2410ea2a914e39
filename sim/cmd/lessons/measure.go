package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/lesson"
	"flockscope/sim/trace"
)

// measure is one number of one lesson.
type measure struct {
	lesson int
	name   string // name of the slot
	with   string // settings in addition to the lesson's
	digits int    // digits after the decimal point
	of     quantity
	count  bool // count the runs in which the quantity is 1, instead of a mean
}

// quantity is computed from one run; NaN leaves the run out of a mean.
type quantity func(n *lesson.State) float64

// over returns the value of a measure over several runs.
func (m *measure) over(runs []*lesson.State) float64 {
	sum, n := 0.0, 0.0
	for _, run := range runs {
		if v := m.of(run); !math.IsNaN(v) {
			sum, n = sum+v, n+1
		}
	}
	if m.count {
		return sum
	}
	return sum / n
}

// text formats a value.
func (m *measure) text(v float64) string {
	s := strconv.FormatFloat(v, 'f', m.digits, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-") // no "-0"
	}
	return strings.Replace(s, "-", "−", 1)
}

func loss(id string) quantity { return func(n *lesson.State) float64 { return n.Loss(id) } }

func ari(id string) quantity { return func(n *lesson.State) float64 { return n.ARI(id) } }

// ariIn returns the ARI in one round.
func ariIn(id string, round int) quantity {
	return func(n *lesson.State) float64 { return n.MeanARI(id, round, round) }
}

// allCorrect returns 1 if every client is in the correct cluster at the end.
func allCorrect(id string) quantity {
	return func(n *lesson.State) float64 {
		if n.ARI(id) == 1 {
			return 1
		}
		return 0
	}
}

// lossRatio returns the ratio of the losses of two lanes.
func lossRatio(id, other string) quantity {
	return func(n *lesson.State) float64 { return n.Loss(id) / n.Loss(other) }
}

// settledRound returns the first round from which the clustering stays correct.
func settledRound(id string) quantity {
	return func(n *lesson.State) float64 {
		if s := track(n, id).Summary.Settled; s >= 0 {
			return float64(s)
		}
		return math.NaN()
	}
}

// modelsSent returns the number of models that a client receives per round.
func modelsSent(id string) quantity {
	return func(n *lesson.State) float64 {
		return n.Down(id) / float64(n.Run.Header.Rounds) / float64(n.Run.Header.Lanes[0].Size)
	}
}

// firstLoss returns the mean loss of a group on a model in the first round.
func firstLoss(id string, group, model int) quantity {
	return func(n *lesson.State) float64 {
		f, h := &track(n, id).Frames[1], n.Run.Header
		columns := len(f.Losses) / h.Clients
		sum, members := 0.0, 0.0
		for i, g := range h.Group {
			if int(g) == group {
				sum += float64(f.Losses[i*columns+model])
				members++
			}
		}
		return sum / members
	}
}

// oneModel returns 1 if all clients have the same model in every round.
func oneModel(id string) quantity {
	return func(n *lesson.State) float64 {
		for _, f := range track(n, id).Frames[1:] {
			if f.Clusters > 1 {
				return 0
			}
		}
		return 1
	}
}

// changes returns in how many of the last hundred rounds the ARI changed.
func changes(id string) quantity {
	return func(n *lesson.State) float64 {
		frames, sum := track(n, id).Frames, 0.0
		for t := len(frames) - 100; t < len(frames); t++ {
			if frames[t].ARI != frames[t-1].ARI {
				sum++
			}
		}
		return sum
	}
}

// singularValue returns a singular value, counted from 1, of the latest clustering up to a round.
func singularValue(id string, round, nth int) quantity {
	return func(n *lesson.State) float64 {
		for _, f := range slices.Backward(track(n, id).Frames[:round+1]) {
			if len(f.Spectrum) >= nth {
				return float64(f.Spectrum[nth-1])
			}
		}
		return math.NaN()
	}
}

// preference returns the mean weight that clients of a group give to the model that the clients of another group prefer.
func preference(id string, group, like int) quantity {
	return func(n *lesson.State) float64 { return n.WeightShare(id, group, like) }
}

// floor returns the least loss that any model can reach.
func floor(n *lesson.State) float64 { return n.Run.Header.DataPreview.Floor }

// one is 1 for every run, to count runs.
func one(*lesson.State) float64 { return 1 }

func track(n *lesson.State, id string) *trace.Track {
	for i := range n.Run.Header.Lanes {
		if n.Run.Header.Lanes[i].ID == id {
			return &n.Run.Tracks[i]
		}
	}
	panic("lessons: no lane " + id)
}
