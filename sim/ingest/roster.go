package ingest

import (
	"slices"
	"strings"

	"flockscope/sim/dataset"
)

// roster assigns numbers to the names of clients in order of appearance.
type roster struct {
	index       map[string]int32
	names       []string
	numberOfRow []int32
}

// add appends a row of the named client, and returns its number and whether it is new.
func (r *roster) add(name string) (who int32, fresh bool) {
	who, known := r.index[name]
	if !known {
		if r.index == nil {
			r.index = map[string]int32{}
		}
		who = int32(len(r.names))
		name = strings.Clone(name) // a copy, so that the row is not kept
		r.index[name] = who
		r.names = append(r.names, name)
	}
	r.numberOfRow = append(r.numberOfRow, who)
	return who, !known
}

// stems makes the files' stems the domains of the rows, if the stems differ. rows[f] is the number of rows in file f.
func stems(s *dataset.Set, files []*file, rows []int) {
	var r roster
	for f, n := range rows {
		for range n {
			r.add(files[f].stem)
		}
	}
	domains(s, &r)
}

// domains sets the domains of a set, if there are several.
func domains(s *dataset.Set, r *roster) {
	if len(r.names) < 2 {
		return
	}
	s.Writer, s.Writers = r.numberOfRow, r.names
	s.Groups, s.Domains = slices.Clone(r.names), true
	for w := range r.names {
		s.Group = append(s.Group, int32(w))
	}
}
