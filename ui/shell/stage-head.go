package shell

import (
	"strings"

	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/ui/page"
)

// StageHead has the phases of the round and its headline.
type StageHead struct {
	App *App
}

func (c *StageHead) watchWords() string {
	if c.App.Phases.Watching {
		return "Stop"
	}
	return "Watch this round"
}

func (c *StageHead) watchTitle() string {
	return "Play the phases of this round one after the other (W)"
}

// PhaseButton is the button of a phase.
type PhaseButton struct {
	Phase    registry.Phase
	Name     string
	On, Past bool
}

// steps are the buttons of all phases.
func (c *StageHead) steps() (out []PhaseButton) {
	now, on := c.App.Phases.Phase()
	for p := range registry.Phases {
		out = append(out, PhaseButton{p, p.Name(), on && p == now, on && p < now})
	}
	return out
}

func (b *PhaseButton) class() string {
	switch {
	case b.On:
		return "step on"
	case b.Past:
		return "step past"
	}
	return "step"
}

func (b *PhaseButton) title() string {
	return say.Textf("%s (%d)", say.Message(b.Name), int(b.Phase)+1)
}

// first is the first sentence of the headline, which is bold, and rest what follows.
func (c *StageHead) first() string {
	first, _ := cutSentence(c.App.Headline())
	return first
}

func (c *StageHead) rest() string {
	_, rest := cutSentence(c.App.Headline())
	return rest
}

// cutSentence cuts a text after its first sentence.
func cutSentence(text string) (first, rest string) {
	for _, end := range [...]string{". ", "。"} {
		if i := strings.Index(text, end); i >= 0 {
			return text[:i+len(strings.TrimSpace(end))], strings.TrimSpace(text[i+len(end):])
		}
	}
	return text, ""
}

// elsewhere is the label of the button that leads to a round that clusters, "" for no button.
func (c *StageHead) elsewhere() string {
	if round := c.App.Phases.NextClustering(c.App.Lane); round > 0 {
		return say.Textf("Go to round %d, where clients are clustered", round)
	}
	return ""
}

func (c *StageHead) goElsewhere() {
	if phase, ok := c.App.Phases.Phase(); ok {
		c.App.Do(page.ShowPhaseIn{Round: c.App.Phases.NextClustering(c.App.Lane), Phase: phase})
	}
}
