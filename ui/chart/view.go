package chart

import (
	"slices"

	"flockscope/sim/draw/scene"
	"flockscope/sim/registry"
	"flockscope/sim/trace"
)

// Figure is a chart of the page. Draw appends to list, inside the box, and replaces hits, which
// may be nil. Describe returns a sentence and Table a table of what is shown.
type Figure interface {
	Draw(list *scene.List, hits *Hits, v *View, box Box)
	Describe(v *View) string
	Table(v *View) (head []string, rows [][]string)
}

// Box is the space of a figure in CSS pixels, from (0, 0).
type Box struct{ W, H float32 }

// Cramped reports whether the box is too small for any figure.
func (b Box) Cramped() bool { return b.W < 60 || b.H < 24 }

// View is what all figures of the page share: the run, the lane and the round that are shown, and
// how.
type View struct {
	Run            *trace.Run
	Lane           int
	Round          int
	Selected       int     // client, −1 for none
	MultiSelection []int   // clients in order, if more than one is selected: the others are dimmed
	Hover          int     // client under the pointer or the focus, −1 for none
	Followed       int     // client whose samples and numbers are shown throughout, −1 for none
	Back           float32 // from 0, the shown round, to 1, the round before: marks slide between them
	Compact        bool    // little space: without captions
	ReducedMotion  bool
	Detail         *RoundDetail // a moment inside the shown round; nil for its end
	Pinned         *trace.Run   // a run to draw behind; nil for none
	Projector      bool         // seen from a distance: marks are larger
	Letters        bool         // without hue: marks are outlines around the model's letter
	Export         ExportStyle  // the style of an exported figure
	Names          *Names       // of models, by round; nil for those of the summaries
	// Unclustered reports whether an algorithm makes no clusters. In its lanes no client is
	// misplaced, and texts do not mention clusters. Nil: none.
	Unclustered func(algorithm string) bool
	// FindsClusters reports for the ID of a lane whether its method finds the number of clusters. There,
	// a model exists once a client has had it. Nil: none.
	FindsClusters func(id string) bool
}

// RoundDetail is a moment inside a round. Its frame has what is known so far. While clients are
// clustered, they and the clouds move from the models before to those after.
type RoundDetail struct {
	Frame         trace.Frame
	Before, After []uint16 // models by client
	Progress      float32  // from 0, the models before, to 1, those after
	PlaceProgress float32  // from 0 to 1: how far the positions of the frame have moved

	Phase     registry.Phase
	Part      float32 // of the phase: 0 at its start, 1 at its end, which a still picture shows
	Skipped   bool    // the method does nothing in this phase of this round
	Sends     string  // what crosses the network in this phase; empty for nothing
	Common    int     // the model that all clients get beside their own, −1 for none
	AllModels bool    // in Broadcast: every client gets all models
}

// LaneHeader returns the shown lane, nil if there is none.
func (v *View) LaneHeader() *trace.Lane {
	if v.Run == nil || v.Lane < 0 || v.Lane >= len(v.Run.Header.Lanes) || v.Lane >= len(v.Run.Tracks) {
		return nil
	}
	return &v.Run.Header.Lanes[v.Lane]
}

// IsUnclustered reports whether a lane of the run makes no clusters.
func (v *View) IsUnclustered(lane int) bool {
	return v.Unclustered != nil && lane >= 0 && lane < len(v.Run.Header.Lanes) &&
		v.Unclustered(v.Run.Header.Lanes[lane].Algorithm)
}

// finds reports whether the method of the shown lane finds the number of clusters.
func (v *View) finds() bool {
	lane := v.LaneHeader()
	return v.FindsClusters != nil && lane != nil && v.FindsClusters(lane.ID)
}

// Frame returns the shown frame, the newest one if the run has not reached it, nil before the
// first.
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
	if v.Detail != nil && lane == v.Lane && round == v.Round {
		return &v.Detail.Frame
	}
	return &frames[min(max(round, 0), len(frames)-1)]
}

// Evaluated reports whether this run evaluates models on held-out samples every few rounds, so
// that losses and accuracies are those of the last evaluation.
func (v *View) Evaluated() bool {
	f := v.FrameAt(0, 0)
	return f != nil && f.Events.Has(trace.Evaluated)
}

// Classifies reports whether the models are classifiers, so that answers are right or wrong.
func (v *View) Classifies() bool {
	f := v.FrameAt(0, 0)
	return v.Evaluated() && len(f.Confusion) > 0
}

// Pictures reports whether the data are shown for each client rather than as points on a plane.
func (v *View) Pictures() bool { return v.Run != nil && len(v.Run.Header.DataPreview.Points) == 0 }

// LastEvaluation returns the frame of the lane's last evaluation up to the shown round, nil if
// there is none.
func (v *View) LastEvaluation() *trace.Frame { return v.EvaluationAt(v.Lane, v.Round) }

// EvaluationAt is LastEvaluation for any lane and round.
func (v *View) EvaluationAt(lane, round int) *trace.Frame {
	f := v.FrameAt(lane, round)
	for f != nil && !f.Events.Has(trace.Evaluated) {
		if f.Round == 0 {
			return nil
		}
		f = v.FrameAt(lane, f.Round-1)
	}
	return f
}

// LossRound returns the round in which the losses of the shown round were measured: clients do not
// send them in every round.
func (v *View) LossRound() int {
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

// Focus returns the client under the pointer, else the selected one, else −1.
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

// Dimmed reports whether several clients are selected and this one is not.
func (v *View) Dimmed(client int) bool {
	if len(v.MultiSelection) == 0 || client == v.Hover {
		return false
	}
	_, in := slices.BinarySearch(v.MultiSelection, client)
	return !in
}

// FadeDimmed sets the opacity for a client's marks and reports whether it is dimmed; was is the
// result for the marks before. Equal marks stay together in the list.
func (v *View) FadeDimmed(l *scene.List, client int, was bool) bool {
	is := v.Dimmed(client)
	if is != was {
		if l.Fade(1); is {
			l.Fade(0.2)
		}
	}
	return is
}

// CoverDimmed dims the drawing of a dimmed client inside a rectangle.
func (v *View) CoverDimmed(l *scene.List, client int, x, y, w, h float32) {
	if v.Dimmed(client) {
		l.Fade(0.75)
		l.Rect(x, y, w, h, scene.Paper, scene.Pen{})
		l.Fade(1)
	}
}

// Summary returns the summary of a complete lane, nil before.
func (v *View) Summary() *trace.Summary {
	if v.LaneHeader() == nil {
		return nil
	}
	return v.Run.Tracks[v.Lane].Summary
}

// Finite reports whether v is a number and not infinite.
func Finite(v float32) bool { return v-v == 0 }

// Mixes reports whether the clients of the lane have several models at once, with weights.
func (v *View) Mixes() bool {
	lane, f := v.LaneHeader(), v.FrameAt(v.Lane, 0)
	return lane != nil && f != nil && f.Events.Has(trace.Soft) && lane.Models > 1
}
