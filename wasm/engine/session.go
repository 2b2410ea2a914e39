// Package engine is Flockscope's engine in a browser: it takes messages from
// the page, runs experiments and posts frames back. Everything but the posting
// itself (engine_js.go) is plain Go.
package engine

import (
	"context"
	"encoding/binary"
	"fmt"
	"sync"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/sim/workload"
)

// Host is what a session needs from the world.
type Host interface {
	// Post sends a message to the page. The bytes are copied before it returns.
	Post(message []byte)
	// Breathe is called after every round. It lets messages from the page
	// come in, now and then, and reports whether it did.
	Breathe() bool
}

// session serves one page: one run at a time, the newest wins.
type session struct {
	host   Host
	file   workload.File
	look   int // the round that the page looks at
	cancel context.CancelFunc
	idle   sync.WaitGroup // counts the run under way
}

// Serve returns the function that takes the page's messages.
func Serve(host Host) func(message []byte) {
	s := &session{host: host, cancel: func() {}}
	return s.receive
}

func (s *session) receive(message []byte) {
	id, records, err := wire.Open(message)
	if err != nil {
		s.refuse(0, err)
		return
	}
	var lanes []int
	for kind, payload := range records {
		switch kind {
		case wire.Lanes:
			for _, n := range payload {
				lanes = append(lanes, int(n))
			}
		case wire.Cancel:
			s.cancel()
		case wire.File:
			s.take(id, payload)
		case wire.Run:
			s.cancel()
			ctx, cancel := context.WithCancel(context.Background())
			s.cancel = cancel
			go s.run(ctx, id, string(payload), lanes, s.file, s.look)
		case wire.Look:
			if len(payload) == 4 {
				s.look = int(binary.LittleEndian.Uint32(payload))
			}
		}
	}
}

// take reads the user's file. A broken one changes nothing.
func (s *session) take(id uint32, data []byte) {
	table, err := workload.ReadTable(data)
	if err != nil {
		s.refuse(id, err)
		return
	}
	s.file = table
	rows := 0
	for _, x := range table.X {
		rows += len(x)
	}
	words := fmt.Sprintf("%d rows of %d clients", rows, len(table.Clients))
	if n := len(table.Groups); n > 0 {
		words += fmt.Sprintf(" in %d groups", n)
	} else {
		words += ", groups unknown"
	}
	s.tell(id, wire.Accepted, words)
}

func (s *session) refuse(id uint32, err error) { s.tell(id, wire.Refused, err.Error()) }

func (s *session) tell(id uint32, kind wire.Kind, text string) {
	var m wire.Message
	m.Reset(id)
	m.Text(kind, text)
	s.host.Post(m.Bytes())
}

// run plays one experiment. Runs queue up behind each other: one that was
// cancelled ends within a round.
func (s *session) run(ctx context.Context, id uint32, query string, lanes []int, file workload.File, look int) {
	s.idle.Wait()
	s.idle.Add(1)
	defer s.idle.Done()
	if ctx.Err() != nil {
		return
	}
	c, problems := catalog.Schema().Parse(query)
	if err := experiment.First(problems); err != nil {
		s.refuse(id, err)
		return
	}
	if lanes == nil {
		for i := range c.Lanes() {
			lanes = append(lanes, i)
		}
	}
	p := &poster{host: s.host, id: id, look: look}
	p.message.Reset(id)
	switch err := engine.RunLanes(ctx, c, file, lanes, p); {
	case err == nil:
		p.message.Record(wire.Done, nil)
		p.flush()
	case ctx.Err() == nil:
		s.refuse(id, err)
	}
}

// poster is the sink of a run: it collects records and posts them when the
// round that the page looks at is there, and from then on whenever the host
// takes a breath, so that a picture comes at once and a long run streams.
type poster struct {
	host    Host
	id      uint32
	look    int
	message wire.Message
}

func (p *poster) Begin(h *trace.Header) {
	p.message.Record(wire.Begin, func(dst []byte) []byte { return trace.AppendHeader(dst, h) })
}

func (p *poster) Frame(lane int, f *trace.Frame) {
	p.message.Record(wire.Frame, func(dst []byte) []byte { return trace.AppendFrame(append(dst, byte(lane)), f) })
}

func (p *poster) Round(t int) {
	if t == p.look || p.host.Breathe() {
		p.flush()
	}
}

func (p *poster) End(lane int, s *trace.Summary) {
	p.message.Record(wire.End, func(dst []byte) []byte { return trace.AppendSummary(append(dst, byte(lane)), s) })
}

func (p *poster) flush() {
	if !p.message.Empty() {
		p.host.Post(p.message.Bytes())
	}
	p.message.Reset(p.id)
}
