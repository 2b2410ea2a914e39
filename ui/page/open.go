package page

import (
	"errors"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/lesson"
	"flockscope/sim/param"
	"flockscope/sim/runfile"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/chart/progress"
	"flockscope/ui/host"
)

// Opening links and files of runs: the experiment in them, and their errors.

// readLink returns the experiment of a link and opens its lesson.
func (s *State) readLink(link experiment.Link) experiment.Config {
	keys := link.Page()
	number, _ := strconv.Atoi(keys.Get("lesson"))
	s.Lessons.OpenLinked(lesson.ByNumber(number))
	config, problems := s.Schema.ParseLink(link)
	notify := func(text say.Message) { s.Notify(text) }
	if keys.Get("embed") == "1" { // in a frame, warnings are for its author, not for readers
		notify = func(text say.Message) { s.ConsoleWarnings = append(s.ConsoleWarnings, text.String()) }
	}
	for _, p := range problems {
		switch {
		case p.Unknown != "": // one notice lists all of them
		case p.Repair:
			notify(say.Messagef("The link was repaired: %s.", link.Repairs()))
		case p.Adapted != "":
			text := strings.Replace(string(say.Of(p.Err)), p.Adapted, Capitalize(p.Adapted), 1)
			notify(say.Messagef("%s.", say.Message(text)))
		case p.Warning:
			notify(say.Messagef("%s.", p.Err))
		case aboutLesson(p): // readPage reports it
		default:
			s.Notify(say.Messagef("%s. %s", p.Err, insteadWords(p)))
		}
	}
	if unknown := experiment.Unknown(problems); len(unknown) > 0 {
		s.Notify(say.Messagef("This link has unknown settings: %s. The run is computed without them.",
			say.JoinMessage(unknown, ", ")))
	}
	return config
}

// aboutLesson reports whether a problem is an invalid number of a lesson.
func aboutLesson(p experiment.Problem) bool {
	var e *param.Error
	return errors.As(p.Err, &e) && e.Field == "lesson"
}

// insteadWords returns what replaces a refused part of a link: the default, or the first value of a
// repeated key. If settings conflict, another one may have been removed.
func insteadWords(p experiment.Problem) say.Message {
	var e *param.Error
	key, _, _ := strings.Cut(p.Removed, "=")
	switch {
	case !errors.As(p.Err, &e):
	case e.Field == "query":
		return "It is ignored."
	case e.Want == experiment.Once:
		return "The first value is used."
	case p.Removed != "" && key != e.Field:
		return say.Messagef("%s is ignored.", p.Removed)
	}
	return "The default is used instead."
}

// HistoryReturn: the user goes back or forward in the browser's history.
type HistoryReturn struct{ Query string }

func (m HistoryReturn) update(s *State) {
	s.Player.Playing, s.Sheet = false, ""
	s.Lessons.ForgetSnapshot()
	s.SetSelection(nil)
	s.Round, s.Phases.At, s.Lane, s.Tab, s.Metric, s.MetricChosen = 0, 0, 0, Tabs[0], progress.ARI, false
	link := s.Schema.OpenLink(m.Query)
	s.Settings.Adopt(s.readLink(link), "", true)
	s.applyViewKeys(link.Page())
	s.Player.resting = link.Resting()
	s.Phases.RequestDetail()
	s.effects.Redraw(host.Shell | host.Figures)
}

// openRun shows the run of a file. The next change of a setting computes a new run.
func (s *State) openRun(f wire.NamedFile) {
	run, err := runfile.Read(f.Data)
	if err == nil {
		config, problems := s.Schema.Parse(run.Header.Query)
		if len(problems) > 0 || config.String() != run.Header.Query || len(config.Lanes()) != len(run.Tracks) {
			err = runfile.ErrVersion
		} else {
			s.showFileRun(run, config)
			return
		}
	}
	s.Files.refuse(say.Messagef("%s cannot be shown: %s", f.Name, err))
}

// showFileRun shows a run of a file and its settings, and cancels the run that engines compute.
func (s *State) showFileRun(run *trace.Run, config experiment.Config) {
	s.Runs.Abandon()
	if s.Config.String() != config.String() {
		s.Settings.PushUndo()
	}
	s.Config, s.Run = config, run
	s.Settings.Clear()
	s.SetSelection(nil)
	s.Player.Playing, s.Hover, s.SettingsLane = false, -1, -1
	s.Lane = min(s.Lane, len(config.Lanes())-1)
	s.Round = min(s.Round, s.Rounds())
	s.Runs.withdrawRefusal()
	s.Withdraw(FilesNeededNotice)
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}
