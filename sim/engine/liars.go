package engine

import (
	"math"

	"flockscope/sim/catalog"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/trace"
)

// collusion makes liars reply with one and the same false update. From the updates that they would have sent they compute
// the mean m and, by coordinate, the standard deviation σ. All of them then send
//
//	−s · m       inner-product manipulation (Xie, Koyejo, Gupta, UAI 2019)
//	m − s · σ    "a little is enough" (G. Baruch, M. Baruch, Goldberg, NeurIPS 2019, Algorithm 3)
//
// Both papers take m and σ from what the attacker knows; here that is the liars' own data. It takes all replies before the
// server gets the first.
type collusion struct {
	liars         *catalog.Liars
	clip          float64 // the clipping norm, 0 for none
	answers       bool    // an answer begins with the update
	mean, squares []float64
	lies          []float32
	updates       [][]float32 // of the liars

	arrived []int
	waited  bool // all replies of the exchange have arrived
	given   int  // number of them that the server has got
}

// newCollusion returns nil unless liars collude.
func newCollusion(l *catalog.Liars, plan *fl.Plan, size int) *collusion {
	if l.Lie != catalog.Collude || plan.Local {
		return nil
	}
	n := len(l.Lies)
	return &collusion{liars: l, clip: plan.Protocol.Clip, answers: plan.AnswersUpdate, mean: make([]float64, size),
		squares: make([]float64, size), lies: make([]float32, size), updates: make([][]float32, 0, n),
		arrived: make([]int, 0, n)}
}

// next is lane.Next.
func (c *collusion) next(l *lane) (client int, ok bool) {
	if !c.waited {
		c.arrived, c.given = c.arrived[:0], 0
		for i, more := l.pool.Next(&l.job); more; i, more = l.pool.Next(&l.job) {
			c.arrived = append(c.arrived, i)
		}
		c.waited = true
		if l.job.Round >= c.liars.From {
			c.lie(l.job.Exchange)
		}
	}
	if c.given == len(c.arrived) {
		c.waited = false
		return 0, false
	}
	c.given++
	return c.arrived[c.given-1], true
}

// lie replaces the updates of all liars: the n-th ones of all alike, their features, and their answers.
func (c *collusion) lie(x *fl.Exchange) {
	for n, more := 0, true; more; n++ {
		more = c.replace(x, func(t *fl.Task, r *fl.Reply) []float32 {
			updates := len(t.Updates)
			if t.PickBest {
				updates++
			}
			if n < updates {
				return r.Updates[n]
			}
			return nil
		})
		if n == 0 && x.Bank.Size > trace.MaxFrameParams && more {
			for i, liar := range c.liars.Lies {
				if liar && len(x.Replies[i].Updates) > 0 && x.Replies[i].Updates[0] != nil {
					x.Replies[i].Length = float32(math.Sqrt(kernel.Dot(c.lies, c.lies)))
				}
			}
		}
	}
	c.replace(x, func(t *fl.Task, r *fl.Reply) []float32 {
		if t.Feature > 0 {
			return r.Feature
		}
		return nil
	})
	c.replace(x, func(t *fl.Task, r *fl.Reply) []float32 {
		if t.Call > 0 && c.answers && len(r.Answer) >= x.Bank.Size {
			return r.Answer[:x.Bank.Size]
		}
		return nil
	})
}

// replace replaces one update of each liar, and reports whether there are any. of returns it, nil for none.
func (c *collusion) replace(x *fl.Exchange, of func(t *fl.Task, r *fl.Reply) []float32) bool {
	c.updates = c.updates[:0]
	for i, liar := range c.liars.Lies {
		if liar {
			if u := of(&x.Tasks[i], &x.Replies[i]); u != nil {
				c.updates = append(c.updates, u)
			}
		}
	}
	if len(c.updates) == 0 {
		return false
	}
	n, d := float64(len(c.updates)), len(c.updates[0])
	mean, squares, lie := c.mean[:d], c.squares[:d], c.lies[:d]
	clear(mean)
	clear(squares)
	for _, u := range c.updates {
		kernel.Accumulate(mean, 1, u)
	}
	for j := range mean {
		mean[j] /= n
	}
	for _, u := range c.updates {
		for j, v := range u {
			off := float64(v) - mean[j]
			squares[j] += float64(off * off)
		}
	}
	for j, m := range mean {
		if c.liars.Little {
			lie[j] = float32(m - float64(c.liars.Scale*math.Sqrt(squares[j]/n)))
		} else {
			lie[j] = float32(-c.liars.Scale * m)
		}
	}
	if length := math.Sqrt(kernel.Dot(lie, lie)); c.clip > 0 && length > c.clip {
		kernel.Scale(lie, float32(c.clip/length))
	}
	for _, u := range c.updates {
		copy(u, lie)
	}
	return true
}

// measureAttack sets how often honest clients take a picture with the patch for the first class.
func (l *lane) measureAttack() {
	fooled, n := l.evaluation.Fooled, 0.0
	if l.frame.Attack = 0; fooled == nil {
		return
	}
	for i, share := range fooled {
		if !l.lies(i) {
			l.frame.Attack += float64(share)
			n++
		}
	}
	l.frame.Attack /= n
}
