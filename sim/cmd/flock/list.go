package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"flockscope/sim/catalog"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

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
		describe(out, &s.Algorithms[i])
	}
	fmt.Fprintln(out, "\nWorkloads (data=)")
	for i := range s.Workloads {
		describe(out, &s.Workloads[i].Meta)
	}
	fmt.Fprintln(out, "\nEvery run")
	settings(out, s.Common, 0)
	settings(out, s.Seeds, 0)
	return out.Flush()
}

func describe(out io.Writer, m *registry.Meta) {
	fmt.Fprintf(out, "  %-8s %s. %s\n", m.Name, m.Title, m.Doc)
	fmt.Fprintf(out, "  %-8s %s (%d). %s. %s, %s.\n", "", m.Paper.Authors, m.Paper.Year, m.Paper.Title, m.Paper.Venue, m.Paper.Where)
	settings(out, m.Fields, 0)
}

// settings prints fields, and further in those that an option brings along.
func settings(out io.Writer, fields []param.Field, depth int) {
	for i := range fields {
		f := &fields[i]
		fmt.Fprintf(out, "  %-8s   %*s%s = %s: %s\n", "", 4*depth, "", f.Name, f.Default, f.Want())
		for _, o := range f.Options {
			if len(o.Fields) > 0 {
				fmt.Fprintf(out, "  %-8s   %*swith %s=%s\n", "", 4*depth+2, "", f.Name, o.Name)
				settings(out, o.Fields, depth+1)
			}
		}
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
