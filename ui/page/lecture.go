package page

import (
	"strings"

	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/ui/host"
)

// Lecture shows one round to a room in eight stops: the question, the six phases, and the verdicts. Nothing else is on
// screen.
type Lecture struct {
	On    bool
	Stop  int  // 0 to LectureEnd
	Black bool // the screen is black, so that everyone looks at the presenter
}

// LectureEnd is the last stop of a lecture.
const LectureEnd = int(registry.Phases) + 1

// StartLecture: the user lectures on the shown round, or on the next one in which a method clusters.
type StartLecture struct{}

func (StartLecture) update(s *State) {
	s.CloseForLecture()
	s.Lecture = Lecture{On: true}
	if s.Round == 0 {
		s.Round = s.lectureRound()
	} else {
		s.moveToClustering()
	}
	GoToStop{0}.update(s)
}

// lectureRound is the round of a lecture that begins at the start of a run: that of the lesson, or the first.
func (s *State) lectureRound() int {
	if to := s.Lessons.Lesson(); to != nil {
		return to.Scene
	}
	return 1
}

// CloseForLecture closes what would cover the stage.
func (s *State) CloseForLecture() {
	for s.closeOverlay() {
	}
	s.Player.Playing = false
	if s.Sheet != "" {
		CloseSheet{}.update(s)
	}
}

// moveToClustering goes to the shown round or the nearest one in which a method on screen clusters.
func (s *State) moveToClustering() {
	if s.Run == nil || s.Round > s.Run.Finished() {
		return
	}
	for _, lane := range s.LanesShown() {
		if n := s.LaneOfRun(lane); n >= 0 {
			if t := nearestClustering(s.Run, n, s.Shown()); t > 0 {
				s.Round = t
				return
			}
		}
	}
	s.Round = max(1, s.Shown())
}

// GoToStop: the user goes to a stop of the lecture.
type GoToStop struct{ Stop int }

func (m GoToStop) update(s *State) {
	l := &s.Lecture
	l.Stop, l.Black = max(0, min(m.Stop, LectureEnd)), false
	s.Phases.Watching, s.Phases.Exact = false, false
	if s.Phases.At = l.Stop % LectureEnd; s.Phases.At > 0 {
		s.Phases.show()
	}
	s.effects.Redraw(host.Shell | host.Figures | host.Link)
}

// StepLecture: the user goes to the next stop, or with By = −1 to the one before. During a motion, the next stop is the
// motion's end.
type StepLecture struct{ By int }

func (m StepLecture) update(s *State) {
	if m.By > 0 && s.Phases.move.Active() {
		s.Phases.move = Move{}
		s.effects.Redraw(host.Figures)
		return
	}
	GoToStop{s.Lecture.Stop + m.By}.update(s)
}

// LeaveLecture: the user returns to the page.
type LeaveLecture struct{}

func (LeaveLecture) update(s *State) {
	s.Lecture = Lecture{}
	EndPhases{}.update(s)
}

// lectureKey handles a key while a lecture is on, also those of a clicker; it reports whether the key has a meaning.
func (s *State) lectureKey(key string) bool {
	switch key {
	case " ", "ArrowRight", "ArrowDown", "PageDown", "Enter":
		StepLecture{1}.update(s)
	case "ArrowLeft", "ArrowUp", "PageUp", "Backspace":
		StepLecture{-1}.update(s)
	case "Home":
		GoToStop{0}.update(s)
	case "End":
		GoToStop{LectureEnd}.update(s)
	case "0", "1", "2", "3", "4", "5", "6", "7":
		GoToStop{int(key[0] - '0')}.update(s)
	case "b", ".":
		s.Lecture.Black = !s.Lecture.Black
		s.effects.Redraw(host.Shell)
	case "Escape":
		LeaveLecture{}.update(s)
	default:
		return false
	}
	return true
}

// asks reports whether a question is on screen whose answer the models are.
func (s *State) asks() bool {
	return s.Lecture.On && s.Lecture.Stop == 0 || s.Lessons.Lesson() != nil && s.Lessons.Progress.AwaitsAnswer()
}

// LectureHeadline is the headline of the current stop.
func (s *State) LectureHeadline() string {
	if s.Lecture.Stop == 0 {
		return s.Question()
	}
	return s.Headline()
}

// LectureWords says which round is shown, and which stop of the lecture.
func (s *State) LectureWords() string {
	switch stop := s.Lecture.Stop; stop {
	case 0:
		return say.Textf("Round %d", s.Shown())
	case LectureEnd:
		return say.Textf("Round %d, result", s.Shown())
	default:
		return say.Textf("Round %d, step %d of %d", s.Shown(), stop, int(registry.Phases))
	}
}

// LectureNote is what the printed notes for the presenter say of a stop: its headline, and a line for each method.
type LectureNote struct {
	Head  string
	Lines []string
}

// LectureNotes returns the notes for all stops, and last those of the lesson, if there is one.
func (s *State) LectureNotes() []LectureNote {
	notes := []LectureNote{{Head: s.Question()}}
	for phase := range registry.Phases {
		n := LectureNote{Head: PhaseHeadline(phase)}
		for _, lane := range s.LanesShown() {
			w := s.roundWords(lane).Phase(phase)
			n.Lines = append(n.Lines, say.Join([]string{s.Title(lane) + ":", w.Says, w.Client}, " "))
		}
		notes = append(notes, n)
	}
	end := LectureNote{Head: s.judge.Headline(s.Run, s.Shown())}
	for _, lane := range s.LanesShown() {
		v := s.Judged(lane)
		end.Lines = append(end.Lines, say.Join([]string{s.Title(lane) + ":", v.Head, v.Tail, plain(v.Cause)}, " "))
	}
	notes = append(notes, end)
	if l := s.Lessons.Lesson(); l != nil {
		notes = append(notes, LectureNote{Head: say.Text(l.Title), Lines: []string{l.Fill(say.Text(l.Notes))}})
	}
	return notes
}

// plain returns a text without the asterisks around its bold parts.
func plain(text string) string { return strings.ReplaceAll(text, "*", "") }
