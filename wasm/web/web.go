package web

import (
	"log"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
)

// Routes are the paths that a Server answers. A final * stands for any rest of the path.
// Every other path is that of a file, or answered with 404.
var Routes = []string{"/", "/index.html", "/healthz", "/api/*", "/s/*", "/og/*", "/og.svg", "/og.png", "/oembed",
	"/c/*", "/class/*"}

// A Server answers what Routes lists. Only Schema and Page must be set.
type Server struct {
	Schema func() *experiment.Schema
	Page   func() (*Page, error)
	// Check, if set, returns an error for an experiment that the schema accepts and a run
	// would refuse. A Worker, which holds no data and no algorithms, uses the function
	// Check of this package.
	Check  func(experiment.Config) error
	Origin string // "https://host"; "" for the host of each request, over http

	// Without a store there are no short links. Without a key, stored links open, but
	// no new ones are made, and pages do not offer any. The key makes ids unguessable.
	// With another key the same text gets another id, and old ids still work.
	Store Store
	Key   []byte

	Posts    Limiter // of new links, nil for no limit
	Drawings Limiter // of pictures, nil for no limit; a picture from Pictures is not counted
	Pictures Cache   // cache of drawn pictures; nil to draw each time
}

// makesLinks reports whether new links are stored.
func (s *Server) makesLinks() bool { return s.Store != nil && len(s.Key) > 0 }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if s.origin(r) == "" {
		respond(w, http.StatusBadRequest, typeText, []byte("The Host header is not a valid host name.\n"))
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
	case strings.HasPrefix(path, "/c/"), strings.HasPrefix(path, "/class/"):
		respond(w, http.StatusNotImplemented, typeText, []byte(noClasses))
	case path == "/", path == "/index.html":
		s.queryPage(w, r)
	case path == "/oembed":
		s.oembed(w, r)
	case path == "/og.svg", path == "/og.png":
		s.queryPicture(w, r)
	case strings.HasPrefix(path, "/og/"):
		if name, ok := trimPicture(strings.TrimPrefix(path, "/og/")); ok {
			redirect(w, r, "/og/"+name, nil)
			return
		}
		s.linkPicture(w, r)
	case strings.HasPrefix(path, "/s/"):
		if id, settings, ok := trimID(strings.TrimPrefix(path, "/s/")); ok {
			redirect(w, r, "/s/"+id, settings)
			return
		}
		s.linkPage(w, r)
	default:
		missing(w)
	}
}

// noClasses is the answer where a class would be. The native server answers these paths itself when it holds classes.
const noClasses = "This server holds no classes. The phones of a class stay connected for a lesson to one program, which " +
	"keeps their models in memory; a Worker ends with its answer and keeps nothing. flock class starts a server that can.\n"

// redirect sends the client to another path of this server. settings come before the query of the request.
func redirect(w http.ResponseWriter, r *http.Request, path string, settings url.Values) {
	query := settings.Encode()
	if query != "" && r.URL.RawQuery != "" {
		query += "&"
	}
	if query += r.URL.RawQuery; query != "" {
		path += "?" + query
	}
	w.Header().Set("Location", path)
	respond(w, http.StatusMovedPermanently, typeText, []byte("The link has moved.\n"))
}

// onlyReads refuses methods that would change something.
func onlyReads(w http.ResponseWriter, r *http.Request) bool {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return true
	}
	w.Header().Set("Allow", "GET, HEAD")
	respond(w, http.StatusMethodNotAllowed, typeText, []byte("Only GET and HEAD are allowed here.\n"))
	return false
}

// origin returns the address of this server, without a final slash; "" for a request
// without a valid host. The address appears in tags and answers, so of a request only the
// host name is used: neither the scheme of an absolute request target nor headers of
// proxies, which any client can send.
func (s *Server) origin(r *http.Request) string {
	if s.Origin != "" {
		return s.Origin
	}
	if !isHost(r.Host) {
		return ""
	}
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	return scheme + strings.ToLower(r.Host)
}

// isHost reports whether a text is a name or an IP address, with or without a
// port.
func isHost(text string) bool {
	name, port, err := net.SplitHostPort(text)
	if err != nil { // there is no port
		name = text
		if inner, ok := strings.CutPrefix(text, "["); ok {
			name, ok = strings.CutSuffix(inner, "]")
			if !ok {
				return false
			}
		}
	} else if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 || strconv.Itoa(n) != port {
		return false
	}
	if strings.HasPrefix(text, "[") {
		a, err := netip.ParseAddr(name)
		return err == nil && a.Is6() && a.Zone() == ""
	}
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-"
	return name != "" && len(name) <= 253 && strings.Trim(name, letters) == "" && strings.Trim(name, ".-") != ""
}

// allowed reports whether a rate limit allows a request. It does when the limiter itself
// fails: links matter more than limits.
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

// client returns the key of a client for rate limits: its IPv4 address, or the /64 prefix
// of its IPv6 address, which one household shares.
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

// stored returns the state stored under an id. If there is none, it writes the answer and
// returns false.
func (s *Server) stored(w http.ResponseWriter, r *http.Request, text string) (id string, state State, ok bool) {
	if id, _, ok = trimID(text); !ok {
		id, ok = readID(text)
	}
	if !ok || s.Store == nil {
		missing(w)
		return "", State{}, false
	}
	query, err := s.Store.Get(r.Context(), id)
	if err != nil {
		log.Print("store: ", err)
		w.Header().Set("Retry-After", "5")
		respond(w, http.StatusServiceUnavailable, typeText,
			[]byte("The links cannot be read at the moment. Please try again.\n"))
		return "", State{}, false
	}
	if query == "" {
		missing(w)
		return "", State{}, false
	}
	state, _ = ReadState(s.Schema(), query)
	return id, state, true
}

// hasData reports whether a query is a whole experiment, and not only some settings on
// top of one.
func hasData(r *http.Request) bool {
	values, _ := url.ParseQuery(r.URL.RawQuery)
	for key := range values {
		if strings.EqualFold(key, "data") {
			return true
		}
	}
	return false
}

// MissingPage is the page of status 404.
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
