package engine

import "bytes"

// runner goes between the crew and one shard. It is a goroutine for the life of
// a run, so that a shard finds its next request there when it has answered one.
type runner struct {
	crew   *crew
	shard  int
	visits chan *visit

	ready   bool   // whether the shard knows the run
	knows   uint8  // of which lanes it knows what is set once, a bit a lane
	sent    []bool // models that it has been given for this visit
	request writer
	asked   [][]int // clients that it has not answered for yet, the oldest first
	stale   int     // requests before these whose answers are of no use any more

	foreseen []byte // what clients were told before their time
	now      writer // what they would be told
}

// party is its number in the pool.
func (r *runner) party() int { return r.shard + 1 }

// ahead is how many requests a shard may have: one to work at, and others to go on
// with while an answer travels, or until somebody looks for it.
const ahead = 3

// third and half are how much of its row a shard gets at a time: little is soon back,
// much lasts until there is time for it again. Where nothing travels, it gets one
// client at a time, so that nobody is left with much in the end; and whatever it is to
// do before its time it is asked client by client, so that each answer is sent while
// it is near the processor, and its place serves the next.
const third, half, single = 3, 2, 1 << 30

// run does the shard's part of visits until there are no more. What was foreseen
// is heard then, so that the shard owes nobody an answer.
func (r *runner) run() {
	for v := range r.visits {
		r.visit(v)
		r.done()
	}
	r.forget()
	r.hush()
	r.done()
}

// done says that the runner has nothing left to do.
func (r *runner) done() {
	r.crew.left.Add(-1)
	r.crew.tell()
}

func (r *runner) visit(v *visit) {
	r.hush()
	for {
		r.fill(v, r.crew.share)
		if len(r.asked) == 0 {
			return
		}
		reply, err := r.crew.shards.Answer(r.shard)
		part := r.asked[0]
		if err != nil || !unpackReplies(reply, v, part) {
			r.lose(v, err != nil)
			return
		}
		r.crew.waiting.give(r.party(), part)
		r.crew.tell()
		r.asked = append(r.asked[:0], r.asked[1:]...)
	}
}

// begin makes ready for a visit of which nothing has been asked yet.
func (r *runner) begin(v *visit) {
	r.sent = r.sent[:0]
	for range v.exchange.Bank.Models() {
		r.sent = append(r.sent, false)
	}
}

// fill asks the shard for as much as it may have, each time for one in so many of
// what is left of its row.
func (r *runner) fill(v *visit, in int) {
	for len(r.asked) < ahead && r.take(v, in) {
	}
}

// take asks the shard for one in so many of what is left of its row, and reports
// whether there was something.
func (r *runner) take(v *visit, in int) bool {
	part := r.crew.waiting.take(r.party(), in)
	if len(part) == 0 {
		return false
	}
	if !r.crew.near {
		r.ask(v, part)
		return true
	}
	for i := range part {
		r.ask(v, part[i:i+1])
	}
	return true
}

// foresee begins a visit before its time.
func (r *runner) foresee(v *visit, in int) {
	r.begin(v)
	for range ahead {
		r.take(v, in)
	}
	told, _ := r.tasks(v)
	r.foreseen = append(r.foreseen[:0], told...)
}

// foresaw reports whether the shard has been asked what a visit asks.
func (r *runner) foresaw(v *visit) bool {
	told, short := r.tasks(v)
	return short && bytes.Equal(told, r.foreseen)
}

// tasks returns what a visit tells the clients that the shard has been asked for, all
// but the models, and whether that is short enough to compare.
func (r *runner) tasks(v *visit) (told []byte, short bool) {
	r.now.reset()
	for _, part := range r.asked {
		packTasks(&r.now, v, part)
	}
	return r.now.Small, len(r.now.Long) == 0
}

// forget takes back what has been asked: the answers are of no use.
func (r *runner) forget() {
	r.stale += len(r.asked)
	r.asked = r.asked[:0]
}

// hush hears answers that are of no use.
func (r *runner) hush() {
	for ; r.stale > 0; r.stale-- {
		if _, err := r.crew.shards.Answer(r.shard); err != nil {
			r.ready, r.stale = false, 1
		}
	}
}

// ask sends the shard a part of a visit, and before that whatever it does not
// know yet.
func (r *runner) ask(v *visit, part []int) {
	r.asked = append(r.asked, part)
	p := &r.request
	p.reset()
	p.flag(!r.ready)
	if !r.ready {
		p.text(r.crew.query)
		r.ready, r.knows = true, 0
	}
	new := r.knows>>v.lane&1 == 0
	p.flag(new)
	if new {
		r.knows |= 1 << v.lane
		p.int(v.lane)
		p.int(v.exchange.Bank.Models())
		p.int(len(v.exchange.Coordinates))
		for _, at := range v.exchange.Coordinates {
			p.int(int(at))
		}
	}
	packTasks(p, v, part)
	packModels(p, v, part, r.sent)
	r.crew.shards.Ask(r.shard, p.Parcel)
}

// lose does here what a shard has not done that is gone, or talks nonsense. It,
// or whoever takes its place, is told everything anew with the next visit.
func (r *runner) lose(v *visit, gone bool) {
	for range r.asked[1:] {
		if !gone { // what it says now nobody asked for
			_, err := r.crew.shards.Answer(r.shard)
			gone = err != nil
		}
	}
	r.ready = false
	for _, part := range r.asked {
		r.crew.here.attend(v, part)
		r.crew.waiting.give(r.party(), part)
	}
	r.asked = r.asked[:0]
}
