package partition

import "slices"

// plan says of each client which group and which kind it has in each layer.
// Clients of one planted group have neighbouring numbers.
type plan struct {
	split, shift, concept []int    // planted group in each layer
	view, naming          []int    // kind in the layers of shifts and concepts
	group                 []int    // combination of the three planted groups
	of                    [][3]int // what each combination is made of
}

// newPlan spreads clients over the groups of one layer, then within each group
// over those of the next, and at last over the kinds within each group. The groups of
// the split have weights. Of the others one of more kinds gets more clients, so that
// each kind has as many as any other.
func newPlan(clients int, splits []int, shift, concept Kinds) *plan {
	p := &plan{}
	var columns [][]int
	spread := func(weight []int, choices func(client int) []int) []int {
		columns = append(columns, spreadOver(columns, clients, weight, choices))
		return columns[len(columns)-1]
	}
	groups := func(weight []int) []int {
		all := upTo(len(weight))
		return spread(weight, func(int) []int { return all })
	}
	p.split = groups(splits)
	p.shift = groups(shift.weights())
	p.concept = groups(concept.weights())
	p.view = spread(evenly(len(shift.Group)), func(i int) []int { return shift.of(p.shift[i]) })
	p.naming = spread(evenly(len(concept.Group)), func(i int) []int { return concept.of(p.concept[i]) })
	p.group = make([]int, clients)
	for i := range p.group {
		of := [3]int{p.split[i], p.shift[i], p.concept[i]}
		if i == 0 || of != p.of[len(p.of)-1] {
			p.of = append(p.of, of)
		}
		p.group[i] = len(p.of) - 1
	}
	return p
}

// evenly returns the weights of n groups that are alike; of no groups, those of one.
func evenly(n int) []int { return slices.Repeat([]int{1}, max(1, n)) }

// weights returns how many kinds there are in each group.
func (k *Kinds) weights() []int {
	out := make([]int, max(1, len(k.Groups)))
	for g := range out {
		out[g] = max(1, len(k.of(g)))
	}
	return out
}

// of returns the kinds in a group.
func (k *Kinds) of(group int) []int {
	var out []int
	for kind, g := range k.Group {
		if g == group {
			out = append(out, kind)
		}
	}
	return out
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// spreadOver gives every client one of its choices, which have weights. Clients
// that are alike in all columns so far are neighbours and have the same choices;
// they are spread over them by weight and in order. Where they do not come out
// even, the choice that gets one client more is the one met least so far among
// clients like these in any one column, so that no two layers move together.
func spreadOver(columns [][]int, clients int, weight []int, choices func(client int) []int) []int {
	n, out := len(weight), make([]int, clients)
	met := make([]map[int][]int, len(columns)) // by column and value: clients of each choice
	for c := range met {
		met[c] = map[int][]int{}
	}
	all := make([]int, n) // clients of each choice
	for from, to := 0, 0; from < clients; from = to {
		seen := [][]int{all}
		for c, column := range columns {
			if met[c][column[from]] == nil {
				met[c][column[from]] = make([]int, n)
			}
			seen = append(seen, met[c][column[from]])
		}
		among, count := choices(from), make([]int, n)
		for to = from; to < clients && alike(columns, from, to); to++ {
			best := among[0]
			for _, c := range among[1:] {
				less := count[c]*weight[best] - count[best]*weight[c]
				if less < 0 || less == 0 && sumAt(seen, c)*weight[best] < sumAt(seen, best)*weight[c] {
					best = c
				}
			}
			out[to] = best
			count[best]++
			for _, counts := range seen {
				counts[best]++
			}
		}
		slices.Sort(out[from:to])
	}
	return out
}

// sumAt returns the sum of one column of counts.
func sumAt(counts [][]int, c int) int {
	sum := 0
	for _, row := range counts {
		sum += row[c]
	}
	return sum
}

// alike reports whether two clients are the same in all columns.
func alike(columns [][]int, i, j int) bool {
	for _, column := range columns {
		if column[i] != column[j] {
			return false
		}
	}
	return true
}
