// Package tune looks for good values of the settings of methods by random search (Bergstra and Bengio, "Random Search for
// Hyper-Parameter Optimization", JMLR 13, 2012), with points that cover the ranges evenly: each method gets the same number of tries, with seeds that no comparison
// has, and is judged by training samples that clients hold back.
//
// A search is a plan whose lanes are tries, so it is computed, divided and continued as every sweep is.
//
//	tune.go    the plan of a search: tries, seeds, held-back samples
//	choose.go  what came out: the best try of each method, and what fewer tries would have found
//	report.go  the result as a document, and as lanes of a sweep
package tune

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/exact"
	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/param"
	"flockscope/sim/rng"
)

// Search is a random search.
type Search struct {
	Base    experiment.Config // the experiment for which to choose; it says nothing of seeds and lanes
	Methods []string
	Tries   int      // of each method; the first has the default settings
	Seeds   int      // of each try
	Vary    []string // settings of the data over which a try is averaged, as flock sweep takes them
	Floats  float64  // budget, as in a plan
	Data    string   // hash of the user's files
}

// SeedsApart is how far the seeds of a search are from those of its base: comparisons have fewer seeds.
const SeedsApart = 1000

// MostTries is the maximum number of tries of a method.
const MostTries = 1000

// HoldsBack is the setting by which clients evaluate models on training samples that they hold back.
const HoldsBack = "holdback"

// Plan returns the plan of a search. Its lanes are named after method and try: "ifca:try0", "ifca:try1".
func (s *Search) Plan() (*plan.Plan, error) {
	base, err := s.base()
	if err != nil {
		return nil, err
	}
	var lanes []string
	for _, method := range s.Methods {
		space, err := s.Space(method)
		if err != nil {
			return nil, err
		}
		for try := range s.Tries {
			lane := laneOf(method, try)
			text := lane
			for _, x := range Try(space, try) {
				text += "&" + lane + "." + x[0] + "=" + x[1]
			}
			lanes = append(lanes, text)
		}
	}
	vary := append(slices.Clone(s.Vary), "algos="+strings.Join(lanes, ";")+";")
	draft := &plan.Draft{Vary: vary, Seeds: s.Seeds, Floats: s.Floats, Data: s.Data}
	return draft.Around(base)
}

// laneOf names the lane of a try.
func laneOf(method string, try int) string { return fmt.Sprintf("%s:try%d", method, try) }

// base returns the experiment of a search without lanes: with seeds of its own, and held-back samples where clients have
// samples to hold back.
func (s *Search) base() (experiment.Config, error) {
	c := s.Base.Reseeded(SeedsApart)
	if c.Reads(HoldsBack) {
		return c.With(HoldsBack, "1")
	}
	return c, nil
}

// Space returns the settings of a method that are searched: those with a range, which the method reads here and the base
// does not set.
func (s *Search) Space(method string) ([]param.Field, error) {
	c, err := s.Base.With("algos", method)
	if err != nil {
		return nil, err
	}
	var out []param.Field
	for _, f := range c.LaneFields(0) {
		if _, given := s.Base.Given(f.Name); !given && f.Tune != nil {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no setting to tune here: the query sets all that have a range", method)
	}
	return out, nil
}

// Try returns the settings of a try, none for the first. Values have two significant digits. Tries are points of the
// Halton sequence, shifted by a random number for each setting, which cover the ranges more evenly than independent draws
// do: of twelve learning rates no two fall together by chance (Bousquet and others, "Critical Hyper-Parameters: No Random,
// No Cry", 2017; Bergstra and Bengio, section 5). Methods try the same learning rates, and a search with more tries begins
// as one with fewer.
func Try(space []param.Field, try int) (pairs [][2]string) {
	if try == 0 {
		return nil
	}
	next := 1
	for i := range space {
		f := &space[i]
		base := bases[0]
		if f.Name != "lr" {
			base = bases[next%len(bases)]
			next++
		}
		h := fnv.New64a()
		h.Write([]byte(f.Name))
		var r rng.Stream
		r.Reset(h.Sum64(), rng.Reports, 2, 0)
		at := radicalInverse(try, base) + r.Float64()
		pairs = append(pairs, [2]string{f.Name, draw(f, at-math.Floor(at))})
	}
	return pairs
}

// bases of the Halton sequence: the first is that of the learning rate.
var bases = []int{2, 3, 5, 7, 11, 13}

// radicalInverse mirrors the digits of n at the point: in base 2 of 1, 2, 3, 4 it is 1/2, 1/4, 3/4, 1/8.
func radicalInverse(n, base int) float64 {
	v, digit := 0.0, 1/float64(base)
	for ; n > 0; n /= base {
		v += float64(digit * float64(n%base))
		digit /= float64(base)
	}
	return v
}

// draw returns the value at a place of a space, from 0 to 1.
func draw(f *param.Field, at float64) string {
	low, high := f.Tune.Low, f.Tune.High
	v := low + float64(at*(high-low))
	if f.Tune.Log {
		v = float64(low * exact.Exp(float64(at*exact.Log(high/low))))
	}
	if f.Kind == param.Int {
		return strconv.Itoa(int(math.Round(v)))
	}
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 2, 64), 64)
	return param.FormatFloat(min(max(v, low), high))
}
