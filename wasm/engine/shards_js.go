package engine

import (
	"errors"
	"math"
	"runtime"
	"syscall/js"
	"time"

	"flockscope/sim/engine"
	"flockscope/sim/wire"
	"flockscope/sim/workload"
	"flockscope/ui/guard"
)

// shardPool has the shards of an engine: workers that it starts. They are reused for later runs with their cached
// samples.
type shardPool struct {
	browser *browser
	workers []*shardWorker
	count   int // number of workers in the present run
	files   []wire.NamedFile
}

// shardWorker is one shard.
type shardWorker struct {
	port     js.Value
	endpoint *endpoint
	answered chan struct{} // capacity 1: there may be a reply
	stopped  bool          // the worker has stopped
	close    func()
}

// wake wakes the goroutine that waits for a reply.
func (l *shardWorker) wake() {
	select {
	case l.answered <- struct{}{}:
	default:
	}
}

// Shards implements [Host].
func (b *browser) Shards(n int, files []wire.NamedFile) engine.Shards {
	b.postEvery = frameTime
	if !b.host.Get("startShard").Truthy() {
		return nil
	}
	p := &b.shards
	p.browser = b
	if len(p.workers) > 0 && !sameFiles(p.files, files) {
		for _, l := range p.workers {
			l.close()
		}
		p.workers = nil
	}
	p.files = files
	p.count = n
	for len(p.workers) < n {
		l, err := p.start()
		if err != nil {
			p.count = len(p.workers)
			break
		}
		p.workers = append(p.workers, l)
	}
	if p.count == 0 {
		return nil
	}
	return p
}

// sameFiles reports whether two lists are the same one. Files never change.
func sameFiles(a, b []wire.NamedFile) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// start starts a worker and sends it the user's files.
func (p *shardPool) start() (l *shardWorker, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = errors.New("no worker is available here")
		}
	}()
	l = &shardWorker{answered: make(chan struct{}, 1)}
	var onMessage, onProblem js.Func
	onMessage = guard.FuncOf(func(_ js.Value, args []js.Value) any {
		l.stopped = l.stopped || args[0].IsNull() // it rejected a request
		l.wake()
		return nil
	})
	onProblem = guard.FuncOf(func(js.Value, []js.Value) any {
		l.stopped = true
		l.wake()
		return nil
	})
	l.port = p.browser.host.Call("startShard", onMessage, onProblem)
	l.endpoint = newEndpoint(l.port.Get("line"))
	l.close = func() {
		l.stopped = true
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
		l.endpoint.announce()
	}
	return l, nil
}

// Count implements [engine.Shards].
func (p *shardPool) Count() int { return p.count }

// Ask implements [engine.Shards].
func (p *shardPool) Ask(i int, request engine.Message) {
	p.browser.postEvery = busyFrameTime
	p.workers[i].endpoint.post(request)
}

// Answer implements [engine.Shards]. A shard that has stopped is replaced.
func (p *shardPool) Answer(i int) (engine.Incoming, error) {
	l := p.workers[i]
	for l.endpoint.state() != ready && !l.stopped {
		<-l.answered
	}
	if !l.stopped {
		return l.endpoint.receive(), nil
	}
	l.close()
	if fresh, err := p.start(); err == nil {
		p.workers[i] = fresh
	}
	return engine.Incoming{}, errGone
}

// Near implements [engine.Shards].
func (p *shardPool) Near() bool { return p.workers[0].endpoint.near }

// checkEvery is the time between checks for replies by postMessage, much longer than a check takes.
const checkEvery = 2 * time.Millisecond

// Yield implements [engine.Shards].
func (p *shardPool) Yield() {
	every := checkEvery
	if p.Near() {
		every = frameTime // only messages of the page need a yield
		p.wakeAnswered()
		runtime.Gosched()
	}
	p.browser.yieldEvery(every)
}

// wakeAnswered wakes the goroutines whose replies have arrived.
func (p *shardPool) wakeAnswered() {
	for _, l := range p.workers[:p.count] {
		s := l.endpoint.state()
		if s == pending {
			p.browser.loop.yield()
		}
		if s != empty {
			l.wake()
		}
	}
}

// Await implements [engine.Shards].
func (p *shardPool) Await(news <-chan struct{}) {
	if !p.Near() {
		<-news
		return
	}
	for {
		p.wakeAnswered()
		runtime.Gosched()
		select {
		case <-news:
			return
		default:
		}
		if !p.browser.host.Call("wait", checkEvery.Milliseconds()).Bool() {
			p.browser.loop.yield() // a shard may have stopped
		}
	}
}

var errGone = errors.New("a worker stopped")

// ShardMain serves the engine through the host object. It never returns. An engine sends no files to a shard without a
// reader, since both are the same program.
func ShardMain(host js.Value, reader Reader) {
	var (
		shard engine.Shard
		file  *workload.File
		mail  = newEndpoint(host.Get("line"))
		inbox = make(chan js.Value, 8)
	)
	host.Set("onmessage", guard.FuncOf(func(_ js.Value, args []js.Value) any {
		inbox <- args[0]
		return nil
	}))
	loop := newEventLoop()
	next := func() state { // yields if messages may be waiting
		s := mail.state()
		if s == pending || s == empty && !mail.near {
			loop.yield()
			s = mail.state()
		}
		return s
	}
	take := func(message js.Value) {
		if isFiles(message) {
			file = readFiles(reader, message, file)
		}
	}
	for {
		s := next()
		for len(inbox) > 0 { // messages sent before the next request
			take(<-inbox)
		}
		switch {
		case s == ready:
			if reply, err := shard.Handle(mail.receive(), file); err == nil {
				mail.post(reply)
			} else {
				host.Call("post", nil)
			}
		case s == pending, shard.Prepare():
		case mail.near:
			host.Call("wait", math.Inf(1))
		default:
			take(<-inbox)
		}
	}
}

// readFiles returns the user's file. If it cannot be read, which the engine has excluded, it returns before.
func readFiles(reader Reader, message js.Value, before *workload.File) *workload.File {
	bytes := make([]byte, message.Get("byteLength").Int())
	js.CopyBytesToGo(bytes, message)
	_, records, err := wire.Open(bytes)
	if err != nil {
		return before
	}
	var files []wire.NamedFile
	for kind, payload := range records {
		if f, ok := wire.OpenFile(payload); ok && kind == wire.File {
			files = append(files, f)
		}
	}
	if file, err := reader.Open(files); err == nil {
		return file
	}
	return before
}
