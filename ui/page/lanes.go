package page

import (
	"slices"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/say"
)

// Lane editing. All of it is a change of the one key "algos".

// AddLane adds a lane for the algorithm; a second one of the same algorithm
// gets a label.
func (s *Settings) AddLane(algorithm string) {
	s.page.Adding = false
	ids := s.laneIDs()
	s.setLanes(append(ids, fresh(ids, algorithm)))
}

// RemoveLane takes a lane away.
func (s *Settings) RemoveLane(lane int) { s.setLanes(slices.Delete(s.laneIDs(), lane, lane+1)) }

// ChangeLane runs another algorithm in a lane.
func (s *Settings) ChangeLane(lane int, algorithm string) {
	ids := s.laneIDs()
	if s.page.Config.Lanes()[lane].Algorithm == algorithm {
		return
	}
	ids[lane] = "" // its old name is free
	ids[lane] = fresh(ids, algorithm)
	s.setLanes(ids)
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

// fresh returns an id for the algorithm that is not among ids.
func fresh(ids []string, algorithm string) string {
	id := algorithm
	for label := 'b'; slices.Contains(ids, id); label++ {
		id = algorithm + ":" + string(label)
	}
	return id
}
