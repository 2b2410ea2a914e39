package chart

import (
	"flockscope/clusterer"
	"flockscope/sim/trace"
)

// Names has the names of the models of runs in each of their rounds, by the rule of
// [clusterer.Naming]. It follows a run that is still computed. The zero Names is ready.
type Names struct {
	runs [2]runNames // the one on screen and a pinned one; the first was used last
}

type runNames struct {
	run   *trace.Run
	lanes []laneNames
}

// laneNames has the names of the models of a lane.
type laneNames struct {
	naming  clusterer.Naming
	rounds  int      // that have been counted
	changes []naming // in order of rounds
}

// naming is the names from a round on.
type naming struct {
	round int
	alias []uint16
}

// at returns the names of the models of the shown lane and round, nil where models have none. At the
// start, where labels are arbitrary, they are those of round 1.
func (n *Names) at(v *View) []uint16 {
	lane := v.LaneHeader()
	if n == nil || lane == nil || !v.Run.Header.HasTruth() || OwnModels(lane) || lane.Models > MostNamed {
		return nil
	}
	if n.runs[0].run != v.Run {
		n.runs[0], n.runs[1] = n.runs[1], n.runs[0]
		if n.runs[0].run != v.Run {
			n.runs[0] = runNames{v.Run, make([]laneNames, len(v.Run.Tracks))}
		}
	}
	l := &n.runs[0].lanes[v.Lane]
	l.update(v.Run, v.Lane)
	for i := len(l.changes) - 1; i >= 0; i-- {
		if l.changes[i].round <= v.Round || i == 0 {
			return l.changes[i].alias
		}
	}
	return nil
}

// MostNamed is the largest number of models that are named after groups: nobody can distinguish more
// colours.
const MostNamed = 64

// update counts the rounds that have been computed since.
func (l *laneNames) update(run *trace.Run, lane int) {
	h, frames := run.Header, run.Tracks[lane].Frames
	if l.rounds >= len(frames) && l.rounds > 0 {
		return
	}
	if l.rounds == 0 {
		if len(frames) < 2 {
			return
		}
		l.naming.Reset(h.Lanes[lane].Models, h.Groups)
		l.rounds = 1
	}
	for ; l.rounds < len(frames); l.rounds++ {
		for i, k := range frames[l.rounds].Label {
			if !h.Lies(i) {
				l.naming.Count(int(k), int(h.Group[i]))
			}
		}
		if l.naming.Next() || len(l.changes) == 0 {
			l.changes = append(l.changes, naming{l.rounds, append([]uint16(nil), l.naming.Names...)})
		}
	}
}
