package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/draw/plot"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/stats"
)

// Curve is a score that records have by round.
type Curve struct {
	Name, Title string
	least, most float64 // bounds of the score
	evaluated   bool    // the score is measured in some rounds only, and repeated until the next of them
	points      func(l *plan.Lane) []float32
}

// RoundCurves are the curves that records have.
var RoundCurves = []Curve{
	{"ari", "ARI", -0.5, 1, false, func(l *plan.Lane) []float32 { return l.CurveARI }},
	{"clusters", "clusters", 1, math.Inf(1), false, func(l *plan.Lane) []float32 { return l.CurveClusters }},
	{"accuracy", "accuracy", 0, 1, true, func(l *plan.Lane) []float32 {
		if l.Accuracy == nil {
			return nil
		}
		return l.CurveScore
	}},
	{"loss", "loss", 0, math.Inf(1), true, func(l *plan.Lane) []float32 {
		if l.Accuracy != nil {
			return nil
		}
		return l.CurveScore
	}},
}

// FindCurve returns a curve by its name.
func FindCurve(name string) (*Curve, error) {
	var names []string
	for i := range RoundCurves {
		if RoundCurves[i].Name == name {
			return &RoundCurves[i], nil
		}
		names = append(names, RoundCurves[i].Name)
	}
	return nil, fmt.Errorf("there is no curve %q; there are %s", name, strings.Join(names, ", "))
}

// ByRound draws a curve over the rounds for each setting: a line for each method, the mean over seeds with a band of one
// standard deviation, and a point for each round in which the score was measured, of at most 41. Settings without such curves
// have no picture.
func (s *Study) ByRound(c *Curve) []Picture {
	var out []Picture
	for setting := range s.settings {
		rounds, every := 0, 1
		var series []plot.Series
		for method, name := range s.Methods {
			var runs [][]float32
			for seed := range s.Seeds {
				r := s.Run(setting, method, seed)
				if r == nil {
					continue
				}
				points := c.points(r.Lane)
				if len(points) == 0 || len(points) != len(plan.CurveRounds(r.Lane.Rounds)) ||
					rounds > 0 && r.Lane.Rounds != rounds {
					continue // damaged, or of another length
				}
				if rounds == 0 && c.evaluated {
					every = s.every(r)
				}
				rounds = r.Lane.Rounds
				runs = append(runs, points)
			}
			if len(runs) > 0 {
				series = append(series, c.mean(name, runs, scored(rounds, every)))
			}
		}
		if len(series) == 0 {
			continue
		}
		var labels []string
		for _, p := range scored(rounds, every) {
			labels = append(labels, strconv.Itoa(p.round))
		}
		title := c.Title + " over the rounds"
		if name := strings.Join(s.named(setting), ", "); name != "" {
			title += ", " + name
		}
		out = append(out, Picture{fmt.Sprintf("rounds-%s-%d.svg", c.Name, setting+1),
			plot.Curves(title, "round", c.Title, labels, series)})
	}
	return out
}

// named returns the names of a setting's values, those that vary.
func (s *Study) named(setting int) (out []string) {
	for i, v := range s.Values(setting) {
		if len(s.Axes[i].Values) > 1 {
			if slices.Contains(s.Axes[i].Values, v) { // not a label
				v = s.Axes[i].Key + " = " + v
			}
			out = append(out, v)
		}
	}
	return out
}

// every returns how many rounds apart the models of a run are evaluated.
func (s *Study) every(r *Run) int {
	c, _ := s.parse(r.Query)
	if every, err := strconv.Atoi(c.Value("every")); err == nil && c.Reads("every") {
		return every
	}
	return 1
}

// A point of a curve: its place among those that records have, and the round in which its score was measured.
type point struct{ place, round int }

// scored returns the points of curves whose scores are new: those with an evaluation since the point before.
func scored(rounds, every int) (out []point) {
	all := plan.CurveRounds(rounds)
	for i, t := range all {
		switch last := i == len(all)-1; {
		case last:
			out = append(out, point{i, t})
		case i == 0 || t/every > all[i-1]/every:
			out = append(out, point{i, t / every * every})
		}
	}
	return out
}

// mean returns the mean of curves with a band of one standard deviation, as far as the score can be that low or high.
// Points before the first evaluation, which are −1, are left out.
func (c *Curve) mean(name string, runs [][]float32, points []point) plot.Series {
	out := plot.Series{Name: name}
	for _, p := range points {
		var values []float64
		for _, run := range runs {
			if run[p.place] != -1 {
				values = append(values, float64(run[p.place]))
			}
		}
		mean, sd := math.NaN(), 0.0
		if len(values) > 0 {
			sum := stats.Summarize(values)
			mean, sd = sum.Mean, sum.SD
		}
		out.Y = append(out.Y, mean)
		out.Low, out.High = append(out.Low, max(c.least, mean-sd)), append(out.High, min(c.most, mean+sd))
	}
	return out
}

// Contents tables how many training samples of each class are in each cluster at the end of a method's run with the
// first setting and seed that has such numbers; ok is false if none has.
func (s *Study) Contents(method string) (t *Table, ok bool) {
	i := slices.Index(s.Methods, method)
	for setting := range s.settings {
		for seed := range s.Seeds {
			r := s.Run(setting, i, seed)
			if r == nil || r.Lane.Classes == 0 {
				continue
			}
			classes, n := r.Lane.Classes, len(r.Lane.Contents)
			if n == 0 || n%classes != 0 { // none, or damaged
				continue
			}
			t = &Table{Names: 1, Head: []string{"cluster"}, Caption: "Training samples of each class in each cluster of one run of " +
				method + " after the last round"}
			for class := range classes {
				t.Head = append(t.Head, fmt.Sprintf("class %d", class))
			}
			for from := 0; from < len(r.Lane.Contents); from += classes {
				name := Cell{Text: strconv.Itoa(from/classes + 1)}
				if from == 0 {
					name.open(r, "this run")
				}
				row := []Cell{name}
				for _, n := range r.Lane.Contents[from : from+classes] {
					row = append(row, Cell{Text: number(float64(n), 0)})
				}
				t.Rows = append(t.Rows, row)
			}
			return t, true
		}
	}
	return nil, false
}

// Losses draws, for each method with several models, the loss of each model on a client of each group, in the method's
// first run that has such losses.
func (s *Study) Losses() (out []Picture) {
	for method, name := range s.Methods {
		l := s.firstLosses(method)
		if l == nil {
			continue
		}
		var columns, rows []string
		var values [][]float64
		for from := 0; from < len(l.Losses); from += l.Models {
			rows = append(rows, strconv.Itoa(len(rows)+1))
			var row []float64
			for _, v := range l.Losses[from : from+l.Models] {
				row = append(row, float64(v))
			}
			values = append(values, row)
		}
		for model := range l.Models {
			columns = append(columns, strconv.Itoa(model+1))
		}
		out = append(out, Picture{"losses-" + strings.ReplaceAll(name, ":", "-") + ".svg",
			plot.Heat("Loss of each model on a client of each group, "+name, "model", "group", columns, rows, values)})
	}
	return out
}

// firstLosses returns a method's lane with losses of groups, of the first setting and seed; nil if none has any.
func (s *Study) firstLosses(method int) *plan.Lane {
	for setting := range s.settings {
		for seed := range s.Seeds {
			r := s.Run(setting, method, seed)
			if r != nil && r.Lane.Models > 0 && len(r.Lane.Losses)%r.Lane.Models == 0 {
				return r.Lane
			}
		}
	}
	return nil
}

// Embedded returns the picture as a part of a document.
func (p *Picture) Embedded() (Part, error) {
	var svg strings.Builder
	if err := p.SVG(&svg); err != nil {
		return Part{}, err
	}
	return Part{Picture: svg.String(), Alt: p.Title}, nil
}
