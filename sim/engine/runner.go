package engine

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
}

// party is its number in the pool.
func (r *runner) party() int { return r.shard + 1 }

// ahead is how many requests a shard may have: one to work at, and one that
// travels meanwhile.
const ahead = 2

// run does the shard's part of visits until there are no more.
func (r *runner) run() {
	for v := range r.visits {
		r.visit(v)
		r.crew.ready.Done()
	}
}

func (r *runner) visit(v *visit) {
	r.sent = r.sent[:0]
	for range v.exchange.Bank.Models() {
		r.sent = append(r.sent, false)
	}
	for {
		for len(r.asked) < ahead {
			part := r.crew.waiting.take(r.party())
			if len(part) == 0 {
				break
			}
			r.ask(v, part)
		}
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
		r.asked = append(r.asked[:0], r.asked[1:]...)
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
	packVisit(p, v, part, r.sent)
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
