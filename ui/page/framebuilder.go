package page

import "slices"

// FrameBuilder has the options of the frame that the user builds.
type FrameBuilder struct {
	Size     int      // index of FrameSizes
	Without  []string // hidden parts, of ViewParts
	Controls []string // of ControlParts and the settings
	All      bool     // all controls, instead of Controls
	Lanes    int      // 0 for all
	Autoplay bool
	Theme    string
	Kind     int  // index of files.Snippets
	Live     bool // the preview is running
}

// FrameSize is a size of frames, in CSS pixels.
type FrameSize struct {
	Title, Doc    string
	Width, Height int // a width of 0 fills the column
}

// FrameSizes are the sizes that the builder offers.
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

// Toggle adds a name to a list, or removes it.
func Toggle(list []string, name string) []string {
	if i := slices.Index(list, name); i >= 0 {
		return slices.Delete(slices.Clone(list), i, i+1)
	}
	return append(list, name)
}

// PartDescription returns the description of a part.
func PartDescription(name string) string {
	i := slices.IndexFunc(FrameParts, func(p FramePart) bool { return p.Name == name })
	return FrameParts[i].What
}
