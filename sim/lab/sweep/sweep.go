// Package sweep varies one or two settings over a range of values, each with several seeds,
// and says how every lane ended: means with their spread instead of a single run.
//
// The package plans, keeps and counts for the page, whose workers play the runs; the larger
// plans of the command are those of package plan. A table depends on its plan alone, not on
// where and when its runs were played.
//
//	sweep.go  a plan of jobs, each one run
//	table.go  the runs of a plan, and means over them
//	run.go    how one run ended
//	axis.go   values from a first one to a last one
//	csv.go    a table as CSV
package sweep

import (
	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Axis is one setting and the values that it takes, as canonical texts.
type Axis struct {
	Key    string // as in a query, such as "dphi" or "ifca.K"
	Values []string
}

// Plan is a base experiment, one or two settings to vary in it, and a number of
// seeds. The runs are paired: every value, and every lane, has the same seeds,
// those of the base and the ones that follow them.
//
// A cell is one value, or one pair of values: cell i·n+j has value i of the
// first setting and value j of the n that the second takes. A job is one run:
// job s·cells+c plays cell c with seed s, so that the first jobs, in order, give a
// coarse picture of the whole plan.
type Plan struct {
	Base  experiment.Config
	Axes  []Axis
	Seeds int

	cells []cell
}

type cell struct {
	config experiment.Config
	why    error // error if the settings are not compatible
}

// The maximum numbers of values of a setting and of runs of a plan.
const (
	MostValues = 200
	MostRuns   = 20000
)

// New returns the plan, or an error that says what is wrong with it. Values that conflict with other settings are not
// errors: their cells stay empty.
func New(base experiment.Config, axes []Axis, seeds int) (*Plan, error) {
	p := &Plan{Base: base, Axes: axes, Seeds: seeds}
	if len(axes) < 1 || len(axes) > 2 {
		return nil, say.Errorf("a sweep varies one setting or two")
	}
	if len(axes) == 2 && axes[0].Key == axes[1].Key {
		return nil, say.Errorf("%s is varied twice", axes[0].Key)
	}
	if seeds < 1 {
		return nil, say.Errorf("a sweep needs at least one seed")
	}
	cells := 1
	for _, x := range axes {
		if err := check(base, x); err != nil {
			return nil, err
		}
		cells *= len(x.Values)
	}
	if seeds > MostRuns { // also keeps the product in range
		return nil, say.Errorf("%d seeds are too many; the most runs are %d", seeds, MostRuns)
	}
	if runs := cells * seeds; runs > MostRuns {
		return nil, say.Errorf("%d runs are too many; the most is %d", runs, MostRuns)
	}
	var first error
	fit := 0
	for c := range cells {
		config, err := base.WithAll(p.Settings(c))
		if err == nil {
			fit++
		} else if first == nil {
			first = err
		}
		p.cells = append(p.cells, cell{config, err})
	}
	if fit == 0 {
		return nil, first
	}
	return p, nil
}

// check checks one setting by itself.
func check(base experiment.Config, x Axis) error {
	f, ok := base.Field(x.Key)
	if !ok {
		return say.Errorf("there is no setting %s", x.Key)
	}
	if f.Kind != param.Int && f.Kind != param.Float {
		return say.Errorf("%s is not a number and cannot be varied", x.Key)
	}
	if !base.Reads(f.Name) {
		return say.Errorf("%s has no effect with these methods and %s", x.Key, "data="+base.Workload())
	}
	if len(x.Values) == 0 || len(x.Values) > MostValues {
		return say.Errorf("%s takes %d values; from 1 to %d will do", x.Key, len(x.Values), MostValues)
	}
	for _, text := range x.Values {
		if _, err := f.Canonical(text); err != nil {
			return err
		}
	}
	return nil
}

// Settings returns the keys and values of a cell.
func (p *Plan) Settings(c int) [][2]string {
	out := make([][2]string, len(p.Axes))
	for i := len(p.Axes) - 1; i >= 0; i-- {
		x := p.Axes[i]
		out[i] = [2]string{x.Key, x.Values[c%len(x.Values)]}
		c /= len(x.Values)
	}
	return out
}

// Cells returns the number of values, or pairs of values.
func (p *Plan) Cells() int { return len(p.cells) }

// Jobs returns the number of runs, including those of cells that do not fit.
func (p *Plan) Jobs() int { return len(p.cells) * p.Seeds }

// Fits returns an error if the settings of a cell are not compatible.
func (p *Plan) Fits(cell int) error { return p.cells[cell].why }

// Cell returns the cell and the seed index, from 0, of a job.
func (p *Plan) Cell(job int) (cell, seed int) { return job % len(p.cells), job / len(p.cells) }

// Job returns the job that plays a cell with a seed index.
func (p *Plan) Job(cell, seed int) int { return seed*len(p.cells) + cell }

// Config returns the experiment of a job whose cell fits.
func (p *Plan) Config(job int) experiment.Config {
	c, seed := p.Cell(job)
	return p.cells[c].config.Reseeded(seed)
}

// Lanes returns the names of the lanes.
func (p *Plan) Lanes() []string {
	var out []string
	for i := range p.Base.Lanes() {
		out = append(out, p.Base.Lanes()[i].ID())
	}
	return out
}
