package engine

import (
	"errors"
	"math"
	"runtime"
	"syscall/js"
	"time"

	"flockscope/sim/engine"
	"flockscope/sim/ingest"
	"flockscope/sim/textfile"
	"flockscope/sim/wire"
	"flockscope/sim/workload"
	"flockscope/ui/guard"
)

// pool is the shards of an engine: workers below its own. They stay from run to
// run, since what they have drawn stays with them.
type pool struct {
	browser *browser
	lines   []*line
	count   int // how many of them the present run may have
	files   []ingest.File
}

// line is the way to one shard and back.
type line struct {
	port  js.Value
	mail  *mailbox
	bell  chan struct{} // capacity 1: there may be an answer
	over  bool          // the shard is gone
	close func()
}

// ring wakes whoever waits for an answer.
func (l *line) ring() {
	select {
	case l.bell <- struct{}{}:
	default:
	}
}

// Shards implements [Host].
func (b *browser) Shards(n int, files []ingest.File) engine.Shards {
	b.pace = slice
	if !b.host.Get("startShard").Truthy() {
		return nil
	}
	p := &b.pool
	p.browser = b
	if len(p.lines) > 0 && !sameFiles(p.files, files) {
		for _, l := range p.lines {
			l.close()
		}
		p.lines = nil
	}
	p.files = files
	p.count = n
	for len(p.lines) < n {
		l, err := p.start()
		if err != nil {
			p.count = len(p.lines)
			break
		}
		p.lines = append(p.lines, l)
	}
	if p.count == 0 {
		return nil
	}
	return p
}

// sameFiles reports whether two lists are one: files are never changed.
func sameFiles(a, b []ingest.File) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// start brings up a worker and tells it the user's files.
func (p *pool) start() (l *line, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = errors.New("no worker is available here")
		}
	}()
	l = &line{bell: make(chan struct{}, 1)}
	var onMessage, onProblem js.Func
	onMessage = guard.FuncOf(func(_ js.Value, args []js.Value) any {
		l.over = l.over || args[0].IsNull() // it could not do what it was asked
		l.ring()
		return nil
	})
	onProblem = guard.FuncOf(func(js.Value, []js.Value) any {
		l.over = true
		l.ring()
		return nil
	})
	l.port = p.browser.host.Call("startShard", onMessage, onProblem)
	l.mail = newMailbox(l.port.Get("line"))
	l.close = func() {
		l.over = true
		l.port.Call("close")
		onMessage.Release()
		onProblem.Release()
	}
	if len(p.files) > 0 {
		var m wire.Message
		m.Reset(0)
		for _, f := range p.files {
			m.File(f.Name, f.Data)
		}
		bytes := bytesOf(m.Bytes())
		l.port.Call("post", bytes, []any{bytes.Get("buffer")})
		l.mail.letter()
	}
	return l, nil
}

// Count implements [engine.Shards].
func (p *pool) Count() int { return p.count }

// Ask implements [engine.Shards].
func (p *pool) Ask(i int, request engine.Message) {
	p.browser.pace = stride
	p.lines[i].mail.post(request)
}

// Answer implements [engine.Shards]. A shard that is gone is replaced.
func (p *pool) Answer(i int) (engine.Incoming, error) {
	l := p.lines[i]
	for l.mail.state() != full && !l.over {
		<-l.bell
	}
	if !l.over {
		return l.mail.open(), nil
	}
	l.close()
	if fresh, err := p.start(); err == nil {
		p.lines[i] = fresh
	}
	return engine.Incoming{}, errGone
}

// Near implements [engine.Shards].
func (p *pool) Near() bool { return p.lines[0].mail.near }

// breath is how long the engine computes at least before it looks for messages that
// may be answers: much longer than that takes.
const breath = 2 * time.Millisecond

// Yield implements [engine.Shards].
func (p *pool) Yield() {
	every := breath
	if p.Near() {
		every = slice // they are the page's
		p.look()
		runtime.Gosched()
	}
	p.browser.letIn(every)
}

// look wakes those whose answers are there.
func (p *pool) look() {
	for _, l := range p.lines[:p.count] {
		s := l.mail.state()
		if s == coming {
			p.browser.door.open()
		}
		if s != empty {
			l.ring()
		}
	}
}

// Await implements [engine.Shards].
func (p *pool) Await(news <-chan struct{}) {
	if !p.Near() {
		<-news
		return
	}
	for {
		p.look()
		runtime.Gosched()
		select {
		case <-news:
			return
		default:
		}
		if !p.browser.host.Call("rest", breath.Milliseconds()).Bool() {
			p.browser.door.open() // a shard may have ended
		}
	}
}

var errGone = errors.New("a worker stopped")

// ShardMain serves the engine behind the host object and returns when the
// program should end, which is never.
func ShardMain(host js.Value) {
	textfile.Inflate = inflate
	var (
		shard   engine.Shard
		file    *workload.File
		mail    = newMailbox(host.Get("line"))
		letters = make(chan js.Value, 8)
	)
	host.Set("onmessage", guard.FuncOf(func(_ js.Value, args []js.Value) any {
		letters <- args[0]
		return nil
	}))
	door := newDoor()
	look := func() state { // lets messages in if there may be some
		s := mail.state()
		if s == coming || s == empty && !mail.near {
			door.open()
			s = mail.state()
		}
		return s
	}
	hear := func(letter js.Value) {
		if isFiles(letter) {
			file = readFiles(letter, file)
		}
	}
	for {
		s := look()
		for len(letters) > 0 { // before what was posted after them
			hear(<-letters)
		}
		switch {
		case s == full:
			if reply, err := shard.Handle(mail.open(), file); err == nil {
				mail.post(reply)
			} else {
				host.Call("post", nil)
			}
		case s == coming, shard.Prepare():
		case mail.near:
			host.Call("rest", math.Inf(1))
		default:
			hear(<-letters)
		}
	}
}

// readFiles returns what the user brought, or before if it makes no sense: the
// engine has read it without error.
func readFiles(message js.Value, before *workload.File) *workload.File {
	bytes := make([]byte, message.Get("byteLength").Int())
	js.CopyBytesToGo(bytes, message)
	_, records, err := wire.Open(bytes)
	if err != nil {
		return before
	}
	var files []ingest.File
	for kind, payload := range records {
		if f, ok := wire.OpenFile(payload); ok && kind == wire.File {
			files = append(files, ingest.File{Name: f.Name, Data: f.Data})
		}
	}
	if file, err := workload.OpenFiles(files); err == nil {
		return file
	}
	return before
}
