package partition

import "slices"

// plan holds the group and the kind of each client in each layer. Clients of one planted group have
// consecutive numbers.
type plan struct {
	split, shift, concept []int    // planted group in each layer
	view, naming          []int    // kind in the layers of shifts and concepts
	group                 []int    // combination of the three planted groups
	combinations          [][3]int // the three groups of each combination
}

// newPlan distributes clients over the groups of one layer, then within each group over those of
// the next, and finally over the kinds within each group. The groups of the split have weights. In
// the other layers, a group with more kinds gets more clients, so that all kinds have equally many.
func newPlan(clients int, splits []int, shift, concept Kinds) *plan {
	p := &plan{}
	var columns [][]int
	spread := func(weight []int, choices func(client int) []int) []int {
		columns = append(columns, spreadOver(columns, clients, weight, choices))
		return columns[len(columns)-1]
	}
	groups := func(weight []int) []int {
		all := indices(len(weight))
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
		if i == 0 || of != p.combinations[len(p.combinations)-1] {
			p.combinations = append(p.combinations, of)
		}
		p.group[i] = len(p.combinations) - 1
	}
	return p
}

// evenly returns equal weights of n groups; without groups, that of one.
func evenly(n int) []int { return slices.Repeat([]int{1}, max(1, n)) }

// weights returns the number of kinds in each group.
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

func indices(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// spreadOver gives every client one of its choices, which have weights. Clients that are equal in
// all columns so far are consecutive and have the same choices; they are distributed over them by
// weight and in order. A remaining client goes to the choice that is least frequent so far among
// clients that share a column with it, so that no two layers are correlated.
func spreadOver(columns [][]int, clients int, weight []int, choices func(client int) []int) []int {
	n, out := len(weight), make([]int, clients)
	met := make([]map[int][]int, len(columns)) // clients of each choice, by column and value
	for c := range met {
		met[c] = map[int][]int{}
	}
	all := make([]int, n) // number of clients of each choice
	for from, to := 0, 0; from < clients; from = to {
		seen := [][]int{all}
		for c, column := range columns {
			if met[c][column[from]] == nil {
				met[c][column[from]] = make([]int, n)
			}
			seen = append(seen, met[c][column[from]])
		}
		among, count := choices(from), make([]int, n)
		for to = from; to < clients && sameSoFar(columns, from, to); to++ {
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

// sameSoFar reports whether two clients are equal in all columns.
func sameSoFar(columns [][]int, i, j int) bool {
	for _, column := range columns {
		if column[i] != column[j] {
			return false
		}
	}
	return true
}
