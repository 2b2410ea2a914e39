package partition

import (
	"math"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

// Kinds are the kinds of clients that a layer makes.
type Kinds struct {
	// Group is the planted group of each kind: an index of Groups. It is 0
	// throughout when the layer plants none.
	Group []int
	// Groups names the planted groups; nil when the layer plants none.
	Groups []say.Message
}

// View is a transformation of a client's samples.
type View interface {
	// Show writes the sample raw, as the client sees it, to dst. raw has a 0 after its last number, and may be
	// overwritten. The stream is the sample's own, so that the result is always the same.
	Show(dst, raw []float32, s rng.Stream)
	// Words describe the view, such as "15°".
	Words() say.Message
}

// Shift gives the view of the clients of each kind.
type Shift struct {
	Kinds
	// View returns the view of a client of a kind; nil for unchanged samples.
	View func(kind, client int) View
}

// ShiftMaker makes a shift from checked settings. The error, if any, is a
// *param.Error.
type ShiftMaker func(v param.Values, set *dataset.Set, seed uint64) (Shift, error)

// Shifts lists every feature shift.
var Shifts registry.Registry[ShiftMaker]

func init() {
	Shifts.Register(registry.Entry[ShiftMaker]{
		Meta: registry.Meta{
			Name:  "none",
			Title: "As it is",
			Doc:   "All clients see their samples as they are.",
			Paper: registry.FedAvg.At("section 3"),
		},
		Make: func(param.Values, *dataset.Set, uint64) (Shift, error) {
			return Shift{Kinds: Kinds{Group: []int{0}}, View: func(int, int) View { return nil }}, nil
		},
	})
}

// needImages refuses sets that cannot be turned or blurred.
func needImages(shift string, set *dataset.Set) error {
	const most = math.MaxUint16 // tables hold positions in 16 bits, and one behind the last
	switch {
	case set.Shape.Height < 2 || set.Shape.Width < 2:
		return &param.Error{Field: "shift", Got: shift, Want: "a set of images",
			Hint:        say.Messagef("%s has none; use %s", set.Name, "shift=none"),
			Suggestions: []param.Suggestion{{Key: "shift", Value: "none"}}}
	case set.Shape.Size() > most:
		return &param.Error{Field: "shift", Got: shift, Want: "images of at most 65535 numbers",
			Hint:        say.Messagef("use smaller images, or %s", "shift=none"),
			Suggestions: []param.Suggestion{{Key: "shift", Value: "none"}}}
	}
	return nil
}
