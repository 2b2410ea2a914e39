package lane

import (
	"flockscope/sim/draw/scene"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/chart/layout"
)

// What the answers come to, in words.

// minBarHeight is the height that words leave to the bars.
const minBarHeight = 30

// drawSummary says what the square is about, what is mistaken most often and who is
// worst off, as far as there is room, and returns where the words end.
func (g *Answers) drawSummary(l *scene.List, v *chart.View, f *trace.Frame, at layout.Area) float32 {
	y := at.Y0
	write := func(text string, bold bool, colour scene.Colour) {
		font := scene.Font{Size: layout.Small, Bold: bold, Colour: colour}
		if h := layout.Paragraph(nil, 0, 0, at.X1-at.X0, font, text); y+h <= at.Y1-minBarHeight || y == at.Y0 {
			y += layout.Paragraph(l, at.X0, y, at.X1-at.X0, font, text)
		}
	}
	i, right := v.Focus(), chart.Percent(g.shareCorrect(v, f))
	text := say.Textf("All clients: %s right", right)
	switch lane := v.LaneHeader(); {
	case i >= 0 && chart.OwnModels(lane):
		text = say.Textf("Client %d: %s right", i+1, right)
	case i >= 0:
		text = say.Textf("Client %d, model %s: %s right", i+1, v.Letter(chart.ModelOf(f, i)), right)
	}
	write(text, true, scene.Ink)

	class, answer, times, of := g.commonestMistake()
	if times > 0 {
		names := v.Run.Header.Scenery.Gallery.Classes
		write(say.Textf("%s taken for %s in %d of %d", say.Message(names[class]), say.Message(names[answer]), times, of),
			false, scene.Quiet)
	}
	worst := worstClient(f)
	text = say.Textf("least right: client %d, %s", worst+1, chart.Percent(float64(f.Accuracies[worst])))
	if f.Round != v.Frame().Round {
		text = say.Textf("%s (round %d)", text, f.Round)
	}
	write(text, false, scene.Quiet)
	return y
}

// shareCorrect returns the part of the answers that is right. Of all clients it is the mean
// over them, the number that the page speaks of elsewhere, too: clients hold back
// different numbers of samples, so that the square may come to another one.
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

// commonestMistake returns the wrong answer given most often, how often, and to how many
// samples of the class. The first of equals counts.
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

// classesOf returns the side of a square of counts.
func classesOf(counts []int) int {
	n := 1
	for n*n < len(counts) {
		n++
	}
	return n
}

// worstClient returns the client with the least share of right answers.
func worstClient(f *trace.Frame) int {
	at := 0
	for i, a := range f.Accuracies {
		if a < f.Accuracies[at] {
			at = i
		}
	}
	return at
}
