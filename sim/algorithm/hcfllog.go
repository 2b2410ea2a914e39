package algorithm

// edits is what happened to the clusters, in order, as pairs: a cluster and the
// one that split off it, or a cluster and gone. Weights and masses follow it, on
// the server at once, at a client when it comes again. A cluster keeps its number
// for life; then another one may have it.
type edits []float32

const gone = -1

// alive returns the clusters in use after so many at the start, ascending.
func (e edits) alive(dst []int, start int) []int {
	dst = dst[:0]
	for k := range start {
		dst = append(dst, k)
	}
	for n := 0; n < len(e); n += 2 {
		if e[n+1] != gone {
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
// cluster that splits leaves its row to both, and one that goes takes it along.
func (e edits) follow(table []float32, per int) {
	for n := 0; n < len(e); n += 2 {
		from := table[int(e[n])*per : (int(e[n])+1)*per]
		if e[n+1] == gone {
			clear(from)
			continue
		}
		copy(table[int(e[n+1])*per:], from)
	}
}

// fold has weights follow the edits (Algorithms 4 and 5): those of a cluster that
// split are halved between the two, and when one goes the others are scaled up to
// add up to 1. Weights are stride apart, one of every cluster.
func (e edits) fold(weights []float32, stride int) {
	for n := 0; n < len(e); n += 2 {
		if e[n+1] != gone {
			half := weights[int(e[n])*stride] / 2
			weights[int(e[n])*stride], weights[int(e[n+1])*stride] = half, half
			continue
		}
		weights[int(e[n])*stride] = 0
		sum := 0.0
		for at := 0; at < len(weights); at += stride {
			sum += float64(weights[at])
		}
		for at := 0; at < len(weights) && sum > 0; at += stride {
			weights[at] = float32(float64(weights[at]) / sum)
		}
	}
}
