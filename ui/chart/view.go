package chart

import (
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/trace"
)

// Figure is what every chart of the page can do. Draw appends to list and
// replaces hits; hits may be nil. Nothing leaves the box.
type Figure interface {
	Draw(list *scene.List, hits *Hits, v *View, box Box)
	Describe(v *View) string
	Table(v *View) (head []string, rows [][]string)
}

// Box is the space of a figure in CSS pixels, from (0, 0).
type Box struct{ W, H float32 }

// Cramped reports whether the box is too small for any figure to say something.
func (b Box) Cramped() bool { return b.W < 60 || b.H < 24 }

// View is what all figures of the page share: which moment of which run is
// looked at, and how.
type View struct {
	Run           *trace.Run
	Lane          int
	Round         int
	Selected      int     // client, −1 for none
	Several       []int   // clients, by number, when more than one is selected: the others are pale
	Hover         int     // client under the pointer or the focus, −1 for none
	Back          float32 // share of the way back to the round before, 0 at rest: marks slide
	Compact       bool    // little room: captions go first
	ReducedMotion bool
	Inside        *Inside    // of the round looked at; nil for its end
	Pinned        *trace.Run // a run that was pinned, to be seen behind; nil for none
	Projector     bool       // seen from far away: marks are larger
	Letters       bool       // there is no hue: marks are outlines around the model's letter
	Paper         Paper      // the figure is taken away
	// Aliases stand in for those of the summaries, by lane, while there are
	// none: see [Alias].
	Aliases [][]uint16
	// Unclustered says of an algorithm that it puts nobody together. In its lanes nobody is
	// in the wrong place, and nothing is said about clusters. Nil for none.
	Unclustered func(algorithm string) bool
	// Finds says of a lane by its ID that its method finds how many clusters there
	// are. There, models that nobody has had do not exist yet. Nil for none.
	Finds func(id string) bool
}

// Inside is a round that has not come to its end. Its frame has what is there so
// far; clients that are being grouped are on their way from one model to another,
// and so are the clouds around them.
type Inside struct {
	Frame         trace.Frame
	Before, After []uint16 // models by client
	Share         float32  // of the way from one grouping to the other
	Places        float32  // of the way that the frame's places are on
}

// LaneHeader returns the lane looked at, nil when there is none.
func (v *View) LaneHeader() *trace.Lane {
	if v.Run == nil || v.Lane < 0 || v.Lane >= len(v.Run.Header.Lanes) || v.Lane >= len(v.Run.Tracks) {
		return nil
	}
	return &v.Run.Header.Lanes[v.Lane]
}

// IsUnclustered reports whether a lane of the run puts nobody together.
func (v *View) IsUnclustered(lane int) bool {
	return v.Unclustered != nil && lane >= 0 && lane < len(v.Run.Header.Lanes) &&
		v.Unclustered(v.Run.Header.Lanes[lane].Algorithm)
}

// finds reports whether the method of the lane looked at finds how many clusters
// there are.
func (v *View) finds() bool {
	lane := v.LaneHeader()
	return v.Finds != nil && lane != nil && v.Finds(lane.ID)
}

// Frame returns the frame looked at, the newest one while the run has not
// come so far, nil before the first.
func (v *View) Frame() *trace.Frame { return v.FrameAt(v.Lane, v.Round) }

// FrameAt is Frame for any lane and round.
func (v *View) FrameAt(lane, round int) *trace.Frame {
	if v.Run == nil || lane < 0 || lane >= len(v.Run.Tracks) {
		return nil
	}
	frames := v.Run.Tracks[lane].Frames
	if len(frames) == 0 {
		return nil
	}
	if v.Inside != nil && lane == v.Lane && round == v.Round {
		return &v.Inside.Frame
	}
	return &frames[min(max(round, 0), len(frames)-1)]
}

// Evaluated reports whether models are tried on samples held back in this run, now
// and then, so that losses and accuracies are those of the last trial.
func (v *View) Evaluated() bool {
	f := v.FrameAt(0, 0)
	return f != nil && f.Events.Has(trace.Examined)
}

// Classifies reports whether the models' answers are right or wrong.
func (v *View) Classifies() bool {
	f := v.FrameAt(0, 0)
	return v.Evaluated() && len(f.Confusion) > 0
}

// Pictures reports whether the data of the run are no points on a plane, but what clients
// see.
func (v *View) Pictures() bool { return v.Run != nil && len(v.Run.Header.Scenery.Points) == 0 }

// LastEvaluation returns the frame of the lane's last trial up to the round looked at,
// nil when there is none.
func (v *View) LastEvaluation() *trace.Frame { return v.EvaluationAt(v.Lane, v.Round) }

// EvaluationAt is LastEvaluation for any lane and round.
func (v *View) EvaluationAt(lane, round int) *trace.Frame {
	f := v.FrameAt(lane, round)
	for f != nil && !f.Events.Has(trace.Examined) {
		if f.Round == 0 {
			return nil
		}
		f = v.FrameAt(lane, f.Round-1)
	}
	return f
}

// Heard returns the round from which on the losses are those of the round
// looked at: clients are not asked for them in every round.
func (v *View) Heard() int {
	f := v.Frame()
	if f == nil || !v.Evaluated() {
		return v.Round
	}
	for f.Round > 0 {
		before := v.FrameAt(v.Lane, f.Round-1)
		if !slices.Equal(before.Losses, f.Losses) {
			break
		}
		f = before
	}
	return f.Round
}

// Focus is the client in focus: the one pointed at, else the selected, −1
// for none.
func (v *View) Focus() int {
	n := v.Hover
	if n < 0 {
		n = v.Selected
	}
	if v.Run == nil || n >= v.Run.Header.Clients {
		return -1
	}
	return n
}

// Dimmed reports whether several clients are selected and this is none of them.
func (v *View) Dimmed(client int) bool {
	if len(v.Several) == 0 || client == v.Hover {
		return false
	}
	_, in := slices.BinarySearch(v.Several, client)
	return !in
}

// FadeDimmed makes what follows pale if its client is, and reports so; what came
// before was, or was not. Marks that are alike stay together in the list.
func (v *View) FadeDimmed(l *scene.List, client int, was bool) bool {
	is := v.Dimmed(client)
	if is != was {
		if l.Fade(1); is {
			l.Fade(0.2)
		}
	}
	return is
}

// CoverDimmed makes what was drawn of a pale client so, inside a rectangle.
func (v *View) CoverDimmed(l *scene.List, client int, x, y, w, h float32) {
	if v.Dimmed(client) {
		l.Fade(0.75)
		l.Rect(x, y, w, h, scene.Paper, scene.Pen{})
		l.Fade(1)
	}
}

// Summary returns what a complete lane came to, nil before.
func (v *View) Summary() *trace.Summary {
	if v.LaneHeader() == nil {
		return nil
	}
	return v.Run.Tracks[v.Lane].Summary
}

// Finite reports whether v is a number and not infinite.
func Finite(v float32) bool { return v-v == 0 }

// Mixes reports whether the clients of the lane have several models at once.
func (v *View) Mixes() bool {
	lane, f := v.LaneHeader(), v.FrameAt(v.Lane, 0)
	return lane != nil && f != nil && f.Events.Has(trace.Soft) && lane.Models > 1
}
