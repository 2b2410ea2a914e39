// Package embed is the page in a frame of another one: what its author says of it in the address
// (options.go), the parts of the page that can be left out (parts.go), and the frame in the
// making (builder.go).
package page

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Options is what the author of a frame says of it in its address.
type Options struct {
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
func (f *Options) Write(put func(key, value string)) {
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
	return slices.ContainsFunc(Parts, func(p Part) bool { return p.Control && p.Name == name })
}
