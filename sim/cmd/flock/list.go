package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

var _ = register(command{
	name: "list", run: list,
	doc: "algorithms, workloads and their settings",
})

var _ = register(command{
	name: "schema", run: schema,
	doc: "every setting, as JSON",
})

// list prints the registries: name, title, paper, sentence and settings.
func list(_ context.Context, args []string, w, _ io.Writer) error {
	args, err := operands("list", args)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		return badInput(fmt.Errorf("list takes no arguments, got %q", args[0]))
	}
	s := catalog.Schema()
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "Algorithms (algos=)")
	for i := range s.Algorithms {
		describe(out, &s.Algorithms[i], nil)
	}
	fmt.Fprintln(out, "\nWorkloads (data=)")
	for i := range s.Workloads {
		describe(out, &s.Workloads[i].Meta, s.Workloads[i].Defaults)
	}
	fmt.Fprintln(out, "\nEvery run")
	settings(out, s.Common, nil, 0)
	settings(out, s.Seeds, nil, 0)
	return out.Flush()
}

// describe prints an entry with its settings, and the defaults that it changes.
func describe(out io.Writer, m *registry.Meta, defaults map[string]string) {
	fmt.Fprintf(out, "  %-8s %s. %s\n", m.Name, m.Title, m.Doc)
	fmt.Fprintf(out, "  %-8s %s (%d). %s. %s, %s.\n", "", m.Paper.Authors, m.Paper.Year, m.Paper.Title, m.Paper.Venue,
		m.Paper.Where)
	rest := maps.Clone(defaults)
	for name := range settings(out, m.Fields, defaults, 0) {
		delete(rest, name)
	}
	changes(out, rest, 0)
}

// settings prints fields, recursively with those of options, with their defaults here, and returns the names of the
// nested fields.
func settings(out io.Writer, fields []param.Field, defaults map[string]string, depth int) map[string]bool {
	listed := map[string]bool{}
	for i := range fields {
		f := &fields[i]
		listed[f.Name] = true
		value, ok := defaults[f.Name]
		if !ok {
			value = f.Default
		}
		fmt.Fprintf(out, "  %-8s   %*s%s = %s: %s\n", "", 4*depth, "", f.Name, value, f.Want())
		for _, o := range f.Options {
			if len(o.Fields)+len(o.Defaults) > 0 {
				fmt.Fprintf(out, "  %-8s   %*swith %s=%s\n", "", 4*depth+2, "", f.Name, o.Name)
				maps.Copy(listed, settings(out, o.Fields, defaults, depth+1))
				changes(out, o.Defaults, depth+1)
			}
		}
	}
	return listed
}

// changes prints the defaults of settings that are listed elsewhere.
func changes(out io.Writer, defaults map[string]string, depth int) {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(defaults)) {
		words = append(words, name+" = "+defaults[name])
	}
	if len(words) > 0 {
		fmt.Fprintf(out, "  %-8s   %*sunless set: %s\n", "", 4*depth, "", strings.Join(words, "; "))
	}
}

// schema prints every setting as JSON, for programs.
func schema(_ context.Context, args []string, out, _ io.Writer) error {
	args, err := operands("schema", args)
	if err != nil {
		return err
	}
	if len(args) > 0 {
		return badInput(fmt.Errorf("schema takes no arguments, got %q", args[0]))
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(catalog.Schema())
}
