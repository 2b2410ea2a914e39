package page

import "slices"

// FrameBuilder is a frame in the making, for a page of somebody's own.
type FrameBuilder struct {
	Size     int      // of frameSizes
	Without  []string // of frameViews, left out
	Controls []string // of frameControls and the settings
	All      bool     // all controls, whatever is chosen
	Lanes    int      // 0 for all
	Autoplay bool
	Theme    string
	Kind     int  // of snippetKinds
	Live     bool // the preview runs
}

// A FrameSize is a size that frames come in, in CSS pixels.
type FrameSize struct {
	Title, Doc    string
	Width, Height int // a width of 0 is the whole column
}

var FrameSizes = []FrameSize{
	{"800 × 450", "a slide, or a wide text", 800, 450},
	{"490 × 294", "a column of a Jupyter Book: one map, one slider", 490, 294},
	{"Full width", "as wide as the text, 600 high", 0, 600},
}

// ViewParts and ControlParts are the parts that the builder offers.
var (
	ViewParts    = []string{"data", "map", "below", "curves", "story", "caption"}
	ControlParts = []string{"play", "step", "scrub", "speed", "metrics", "settings", "lanes", "share", "export", "open"}
)

// Toggle puts a name into a list, or takes it out.
func Toggle(list []string, name string) []string {
	if i := slices.Index(list, name); i >= 0 {
		return slices.Delete(slices.Clone(list), i, i+1)
	}
	return append(list, name)
}

// PartDescription says what a part is.
func PartDescription(name string) string {
	i := slices.IndexFunc(FrameParts, func(p FramePart) bool { return p.Name == name })
	return FrameParts[i].What
}
