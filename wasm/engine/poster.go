package engine

import (
	"encoding/binary"
	"math"
	"sync"
	"time"

	"flockscope/sim/engine"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
)

// poster is the sink of a run: it collects records and posts them after the round that the page shows, and from then on
// whenever the host says so, so that the first picture appears soon and a long run is streamed.
type poster struct {
	host       Host
	id         uint32
	shownRound int
	message    *wire.Message
	limit      float64 // multiply-adds above which a run is not played; 0 for none
	wait       func()  // returns unless the page has paused the run

	yielding sync.Mutex
	due      bool // it is time to post

	counting sync.Mutex
	posted   time.Time // time of the last post
}

func (p *poster) Begin(h *trace.Header) {
	p.message.Record(wire.Begin, func(dst []byte) []byte { return trace.AppendHeader(dst, h) })
}

// Cost implements [engine.Opener]: it posts what a run costs that the page wants to confirm.
func (p *poster) Cost(work engine.Work, memory int64) (play bool) {
	if p.limit == 0 || work.Total <= p.limit {
		return true
	}
	p.message.Record(wire.Cost, func(dst []byte) []byte {
		dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(work.Total))
		return binary.LittleEndian.AppendUint64(dst, uint64(memory))
	})
	p.flush()
	return false
}

// Open implements [engine.Opener].
func (p *poster) Open(lane int, f *trace.Frame) {
	p.message.Record(wire.Start, func(dst []byte) []byte { return trace.AppendFrame(append(dst, byte(lane)), f) })
	p.flush()
}

func (p *poster) Frame(lane int, f *trace.Frame) {
	p.message.Record(wire.Frame, func(dst []byte) []byte { return trace.AppendFrame(append(dst, byte(lane)), f) })
}

// Yield implements [engine.Yielder]. Lanes may call it while another lane is in it. All of them wait while the page has
// paused the run.
func (p *poster) Yield() {
	if p.yielding.TryLock() {
		p.due = p.host.Yield() || p.due
		p.yielding.Unlock()
	}
	p.wait()
}

// countAfter is the time without a post after which the progress of a slow round is posted.
var countAfter = 500 * time.Millisecond

// Count implements [engine.Counter]: it posts how many clients have finished if nothing else was
// posted for a while.
func (p *poster) Count(lane, done int) {
	if !p.counting.TryLock() {
		return
	}
	defer p.counting.Unlock()
	if time.Since(p.posted) < countAfter {
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
	if t == p.shownRound || p.host.Yield() || p.due {
		p.due = false
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
