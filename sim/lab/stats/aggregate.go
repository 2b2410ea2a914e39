package stats

import (
	"cmp"
	"math"
	"slices"
)

// Interquartile computes interquartile means of the same values with several weights.
type Interquartile struct {
	values []float64
	order  []int // of the values, the least first, without those that are NaN
}

// NewInterquartile orders values. Those that are NaN count for nothing.
func NewInterquartile(values []float64) *Interquartile {
	q := &Interquartile{values: values}
	for i, v := range values {
		if !math.IsNaN(v) {
			q.order = append(q.order, i)
		}
	}
	slices.SortStableFunc(q.order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	return q
}

// Mean returns the mean of the middle half of the values by weight: of a value that the edge of a quarter divides, the
// part inside counts (Agarwal and others, NeurIPS 2021). A few runs that fail do not decide it, as they decide a mean,
// and it uses more of the values than a median. For n equal weights with n a multiple of four it is
// scipy.stats.trim_mean(values, 0.25); for other n that function leaves out whole values, ⌊n/4⌋ at each end. It is NaN
// if all weights are 0.
func (q *Interquartile) Mean(weights []float64) float64 {
	total := 0.0
	for _, i := range q.order {
		total += weights[i]
	}
	if total == 0 {
		return math.NaN()
	}
	low, high := total/4, 3*total/4
	sum, below := 0.0, 0.0
	for _, i := range q.order {
		w := weights[i]
		if w == 0 {
			continue
		}
		if inside := min(below+w, high) - max(below, low); inside > 0 {
			sum += float64(inside * q.values[i])
		}
		if below += w; below >= high {
			break
		}
	}
	return Round(sum / (total / 2))
}

// Mean returns the mean of values by weight, without those that are NaN; NaN if all other weights are 0. Without weights,
// all count alike.
func Mean(values, weights []float64) float64 {
	sum, total := 0.0, 0.0
	for i, v := range values {
		weight := 1.0
		if weights != nil {
			weight = weights[i]
		}
		if !math.IsNaN(v) {
			sum += float64(weight * v)
			total += weight
		}
	}
	if total == 0 {
		return math.NaN()
	}
	return Round(sum / total)
}

// Profile computes points of the performance profile of a method: which share of its runs has a score above each of some
// bounds (Dolan and Moré, Mathematical Programming 91, 2002; Agarwal and others, NeurIPS 2021, section 4.2).
type Profile struct {
	passed []int // for each run the number of bounds that its score is above, −1 for no score
}

// NewProfile prepares a profile. The bounds increase. A score that equals a bound after [Round] is not above it; scores
// that are NaN are left out.
func NewProfile(scores, bounds []float64) *Profile {
	rounded := make([]float64, len(bounds))
	for i, b := range bounds {
		rounded[i] = Round(b)
	}
	p := &Profile{make([]int, len(scores))}
	for i, v := range scores {
		if p.passed[i] = -1; !math.IsNaN(v) {
			p.passed[i], _ = slices.BinarySearch(rounded, Round(v)) // a bound that is found is not passed
		}
	}
	return p
}

// Shares writes the share, by weight, of the runs above each bound; NaN if all runs with a score have the weight 0.
func (p *Profile) Shares(weights, out []float64) {
	clear(out)
	total := 0.0
	for i, n := range p.passed {
		if n < 0 {
			continue
		}
		if total += weights[i]; n > 0 {
			out[n-1] += weights[i]
		}
	}
	above := 0.0
	for i := len(out) - 1; i >= 0; i-- {
		above += out[i]
		out[i] = above / total
	}
}

// Improvement computes how probable it is that one method beats another.
type Improvement struct{ rows []improvementRow }

// improvementRow has the runs of a row: those of both methods, the least score first.
type improvementRow struct {
	runs []improvementRun
	size []int // numbers of runs that tie, in the order of runs
}

type improvementRun struct {
	run    int // its weight is weights[run]
	second bool
}

// NewImprovement orders the scores of two methods row by row; scores that are equal after [Round] tie, and those that
// are NaN are left out.
func (d Design) NewImprovement(first, second []float64) *Improvement {
	out := &Improvement{}
	at := 0
	for _, rows := range d {
		for _, seeds := range rows {
			var r improvementRow
			score := func(x improvementRun) float64 {
				if x.second {
					return Round(second[x.run])
				}
				return Round(first[x.run])
			}
			for i := at; i < at+seeds; i++ {
				if !math.IsNaN(first[i]) {
					r.runs = append(r.runs, improvementRun{i, false})
				}
				if !math.IsNaN(second[i]) {
					r.runs = append(r.runs, improvementRun{i, true})
				}
			}
			slices.SortStableFunc(r.runs, func(a, b improvementRun) int { return cmp.Compare(score(a), score(b)) })
			for i := 0; i < len(r.runs); {
				j := i + 1
				for j < len(r.runs) && score(r.runs[j]) == score(r.runs[i]) {
					j++
				}
				r.size = append(r.size, j-i)
				i = j
			}
			out.rows, at = append(out.rows, r), at+seeds
		}
	}
	return out
}

// Probability returns how probable it is that the first method has a higher score than the second in a row, for a run of
// each that are drawn independently, ties counting half; of all rows, the mean by weight. It is the probability of
// improvement of Agarwal and others (NeurIPS 2021, section 4.3): the statistic of Mann and Whitney divided by the number
// of pairs. NaN if no row has runs of both.
func (p *Improvement) Probability(weights []float64) float64 {
	sum, total := 0.0, 0.0
	for i := range p.rows {
		row := &p.rows[i]
		wins, first, second := 0.0, 0.0, 0.0 // weights of wins, and of the runs so far
		at := 0
		for _, n := range row.size {
			a, b := 0.0, 0.0
			for _, x := range row.runs[at : at+n] {
				if x.second {
					b += weights[x.run]
				} else {
					a += weights[x.run]
				}
			}
			at += n
			wins += float64(a * (second + b/2))
			first, second = first+a, second+b
		}
		if first > 0 && second > 0 {
			mass := (first + second) / 2
			sum += float64(mass * wins / (first * second))
			total += mass
		}
	}
	if total == 0 {
		return math.NaN()
	}
	return sum / total
}
