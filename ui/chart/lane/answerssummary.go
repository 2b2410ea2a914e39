package lane

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// The summary beside the confusion matrix.

// minBarHeight is the height that texts leave to the bars.
const minBarHeight = 30

// drawSummary writes the accuracy, the most common mistake and the client with the lowest
// accuracy, as far as there is room, and returns the end of the text.
func (g *Answers) drawSummary(l *scene.List, v *chart.View, f *trace.Frame, at layout.Area) float32 {
	y := at.Y0
	write := func(text string, bold bool, colour scene.Colour) {
		font := scene.Font{Size: layout.Small, Bold: bold, Colour: colour}
		if h := layout.Paragraph(nil, 0, 0, at.X1-at.X0, font, text); y+h <= at.Y1-minBarHeight || y == at.Y0 {
			y += layout.Paragraph(l, at.X0, y, at.X1-at.X0, font, text)
		}
	}
	i, right := v.Focus(), chart.Percent(g.shareCorrect(v, f))
	text := say.Textf("All clients: %s correct", right)
	switch lane := v.LaneHeader(); {
	case i < 0 && len(v.Run.Header.Liar) > 0:
		text = say.Textf("Honest clients: %s correct", right)
	case i < 0:
	case chart.OwnModels(lane):
		text = say.Textf("Client %d: %s correct", i+1, right)
	default:
		text = say.Textf("Client %d, model %s: %s correct", i+1, v.Letter(chart.ModelOf(f, i)), right)
	}
	write(text, true, scene.Ink)

	class, answer, times, of := g.commonestMistake()
	if times > 0 {
		names := v.Run.Header.DataPreview.Gallery.Classes
		write(say.Textf("%s taken for %s in %d of %d", say.Message(names[class]), say.Message(names[answer]), times, of),
			false, scene.Quiet)
	}
	worst := worstClient(v, f)
	text = say.Textf("lowest: client %d, %s", worst+1, chart.Percent(float64(f.Accuracies[worst])))
	if f.Round != v.Frame().Round {
		text = say.Textf("%s (round %d)", text, f.Round)
	}
	write(text, false, scene.Quiet)
	return y
}

// shareCorrect returns the share of correct answers. For all clients it is the mean of their
// accuracies, the number that the page shows elsewhere; clients have different numbers of
// held-out samples, so the matrix may give another one.
func (g *Answers) shareCorrect(v *chart.View, f *trace.Frame) float64 {
	if v.Focus() < 0 {
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

// commonestMistake returns the wrong answer given most often, how often, and for how many samples
// of the class; the first one on a tie.
func (g *Answers) commonestMistake() (class, answer, times, of int) {
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

// classesOf returns the number of classes of a confusion matrix.
func classesOf(counts []int) int {
	n := 1
	for n*n < len(counts) {
		n++
	}
	return n
}

// worstClient returns the honest client with the lowest accuracy, the first one on a tie.
func worstClient(v *chart.View, f *trace.Frame) int {
	h, at := v.Run.Header, 0
	for i, a := range f.Accuracies {
		if !h.Lies(i) && (h.Lies(at) || a < f.Accuracies[at]) {
			at = i
		}
	}
	return at
}
