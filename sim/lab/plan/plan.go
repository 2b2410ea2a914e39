// Package plan says what a sweep computes, and what is kept of it.
//
// A [Plan] is a text: a base query, any number of settings that are varied, a number
// of seeds, and a budget. It expands to cells. A [Cell] is one query; its ID is a hash
// of all that its result depends on, so that independent programs agree on what
// has been computed. A [Record] is the result of one cell.
//
// Expansion is a function of the cell's number and keeps nothing: a plan of a million
// cells takes no more memory than one of ten, and a part of a plan (every n-th cell)
// can start anywhere.
//
//	plan.go    the plan, its cells and their order
//	axis.go    the settings that are varied, as a person writes them
//	text.go    the plan as a text
//	record.go  what is kept of a cell
//	history.go scores and costs by round
//	json.go    a record as a line of text
//	valid.go   what a record may say
//	hash.go    the hash that identifies a cell
//	command.go the command that computes a plan
//	watch.go   the engine's sink that measures a cell
package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/version"
)

// Plan is a base experiment, settings to vary in it, a number of seeds and a budget.
// Runs are paired: every point has the same seeds, those of the base and the ones
// that follow.
//
// A point is one combination of values: with axes of 3 and 4 values, point 4i+j has
// value i of the first and value j of the second. A cell is a point with a seed: cell
// s·points+p is point p with seed s, so that the first cells, in order, give a
// coarse picture of the whole plan.
type Plan struct {
	Base  experiment.Config
	Axes  []Axis
	Seeds int
	// Floats is a budget: scores are those after the last round in which the lane had
	// sent and received at most this number of floats per client. 0 means no limit.
	Floats float64
	// Data is a hash of the user's files of samples; "" for none.
	Data string

	points int
}

// The maximum numbers of values of a setting and of cells of a plan.
const (
	MostValues = 1_000_000
	MostCells  = 1_000_000_000
)

// New returns the plan, or an error that says what is wrong with it. Values that conflict with other settings are not
// errors: their points stay empty.
func New(base experiment.Config, axes []Axis, seeds int, floats float64, data string) (*Plan, error) {
	p := &Plan{Base: base, Axes: axes, Seeds: seeds, Floats: floats, Data: data, points: 1}
	if seeds < 1 {
		return nil, say.Errorf("a sweep needs at least one seed")
	}
	for i, x := range axes {
		if slices.ContainsFunc(axes[:i], func(y Axis) bool { return y.Key == x.Key }) {
			return nil, say.Errorf("%s is varied twice", x.Key)
		}
		p.points *= len(x.Values)
		if p.points < 1 || p.points > MostCells/seeds {
			return nil, say.Errorf("the sweep has more than %d cells; vary less, or divide it into several", MostCells)
		}
	}
	contexts := wordCombinations(base, axes)
	for _, x := range axes {
		if err := x.matters(contexts); err != nil {
			return nil, err
		}
	}
	var first error
	for i := range min(p.points, maxExamined) {
		_, err := p.Point(i)
		if err == nil {
			return p, nil
		}
		if first == nil {
			first = err
		}
	}
	if p.points <= maxExamined {
		return nil, first
	}
	return p, nil
}

// maxExamined is the maximum number of points that are examined to check a sweep.
const maxExamined = 10_000

// Points returns the number of combinations of values.
func (p *Plan) Points() int { return p.points }

// Cells returns the number of cells, including those with incompatible settings.
func (p *Plan) Cells() int { return p.points * p.Seeds }

// Runs returns the number of runs that the cells need. Points with equivalent settings share runs, such as points that
// differ in K for a method that does not read K. Points with incompatible settings have no runs. For plans with very
// many points it returns the number of cells, to be quick.
func (p *Plan) Runs() int {
	if p.points > maxExamined {
		return p.Cells()
	}
	differ := map[string]bool{}
	for point := range p.points {
		if c, err := p.Cell(point); err == nil {
			differ[c.ID] = true
		}
	}
	return len(differ) * p.Seeds
}

// Values returns the values of a point, one per axis.
func (p *Plan) Values(point int) []string {
	out := make([]string, len(p.Axes))
	for i := len(p.Axes) - 1; i >= 0; i-- {
		values := p.Axes[i].Values
		out[i] = values[point%len(values)]
		point /= len(values)
	}
	return out
}

// Name returns the values of a point as "dphi=5, K=3".
func (p *Plan) Name(point int) string {
	values := p.Values(point)
	for i := range values {
		values[i] = p.Axes[i].Key + "=" + values[i]
	}
	return strings.Join(values, ", ")
}

// Point returns the experiment of a point with the base's seeds, or an error if its settings are not compatible.
func (p *Plan) Point(point int) (experiment.Config, error) {
	if len(p.Axes) == 0 {
		return p.Base, nil
	}
	var pairs [][2]string
	for i, value := range p.Values(point) {
		pairs = append(pairs, p.Axes[i].pairs(value)...)
	}
	return p.Base.WithAll(pairs)
}

// Reads reports whether any point may depend on a setting.
func (p *Plan) Reads(name string) bool {
	reads := func(c experiment.Config) bool { return c.Reads(name) }
	return slices.ContainsFunc(wordCombinations(p.Base, p.Axes), reads)
}

// Lanes returns an experiment with the lanes of a point whose settings are not compatible.
func (p *Plan) Lanes(point int) experiment.Config {
	for i, value := range p.Values(point) {
		if p.Axes[i].Key == keyLanes {
			if c, err := p.Base.WithAll(p.Axes[i].pairs(value)); err == nil {
				return c
			}
		}
	}
	return p.Base
}

// Split returns the point and the seed index, from 0, of a cell.
func (p *Plan) Split(cell int) (point, seed int) { return cell % p.points, cell / p.points }

// Join returns the number of the cell with a point and a seed index.
func (p *Plan) Join(point, seed int) int { return seed*p.points + point }

// Cell returns a cell, or an error if its settings are not compatible.
func (p *Plan) Cell(n int) (Cell, error) {
	point, seed := p.Split(n)
	c, err := p.Point(point)
	if err != nil {
		return Cell{}, err
	}
	return p.At(c, seed), nil
}

// At returns the cell of a point's experiment with a seed index.
func (p *Plan) At(point experiment.Config, seed int) Cell {
	return p.AtVersion(point, seed, version.Engine)
}

// AtVersion is At for results of another version of the engine.
func (p *Plan) AtVersion(point experiment.Config, seed, engine int) Cell {
	return newCell(point.Reseeded(seed), p.Floats, p.Data, engine)
}

// CellOf returns the cell of an experiment; see [Plan] for the budget and the hash of files.
func CellOf(c experiment.Config, floats float64, data string) Cell {
	return newCell(c, floats, data, version.Engine)
}

func newCell(c experiment.Config, floats float64, data string, engine int) Cell {
	out := Cell{Query: c.String(), Floats: floats, Data: data, Version: engine, Config: c}
	out.ID = out.hash()
	return out
}

// Cell is one query and everything else that determines its result.
type Cell struct {
	ID      string  `json:"cell"`  // 32 hexadecimal digits
	Query   string  `json:"query"` // in canonical form
	Floats  float64 `json:"floats,omitempty"`
	Data    string  `json:"data,omitempty"`
	Version int     `json:"version"` // version of the engine

	Config experiment.Config `json:"-"`
}

func (c *Cell) hash() string {
	floats := strconv.FormatFloat(c.Floats, 'g', -1, 64)
	text := fmt.Sprintf("flockscope cell\n%d\n%s\n%s\n%s", c.Version, c.Query, floats, c.Data)
	h := NewHash()
	h.Write([]byte(text))
	return h.ID()
}

// Read parses the experiment of a cell from another program. It returns an error if the cell is of another engine
// version, or if its ID is wrong.
func (c *Cell) Read(parse func(query string) (experiment.Config, []experiment.Problem)) error {
	if c.Version != version.Engine {
		return fmt.Errorf("the cell is for version %d of the engine; this is version %d", c.Version, version.Engine)
	}
	config, problems := parse(c.Query)
	if err := experiment.Strict(problems); err != nil {
		return err
	}
	if canonical := config.String(); canonical != c.Query || c.hash() != c.ID {
		return &param.Error{Field: "cell", Got: c.Query, Want: "the query that its ID was made of"}
	}
	c.Config = config
	return nil
}

// SettingsOf splits a query into values by key.
func SettingsOf(query string) map[string]string {
	out := map[string]string{}
	for pair := range strings.SplitSeq(query, "&") {
		key, value, _ := strings.Cut(pair, "=")
		out[key] = value
	}
	return out
}
