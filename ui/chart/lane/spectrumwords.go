package lane

import (
	"strconv"

	"flockscope/sim/say"
	"flockscope/ui/chart"
)

// Describe gives the largest gap and the number of directions that the server used.
func (g *Spectrum) Describe(v *chart.View) string {
	if !g.collect(v) {
		return say.Text("Spectrum: no singular values so far.")
	}
	f := g.spectra[0]
	parts := []string{say.Count(len(f.Spectrum), "singular value")}
	if n := len(f.Spectrum); n > 1 {
		parts[0] = say.Textf("%s, from %s to %s", parts[0], chart.Number(float64(f.Spectrum[0])),
			chart.Number(float64(f.Spectrum[n-1])))
	}
	if at := largestGap(f.Spectrum); at > 0 {
		parts = append(parts, say.Textf("after the first, which is what all clients have in common, the largest gap "+
			"follows number %d", at))
	}
	if f.Directions > 0 {
		parts = append(parts, say.Textf("the server used %s", say.Count(f.Directions, "direction")))
	}
	return say.Textf("Spectrum, round %d, %s: %s.", f.Round, v.Title(v.Lane), say.Join(parts, "; "))
}

// Table lists the values, with the gap after each and whether the server used its direction.
func (g *Spectrum) Table(v *chart.View) (head []string, rows [][]string) {
	head = []string{"index", "singular value", "gap to the next", "used"}
	if !g.collect(v) {
		return head, nil
	}
	f := g.spectra[0]
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
