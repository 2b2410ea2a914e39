// Package engine is Flockscope's engine in a browser: it takes messages from
// the page, runs experiments and posts frames back. Everything but the posting
// itself (engine_js.go) is plain Go.
//
//	session.go     the runs that the page asks for, and what it is told of them
//	engine_js.go   messages in the browser; door_js.go when they come in
//	gate.go        waiting while nobody sees the page
//	shards_js.go   workers with some of the clients; mail_js.go memory shared with them
//	inflate_js.go  unpacking files with the browser's own program
package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/ingest"
	"flockscope/sim/lab/plan"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/sim/workload"
)

// Host is what a session needs from the world.
type Host interface {
	// Post sends a message to the page. The bytes are copied before it returns.
	Post(message []byte)
	// Breathe is called after every round. It lets messages from the page come in,
	// now and then, and reports whether it is time for rounds to go out.
	Breathe() bool
	// Shards returns so many places that work for a run over the file,
	// nil if there are none to be had.
	Shards(n int, files []ingest.File) engine.Shards
}

// session serves one page: one run at a time, the newest wins.
type session struct {
	host   Host
	file   *workload.File
	files  []ingest.File // it was read from
	look   int           // the round that the page looks at
	cancel context.CancelFunc
	gate   gate
	// unasked gives up the question that is being answered.
	unasked context.CancelFunc
	idle    sync.WaitGroup // counts the run under way
	message wire.Message   // of the run under way; a slider would make garbage of its room
}

// Serve returns the function that takes the page's messages.
func Serve(host Host) func(message []byte) {
	s := &session{host: host, cancel: func() {}, unasked: func() {}}
	return s.receive
}

func (s *session) receive(message []byte) {
	id, records, err := wire.Open(message)
	if err != nil {
		s.refuse(0, err)
		return
	}
	var lanes []int
	shards := 0
	var files []ingest.File
	roles := ""
	floats := 0.0
	for kind, payload := range records {
		switch kind {
		case wire.Shards:
			if len(payload) == 1 {
				shards = int(payload[0])
			}
		case wire.Lanes:
			for _, n := range payload {
				lanes = append(lanes, int(n))
			}
		case wire.Explain:
			if q, ok := wire.OpenQuestion(payload); ok {
				s.unasked()
				var ctx context.Context
				ctx, s.unasked = context.WithCancel(context.Background())
				go s.explain(ctx, id, q, s.file)
			}
		case wire.Cancel:
			s.cancel()
		case wire.Hold:
			s.gate.set(len(payload) == 1 && payload[0] == 1)
		case wire.File:
			if f, ok := wire.OpenFile(payload); ok {
				files = append(files, ingest.File{Name: f.Name, Data: slices.Clone(f.Data)})
			}
		case wire.Budget:
			floats, _ = plan.ParseFloats(string(payload))
		case wire.Roles:
			roles = string(payload)
		case wire.Run, wire.Try:
			s.cancel()
			if kind == wire.Run {
				s.unasked()
			}
			ctx, cancel := context.WithCancel(context.Background())
			s.cancel = cancel
			go s.run(ctx, id, request{string(payload), kind == wire.Try, floats, lanes, shards, s.file, s.files,
				s.look})
		case wire.Look:
			if len(payload) == 4 {
				s.look = int(binary.LittleEndian.Uint32(payload))
			}
		}
	}
	if files != nil {
		s.take(id, files, roles)
	}
}

// take reads the user's files, with the roles of columns that are asked for. Broken ones
// change nothing.
func (s *session) take(id uint32, files []ingest.File, roles string) {
	asked := map[string]string{}
	for setting := range strings.SplitSeq(roles, "&") {
		key, value, _ := strings.Cut(setting, "=")
		asked[key] = value
	}
	opened, err := workload.OpenFiles(files)
	if err != nil {
		s.refuse(id, err)
		return
	}
	var m wire.Message
	m.Reset(id)
	if t := opened.Columns(); t != nil {
		chosen, err := t.Roles(asked["cols"])
		if err != nil {
			chosen = t.Guess()
		}
		var lines []string
		for _, line := range t.Inspect(chosen) {
			lines = append(lines, line.String())
		}
		m.Text(wire.Columns, strings.Join(lines, "\n"))
	}
	file, err := opened.With(asked["cols"], asked["na"])
	if err != nil {
		m.Text(wire.Refused, string(say.Of(err)))
		s.host.Post(m.Bytes())
		return
	}
	s.file, s.files = file, files
	advised := asked["kept"] == ""
	settings := append([]string{file.Data()}, file.SettingsApart()...)
	if !advised {
		settings = append(settings[:1], file.Settings()...)
	}
	for _, key := range []string{"cols", "na"} {
		if value := asked[key]; value != "" {
			settings = append(settings, key+"="+value)
		}
	}
	if advised {
		settings = append(settings, file.Advice()...)
	}
	words := append([]say.Message{file.Words()}, file.Notes...)
	if file.Same != "" {
		words = append(words, file.Same)
	}
	if note := file.Adapted(func(key string) bool { return key == "test" && !advised }, advised); note != "" {
		words = append(words, note)
	}
	m.Text(wire.Accepted, strings.Join(settings, "&")+" "+string(say.JoinMessage(words, ". ")))
	s.host.Post(m.Bytes())
}

// refuse says why not, and what would do instead.
func (s *session) refuse(id uint32, err error) {
	var m wire.Message
	m.Reset(id)
	if e := new(param.Error); errors.As(err, &e) {
		for _, o := range e.Offers {
			m.Text(wire.Offer, o.Key+"="+o.Value)
		}
	}
	m.Text(wire.Refused, string(say.Of(err)))
	s.host.Post(m.Bytes())
}

// request is what a run needs to know.
type request struct {
	query  string
	try    bool    // only its end is wanted
	floats float64 // budget of a try; see sim/lab/plan
	lanes  []int   // nil for all
	shards int
	file   *workload.File
	files  []ingest.File
	look   int
}

// run plays one experiment. Runs queue up behind each other: one that was
// cancelled ends within a round.
func (s *session) run(ctx context.Context, id uint32, r request) {
	s.idle.Wait()
	s.idle.Add(1)
	defer s.idle.Done()
	if ctx.Err() != nil {
		return
	}
	c, problems := catalog.Schema().Parse(r.query)
	if err := experiment.First(problems); err != nil {
		s.refuse(id, err)
		return
	}
	if r.try {
		s.try(ctx, id, c, r.floats, r.file)
		return
	}
	if r.lanes == nil {
		for i := range c.Lanes() {
			r.lanes = append(r.lanes, i)
		}
	}
	p := &poster{host: s.host, id: id, look: r.look, message: &s.message, posted: time.Now(),
		wait: func() { s.gate.wait(ctx) }}
	p.message.Reset(id)
	switch err := engine.RunLanes(ctx, c, r.file, r.lanes, s.host.Shards(r.shards, r.files), p); {
	case err == nil:
		p.message.Record(wire.Done, nil)
		p.flush()
	case ctx.Err() == nil:
		s.refuse(id, err)
	}
}

// try plays a whole run and posts how it ended within a budget, and nothing of its rounds.
func (s *session) try(ctx context.Context, id uint32, c experiment.Config, floats float64, file *workload.File) {
	cell := plan.CellOf(c, floats, "")
	began := time.Now()
	r, err := cell.Measure(func() { s.host.Breathe() },
		func(to plan.Sink) error { return engine.Run(ctx, c, file, to) },
		func(lane, round int, to plan.Sink) error { return engine.RunTo(ctx, c, file, lane, round, to) })
	switch {
	case err == nil:
		r.Seconds = time.Since(began).Seconds()
		text, err := r.AppendJSON(nil)
		if err != nil {
			s.refuse(id, say.Errorf("a score is not a finite number"))
			return
		}
		var m wire.Message
		m.Reset(id)
		m.Text(wire.Tried, string(text))
		s.host.Post(m.Bytes())
	case ctx.Err() == nil:
		s.refuse(id, err)
	}
}

// explain answers a question. It takes its turn among the runs; nobody waits for
// the answer to one that cannot be answered.
func (s *session) explain(ctx context.Context, id uint32, q wire.Question, file *workload.File) {
	s.idle.Wait()
	s.idle.Add(1)
	defer s.idle.Done()
	c, problems := catalog.Schema().Parse(q.Query)
	if ctx.Err() != nil || experiment.First(problems) != nil {
		return
	}
	d, err := engine.Explain(ctx, c, file, q.Lane, q.Round, q.Client, func() { s.host.Breathe() })
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		d = &trace.Detail{Lane: q.Lane, Round: q.Round, Client: q.Client} // there is nothing to tell
	}
	var m wire.Message
	m.Reset(id)
	m.Record(wire.Explained, func(dst []byte) []byte { return trace.AppendDetail(dst, d) })
	s.host.Post(m.Bytes())
}

// poster is the sink of a run: it collects records and posts them when the
// round that the page looks at is there, and from then on whenever the host
// takes a breath, so that a picture comes at once and a long run streams.
type poster struct {
	host    Host
	id      uint32
	look    int
	message *wire.Message
	wait    func() // while the page is out of sight

	breathing sync.Mutex
	breathed  bool // since the last round

	counting sync.Mutex
	posted   time.Time // when something was posted last
}

func (p *poster) Begin(h *trace.Header) {
	p.message.Record(wire.Begin, func(dst []byte) []byte { return trace.AppendHeader(dst, h) })
}

func (p *poster) Frame(lane int, f *trace.Frame) {
	p.message.Record(wire.Frame, func(dst []byte) []byte { return trace.AppendFrame(append(dst, byte(lane)), f) })
}

// Yield implements [engine.Breather]. Lanes may call it while another of them
// waits in it.
func (p *poster) Yield() {
	if p.breathing.TryLock() {
		p.breathed = p.host.Breathe() || p.breathed
		p.breathing.Unlock()
	}
}

// silence is how long nothing is posted of a round that takes long.
var silence = 500 * time.Millisecond

// Count implements [engine.Counter]: where nothing else is posted for a while, the
// page hears how many clients are done.
func (p *poster) Count(lane, done int) {
	if !p.counting.TryLock() {
		return
	}
	defer p.counting.Unlock()
	if time.Since(p.posted) < silence {
		return
	}
	var m wire.Message
	m.Reset(p.id)
	m.Record(wire.Count, func(dst []byte) []byte {
		return binary.LittleEndian.AppendUint32(append(dst, byte(lane)), uint32(done))
	})
	p.host.Post(m.Bytes())
	p.posted = time.Now()
}

func (p *poster) Round(t int) {
	if t == p.look || p.host.Breathe() || p.breathed {
		p.breathed = false
		p.flush()
		p.wait()
	}
}

func (p *poster) End(lane int, s *trace.Summary) {
	p.message.Record(wire.End, func(dst []byte) []byte { return trace.AppendSummary(append(dst, byte(lane)), s) })
}

func (p *poster) flush() {
	if !p.message.Empty() {
		p.host.Post(p.message.Bytes())
		p.counting.Lock()
		p.posted = time.Now()
		p.counting.Unlock()
	}
	p.message.Reset(p.id)
}
