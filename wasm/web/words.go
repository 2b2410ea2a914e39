package web

import (
	"fmt"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Titles and descriptions of states, for tags and previews. Every word comes from the
// schema or is a checked value.

// siteName and siteDescription are those of the start page.
const (
	siteName        = "Flockscope"
	siteDescription = "Watch clustered federated learning find the groups hidden among its clients, round by round, live in your browser."
)

// laneTitles returns the titles of the lanes, in order.
func laneTitles(schema *experiment.Schema, c experiment.Config) []string {
	titles := make([]string, len(c.Lanes()))
	for i, lane := range c.Lanes() {
		titles[i] = lane.Algorithm
		for _, a := range schema.Algorithms {
			if a.Name == lane.Algorithm {
				titles[i] = a.Title
			}
		}
		if lane.Label != "" {
			titles[i] += " · " + lane.Label
		}
	}
	return titles
}

// laneNotes returns the settings that a lane has of its own.
func laneNotes(c experiment.Config, lane int) []string {
	var notes []string
	for _, f := range c.LaneFields(lane) {
		if text := c.LaneValue(lane, f.Name); c.Own(lane, f.Name) && text != c.Value(f.Name) {
			notes = append(notes, settingText(&f, text))
		}
	}
	return notes
}

// changedSettings returns the settings that differ from their defaults, without those that
// the picture and the title show anyway.
func changedSettings(s State) []string {
	c, set := s.Config, map[string]bool{}
	for pair := range strings.SplitSeq(s.Text(), "&") {
		key, _, _ := strings.Cut(pair, "=")
		set[key] = true
	}
	var words []string
	for _, f := range c.Active() {
		if set[f.Name] && f.Name != "C" && f.Name != "D" && f.Name != "T" && f.Name != "star" {
			words = append(words, settingText(f, c.Value(f.Name)))
		}
	}
	return words
}

// settingText writes a setting with its value, such as "Gap Δφ 8°".
func settingText(f *param.Field, text string) string {
	switch f.Kind {
	case param.Switch:
		return f.Label + map[string]string{"0": " off", "1": " on"}[text]
	case param.Choice:
		for _, o := range f.Options {
			if o.Name == text && o.Title != "" {
				text = o.Title
			}
		}
	case param.Numbers:
		if text == "" {
			text = "none"
		}
		text = strings.ReplaceAll(text, ",", ", ")
	}
	unit := f.Unit
	if unit != "" && unit != "°" && unit != "%" {
		unit = " " + unit
	}
	return f.Label + " " + strings.ReplaceAll(text, "-", "−") + unit
}

// clientsText says how many clients there are, and of how many kinds if the settings
// plant groups.
func clientsText(c experiment.Config) string {
	if c.FromFile() {
		return "data from a file"
	}
	words := say.Count(c.Values(-1).Int("C"), "client")
	if g := groups(c); g > 0 {
		words += " of " + say.Count(g, "kind")
	}
	return words
}

// groups returns the number of planted groups, 0 where no setting gives it.
func groups(c experiment.Config) int {
	if c.Reads("star") {
		return len(c.Values(-1).Numbers("star"))
	}
	if c.Reads("D") {
		return c.Values(-1).Int("D")
	}
	return 0
}

// roundText says which round is shown.
func roundText(s State) string {
	if t := s.Round(); t > 0 {
		return fmt.Sprintf("round %d of %d", t, rounds(s.Config))
	}
	return say.Count(rounds(s.Config), "round")
}

// title describes a state in one line.
func title(schema *experiment.Schema, s State) string {
	if l := s.Lesson(); l != nil {
		return lessonTitle(l)
	}
	return say.List(laneTitles(schema, s.Config)) + " on " + clientsText(s.Config)
}

func lessonTitle(l *lesson.Lesson) string { return "Lesson " + itoa(l.Number) + ": " + l.Title }

// description describes what the title omits.
func description(s State) string {
	if l := s.Lesson(); l != nil {
		return l.Question + " " + l.Fill(l.Setup)
	}
	words := append([]string{roundText(s)}, changedSettings(s)...)
	text := strings.Join(words, ", ")
	return strings.ToUpper(text[:1]) + text[1:] + ". Computed live in your browser; every setting can be changed."
}
