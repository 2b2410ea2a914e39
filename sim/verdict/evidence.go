package verdict

import (
	"math"
	"slices"

	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/sim/trace"
)

// evidence measures the round.
func (r *round) evidence(kind Kind) *registry.Evidence {
	h, f := r.header, r.f
	e := &registry.Evidence{Outcome: kind, Clients: r.n, Groups: h.Groups, Models: r.info.Models, Samples: r.info.Probe,
		Finds: r.info.Finds, Alike: h.Groups == 1 || h.DataPreview.Alike, Remembers: len(f.Replies) > 0,
		Used: f.Clusters, Gap: float64(f.Gap), Cancelled: -1}
	for i, lead := range f.Lead {
		if noise := f.Noise[i]; !h.Lies(i) && (lead != 0 || noise != 0) {
			e.Leads++
			if lead > noise {
				e.Sure++
			}
			row := f.Losses[i*r.info.Columns : (i+1)*r.info.Columns]
			if k := int(f.Label[i]); k < len(row) && row[k] == slices.Min(row) {
				e.Least++
			}
		}
	}
	if h.HasTruth() {
		r.counts.count(h, f, r.took)
		e.Used, e.Nearer = r.counts.used(), r.nearer()
		if !e.Finds {
			e.Idle = r.info.Models - e.Used
		}
		e.Cancelled = r.cancelled()
		e.Best, e.Worst = r.bestAndWorst()
	}
	for i, n := range f.Replies {
		if n := int(n); n > 0 && (r.took == nil || r.took[i]) {
			if e.LeastReplies == 0 {
				e.LeastReplies = n
			}
			e.LeastReplies, e.MostReplies = min(e.LeastReplies, n), max(e.MostReplies, n)
		}
	}
	for at := 0; at+r.info.Models <= len(f.Mixture); at += r.info.Models {
		squares := 0.0
		for _, w := range f.Mixture[at : at+r.info.Models] {
			squares += float64(float64(w) * float64(w))
		}
		e.UsedPerClient += 1 / max(squares, 1e-9) / float64(h.Clients)
	}
	for k := range r.info.Models {
		for at := k; at < len(f.Mixture); at += r.info.Models {
			if f.Mixture[at] > 0 {
				e.Weighed++
				break
			}
		}
	}
	if r.info.Models == 1 {
		e.Fit, e.Fits = r.fit()
	}
	if loss := r.lastEvaluation().Loss; h.DataPreview.Floor > 0 && loss < math.MaxFloat64 {
		e.Excess = loss / h.DataPreview.Floor
	}
	return e
}

// nearer returns how many clients were nearer to the centre of another group than to that of their own in what the server
// compared last.
func (r *round) nearer() (n int) {
	h, points := r.header, r.f.Embedding
	width := len(points) / h.Clients
	if width == 0 {
		return 0
	}
	centres, sizes := make([]float64, h.Groups*width), make([]float64, h.Groups)
	for i, g := range h.Group {
		if r.took == nil || r.took[i] {
			sizes[g]++
			for j, v := range points[i*width : (i+1)*width] {
				centres[int(g)*width+j] += float64(v)
			}
		}
	}
	for g, size := range sizes {
		for j := g * width; j < (g+1)*width; j++ {
			centres[j] /= max(size, 1)
		}
	}
	for i, own := range h.Group {
		if r.took != nil && !r.took[i] {
			continue
		}
		best, least := int(own), math.Inf(1)
		for g, size := range sizes {
			sum := 0.0
			for j, v := range points[i*width : (i+1)*width] {
				off := float64(v) - centres[g*width+j]
				sum += float64(off * off)
			}
			if size > 0 && sum < least {
				best, least = g, sum
			}
		}
		if best != int(own) {
			n++
		}
	}
	return n
}

// cancelled returns how long the mean update is, relative to the root mean square length of its clients' updates, in the
// largest cluster with several groups, or else in the largest one; −1 if it is unknown.
func (r *round) cancelled() float64 {
	each, c := r.info.Pulls(), &r.counts
	if len(r.f.Pull) == 0 || r.info.FrameParams == 0 {
		return -1
	}
	cluster, most := 0, -1
	for k := range c.models {
		size := c.clientsOf(k)
		if len(c.groupsOf(k)) > 1 {
			size += r.header.Clients
		}
		if size > most {
			cluster, most = k, size
		}
	}
	mean, squares, n := make([]float64, each), 0.0, 0.0
	for i, k := range r.f.Label {
		if int(k) != cluster || len(r.f.State) > 0 && r.f.State[i] != trace.Present {
			continue
		}
		n++
		for j, u := range r.f.Pull[i*each : (i+1)*each] {
			mean[j] += float64(u)
			squares += float64(float64(u) * float64(u))
		}
	}
	if squares == 0 {
		return -1
	}
	length := 0.0
	for _, m := range mean {
		length += float64(m / n * (m / n))
	}
	return math.Sqrt(length / (squares / n))
}

// closeTo is the distance of a model from a group's own best model, in distances of neighbouring groups, up to which it
// fits that group.
const closeTo = 0.25

// fit says where the only model, a line, lies among the groups' true lines.
func (r *round) fit() (registry.Fit, string) {
	h, p := r.header, r.f.Models
	truth := h.DataPreview.Truth
	if len(p) == 0 || len(p) > 2 || r.info.Size != len(p) || len(truth) != h.Groups || h.Groups < 2 ||
		h.DataPreview.Axes != "" {
		return registry.FitUnknown, ""
	}
	slope, offset := float64(p[0]), 0.0
	if len(p) == 2 {
		offset = float64(p[1])
	}
	// The distance of two lines is the root mean square of their difference for x from 0 to 1.
	distance := func(l trace.Line) float64 {
		ds, dc := slope-float64(l.Slope), offset-float64(l.Offset)
		return math.Sqrt(max(0, float64(ds*ds)/3+float64(ds*dc)+float64(dc*dc)))
	}
	nearest, low, high, step := 0, math.Inf(1), math.Inf(-1), math.Inf(1)
	for g, l := range truth {
		low, high = min(low, float64(l.Slope)), max(high, float64(l.Slope))
		if distance(l) < distance(truth[nearest]) {
			nearest = g
		}
		for _, other := range truth[:g] {
			step = min(step, math.Abs(float64(l.Slope-other.Slope))/math.Sqrt(3))
		}
	}
	middle := slope + float64(1.5*offset) // the slope of the line through the origin that is nearest
	switch own := float64(truth[nearest].Slope); {
	case step == 0:
		return registry.FitUnknown, ""
	case distance(truth[nearest]) > closeTo*step && middle > low && middle < high:
		return registry.FitBetween, ""
	case distance(truth[nearest]) > closeTo*step:
		return registry.FitOutside, ""
	case own > low && own < high:
		return registry.FitMiddle, GroupName(nearest)
	default:
		return registry.FitOuter, GroupName(nearest)
	}
}

// bestAndWorst names the groups with the largest and the least accuracy, as last evaluated; empty unless models classify.
func (r *round) bestAndWorst() (best, worst string) {
	h, f := r.header, r.lastEvaluation()
	if len(f.Accuracies) == 0 || len(f.Confusion) == 0 || h.Groups < 2 {
		return "", ""
	}
	sums, sizes := make([]float64, h.Groups), make([]float64, h.Groups)
	for i, g := range h.Group {
		if h.Lies(i) {
			continue
		}
		sums[g] += float64(f.Accuracies[i])
		sizes[g]++
	}
	most, least := 0, 0
	for g := range sums {
		sums[g] /= max(sizes[g], 1)
		if sums[g] > sums[most] {
			most = g
		}
		if sums[g] < sums[least] {
			least = g
		}
	}
	if most == least {
		return "", ""
	}
	words := func(g int) string { return say.Textf("accuracy %s for the %s", percent(sums[g]), GroupName(g)) }
	return words(most), words(least)
}
