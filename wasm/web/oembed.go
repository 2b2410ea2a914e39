package web

import (
	"html"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// An embed is the answer of https://oembed.com, version 1.0, type rich.
type oembedAnswer struct {
	Version         string `json:"version"`
	Type            string `json:"type"`
	Title           string `json:"title"`
	ProviderName    string `json:"provider_name"`
	ProviderURL     string `json:"provider_url"`
	CacheAge        int    `json:"cache_age"` // seconds
	HTML            string `json:"html"`
	Width           int    `json:"width"`
	Height          int    `json:"height"`
	ThumbnailURL    string `json:"thumbnail_url,omitempty"`
	ThumbnailWidth  int    `json:"thumbnail_width,omitempty"`
	ThumbnailHeight int    `json:"thumbnail_height,omitempty"`
}

// The usual size of the frame in CSS pixels, and the smallest size that the page is laid
// out for.
const (
	frameWidth, frameHeight = 960, 540
	frameLeastW             = 320
	frameLeastH             = 240
)

// oembed answers how to embed an address of this server.
func (s *Server) oembed(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	switch q.Get("format") {
	case "", "json":
	case "xml":
		refuse(w, http.StatusNotImplemented, refusal{Error: "Only format=json is supported."})
		return
	default:
		refuse(w, http.StatusBadRequest, refusal{Error: "format must be json."})
		return
	}
	width, ok := bound(q.Get("maxwidth"), frameWidth, frameLeastW)
	height, ok2 := bound(q.Get("maxheight"), width*frameHeight/frameWidth, frameLeastH)
	if !ok || !ok2 {
		refuse(w, http.StatusBadRequest, refusal{Error: "maxwidth and maxheight must be whole numbers of pixels from 1."})
		return
	}
	origin := s.origin(r)
	address, err := url.Parse(q.Get("url"))
	// Behind a proxy the scheme may be another one than that of the request.
	_, host, _ := strings.Cut(origin, "://")
	if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.User != nil ||
		!strings.EqualFold(address.Host, host) {
		refuse(w, http.StatusNotFound, refusal{Error: "url must be an address of this server."})
		return
	}
	var state State
	var frame, picture string
	switch id, isLink := strings.CutPrefix(address.Path, "/s/"); {
	case isLink:
		if id, state, ok = s.stored(w, r, id); !ok {
			return
		}
		frame, picture = origin+"/s/"+id+"?embed=1", origin+"/og/"+id+".png"
	case address.Path == "/" || address.Path == "" || address.Path == "/index.html":
		state, _ = ReadState(s.Schema(), "?"+address.RawQuery)
		frame, picture = origin+"/?"+state.Text()+"&embed=1", origin+"/og.png?"+state.Text()
	default:
		refuse(w, http.StatusNotFound, refusal{Error: "Only the page and short links, /s/ID, can be embedded."})
		return
	}
	name := title(s.Schema(), state)
	e := oembedAnswer{Version: "1.0", Type: "rich", Title: name, ProviderName: siteName, ProviderURL: origin + "/",
		CacheAge: 86400,
		HTML:     frameHTML(frame, name, width, height),
		Width:    width, Height: height}
	if fits(q.Get("maxwidth"), pictureWidth) && fits(q.Get("maxheight"), pictureHeight) {
		e.ThumbnailURL, e.ThumbnailWidth, e.ThumbnailHeight = picture, pictureWidth, pictureHeight
	}
	answer(w, http.StatusOK, e)
}

// bound returns the usual length, or the largest that the embedding site allows, but no
// less than least unless the site demands it.
func bound(most string, usual, least int) (int, bool) {
	if most == "" {
		return usual, true
	}
	n, err := strconv.Atoi(most)
	if err != nil || n <= 0 {
		return 0, false
	}
	return max(min(n, usual), min(n, least)), true
}

// fits reports whether a length is within the limit of the embedding site, "" for none.
func fits(most string, length int) bool {
	n, err := strconv.Atoi(most)
	return most == "" || err == nil && n >= length
}

func frameHTML(address, name string, width, height int) string {
	return `<iframe src="` + html.EscapeString(address) + `" title="` + html.EscapeString("Flockscope: "+name) +
		`" width="` + itoa(width) + `" height="` + itoa(height) + `" loading="lazy" style="border:0;max-width:100%"` +
		` allow="fullscreen; clipboard-write" allowfullscreen sandbox="allow-scripts allow-same-origin allow-downloads allow-popups"></iframe>`
}

func itoa(n int) string { return strconv.Itoa(n) }
