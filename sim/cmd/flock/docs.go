package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/trace"
)

//go:generate go run . docs ../../../README.md

var _ = register(command{
	name: "docs", args: "FILE", run: docs,
	doc: "rewrite the generated tables of a text file, such as README.md",
})

// docs rewrites the parts of a text file that stand between the lines
//
//	<!-- flock: NAME -->
//	<!-- flock: end -->
//
// with tables made from the registries, and from runs.
func docs(ctx context.Context, args []string, _, _ io.Writer) error {
	args, err := operands("docs", args)
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return badInput(fmt.Errorf("docs takes one file, got %q", args))
	}
	text, err := os.ReadFile(args[0])
	if err != nil {
		return badInput(err)
	}
	fresh, err := rewrite(ctx, string(text))
	if err != nil {
		return err
	}
	if fresh == string(text) {
		return nil
	}
	return os.WriteFile(args[0], []byte(fresh), 0o644)
}

// tables are what docs can write, by name.
var tables = map[string]func(ctx context.Context, w io.Writer) error{
	"methods":   methods,
	"workloads": workloads,
	"settings":  allSettings,
}

const docsEnd = "<!-- flock: end -->\n"

func rewrite(ctx context.Context, text string) (string, error) {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "<!-- flock: ")
		out.WriteString(before)
		if !found {
			return out.String(), nil
		}
		name, rest, _ := strings.Cut(rest, " -->\n")
		_, after, closed := strings.Cut(rest, docsEnd)
		table, known := tables[name]
		if !closed || !known {
			return "", badInput(fmt.Errorf("there is no table %q, or no end to it", name))
		}
		var b bytes.Buffer
		if err := table(ctx, &b); err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "<!-- flock: %s -->\n%s%s", name, &b, docsEnd)
		text = after
	}
}

// methods lists every algorithm with what it comes to on the default data.
func methods(ctx context.Context, w io.Writer) error {
	fmt.Fprintln(w, "| `algos=` | method | where it is from | what happens | clients are told apart by | a client sends | clients count by | ARI | right since | error | floats up, down |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|---|---|---|---|")
	for _, a := range catalog.Algorithms() {
		c, problems := catalog.Schema().Parse("algos=" + a.Name)
		if len(problems) > 0 {
			return problems[0]
		}
		var v verdict
		if err := engine.Run(ctx, c, nil, &v); err != nil {
			return fmt.Errorf("%s: %w", a.Name, err)
		}
		since, ari := "never", fmt.Sprintf("%.2f", v.ARI)
		if v.Settled >= 0 {
			since = fmt.Sprintf("round %d", v.Settled)
		}
		if a.Unclustered {
			since, ari = "–", "–"
		}
		paper := fmt.Sprintf("[%s %d](%s)", a.Paper.Venue, a.Paper.Year, a.Paper.URL)
		if a.Paper.Where != "" {
			paper += ", " + a.Paper.Where
		}
		fmt.Fprintf(w, "| `%s` | %s | %s | %s | %s | %s | %s | %s | %s | %.4f | %.0f, %.0f |\n", a.Name, a.Title, paper, a.Doc, a.By, a.Sends, cmp.Or(a.Counts, "–"), ari, since, v.Loss, v.Up, v.Down)
	}
	return nil
}

// verdict keeps the summary of a run's only lane.
type verdict struct{ trace.Summary }

func (*verdict) Begin(*trace.Header)           {}
func (*verdict) Frame(int, *trace.Frame)       {}
func (*verdict) Round(int)                     {}
func (v *verdict) End(_ int, s *trace.Summary) { v.Summary = *s }

// workloads lists what clients can hold.
func workloads(_ context.Context, w io.Writer) error {
	fmt.Fprintln(w, "| `data=` | what clients hold | where it is from |")
	fmt.Fprintln(w, "|---|---|---|")
	for _, e := range catalog.Workloads() {
		fmt.Fprintf(w, "| `%s` | %s | %s, %s |\n", e.Name, e.Doc, e.Paper.Title, e.Paper.Where)
	}
	return nil
}

// allSettings lists every key of a query but data and algos.
func allSettings(_ context.Context, w io.Writer) error {
	fmt.Fprintln(w, "| key | meaning | values | default |")
	fmt.Fprintln(w, "|---|---|---|---|")
	s := catalog.Schema()
	for _, f := range s.Fields() {
		label, doc := f.Label, f.Doc
		fmt.Fprintf(w, "| `%s` | %s. %s | %s | %s |\n", f.Name, label, doc, strings.ReplaceAll(wanted(f), "|", "\\|"), defaults(s, f))
	}
	return nil
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
