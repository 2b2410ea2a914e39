package hcfl

import "flockscope/sim/algorithm/internal/numeric"

// edits is the log of changes to clusters, as pairs of numbers: a cluster and the one that split off it, a cluster and
// [gone], or a cluster and [merged] with the one that it became part of. Weights and masses follow the log, on the server
// at once, on a client when it next takes part. The number of a cluster that is gone may be used again.
type edits []float32

const gone = -1 // the cluster was removed

// merged encodes that a cluster became part of cluster k; it is its own inverse.
func merged(k float32) float32 { return -2 - k }

// active sets dst to the clusters in use after the edits, ascending; start is their number at the start.
func (e edits) active(dst []int, start int) []int {
	dst = dst[:0]
	for k := range start {
		dst = append(dst, k)
	}
	for n := 0; n < len(e); n += 2 {
		if e[n+1] >= 0 {
			dst = insert(dst, int(e[n+1]))
			continue
		}
		for at, k := range dst {
			if k == int(e[n]) {
				dst = append(dst[:at], dst[at+1:]...)
				break
			}
		}
	}
	return dst
}

// insert inserts k into an ascending list.
func insert(list []int, k int) []int {
	list = append(list, k)
	for at := len(list) - 1; at > 0 && list[at-1] > k; at-- {
		list[at], list[at-1] = list[at-1], list[at]
	}
	return list
}

// follow applies the edits to a table with one row of per numbers per cluster. When a cluster splits, both get its row; when
// it is removed, its row is cleared; when it becomes part of another, its row is added to the other's or, if there are
// weights of clusters, both rows are replaced by their weighted mean.
func (e edits) follow(table []float32, per int, weights []float32) {
	row := func(k float32) []float32 { return table[int(k)*per : (int(k)+1)*per] }
	for n := 0; n < len(e); n += 2 {
		from := row(e[n])
		switch {
		case e[n+1] >= 0:
			copy(row(e[n+1]), from)
			continue
		case e[n+1] != gone:
			into, a, b := row(merged(e[n+1])), 1.0, 1.0
			if weights != nil {
				a, b = float64(weights[int(e[n])]), float64(weights[int(merged(e[n+1]))])
				a = a / max(a+b, numeric.MinWeight)
				b = 1 - a
			}
			for j, v := range from {
				into[j] = float32(float64(float64(v)*a) + float64(float64(into[j])*b))
			}
		}
		clear(from)
	}
}

// followWeights applies the edits to weights (Algorithms 4 and 5): when a cluster splits, its weight is divided equally; when
// one is removed, the others are scaled to a sum of 1; when two merge, their weights are added. There is one weight per
// cluster, stride numbers apart.
func (e edits) followWeights(weights []float32, stride int) {
	for n := 0; n < len(e); n += 2 {
		from := &weights[int(e[n])*stride]
		switch {
		case e[n+1] >= 0:
			*from /= 2
			weights[int(e[n+1])*stride] = *from
			continue
		case e[n+1] != gone:
			weights[int(merged(e[n+1]))*stride] += *from
			*from = 0
			continue
		}
		*from = 0
		sum := 0.0
		for at := 0; at < len(weights); at += stride {
			sum += float64(weights[at])
		}
		for at := 0; at < len(weights) && sum > 0; at += stride {
			weights[at] = float32(float64(weights[at]) / sum)
		}
	}
}
