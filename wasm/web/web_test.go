package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// memoryStore is a store in memory.
type memoryStore struct {
	mu    sync.Mutex
	texts map[string]string
	puts  int
	err   error
}

func (s *memoryStore) Get(_ context.Context, id string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.texts[id], s.err
}

func (s *memoryStore) Put(_ context.Context, id, text string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.texts[id]
	if before == "" && s.err == nil {
		s.puts++
		s.texts[id] = text
	}
	return before, s.err
}

// memoryCache is a cache of pictures that drops nothing.
type memoryCache map[string][]byte

func (a memoryCache) Get(key string) ([]byte, bool) {
	body, ok := a[key]
	return body, ok
}

func (a memoryCache) Put(key string, body []byte) { a[key] = body }

// refuseAll is a limiter that allows nothing.
type refuseAll struct{ err error }

func (d refuseAll) Allow(context.Context, string) (bool, error) { return false, d.err }

const index = "<!doctype html>\n<title>Flockscope</title>\n<meta name=\"description\" content=\"words\">\n<link href=\"x\">\n<body>\n<noscript>first</noscript>\n<p>rest</p>\n"

func newServer() (*Server, *memoryStore) {
	store := &memoryStore{texts: map[string]string{}}
	return &Server{
		Schema: Schema,
		Check:  Check,
		Page:   func() (*Page, error) { return NewPage(index, "/v/1/assets/link.js") },
		Store:  store,
		Key:    []byte("0123456789abcdef"),
	}, store
}

// ask sends a request and returns the answer and its body.
func ask(s http.Handler, method, target, body string) (*http.Response, string) {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(method, target, strings.NewReader(body)))
	text, _ := io.ReadAll(w.Result().Body)
	return w.Result(), string(text)
}

// made makes a link and returns its id.
func makeLink(t *testing.T, s http.Handler, query string) string {
	t.Helper()
	answer, body := ask(s, "POST", "/api/links", query)
	var l link
	if err := json.Unmarshal([]byte(body), &l); err != nil || answer.StatusCode >= 300 {
		t.Fatalf("POST %q = %d %s", query, answer.StatusCode, body)
	}
	return l.ID
}

// The same state is stored once, however it is written.
func TestLinkIsStoredOnce(t *testing.T) {
	s, store := newServer()
	id := makeLink(t, s, "data=linreg&dphi=8&algos=clove&t=3")
	for _, same := range []string{"?dphi=8.00&t=3&algos=clove", "http://elsewhere/?algos=clove&dphi=8&t=3#top",
		"algos=clove&t=3&dphi=8&sd=1&embed=1"} {
		if got := makeLink(t, s, same); got != id {
			t.Errorf("%q has the id %s, want %s", same, got, id)
		}
	}
	if store.puts != 1 || store.texts[id] != "data=linreg&dphi=8&algos=clove&t=3" {
		t.Errorf("after %d puts there is %q", store.puts, store.texts)
	}
	other, _ := newServer()
	other.Key = []byte("fedcba9876543210")
	if got := makeLink(t, other, "data=linreg&dphi=8&algos=clove&t=3"); got == id {
		t.Errorf("with another key the id is %s again", got)
	}
}

// A text whose id is taken by another one gets a longer id.
func TestIDsClash(t *testing.T) {
	s, store := newServer()
	const query = "data=linreg&algos=local"
	candidates := ids(s.Key, query)
	for i, id := range candidates {
		if got := makeLink(t, s, query); got != id {
			t.Errorf("with %d ids taken the id is %s, want %s", i, got, id)
		}
		if got := makeLink(t, s, query); got != id {
			t.Errorf("the second time the id is %s, want %s", got, id)
		}
		store.texts[id] = "data=linreg&algos=ifca"
	}
	if answer, body := ask(s, "POST", "/api/links", query); answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("with every id taken POST = %d %s", answer.StatusCode, body)
	}
}

// Of concurrent posts of one new link, one is answered as new.
func TestLinkIsNewOnce(t *testing.T) {
	s, store := newServer()
	var all sync.WaitGroup
	var isNew atomic.Int64
	for range 40 {
		all.Go(func() {
			switch answer, body := ask(s, "POST", "/api/links", "dphi=8"); answer.StatusCode {
			case http.StatusCreated:
				isNew.Add(1)
			case http.StatusOK:
			default:
				t.Errorf("POST = %d %s", answer.StatusCode, body)
			}
		})
	}
	all.Wait()
	if isNew.Load() != 1 || store.puts != 1 {
		t.Errorf("%d are new and %d are stored, want 1", isNew.Load(), store.puts)
	}
}

// The picture of a state is drawn once, whatever else its address has. Other states have
// other pictures.
func TestPicturesAreDrawnOnce(t *testing.T) {
	s, _ := newServer()
	drawn := memoryCache{}
	s.Pictures = drawn
	id := makeLink(t, s, "data=linreg&dphi=8&algos=clove")
	var first string
	for _, target := range []string{
		"/og/" + id + ".svg", "/og/" + id + ".svg?x=1", "/og/" + strings.ToUpper(id) + ".svg",
		"/og/%" + fmt.Sprintf("%x", id[0]) + id[1:] + ".svg", "/og.svg?data=linreg&dphi=8&algos=clove",
		"/og.svg?x=1&algos=clove&dphi=8.0", "http://elsewhere/og.svg?algos=clove&dphi=8",
	} {
		s.Drawings = nil
		if len(drawn) > 0 {
			s.Drawings = refuseAll{} // nothing is to be drawn
		}
		answer, body := ask(s, "GET", target, "")
		if first == "" {
			first = body
		}
		if answer.StatusCode != 200 || body != first {
			t.Errorf("GET %s = %d, and it is another picture", target, answer.StatusCode)
		}
	}
	s.Drawings = nil
	for _, target := range []string{"/og/" + id + ".png", "/og.svg?dphi=8", "/og.svg?algos=clove&dphi=8&theme=dark"} {
		if _, body := ask(s, "GET", target, ""); body == first {
			t.Errorf("GET %s is the same picture", target)
		}
	}
	if len(drawn) != 4 {
		t.Errorf("%d pictures are kept, want 4", len(drawn))
	}
}

func TestReadID(t *testing.T) {
	tests := []struct {
		text, want string
		ok         bool
	}{
		{"0123456789", "0123456789", true},
		{"ABCDEFGHJK", "abcdefghjk", true},
		{"oOiIlL0000", "0011110000", true},
		{"0123456789abcdef", "0123456789abcdef", true},
		{"012345678", "", false},
		{"0123456789abcdefg", "", false},
		{"012345678u", "", false},
		{"012345678é", "", false},
		{"012345678/", "", false},
		{"", "", false},
	}
	for _, tt := range tests {
		if got, ok := readID(tt.text); got != tt.want || ok != tt.ok {
			t.Errorf("readID(%q) = %q, %v, want %q, %v", tt.text, got, ok, tt.want, tt.ok)
		}
	}
}

// Errors of the store, the limiter and the page are logged and answered.
func TestErrors(t *testing.T) {
	const query = "data=linreg&algos=local"
	tests := []struct {
		name           string
		spoil          func(s *Server, store *memoryStore)
		method, target string
		status         int
	}{
		{"store fails to read", func(_ *Server, store *memoryStore) { store.err = errors.New("gone") }, "GET", "/s/0123456789", 503},
		{"store fails to write", func(_ *Server, store *memoryStore) { store.err = errors.New("gone") }, "POST", "/api/links", 503},
		{"no store", func(s *Server, _ *memoryStore) { s.Store = nil }, "POST", "/api/links", 503},
		{"no store, link", func(s *Server, _ *memoryStore) { s.Store = nil }, "GET", "/s/0123456789", 404},
		{"no key, link", func(s *Server, store *memoryStore) {
			s.Key, store.texts["0123456789"] = nil, "dphi=8"
		}, "GET", "/s/0123456789", 200},
		{"no key", func(s *Server, _ *memoryStore) { s.Key = nil }, "POST", "/api/links", 503},
		{"too much", func(s *Server, _ *memoryStore) { s.Posts = refuseAll{} }, "POST", "/api/links", 429},
		{"too many pictures", func(s *Server, _ *memoryStore) { s.Drawings = refuseAll{} }, "GET", "/og.png?t=3", 429},
		{"too many pictures of links", func(s *Server, store *memoryStore) {
			s.Drawings, store.texts["0123456789"] = refuseAll{}, "dphi=8"
		}, "GET", "/og/0123456789.png?x=1", 429},
		{"limiter fails", func(s *Server, _ *memoryStore) { s.Posts = refuseAll{errors.New("gone")} }, "POST", "/api/links", 201},
		{"no page", func(s *Server, _ *memoryStore) { s.Page = func() (*Page, error) { return nil, errors.New("gone") } }, "GET", "/", 500},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, store := newServer()
			tt.spoil(s, store)
			answer, body := ask(s, tt.method, tt.target, query)
			if answer.StatusCode != tt.status || strings.Contains(body, "gone") {
				t.Errorf("%s %s = %d %s, want %d", tt.method, tt.target, answer.StatusCode, body, tt.status)
			}
			if tt.status >= 500 && answer.Header.Get(cacheControlHeader) != "" {
				t.Errorf("%s %s may be kept: %s", tt.method, tt.target, answer.Header.Get(cacheControlHeader))
			}
		})
	}
}

// A page offers short links only if the server makes them.
func TestPageOffersLinks(t *testing.T) {
	s, _ := newServer()
	if _, page := ask(s, "GET", "/", ""); !strings.Contains(page,
		`<meta name="flockscope-links" content="/api/links">`) {
		t.Errorf("the page is\n%s", page)
	}
	s.Store = nil
	if _, page := ask(s, "GET", "/", ""); strings.Contains(page, "flockscope-links") {
		t.Errorf("without a store the page is\n%s", page)
	}
}

// The page changes only in its title and description, and has each once.
func TestPage(t *testing.T) {
	s, _ := newServer()
	_, page := ask(s, "GET", "/?dphi=8", "")
	for _, once := range []string{"<title>", `<meta name="description"`, `<link href="x">`, "<body>",
		"<!doctype html>"} {
		if n := strings.Count(page, once); n != 1 {
			t.Errorf("the page has %d of %s:\n%s", n, once, page)
		}
	}
	for _, bad := range []string{"", "<title>x", "<h1>x</h1>"} {
		if _, err := NewPage(bad, ""); err == nil {
			t.Errorf("NewPage(%q) = nil, want an error", bad)
		}
	}
}

// The address of the server is the one that its owner set, or else the host of the request.
func TestOrigin(t *testing.T) {
	tests := []struct{ origin, host, want string }{
		{"", "flock.example.org", "http://flock.example.org"},
		{"", "[::1]:8080", "http://[::1]:8080"},
		{"https://flock.example.org", "evil.example", "https://flock.example.org"},
		{"", `"><script>`, ""},
		{"", "a b", ""},
		{"", strings.Repeat("a", 300), ""},
		{"", "Flock.Example.ORG:80", "http://flock.example.org:80"},
		{"", "192.0.2.1", "http://192.0.2.1"},
		{"", "[2001:DB8::1]", "http://[2001:db8::1]"},
		{"", "[::1", ""},
		{"", "[::1]x", ""},
		{"", "[::1%25eth0]:80", ""},
		{"", "[192.0.2.1]", ""},
		{"", "::1", ""},
		{"", "", ""},
		{"", ":80", ""},
		{"", "h:", ""},
		{"", "h:0", ""},
		{"", "h:080", ""},
		{"", "h:65536", ""},
		{"", "h:1:2", ""},
		{"", "user@h", ""},
		{"", "h/path", ""},
		{"", "...", ""},
	}
	for _, tt := range tests {
		s := &Server{Origin: tt.origin}
		r := httptest.NewRequest("GET", "javascript://elsewhere/", nil)
		for _, name := range []string{"Forwarded", "X-Forwarded-Host", "X-Forwarded-Proto"} {
			r.Header.Set(name, "host=elsewhere;proto=https")
		}
		r.Host = tt.host
		if got := s.origin(r); got != tt.want {
			t.Errorf("with %q and the host %.40q the origin is %q, want %q", tt.origin, tt.host, got, tt.want)
		}
	}
	s, _ := newServer()
	w := httptest.NewRecorder()
	r := httptest.NewRequest("GET", "/", nil)
	r.Host = `"><script>`
	if s.ServeHTTP(w, r); w.Code != http.StatusBadRequest || strings.Contains(w.Body.String(), "script") {
		t.Errorf("a hostile host gets %d %s", w.Code, w.Body)
	}
}

func TestClient(t *testing.T) {
	tests := []struct{ address, want string }{
		{"192.0.2.7:1234", "192.0.2.7"},
		{"192.0.2.7", "192.0.2.7"},
		{"[::ffff:192.0.2.7]:1", "192.0.2.7"},
		{"[2001:db8:1:2:3:4:5:6]:1", "2001:db8:1:2::/64"},
		{"2001:db8:1:2::9", "2001:db8:1:2::/64"},
		{"fe80::1%eth0", "fe80::/64"},
		{"", "unknown"},
	}
	for _, tt := range tests {
		if got := client(&http.Request{RemoteAddr: tt.address}); got != tt.want {
			t.Errorf("client(%q) = %q, want %q", tt.address, got, tt.want)
		}
	}
}

// Links of all versions open with their old meaning.
func TestGoldenLinks(t *testing.T) {
	text, err := os.ReadFile("testdata/links.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		stored, want, ok := strings.Cut(line, " → ")
		if !ok {
			want = stored
		}
		s, store := newServer()
		id := fmt.Sprintf("%010d", n)
		store.texts[id] = stored
		n++
		answer, page := ask(s, "GET", "/s/"+id, "")
		if answer.StatusCode != 200 || !strings.Contains(page, `data-query="`+html.EscapeString(want)+`" defer`) {
			t.Errorf("the link of %q answers %d\n%s", stored, answer.StatusCode, page)
		}
		if _, problems := ReadState(Schema(), stored); len(problems) > 0 {
			t.Errorf("%q has problems: %v", stored, problems)
		}
	}
	if n < 8 {
		t.Errorf("there are only %d links", n)
	}
}

// bodies returns bodies of POST /api/links and the status of each answer.
func bodies(t testing.TB) (list []string, status []int) {
	t.Helper()
	text, err := os.ReadFile("testdata/bodies.txt")
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
		want, times := 0, 1
		fmt.Sscan(before, &want, &times)
		list, status = append(list, strings.Repeat(body, times)), append(status, want)
	}
	return list, status
}

func TestBodies(t *testing.T) {
	list, status := bodies(t)
	for i, body := range list {
		s, store := newServer()
		answer, text := ask(s, "POST", "/api/links", body)
		if answer.StatusCode != status[i] || (store.puts == 1) != (status[i] == 201) {
			t.Errorf("POST %.80q = %d %.200s and %d puts, want %d", body, answer.StatusCode, text, store.puts,
				status[i])
		}
	}
}

// For any body the answer is JSON that repeats none of it, and the stored text is canonical
// and opens.
func FuzzBodies(f *testing.F) {
	list, _ := bodies(f)
	for _, body := range list {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		s, store := newServer()
		answer, text := ask(s, "POST", "/api/links", body)
		switch answer.StatusCode {
		case 413, 422:
			var r refusal
			if err := json.Unmarshal([]byte(text), &r); err != nil || r.Error == "" || len(text) > 8000 {
				t.Errorf("POST %q = %s", body, text)
			}
		case 201:
			var l link
			if err := json.Unmarshal([]byte(text), &l); err != nil {
				t.Fatalf("POST %q = %s", body, text)
			}
			const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,:=&-+_"
			if strings.Trim(l.Query, harmless) != "" || store.texts[l.ID] != l.Query {
				t.Errorf("POST %q stores %q", body, store.texts)
			}
			if got := makeLink(t, s, l.Query); got != l.ID {
				t.Errorf("POST %q has the id %s, and in canonical form %s", body, l.ID, got)
			}
			if answer, page := ask(s, "GET", "/s/"+l.ID, ""); answer.StatusCode != 200 ||
				!strings.Contains(page, html.EscapeString(l.Query)) {
				t.Errorf("the link of %q answers %d", body, answer.StatusCode)
			}
		default:
			t.Errorf("POST %q = %d %s", body, answer.StatusCode, text)
		}
	})
}

// Without scripts, a page shows the picture and the address of its own state, and the start page what it has.
func TestPageWithoutScripts(t *testing.T) {
	s, _ := newServer()
	_, start := ask(s, "GET", "/", "")
	if !strings.Contains(start, "<noscript>first</noscript>\n<p>rest</p>") {
		t.Errorf("the start page is %s", start)
	}
	id := makeLink(t, s, "data=linreg&dphi=20&algos=clove")
	for path, want := range map[string][2]string{
		"/?data=linreg&dphi=20&algos=clove&embed=1": {"http://example.com/?data=linreg&amp;algos=clove", "http://example.com/og.png?data=linreg&amp;algos=clove"},
		"/s/" + id + "?embed=1":                     {"http://example.com/s/" + id, "http://example.com/og/" + id + ".png"},
	} {
		_, page := ask(s, "GET", path, "")
		_, plain, _ := strings.Cut(page, "<noscript>")
		plain, rest, ok := strings.Cut(plain, "</noscript>")
		if !ok || !strings.HasPrefix(rest, "\n<p>rest</p>") || !strings.Contains(plain, `<a href="`+want[0]+`">`+want[0]+`</a>`) ||
			!strings.Contains(plain, `<img src="`+want[1]+`"`) || !strings.Contains(plain, "CLoVE on 12 clients") ||
			strings.Contains(plain, "first") {
			t.Errorf("%s says without scripts: %s", path, plain)
		}
	}
}

// A server without classes says why, and what has them.
func TestNoClasses(t *testing.T) {
	s, _ := newServer()
	for _, path := range []string{"/c/ABCDEF", "/class/", "/class/ABCDEF"} {
		if answer, body := ask(s, "GET", path, ""); answer.StatusCode != http.StatusNotImplemented ||
			!strings.Contains(body, "flock class") {
			t.Errorf("GET %s = %d %s", path, answer.StatusCode, body)
		}
	}
}
