package hcfl

import "flockscope/sim/algorithm/internal/numeric"

// edits is what happened to the clusters, in order, as pairs: a cluster and the
// one that split off it, a cluster and gone, or a cluster and [merged] with the one
// that it became part of. Weights and masses follow it, on
// the server at once, at a client when it comes again. A cluster keeps its number
// for life; then another one may have it.
type edits []float32

const gone = -1

// merged stands for cluster k as what another one became part of; it is its own
// inverse.
func merged(k float32) float32 { return -2 - k }

// active returns the clusters in use after so many at the start, ascending.
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

// insert puts k into an ascending list.
func insert(list []int, k int) []int {
	list = append(list, k)
	for at := len(list) - 1; at > 0 && list[at-1] > k; at-- {
		list[at], list[at-1] = list[at-1], list[at]
	}
	return list
}

// follow has a table with a row a cluster, per numbers each, follow the edits: a
// cluster that splits leaves its row to both, one that goes takes it along, and one
// that becomes part of another adds its row to the other's, or, where there are
// weights of clusters, leaves the mean of both rows.
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

// followWeights has weights follow the edits (Algorithms 4 and 5): those of a cluster that
// split are halved between the two, when one goes the others are scaled up to add up
// to 1, and where two become one their weights are added. Weights are stride apart,
// one of every cluster.
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
