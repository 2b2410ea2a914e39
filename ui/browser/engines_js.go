package browser

import (
	"syscall/js"

	"flockscope/sim/experiment"
	"flockscope/sim/say"
	"flockscope/ui/jobs"
	"flockscope/ui/guard"
)

// pool is the engines behind the page, each in a worker of its own. One is
// there from the start; the others come once it has answered for the first
// time, so that they do not hold up the first picture, and share the lanes of
// later runs with it.
type pool struct {
	host    js.Value // see assets/boot.js
	engines []js.Value
	want    int  // how many there should be in the end; 0 while the first is alone
	lost    int  // engines that stopped
	began   bool // an engine has started: engines can be had here

	workers []js.Value // engines that try things in the background
	wanted  int        // how many of them there should be
	alarm   js.Value   // the number of a timer
	ring    js.Value   // what it calls
}

// patient is how many engines may stop and be replaced: what has killed so many
// kills the next one too.
const patient = 4

// startEngine brings up the engine with number n; those before it are there.
func (b *browser) startEngine(n int) {
	c := &b.pool
	var engine js.Value
	gone := func() bool { return n >= len(c.engines) || !c.engines[n].Equal(engine) }
	engine = c.host.Call("startEngine",
		guard.FuncOf(func(_ js.Value, args []js.Value) any { // it posted something
			if gone() {
				return nil
			}
			message := make([]byte, args[0].Get("byteLength").Int())
			js.CopyBytesToGo(message, args[0])
			b.heard++
			b.app.How = c.engines[0].Get("how").String()
			b.app.Runs.Receive(n, message)
			b.settle()
			if c.want == 0 && b.app.Runs.RunTime() > 0 {
				b.fill()
			}
			return nil
		}),
		guard.FuncOf(func(_ js.Value, args []js.Value) any { // it is lost
			switch {
			case gone():
			case endOf(args) == jobs.Full && b.app.Runs.Exhausted():
				b.renew()
			case !c.began || (n == 0 && c.lost >= patient):
				b.app.Runs.Fail(problemOf(args))
			default:
				b.lose(n)
			}
			return nil
		}),
		guard.FuncOf(func(js.Value, []js.Value) any { // it has started
			c.began = true
			if !gone() && n > 0 {
				b.brief(n)
				b.app.Runs.Enlist(n + 1)
				b.next()
			}
			return nil
		}))
	c.engines = append(c.engines[:n], engine)
	if n == 0 {
		b.brief(n)
	}
}

// problemOf says why an engine is lost: whether it had started, and the reasons.
func problemOf(args []js.Value) say.Message {
	var reasons []say.Message
	for i := range args[1].Length() {
		var words []say.Message
		for j := range args[1].Index(i).Length() {
			words = append(words, say.Message(args[1].Index(i).Index(j).String()))
		}
		reasons = append(reasons, say.JoinMessage(words, ": "))
	}
	why := say.JoinMessage(reasons, "; ")
	if args[0].Bool() {
		return say.Messagef("The engine stopped: %s. Reload the page to start again.", why)
	}
	return say.Messagef("The engine could not be started (%s). Reload the page, or open it in its own tab.", why)
}

// settle tells the host once that the first run is there.
func (b *browser) settle() {
	if !b.settled && b.app.Runs.Complete() {
		b.settled = true
		b.pool.host.Call("settled")
	}
}

// brief tells an engine what those that are enlisted know. The first one is from
// the start; what became known while another one started, nobody has told it.
func (b *browser) brief(n int) {
	for _, message := range b.app.EngineMessages(n == 0) {
		b.Send(n, message)
	}
}

// fill decides how many engines there should be: one a processor, at most one
// a lane. On the page's own thread they would only be in each other's way.
func (b *browser) fill() {
	b.pool.want = 1
	if b.app.How == "main thread" {
		return
	}
	b.pool.want = min(b.app.WorkerCount(), experiment.MaxLanes)
	b.next()
}

// next starts the next engine if there should be more.
func (b *browser) next() {
	if n := len(b.pool.engines); n < b.pool.want {
		b.startEngine(n)
	}
}

// lose goes on without the engine with number n, which has stopped, and those
// behind it. Others take their place, unless too many were lost before.
func (b *browser) lose(n int) {
	c := &b.pool
	for _, e := range c.engines[n:] {
		e.Call("close")
	}
	c.engines = c.engines[:n]
	if c.lost++; c.lost > patient {
		c.want = n
	}
	if n == 0 {
		b.startEngine(0)
		b.app.Runs.Revive()
	} else if b.app.Engines > n {
		b.app.Runs.Enlist(n)
	}
	b.next()
}

// renew puts new engines in the place of all that there are, whose memory is full.
func (b *browser) renew() {
	for _, e := range b.pool.engines {
		e.Call("close")
	}
	b.pool.engines = nil
	b.startEngine(0)
	b.next()
}

func (b *browser) Send(engine int, message []byte) {
	bytes := js.Global().Get("Uint8Array").New(len(message))
	js.CopyBytesToJS(bytes, message)
	b.pool.engines[engine].Call("post", bytes, []any{bytes.Get("buffer")})
}
