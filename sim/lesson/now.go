package lesson

import (
	"math"
	"slices"
	"strconv"

	"flockscope/sim/experiment"
	"flockscope/sim/trace"
)

// State is the state that steps check: a configuration and its finished run. Results of a missing
// lane are NaN, for which comparisons are false.
type State struct {
	Config experiment.Config
	Run    *trace.Run
	Lesson *State // the lesson's run as its link plays it, with the seeds of Run; nil on the page

	// Seen returns the correlation of a client's update in a round with its own pictures, NaN if the run has none; nil on
	// the page.
	Seen func(id string, round, client int) float64
}

// Value returns a setting as text, and Number as a number.
func (n *State) Value(key string) string { return n.Config.Value(key) }

// Number returns a setting as a number, NaN if it is none.
func (n *State) Number(key string) float64 {
	v, err := strconv.ParseFloat(n.Value(key), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// track returns the record of a lane, nil if the run lacks it.
func (n *State) track(id string) *trace.Track {
	i := slices.IndexFunc(n.Run.Header.Lanes, func(l trace.Lane) bool { return l.ID == id })
	if i < 0 {
		return nil
	}
	return &n.Run.Tracks[i]
}

// frames returns the history of a lane.
func (n *State) frames(id string) []trace.Frame {
	if t := n.track(id); t != nil {
		return t.Frames
	}
	return nil
}

// atEnd returns a number of the last frame of a lane, NaN without one.
func (n *State) atEnd(id string, of func(f *trace.Frame) float64) float64 {
	f := n.frames(id)
	if len(f) == 0 {
		return math.NaN()
	}
	return of(&f[len(f)-1])
}

// ARI returns the adjusted Rand index of a lane at the end.
func (n *State) ARI(id string) float64 {
	return n.atEnd(id, func(f *trace.Frame) float64 { return f.ARI })
}

// Loss returns the mean loss of a lane at the end.
func (n *State) Loss(id string) float64 {
	return n.atEnd(id, func(f *trace.Frame) float64 { return f.Loss })
}

// Cost returns the mean number of floats that a client of a lane has received and sent.
func (n *State) Cost(id string) float64 {
	return n.atEnd(id, func(f *trace.Frame) float64 { return f.Down + f.Up })
}

// clustersAtStart returns the number of clusters of a lane after the first round, and clustersAtEnd that at the end.
func (n *State) clustersAtStart(id string) float64 {
	if f := n.frames(id); len(f) > 1 {
		return float64(f[1].Clusters)
	}
	return math.NaN()
}

func (n *State) clustersAtEnd(id string) float64 {
	return n.atEnd(id, func(f *trace.Frame) float64 { return float64(f.Clusters) })
}

// MeanARI returns the mean ARI of a lane over the rounds from one to another.
func (n *State) MeanARI(id string, from, to int) float64 {
	frames := n.frames(id)
	if from < 0 || to >= len(frames) || from > to {
		return math.NaN()
	}
	sum := 0.0
	for i := from; i <= to; i++ {
		sum += frames[i].ARI
	}
	return sum / float64(to-from+1)
}

// LateARI returns the mean ARI over a lane's last quarter.
func (n *State) LateARI(id string) float64 {
	end := len(n.frames(id)) - 1
	return n.MeanARI(id, end-end/4, end)
}

// WeightShare returns the mean weight, at the end, that the clients of a group give to the model with the
// largest weight among the clients of another group.
func (n *State) WeightShare(id string, group, like int) float64 {
	frames, h := n.frames(id), n.Run.Header
	if len(frames) == 0 || len(frames[len(frames)-1].Mixture) == 0 {
		return math.NaN()
	}
	f := &frames[len(frames)-1]
	models := len(f.Mixture) / h.Clients
	best, most := 0, -1.0
	for k := range models {
		if s := share(f, h, models, like, k); s > most {
			best, most = k, s
		}
	}
	return share(f, h, models, group, best)
}

// share returns the mean weight of a model among the clients of a group.
func share(f *trace.Frame, h *trace.Header, models, group, model int) float64 {
	sum, n := 0.0, 0.0
	for i, g := range h.Group {
		if int(g) == group {
			sum += float64(f.Mixture[i*models+model])
			n++
		}
	}
	return sum / n
}
