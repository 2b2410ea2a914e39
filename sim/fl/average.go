package fl

import (
	"math"
	"slices"

	"flockscope/sim/kernel"
)

// Rule is how a server averages vectors: the updates of a cluster, or of all clients. Its zero value is the weighted mean.
// The other rules limit what a few arbitrary vectors can do. Weights count copies: a vector of weight 2 is two vectors of
// weight 1, except in Krum, multi-Krum's choice and Bulyan, which count every client once.
type Rule struct {
	Kind  RuleKind
	Share float64 // Trimmed: the share of the weight that is cut off at each end, below 0.5
	Liars int     // Krum, MultiKrum, Bulyan: f, how many vectors may be arbitrary
	Bound float64 // Clipped: the largest norm, in median norms
}

// RuleKind is a kind of average.
type RuleKind uint8

// The kinds of averages.
const (
	// WeightedMean is Σ w_i u_i / Σ w_i.
	WeightedMean RuleKind = iota
	// Median is the median of each coordinate (Yin, Chen, Ramchandran, Bartlett, ICML 2018, Definition 1). Where exactly
	// half of the weight lies below, it is the mean of the two middle values.
	Median
	// Trimmed is the mean of each coordinate without the least and the largest values, a share of the weight each (the
	// same paper, Definition 2). A value at the border counts with the part of its weight that is left.
	Trimmed
	// GeometricMedian is the point with the least sum of distances, Σ w_i ‖u_i − z‖, by the smoothed Weiszfeld algorithm
	// (Pillutla, Kakade, Harchaoui, IEEE Transactions on Signal Processing 2022, Algorithm 2): from the mean, with
	// ν = 10⁻⁶, until the sum falls by less than 10⁻⁹ of it, at most 100 times.
	GeometricMedian
	// Clipped is the mean of vectors that are scaled down to a norm (Sun, Kairouz, Suresh, McMahan 2019, section 4). The
	// bound follows the median norm, as in Andrew, Thakkar, McMahan, Ramaswamy, NeurIPS 2021.
	Clipped
	// Krum is the vector with the least sum of squared distances to its n − f − 2 nearest others (Blanchard, El Mhamdi,
	// Guerraoui, Stainer, NeurIPS 2017). On ties it is the one that is nearer to all others, then the first.
	Krum
	// MultiKrum is the weighted mean of the n − f vectors with the least such sums (the same paper, section 4).
	MultiKrum
	// Bulyan takes n − 2f vectors, each Krum's choice among those that are left, and in each coordinate the mean of the
	// n − 4f values nearest to their median (El Mhamdi, Guerraoui, Rouault, ICML 2018, Algorithm 2).
	Bulyan
)

// LeastClients returns how many vectors the rule's guarantee needs: n > 2f + 2 for Krum, n ≥ 4f + 3 for Bulyan. In a
// smaller cluster f is the largest number that its size allows, and with fewer than three vectors the average is the mean.
func (r Rule) LeastClients() int {
	switch r.Kind {
	case Krum, MultiKrum:
		return 2*r.Liars + 3
	case Bulyan:
		return 4*r.Liars + 3
	}
	return 1
}

// liars returns f for n vectors.
func (r Rule) liars(n int) int {
	if r.Kind == Bulyan {
		return min(r.Liars, (n-3)/4)
	}
	return min(r.Liars, (n-3)/2)
}

// An Average averages vectors by a rule. The weighted mean is summed while vectors are added; other rules keep the vectors,
// which must not change until End.
type Average struct {
	rule    Rule
	dst     []float64
	total   float64
	vectors [][]float32
	weights []float64

	column   []weighted  // the values of one coordinate
	copies   [][]float32 // of AddCopy
	distance []float64   // squared, n × n
	sorted   []float64   // those of one vector
	scores   []score
	chosen   [][]float32
}

// weighted is a value of one coordinate.
type weighted struct{ value, weight float64 }

// score is a vector's sum of distances.
type score struct {
	sum float64 // to its nearest others
	all float64 // to all others, which decides ties: two vectors can be each other's nearest
	at  int     // which vector
}

// NewAverage returns an average by a rule of at most n vectors.
func NewAverage(rule Rule, n int) *Average {
	a := &Average{rule: rule}
	if rule.Kind == WeightedMean {
		return a
	}
	a.vectors, a.weights, a.column = make([][]float32, 0, n), make([]float64, 0, n), make([]weighted, 0, n)
	if rule.Kind == Krum || rule.Kind == MultiKrum || rule.Kind == Bulyan {
		a.distance, a.sorted = make([]float64, 0, n*n), make([]float64, 0, n)
		a.scores, a.chosen = make([]score, 0, n), make([][]float32, 0, n)
	}
	return a
}

// Begin begins an average whose End writes to dst.
func (a *Average) Begin(dst []float64) *Average {
	a.dst, a.total = dst, 0
	a.vectors, a.weights = a.vectors[:0], a.weights[:0]
	clear(dst)
	return a
}

// Add adds a vector of the length of dst with a weight, which is at least 0.
func (a *Average) Add(weight float64, u []float32) {
	a.total += weight
	switch {
	case a.rule.Kind == WeightedMean:
		kernel.Accumulate(a.dst, weight, u)
	case weight > 0:
		a.vectors, a.weights = append(a.vectors, u), append(a.weights, weight)
	}
}

// AddCopy is Add for a vector that changes before End.
func (a *Average) AddCopy(weight float64, u []float32) {
	if a.rule.Kind == WeightedMean {
		a.Add(weight, u)
		return
	}
	n := len(a.vectors)
	if n == len(a.copies) {
		a.copies = append(a.copies, nil)
	}
	a.copies[n] = append(a.copies[n][:0], u...)
	a.Add(weight, a.copies[n])
}

// End sets dst to total × average, and returns the total weight: the average is dst divided by it.
func (a *Average) End() (total float64) {
	n := len(a.vectors)
	if n == 0 { // of a weighted mean, everything is done
		return a.total
	}
	kind := a.rule.Kind
	if n < 3 && a.distance != nil {
		kind = WeightedMean
	}
	switch kind {
	case WeightedMean:
		a.sum(a.weights)
		return a.total
	case Median:
		a.byCoordinate(median)
	case Trimmed:
		a.byCoordinate(a.trimmed)
	case GeometricMedian:
		a.geometricMedian()
	case Clipped:
		a.clip()
		return a.total
	case Krum:
		a.measure()
		for j, v := range a.vectors[a.best()] {
			a.dst[j] = float64(v)
		}
	case MultiKrum:
		a.multiKrum()
	case Bulyan:
		a.bulyan()
	}
	for j := range a.dst {
		a.dst[j] *= a.total
	}
	return a.total
}

// sum sets dst to a weighted sum of the vectors, and returns the sum of the weights.
func (a *Average) sum(weights []float64) (total float64) {
	clear(a.dst)
	for i, u := range a.vectors {
		if w := weights[i]; w > 0 {
			kernel.Accumulate(a.dst, w, u)
			total += w
		}
	}
	return total
}

// byCoordinate sets every coordinate of dst to a function of its sorted values.
func (a *Average) byCoordinate(of func([]weighted) float64) {
	for j := range a.dst {
		a.column = a.column[:0]
		for i, u := range a.vectors {
			a.column = append(a.column, weighted{float64(u[j]), a.weights[i]})
		}
		sortColumn(a.column)
		a.dst[j] = of(a.column)
	}
}

// sortColumn sorts by value, and equal values by weight, so that the order of clients changes nothing. A value that is
// not a number comes first.
func sortColumn(column []weighted) {
	// Shell's sort with Ciura's gaps, since there is a column for every parameter.
	for _, gap := range [...]int{1750, 701, 301, 132, 57, 23, 10, 4, 1} {
		for i := gap; i < len(column); i++ {
			v, at := column[i], i
			for ; at >= gap && v.less(column[at-gap]); at -= gap {
				column[at] = column[at-gap]
			}
			column[at] = v
		}
	}
}

func (v weighted) less(other weighted) bool {
	if v.value == other.value {
		return v.weight < other.weight
	}
	return v.value < other.value || math.IsNaN(v.value) && !math.IsNaN(other.value)
}

// median returns the weighted median of sorted values.
func median(column []weighted) float64 {
	all, below := 0.0, 0.0
	for _, v := range column {
		all += v.weight
	}
	for i, v := range column {
		below += v.weight
		switch twice := 2 * below; {
		case twice == all && i+1 < len(column):
			return (v.value + column[i+1].value) / 2
		case twice >= all:
			return v.value
		}
	}
	return column[len(column)-1].value
}

// trimmed returns the trimmed mean of sorted values.
func (a *Average) trimmed(column []weighted) float64 {
	all := 0.0
	for _, v := range column {
		all += v.weight
	}
	cut := float64(a.rule.Share * all)
	sum, kept, at := 0.0, 0.0, 0.0
	for _, v := range column {
		w := min(at+v.weight, all-cut) - max(at, cut)
		at += v.weight
		if w > 0 {
			sum += float64(w * v.value)
			kept += w
		}
	}
	return sum / kept
}

// geometricMedian computes the geometric median.
func (a *Average) geometricMedian() {
	const smooth, enough, most = 1e-6, 1e-9, 100
	z, total := a.dst, a.sum(a.weights)
	before := math.Inf(1)
	for range most {
		for j := range z {
			z[j] /= total
		}
		a.sorted = a.sorted[:0] // the weights of the next step
		sum := 0.0
		for i, u := range a.vectors {
			off := math.Sqrt(squaredDistance(z, u))
			sum += float64(a.weights[i] * off)
			a.sorted = append(a.sorted, a.weights[i]/max(smooth, off))
		}
		if !(before-sum > enough*sum) {
			return
		}
		before = sum
		total = a.sum(a.sorted)
	}
	for j := range z {
		z[j] /= total
	}
}

// clip sums vectors that are no longer than the bound.
func (a *Average) clip() {
	a.column = a.column[:0]
	for i, u := range a.vectors {
		a.column = append(a.column, weighted{math.Sqrt(kernel.Dot(u, u)), a.weights[i]})
	}
	sortColumn(a.column)
	bound := a.rule.Bound * median(a.column)
	for i, u := range a.vectors {
		w := a.weights[i]
		if norm := math.Sqrt(kernel.Dot(u, u)); norm > bound {
			w *= bound / norm
		}
		kernel.Accumulate(a.dst, w, u)
	}
}

// measure computes the squared distances of all vectors. A distance that is not a number is infinite.
func (a *Average) measure() {
	n := len(a.vectors)
	a.distance = a.distance[:n*n]
	for i, u := range a.vectors {
		a.distance[i*n+i] = 0
		for k := range i {
			sum := 0.0
			for j, v := range a.vectors[k] {
				off := float64(u[j]) - float64(v)
				sum += float64(off * off)
			}
			if math.IsNaN(sum) {
				sum = math.Inf(1)
			}
			a.distance[i*n+k], a.distance[k*n+i] = sum, sum
		}
	}
	a.scores = a.scores[:0]
	for i := range n {
		a.scores = append(a.scores, score{at: i})
	}
	a.score()
}

// score sets the scores of the vectors in a.scores, in the order of the clients, among these.
func (a *Average) score() {
	n := len(a.vectors)
	near := max(1, len(a.scores)-a.rule.liars(n)-2)
	for s := range a.scores {
		i := a.scores[s].at
		a.sorted = a.sorted[:0]
		for _, other := range a.scores {
			if other.at != i {
				a.sorted = append(a.sorted, a.distance[i*n+other.at])
			}
		}
		slices.Sort(a.sorted)
		sum := 0.0
		for _, d := range a.sorted[:min(near, len(a.sorted))] {
			sum += d
		}
		a.scores[s].sum = sum
		for _, d := range a.sorted[min(near, len(a.sorted)):] {
			sum += d
		}
		a.scores[s].all = sum
	}
}

// less reports whether a score is better than that of a later vector.
func (s score) less(other score) bool {
	return s.sum < other.sum || s.sum == other.sum && s.all < other.all
}

// best returns the vector with the least score, the first on ties.
func (a *Average) best() int { return a.scores[a.bestPlace()].at }

// takeBest is best, and removes its score.
func (a *Average) takeBest() int {
	place := a.bestPlace()
	best := a.scores[place].at
	a.scores = append(a.scores[:place], a.scores[place+1:]...)
	return best
}

func (a *Average) bestPlace() (best int) {
	for place, s := range a.scores {
		if s.less(a.scores[best]) {
			best = place
		}
	}
	return best
}

// multiKrum averages the vectors with the least scores.
func (a *Average) multiKrum() {
	a.measure()
	n := len(a.vectors)
	for range n - a.rule.liars(n) {
		a.takeBest()
	}
	for _, left := range a.scores {
		a.weights[left.at] = 0
	}
	total := a.sum(a.weights)
	for j := range a.dst {
		a.dst[j] /= total
	}
}

// bulyan chooses vectors, and averages their middle values.
func (a *Average) bulyan() {
	f := a.rule.liars(len(a.vectors))
	a.measure()
	a.chosen = a.chosen[:0]
	for range len(a.vectors) - 2*f {
		a.chosen = append(a.chosen, a.vectors[a.takeBest()])
		a.score()
	}
	for j := range a.dst {
		a.column = a.column[:0]
		for _, u := range a.chosen {
			a.column = append(a.column, weighted{float64(u[j]), 1})
		}
		sortColumn(a.column)
		a.dst[j] = middle(a.column, 2*f)
	}
}

// middle returns the mean of sorted values without those that lie farthest from their median, the larger ones on ties.
func middle(column []weighted, without int) float64 {
	centre := median(column)
	for range without {
		if last := len(column) - 1; centre-column[0].value > column[last].value-centre {
			column = column[1:]
		} else {
			column = column[:last]
		}
	}
	sum := 0.0
	for _, v := range column {
		sum += v.value
	}
	return sum / float64(len(column))
}

// squaredDistance returns that of two points.
func squaredDistance(z []float64, u []float32) float64 {
	sum := 0.0
	for j, v := range u {
		off := z[j] - float64(v)
		sum += float64(off * off)
	}
	return sum
}

// SetRule makes the round average by a rule. It is called once, before the first round. The weighted mean is the default.
func (r *Round) SetRule(rule Rule) {
	r.average = NewAverage(rule, len(r.Label))
	if rule.Kind != WeightedMean && r.balance.counted == nil {
		r.balance.counted = make([]float64, len(r.Label))
	}
}

// Average begins an average by the rule of the lane, for methods that have more to average than ApplyMean does:
//
//	average := r.Average(sum)
//	for _, i := range r.Replied {
//		average.Add(weight[i], r.Answer(i))
//	}
//	total := average.End()
//
// The mean is then sum divided by total. One average ends before the next begins.
func (r *Round) Average(dst []float64) *Average { return r.average.Begin(dst) }

// keepsReplies reports whether updates are averaged after all have arrived.
func (r *Round) keepsReplies() bool {
	return r.balance.least > 0 || r.average.rule.Kind != WeightedMean
}
