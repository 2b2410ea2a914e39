package lane

import (
	"fmt"
	"strconv"

	"flockscope/sim/english"
	"flockscope/ui/chart"
)

// Describe says where the largest gap is, and what the server made of it.
func (g *Spectrum) Describe(v *chart.View) string {
	if !g.remember(v) {
		return "Spectrum: no singular values so far."
	}
	f := g.looks[0]
	text := fmt.Sprintf("Spectrum, round %d, %s: %s", f.Round, v.LaneHeader().Title,
		english.Count(len(f.Spectrum), "singular value"))
	if n := len(f.Spectrum); n > 1 {
		text += ", from " + chart.Number(float64(f.Spectrum[0])) + " to " + chart.Number(float64(f.Spectrum[n-1]))
	}
	if at := widest(f.Spectrum); at > 0 {
		text += "; after the first, which is what all clients have in common, the largest gap follows number " +
			strconv.Itoa(at)
	}
	if f.Directions > 0 {
		text += "; the server went on in " + english.Count(f.Directions, "direction")
	}
	return text + "."
}

// Table lists the values, with the gap after each and whether the server went on
// with it.
func (g *Spectrum) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"number", "singular value", "gap to the next", "used"}
	if !g.remember(v) {
		return head, nil
	}
	f := g.looks[0]
	for i, value := range f.Spectrum {
		row := []string{strconv.Itoa(i + 1), chart.Number(float64(value)), "", "no"}
		if i+1 < len(f.Spectrum) {
			row[2] = chart.Number(float64(value - f.Spectrum[i+1]))
		}
		if i < f.Directions {
			row[3] = "yes"
		}
		rows = append(rows, row)
	}
	return head, rows
}
