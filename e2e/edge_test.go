package e2e

import (
	"bytes"
	"compress/gzip"
	"encoding/xml"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/testing/randquery"
	"flockscope/wasm/site"
	"flockscope/wasm/web"
)

// common checks the headers that every answer has.
func (a answer) common(t *testing.T) {
	t.Helper()
	for name, want := range web.Headers {
		if name == "Content-Security-Policy" && a.header.Get(name) == web.PolicyAt(a.origin) {
			continue // of a page
		}
		if got := a.header.Get(name); got != want && name != "Cache-Control" {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if got := a.header.Get("X-Frame-Options"); got != "" {
		t.Errorf("X-Frame-Options = %q keeps the page out of frames", got)
	}
	if got := a.header.Get("Strict-Transport-Security"); got != "" {
		t.Errorf("Strict-Transport-Security = %q, without https", got)
	}
}

// What a request carries beside its path changes no answer for others, and makes
// nobody draw a picture of a link again. What a browser has is not sent.
func TestServersRepeat(t *testing.T) {
	OnServers(t, func(t *testing.T, s *server) {
		c := s.Client(t)
		name := fmt.Sprint(c.Do("POST", "/api/links", "data=linreg&dphi=8&algos=clove,local").JSON(t)["id"])
		link, picture := c.Get("/s/"+name), c.Get("/og/"+name+".svg")
		// More than anybody may draw in a minute.
		for n := range 140 {
			spelled := name
			if n%2 == 1 {
				spelled = strings.NewReplacer("0", "o", "1", "L").Replace(strings.ToUpper(name))
			}
			if got := c.Get(fmt.Sprintf("/og/%s.svg?x=%d", spelled, n)); got.status != 200 || got.body != picture.body {
				t.Fatalf("the picture with another query is %d %.200s", got.status, got.body)
			}
		}
		for _, header := range []string{"X-Forwarded-Proto: javascript", "X-Forwarded-Host: evil.example",
			"Forwarded: host=evil.example;proto=ftp", "X-Original-URL: /evil"} {
			for _, query := range []string{"?x=1", ""} {
				if got := c.Get("/s/"+name+query, header); strings.Contains(got.body, "evil.example") {
					t.Errorf("%s is believed: %s", header, got.body)
				}
				if got := c.Get("/s/"+name, header); got.body != link.body {
					t.Errorf("with %s the link is\n%s", header, got.body)
				}
			}
		}
		for _, target := range []string{"/", "/s/" + name, "/?dphi=8", "/og/" + name + ".svg", "/og/" + name + ".png"} {
			got := c.Get(target, "Accept-Encoding: identity")
			tag := got.header.Get("ETag")
			if again := c.Get(target, "If-None-Match: "+tag); tag == "" || again.status != 304 || again.body != "" {
				t.Errorf("GET %s for who has %q = %d, want 304", target, tag, again.status)
			} else {
				again.common(t)
			}
			if head := c.Do("HEAD", target, ""); head.status != 200 || head.body != "" ||
				head.header.Get("ETag") != tag {
				t.Errorf("HEAD %s = %d with the ETag %q, want %q", target, head.status, head.header.Get("ETag"), tag)
			}
		}
	})
}

// What is asked, and what both servers answer.
func TestServersAnswer(t *testing.T) {
	const page, text, missing = "text/html; charset=utf-8", "text/plain; charset=utf-8", "There is no such page"
	tests := []struct {
		name           string
		method, target string
		status         int
		kind           string
		cache          string
		body           string // a part of it
	}{
		{"health", "GET", "/healthz", 200, text, "no-cache", "ok\n"},
		{"page", "GET", "/", 200, page, "no-cache", "<title>Flockscope</title>"},
		{"page by name", "GET", "/index.html", 200, page, "no-cache", "<title>Flockscope</title>"},
		{"page of a long link", "GET", "/?dphi=8&algos=clove", 200, page, "no-cache", "<title>CLoVE on 12 clients of 3 kinds"},
		{"page of nonsense", "GET", "/?dphi=900&%zz", 200, page, "no-cache", "<title>CFL-GP and IFCA on 12 clients of 3 kinds"},
		{"page, head", "HEAD", "/?dphi=8", 200, page, "no-cache", ""},
		{"page, post", "POST", "/", 405, text, "no-cache", "Only GET and HEAD"},
		{"file, head", "HEAD", "/flockscope.pack", 200, "application/octet-stream", "no-cache", ""},
		{"file, post", "POST", "/flockscope.pack", 405, text, "no-cache", "Only GET and HEAD"},
		{"documentation", "GET", "/docs/README.html", 200, page, "no-cache", "<title>Flockscope · Flockscope documentation</title>"},
		{"documentation, style", "GET", "/docs/docs.css", 200, "text/css; charset=utf-8", "no-cache", "body {"},
		{"no file", "GET", "/missing.js", 404, page, "no-cache", missing},
		{"no file, head", "HEAD", "/missing.js", 404, page, "no-cache", ""},
		{"hostile path", "GET", "/%3Cscript%3Ealert(1)%3C/script%3E", 404, page, "no-cache", missing},
		{"form of a file", "GET", "/flockscope.pack.br", 404, page, "no-cache", missing},
		{"directory", "GET", "/assets/", 404, page, "no-cache", missing},
		{"outside", "GET", "/%2e%2e/go.mod", 404, page, "no-cache", missing},
		{"inherited name", "GET", "/constructor", 404, page, "no-cache", missing},
		{"no link", "GET", "/s/0000000000", 404, page, "no-cache", missing},
		{"no id", "GET", "/s/x", 404, page, "no-cache", missing},
		{"hostile id", "GET", "/s/%3Cscript%3E", 404, page, "no-cache", missing},
		{"no picture", "GET", "/og/0000000000.png", 404, page, "no-cache", missing},
		{"picture of another kind", "GET", "/og/0000000000.gif", 404, page, "no-cache", missing},
		{"picture", "GET", "/og.svg?dphi=8", 200, "image/svg+xml", "public, max-age=86400", "<title id=\"title\">CFL-GP and IFCA on 12 clients"},
		{"pixels", "GET", "/og.png?dphi=8", 200, "image/png", "public, max-age=86400", "\x89PNG"},
		{"links, get", "GET", "/api/links", 405, "application/json", "no-store", `{"error":`},
		{"links, options", "OPTIONS", "/api/links", 204, text, "no-store", ""},
		{"no api", "POST", "/api/nothing", 404, "application/json", "no-store", `{"error":`},
		{"oembed of nothing", "GET", "/oembed", 404, "application/json", "no-cache", `{"error":`},
		{"oembed of another", "GET", "/oembed?url=https%3A%2F%2Fevil.example%2F", 404, "application/json", "no-cache", `{"error":`},
		{"oembed, xml", "GET", "/oembed?format=xml", 501, "application/json", "no-cache", `{"error":`},
		{"oembed, other format", "GET", "/oembed?format=%3Cb%3E", 400, "application/json", "no-cache", `{"error":`},
		{"oembed, odd width", "GET", "/oembed?maxwidth=wide", 400, "application/json", "no-cache", `{"error":`},
	}
	OnServers(t, func(t *testing.T, s *server) {
		c := s.Client(t)
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				got := c.Do(tt.method, tt.target, "")
				got.common(t)
				if got.status != tt.status || got.header.Get("Content-Type") != tt.kind ||
					got.header.Get("Cache-Control") != tt.cache {
					t.Errorf("%s %s = %d, %q, %q; want %d, %q, %q", tt.method, tt.target, got.status,
						got.header.Get("Content-Type"), got.header.Get("Cache-Control"), tt.status, tt.kind, tt.cache)
				}
				if !strings.Contains(got.body, tt.body) || tt.method == "HEAD" && got.body != "" {
					t.Errorf("%s %s says %.300q, want %q in it", tt.method, tt.target, got.body, tt.body)
				}
				if strings.Contains(got.body, "alert(1)") || strings.Contains(got.body, "evil") {
					t.Errorf("%s %s repeats what was asked: %.300q", tt.method, tt.target, got.body)
				}
			})
		}
	})
}

// gunzip returns what was compressed.
func gunzip(t *testing.T, packed []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Every file of the site in every coding, under its name and under its version.
func TestServersFiles(t *testing.T) {
	table, err := site.Read(os.DirFS(siteDir))
	if err != nil {
		t.Fatal(err)
	}
	OnServers(t, func(t *testing.T, s *server) {
		c := s.Client(t)
		seen := 0
		for name, file := range table.Files {
			if name == "index.html" {
				continue // which is not served as it is
			}
			seen++
			for _, coding := range append([]string{""}, file.Codings...) {
				want, err := os.ReadFile(filepath.Join(siteDir, filepath.FromSlash(name)) + site.Codings[coding])
				if err != nil {
					t.Fatal(err)
				}
				accept := "Accept-Encoding: " + coding
				if coding == "" {
					accept = "Accept-Encoding: identity"
				}
				plain, versioned := c.Get("/"+name, accept), c.Do("HEAD", "/v/"+table.Version+"/"+name, "", accept)
				body := []byte(plain.body)
				if coding == "gzip" && strings.HasSuffix(name, ".html") {
					body, want = gunzip(t, body), gunzip(t, want) // wrangler's proxy compresses pages anew
				}
				if !bytes.Equal(body, want) {
					t.Errorf("%s in %q: %d bytes, want the file's %d", name, coding, len(body), len(want))
				}
				for _, got := range []answer{plain, versioned} {
					got.common(t)
					if got.status != 200 || got.header.Get("ETag") != plain.header.Get("ETag") {
						t.Errorf("%s in %q: status %d, ETag %s", name, coding, got.status, got.header.Get("ETag"))
					}
					if got.header.Get("Content-Encoding") != coding || got.header.Get("Content-Type") != file.Type ||
						got.header.Get("Vary") != "Accept-Encoding" {
						t.Errorf("%s in %q: headers are %v", name, coding, got.header)
					}
				}
				if got := plain.header.Get("Cache-Control"); got != "no-cache" {
					t.Errorf("%s: Cache-Control = %q, want no-cache", name, got)
				}
				if got := versioned.header.Get("Cache-Control"); !strings.Contains(got, "immutable") ||
					!strings.Contains(got, "max-age=31536000") {
					t.Errorf("%s under its version: Cache-Control = %q, want it kept for ever", name, got)
				}
				if got := c.Get("/"+name, accept, "If-None-Match: "+plain.header.Get("ETag")); got.status != 304 ||
					got.body != "" {
					t.Errorf("%s in %q, known: status %d and %d bytes, want 304 and none", name, coding, got.status,
						len(got.body))
				}
			}
			if got := c.Do("HEAD", "/v/0123456789abcdef/"+name, ""); got.status != 404 ||
				got.header.Get("Cache-Control") != "no-cache" {
				t.Errorf("%s under another version: status %d, Cache-Control %q; want 404, no-cache", name, got.status,
					got.header.Get("Cache-Control"))
			}
		}
		if seen < 5 {
			t.Errorf("the site has only %d files", seen)
		}
		// Everything that the page loads comes from addresses that never change.
		body := c.Get("/").body
		for _, reference := range regexp.MustCompile(`(?:src|href|srcset)="([^"]+)"`).FindAllStringSubmatch(body, -1) {
			if at := reference[1]; !strings.HasPrefix(at, "/v/"+table.Version+"/") &&
				!strings.HasPrefix(at, s.address) {
				t.Errorf("the page refers to %s", at)
			}
		}
	})
}

var id = regexp.MustCompile(`^[0-9a-hjkmnp-tv-z]{10}$`)

// A link is made, opened, embedded and shown, and the same one the next time.
func TestServersLinks(t *testing.T) {
	OnServers(t, func(t *testing.T, s *server) {
		c := s.Client(t)
		const query = "data=linreg&dphi=8&algos=cflgp,clove&t=14&lane=2&theme=dark"
		made := c.Do("POST", "/api/links", query)
		made.common(t)
		link := made.JSON(t)
		name := fmt.Sprint(link["id"])
		if made.status != 201 || !id.MatchString(name) || link["url"] != s.address+"/s/"+name ||
			link["query"] != query || made.header.Get("Location") != link["url"] {
			t.Fatalf("POST answers %d %v, want 201 and the link of %q", made.status, link, query)
		}
		// Whoever asks and however it is written, the same state is the same link.
		for _, same := range []string{query, "?theme=dark&lane=2&t=14&algos=cflgp,clove&dphi=8.0",
			s.address + "/?" + query + "&embed=1", "dphi=8&sd=1&K=3&algos=cflgp%2Cclove&t=14&lane=2&theme=dark&utm_source=mail"} {
			again := s.Client(t).Do("POST", "/api/links", same)
			if got := again.JSON(t)["id"]; again.status != 200 || got != name {
				t.Errorf("POST %q answers %d %v, want 200 %v", same, again.status, got, name)
			}
		}
		if other := c.Do("POST", "/api/links", query+"&sel=3"); other.status != 201 || other.JSON(t)["id"] == name {
			t.Errorf("another state answers %d %s", other.status, other.body)
		}

		page := c.Get("/s/" + name)
		page.common(t)
		if got, want := page.header.Get("Content-Security-Policy"), web.PolicyAt(s.address); got != want {
			t.Errorf("the policy of a page is %s, want %s", got, want)
		}
		if page.status != 200 || !strings.Contains(page.body, `data-query="`+html.EscapeString(query)+`"`) {
			t.Errorf("GET /s/%s answers %d\n%s", name, page.status, page.body)
		}
		for _, spelled := range []string{strings.ToUpper(name), strings.NewReplacer("0", "o", "1", "l").Replace(name)} {
			if got := c.Get("/s/" + spelled); got.body != page.body {
				t.Errorf("GET /s/%s answers %d, want the page of %s", spelled, got.status, name)
			}
		}
		for property, want := range map[string]string{
			"og:title": "CFL-GP and CLoVE on 12 clients of 3 kinds · Flockscope", "og:url": s.address + "/s/" + name,
			"og:image": s.address + "/og/" + name + ".png", "og:image:width": "1200", "og:image:height": "630", "og:type": "website",
			"twitter:card": "summary_large_image", "twitter:title": "CFL-GP and CLoVE on 12 clients of 3 kinds · Flockscope",
			"twitter:image": s.address + "/og/" + name + ".png", "flockscope-links": "/api/links",
		} {
			if got := meta(page.body, property); got != want {
				t.Errorf("%s = %q, want %q", property, got, want)
			}
		}
		if got := meta(page.body, "og:description"); !strings.Contains(got, "Round 14 of 200, Gap Δφ 8°") {
			t.Errorf("og:description = %q", got)
		}
		// Going on from a link and loading the page again shows where one has gone.
		if got := c.Get("/s/" + name + "?data=mix1d&algos=ifca"); !strings.Contains(got.body,
			"<title>IFCA on 12 clients of 2 kinds") || strings.Contains(got.body, "data-query") {
			t.Errorf("a whole experiment behind a link shows\n%s", got.body)
		}

		discovery := regexp.MustCompile(`type="application/json\+oembed" href="([^"]+)"`).FindStringSubmatch(page.body)
		if discovery == nil {
			t.Fatal("the page names no oEmbed address")
		}
		embed := c.Get(strings.TrimPrefix(html.UnescapeString(discovery[1]), s.address))
		embed.common(t)
		e := embed.JSON(t)
		if embed.status != 200 || e["version"] != "1.0" || e["type"] != "rich" ||
			e["title"] != "CFL-GP and CLoVE on 12 clients of 3 kinds" ||
			e["width"] != 960.0 || e["height"] != 540.0 || e["thumbnail_url"] != s.address+"/og/"+name+".png" {
			t.Errorf("oEmbed answers %d %v", embed.status, e)
		}
		if frame := fmt.Sprint(e["html"]); !strings.HasPrefix(frame,
			`<iframe src="`+s.address+"/s/"+name+`?embed=1" title="`) || !strings.HasSuffix(frame, "></iframe>") {
			t.Errorf("oEmbed embeds %s", frame)
		}
		small := c.Get("/oembed?maxwidth=400&maxheight=10000&url=" + url.QueryEscape(s.address+"/?dphi=8&t=3")).JSON(t)
		if small["width"] != 400.0 || small["height"] != 240.0 && small["height"] != 225.0 ||
			small["thumbnail_url"] != nil ||
			!strings.Contains(fmt.Sprint(small["html"]),
				"data=linreg&amp;dphi=8&amp;algos=cflgp,ifca&amp;t=3&amp;embed=1") {
			t.Errorf("oEmbed for little room answers %v", small)
		}
	})
}

// meta returns the content of a tag of a page's head.
func meta(page, name string) string {
	m := regexp.MustCompile(`<meta (?:name|property)="` + regexp.QuoteMeta(name) +
		`" content="([^"]*)">`).FindStringSubmatch(page)
	if m == nil {
		return ""
	}
	return html.UnescapeString(m[1])
}

// Both servers read what was meant, whatever happened to a link on its way: a setting that
// does not exist is refused unless the sender is lenient, and what was glued to a short
// link is taken off.
func TestServersReadMangledLinks(t *testing.T) {
	OnServers(t, func(t *testing.T, s *server) {
		c, asked := s.Client(t), 0
		post := func(target, body string) answer {
			if asked++; asked%50 == 0 { // more a minute are refused
				c = s.Client(t)
			}
			return c.Do("POST", target, body)
		}
		for i, m := range randquery.Manglings {
			for _, query := range []string{randquery.ValidLinks[i%len(randquery.ValidLinks)],
				randquery.ValidLinks[(i+5)%len(randquery.ValidLinks)]} {
				got := post("/api/links", m.Mangle(query))
				if value := got.JSON(t); got.status > 201 || value["query"] != query {
					t.Errorf("%s: POST %q answers %d %s, want %s", m.Name, m.Mangle(query), got.status, got.body, query)
				}
			}
		}
		const query = "data=linreg&dphi=8&algos=cflgp,clove&t=14"
		if got := post("/api/links", query+"&rounds=5"); got.status != 422 || got.JSON(t)["warnings"] == nil {
			t.Errorf("a setting that does not exist answers %d %s", got.status, got.body)
		}
		made := post("/api/links?lenient=1", query+"&rounds=5")
		value := made.JSON(t)
		if made.status > 201 || value["query"] != query || value["warnings"] == nil {
			t.Errorf("leniently it answers %d %s", made.status, made.body)
		}
		short := fmt.Sprint("/s/", value["id"])
		for _, glued := range []string{".", ")", "/", "%3E", "%E2%80%9D"} {
			got := c.Get(short + glued + "?embed=1")
			got.common(t)
			if got.status != 301 || got.header.Get("Location") != short+"?embed=1" {
				t.Errorf("GET %s%s answers %d to %q", short, glued, got.status, got.header.Get("Location"))
			}
		}
	})
}

// bodies reads what may come to POST /api/links.
func bodies(t *testing.T) (list []struct {
	status int
	body   string
}) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "wasm", "web", "testdata", "bodies.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		before, quoted, _ := strings.Cut(line, ` "`)
		body, err := strconv.Unquote(`"` + quoted)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		status, times := 0, 1
		fmt.Sscan(before, &status, &times)
		list = append(list, struct {
			status int
			body   string
		}{status, strings.Repeat(body, times)})
	}
	return list
}

// What is malformed or hostile is refused in a sentence that repeats nothing but names that
// are plain words.
func TestServersRefuse(t *testing.T) {
	OnServers(t, func(t *testing.T, s *server) {
		c := s.Client(t)
		for _, b := range bodies(t) {
			got := c.Do("POST", "/api/links", b.body)
			got.common(t)
			if got.status != b.status && !(b.status == 201 && got.status == 200) {
				t.Errorf("POST %.80q answers %d %.200s, want %d", b.body, got.status, got.body, b.status)
			}
			value := got.JSON(t)
			if (value["error"] != nil) != (b.status >= 400) {
				t.Errorf("POST %.80q answers %s", b.body, got.body)
			}
			// An id and a port may be anything.
			said := strings.NewReplacer(fmt.Sprint(value["id"]), "", s.address, "").Replace(got.body)
			for _, hostile := range []string{"script", "onerror", "evil", "passwd", "900"} {
				if strings.Contains(said, hostile) {
					t.Errorf("POST %.80q is repeated: %s", b.body, got.body)
				}
			}
		}
		for kind, status := range map[string]int{"application/json": 415, "multipart/form-data": 415, "image/png": 415,
			"text/plain; charset=utf-8": 200, "TEXT/PLAIN": 200, "application/x-www-form-urlencoded": 200} {
			got := c.Do("POST", "/api/links", "data=linreg&algos=cflgp,ifca", "Content-Type: "+kind)
			if got.status != status {
				t.Errorf("POST as %s answers %d %s, want %d", kind, got.status, got.body, status)
			}
		}
	})
}

// Somebody who wants too much at once is told to wait, and others are not.
func TestServersLimit(t *testing.T) {
	OnServers(t, func(t *testing.T, s *server) {
		for what, ask := range map[string]func(c *client, n int) answer{
			"links":    func(c *client, _ int) answer { return c.Do("POST", "/api/links", "dphi=8") },
			"pictures": func(c *client, n int) answer { return c.Get(fmt.Sprintf("/og.svg?algos=local&sd=%d", n)) },
		} {
			c := s.Client(t)
			n, refused := 0, 0
			// A minute may end in between, and a new one begin.
			for ; n < 300 && refused < 3; n++ {
				got := ask(c, n)
				if got.status != 429 {
					continue
				}
				refused++
				got.common(t)
				if got.header.Get("Retry-After") != "60" || !strings.Contains(got.body, "Please wait a minute") {
					t.Errorf("too many %s get %v %s", what, got.header, got.body)
				}
			}
			if refused == 0 || n < 50 {
				t.Errorf("of %d %s, %d were refused", n, what, refused)
			}
			if got := ask(s.Client(t), 1000); got.status >= 400 {
				t.Errorf("somebody else gets %d when asking for %s", got.status, what)
			}
		}
	})
}

// The preview of a state is a picture of that state, the same on both servers.
func TestServersPreview(t *testing.T) {
	queries := []string{
		"data=linreg&dphi=8&algos=cflgp,clove&t=14",
		"data=mix1d&star=1,-1.45,0.2&algos=ifca,cflgp:nomem,clove,local&cflgp:nomem.beta=1&theme=dark",
		"data=csv&algos=cflgp",
	}
	vectors, pixels := map[string][]string{}, map[string][]image.Image{}
	OnServers(t, func(t *testing.T, s *server) {
		c := s.Client(t)
		seen := map[string]bool{}
		for _, query := range queries {
			made := c.Do("POST", "/api/links", query).JSON(t)
			vector, picture := c.Get(fmt.Sprintf("/og/%s.svg", made["id"])), c.Get(fmt.Sprintf("/og/%s.png",
				made["id"]))
			again := c.Get("/og.png?" + query)
			for _, got := range []answer{vector, picture, again} {
				got.common(t)
				if got.status != 200 || got.header.Get("Cache-Control") != "public, max-age=86400" {
					t.Errorf("a preview of %q answers %d, Cache-Control %q", query, got.status,
						got.header.Get("Cache-Control"))
				}
			}
			decoded, err := png.Decode(strings.NewReader(picture.body))
			if err != nil {
				t.Fatalf("the preview of %q does not decode: %v", query, err)
			}
			if size := decoded.Bounds(); size.Dx() != 1200 || size.Dy() != 630 {
				t.Errorf("the preview of %q has the size %v", query, size)
			}
			if again.body != picture.body {
				t.Errorf("the picture of %q is another one than that of its link", query)
			}
			var tree struct {
				XMLName xml.Name
			}
			if err := xml.Unmarshal([]byte(vector.body), &tree); err != nil || tree.XMLName.Local != "svg" {
				t.Errorf("the preview of %q is no SVG: %v", query, err)
			}
			if seen[picture.body] {
				t.Errorf("the preview of %q is that of another state", query)
			}
			seen[picture.body] = true
			vectors[query], pixels[query] = append(vectors[query], vector.body), append(pixels[query], decoded)
		}
		first := vectors[queries[0]][len(vectors[queries[0]])-1]
		for _, words := range []string{">CFL-GP<", ">CLoVE<", "12 clients of 3 kinds · round 14 of 200", "Δφ 8°",
			">4 clients<"} {
			if !strings.Contains(first, words) {
				t.Errorf("the preview of %q does not say %q", queries[0], words)
			}
		}
		second := vectors[queries[1]][len(vectors[queries[1]])-1]
		for _, words := range []string{"CFL-GP · nomem", "True slopes θ* 1, −1.45, 0.2", "#14171c"} {
			if !strings.Contains(second, words) {
				t.Errorf("the preview of %q does not say %q", queries[1], words)
			}
		}
	})
	for query, list := range vectors {
		if len(list) == 2 && list[0] != list[1] {
			t.Errorf("the servers draw %q differently", query)
		}
		if list := pixels[query]; len(list) == 2 {
			if far := distance(list[0], list[1]); far > 1 {
				t.Errorf("the servers' pixels of %q differ by %.2f of 255 on average", query, far)
			}
		}
	}
}

// distance returns the mean difference of two pictures, of 255.
func distance(a, b image.Image) float64 {
	box := a.Bounds()
	sum := 0.0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r, g, bl, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(x, y).RGBA()
			for _, d := range [...]int{int(r) - int(r2), int(g) - int(g2), int(bl) - int(b2)} {
				sum += float64(max(d, -d)) / 257
			}
		}
	}
	return sum / float64(3*box.Dx()*box.Dy())
}

// What was stored before a server was started again is there.
func TestServersRemember(t *testing.T) {
	OnServers(t, func(t *testing.T, s *server) {
		const query = "data=linreg&dphi=33&algos=local"
		before := s.Client(t).Do("POST", "/api/links", query).JSON(t)
		s.stop()
		if err := s.start(); err != nil {
			t.Fatal(err)
		}
		c := s.Client(t)
		if got := c.Get(fmt.Sprint("/s/", before["id"])); got.status != 200 ||
			!strings.Contains(got.body, html.EscapeString(query)) {
			t.Errorf("after a restart the link %v answers %d", before["id"], got.status)
		}
		if again := c.Do("POST", "/api/links", query); again.status != 200 || again.JSON(t)["id"] != before["id"] {
			t.Errorf("after a restart POST answers %d %s, want the id %v", again.status, again.body, before["id"])
		}
	})
}
