package page

import (
	"slices"

	"flockscope/sim/param"
)

// The panel shows the settings of an option below the choice that has the option.

// Node is a field in a list of settings.
type Node struct {
	Field *param.Field
	Depth int    // nesting level: the number of choices above it that it depends on
	Of    string // the option that it depends on, if its choice is in another list
}

// Nest orders fields so that those of a chosen option follow its choice. value returns the canonical
// text of a setting.
func Nest(fields []*param.Field, value func(name string) string) []Node {
	var out []Node
	depth := map[string]int{}
	for _, f := range fields {
		if _, ok := depth[f.Name]; ok {
			continue // several options have the same field
		}
		n := Node{Field: f}
		for _, g := range fields {
			if chosen := Option(g, value(g.Name)); chosen != nil && hasField(chosen, f.Name) {
				n.Depth = depth[g.Name] + 1
				break
			}
		}
		depth[f.Name] = n.Depth
		out = append(out, n)
	}
	return out
}

// Option returns the option of a choice by its name, nil if there is none.
func Option(f *param.Field, name string) *param.Option {
	for i := range f.Options {
		if f.Options[i].Name == name {
			return &f.Options[i]
		}
	}
	return nil
}

func hasField(o *param.Option, name string) bool {
	return slices.ContainsFunc(o.Fields, func(f param.Field) bool { return f.Name == name })
}

// Controls returns the fields of one section of the settings panel, basic or advanced ones.
func (s *Settings) Controls(section param.Section, advanced bool) []Node {
	at := panelSection{section, advanced}
	nodes, ok := s.controls[at]
	if !ok {
		nodes = s.findControls(section, advanced)
		s.controls[at] = nodes
	}
	return nodes
}

// panelSection is a part of the settings panel.
type panelSection struct {
	section  param.Section
	advanced bool
}

func (s *Settings) findControls(section param.Section, advanced bool) []Node {
	var fields []*param.Field
	active := s.page.Config.Active()
	for _, f := range active {
		if f.Name == "cols" {
			continue // the sheet of columns has it
		}
		if f.Section == section && f.Advanced == advanced && (!f.PerLane || sharedSettings[f.Name]) {
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
			if o := Option(g, s.page.Config.Value(g.Name)); o != nil && hasField(o, n.Field.Name) {
				n.Of = o.Title
				break
			}
		}
	}
	return nodes
}

// sharedSettings are settings of lanes that usually have one value for all lanes, so the panel has them. The
// others are in the lane's own settings.
var sharedSettings = map[string]bool{"K": true, "lr": true, "probe": true, "avg": true, "tau": true, "opt": true, "keep": true}
