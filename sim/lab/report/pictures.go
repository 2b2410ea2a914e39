package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/draw/plot"
	"flockscope/sim/say"
)

// Picture is a drawing with a file name.
type Picture struct {
	Name string
	*plot.Picture
}

// Pictures draws the measures of a study: curves over a setting for each combination of
// the others, a heat map for each method over two settings, and mean ranks.
func (s *Study) Pictures(o *Options) []Picture {
	var out []Picture
	for _, m := range s.measures(o) {
		columns, err := s.columns(o.Columns)
		if err == nil && columns >= 0 && len(s.Axes[columns].Values) > 1 {
			for i, group := range s.groups(columns) {
				out = append(out, Picture{fmt.Sprintf("curves-%s-%d.svg", m.Name, i+1), s.curves(m, o, columns,
					group)})
			}
		}
		if len(s.Axes) == 2 {
			out = append(out, s.heats(m, o)...)
		}
		if o.Score != "" && m.best() {
			if e := s.Effects(m, o, slices.Index(s.Methods, o.Baseline)); e != nil {
				out = append(out, e.profilePicture(s))
			}
		}
		if c := s.Compare(m, o.Unit, -1); c.Mean != nil {
			names := make([]string, len(c.Methods))
			for i, method := range c.Methods {
				names[i] = s.Methods[method]
			}
			title := fmt.Sprintf("Mean ranks by %s, %s", m.Title, say.Amount(c.Blocks, "block"))
			if undecided(c.Ranking, c.Critical) != "" {
				title += ", undecided"
			}
			out = append(out, Picture{"ranks-" + m.Name + ".svg", plot.Ranks(title, names, c.Mean, c.Critical)})
		}
	}
	return out
}

func (s *Study) curves(m *Measure, o *Options, columns int, group []int) *plot.Picture {
	var series []plot.Series
	for method, name := range s.Methods {
		c := plot.Series{Name: name}
		found := false
		for _, setting := range group {
			e := s.Entry(setting, method, m)
			low, middle, high := e.Mean-e.SD, e.Mean, e.Mean+e.SD
			if o.Spread == Quartiles {
				low, middle, high = e.Q1, e.Median, e.Q3
			}
			if e.N == 0 {
				low, middle, high = math.NaN(), math.NaN(), math.NaN()
			}
			found = found || e.N > 0
			c.Y, c.Low, c.High = append(c.Y, middle), append(c.Low, low), append(c.High, high)
		}
		if found {
			series = append(series, c)
		}
	}
	x := s.Axes[columns]
	title := m.Title
	if name := s.groupName(group[0], columns); name != "" {
		title += ", " + name
	}
	return plot.Curves(title, x.Key, m.Title, x.Labels, series)
}

// Heats draws a measure of each method over the two settings of a study, nil if it has not two.
func (s *Study) Heats(m *Measure) []Picture {
	if len(s.Axes) != 2 {
		return nil
	}
	return s.heats(m, &Options{})
}

func (s *Study) heats(m *Measure, o *Options) (out []Picture) {
	for method := range s.Methods {
		if p := s.heat(m, o, method); p != nil {
			out = append(out, Picture{fmt.Sprintf("heat-%s-%s.svg", m.Name, strings.ReplaceAll(s.Methods[method], ":", "-")), p})
		}
	}
	return out
}

// heat draws a method over two settings. The horizontal axis is the setting with numbers, or else the second.
func (s *Study) heat(m *Measure, o *Options, method int) *plot.Picture {
	right := 1
	if _, err := strconv.ParseFloat(s.Axes[0].Values[0], 64); err == nil {
		if _, err := strconv.ParseFloat(s.Axes[1].Values[0], 64); err != nil {
			right = 0
		}
	}
	x, y := s.Axes[right], s.Axes[1-right]
	found := false
	values := make([][]float64, len(y.Values))
	for i := range values {
		values[i] = make([]float64, len(x.Values))
		for j := range values[i] {
			setting := i*len(x.Values) + j
			if right == 0 {
				setting = j*len(y.Values) + i
			}
			e := s.Entry(setting, method, m)
			values[i][j] = e.centre(o.Spread)
			found = found || e.N > 0
		}
	}
	if !found {
		return nil
	}
	return plot.Heat(m.Title+" of "+s.Methods[method], x.Key, y.Key, x.Labels, y.Labels, values)
}
