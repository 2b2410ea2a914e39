package web_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/ingest"
	"flockscope/sim/testing/randquery"
	"flockscope/wasm/web"
)

// TestColumnNames: roles of columns with names of all kinds survive being written to a link
// and read again: from the link itself, after what mail programs do to links, from a short
// link, oEmbed and the address of the preview.
func TestColumnNames(t *testing.T) {
	pieces := []string{"a", "B", "size", " ", "(cm)", ",", ";", ":", "*", "-", "3", "12", "%", "%2C", "&", "=", "+",
		"#", "?", "/", `"`, "'", "ö", "长度", "🌷",
		"\u00a0", "label", "_", "__", ".", "<b>", "&amp;", "cols", "ignore", "e\u0301"}
	s, store := linkServer()
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 3))
		width := 3 + r.IntN(6)
		names := make([]string, width)
		for j := range names {
			for range 1 + r.IntN(4) {
				names[j] += pieces[r.IntN(len(pieces))]
			}
		}
		var b strings.Builder
		w := csv.NewWriter(&b)
		w.Write(names)
		for i := range 30 {
			row := make([]string, width)
			for j := range row {
				row[j] = fmt.Sprintf("%d.5", (i*7+j*3)%11)
			}
			row[width-1] = string("uvw"[i%3])
			w.Write(row)
		}
		w.Flush()
		o, err := ingest.Open([]ingest.File{{Name: "t.csv", Data: []byte(b.String())}})
		if err != nil || o.Table == nil {
			t.Errorf("%q: %v", names, err)
			continue
		}
		roles := make([]ingest.Role, width)
		for j := range roles {
			roles[j] = []ingest.Role{ingest.Ignore, ingest.Feature}[r.IntN(2)]
		}
		roles[r.IntN(width)] = ingest.Target
		cols := o.Table.Cols(roles)
		check := func(how, text string) {
			t.Helper()
			c, problems := catalog.Schema().Parse(text)
			chosen, err := o.Table.Roles(c.Value("cols"))
			if experiment.First(problems) != nil || err != nil {
				t.Errorf("%q: cols=%s %s: %q: %v, %v", names, cols, how, text, problems, err)
				return
			}
			for j := range chosen {
				if chosen[j].Role != roles[j] {
					t.Errorf("%q: cols=%s %s: %q makes column %d %s, want %s", names, cols, how, text, j+1,
						chosen[j].Role, roles[j])
					return
				}
			}
		}
		query := "data=samples&shift=none&cols=" + url.QueryEscape(cols)
		check("as a link", query)
		c, _ := catalog.Schema().Parse(query)
		query = c.String()
		check("as a canonical link", query)
		for _, m := range randquery.Manglings {
			check(m.Name, m.Mangle(query))
		}
		var made struct{ ID, Query string }
		if err := json.Unmarshal([]byte(asked(s, "POST", "/api/links", query)), &made); err != nil || made.ID == "" {
			t.Errorf("%q: cols=%s makes no link: %v", names, cols, err)
			continue
		}
		check("shortened", store[made.ID])
		page := asked(s, "GET", "/s/"+made.ID, "")
		_, rest, _ := strings.Cut(page, ` data-query="`)
		rest, _, _ = strings.Cut(rest, `"`)
		check("in the page of a short link", html.UnescapeString(rest))
		page = asked(s, "GET", "/?"+query, "")
		_, rest, _ = strings.Cut(page, `property="og:image" content="`)
		rest, _, _ = strings.Cut(rest, `"`)
		check("in the address of the preview", html.UnescapeString(rest))
		var embed struct{ HTML string }
		json.Unmarshal([]byte(asked(s, "GET", "/oembed?url="+url.QueryEscape("http://example.com/?"+query), "")),
			&embed)
		_, rest, _ = strings.Cut(embed.HTML, `src="`)
		rest, _, _ = strings.Cut(rest, `"`)
		check("in the frame of oEmbed", html.UnescapeString(rest))
	}
}

// links is a store in memory.
type links map[string]string

func linkServer() (*web.Server, links) {
	store := links{}
	page, _ := web.NewPage("<title></title>\n", "link.js")
	return &web.Server{Schema: web.Schema, Page: func() (*web.Page, error) {
		return page, nil
	}, Check: web.Check, Store: store, Key: []byte("key")}, store
}

// asked returns the body of an answer.
func asked(s *web.Server, method, target, body string) string {
	r := httptest.NewRequest(method, "http://example.com"+target, strings.NewReader(body))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code >= http.StatusBadRequest {
		return ""
	}
	return w.Body.String()
}

func (l links) Get(_ context.Context, id string) (string, error) { return l[id], nil }

func (l links) Put(_ context.Context, id, text string) (before string, err error) {
	if before = l[id]; before == "" {
		l[id] = text
	}
	return before, nil
}
