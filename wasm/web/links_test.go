package web

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/lesson"
)

// TestLenient: a link with an unknown setting is refused without lenient=1, and every answer
// lists what was ignored or changed.
func TestLenient(t *testing.T) {
	const rounds = "unknown setting rounds (the setting is called T)"
	tests := []struct {
		target, body string
		status       int
		query        string
		warnings     []string
	}{
		{"/api/links", "dphi=8", 201, "data=linreg&dphi=8&algos=cflgp,ifca", nil},
		{"/api/links", "dphi=8&rounds=5", 422, "", []string{rounds}},
		{"/api/links?lenient=0", "dphi=8&rounds=5", 422, "", []string{rounds}},
		{"/api/links?lenient=1", "dphi=8&rounds=5", 201, "data=linreg&dphi=8&algos=cflgp,ifca", []string{rounds}},
		{"/api/links?lenient=true", "rounds=5&<zz>=1&" + strings.Repeat("x", 41) + "=1", 201, "data=linreg&algos=cflgp,ifca", []string{
			rounds, "unknown setting (name not shown)", "unknown setting (name not shown)"}},
		{"/api/links", "n_clients=3&K=99", 422, "", []string{"unknown setting n_clients (the setting is called C)"}},
		{"/api/links", "utm_source=a&dphi=8&fbclid=b&mc_cid=1&gclid=2&_ga=3&si=4&ref=5", 201, "data=linreg&dphi=8&algos=cflgp,ifca", nil},
		{"/api/links", "C=2&D=2&t=x&star=1", 201, "data=linreg&D=2&C=2&K=2&algos=cflgp,ifca", []string{
			"star has no effect with these methods and data=linreg", "K is 2 here instead of 3, to go with C = 2",
			"t is ignored: it cannot have this value"}},
		{"/api/links", "“dphi=8&amp;T=3”.", 201, "data=linreg&dphi=8&T=3&algos=cflgp,ifca",
			[]string{"the link was repaired: HTML entities, quotation marks or punctuation around it"}},
	}
	for _, tt := range tests {
		s, store := newServer()
		answer, text := ask(s, "POST", tt.target, tt.body)
		var got struct {
			Query, Error string
			Warnings     []string
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err)
		}
		if answer.StatusCode != tt.status || got.Query != tt.query || !slices.Equal(got.Warnings, tt.warnings) ||
			(got.Error == "") != (tt.status == 201) || store.puts != btoi(tt.status == 201) {
			t.Errorf("POST %s %q = %d %s with %d puts; want %d, %q, %q", tt.target, tt.body, answer.StatusCode, text,
				store.puts,
				tt.status, tt.query, tt.warnings)
		}
	}
	s, _ := newServer()
	var many strings.Builder
	for i := range 500 {
		many.WriteString("x" + itoa(i) + "=1&")
	}
	_, text := ask(s, "POST", "/api/links?lenient=1", many.String())
	var got link
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Warnings) != maxWarnings+1 ||
		got.Warnings[maxWarnings] != "and 480 more warnings" {
		t.Errorf("500 unknown settings: %s", text)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestTrimID: what mail programs and chats add to a link is removed.
func TestTrimID(t *testing.T) {
	s, _ := newServer()
	id := makeLink(t, s, "data=linreg&dphi=8")
	for _, glued := range []string{".", ",", ")", ").", "/", "//", ";", ":", "!", "]", "}", ">", "%3E", "%22", "'", "*",
		"_", "%20", "%0A", "%E2%80%9D", "%E2%80%A6",
		"%E2%80%8B", "%C2%A0", "%EF%BC%89", "%E3%80%82", "&", "\\"} {
		answer, _ := ask(s, "GET", "/s/"+id+glued+"?embed=1", "")
		if answer.StatusCode != http.StatusMovedPermanently || answer.Header.Get("Location") != "/s/"+id+"?embed=1" {
			t.Errorf("GET /s/ID%s = %d to %q", glued, answer.StatusCode, answer.Header.Get("Location"))
		}
		address := "http://example.com/s/" + id + glued
		if answer, text := ask(s, "GET", "/oembed?url="+url.QueryEscape(address), ""); answer.StatusCode != 200 ||
			!strings.Contains(text, "/s/"+id+"?embed=1") {
			t.Errorf("oEmbed of /s/ID%s = %d %s", glued, answer.StatusCode, text)
		}
	}
	for glued, want := range map[string]string{
		"&embed=1": "?embed=1", "&amp;embed=1": "?embed=1", "&embed=1&t=5)": "?embed=1&t=5", "%26embed%3D1": "?embed=1", ").&embed=1": "?embed=1",
		"&embed=1%0D%0AX: y": "?embed=1%0D%0AX%3A+y", "&embed": "", "&;": "",
	} {
		answer, _ := ask(s, "GET", "/s/"+id+strings.ReplaceAll(glued, " ", "%20"), "")
		if answer.StatusCode != http.StatusMovedPermanently || answer.Header.Get("Location") != "/s/"+id+want {
			t.Errorf("GET /s/ID%s = %d to %q, want %q", glued, answer.StatusCode, answer.Header.Get("Location"), want)
		}
		address := "http://example.com/s/" + id + glued
		if answer, text := ask(s, "GET", "/oembed?url="+url.QueryEscape(address), ""); !strings.Contains(glued, ":") &&
			(answer.StatusCode != 200 || !strings.Contains(text, "/s/"+id+"?embed=1")) {
			t.Errorf("oEmbed of /s/ID%s = %d %s", glued, answer.StatusCode, text)
		}
	}
	for _, ending := range []string{".png", ".svg"} {
		for _, glued := range []string{")", ".", "%3E", "%22", "%E2%80%9D", ",", "%5D)", "%0A"} {
			if answer, _ := ask(s, "GET", "/og/"+id+ending+glued+"?v=1",
				""); answer.StatusCode != http.StatusMovedPermanently || answer.Header.Get("Location") != "/og/"+id+ending+"?v=1" {
				t.Errorf("GET /og/ID%s%s = %d to %q", ending, glued, answer.StatusCode, answer.Header.Get("Location"))
			}
		}
		if answer, _ := ask(s, "GET", "/og/"+id+ending, ""); answer.StatusCode != 200 {
			t.Errorf("GET /og/ID%s = %d", ending, answer.StatusCode)
		}
		if answer, _ := ask(s, "GET", "/og/"+id+ending+"/x", ""); answer.StatusCode != 404 {
			t.Errorf("GET /og/ID%s/x = %d, want 404", ending, answer.StatusCode)
		}
	}
	if answer, _ := ask(s, "GET", "/s/%28"+strings.ToUpper(id)+"%29", ""); answer.Header.Get("Location") != "/s/"+id {
		t.Errorf("GET /s/(ID) leads to %q", answer.Header.Get("Location"))
	}
	for _, other := range []string{id, strings.ToUpper(id)} {
		if answer, _ := ask(s, "GET", "/s/"+other, ""); answer.StatusCode != 200 {
			t.Errorf("GET /s/%s = %d", other, answer.StatusCode)
		}
	}
	for _, other := range []string{"", ".", "x.", id + "/x", "//evil.example/" + id, "..%2f" + id + "." + id} {
		if answer, _ := ask(s, "GET", "/s/"+other, ""); answer.StatusCode != 404 {
			t.Errorf("GET /s/%s = %d to %q, want 404", other, answer.StatusCode, answer.Header.Get("Location"))
		}
	}
}

// TestLessonLinks: a link to a lesson stays that lesson, shortened, embedded and previewed.
func TestLessonLinks(t *testing.T) {
	pictures := map[string]int{}
	for _, l := range lesson.All() {
		s, store := newServer()
		query := "lesson=" + itoa(l.Number)
		want, problems := ReadState(Schema(), l.Query+"&"+query)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		id := makeLink(t, s, query)
		if store.texts[id] != want.Text() {
			t.Errorf("lesson %d is stored as %q, want %q", l.Number, store.texts[id], want.Text())
		}
		name := "Lesson " + itoa(l.Number) + ": " + l.Title
		for _, target := range []string{"/?" + query, "/?" + want.Text(), "/s/" + id} {
			_, page := ask(s, "GET", target, "")
			for _, part := range []string{"<title>" + html.EscapeString(name) + " · Flockscope</title>",
				`property="og:title" content="` + html.EscapeString(name),
				`name="description" content="` + html.EscapeString(l.Question), `property="og:description" content="` + html.EscapeString(l.Question)} {
				if !strings.Contains(page, part) {
					t.Errorf("GET %s has no %s:\n%s", target, part, page)
				}
			}
			if strings.Contains(page, "{") || strings.Contains(page, html.EscapeString(l.Takeaway)) {
				t.Errorf("GET %s has an empty slot, or gives the answer away:\n%s", target, page)
			}
			_, text := ask(s, "GET", "/oembed?url="+url.QueryEscape("http://example.com"+target), "")
			var e oembedAnswer
			if err := json.Unmarshal([]byte(text), &e); err != nil || e.Title != name {
				t.Errorf("oEmbed of %s: %s, want the title %q", target, text, name)
			}
			if !strings.HasPrefix(target, "/s/") &&
				!strings.Contains(e.HTML, html.EscapeString(want.Text()+"&embed=1")) {
				t.Errorf("oEmbed of %s: %s, want %s", target, e.HTML, want.Text())
			}
		}
		_, picture := ask(s, "GET", "/og.svg?"+query, "")
		if _, other := ask(s, "GET", "/og/"+id+".svg", ""); other != picture ||
			!strings.Contains(picture, html.EscapeString(name)) {
			t.Errorf("lesson %d has the pictures\n%s\nand\n%s", l.Number, picture, other)
		}
		pictures[picture]++
	}
	if len(pictures) != len(lesson.All()) {
		t.Errorf("%d lessons have %d pictures", len(lesson.All()), len(pictures))
	}
}
