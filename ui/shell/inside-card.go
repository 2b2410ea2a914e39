package shell

import (
	"slices"

	"github.com/vugu/vugu"

	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/formula"
	"flockscope/ui/page"
)

// InsideCard explains a phase of the round in words, symbols and numbers, and marks it in
// the algorithm's pseudo-code.
type InsideCard struct {
	App *App
}

// heading names the phase and the method.
func (c *InsideCard) heading() string {
	phase, _ := c.App.Phases.Phase()
	return say.Textf("%s: %s", say.Message(c.App.Title(c.App.Lane)), say.Message(phase.Name()))
}

// notes are what the focused lane has noted of the phase.
func (c *InsideCard) notes() []trace.Note {
	phase, ok := c.App.Phases.Phase()
	if !ok {
		return nil
	}
	return c.App.Phases.Notes(c.App.Lane, phase)
}

// status says why nothing is shown, "" if something is.
func (c *InsideCard) status() string {
	a := c.App
	switch {
	case a.Shown() == 0:
		return "The start: no round yet."
	case a.Phases.Detail(a.Lane) != nil:
		if phase, _ := a.Phases.Phase(); len(c.notes()) == 0 {
			return say.Textf("In round %d, %s has no %s phase for client %d.", a.Shown(), say.Message(a.Title(a.Lane)),
				say.Message(phase.Name()), a.Followed()+1)
		}
		return ""
	case a.Run == nil || !a.Run.Done():
		return "The run is not complete yet."
	case a.Phases.ReplayTooLong():
		return say.Textf("To look inside, this method must be computed again up to this round: about %s.",
			page.FormatDuration(a.Phases.ReplayTime()/1000))
	}
	return "Computing this method again …"
}

// offers reports whether there is a button for a long replay.
func (c *InsideCard) offers() bool {
	return c.App.Run != nil && c.App.Run.Done() && c.App.Phases.ReplayTooLong()
}

// wires shows the messages of the phase between the server and the client. When they
// change, all of it is new, which restarts the animation.
func (c *InsideCard) wires() vugu.HTML {
	phase, _ := c.App.Phases.Phase()
	notes := c.notes()
	if len(notes) == 0 {
		return ""
	}
	meta, wires := c.App.Algorithm(c.App.Lane), ""
	for i := range notes {
		n := &notes[i]
		floats, _ := n.Value("floats")
		if len(floats.Numbers) == 0 || floats.Numbers[0] == 0 {
			continue
		}
		s, _ := meta.StepOf(n.Step, c.App.Schema.Steps)
		way, others := "up", ""
		if phase == registry.Broadcast {
			way = "down"
		}
		if v, _ := n.Value("clients"); v.Numbers[0] > 1 {
			others = say.Count(int(v.Numbers[0])-1, "other client")
		}
		what := formula.Text(say.Text(s.Sends), c.App.Phases.FillSlots(c.App.Lane, n))
		wires += c.wire(way, what, size(int(floats.Numbers[0])), others)
	}
	if wires == "" {
		wires = c.wire("still", "Nothing is sent.", "", "")
	}
	return vugu.HTML(wires)
}

// wire shows a message of the client, and how many other clients send or receive one.
func (c *InsideCard) wire(way, what, size, others string) string {
	return `<div class="message ` + way + `"><b>Server</b><span>` + what + "</span><i></i><span>" + size +
		"</span><b>" + say.Textf("Client %s", c.client()) + `</b><i class="others"></i><small>` + others + "</small></div>"
}

// size describes the size of a message of floats, 4 bytes each.
func size(floats int) string {
	count, bytes := say.Count(floats, "number"), float64(4*floats)
	switch {
	case bytes >= 1e6:
		return say.Textf("%s, %s MB", count, chart.Number(bytes/1e6))
	case bytes >= 1e3:
		return say.Textf("%s, %s kB", count, chart.Number(bytes/1e3))
	}
	return say.Textf("%s, %s bytes", count, chart.Number(bytes))
}

// PhaseStep is a step of the phase shown.
type PhaseStep struct {
	Says     string
	Formulas []vugu.HTML // in symbols, and below that in numbers
}

func (c *InsideCard) steps() []PhaseStep {
	notes := c.notes()
	meta := c.App.Algorithm(c.App.Lane)
	mark := c.App.Phases.Marks()
	var out []PhaseStep
	for i := range notes {
		s, _ := meta.StepOf(notes[i].Step, c.App.Schema.Steps)
		slot := c.App.Phases.FillSlots(c.App.Lane, &notes[i])
		step := PhaseStep{Says: formula.Text(say.Text(s.Says), slot)}
		for _, source := range []string{s.Formula, s.Numbers} {
			empty := func(name string) bool { numbers, _ := slot(name, ""); return len(numbers) == 0 }
			if source != "" && !slices.ContainsFunc(formula.Slots(source), empty) {
				step.Formulas = append(step.Formulas, vugu.HTML(formula.MathML(source, slot, mark)))
			}
		}
		out = append(out, step)
	}
	return out
}

// symbolWords describes the symbol pointed at, if formulas are shown.
func (c *InsideCard) symbolWords() string {
	if c.App.Phases.Detail(c.App.Lane) == nil {
		return ""
	}
	return c.App.Phases.SymbolWords()
}

// Line is a line of pseudo-code.
type Line struct {
	Number, Code string
	On           bool
}

// code returns the pseudo-code of the algorithm, or the steps seen up to this round.
func (c *InsideCard) code() []Line {
	a := c.App
	meta := a.Algorithm(a.Lane)
	now := c.notes()
	var names []string
	if len(meta.Steps) > 0 && meta.Steps[0].Phase == registry.Broadcast { // all of the method's lines
		for _, s := range meta.Steps {
			if a.Config.Chose(a.Lane, s.When) {
				names = append(names, s.Name)
			}
		}
	} else {
		for phase := range registry.Phases {
			for _, n := range a.Phases.Notes(a.Lane, phase) {
				if !slices.Contains(names, n.Step) {
					names = append(names, n.Step)
				}
			}
		}
	}
	var out []Line
	for _, name := range names {
		s, _ := meta.StepOf(name, a.Schema.Steps)
		on := false
		for i := range now {
			on = on || now[i].Step == name
		}
		out = append(out, Line{s.Lines, s.Code, on})
	}
	return out
}

// codeClass tells whether lines have numbers.
func (c *InsideCard) codeClass() string {
	if c.numbered() {
		return "code numbered"
	}
	return "code"
}

func (c *InsideCard) numbered() bool {
	return slices.ContainsFunc(c.App.Algorithm(c.App.Lane).Steps, func(s registry.Step) bool { return s.Lines != "" })
}

func (l *Line) class() string {
	if l.On {
		return "on"
	}
	return ""
}

// source names the paper of the pseudo-code and the meaning of line numbers.
func (c *InsideCard) source() string {
	meta := c.App.Algorithm(c.App.Lane)
	if c.numbered() {
		return say.Textf("Paraphrased from %s (%d); line numbers as printed. Numbers of client "+
			"%s.", meta.Paper.Authors,
			meta.Paper.Year, c.client())
	}
	return say.Textf("Paraphrased from %s (%d). Numbers of client %s.", meta.Paper.Authors, meta.Paper.Year,
		c.client())
}

func (c *InsideCard) client() string { return chart.Client(c.App.Followed()) }
