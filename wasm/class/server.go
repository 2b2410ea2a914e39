//go:build !js

package class

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// A Server has the classes of one program.
//
//	/c/ and /c/CODE             the page of a phone
//	/class/                     opens a class, if everybody may
//	/class/CODE                 the teacher's page; the secret is in the fragment, which browsers do not send
//	/class/CODE/phone           WebSocket of a phone
//	/class/CODE/teacher         WebSocket of the teacher's page
//	/class/CODE/recording       the last run as a file, for who has the secret
//	/class/pages/…              scripts and styles of both pages
type Server struct {
	settings Settings
	anybody  bool // whether anybody may open a class
	ctx      context.Context

	mu      sync.Mutex
	classes map[string]*Class
	wrong   bucket
}

// mostClasses is how many classes may be open at a time.
const mostClasses = 20

// NewServer returns a server whose classes end with ctx. With anybody, its page opens classes for all who ask; otherwise
// only Open does.
func NewServer(ctx context.Context, settings Settings, anybody bool) *Server {
	return &Server{settings: settings, anybody: anybody, ctx: ctx, classes: map[string]*Class{},
		wrong: bucket{left: guesses, now: time.Now}}
}

// Wrong codes: guesses at once, and then so many per second. With 887 million codes, guessing for two hours finds one of
// twenty classes with a probability below 1 in 1000. When too many codes were wrong, phones that have not joined yet wait;
// others are known by their tokens.
const (
	guesses          = 100
	guessesPerSecond = 5
)

// A bucket has room for some events at once, and more with time.
type bucket struct {
	left float64
	last time.Time
	now  func() time.Time
}

// fill adds what time has brought, and reports whether there is room.
func (b *bucket) fill() bool {
	now := b.now()
	if !b.last.IsZero() {
		b.left = min(guesses, b.left+guessesPerSecond*now.Sub(b.last).Seconds())
	}
	b.last = now
	return b.left >= 1
}

// Open opens a class.
func (s *Server) Open() (*Class, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.classes) >= mostClasses {
		return nil, fmt.Errorf("%d classes are open, and there may be no more; end one, or wait", mostClasses)
	}
	c := newClass(s.ctx, s.settings)
	s.classes[c.Code] = c
	context.AfterFunc(c.ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.classes, c.Code)
	})
	return c, nil
}

// TeacherPath is the path of the teacher's link, with its secret.
func (c *Class) TeacherPath() string { return "/class/" + c.Code + "#" + c.secret }

// find returns the class of a code, or why there is none. Who is known to the class is let in whatever others have
// guessed.
func (s *Server) find(code string, known func(c *Class) bool) (*Class, websocket.StatusCode) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.classes[strings.ToUpper(code)]
	if c != nil && known(c) {
		return c, 0
	}
	switch room := s.wrong.fill(); {
	case !room:
		return nil, closeGuessing
	case c == nil:
		s.wrong.left--
		return nil, closeNoClass
	}
	return c, 0
}

// wrongSecret counts a wrong secret of a teacher's link as a wrong code.
func (s *Server) wrongSecret() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong.fill()
	s.wrong.left--
}

//go:embed pages
var embedded embed.FS

var pages, _ = fs.Sub(embedded, "pages")

// ServeHTTP answers requests for /c/ and /class/.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	setHeaders(w, r)
	if r.Method == http.MethodPost && r.URL.Path == "/class/" {
		s.openForAnybody(w, r)
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "Only GET and HEAD are allowed here.", http.StatusMethodNotAllowed)
		return
	}
	switch {
	case parts[0] == "c" && len(parts) <= 2:
		servePage(w, r, "phone.html")
	case len(parts) == 1:
		s.offer(w, r)
	case parts[1] == "pages" && len(parts) == 3:
		servePage(w, r, parts[2])
	case len(parts) == 2:
		servePage(w, r, "teacher.html")
	case len(parts) == 3 && parts[2] == "phone":
		s.phoneLink(w, r, parts[1])
	case len(parts) == 3 && parts[2] == "teacher":
		s.teacherLink(w, r, parts[1])
	case len(parts) == 3 && parts[2] == "recording":
		s.sendRecording(w, r, parts[1])
	default:
		http.NotFound(w, r)
	}
}

// setHeaders sets the headers of every answer: pages may load what this server has, and nothing keeps them.
func setHeaders(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "+
		"connect-src 'self' ws://"+r.Host+" wss://"+r.Host+"; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
}

func servePage(w http.ResponseWriter, r *http.Request, name string) {
	data, err := fs.ReadFile(pages, name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	if r.Method == http.MethodGet {
		w.Write(data)
	}
}

// offer shows the page that opens a class.
func (s *Server) offer(w http.ResponseWriter, r *http.Request) {
	if !s.anybody {
		http.Error(w, "The teacher's link was printed where the server was started. "+
			"A server that is started with -classes opens a class for everybody who asks here.", http.StatusNotFound)
		return
	}
	servePage(w, r, "open.html")
}

// openForAnybody opens a class, and leads to the teacher's page. Other sites cannot have a browser ask for it.
func (s *Server) openForAnybody(w http.ResponseWriter, r *http.Request) {
	if origin := r.Header.Get("Sec-Fetch-Site"); !s.anybody || origin != "" && origin != "same-origin" {
		http.Error(w, "This server opens no classes for others.", http.StatusForbidden)
		return
	}
	c, err := s.Open()
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	http.Redirect(w, r, c.TeacherPath(), http.StatusSeeOther)
}

// helloTimeout is the time in which a page says who it is.
const helloTimeout = 10 * time.Second

// accept makes a WebSocket of a request, and reads the first message, the page's own. Pages of other sites are refused.
func accept(w http.ResponseWriter, r *http.Request, hello any) (*websocket.Conn, error) {
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return nil, err // it has been answered
	}
	conn.SetReadLimit(largestText)
	ctx, cancel := context.WithTimeout(r.Context(), helloTimeout)
	defer cancel()
	kind, data, err := conn.Read(ctx)
	if err == nil && (kind != websocket.MessageText || json.Unmarshal(data, hello) != nil) {
		err = errMalformed
	}
	if err != nil {
		conn.Close(websocket.StatusPolicyViolation, "malformed")
	}
	return conn, err
}

// phoneLink lets a phone in, and reads what it sends until the link ends.
func (s *Server) phoneLink(w http.ResponseWriter, r *http.Request, code string) {
	var hello fromPhone
	conn, err := accept(w, r, &hello)
	if err != nil {
		return
	}
	defer conn.CloseNow()
	c, why := s.find(code, func(c *Class) bool { return c.knows(hello.Token) })
	if c == nil {
		conn.Close(why, "no such class")
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l := newLink(conn, cancel)
	p, err := c.join(hello.Token, l)
	if err != nil {
		conn.Close(closeFull, "the class is full")
		return
	}
	defer c.leave(p, l)
	go l.write(ctx)
	for {
		kind, data, err := conn.Read(ctx)
		if err != nil {
			if isTooBig(err) {
				c.mu.Lock()
				c.note(p, errOversized)
				c.mu.Unlock()
			}
			return
		}
		if why := c.receive(p, kind, data); why != 0 {
			conn.Close(why, "closed by the server")
			return
		}
	}
}

// teacherLink shows the class to who has the secret, and follows commands.
func (s *Server) teacherLink(w http.ResponseWriter, r *http.Request, code string) {
	var hello fromTeacher
	conn, err := accept(w, r, &hello)
	if err != nil {
		return
	}
	defer conn.CloseNow()
	c, why := s.find(code, func(c *Class) bool { return c.isTeacher(hello.Secret) })
	if c == nil {
		conn.Close(why, "no such class")
		return
	}
	if !c.isTeacher(hello.Secret) {
		s.wrongSecret()
		conn.Close(closeSecret, "not the teacher's link")
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	l := newLink(conn, cancel)
	c.mu.Lock()
	c.teachers[l] = true
	c.mu.Unlock()
	c.changed()
	defer func() {
		c.mu.Lock()
		delete(c.teachers, l)
		c.mu.Unlock()
	}()
	go l.write(ctx)
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var m fromTeacher
		if json.Unmarshal(data, &m) == nil && m.Do != "" {
			c.command(&m)
		}
	}
}

// sendRecording sends the last run as a file.
func (s *Server) sendRecording(w http.ResponseWriter, r *http.Request, code string) {
	secret, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	c, _ := s.find(code, func(c *Class) bool { return c.isTeacher(secret) })
	if c == nil || !c.isTeacher(secret) {
		s.wrongSecret()
		http.Error(w, "Only the teacher's page can save the recording.", http.StatusForbidden)
		return
	}
	c.mu.Lock()
	run := c.run
	ended := run != nil && run.ended && run.failed == ""
	c.mu.Unlock()
	if !ended {
		http.Error(w, "There is no finished run.", http.StatusNotFound)
		return
	}
	data := run.replies.bytes(run.fingerprint)
	if r.URL.Query().Has("run") {
		data = run.replies.trace
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(data)))
	w.Write(data)
}
