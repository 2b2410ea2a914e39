package page

import (
	"strings"

	"flockscope/sim/draw/scene"
	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/verdict"
)

// The stage is the main view: a headline, and for each method a verdict, a cause and one picture.

// newJudge returns what judges the rounds of the page's runs.
func (s *State) newJudge() *verdict.Judge {
	return &verdict.Judge{
		Method: func(name string) *registry.Meta { m := s.methodOf(name); return &m },
		Letter: func(_ *trace.Run, lane, model int) string { v := s.view(lane); return v.Letter(model) },
	}
}

// Judged returns the verdict on a lane at the shown round.
func (s *State) Judged(lane int) verdict.Verdict {
	n := s.LaneOfRun(lane)
	if n < 0 || s.ShownFrame(n) == nil {
		return verdict.Verdict{Head: say.Text("Nothing computed yet.")}
	}
	return s.judge.Lane(s.Run, n, s.Shown())
}

// Question describes the clients and their data, and asks who should train together.
func (s *State) Question() string {
	if s.Run == nil {
		return say.Text("Clustered federated learning: clients keep their data private. Which of them should train together?")
	}
	return verdict.Question(s.Run.Header)
}

// Headline says what the shown round is about: its phase, or what the methods have achieved.
func (s *State) Headline() string {
	switch phase, ok := s.Phases.Phase(); {
	case s.Run == nil || s.Run.Finished() < 0:
		return say.Text("Nothing computed yet.")
	case ok:
		return PhaseHeadline(phase)
	}
	return s.judge.Headline(s.Run, s.Shown())
}

// Followed returns the client whose samples and numbers the page shows: the first selected one, else one that it chose.
func (s *State) Followed() int {
	n := s.followed
	if chosen := s.SelectedClients(); len(chosen) > 0 {
		n = chosen[0]
	}
	if s.Run != nil && n >= s.Run.Header.Clients {
		return 0
	}
	return n
}

// follow chooses the client to follow in a run that is opened: the first one that the last method has misplaced.
func (s *State) follow() {
	s.followed = 0
	for lane := range s.Config.Lanes() {
		for i, hollow := range s.Judged(lane).Hollow {
			if hollow {
				s.followed = i
				break
			}
		}
	}
}

// StageText is what stands above the picture of a method.
type StageText struct {
	verdict.Verdict
	Says    string // in a phase: what the method does, in the place of the verdict and the cause
	Client  string // the followed client's numbers
	Skipped bool   // in a phase: the method does nothing
}

// StageText returns the texts of a lane at the shown round and phase.
func (s *State) StageText(lane int) StageText {
	t := StageText{Verdict: s.Judged(lane)}
	if hurt := s.hurtWords(s.LaneOfRun(lane)); hurt != "" {
		t.Cause, t.Short = strings.TrimSpace(hurt+" "+t.Short), hurt // there is no room for the method’s own reason
	}
	if s.ShownFrame(s.LaneOfRun(lane)) == nil {
		return t
	}
	words := s.roundWords(lane)
	if phase, ok := s.Phases.Phase(); ok {
		p := words.Phase(phase)
		t.Says, t.Client, t.Skipped = p.Says, p.Client, p.Skipped
	} else {
		t.Client, _ = words.Rest()
	}
	return t
}

// roundWords tells what a lane does in the shown round.
func (s *State) roundWords(lane int) *RoundWords {
	v, meta := s.View(lane), s.Algorithm(lane)
	return &RoundWords{View: &v, Meta: &meta, Schema: s.Schema, Config: s.Config, Lane: lane,
		Detail: s.Phases.Detail(lane), Client: s.Followed()}
}

// Story describes the shown round of a lane in plain text.
func (s *State) Story(lane int) string {
	t := s.StageText(lane)
	if t.Says != "" {
		return t.Says
	}
	if s.ShownFrame(s.LaneOfRun(lane)) == nil {
		return t.Head
	}
	return plain(t.Sentences())
}

// FollowedMark returns the shape of the followed client, and whether its mark is hollow in a lane.
func (s *State) FollowedMark(lane int) (shape scene.Shape, hollow bool) {
	v := s.View(lane)
	i := s.Followed()
	h := s.Judged(lane).Hollow
	return v.Shape(i), i < len(h) && h[i]
}
