package web

import (
	"errors"
	"html"
	"log"
	"net/http"
	"net/url"
	"strings"
)

// A Page is index.html in parts: before the title and tags of a state, up to what readers without scripts see, that,
// and the rest.
type Page struct {
	before, head, plain, after string
	linkScript                 string // the address of assets/link.js
}

// NewPage splits the HTML of a page and drops its title and description, which each state
// replaces. linkScript is the address of assets/link.js.
func NewPage(page, linkScript string) (*Page, error) {
	before, rest, ok := strings.Cut(page, "<title>")
	if !ok {
		return nil, errors.New("web: the page has no title")
	}
	_, after, ok := strings.Cut(rest, "</title>\n")
	if !ok {
		return nil, errors.New("web: the page's title has no end")
	}
	if head, tail, ok := strings.Cut(after, `<meta name="description"`); ok {
		if _, tail, ok = strings.Cut(tail, ">\n"); ok {
			after = head + tail
		}
	}
	p := &Page{before: before, linkScript: linkScript}
	p.head, after, _ = strings.Cut(after, "<noscript>")
	p.plain, p.after, _ = strings.Cut(after, "</noscript>")
	return p, nil
}

// tags are the values of the title, meta and link elements of a page.
type tags struct {
	title, description string
	address            string // address of the page
	picture            string // address of the preview
	alt                string // description of the preview
	oembed             string
	links              bool   // the server makes short links
	script, query      string // a stored link's query, and the script that opens it
	keep               bool   // shared caches may store the page
	state              bool   // the page shows a state, not the start page
}

// queryPage answers with the page of a long link, or the start page.
func (s *Server) queryPage(w http.ResponseWriter, r *http.Request) {
	origin := s.origin(r)
	t := tags{title: siteName, description: siteDescription, address: origin + "/", picture: origin + "/og.png", keep: true}
	if r.URL.RawQuery != "" {
		state, _ := ReadState(s.Schema(), "?"+r.URL.RawQuery)
		t = s.stateTags(state)
		t.address = origin + "/?" + state.Text()
		t.state = true
		t.picture = origin + "/og.png?" + state.Text()
	}
	s.showPage(w, r, t)
}

// linkPage answers with the page of a stored link. If the address has a whole experiment
// of its own, because a person changed settings and reloads the page, the page shows that.
func (s *Server) linkPage(w http.ResponseWriter, r *http.Request) {
	if hasData(r) {
		s.queryPage(w, r)
		return
	}
	id, state, ok := s.stored(w, r, strings.TrimPrefix(r.URL.Path, "/s/"))
	if !ok {
		return
	}
	origin := s.origin(r)
	t := s.stateTags(state)
	t.address = origin + "/s/" + id
	t.picture = origin + "/og/" + id + ".png"
	t.query, t.keep, t.state = state.Text(), true, true
	s.showPage(w, r, t)
}

func (s *Server) stateTags(state State) tags {
	name := title(s.Schema(), state)
	return tags{title: name + " · " + siteName, description: description(state),
		alt: "A diagram of the settings: " + name + "."}
}

func (s *Server) showPage(w http.ResponseWriter, r *http.Request, t tags) {
	page, err := s.Page()
	if err != nil {
		log.Print("page: ", err)
		respond(w, http.StatusInternalServerError, typeText,
			[]byte("The page is missing. The operator of this server can build it with make build.\n"))
		return
	}
	t.links = s.makesLinks()
	t.script = page.linkScript
	t.oembed = s.origin(r) + "/oembed?format=json&url=" + url.QueryEscape(t.address)
	if t.keep {
		w.Header().Set(cacheControlHeader, oneDay)
	}
	w.Header().Set("Content-Security-Policy", PolicyAt(s.origin(r)))
	plain := page.plain
	if t.state {
		plain = t.plain()
	}
	respond(w, http.StatusOK, typeHTML, []byte(page.before+t.html()+page.head+"<noscript>"+plain+"</noscript>"+page.after))
}

// plain returns what a reader sees where the page may not run scripts, such as in a frame with sandbox="": the picture of
// the state, and its address. A frame without scripts may not open a tab either, but its reader can.
func (t tags) plain() string {
	address := html.EscapeString(t.address)
	return "<p>" + html.EscapeString(t.title) + "</p><p>This page may not run JavaScript here, which computes the experiment. " +
		"The picture shows its settings. Open it in a new tab: <a href=\"" + address + "\">" + address + "</a></p>" +
		"<p lang=\"zh-Hans\">本页在此处不能运行 JavaScript，因此不能计算这个实验。图中是它的设置。请在新标签页中打开上面的地址。</p>" +
		"<p><a href=\"" + address + "\"><img src=\"" + html.EscapeString(t.picture) + "\" alt=\"" + html.EscapeString(t.alt) +
		"\" width=\"" + itoa(pictureWidth) + "\" height=\"" + itoa(pictureHeight) + "\"></a></p>"
}

// html returns the lines of the head, every value escaped.
func (t tags) html() string {
	var b strings.Builder
	line := func(parts ...string) {
		for i, p := range parts {
			if i%2 == 1 {
				p = html.EscapeString(p)
			}
			b.WriteString(p)
		}
		b.WriteByte('\n')
	}
	property := func(name, value string) { line(`<meta property="og:`, name, `" content="`, value, `">`) }
	named := func(name, value string) { line(`<meta name="`, name, `" content="`, value, `">`) }
	line("<title>", t.title, "</title>")
	named("description", t.description)
	line(`<link rel="canonical" href="`, t.address, `">`)
	line(`<link rel="alternate" type="application/json+oembed" href="`, t.oembed, `" title="`, t.title, `">`)
	property("site_name", siteName)
	property("type", "website")
	property("title", t.title)
	property("description", t.description)
	property("url", t.address)
	property("image", t.picture)
	property("image:type", typePNG)
	property("image:width", itoa(pictureWidth))
	property("image:height", itoa(pictureHeight))
	property("image:alt", t.alt)
	named("twitter:card", "summary_large_image")
	named("twitter:title", t.title)
	named("twitter:description", t.description)
	named("twitter:image", t.picture)
	if t.links {
		named("flockscope-links", apiPath)
	}
	if t.query != "" {
		line(`<script src="`, t.script, `" data-query="`, t.query, `" defer></script>`)
	}
	return b.String()
}
