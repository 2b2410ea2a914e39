package papers_test

import (
	"strings"
	"testing"

	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
)

// Every cell of the arena, on every set of files, and of the study of wrong numbers of clusters has its place by its query
// alone.
func TestPlacesOfRecords(t *testing.T) {
	s, studies, err := papers.FindArena("")
	if err != nil {
		t.Fatal(err)
	}
	place, err := s.Placer()
	if err != nil {
		t.Fatal(err)
	}
	type cell struct {
		record plan.Record
		row    string
		point  int
	}
	var cells []cell
	var records []plan.Record
	add := func(s *papers.Sweep) {
		p, labels, err := s.Plan()
		if err != nil {
			t.Fatal(err)
		}
		for point := range p.Points() {
			c, err := p.Point(point)
			if err != nil {
				continue
			}
			at := p.At(c, 1)
			r := plan.Record{Cell: at.ID, Query: at.Query, Data: at.Data}
			for _, l := range c.Lanes() {
				r.Lanes = append(r.Lanes, plan.Lane{Lane: l.ID()})
			}
			records = append(records, r)
			cells = append(cells, cell{r, labels["data"][p.Values(point)[0]], point})
		}
	}
	add(s)
	files := map[string][]string{"MNIST": nil, "Fashion-MNIST": nil, "AG News": nil, "FEMNIST": {"split=writers", "C=3500"},
		"Amazon": {"split=writers", "C=4", "K=4"}}
	for name, settings := range files {
		on, err := s.On(&papers.Files{Name: name, Hash: strings.Repeat("0", 20) + strings.ToLower(name[:2]),
			Settings: settings,
			Texts:    name == "AG News"})
		if err != nil {
			t.Fatal(err)
		}
		add(on)
	}
	main := len(cells)
	for _, study := range studies {
		if study.Name == papers.Arena+"-k" {
			add(study)
		}
	}
	place.Learn(records)
	wrong := map[int]int{}
	for i, c := range cells {
		at, ok := place.Find(&c.record, 0)
		if !ok || s.AllRows()[at.Row].Label != c.row || at.Seed != 2 || at.Tuned || i < main && at.K != 0 {
			t.Errorf("%s, row %s: got %+v, %v", c.record.Query, c.row, at, ok)
		}
		wrong[at.K]++
	}
	if wrong[2] == 0 || wrong[6] == 0 || wrong[0] < main {
		t.Errorf("numbers of runs by wrong K: %v", wrong)
	}

	// A lane with settings that the arena does not have, liars, or a budget has no place; one with a name of its own has.
	query := records[0].Query
	for _, other := range []string{query + "&liars=4&lie=flip", strings.Replace(query, "algos=fedavg", "algos=ifca&ifca.lr=0.3", 1)} {
		r := plan.Record{Query: other, Lanes: []plan.Lane{{Lane: "ifca"}}}
		if at, ok := place.Find(&r, 0); ok {
			t.Errorf("%s is at %+v", other, at)
		}
	}
	r := plan.Record{Query: strings.Replace(query, "algos=fedavg", "K=3&algos=ifca:mine&ifca:mine.lr=0.3", 1),
		Lanes: []plan.Lane{{Lane: "ifca:mine"}}}
	for range 2 {
		if at, ok := place.Find(&r, 0); !ok || at.Kind != papers.NeedsK || at.K != 0 {
			t.Errorf("a lane with a name of its own is at %+v, %v", at, ok)
		}
	}
	r.Floats = 1e6
	if _, ok := place.Find(&r, 0); ok {
		t.Error("a run with a budget has a place")
	}
}
