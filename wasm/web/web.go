package web

import (
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"flockscope/sim/experiment"
)

// Routes are the paths that a Server answers; one that ends with a star stands
// for all that begin so. Everything else is a file, or missing.
var Routes = []string{"/", "/index.html", "/healthz", "/api/*", "/s/*", "/og/*", "/og.svg", "/og.png", "/oembed"}

// A Server answers what Routes lists. Only Schema and Page must be set.
type Server struct {
	Schema func() *experiment.Schema
	Page   func() (*Page, error)
	// Check, if set, says what is wrong with an experiment whose settings are fine as
	// far as the schema knows. A Worker has none: it holds no data and no algorithms.
	Check  func(experiment.Config) error
	Origin string // "https://host"; "" takes what each request was sent to

	// Without a store and a key there are no short links, and pages do not
	// offer any. The key makes ids unguessable; with another one, the same
	// text gets another id, and old ids go on working.
	Store Store
	Key   []byte

	Posts    Limiter // of new links, nil for no limit
	Drawings Limiter // of pictures that no link was stored for
}

// hasLinks reports whether there are short links.
func (s *Server) hasLinks() bool { return s.Store != nil && len(s.Key) > 0 }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if s.origin(r) == "" {
		respond(w, http.StatusBadRequest, typeText, []byte("This is no name of a server.\n"))
		return
	}
	if strings.HasPrefix(path, "/api/") {
		s.api(w, r)
		return
	}
	if !onlyReads(w, r) {
		return
	}
	switch {
	case path == "/healthz":
		respond(w, http.StatusOK, typeText, []byte("ok\n"))
	case path == "/", path == "/index.html":
		s.queryPage(w, r)
	case path == "/oembed":
		s.oembed(w, r)
	case path == "/og.svg", path == "/og.png":
		s.queryPicture(w, r)
	case strings.HasPrefix(path, "/og/"):
		s.linkPicture(w, r)
	case strings.HasPrefix(path, "/s/"):
		s.linkPage(w, r)
	default:
		missing(w)
	}
}

// onlyReads refuses methods that would change something.
func onlyReads(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	respond(w, http.StatusMethodNotAllowed, typeText, []byte("There is only something to GET here.\n"))
	return false
}

// origin returns the address of this server, without a slash at the end. It
// stands in tags and answers, so a request that names its host with anything
// but the letters of a name gets "".
func (s *Server) origin(r *http.Request) string {
	if s.Origin != "" {
		return s.Origin
	}
	scheme, host := r.URL.Scheme, r.Host
	if scheme == "" {
		if scheme = "http"; r.TLS != nil {
			scheme = "https"
		}
	}
	if host == "" {
		host = r.URL.Host
	}
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:[]"
	if host == "" || len(host) > 255 || strings.Trim(host, letters) != "" {
		return ""
	}
	return scheme + "://" + host
}

// allowed reports whether a limit lets a request pass. When the limiter itself
// fails, it does: links matter more than limits.
func allowed(l Limiter, r *http.Request) bool {
	if l == nil {
		return true
	}
	ok, err := l.Allow(r.Context(), client(r))
	if err != nil {
		log.Print("limiter: ", err)
		return true
	}
	return ok
}

// client returns who a request comes from, as far as limits care: an address,
// of version 6 the half that a household shares.
func client(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return "unknown"
	}
	if a = a.Unmap().WithZone(""); a.Is6() {
		half, _ := a.Prefix(64)
		return half.String()
	}
	return a.String()
}

// stored returns the state under an id, false when there is none. An answer
// has been written when it is false.
func (s *Server) stored(w http.ResponseWriter, r *http.Request, text string) (id string, state State, ok bool) {
	id, ok = readID(text)
	if !ok || !s.hasLinks() {
		missing(w)
		return "", State{}, false
	}
	query, err := s.Store.Get(r.Context(), id)
	if err != nil {
		log.Print("store: ", err)
		w.Header().Set("Retry-After", "5")
		respond(w, http.StatusServiceUnavailable, typeText, []byte("The links cannot be read at the moment. Please try again.\n"))
		return "", State{}, false
	}
	if query == "" {
		missing(w)
		return "", State{}, false
	}
	state, _ = ReadState(s.Schema(), query)
	return id, state, true
}

// hasData reports whether a query is a whole experiment rather than a few
// additions to one.
func hasData(r *http.Request) bool {
	values, _ := url.ParseQuery(r.URL.RawQuery)
	return values.Has("data")
}

// MissingPage is the answer to addresses that mean nothing.
const MissingPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Not found - Flockscope</title>
<h1>There is no such page</h1>
<p>A short link may have been typed wrongly: letters and digits only, and no o, i, l or u.</p>
<p><a href="/">Open Flockscope</a></p>
</html>
`

func missing(w http.ResponseWriter) { respond(w, http.StatusNotFound, typeHTML, []byte(MissingPage)) }
