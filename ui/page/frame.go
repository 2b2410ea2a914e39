package page

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// FrameOptions are the options that the author of a frame sets in its address.
type FrameOptions struct {
	Hide     []string // hidden parts
	Chosen   bool     // only the controls in Controls are shown
	Controls []string // parts, and names of settings
	Lanes    int      // maximum number of lanes side by side, 0 for all
	Autoplay string   // "1", "0", or "" for the default
	Loop     bool     // restart after the last round
	NoKeys   bool     // no keyboard shortcuts
	ID       string   // is in every message to the surrounding page
	Origin   string   // of the only surrounding page that may send and get messages, "" for any

	KeepsMarks bool // the surrounding page stores the answers in lessons
}

// Write adds the frame's keys to a link.
func (f *FrameOptions) Write(add func(key, value string)) {
	if f.Chosen {
		add("controls", joinOrNone(f.Controls))
	}
	if len(f.Hide) > 0 {
		add("hide", strings.Join(f.Hide, ","))
	}
	if f.Lanes > 0 {
		add("lanes", strconv.Itoa(f.Lanes))
	}
	if f.Autoplay != "" {
		add("autoplay", f.Autoplay)
	}
	if f.Loop {
		add("loop", "1")
	}
	if f.NoKeys {
		add("keys", "0")
	}
	if f.ID != "" {
		add("id", url.QueryEscape(f.ID))
	}
	if f.Origin != "" {
		add("origin", url.QueryEscape(f.Origin))
	}
}

func joinOrNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ",")
}

// IsControl reports whether a part of the page is a control.
func IsControl(name string) bool {
	return slices.Contains(formerParts, name) ||
		slices.ContainsFunc(FrameParts, func(p FramePart) bool { return p.Control && p.Name == name })
}

// readFrame reads the frame's keys. Unknown words become warnings in the console, since a later
// version may know them; invalid values become notices.
func (s *State) readFrame(values url.Values) {
	f := &s.Frame
	list := func(key string, known func(string) bool) (out []string) {
		names := strings.Split(values.Get(key), ",")
		for i, name := range names {
			switch {
			case name == "" || name == "none" || slices.Contains(names[:i], name):
			case known(name):
				out = append(out, name)
			default:
				s.ConsoleWarnings = append(s.ConsoleWarnings, key+"="+name+" names nothing on this page")
			}
		}
		return out
	}
	flag := func(key string) bool {
		v := values.Get(key)
		if v != "" && v != "0" && v != "1" {
			s.Notify(say.Messagef("%s.", linkError(key, v, "0 or 1")))
		}
		return v == "1"
	}
	f.Hide = list("hide", IsPart)
	if f.Chosen = values.Has("controls"); f.Chosen {
		f.Controls = list("controls", func(name string) bool {
			_, setting := s.Schema.Field(name)
			return setting || IsControl(name)
		})
	}
	if v := values.Get("lanes"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > MaxLanes {
			s.Notify(say.Messagef("%s.", linkError("lanes", v, "1 to 4")))
		} else {
			f.Lanes = n
		}
	}
	if flag("autoplay"); values.Get("autoplay") == "0" || values.Get("autoplay") == "1" {
		f.Autoplay = values.Get("autoplay")
	}
	f.Loop = flag("loop")
	if flag("keys"); values.Get("keys") == "0" {
		f.NoKeys = true
	}
	if id := values.Get("id"); len(id) <= 100 {
		f.ID = id
	}
	if f.KeepsMarks = values.Has("marks"); f.KeepsMarks {
		MarksLoaded{values.Get("marks")}.update(s)
	}
	if v := values.Get("origin"); v != "" {
		if u, err := url.Parse(v); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			s.Notify(say.Messagef("%s is not an origin: expected one such as https://example.org.",
				"origin="+Truncate(v)))
			f.Origin = "https://invalid.invalid" // no origin must not mean any origin
		} else {
			f.Origin = u.Scheme + "://" + u.Host
		}
	}
}

// MainSettings returns the settings shown without the panel: those that the frame's author chose,
// else the first that has a slider.
func (s *State) MainSettings() []*param.Field {
	if s.Frame.Chosen && !slices.Contains(s.Frame.Controls, "hero") {
		var out []*param.Field
		for _, name := range s.Frame.Controls {
			if f, ok := s.Schema.Field(name); ok && s.Config.Reads(name) && !IsControl(name) {
				out = append(out, f)
			}
		}
		return out
	}
	for _, n := range s.Settings.Controls(param.Data, false) {
		if n.Field.Kind == param.Int || n.Field.Kind == param.Float {
			return []*param.Field{n.Field}
		}
	}
	return nil
}

// SideSettings are the settings beside the stage: the main one, the batch size and the number of clients.
func (s *State) SideSettings() []*param.Field {
	out := s.MainSettings()
	for _, name := range [...]string{"b", "C"} {
		f, ok := s.Schema.Field(name)
		if ok && s.Config.Reads(name) &&
			!slices.ContainsFunc(out, func(o *param.Field) bool { return o.Name == name }) {
			out = append(out, f)
		}
	}
	return out
}

// LanesShown returns the lanes side by side: all, or as many as the frame's author allows, including
// the focused one.
func (s *State) LanesShown() []int {
	n := len(s.Config.Lanes())
	most := n
	if s.Frame.Lanes > 0 {
		most = min(n, s.Frame.Lanes)
	}
	first := max(0, min(s.Lane-most+1, n-most))
	out := make([]int, most)
	for i := range out {
		out[i] = first + i
	}
	return out
}
