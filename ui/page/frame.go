package page

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// FrameOptions is what the author of a frame says of it in its address.
type FrameOptions struct {
	Hide     []string // parts to leave out
	Chosen   bool     // the controls are Controls and no others
	Controls []string // parts, and names of settings
	Lanes    int      // lanes side by side at most, 0 for all
	Autoplay string   // "1", "0", or "" for as usual
	Loop     bool     // begin again after the last round
	NoKeys   bool     // no shortcuts
	ID       string   // stands in every message to the page around
	Origin   string   // of the only page around to talk with, "" for any
}

// Write puts the keys of an embedding into a link.
func (f *FrameOptions) Write(put func(key, value string)) {
	if f.Chosen {
		put("controls", orNone(f.Controls))
	}
	if len(f.Hide) > 0 {
		put("hide", strings.Join(f.Hide, ","))
	}
	if f.Lanes > 0 {
		put("lanes", strconv.Itoa(f.Lanes))
	}
	if f.Autoplay != "" {
		put("autoplay", f.Autoplay)
	}
	if f.Loop {
		put("loop", "1")
	}
	if f.NoKeys {
		put("keys", "0")
	}
	if f.ID != "" {
		put("id", url.QueryEscape(f.ID))
	}
	if f.Origin != "" {
		put("origin", url.QueryEscape(f.Origin))
	}
}

func orNone(list []string) string {
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ",")
}

func IsControl(name string) bool {
	return slices.ContainsFunc(FrameParts, func(p FramePart) bool { return p.Control && p.Name == name })
}

// readFrame takes the keys of an embedding. A word that nobody knows is told to
// the console, since a later page may know it; a value that makes no sense is
// told to the person, and passed over.
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
	if v := values.Get("origin"); v != "" {
		if u, err := url.Parse(v); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			s.Notify(say.Messagef("%s is not an origin: expected one such as https://example.org.",
				"origin="+Truncate(v)))
			f.Origin = "https://invalid.invalid" // who asked for a single partner does not get all
		} else {
			f.Origin = u.Scheme + "://" + u.Host
		}
	}
}

// MainSettings are the settings that stay at hand where there is no panel: those that
// the frame's author chose, else the first with a slider.
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

// LanesShown are the lanes side by side: all, or as many as the frame's author
// wants, the one in focus among them.
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
