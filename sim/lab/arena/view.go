package arena

import (
	"math"

	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/report"
)

// Question is what a reader asks of the records: of which clients ([Choices].Rows), with which budget and settings, and
// whether K is known.
type Question struct {
	Choices
	UnknownK bool
}

// View answers a question.
type View struct {
	*Contest
	Together *Line   // all chosen clients; nil if they are of one family
	Lines    []*Line // a line for each family
}

// Line is what all methods do for a family, or for all chosen clients together.
type Line struct {
	Answer
	Pick Pick // [Answer].Known or [Answer].Unknown, as was asked
	Dots []Dot
}

// Dot is what a method gains on a line.
type Dot struct {
	Method int // of [Contest].Methods
	Gain   Sized
	Close  bool // it is one of the best; see [Pick].Close
	Runs   int
	// The run whose gain is nearest to the mean: what somebody sees who opens the dot.
	Run     *report.Run
	Row     string
	Seed    int
	RunGain float64
}

// View answers a question. It returns an error if no chosen row has runs of FedAvg and of training alone.
func (a *Arena) View(q Question) (*View, error) {
	c, err := a.Contest(q.Choices)
	if err != nil {
		return nil, err
	}
	v := &View{Contest: c}
	for f := range c.Families {
		v.Lines = append(v.Lines, c.line(f, q.UnknownK))
	}
	if len(v.Lines) > 1 {
		v.Together = c.line(allFamilies, q.UnknownK)
	}
	return v, nil
}

// line returns the dots of the methods that a reader can use, in the order of the methods.
func (c *Contest) line(family int, unknownK bool) *Line {
	gains := c.gains(family)
	l := &Line{Answer: c.answer(family, gains)}
	if l.Pick = l.Known; unknownK {
		l.Pick = l.Unknown
	}
	best := map[int]bool{}
	for _, m := range l.Pick.Close {
		best[m] = true
	}
	for _, m := range c.ranked() {
		if math.IsNaN(gains[m].Value) || unknownK && c.Methods[m].Kind == papers.NeedsK {
			continue
		}
		d := Dot{Method: m, Gain: gains[m], Close: best[m]}
		c.typical(&d, family)
		l.Dots = append(l.Dots, d)
	}
	return l
}

// typical finds the run of a dot, the first of several.
func (c *Contest) typical(d *Dot, family int) {
	least := math.Inf(1)
	for _, r := range c.Rows {
		if !r.in(family) {
			continue
		}
		for i := r.From; i < r.To; i++ {
			gain := c.Gains[d.Method][i]
			if math.IsNaN(gain) {
				continue
			}
			d.Runs++
			if away := math.Abs(gain - d.Gain.Value); away < least {
				least = away
				d.Run, d.Row, d.Seed, d.RunGain = c.runs[d.Method][i], r.Label, c.seeds[i], gain
			}
		}
	}
}

// RowWithRuns is a row of the arena that readers can choose.
type RowWithRuns struct {
	Row           int // for [Choices].Rows
	Label, Family string
	About         string // what the clients of the family are
	OnFiles       bool
}

// RowsWithRuns returns the rows that have gains.
func (a *Arena) RowsWithRuns() (out []RowWithRuns) {
	about := a.families()
	for i, r := range a.rows {
		if len(a.paired(i, Usual)) > 0 {
			out = append(out, RowWithRuns{i, r.Label, r.Family, about[r.Family], r.Set != ""})
		}
	}
	return out
}

// families says what the clients of each family are.
func (a *Arena) families() map[string]string {
	about := map[string]string{}
	for _, f := range a.Sweep.Families {
		about[f.Name] = f.What
	}
	return about
}

// HasTuned reports whether there are runs with tuned settings.
func (a *Arena) HasTuned() bool {
	for at := range a.runs {
		if at.tuned {
			return true
		}
	}
	return false
}

// Entered returns the methods that the design of the arena does not have.
func (a *Arena) Entered() map[string]bool {
	out := map[string]bool{}
	for _, m := range a.Methods {
		out[m.Lane] = true
	}
	for _, e := range a.Sweep.Entrants() {
		delete(out, e.Lane)
	}
	return out
}
