//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/results"
)

// bookSite is the address of Flockscope's page as seen from the pages of a book, which lie in a folder beside it.
const bookSite = "../"

// pagesFolder is the folder of the book's pages.
const pagesFolder = "results"

// writeBook computes sweeps and writes a page for each, and one that summarizes all, also those that are not computed yet.
// Whatever stops it, pages are there for what was done, and the same command goes on.
func (n *namedSweep) writeBook(ctx context.Context, all []*papers.Sweep, errs io.Writer) error {
	o, err := n.report.options()
	if err != nil {
		return badInput(err)
	}
	format, ending := report.Format(n.report.format), ".md"
	switch format {
	case report.HTML:
		ending = ".html"
	case report.Markdown:
	default:
		return badInput(errors.New("-book writes markdown or html"))
	}
	if n.sweep.out != "" {
		return badInput(errors.New("each table has a file of its own; leave -o out"))
	}
	site := n.report.site
	if site == defaultSite {
		site = bookSite
	}
	if err := os.MkdirAll(filepath.Join(n.book, pagesFolder), 0o755); err != nil {
		return err
	}
	o.NoTests = true
	var pages []*papers.Page // of all tables, also of those that are not computed yet
	var tables []sweepOnData
	for _, found := range all {
		if len(found.Cannot) > 0 {
			continue
		}
		on, err := n.inBook(found)
		if err != nil {
			fmt.Fprintf(errs, "flock: %v\n", err)
			pages, tables = append(pages, &papers.Page{Sweep: found}), append(tables, sweepOnData{})
			continue
		}
		for _, s := range on {
			pages, tables = append(pages, &papers.Page{Sweep: s.Sweep}), append(tables, s)
		}
	}
	summarize := func() error {
		summary := papers.Summary(pages, all, pagesFolder, ending)
		return writeDocument(filepath.Join(n.book, "RESULTS"+ending), summary, format, site)
	}
	for i, s := range tables {
		if s.Sweep == nil {
			continue
		}
		page := pages[i]
		fmt.Fprintf(errs, "flock: %s\n", s.Name)
		stopped := n.compute(ctx, s, io.Discard, errs, func(_ io.Writer, study *report.Study) (err error) {
			page.Verdicts, page.Missing = s.Verdicts(study), max(0, study.Plan.Runs()-study.Records)
			with := *o
			with.Intro = s.set.rights()
			page.Document, err = s.Report(study, with, n.provenance(s, study))
			return err
		})
		if errors.Is(stopped, errNotComputed) {
			continue
		}
		if page.Document != nil {
			if format == report.Markdown {
				if err := writeImages(filepath.Join(n.book, pagesFolder), page); err != nil {
					return err
				}
			}
			path := filepath.Join(n.book, pagesFolder, page.Name()+ending)
			if err := errors.Join(writeDocument(path, page.Document, format, site), summarize()); err != nil {
				return err
			}
		}
		if stopped != nil {
			return stopped
		}
	}
	return summarize()
}

// errNotComputed says that a table has no runs yet.
var errNotComputed = errors.New("it has no runs yet")

// stored passes on what the results file of a sweep has, without computing anything.
func stored(name string, p *plan.Plan, out io.Writer, then func(w io.Writer, t *results.Table) error) error {
	if _, err := os.Stat(name); err != nil {
		return errNotComputed
	}
	file, err := results.OpenToRead(name, cluster.CheckRecord)
	if err != nil {
		return inputIf(err)
	}
	defer file.Close()
	if file.Len() == 0 {
		return errNotComputed
	}
	return then(out, &results.Table{Plan: p, Records: file, Engine: file.Engine()})
}

// inBook returns a sweep on the sets that the book has it on: those of -data, or else drawn samples, under a heading that
// says so.
func (n *namedSweep) inBook(s *papers.Sweep) ([]sweepOnData, error) {
	on, err := n.on(s)
	if err == nil || s.OnlyFiles() {
		return on, err
	}
	if n.reduced {
		s = s.Small()
	}
	return []sweepOnData{{Sweep: s}}, nil
}

// writeImages writes the pictures of a page beside it.
func writeImages(folder string, page *papers.Page) error {
	images := 0
	for i := range page.Document.Parts {
		p := &page.Document.Parts[i]
		if p.Picture == "" {
			continue
		}
		images++
		p.Image = fmt.Sprintf("%s-%d.svg", page.Name(), images)
		if err := os.WriteFile(filepath.Join(folder, p.Image), []byte(p.Picture), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// writeDocument writes a document into a file, all of it or nothing.
func writeDocument(path string, d *report.Document, format report.Format, site string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".book-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(d.Write(f, format, site), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
