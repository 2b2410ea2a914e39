package engine

import (
	"math"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/trace"
)

// What is measured of each client, for verdicts and pictures. Fingerprints leave it out (see [trace.Frame]).

// clearMeasures removes the measurements of the last round. The gap stays as long as the map does.
func (l *lane) clearMeasures() {
	f := &l.frame
	f.Lead, f.Noise, f.Alone, f.Replies, f.Pull = f.Lead[:0], f.Noise[:0], f.Alone[:0], f.Replies[:0], f.Pull[:0]
}

// noteReplies takes from the replies of an exchange, before the models change, the leads of clients that computed losses,
// and the first update of clients that sent some. Of clients that did not reply everything is 0.
func (l *lane) noteReplies() {
	if l.job.Evaluation != nil {
		return
	}
	f, x, each := &l.frame, l.job.Exchange, l.info.Pulls()
	for i := range x.Tasks {
		t, reply := &x.Tasks[i], &x.Replies[i]
		losses, updates := t.Losses || t.PickBest, t.PickBest || len(t.Updates) > 0
		answers := !updates && l.plan.AnswersUpdate && t.Call > 0
		if !losses && !updates && !answers || l.round.Dropped(i) {
			continue
		}
		if losses && len(reply.Losses) > 1 {
			if len(f.Lead) == 0 {
				f.Lead, f.Noise = zeros(f.Lead, len(l.label)), zeros(f.Noise, len(l.label))
			}
			f.Lead[i], f.Noise[i] = reply.Lead, reply.Noise
		}
		if !updates && !answers || l.plan.Local {
			continue
		}
		if len(f.Pull) == 0 {
			f.Pull = zeros(f.Pull, len(l.label)*each)
		}
		update := reply.Answer
		if updates && l.info.FrameParams > 0 {
			update = reply.Updates[0]
		}
		switch {
		case l.info.FrameParams > 0:
			copy(f.Pull[i*each:(i+1)*each], update)
		case updates: // its memory may serve other clients by now
			f.Pull[i] = reply.Length
		default:
			update = update[:x.Bank.Size]
			f.Pull[i] = float32(math.Sqrt(kernel.Dot(update, update)))
		}
	}
}

// zeros returns n zeros, in the memory of list if it is large enough.
func zeros(list []float32, n int) []float32 {
	list = trace.Resize(list, n)
	clear(list)
	return list
}

// largestGap limits the gap of groups that do not spread at all.
const largestGap = 1e6

// measureGap sets the gap between the planted groups, among the honest clients that have taken part.
func (l *lane) measureGap(points *clusterer.Matrix) {
	f, cols := &l.frame, points.Cols
	f.Gap = 0
	if l.groups < 2 {
		return
	}
	l.centres = trace.Resize(l.centres, l.groups*cols)
	clear(l.centres)
	clear(l.sizes)
	// In one pass, Σ|x − c|² = Σ|x|² − n|c|², relative to the first point, so that little cancels.
	first, all, spread := points.Data[:cols], 0.0, 0.0
	for i, g := range l.group {
		if !l.counts(i) {
			continue
		}
		all++
		l.sizes[g]++
		centre := l.centres[g*cols : (g+1)*cols]
		for j, v := range points.Data[i*cols : (i+1)*cols] {
			v -= first[j]
			centre[j] += v
			spread += float64(v * v)
		}
	}
	for g, n := range l.sizes {
		centre := l.centres[g*cols : (g+1)*cols]
		for j, v := range centre {
			if n > 0 {
				centre[j] = v / n
				spread -= float64(v * centre[j])
			}
		}
	}
	least := math.Inf(1)
	for g, n := range l.sizes {
		for h := range g {
			if n > 0 && l.sizes[h] > 0 {
				least = min(least, squaredDistance(l.centres[g*cols:(g+1)*cols], l.centres[h*cols:]))
			}
		}
	}
	switch {
	case math.IsInf(least, 1) || math.IsNaN(least+spread): // a single group, or points that are not finite
	case spread*largestGap*largestGap <= least*all:
		f.Gap = largestGap
	default:
		f.Gap = float32(math.Sqrt(least * all / spread))
	}
}

// squaredDistance returns that of two points, of which the second may have more coordinates.
func squaredDistance(a, b []float64) float64 {
	sum := 0.0
	for j, v := range a {
		off := v - b[j]
		sum += float64(off * off)
	}
	return sum
}

// measureMemory sets how many replies the server has averaged for each client, and in a round with a new map the places
// of the newest replies.
func (l *lane) measureMemory() {
	f := &l.frame
	m, ok := l.plan.Algorithm.(fl.Rememberer)
	if !ok || !m.Remembers() {
		return
	}
	f.Replies = append(f.Replies, m.Averaged()...)
	if !l.round.Reclustered {
		return
	}
	if change := m.Alone(); change != nil {
		f.Alone = trace.Resize(f.Alone, 2*len(l.label))
		l.projector.projectChange(f.Alone, change, m.Embedding())
	}
}
