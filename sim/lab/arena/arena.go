// Package arena makes one page of the arena's records: when clustering pays, with which methods, and how sure that is.
// Records may come from any files, and of methods that the arena's plan did not have.
//
//	arena.go       runs by row, method and seed
//	contest.go     gains of all methods under some choices: budget, seeds, families
//	answer.go      which methods are best for which clients
//	page.go        the page
//	tables.go      the tables beside it, with the sensitivity of the answers to the choices
//	pictures.go    the four figures
//	view.go        what a reader asks of the records, answered as data for a page in the browser
package arena

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/say"
	"flockscope/sim/version"
)

// Method is a method with the runs of the arena.
type Method struct {
	Lane string
	Kind papers.MethodKind
	Note string
}

// Clustering reports whether the method makes clusters and is ranked.
func (m *Method) Clustering() bool { return m.Kind == papers.NeedsK || m.Kind == papers.FindsK }

// Arena holds the runs of the arena and of the study of wrong numbers of clusters.
type Arena struct {
	Sweep   *papers.Sweep
	Methods []Method // in the order of the design, others after them
	Records int
	Engine  int      // version of the engine
	Notes   []string // what is left out
	Own     string   // a method that figure 1 names and rings; "" for none

	rows []papers.Row
	runs map[place]*report.Run
}

// place is the place of a run. k is 0 with the right number of clusters.
type place struct {
	row   int
	lane  string
	tuned bool
	k     int
	seed  int
}

// New places records. The first one of a cell counts; results of one cell that differ, and records of several versions of
// the engine, are errors.
func New(records []plan.Record) (*Arena, error) {
	s, err := papers.Find(papers.Arena)
	if err != nil {
		return nil, err
	}
	placer, err := s.Placer()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("there are no records; flock arena computes them")
	}
	placer.Learn(records)
	a := &Arena{Sweep: s, rows: s.AllRows(), runs: map[place]*report.Run{}, Engine: records[0].Version}
	cells := map[string]*plan.Record{}
	kinds := map[string]papers.MethodKind{}
	failed, outside := 0, 0
	first := ""
	for i := range records {
		r := &records[i]
		if r.Version != a.Engine {
			return nil, fmt.Errorf("results of versions %d and %d of the engine do not go together; make a page of each by itself",
				a.Engine, r.Version)
		}
		if r.Error != "" {
			failed++
			continue
		}
		if before := cells[r.Cell]; before != nil {
			if !plan.Same(before, r) {
				return nil, fmt.Errorf("two results of one cell differ: %s has %s; flock verify plays the run again", r.Query,
					plan.Mismatches(before, r)[0])
			}
			continue
		}
		cells[r.Cell] = r
		placed := false
		for lane := range r.Lanes {
			at, ok := placer.Find(r, lane)
			if !ok {
				continue
			}
			placed = true
			kinds[at.Lane] = at.Kind
			a.runs[place{at.Row, at.Lane, at.Tuned, at.K, at.Seed}] = &report.Run{Lane: &r.Lanes[lane], Query: r.Query,
				Fingerprint: r.Fingerprint}
		}
		if !placed {
			if outside++; outside == 1 {
				first = r.Query
			}
			continue
		}
		a.Records++
	}
	for _, e := range s.Entrants() {
		if kind, ok := kinds[e.Lane]; ok {
			a.Methods = append(a.Methods, Method{e.Lane, kind, e.Note})
			delete(kinds, e.Lane)
		}
	}
	for _, lane := range slices.Sorted(maps.Keys(kinds)) {
		a.Methods = append(a.Methods, Method{Lane: lane, Kind: kinds[lane]})
	}
	if failed > 0 {
		a.note("%s failed and %s left out.", say.Amount(failed, "run"), say.Either(failed, "is", "are"))
	}
	if outside > 0 {
		a.note("%s %s on no row of the arena, or with other settings, and %[2]s left out, the first: %[3]s.",
			say.Amount(outside, "record"), say.Either(outside, "is", "are"), first)
	}
	if a.Records == 0 {
		return nil, fmt.Errorf("none of %s is of the arena, the first: %s", say.Amount(len(records), "record"),
			cmp.Or(first, records[0].Error))
	}
	if a.Engine != version.Engine {
		a.note("The records are of version %d of the engine; this is version %d, whose runs may differ.", a.Engine, version.Engine)
	}
	return a, nil
}

func (a *Arena) note(format string, args ...any) {
	a.Notes = append(a.Notes, fmt.Sprintf(format, args...))
}

// seeds returns the seeds with which a row has runs of a method.
func (a *Arena) seeds(row int, lane string, tuned bool, k int) []int {
	var out []int
	for at := range a.runs {
		if at.row == row && at.lane == lane && at.tuned == tuned && at.k == k {
			out = append(out, at.seed)
		}
	}
	slices.Sort(out)
	return out
}
