package page

import (
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/say"
	"flockscope/ui/host"
)

// Editing of lanes: each edit changes the key "algos".

// AddLane: the user adds a lane for a method. A second lane of the same method gets a label.
type AddLane struct{ Algorithm string }

func (m AddLane) update(s *State) {
	s.Adding = false
	ids := s.Settings.laneIDs()
	s.Settings.setLanes(append(ids, unusedID(ids, m.Algorithm)))
}

// RemoveLane: the user removes a lane.
type RemoveLane struct{ Lane int }

func (m RemoveLane) update(s *State) {
	s.Settings.setLanes(slices.Delete(s.Settings.laneIDs(), m.Lane, m.Lane+1))
}

// ChangeLane: the user changes the method of a lane.
type ChangeLane struct {
	Lane      int
	Algorithm string
}

func (m ChangeLane) update(s *State) {
	ids := s.Settings.laneIDs()
	if s.Config.Lanes()[m.Lane].Algorithm == m.Algorithm {
		return
	}
	ids[m.Lane] = "" // its old id becomes unused
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

// ToggleLaneSettings: the user opens or closes the settings of a lane.
type ToggleLaneSettings struct{ Lane int }

func (m ToggleLaneSettings) update(s *State) {
	if s.SettingsLane == m.Lane {
		m.Lane = -1
	}
	s.SettingsLane = m.Lane
	s.effects.Redraw(host.Shell)
}

// ResetLane: the user resets a lane's own settings to those of the experiment.
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
