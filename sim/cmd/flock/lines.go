package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"flockscope/sim/experiment"
	"flockscope/sim/lab/plan"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// jsonLines prints a run as one JSON object per line: every lane after every round from 1 on,
// then a summary per lane, then the result.
type jsonLines struct {
	w      *bufio.Writer
	errs   io.Writer // for errors of lanes
	stop   func()    // ends the run
	err    error     // from the first line that could not be written
	config experiment.Config
	file   *workload.File // nil without a file
	prints []uint64       // fingerprints of the lanes that have ended
	header *trace.Header
	// classifies reports whether models are classifiers, so that predictions can be right or wrong.
	classifies bool
	partial    bool                         // some clients may not take part
	weakest    [experiment.MaxLanes]float64 // least accuracy of a client in the last evaluation of each lane
}

// roundLine is a lane after a round. Rounds count from 1. ARI, misplaced, NMI and purity
// are null where the groups are unknown, and for methods that make no clusters: their labels
// say whose model a client uses, and a mean over such numbers means nothing.
// Down and up are floats sent per client so far.
type roundLine struct {
	Lane      string   `json:"lane"`
	Round     int      `json:"round"`
	ARI       *float64 `json:"ari"`
	Misplaced *int     `json:"misplaced"`
	NMI       *float64 `json:"nmi"`    // normalised mutual information: like the ARI, but not adjusted for chance
	Purity    *float64 `json:"purity"` // fraction of clients that are of the most common group of their cluster
	// ARIParticipants is the ARI of the participants of this round that replied, where not all
	// clients take part. ARI is that of all clients that have replied so far.
	ARIParticipants *float64 `json:"ari_participants,omitempty"`
	Loss            *float64 `json:"loss"`               // null if the models were not evaluated after the round
	Worst           *float64 `json:"worst"`              // the largest loss of a client; null as for loss
	Accuracy        *float64 `json:"accuracy,omitempty"` // only if the models were evaluated after the round
	Weakest         *float64 `json:"weakest,omitempty"`  // the least accuracy of a client
	Val             *float64 `json:"val,omitempty"`      // HCFL's Val; only with test clients
	Test            *float64 `json:"test,omitempty"`
	Clusters        int      `json:"clusters"`
	Assign          []uint16 `json:"assign"`
	Down            float64  `json:"down"`
	Up              float64  `json:"up"`
	Computed        float64  `json:"computed,omitempty"` // multiply-adds of models per client so far
	Time            float64  `json:"time,omitempty"`     // seconds by the virtual clock
	Diverged        bool     `json:"diverged,omitempty"`
}

type summaryLine struct {
	Lane    string      `json:"lane"`
	Summary plan.Scores `json:"summary"`
}

// resultLine ends a run: its canonical query, and the result that the page shows for it.
type resultLine struct {
	Query  string `json:"query"`
	Result string `json:"result"`
}

// Begin prints what the columns of a file are used for, after the run has been accepted.
func (j *jsonLines) Begin(h *trace.Header) {
	j.header = h
	if j.file != nil {
		for _, note := range j.file.ColumnNotes() {
			fmt.Fprintf(j.errs, "flock: note: %s.\n", note)
		}
	}
}

func (j *jsonLines) Round(int) {}

func (j *jsonLines) Frame(lane int, f *trace.Frame) {
	if f.Round == 0 {
		return
	}
	line := roundLine{Lane: j.header.Lanes[lane].ID, Round: f.Round, Clusters: f.Clusters, Assign: f.Label,
		Down: f.Down, Up: f.Up, Computed: f.Computed, Time: f.Time, Diverged: f.Events.Has(trace.Diverged)}
	if !math.IsNaN(f.Loss) {
		line.Loss, line.Worst = &f.Loss, &f.Worst
	}
	if j.judges(lane) {
		line.ARI, line.Misplaced, line.NMI, line.Purity = &f.ARI, &f.Misplaced, &f.NMI, &f.Purity
		if f.Events.Has(trace.Partial) && !math.IsNaN(f.ARIParticipants) {
			line.ARIParticipants = &f.ARIParticipants
		}
	}
	j.partial = j.partial || f.Events.Has(trace.Partial)
	if len(f.Confusion) > 0 {
		j.classifies = true
		weakest := float64(slices.Min(j.header.HonestValues(nil, f.Accuracies)))
		line.Accuracy, line.Weakest, j.weakest[lane] = &f.Accuracy, &weakest, weakest
		if f.Val != 0 || f.Test != 0 {
			line.Val, line.Test = &f.Val, &f.Test
		}
	}
	j.print(line)
}

func (j *jsonLines) End(lane int, s *trace.Summary) {
	out := plan.ScoresOf(s, j.judges(lane), j.classifies, j.partial, j.weakest[lane])
	if s.Cause != "" {
		fmt.Fprintf(j.errs, "flock: note: %s: %s\n", j.header.Lanes[lane].ID, s.Cause)
	}
	j.print(summaryLine{j.header.Lanes[lane].ID, out})
	if j.prints = append(j.prints, s.Fingerprint); len(j.prints) == len(j.header.Lanes) {
		j.print(resultLine{j.header.Query, trace.Result(j.prints)})
	}
}

// judges reports whether a lane's clustering can be right or wrong.
func (j *jsonLines) judges(lane int) bool { return j.header.HasTruth() && !j.config.Unclustered(lane) }

// print writes a line. After the first error it ends the run and writes no more.
func (j *jsonLines) print(v any) {
	if j.err != nil {
		return
	}
	lines := json.NewEncoder(j.w)
	lines.SetEscapeHTML(false) // a query contains &
	if j.err = lines.Encode(v); j.err != nil {
		j.stop()
	}
}
