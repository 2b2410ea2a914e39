package clusterer

import "math"

// Assigner solves the linear assignment problem: it gives each row a column, no column
// twice, with the least total cost. The zero value is ready to use.
//
// It is the Hungarian method in the form of shortest augmenting paths (Jonker
// and Volgenant, Computing 38 (1987), 325-340), O(Rows²·Cols); choosing among
// ties adds O(Rows·Cols²) at most.
type Assigner struct {
	cost     Matrix    // a copy in which every entry is finite
	slack    float64   // reduced costs up to this value count as 0
	u, v     []float64 // prices of rows and columns: u[i] + v[j] ≤ cost(i, j), v ≤ 0
	rowOf    []int     // row that has column j, or −1
	columnOf []int     // column of row i, or −1

	// Scratch for one augmenting path.
	distance []float64 // shortest reduced cost to column j so far
	from     []int     // the column before j on that path, or −1 at its start
	done     []bool

	overlap Matrix // Relabel: −#points with new label i and old label j
	perm    []int
}

// Assign sets dst[i] to the column given to row i and returns the total cost.
// cost must have no more rows than columns, and dst one element per row.
//
// Among assignments of least total it takes the lexicographically first: row 0
// gets the lowest possible column, then row 1, and so on. Totals within about one part in
// 10¹² of the largest cost count as equal, so that a tie does not depend on the last bits of
// a sum. An entry that is NaN, infinite or beyond ±10¹⁴⁰ counts as worse than any sum of
// others: it is taken only if nothing else is left, and the total is then not finite, or as
// large.
func (as *Assigner) Assign(dst []int, cost *Matrix) float64 {
	cost.check()
	switch {
	case cost.Rows > cost.Cols:
		panic("clusterer: Assign: more rows than columns")
	case len(dst) != cost.Rows:
		panic("clusterer: Assign: dst and cost differ in length")
	}
	as.prepare(cost)
	for i := range cost.Rows {
		as.augment(i)
	}
	as.chooseFirst()
	copy(dst, as.columnOf)

	var total float64
	for i, j := range dst {
		total += cost.Data[i*cost.Cols+j]
	}
	return total
}

// prepare copies cost, with a finite price in place of what is not finite, and
// clears the state.
func (as *Assigner) prepare(cost *Matrix) {
	rows, cols := cost.Rows, cost.Cols
	as.cost.copyFrom(cost)
	var most float64
	for _, c := range cost.Data {
		if isBounded(c) {
			most = max(most, math.Abs(c))
		}
	}
	as.slack = most * 1e-12
	forbidden := (2*most + 1) * float64(rows+1)
	for at, c := range as.cost.Data {
		if !isBounded(c) {
			as.cost.Data[at] = forbidden
		}
	}

	as.u, as.columnOf = resize(as.u, rows), resize(as.columnOf, rows)
	as.v, as.rowOf = resize(as.v, cols), resize(as.rowOf, cols)
	as.distance, as.from, as.done = resize(as.distance, cols), resize(as.from, cols), resize(as.done, cols)
	clear(as.u)
	clear(as.v)
	for j := range as.rowOf {
		as.rowOf[j] = -1
	}
}

// augment gives row i a column, moving rows before it along the path of least
// reduced cost to a free column. This is Dijkstra's algorithm on
// columns; the prices keep all reduced costs non-negative, as it needs.
func (as *Assigner) augment(i int) {
	for j := range as.done {
		as.done[j], as.from[j], as.distance[j] = false, -1, math.Inf(1)
	}
	row, before, reached := i, -1, 0.0
	for {
		next, least := -1, math.Inf(1)
		costs := as.cost.Row(row)
		for j, done := range as.done {
			if done {
				continue
			}
			if d := reached + (costs[j] - as.u[row] - as.v[j]); d < as.distance[j] {
				as.distance[j], as.from[j] = d, before
			}
			if next < 0 || as.distance[j] < least {
				next, least = j, as.distance[j]
			}
		}
		if as.rowOf[next] < 0 {
			as.reprice(i, least)
			as.shift(i, next)
			return
		}
		as.done[next] = true
		row, before, reached = as.rowOf[next], next, least
	}
}

// reprice changes prices so that every edge of the path just found has a reduced
// cost of 0 and none becomes negative. length is the length of the path from
// row i to its free end.
func (as *Assigner) reprice(i int, length float64) {
	as.u[i] += length
	for j, done := range as.done {
		if done {
			as.u[as.rowOf[j]] += length - as.distance[j]
			as.v[j] -= length - as.distance[j]
		}
	}
}

// shift moves each row on the path that ends at the free column j to the next column, so
// that row i gets the first.
func (as *Assigner) shift(i, j int) {
	for as.from[j] >= 0 {
		before := as.from[j]
		as.assignColumn(as.rowOf[before], j)
		j = before
	}
	as.assignColumn(i, j)
}

// assignColumn gives column col to row, or frees it if row is negative.
func (as *Assigner) assignColumn(row, col int) {
	as.rowOf[col] = row
	if row >= 0 {
		as.columnOf[row] = col
	}
}

// canHave reports whether row i may have column j in an assignment of least total.
// It may if the reduced cost is 0. A negative i stands for no row: a column may stay free
// if its price is 0.
//
// An assignment all of whose columns, held or not, are tight to their owners is
// optimal; and with these prices every optimal one is of that kind.
func (as *Assigner) canHave(i, j int) bool {
	if i < 0 {
		return as.v[j] >= -as.slack
	}
	return as.cost.Data[i*as.cost.Cols+j]-as.u[i]-as.v[j] <= as.slack
}

// chooseFirst moves from the optimum found to the lexicographically first one. For each row
// in order it takes the first tight column that no earlier row has and whose owner can take
// another.
func (as *Assigner) chooseFirst() {
	for i, have := range as.columnOf {
		clear(as.done)
		for _, j := range as.columnOf[:i] {
			as.done[j] = true
		}
		for j := range as.cost.Cols {
			if !as.done[j] && (j == have || as.canHave(i, j)) && as.freeColumn(j, have) {
				as.assignColumn(i, j)
				break
			}
		}
	}
}

// freeColumn frees column j by moving its owner to another tight column, whose owner moves on in turn, until one takes
// the column `have`, which the current row leaves (Kuhn's search). A free column can take part too, if another column
// can be free in its place. Columns in done are taken, or were tried without success.
func (as *Assigner) freeColumn(j, have int) bool {
	if j == have {
		return true
	}
	as.done[j] = true
	owner := as.rowOf[j]
	for other := range as.cost.Cols {
		if !as.done[other] && as.canHave(owner, other) && as.freeColumn(other, have) {
			as.assignColumn(owner, other)
			return true
		}
	}
	return false
}

// Names gives each of the first len(dst) rows of a square cost a number from 0 to
// len(dst)−1, no number twice: that of the column assigned to the row, as in Assign, where it
// is one of these. Rows whose column is not get the numbers that are left, in order.
func (as *Assigner) Names(dst []uint16, cost *Matrix) {
	as.perm = resize(as.perm, cost.Rows)
	as.Assign(as.perm, cost)
	const none = ^uint16(0)
	taken := resize(as.done, len(dst)) // scratch that is free at this point
	clear(taken)
	for i := range dst {
		dst[i] = none
		if j := as.perm[i]; j < len(dst) {
			dst[i], taken[j] = uint16(j), true
		}
	}
	next := 0
	for i := range dst {
		if dst[i] != none {
			continue
		}
		for taken[next] {
			next++
		}
		dst[i], taken[next] = uint16(next), true
	}
}

// Relabel renames labels, in place, to agree with previous as often as a
// bijection ψ of 0 … k−1 allows:
//
//	maximise #{i : ψ(labels[i]) = previous[i]}
//
// Among equally good ones it takes the ψ for which ψ(0), ψ(1), … comes first in
// lexicographic order, as the enumeration of all k! permutations in the code of
// CFL-GP does. Points whose previous or present label is negative do not count,
// and a negative label stays. It panics if the lengths differ or a label is k or
// more.
func (as *Assigner) Relabel(labels, previous []int, k int) {
	if len(labels) != len(previous) {
		panic("clusterer: Relabel: labels and previous differ in length")
	}
	as.overlap.Reshape(k, k)
	clear(as.overlap.Data)
	for i, l := range labels {
		if l >= k || previous[i] >= k {
			panic("clusterer: Relabel: a label is k or more")
		}
		if l >= 0 && previous[i] >= 0 {
			as.overlap.Data[l*k+previous[i]]--
		}
	}
	as.perm = resize(as.perm, k)
	as.Assign(as.perm, &as.overlap)
	for i, l := range labels {
		if l >= 0 {
			labels[i] = as.perm[l]
		}
	}
}
