package lane

import (
	"strconv"

	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
	"flockscope/ui/scene"
)

// What the answers come to, in words.

// leastBars is the height that words leave to the bars.
const leastBars = 30

// verdict says what the square is about, what is mistaken most often and who is
// worst off, as far as there is room, and returns where the words end.
func (g *Answers) verdict(l *scene.List, v *chart.View, f *trace.Frame, at layout.Area) float32 {
	y := at.Y0
	write := func(bold bool, colour scene.Colour) {
		font := scene.Font{Size: layout.Small, Bold: bold, Colour: colour}
		g.words = l.Words(g.words)
		if h := layout.Paragraph(nil, 0, 0, at.X1-at.X0, font, g.words); y+h <= at.Y1-leastBars || y == at.Y0 {
			y += layout.Paragraph(l, at.X0, y, at.X1-at.X0, font, g.words)
		}
	}
	g.words = g.words[:0]
	if i := v.Subject(); i >= 0 {
		g.words = strconv.AppendInt(append(g.words, "Client "...), int64(i+1), 10)
		if lane := v.LaneHeader(); !chart.OwnModels(lane) {
			g.words = append(append(g.words, ", model "...), v.Letter(chart.ModelOf(f, i))...)
		}
	} else {
		g.words = append(g.words, "All clients"...)
	}
	g.words = append(chart.AppendPercent(append(g.words, ": "...), g.share(v, f)), " right"...)
	write(true, scene.Ink)

	class, answer, times, of := g.mistake()
	if times > 0 {
		names := v.Run.Header.Scenery.Gallery.Classes
		g.words = append(append(g.words[:0], names[class]...), " taken for "...)
		g.words = append(append(g.words, names[answer]...), " in "...)
		g.words = append(strconv.AppendInt(g.words, int64(times), 10), " of "...)
		g.words = strconv.AppendInt(g.words, int64(of), 10)
		write(false, scene.Quiet)
	}
	worst := worst(f)
	g.words = strconv.AppendInt(append(g.words[:0], "least right: client "...), int64(worst+1), 10)
	g.words = chart.AppendPercent(append(g.words, ", "...), float64(f.Accuracies[worst]))
	if f.Round != v.Frame().Round {
		g.words = append(strconv.AppendInt(append(g.words, " (round "...), int64(f.Round), 10), ')')
	}
	write(false, scene.Quiet)
	return y
}

// share returns the part of the answers that is right. Of all clients it is the mean
// over them, the number that the page speaks of elsewhere, too: clients hold back
// different numbers of samples, so that the square may come to another one.
func (g *Answers) share(v *chart.View, f *trace.Frame) float64 {
	if v.Subject() < 0 {
		return f.Accuracy
	}
	n, all, right := classesOf(g.counts), 0, 0
	for at, count := range g.counts {
		all += count
		if at/n == at%n {
			right += count
		}
	}
	return float64(right) / float64(max(all, 1))
}

// mistake returns the wrong answer given most often, how often, and to how many
// samples of the class. The first of equals counts.
func (g *Answers) mistake() (class, answer, times, of int) {
	n := classesOf(g.counts)
	for at, count := range g.counts {
		if at/n != at%n && count > times {
			class, answer, times = at/n, at%n, count
		}
	}
	for _, count := range g.counts[class*n : (class+1)*n] {
		of += count
	}
	return class, answer, times, of
}

// classesOf returns the side of a square of counts.
func classesOf(counts []int) int {
	n := 1
	for n*n < len(counts) {
		n++
	}
	return n
}

// worst returns the client with the least share of right answers.
func worst(f *trace.Frame) int {
	at := 0
	for i, a := range f.Accuracies {
		if a < f.Accuracies[at] {
			at = i
		}
	}
	return at
}
