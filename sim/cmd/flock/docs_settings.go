package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// A place is where settings are declared: a workload, an algorithm or a list of the
// schema. It knows under which choices each of its settings is read.
type place struct {
	name   string
	fields []*param.Field      // each once, in order
	when   map[string][]string // by setting: "shift=rotations", or "" for always
}

func newPlace(name string, lists ...[]param.Field) *place {
	p := &place{name: name, when: map[string][]string{}}
	for _, list := range lists {
		p.add(list, "")
	}
	return p
}

func (p *place) add(fields []param.Field, when string) {
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

// conditions are the choices under which a setting is read, "" for always.
func (p *place) conditions(name string) string {
	when := p.when[name]
	if slices.Contains(when, "") {
		return ""
	}
	return codes(when)
}

// codes writes words as code, with commas between them.
func codes(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return "`" + strings.Join(words, "`, `") + "`"
}

// allSettings lists every key of a query but data and algos: those of every run, then
// those of the data, then those of the methods. What several of a kind read is listed
// once, before them.
func allSettings(w io.Writer) {
	s := catalog.Schema()
	told := map[string]bool{}
	group := func(title, words string, p *place) {
		fmt.Fprintf(w, "### %s\n\n%s\n\n", title, words)
		table(w, s, p, told)
	}
	group("Every run", "These settings belong to every experiment.", newPlace("", s.Common))
	group("Random numbers", "Another seed gives another draw of the same experiment.", newPlace("", s.Seeds))
	group("Training", "Most methods read these settings. A lane can have its own values.", newPlace("", s.Shared))
	var data, methods []*place
	var dataMeta, methodMeta []*registry.Meta
	for i := range s.Workloads {
		m := &s.Workloads[i].Meta
		data, dataMeta = append(data, newPlace(m.Name, m.Fields)), append(dataMeta, m)
	}
	for i := range s.Algorithms {
		m := &s.Algorithms[i]
		methods, methodMeta = append(methods, newPlace(m.Name, m.Fields)), append(methodMeta, m)
	}
	kind(w, s, "data", data, dataMeta, told)
	kind(w, s, "algos", methods, methodMeta, told)
}

// kind lists the settings of all workloads or all algorithms: first those that several
// read, by who reads them, then the others.
func kind(w io.Writer, s *experiment.Schema, key string, places []*place, metas []*registry.Meta, told map[string]bool) {
	readers := map[string][]string{}
	for _, p := range places {
		for _, f := range p.fields {
			readers[f.Name] = append(readers[f.Name], p.name)
		}
	}
	shared := map[string]bool{}
	for _, p := range places {
		for _, f := range p.fields {
			if len(readers[f.Name]) < 2 || told[f.Name] {
				continue
			}
			with := &place{when: p.when}
			for _, g := range p.fields {
				if slices.Equal(readers[g.Name], readers[f.Name]) && !told[g.Name] {
					with.fields = append(with.fields, g)
					shared[g.Name] = true
				}
			}
			fmt.Fprintf(w, "### `%s`: shared by %s\n\n", key, strings.Join(readers[f.Name], ", "))
			table(w, s, with, told)
		}
	}
	for i, p := range places {
		fmt.Fprintf(w, "### `%s=%s`: %s\n\n%s\n\n", key, p.name, metas[i].Title, metas[i].Doc)
		var also []string
		for _, f := range p.fields {
			if shared[f.Name] {
				also = append(also, f.Name)
			}
		}
		if len(also) > 0 {
			fmt.Fprintf(w, "Shared with others, above: %s.\n\n", codes(also))
		}
		table(w, s, p, told)
	}
}

// table lists the settings of a place that were not told before.
func table(w io.Writer, s *experiment.Schema, p *place, told map[string]bool) {
	begun := false
	for _, f := range p.fields {
		if told[f.Name] {
			continue
		}
		told[f.Name] = true
		if !begun {
			head(w, "key", "meaning", "values", "default", "only with")
			begun = true
		}
		row(w, "`"+f.Name+"`", "**"+f.Label+"**. "+f.Doc, accepted(f), defaults(s, f), p.conditions(f.Name))
	}
	if begun {
		fmt.Fprintln(w)
	}
}

// accepted says what a setting takes: of a choice, each option with its title.
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

// defaults is the default of a field, and what some data and some options of data make
// of it.
func defaults(s *experiment.Schema, f *param.Field) string {
	var values []string
	where := map[string][]string{} // by value
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
	text := f.Default
	for _, value := range values {
		text += "; " + value + " with " + strings.Join(where[value], ", ")
	}
	return text
}

// wanted says which values a field takes, without the article.
func wanted(f *param.Field) string {
	text := f.Want()
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
