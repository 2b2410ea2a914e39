package shell

import (
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/say"
	"flockscope/ui/chart"
	"flockscope/ui/page"
)

// Root is the whole page.
type Root struct {
	App *App
}

// class tells the style sheet what is open and what is shown.
func (c *Root) class() string {
	words := []string{"app", "tab-" + c.App.ShownTab(), "lanes-" + itoa(len(c.App.LanesShown()))}
	words = append(words, c.App.HiddenClasses()...)
	if c.App.ShowsFigureBelow() {
		words = append(words, "tab-below")
	}
	if p, ok := c.App.Phases.Phase(); ok {
		words = append(words, "phased", "phase-"+strings.ToLower(p.Name()))
		if c.App.Phases.Exact {
			words = append(words, "exact-open")
		}
	}
	if c.App.Player.ReducedMotion {
		words = append(words, "motionless")
	}
	words = append(words, c.App.Phases.SymbolClasses()...)
	if c.App.Embed {
		words = append(words, "embed")
	}
	if c.App.Problem != "" && c.App.Run == nil {
		words = append(words, "no-engine")
	}
	if l := c.App.Lessons.Lesson(); l != nil {
		words = append(words, "has-lesson")
		if a := c.App; a.Pictures() && !a.Run.Header.DataPreview.Gallery.HasImages() {
			words = append(words, "no-plane")
		}
		if c.App.Lessons.Progress.AwaitsAnswer() {
			words = append(words, "lesson-asks")
		}
	}
	if c.App.Lecture.On {
		words = append(words, "lecture", "stop-"+itoa(c.App.Lecture.Stop))
		if c.App.Lecture.Black {
			words = append(words, "black")
		}
	}
	if c.App.Drawer {
		words = append(words, "drawer-open")
	}
	return strings.Join(words, " ")
}

// onPaper says what a printed page shows, with its link.
func (c *Root) onPaper() string {
	return say.Textf("Round %d of %d. %s. %s", c.App.Shown(), c.App.Rounds(), c.App.FingerprintWords(),
		"?"+c.App.Config.String()+"&t="+itoa(c.App.Shown()))
}

// atRest reports whether the round shown does not change by itself: only then is it
// announced to screen readers, after a step, a pause and the end of a run. The scrubber has
// its own value text.
func (c *Root) atRest() bool {
	p := c.App.Player
	return c.App.Run != nil && !p.Playing && !p.Scrubbing && c.App.Settings.Dragged() == ""
}

// round names the round on screen, and the phase.
func (c *Root) round() string { return (&Transport{c.App}).heading() }

// told is what is announced of a lane: in a phase, also the numbers of the followed client.
func (c *Root) told(lane int) string {
	text := c.App.Story(lane)
	if t := c.App.StageText(lane); t.Says != "" && t.Client != "" {
		text = say.Textf("%s %s", text, say.Textf("Client %s: %s.", chart.Client(c.App.Followed()), say.Message(t.Client)))
	}
	return text
}

// announcedLanes are the lanes whose stories are announced.
func (c *Root) announcedLanes() []int {
	if !c.atRest() {
		return nil
	}
	return c.App.LanesShown()
}

// tabs are the figures of the run on screen.
func (c *Root) tabs() []string {
	return slices.DeleteFunc(slices.Clone(page.Tabs), func(tab string) bool { return !c.App.Has(tab) })
}

func (c *Root) tabClass(tab string) string {
	if tab == c.App.ShownTab() {
		return "tab on"
	}
	return "tab"
}

// playPath is the outline on the play button.
func playPath(playing bool) string {
	if playing {
		return "M5 4h4v12H5zM11 4h4v12h-4z"
	}
	return "M6 3v14l11-7z"
}

// yes is an attribute's text for a condition.
func yes(b bool) string { return strconv.FormatBool(b) }

func itoa(n int) string { return strconv.Itoa(n) }
