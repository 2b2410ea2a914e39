//go:build !js

package class

import (
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// quick are settings for tests: rounds do not wait for anybody to look.
var quick = Settings{Digits: []int{2, 4, 7}, Each: 2, Held: 1, Deadline: 5 * time.Second, Lasts: time.Hour}

// room is a server with a class.
type room struct {
	*testing.T
	server *Server
	class  *Class
	url    string
	ctx    context.Context
}

func newRoom(t *testing.T, settings Settings) *room {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	s := NewServer(ctx, settings, false)
	web := httptest.NewServer(s)
	c, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		web.CloseClientConnections()
		web.Close()
	})
	return &room{t, s, c, web.URL, ctx}
}

// dial opens a WebSocket and says hello.
func (r *room) dial(what string, hello any) *websocket.Conn {
	r.Helper()
	conn, _, err := websocket.Dial(r.ctx, r.url+"/class/"+r.class.Code+"/"+what, nil)
	if err != nil {
		r.Fatal(err)
	}
	conn.SetReadLimit(8 << 20)
	write(r, conn, hello)
	return conn
}

func write(r *room, conn *websocket.Conn, v any) {
	r.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		r.Fatal(err)
	}
	if err := conn.Write(r.ctx, websocket.MessageText, data); err != nil {
		r.Error(err)
	}
}

// teacher is a teacher's page.
type teacher struct {
	*room
	conn *websocket.Conn
	last *seenState // nil since the last command
}

func (r *room) teacher() *teacher {
	return &teacher{room: r, conn: r.dial("teacher", map[string]string{"secret": r.class.secret})}
}

// seenState is what tests read of a teacher's state.
type seenState struct {
	Phones   []seenPhone    `json:"phones"`
	Problems map[string]int `json:"problems"`
	Refused  string         `json:"refused"`
	Guesses  [][]int        `json:"guesses"`
	Picture  *picture       `json:"picture"`
	Options  Options        `json:"options"`
	Past     []pastRun      `json:"past"`
	Run      *struct {
		Phase, Failed, Query  string
		Round, Rounds, Phones int
		Waiting               bool
		Ari, Accuracy         [][]float64
		Fingerprint           []string
		Seconds               float64
		Recorded              int
	} `json:"run"`
}

// until reads states until one is as wanted, perhaps the one that was read last.
func (a *teacher) until(what string, wanted func(s *seenState) bool) *seenState {
	a.Helper()
	ctx, cancel := context.WithTimeout(a.ctx, 90*time.Second)
	defer cancel()
	last := ""
	if a.last != nil && wanted(a.last) {
		return a.last
	}
	for {
		_, data, err := a.conn.Read(ctx)
		if err != nil {
			a.Fatalf("waiting until %s: %v; last state %s", what, err, last)
		}
		var s seenState
		if err := json.Unmarshal(data, &s); err != nil {
			a.Fatal(err)
		}
		a.last = &s
		if last = string(data); wanted(&s) {
			return &s
		}
	}
}

func (a *teacher) do(m fromTeacher) {
	a.Helper()
	a.last = nil
	write(a.room, a.conn, m)
}

// play starts a run and waits for its end.
func (a *teacher) play(o Options) *seenState {
	a.Helper()
	a.do(fromTeacher{Do: "start", Options: o})
	return a.until("the run is over", func(s *seenState) bool {
		if s.Refused != "" {
			a.Fatal(s.Refused)
		}
		return s.Run != nil && s.Run.Phase != "playing"
	})
}

// student is a phone that plays by the protocol.
type student struct {
	*room
	drawings drawings
	token    string
	number   int
	turned   bool

	mu   sync.Mutex
	conn *websocket.Conn
	gone chan struct{} // closed when the connection has ended
	// answer replaces the reply to a task; nil to answer it
	answer func(task, reply []byte) [][]byte
	status websocket.StatusCode // why the connection has ended
	heard  []map[string]any     // texts
}

// enter connects a student, and waits until the server has said who it is.
func (r *room) enter(s *student) *student {
	r.Helper()
	s.room = r
	s.conn = r.dial("phone", fromPhone{Type: "join", Token: s.token})
	s.gone = make(chan struct{})
	kind, data, err := s.conn.Read(r.ctx)
	if err != nil || kind != websocket.MessageText {
		r.Fatalf("entering: %v", err)
	}
	s.hear(data)
	if s.number == 0 {
		r.Fatalf("the server said %s", data)
	}
	go s.listen(s.conn, s.gone)
	return s
}

func (s *student) hear(data []byte) {
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		s.Error(err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, m)
	if token, ok := m["token"].(string); ok {
		s.token, s.number, s.turned = token, int(m["number"].(float64)), m["turned"].(bool)
	}
}

// computing bounds the phones that compute at a time: a room has a processor for each.
var computing = make(chan struct{}, runtime.GOMAXPROCS(0))

func (s *student) listen(conn *websocket.Conn, gone chan struct{}) {
	defer close(gone)
	for {
		kind, data, err := conn.Read(s.ctx)
		if err != nil {
			s.mu.Lock()
			s.status = websocket.CloseStatus(err)
			s.mu.Unlock()
			return
		}
		if kind == websocket.MessageText {
			s.hear(data)
			continue
		}
		computing <- struct{}{}
		out := [][]byte{answerTask(data, &s.drawings, 3)}
		<-computing
		if s.answer != nil {
			out = s.answer(data, out[0])
		}
		for _, reply := range out {
			conn.Write(s.ctx, websocket.MessageBinary, reply) // an error also ends Read
		}
	}
}

func (s *student) ready() {
	s.Helper()
	write(s.room, s.conn, fromPhone{Type: "ready", Drawings: len(s.drawings.y), Held: len(s.drawings.heldY)})
}

// drop cuts the connection as a lost network does.
func (s *student) drop() {
	s.conn.CloseNow()
	<-s.gone
}

// strokes are drawings of the digits 2, 4 and 7 as lines through points of a square of 100 × 100, drawn by hand on a
// trackpad for these tests.
var strokes = [3][][2]float64{
	{{26, 32}, {31, 20}, {44, 13}, {58, 15}, {68, 25}, {68, 38}, {60, 51}, {48, 64}, {35, 77}, {25, 87}, {42, 86}, {60, 85}, {75, 86}},
	{{60, 88}, {60, 66}, {61, 43}, {61, 14}, {50, 30}, {37, 47}, {25, 63}, {42, 64}, {60, 63}, {79, 62}},
	{{24, 17}, {42, 16}, {59, 15}, {75, 15}, {69, 31}, {61, 48}, {53, 64}, {46, 88}},
}

// pupil returns the drawings of a pupil with a hand of its own: size, slant and tremor. Turned pupils hold their phone
// upside down.
func pupil(r *rand.Rand, turned bool, each, held int) drawings {
	var d drawings
	size, slant := 0.16+0.05*r.Float64(), 0.3*(r.Float64()-0.5)
	for class, line := range strokes {
		for n := range each + held {
			x := make([]float32, Side*Side)
			at := func(i int) (float64, float64) {
				px, py := line[i][0]-50, line[i][1]-50
				return 14 + size*(px-slant*py), 14 + size*py
			}
			jx, jy := 1.5*(r.Float64()-0.5), 1.5*(r.Float64()-0.5)
			for i := 1; i < len(line); i++ {
				ax, ay := at(i - 1)
				bx, by := at(i)
				ink(x, ax+jx, ay+jy, bx+jx+0.6*r.NormFloat64()/3, by+jy+0.6*r.NormFloat64()/3)
			}
			if turned {
				turn(x)
			}
			d.add(x, class, n >= each)
		}
	}
	return d
}

// ink draws a line with a round pen.
func ink(x []float32, ax, ay, bx, by float64) {
	for s := range 21 {
		f := float64(s) / 20
		cx, cy := ax+f*(bx-ax), ay+f*(by-ay)
		for py := range Side {
			for px := range Side {
				dx, dy := float64(px)+0.5-cx, float64(py)+0.5-cy
				if v := 1.6 - (dx*dx + dy*dy); v > 0 {
					i := py*Side + px
					x[i] = max(x[i], float32(min(v, 1)))
				}
			}
		}
	}
}

// pupils lets n students enter, each with drawings.
func (r *room) pupils(n int) []*student {
	r.Helper()
	var all []*student
	for i := range n {
		s := r.enter(&student{})
		s.drawings = pupil(rand.New(rand.NewPCG(uint64(i), 3)), s.turned, 2, 1)
		s.ready()
		all = append(all, s)
	}
	return all
}

// A class plays a run: the methods find who has turned the phone, and the recording replays to the bit.
func TestClassPlays(t *testing.T) {
	t.Parallel()
	r := newRoom(t, quick)
	all := r.pupils(8)
	a := r.teacher()
	a.until("all are ready", func(s *seenState) bool {
		n := 0
		for _, p := range s.Phones {
			if p.Ready && p.Here {
				n++
			}
		}
		return n == len(all)
	})
	o := DefaultOptions
	o.Rounds, o.Record = 12, true
	s := a.play(o)
	if s.Run.Phase != "over" || s.Run.Round != 12 || len(s.Problems) != 0 {
		t.Fatalf("the run ended as %+v, with problems %v", s.Run, s.Problems)
	}
	if ari := s.Run.Ari[0]; ari[len(ari)-1] != 1 {
		t.Errorf("CFL-GP did not find the turned phones: ARI %v", ari)
	}
	recorded := r.recording(r.class.secret, "")
	was, played, err := Replay(r.ctx, recorded)
	live := s.Run.Fingerprint
	if err != nil || len(was) != 2 || !slices.Equal(was, played) || !slices.Equal(was, live) {
		t.Errorf("replayed %v of %v, live %v: %v", played, was, live, err)
	}
}

// recording fetches the last run; "?run" for the run file.
func (r *room) recording(secret, query string) []byte {
	r.Helper()
	q, err := http.NewRequestWithContext(r.ctx, http.MethodGet, r.url+"/class/"+r.class.Code+"/recording"+query, nil)
	if err != nil {
		r.Fatal(err)
	}
	q.Header.Set("Authorization", "Bearer "+secret)
	w, err := http.DefaultClient.Do(q)
	if err != nil {
		r.Fatal(err)
	}
	defer w.Body.Close()
	data, err := io.ReadAll(w.Body)
	if err != nil || w.StatusCode != http.StatusOK {
		r.Logf("recording: %s %s %v", w.Status, strings.TrimSpace(string(data)), err)
		return nil
	}
	return data
}
