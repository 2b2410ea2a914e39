// Package engine is the engine in a browser: it receives messages of the page, runs experiments and
// posts frames. All but the browser's part (engine_js.go) is plain Go.
//
//	session.go     runs that the page requests; poster.go posts their frames
//	engine_js.go   messages in the browser; eventloop_js.go when they arrive
//	gate.go        pauses runs
//	shards_js.go   workers with some of the clients; endpoint_js.go messages to them
//
// The user's files are read by package reader, which only a program that opens files imports.
package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/sim/workload"
)

// Host has the functions of the platform that a session needs.
type Host interface {
	// Post sends a message to the page. The bytes are copied before it returns.
	Post(message []byte)
	// Yield is called after every round. From time to time it lets messages of the page arrive. It reports whether it
	// is time to post rounds.
	Yield() bool
	// Shards returns up to n shards for a run over the files, nil if none is available.
	Shards(n int, files []wire.NamedFile) engine.Shards
}

// A Reader reads the user's files; see package reader.
type Reader interface {
	// Unpack returns the text of a file with results of a sweep that is compressed, and nil for other files.
	Unpack(files []wire.NamedFile) []byte
	// Open reads files that belong together.
	Open(files []wire.NamedFile) (*workload.File, error)
	// Choose returns opened files with the requested roles of a table's columns, a query, and adds what the page must
	// know to an answer. If the files cannot be used with these roles, the answer says why, and the file is nil.
	Choose(answer *wire.Message, opened *workload.File, roles string) *workload.File
}

// session serves one page. It plays one run at a time, the newest.
type session struct {
	host       Host
	reader     Reader // nil in a program that opens no files
	file       *workload.File
	files      []wire.NamedFile // files from which file was read
	shownRound int              // the round that the page shows
	cancel     context.CancelFunc
	gate       gate
	// cancelExplain cancels the question in progress.
	cancelExplain context.CancelFunc
	running       sync.WaitGroup // counts the run in progress
	message       wire.Message   // of the run in progress, reused from run to run
}

// Serve returns the function that receives the page's messages. Without a reader the engine refuses files.
func Serve(host Host, reader Reader) func(message []byte) {
	s := &session{host: host, reader: reader, cancel: func() {}, cancelExplain: func() {}}
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
	var files []wire.NamedFile
	roles := ""
	floats, limit := 0.0, 0.0
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
				s.cancelExplain()
				var ctx context.Context
				ctx, s.cancelExplain = context.WithCancel(context.Background())
				go s.explain(ctx, id, q, s.file)
			}
		case wire.Cancel:
			s.cancel()
		case wire.Pause:
			s.gate.set(len(payload) == 1 && payload[0] == 1)
		case wire.File:
			if f, ok := wire.OpenFile(payload); ok {
				files = append(files, wire.NamedFile{Name: f.Name, Data: slices.Clone(f.Data)})
			}
		case wire.Budget:
			floats, _ = plan.ParseFloats(string(payload))
		case wire.Limit:
			if len(payload) == 8 {
				limit = math.Float64frombits(binary.LittleEndian.Uint64(payload))
			}
		case wire.Roles:
			roles = string(payload)
		case wire.Run, wire.Measure:
			s.cancel()
			if kind == wire.Run {
				s.cancelExplain()
			}
			ctx, cancel := context.WithCancel(context.Background())
			s.cancel = cancel
			go s.run(ctx, id, request{string(payload), kind == wire.Measure, floats, limit, lanes, shards, s.file,
				s.files, s.shownRound})
		case wire.ShownRound:
			if len(payload) == 4 {
				s.shownRound = int(binary.LittleEndian.Uint32(payload))
			}
		}
	}
	if files != nil {
		s.openFiles(id, files, roles)
	}
}

// openFiles reads the user's files, with the requested roles of columns. Invalid files change
// nothing.
func (s *session) openFiles(id uint32, files []wire.NamedFile, roles string) {
	if s.reader == nil {
		s.refuse(id, say.Errorf("this engine reads no files"))
		return
	}
	var m wire.Message
	m.Reset(id)
	if text := s.reader.Unpack(files); text != nil {
		m.Text(wire.Unpacked, string(text))
		s.host.Post(m.Bytes())
		return
	}
	opened, err := s.reader.Open(files)
	if err != nil {
		s.refuse(id, err)
		return
	}
	if file := s.reader.Choose(&m, opened, roles); file != nil {
		s.file, s.files = file, files
	}
	s.host.Post(m.Bytes())
}

// refuse posts an error, with settings that would avoid it.
func (s *session) refuse(id uint32, err error) {
	var m wire.Message
	m.Reset(id)
	if e := new(param.Error); errors.As(err, &e) {
		m.Text(wire.RefusedSetting, e.Field+" "+string(e.Expected()))
		for _, o := range e.Suggestions {
			m.Text(wire.Suggestion, o.Key+"="+o.Value)
		}
	}
	m.Text(wire.Refused, string(say.Of(err)))
	s.host.Post(m.Bytes())
}

// request describes a run.
type request struct {
	query      string
	measure    bool    // only the result is wanted; see wire.Measure
	budget     float64 // for measure: budget in floats per client; see sim/lab/plan
	limit      float64 // multiply-adds above which the run is not played; 0 for none
	lanes      []int   // nil for all
	shards     int
	file       *workload.File
	files      []wire.NamedFile
	shownRound int
}

// run plays one experiment. It waits for the previous run, which is cancelled and ends within a round.
func (s *session) run(ctx context.Context, id uint32, r request) {
	s.running.Wait()
	s.running.Add(1)
	defer s.running.Done()
	if ctx.Err() != nil {
		return
	}
	c, problems := catalog.Schema().Parse(r.query)
	if err := experiment.First(problems); err != nil {
		s.refuse(id, err)
		return
	}
	if r.measure {
		s.measure(ctx, id, c, r.budget, r.file)
		return
	}
	if r.lanes == nil {
		for i := range c.Lanes() {
			r.lanes = append(r.lanes, i)
		}
	}
	p := &poster{host: s.host, id: id, shownRound: r.shownRound, message: &s.message, posted: time.Now(),
		limit: r.limit, wait: func() { s.gate.wait(ctx) }}
	p.message.Reset(id)
	switch err := engine.RunLanes(ctx, c, r.file, r.lanes, s.host.Shards(r.shards, r.files), p); {
	case err == nil:
		p.message.Record(wire.Done, nil)
		p.flush()
	case errors.Is(err, engine.ErrNotPlayed):
	case ctx.Err() == nil:
		s.refuse(id, err)
	}
}

// measure plays a whole run and posts its result within a budget, without its rounds.
func (s *session) measure(ctx context.Context, id uint32, c experiment.Config, floats float64, file *workload.File) {
	cell := plan.CellOf(c, floats, "")
	began := time.Now()
	r, err := cell.Measure(func() { s.host.Yield() },
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
		m.Text(wire.Measured, string(text))
		s.host.Post(m.Bytes())
	case ctx.Err() == nil:
		s.refuse(id, err)
	}
}

// explain answers a question after earlier runs have ended. A question that cannot be answered has no reply.
func (s *session) explain(ctx context.Context, id uint32, q wire.Question, file *workload.File) {
	s.running.Wait()
	s.running.Add(1)
	defer s.running.Done()
	c, problems := catalog.Schema().Parse(q.Query)
	if ctx.Err() != nil || experiment.First(problems) != nil {
		return
	}
	d, err := engine.Explain(ctx, c, file, q.Lane, q.Round, q.Client, func() { s.host.Yield() })
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		d = &trace.Detail{Lane: q.Lane, Round: q.Round, Client: q.Client} // no steps
	}
	var m wire.Message
	m.Reset(id)
	m.Record(wire.Explained, func(dst []byte) []byte { return trace.AppendDetail(dst, d) })
	s.host.Post(m.Bytes())
}
