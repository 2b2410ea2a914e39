package page

import (
	"errors"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
)

// Links that are opened: what they say of the experiment, and what is wrong with them.

// open reads the experiment and the lesson that a link asks for.
func (a *State) open(link experiment.Link) experiment.Config {
	keys := link.Page()
	number, _ := strconv.Atoi(keys.Get("lesson"))
	a.Lessons.Link(lesson.ByNumber(number))
	config, problems := a.Schema.ParseLink(link)
	notify := func(text say.Message) { a.Notify(text) }
	if keys.Get("embed") == "1" { // its author is told, not its readers
		notify = func(text say.Message) { a.Asides = append(a.Asides, text.String()) }
	}
	for _, p := range problems {
		switch {
		case p.Unknown != "": // all of them are in one notice
		case p.Repair:
			notify(say.Messagef("The link was repaired: %s.", link.Repairs()))
		case p.Adapted != "":
			text := strings.Replace(string(say.Of(p.Err)), p.Adapted, Capital(p.Adapted), 1)
			notify(say.Messagef("%s.", say.Message(text)))
		case p.Warning:
			notify(say.Messagef("%s.", p.Err))
		case aboutLesson(p): // said with the page's other keys
		default:
			a.Notify(say.Messagef("%s. %s", p.Err, instead(p)))
		}
	}
	if unknown := experiment.Unknown(problems); len(unknown) > 0 {
		a.Notify(say.Messagef("This link has unknown settings: %s. The run is computed without them.",
			say.JoinMessage(unknown, ", ")))
	}
	return config
}

// aboutLesson reports whether a problem is that there is no such lesson.
func aboutLesson(p experiment.Problem) bool {
	var e *param.Error
	return errors.As(p.Err, &e) && e.Field == "lesson"
}

// instead says what stands in the place of what a link was refused: the default,
// but what came first of a key that is there twice, and nothing for what is no
// setting. Of settings that clash another one may have had to go.
func instead(p experiment.Problem) say.Message {
	var e *param.Error
	key, _, _ := strings.Cut(p.Gone, "=")
	switch {
	case !errors.As(p.Err, &e):
	case e.Field == "query":
		return "It is ignored."
	case e.Want == experiment.Once:
		return "The first value is used."
	case p.Gone != "" && key != e.Field:
		return say.Messagef("%s is ignored.", p.Gone)
	}
	return "The default is used instead."
}

// Return shows what an entry of the browser's history holds.
type Return struct{ Query string }

func (m Return) update(s *State) {
	s.Player.Playing, s.Sheet = false, ""
	s.Lessons.Forget()
	s.Keep(nil)
	s.Round, s.Phases.At, s.Lane, s.Tab, s.Metric, s.Picked = 0, 0, 0, Tabs[0], progress.ARI, false
	link := s.Schema.OpenLink(m.Query)
	s.Settings.Adopt(s.open(link), "", true)
	s.look(link.Page())
	s.Phases.Ask()
	s.effects.Redraw(host.Shell | host.Figures)
}
