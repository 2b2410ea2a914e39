//go:build !js

package main

import (
	"context"
	"fmt"
	"io"

	"flockscope/sim/lab/report"
	"flockscope/sim/lab/theorems"
	"flockscope/sim/version"
)

var _ = register(command{
	name: "theory", args: "[-seeds N] [-format F] [-site ADDRESS]", run: theory,
	doc: "what theorems of the papers promise, beside runs on data whose distributions are known: -format markdown, latex or html (with curves)",
})

// theory prints the theorems of papers beside runs.
func theory(ctx context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("theory")
	book := theorems.Book{}
	fs.IntVar(&book.Seeds, "seeds", 10, "seeds of each row")
	format := fs.String("format", "markdown", "markdown, latex or html")
	site := fs.String("site", defaultSite, "address of the page that links open")
	rest, err := parseInterspersed(fs, args)
	switch {
	case err != nil:
		return badInput(err)
	case len(rest) > 0:
		return badInput(fmt.Errorf("theory takes no arguments, got %q", rest[0]))
	case book.Seeds < 1 || book.Seeds > 1000:
		return badInput(fmt.Errorf("-seeds must be a whole number from 1 to 1000; got %d", book.Seeds))
	case *format != string(report.Markdown) && *format != string(report.LaTeX) && *format != string(report.HTML):
		return badInput(fmt.Errorf("-format must be one of markdown, latex, html; got %q", *format))
	}
	played := 0
	book.Played = func(string) {
		if played++; played%50 == 0 {
			fmt.Fprintf(errs, "flock: %d runs\n", played)
		}
	}
	d, err := book.Document(ctx)
	if err != nil {
		return err
	}
	d.Parts = append(d.Parts, report.Part{Text: []string{fmt.Sprintf("Made by `flock theory -seeds %d`, by %s, version %d of the engine.",
		book.Seeds, version.Text("flock"), version.Engine)}})
	return d.Write(out, report.Format(*format), *site)
}
