package arena

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/draw/plot"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/stats"
	"flockscope/sim/say"
)

// shown is how many methods the figures show beside the two baselines.
const shown = 6

// first returns the best methods of all, and the baselines, in their order.
func (c *Contest) first(overall []Overall) []int {
	var out []int
	for _, o := range overall {
		ranked := c.Methods[o.Method].Kind != papers.Unranked && c.complete(o.Method, allFamilies)
		if ranked && (c.isBaseline(o.Method) || len(out) < shown) {
			out = append(out, o.Method)
		}
	}
	return out
}

// least is the gain at the edge of figures.
const least = -0.25

var kinds = []papers.MethodKind{papers.NeedsK, papers.FindsK, papers.NoClusters}

// signed is a gain with its sign.
func signed(v float64) string {
	if math.IsNaN(v) {
		return "–"
	}
	text := fmt.Sprintf("%+.3f", v)
	if text == "-0.000" {
		text = "+0.000"
	}
	return strings.Replace(text, "-", "−", 1)
}

// gainPicture draws what every method gains, by family. own is a method that is named and ringed, "" for none.
func (c *Contest) gainPicture(answers []Answer, own string) *plot.Picture {
	gains := c.byFamily()
	var rows []plot.DotRow
	for f, name := range c.Families {
		r := plot.DotRow{Name: name, Bar: answers[f].Oracle.Value}
		for _, m := range c.ranked() {
			if g := gains[f][m]; !math.IsNaN(g.Value) {
				r.Dots = append(r.Dots, plot.Dot{X: g.Value, Low: g.Low, High: g.High,
					Kind: slices.Index(kinds, c.Methods[m].Kind), Ringed: c.Methods[m].Lane == own})
			}
		}
		var words []string
		for _, p := range []Pick{answers[f].Known, answers[f].Unknown} {
			if p.Best >= 0 {
				words = append(words, c.Methods[p.Best].Lane+" "+signed(p.Gain.Value))
			}
		}
		if m := c.method(own); m >= 0 && !math.IsNaN(gains[f][m].Value) {
			words = append(words, own+" "+signed(gains[f][m].Value))
		}
		r.Words = strings.Join(slices.Compact(words), "\n")
		rows = append(rows, r)
	}
	var names []string
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return plot.Dots("1 Does clustering pay?", "accuracy gained over the better of FedAvg and training alone", names,
		"gain of FedAvg within each true group", c.Near, least, rows)
}

// profilePicture draws how often methods are close to the best one of a run.
func (c *Contest) profilePicture(methods []int) *plot.Picture {
	var bounds []float64
	var values []string
	for i := range 21 {
		bounds = append(bounds, float64(i)*0.02)
		values = append(values, strconv.FormatFloat(float64(i)*0.02, 'f', 2, 64))
	}
	best := make([]float64, c.Design.Runs())
	for i := range best {
		best[i] = math.Inf(-1)
		for _, m := range c.ranked() {
			if v := c.Gains[m][i]; v > best[i] {
				best[i] = v
			}
		}
	}
	var profiles []*stats.Profile
	for _, m := range methods {
		behind := make([]float64, len(best))
		for i := range best {
			behind[i] = stats.Difference(best[i], c.Gains[m][i])
		}
		profiles = append(profiles, stats.NewProfile(behind, bounds))
	}
	n := len(bounds)
	within := func(weights, out []float64) {
		for i, p := range profiles {
			p.Shares(weights, out[i*n:][:n])
		}
		for i := range out {
			out[i] = max(0, 1-stats.Round(out[i]))
		}
	}
	shares := make([]float64, n*len(methods))
	within(c.Design.Weights(), shares)
	bands := c.Design.Bootstrap(stats.Hierarchical, len(shares), within)
	var series []plot.Series
	for i, m := range methods {
		s := plot.Series{Name: c.Methods[m].Lane}
		for j := range n {
			y, band := shares[i*n+j], bands[i*n+j]
			banded := i == 0 || c.isBaseline(m) // more bands would hide one another
			if math.IsNaN(band.Low) || !banded {
				band = stats.Interval{Low: y, High: y}
			}
			s.Y, s.Low, s.High = append(s.Y, y), append(s.Low, band.Low), append(s.High, band.High)
		}
		series = append(series, s)
	}
	return plot.Curves("2 How often close to the best?", "accuracy behind the best method of the same run",
		"share of runs; bands of the best method and of both baselines", values, series)
}

// improvementPicture draws how probable it is that the method of the row beats that of the column.
func (c *Contest) improvementPicture(methods []int) *plot.Picture {
	var names []string
	values := make([][]float64, len(methods))
	for i, a := range methods {
		names = append(names, c.Methods[a].Lane)
		for _, b := range methods {
			p := math.NaN()
			if a != b {
				beats := c.Design.NewImprovement(c.Gains[a], c.Gains[b])
				p = math.Round(100*beats.Probability(c.Design.Weights())) / 100
			}
			values[i] = append(values[i], p)
		}
	}
	return plot.Heat("3 Probability that the row beats the column", "the column", "the row", names, names, values)
}

// WrongK is what a wrong number of clusters costs a method.
type WrongK struct {
	Lane string
	Lost []Sized // change of accuracy by K, as in WrongKs
}

// WrongKs returns the numbers of clusters that are wrong in all rows of the study, and for each method what they change in
// accuracy: the mean over seeds, rows and families, on the same runs.
func (a *Arena) WrongKs() (ks []int, out []WrongK, rows int) {
	byRow := map[int][]int{}
	for at := range a.runs {
		if at.k != 0 && !at.tuned && !slices.Contains(byRow[at.row], at.k) {
			byRow[at.row] = append(byRow[at.row], at.k)
		}
	}
	for row := range a.rows {
		for _, k := range byRow[row] {
			everywhere := !slices.Contains(ks, k)
			for _, of := range byRow {
				everywhere = everywhere && slices.Contains(of, k)
			}
			if everywhere {
				ks = append(ks, k)
			}
		}
	}
	slices.Sort(ks)
	for _, m := range a.Methods {
		w := WrongK{Lane: m.Lane}
		any := false
		for _, k := range ks {
			var values []float64
			var design stats.Design
			family := ""
			for row := range a.rows {
				var part []float64
				for _, seed := range a.seeds(row, m.Lane, false, k) {
					right := a.runs[place{row, m.Lane, false, 0, seed}]
					wrong := a.runs[place{row, m.Lane, false, k, seed}]
					if right == nil {
						continue
					}
					part = append(part, stats.Difference(guessed(wrong), guessed(right)))
				}
				if len(part) == 0 {
					continue
				}
				if f := a.rows[row].Family; f != family || len(design) == 0 {
					design, family = append(design, nil), f
				}
				design[len(design)-1] = append(design[len(design)-1], len(part))
				values = append(values, part...)
			}
			s := Sized{Value: math.NaN(), Interval: stats.Interval{Low: math.NaN(), High: math.NaN()}}
			if len(values) > 0 {
				any = true
				s.Value = stats.Mean(values, design.Weights())
				s.Interval = design.Bootstrap(stats.Hierarchical, 1, func(weights, out []float64) {
					out[0] = stats.Mean(values, weights)
				})[0]
			}
			w.Lost = append(w.Lost, s)
		}
		if any {
			out = append(out, w)
		}
	}
	return ks, out, len(byRow)
}

// guessed returns the accuracy of a run, that of guessing if it diverged.
func guessed(r *report.Run) float64 {
	if r.Lane.Diverged != nil {
		if v, ok := accuracy.Chance(r); ok {
			return v
		}
	}
	if v, ok := accuracy.Value(r); ok {
		return v
	}
	return math.NaN()
}

// wrongKPicture draws what a wrong number of clusters costs; nil if the records do not say.
func (a *Arena) wrongKPicture() *plot.Picture {
	ks, methods, rows := a.WrongKs()
	if len(methods) == 0 {
		return nil
	}
	var names []string
	for _, k := range ks {
		names = append(names, "K = "+strconv.Itoa(k))
	}
	var dots []plot.DotRow
	for _, m := range methods {
		r := plot.DotRow{Name: m.Lane, Bar: math.NaN()}
		var words []string
		for i, lost := range m.Lost {
			if !math.IsNaN(lost.Value) {
				r.Dots = append(r.Dots, plot.Dot{X: lost.Value, Low: lost.Low, High: lost.High, Kind: i})
			}
			words = append(words, names[i]+": "+signed(lost.Value))
		}
		r.Words = strings.Join(words, "\n")
		dots = append(dots, r)
	}
	return plot.Dots("4 What a wrong number of clusters costs",
		"change of accuracy against the right number, mean of "+say.Amount(rows, "row")+" with groups", names, "", Usual.Near, least, dots)
}

// Picture is a figure of the page.
type Picture struct {
	Name string // of its file
	Alt  string
	*plot.Picture
}
