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
	name   string // of the slot
	with   string // settings on top of the lesson's
	digits int    // after the point
	of     quantity
	count  bool // how many runs have a quantity of 1, not the mean
}

// quantity is read off one run; NaN leaves the run out of a mean.
type quantity func(n *lesson.State) float64

// over returns the value of a measure over runs.
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

// text is a value as printed.
func (m *measure) text(v float64) string {
	s := strconv.FormatFloat(v, 'f', m.digits, 64)
	if strings.Trim(s, "-0.") == "" {
		s = strings.TrimPrefix(s, "-") // nothing is no less than nothing
	}
	return strings.Replace(s, "-", "−", 1)
}

func loss(id string) quantity { return func(n *lesson.State) float64 { return n.Loss(id) } }

func ari(id string) quantity { return func(n *lesson.State) float64 { return n.ARI(id) } }

// ariIn is the ARI in one round.
func ariIn(id string, round int) quantity {
	return func(n *lesson.State) float64 { return n.MeanARI(id, round, round) }
}

// right is 1 where every client is right at the end.
func right(id string) quantity {
	return func(n *lesson.State) float64 {
		if n.ARI(id) == 1 {
			return 1
		}
		return 0
	}
}

// times is how many times the loss of another lane a lane's loss is.
func times(id, other string) quantity {
	return func(n *lesson.State) float64 { return n.Loss(id) / n.Loss(other) }
}

// settled is the first round from which the clustering stays right.
func settled(id string) quantity {
	return func(n *lesson.State) float64 {
		if s := track(n, id).Summary.Settled; s >= 0 {
			return float64(s)
		}
		return math.NaN()
	}
}

// sent is how many models go to a client in a round.
func sent(id string) quantity {
	return func(n *lesson.State) float64 {
		return n.Down(id) / float64(n.Run.Header.Rounds) / float64(n.Run.Header.Lanes[0].Size)
	}
}

// firstLoss is the mean loss, in the first round, of a group on a model.
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

// alone is 1 where one model has all clients in every round.
func alone(id string) quantity {
	return func(n *lesson.State) float64 {
		for _, f := range track(n, id).Frames[1:] {
			if f.Clusters > 1 {
				return 0
			}
		}
		return 1
	}
}

// changes is in how many of the last hundred rounds the ARI changed.
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

// length is a singular value, counted from 1, of what was clustered last, up to
// a round.
func length(id string, round, nth int) quantity {
	return func(n *lesson.State) float64 {
		for _, f := range slices.Backward(track(n, id).Frames[:round+1]) {
			if len(f.Spectrum) >= nth {
				return float64(f.Spectrum[nth-1])
			}
		}
		return math.NaN()
	}
}

// leaning is how much weight clients of a group give to the model that those of
// another like best.
func leaning(id string, group, like int) quantity {
	return func(n *lesson.State) float64 { return n.WeightShare(id, group, like) }
}

// floor is the least loss that any model can reach.
func floor(n *lesson.State) float64 { return n.Run.Header.DataPreview.Floor }

// one is 1 for every run: their number, when counted.
func one(*lesson.State) float64 { return 1 }

func track(n *lesson.State, id string) *trace.Track {
	for i := range n.Run.Header.Lanes {
		if n.Run.Header.Lanes[i].ID == id {
			return &n.Run.Tracks[i]
		}
	}
	panic("lessons: no lane " + id)
}
