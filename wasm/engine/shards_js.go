package engine

import (
	"errors"
	"syscall/js"

	"flockscope/sim/dataset"
	"flockscope/sim/engine"
	"flockscope/sim/wire"
	"flockscope/sim/workload"
)

// pool is the shards of an engine: workers below its own. They stay from run to
// run, since what they have drawn stays with them.
type pool struct {
	browser *browser
	lines   []*line
	count   int // how many of them the present run may have
	files   []dataset.File
}

// line is the way to one shard and back.
type line struct {
	port    js.Value
	answers chan int // lengths of replies; closed when the shard is gone
	reply   []byte
	close   func()
}

// Shards implements [Host].
func (b *browser) Shards(n int, files []dataset.File) engine.Shards {
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
func sameFiles(a, b []dataset.File) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// start brings up a worker and tells it the user's files.
func (p *pool) start() (l *line, err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = errors.New("no worker can be had here")
		}
	}()
	l = &line{answers: make(chan int, 8)}
	over := false
	var onMessage, onProblem js.Func
	onMessage = js.FuncOf(func(_ js.Value, args []js.Value) any {
		n := args[0].Get("byteLength").Int()
		if over {
			return nil
		}
		if n == 0 { // it could not do what it was asked
			over = true
			close(l.answers)
			return nil
		}
		if cap(l.reply) < n {
			l.reply = make([]byte, n)
		}
		js.CopyBytesToGo(l.reply[:n], args[0])
		l.answers <- n
		return nil
	})
	onProblem = js.FuncOf(func(js.Value, []js.Value) any {
		if !over {
			over = true
			close(l.answers)
		}
		return nil
	})
	l.port = p.browser.host.Call("startShard", onMessage, onProblem)
	l.close = func() {
		over = true
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
		p.post(l, m.Bytes())
	}
	return l, nil
}

func (p *pool) post(l *line, message []byte) {
	bytes := p.browser.array.New(len(message))
	js.CopyBytesToJS(bytes, message)
	l.port.Call("post", bytes, []any{bytes.Get("buffer")})
}

// Count implements [engine.Shards].
func (p *pool) Count() int { return p.count }

// Ask implements [engine.Shards].
func (p *pool) Ask(i int, request []byte) {
	var m wire.Message
	m.Reset(0)
	m.Record(wire.Work, func(dst []byte) []byte { return append(dst, request...) })
	p.post(p.lines[i], m.Bytes())
}

// Answer implements [engine.Shards]. A shard that is gone is replaced.
func (p *pool) Answer(i int) ([]byte, error) {
	l := p.lines[i]
	n, ok := <-l.answers
	if ok {
		return l.reply[:n], nil
	}
	l.close()
	if fresh, err := p.start(); err == nil {
		p.lines[i] = fresh
	}
	return nil, errGone
}

var errGone = errors.New("a worker stopped")

// ShardMain serves the engine behind the host object and returns when the
// program should end, which is never.
func ShardMain(host js.Value) {
	var (
		shard engine.Shard
		file  *workload.File
		array = js.Global().Get("Uint8Array")
		inbox = make(chan []byte, 8)
	)
	host.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		message := make([]byte, args[0].Get("byteLength").Int())
		js.CopyBytesToGo(message, args[0])
		inbox <- message
		return nil
	}))
	for message := range inbox {
		reply, asked := answer(message, &shard, &file)
		if !asked {
			continue
		}
		bytes := array.New(len(reply))
		js.CopyBytesToJS(bytes, reply)
		host.Call("post", bytes, []any{bytes.Get("buffer")})
	}
}

// answer does what a message asks of a shard. An empty reply says that it could
// not.
func answer(message []byte, shard *engine.Shard, file **workload.File) (reply []byte, asked bool) {
	_, records, err := wire.Open(message)
	if err != nil {
		return nil, true
	}
	var files []dataset.File
	for kind, payload := range records {
		switch kind {
		case wire.File:
			if f, ok := wire.OpenFile(payload); ok {
				files = append(files, dataset.File{Name: f.Name, Data: f.Data})
			}
		case wire.Work:
			asked = true
			if reply, err = shard.Handle(payload, *file); err != nil {
				return nil, true
			}
		}
	}
	if files != nil {
		*file, _ = workload.ReadFiles(files) // the engine has read them without error
	}
	return reply, asked
}
