package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// A declaration is where settings are declared: a workload, an algorithm or a list of the schema. It records under
// which choices each of its settings is read.
type declaration struct {
	name   string
	fields []*param.Field      // each field once, in order
	when   map[string][]string // conditions by setting: "shift=rotations", or "" for always
}

func newPlace(name string, lists ...[]param.Field) *declaration {
	p := &declaration{name: name, when: map[string][]string{}}
	for _, list := range lists {
		p.add(list, "")
	}
	return p
}

func (p *declaration) add(fields []param.Field, when string) {
	for i := range fields {
		f := &fields[i]
		if p.when[f.Name] == nil {
			p.fields = append(p.fields, f)
		}
		if !slices.Contains(p.when[f.Name], when) {
			p.when[f.Name] = append(p.when[f.Name], when)
		}
		for _, o := range f.Options {
			p.add(o.Fields, f.Name+"="+o.Name)
		}
	}
}

// conditions returns the choices under which some places read a setting, "" if they always do. If the places differ, it
// lists the condition of each.
func conditions(name string, places []*declaration) string {
	var all, named []string
	for _, p := range places {
		text := ""
		if when := p.when[name]; !slices.Contains(when, "") {
			text = codes(when)
			named = append(named, p.name+": "+text)
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	return strings.Join(named, "; ")
}

// codes formats words as code, separated by commas.
func codes(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "`" + strings.Join(words, "`, `") + "`"
}

// allSettings lists every key of a query but data and algos: those of every run, then those of the data, then those of
// the methods. Settings that several workloads or methods read are listed once, before those of each. An index comes
// first.
func allSettings(w io.Writer) {
	l := &settingsList{schema: catalog.Schema().Finished(), anchors: map[string]string{}}
	s := l.schema
	group := func(title, words string, fields []param.Field) {
		l.section(title, words)
		p := newPlace("", fields)
		l.table(p.fields, []*declaration{p})
	}
	group("Every run", "These settings belong to every experiment.", s.Common)
	group("Random numbers", "Another seed gives another draw of the same experiment.", s.Seeds)
	group("Training", "Most methods read these settings. A lane can have its own values.", s.Shared)
	var data, methods []*registry.Meta
	for i := range s.Workloads {
		data = append(data, &s.Workloads[i].Meta)
	}
	for i := range s.Algorithms {
		methods = append(methods, &s.Algorithms[i])
	}
	l.kind("data", data)
	l.kind("algos", methods)
	keys := slices.SortedFunc(maps.Keys(l.anchors), func(a, b string) int {
		return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
	})
	for i, key := range keys {
		keys[i] = fmt.Sprintf("[`%s`](#%s)", key, l.anchors[key])
	}
	fmt.Fprintf(w, "**Index**: %s.\n\n%s", strings.Join(keys, ", "), &l.text)
}

// A settingsList writes the tables of settings, each setting in one of them.
type settingsList struct {
	schema  *experiment.Schema
	text    strings.Builder
	heading string            // anchor of the present heading
	anchors map[string]string // anchor of the heading under which each setting is listed
}

// section begins a section.
func (l *settingsList) section(title, words string) {
	l.heading = anchor(title)
	fmt.Fprintf(&l.text, "### %s\n\n%s\n\n", title, words)
}

// ownSection returns the title of the section of a workload or an algorithm.
func ownSection(key string, m *registry.Meta) string {
	return fmt.Sprintf("`%s=%s`: %s", key, m.Name, m.Title)
}

// anchor returns the anchor of a heading, on GitHub and on the site.
func anchor(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

// kind lists the settings of all workloads or all algorithms: first those that several
// read, by who reads them, then the others.
func (l *settingsList) kind(key string, metas []*registry.Meta) {
	var places []*declaration
	readers := map[string][]*declaration{}
	for _, m := range metas {
		p := newPlace(m.Name, m.Fields)
		places = append(places, p)
		for _, f := range p.fields {
			readers[f.Name] = append(readers[f.Name], p)
		}
	}
	shared := map[string]bool{}
	for _, p := range places {
		for _, f := range p.fields {
			with := readers[f.Name]
			if len(with) < 2 || l.anchors[f.Name] != "" {
				continue
			}
			var names []string
			for _, p := range with {
				names = append(names, p.name)
			}
			var fields []*param.Field
			for _, g := range p.fields {
				if slices.Equal(readers[g.Name], with) && l.anchors[g.Name] == "" {
					fields = append(fields, g)
					shared[g.Name] = true
				}
			}
			l.section(fmt.Sprintf("Shared by %s", strings.Join(names, ", ")),
				fmt.Sprintf("With `%s=` one of these.", key))
			l.table(fields, with)
		}
	}
	for i, p := range places {
		l.section(ownSection(key, metas[i]), metas[i].Doc)
		var also []string
		for _, f := range p.fields {
			if shared[f.Name] {
				also = append(also, fmt.Sprintf("[`%s`](#%s)", f.Name, l.anchors[f.Name]))
			}
		}
		if len(also) > 0 {
			fmt.Fprintf(&l.text, "Shared with others: %s.\n\n", strings.Join(also, ", "))
		}
		l.table(p.fields, []*declaration{p})
	}
}

// table lists the settings of some places that are not listed yet.
func (l *settingsList) table(fields []*param.Field, places []*declaration) {
	begun := false
	for _, f := range fields {
		if l.anchors[f.Name] != "" {
			continue
		}
		l.anchors[f.Name] = l.heading
		if !begun {
			head(&l.text, "key", "meaning", "values", "default", "only with")
			begun = true
		}
		cells(&l.text, "`"+f.Name+"`", "**"+f.Label+"**. "+f.Doc, accepted(f), defaults(l.schema, f),
			conditions(f.Name, places))
	}
	if begun {
		fmt.Fprintln(&l.text)
	}
}

// accepted describes the values of a setting, for a choice each option with its title.
func accepted(f *param.Field) string {
	if f.Kind != param.Choice {
		return wanted(f)
	}
	var words []string
	for _, o := range f.Options {
		text := "`" + o.Name + "`"
		if o.Title != "" && o.Title != o.Name {
			text += " (" + o.Title + ")"
		}
		words = append(words, text)
	}
	return strings.Join(words, ", ")
}

// defaults describes the default of a field, and the other defaults that data and options of data set.
func defaults(s *experiment.Schema, f *param.Field) string {
	var values []string
	where := map[string][]string{} // places by value
	note := func(value, what string) {
		if value == f.Default || slices.Contains(where[value], what) {
			return
		}
		if len(where[value]) == 0 {
			values = append(values, value)
		}
		where[value] = append(where[value], what)
	}
	for i := range s.Workloads {
		w := &s.Workloads[i]
		if value, ok := w.Defaults[f.Name]; ok {
			note(value, w.Name)
		}
		for j := range w.Fields {
			for _, o := range w.Fields[j].Options {
				if value, ok := o.Defaults[f.Name]; ok {
					note(value, w.Fields[j].Name+"="+o.Name)
				}
			}
		}
	}
	for i := range s.Algorithms {
		a := &s.Algorithms[i]
		for j := range a.Fields {
			for _, o := range a.Fields[j].Options {
				if value, ok := o.Defaults[f.Name]; ok {
					note(value, a.Fields[j].Name+"="+o.Name+" ("+a.Name+")")
				}
			}
		}
	}
	text := f.Default
	for _, value := range values {
		text += "; " + value + " with " + strings.Join(where[value], ", ")
	}
	return text
}

// wanted describes the values of a field, without the article.
func wanted(f *param.Field) string {
	text := f.Want().String()
	for _, prefix := range [...]string{"a whole number from ", "a number from ", "numbers from ", "one of "} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			if f.Kind == param.Int {
				rest += ", whole"
			}
			return rest
		}
	}
	return text
}
