//go:build !js

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"flockscope/sim/catalog"
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
	pages, tables, err := n.pagesOfBook(all, ending, errs)
	if err != nil {
		return err
	}
	every, err := papers.All()
	if err != nil {
		return err
	}
	every = slices.DeleteFunc(every, func(s *papers.Sweep) bool { return !s.IsPaper() })
	summarize := func() error {
		summary := papers.Summary(pages, every, pagesFolder, ending)
		return errors.Join(writeDocument(filepath.Join(n.book, "RESULTS"+ending), summary, format, site),
			writeWhole(n.outcomesFile(), func(w io.Writer) error {
				outcomes := map[string]*papers.Outcome{}
				for _, p := range pages {
					if p.Outcome != nil {
						outcomes[p.Name()] = p.Outcome
					}
				}
				e := json.NewEncoder(w)
				e.SetIndent("", "\t")
				return e.Encode(outcomes)
			}))
	}
	for i, s := range tables {
		if s.Sweep == nil {
			continue
		}
		page := pages[i]
		fmt.Fprintf(errs, "flock: %s\n", s.Name)
		var records []plan.Record
		stopped := n.records(ctx, s, io.Discard, errs, func(_ io.Writer, source report.Source,
			labels report.Labels) error {
			study, err := report.New([]report.Source{source}, catalog.Schema().Parse, labels)
			if err != nil {
				return err
			}
			records, page.Outcome = source.Records, s.Outcome(study)
			page.Document, err = s.Report(study, *o, n.provenance(s, study), n.howToRepeat(s, format))
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
			if err := errors.Join(writeDocument(path, page.Document, format, site), summarize(),
				writeWhole(n.recordsOf(s.Sweep), func(w io.Writer) error {
					return results.WriteRecords(w, records, true)
				})); err != nil {
				return err
			}
		}
		if stopped != nil {
			return stopped
		}
	}
	return summarize()
}

// outcomesFile is the name of the file with the outcomes of all pages, by name, from which a summary is made where runs are
// elsewhere.
func (n *namedSweep) outcomesFile() string { return filepath.Join(n.book, "RESULTS.json") }

// pagesOfBook returns the pages of tables, also of those that are not computed yet, with the sweeps that make them. Between
// them are the pages that the book has already, without a sweep: their runs may lie on another computer.
func (n *namedSweep) pagesOfBook(chosen []*papers.Sweep, ending string, errs io.Writer) (pages []*papers.Page,
	tables []sweepOnData, err error) {
	outcomes := map[string]*papers.Outcome{}
	if text, err := os.ReadFile(n.outcomesFile()); err == nil {
		if err := json.Unmarshal(text, &outcomes); err != nil {
			return nil, nil, badInput(fmt.Errorf("%s cannot be read: %w", n.outcomesFile(), err))
		}
	} else if !errors.Is(err, os.ErrNotExist) {
		return nil, nil, err
	}
	all, err := papers.All()
	if err != nil {
		return nil, nil, err
	}
	add := func(s sweepOnData, p *papers.Page) { pages, tables = append(pages, p), append(tables, s) }
	for _, found := range all {
		if n.reduced {
			found = found.Small()
		}
		made := map[string]*papers.Page{}
		if slices.ContainsFunc(chosen, func(s *papers.Sweep) bool {
			return s.Name == found.Name && len(s.Cannot) == 0
		}) {
			on, err := n.inBook(found)
			if err != nil {
				fmt.Fprintf(errs, "flock: %v\n", err)
			}
			for _, s := range on {
				p := &papers.Page{Sweep: s.Sweep}
				made[p.Name()] = p
				add(s, p)
			}
		}
		for _, p := range found.PagesWith(outcomes) {
			if _, err := os.Stat(filepath.Join(n.book, pagesFolder, p.Name()+ending)); err != nil {
				continue
			}
			if now := made[p.Name()]; now != nil {
				now.Outcome = p.Outcome
			} else {
				add(sweepOnData{}, p)
			}
		}
	}
	return pages, tables, nil
}

// howToRepeat says how a reader gets a number again, and where the records are.
func (n *namedSweep) howToRepeat(s sweepOnData, format report.Format) string {
	records := filepath.Base(n.recordsOf(s.Sweep))
	if format == report.Markdown {
		records = fmt.Sprintf("[%s](%[1]s)", records)
	}
	var data string
	if s.set != nil {
		data = dataFlags([]dataSet{*s.set})
	}
	text := fmt.Sprintf("To repeat a number, give its link to `flock run%s 'LINK'`", data)
	if data != "" {
		text += " (-data names your folder of these files)"
	}
	return fmt.Sprintf("%s: the line before the last has its scores, and the last the fingerprint that the link has, too. A mean is over the "+
		"runs with the other seeds as well, sd, sm and sa from 1 on. All records are in %s, from which `flock reproduce -book` goes on. "+
		"The page's help explains the settings.", text, records)
}

// errNotComputed says that a table has no runs yet.
var errNotComputed = errors.New("it has no runs yet")

// recordsEnding is the ending of files of records beside pages of the book.
const recordsEnding = ".jsonl.gz"

// recordsOf returns the name of the file beside a page of the book that has the page's records.
func (n *namedSweep) recordsOf(s *papers.Sweep) string {
	return filepath.Join(n.book, pagesFolder, (&papers.Page{Sweep: s}).Name()+recordsEnding)
}

// stored passes on what the results file of a sweep and the book have, without computing anything.
func (n *namedSweep) stored(name string, s *papers.Sweep, p *plan.Plan, out io.Writer,
	then func(w io.Writer, t *results.Table) error) error {
	memory, records := &results.Memory{}, []plan.Record(nil)
	if _, err := os.Stat(name); err == nil {
		file, err := results.OpenToRead(name, cluster.CheckRecord)
		if err != nil {
			return inputIf(err)
		}
		defer file.Close()
		for r, err := range file.All() {
			if err != nil {
				return inputIf(err)
			}
			records = append(records, r)
		}
	}
	inBook, err := recordsInBook(n.recordsOf(s), p)
	if err != nil {
		return err
	}
	records = append(records, inBook...)
	if len(records) == 0 {
		return errNotComputed
	}
	if _, err := memory.Put(records...); err != nil {
		return err
	}
	return then(out, &results.Table{Plan: p, Records: memory, Engine: records[0].Version})
}

// continueBook adds those runs of a plan that the book has to its results file. They may come from another computer, and from
// other tables, with which some tables share runs.
func (n *namedSweep) continueBook(name string, p *plan.Plan) error {
	missing := map[string]bool{} // cells by ID
	for i := range p.Cells() {
		if c, err := p.Cell(i); err == nil {
			missing[c.ID] = true
		}
	}
	folder := filepath.Join(n.book, pagesFolder)
	files, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	var found []plan.Record
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), recordsEnding) {
			continue
		}
		records, err := recordsInBook(filepath.Join(folder, f.Name()), p)
		if err != nil {
			return err
		}
		for _, r := range records {
			if missing[r.Cell] && r.Error == "" {
				missing[r.Cell], found = false, append(found, r)
			}
		}
	}
	if len(found) == 0 {
		return nil
	}
	file, err := results.Open(name, cluster.CheckRecord)
	if err != nil {
		return err
	}
	_, err = file.Put(found...)
	return errors.Join(err, file.Close())
}

// recordsInBook reads the records beside a page of the book, none if there are none.
func recordsInBook(path string, p *plan.Plan) ([]plan.Record, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, nil
	}
	damaged := &cluster.Damaged{}
	sources, err := damaged.Sources([]string{path}, p)
	if err := errors.Join(err, damaged.Err()); err != nil {
		return nil, badInput(fmt.Errorf("%w; remove %s, and its runs are computed again", err, path))
	}
	return sources[0].Records, nil
}

// inBook returns a sweep on the sets that the book has it on: those of -data, or else drawn samples, under a heading that
// says so.
func (n *namedSweep) inBook(s *papers.Sweep) ([]sweepOnData, error) {
	on, err := n.on(s)
	if err == nil || s.OnlyFiles() {
		return on, err
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

// writeDocument writes a document into a file.
func writeDocument(path string, d *report.Document, format report.Format, site string) error {
	return writeWhole(path, func(w io.Writer) error { return d.Write(w, format, site) })
}

// writeWhole writes a file, all of it or nothing. What writes it may read the file that was there.
func writeWhole(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".book-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
