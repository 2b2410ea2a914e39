package page

import (
	"slices"

	"flockscope/sim/param"
)

// Settings that options bring along stand below the choice they belong to.

// Node is a field in a list of settings.
type Node struct {
	Field *param.Field
	Depth int    // how many choices of the list it stands below
	Of    string // the option that it belongs to, where its choice is in another list
}

// Nest orders fields so that what a chosen option brings along follows its
// choice. value gives the canonical texts.
func Nest(fields []*param.Field, value func(name string) string) []Node {
	var out []Node
	depth := map[string]int{}
	for _, f := range fields {
		if _, ok := depth[f.Name]; ok {
			continue // several options share it
		}
		n := Node{Field: f}
		for _, g := range fields {
			if chosen := Option(g, value(g.Name)); chosen != nil && brings(chosen, f.Name) {
				n.Depth = depth[g.Name] + 1
				break
			}
		}
		depth[f.Name] = n.Depth
		out = append(out, n)
	}
	return out
}

// Option returns the option of a choice with a name, nil if there is none.
func Option(f *param.Field, name string) *param.Option {
	for i := range f.Options {
		if f.Options[i].Name == name {
			return &f.Options[i]
		}
	}
	return nil
}

func brings(o *param.Option, name string) bool {
	return slices.ContainsFunc(o.Fields, func(f param.Field) bool { return f.Name == name })
}

// Controls returns the fields of one section of the settings panel: those that
// everybody needs, or the advanced ones.
func (s *Settings) Controls(section param.Section, advanced bool) []Node {
	at := panelSection{section, advanced}
	nodes, ok := s.controls[at]
	if !ok {
		nodes = s.findControls(section, advanced)
		s.controls[at] = nodes
	}
	return nodes
}

// panelSection is a part of the panel.
type panelSection struct {
	section  param.Section
	advanced bool
}

func (s *Settings) findControls(section param.Section, advanced bool) []Node {
	var fields []*param.Field
	active := s.page.Config.Active()
	for _, f := range active {
		if f.Kind == param.Text {
			continue // the sheet of columns sets it
		}
		if f.Section == section && f.Advanced == advanced && (!f.PerLane || shared[f.Name]) {
			fields = append(fields, f)
		}
	}
	nodes := Nest(fields, s.page.Config.Value)
	for i := range nodes {
		n := &nodes[i]
		if n.Depth > 0 {
			continue
		}
		for _, g := range active {
			if o := Option(g, s.page.Config.Value(g.Name)); o != nil && brings(o, n.Field.Name) {
				n.Of = o.Title
				break
			}
		}
	}
	return nodes
}

// shared are the lanes' settings that usually go together for all lanes and so
// stand in the panel; the others stand with their lane.
var shared = map[string]bool{"K": true, "lr": true, "probe": true, "avg": true, "tau": true, "opt": true, "keep": true}
