package page

import (
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/say"
	"flockscope/ui/host"
)

// Lane editing. All of it is a change of the one key "algos".

// AddLane adds a lane for the algorithm; a second one of the same algorithm
// gets a label.
type AddLane struct{ Algorithm string }

func (m AddLane) update(s *State) {
	s.Adding = false
	ids := s.Settings.laneIDs()
	s.Settings.setLanes(append(ids, unusedID(ids, m.Algorithm)))
}

// RemoveLane takes a lane away.
type RemoveLane struct{ Lane int }

func (m RemoveLane) update(s *State) {
	s.Settings.setLanes(slices.Delete(s.Settings.laneIDs(), m.Lane, m.Lane+1))
}

// ChangeLane runs another algorithm in a lane.
type ChangeLane struct {
	Lane      int
	Algorithm string
}

func (m ChangeLane) update(s *State) {
	ids := s.Settings.laneIDs()
	if s.Config.Lanes()[m.Lane].Algorithm == m.Algorithm {
		return
	}
	ids[m.Lane] = "" // its old name is free
	ids[m.Lane] = unusedID(ids, m.Algorithm)
	s.Settings.setLanes(ids)
}

func (s *Settings) laneIDs() []string {
	ids := make([]string, 0, experiment.MaxLanes)
	for i := range s.page.Config.Lanes() {
		ids = append(ids, s.page.Config.Lanes()[i].ID())
	}
	return ids
}

func (s *Settings) setLanes(ids []string) {
	next, err := s.page.Config.With("algos", strings.Join(ids, ","))
	if err != nil {
		s.page.Notify(say.Messagef("%s.", err))
		return
	}
	s.Adopt(next, "", true)
}

// unusedID returns an id for the algorithm that is not among ids.
func unusedID(ids []string, algorithm string) string {
	id := algorithm
	for label := 'b'; slices.Contains(ids, id); label++ {
		id = algorithm + ":" + string(label)
	}
	return id
}

// ToggleLaneSettings opens a lane's own settings, or closes them.
type ToggleLaneSettings struct{ Lane int }

func (m ToggleLaneSettings) update(s *State) {
	if s.SettingsLane == m.Lane {
		m.Lane = -1
	}
	s.SettingsLane = m.Lane
	s.effects.Redraw(host.Shell)
}

// ResetLane hands a lane's own settings back to the experiment.
type ResetLane struct{ Lane int }

func (m ResetLane) update(s *State) {
	next := s.Config
	id := s.Config.Lanes()[m.Lane].ID()
	for _, f := range s.Config.LaneFields(m.Lane) {
		if w, err := next.With(id+"."+f.Name, ""); err == nil {
			next = w
		}
	}
	s.Settings.Adopt(next, "", true)
}
