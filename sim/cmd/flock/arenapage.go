//go:build !js

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	arenalab "flockscope/sim/lab/arena"
	"flockscope/sim/lab/cluster"
	"flockscope/sim/lab/papers"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/results"
	"flockscope/sim/say"
)

var _ = register(command{
	name: "page", args: "[-method NAME] [-o FOLDER] FILE …", run: arenaPage,
	doc: "write the arena's page from files of its results, or from its records alone: answers, figures, tables, and the records in one file; -method computes the runs of a method that is not among them",
})

// arenaPage writes the arena's page, its figures and tables, and all records in one file.
func arenaPage(ctx context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("page")
	folder := fs.String("o", ".", "the folder for the page and the files beside it")
	method := fs.String("method", "", "compute a method's runs on the drawn rows, anew each time since its code may have changed, and put them among the others: "+
		"a new method, or NAME:mine&SETTING=VALUE for another one with settings of its own")
	damaged := &cluster.Damaged{Log: cluster.NewLog(errs)}
	addDamaged(fs, &damaged.Skip)
	names, err := parseInterspersed(fs, args)
	if err != nil {
		return badInput(err)
	}
	if len(names) == 0 {
		return badInput(errors.New("page takes files of results of flock arena, or records as JSON Lines, got none"))
	}
	sources, err := damaged.Sources(names, nil)
	if err != nil {
		return inputUnlessDamaged(err)
	}
	var records []plan.Record
	for _, s := range sources {
		records = append(records, s.Records...)
	}
	if *method != "" {
		own, err := recordsOfMethod(ctx, *method, errs)
		if err != nil {
			return err
		}
		records = append(records, own...)
	}
	a, err := arenalab.New(records)
	if lost := damaged.Err(); err != nil && lost != nil {
		return errors.Join(lost, err)
	}
	if err != nil {
		return badInput(err)
	}
	a.Own, _, _ = strings.Cut(*method, "&")
	page, err := a.Page()
	if err != nil {
		return badInput(err)
	}
	for _, note := range a.Notes {
		fmt.Fprintln(errs, "flock:", note)
	}
	if err := os.MkdirAll(*folder, 0o755); err != nil {
		return err
	}
	var pictures []report.Picture
	for _, p := range page.Pictures {
		pictures = append(pictures, report.Picture{Name: p.Name, Picture: p.Picture})
	}
	if err := writePictures(*folder, pictures, errs); err != nil {
		return err
	}
	for name, d := range map[string]*report.Document{arenalab.PageFile: page.Page, arenalab.TablesFile: page.Tables} {
		if err := writeDocument(filepath.Join(*folder, name), d, report.Markdown, defaultSite); err != nil {
			return err
		}
	}
	if err := writeWhole(filepath.Join(*folder, arenalab.RecordsFile), func(w io.Writer) error {
		return results.WriteRecords(w, records, false)
	}); err != nil {
		return err
	}
	fmt.Fprintf(errs, "flock: %s, %s and %s with %s are in %s\n", arenalab.PageFile, arenalab.TablesFile, arenalab.RecordsFile,
		say.Amount(a.Records, "record"), *folder)
	return damaged.Err()
}

// recordsOfMethod computes a method on the drawn rows of the arena.
func recordsOfMethod(ctx context.Context, text string, errs io.Writer) (records []plan.Record, err error) {
	s, err := papers.Find(papers.Arena)
	if err != nil {
		return nil, err
	}
	lane, settings, _ := strings.Cut(text, "&")
	if s, err = s.Only(lane, settings); err != nil {
		return nil, badInput(err)
	}
	n := &namedSweep{command: papers.Arena}
	n.sweep.addDestination(newFlags("page"))       // their defaults
	folder, err := os.MkdirTemp("", "flock-page-") // runs of the code as it was before must not stay
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	n.sweep.out = filepath.Join(folder, s.Name+".flock")
	keep := func(_ io.Writer, source report.Source, _ report.Labels) error {
		records = source.Records
		return nil
	}
	err = n.records(ctx, sweepOnData{Sweep: s}, io.Discard, errs, keep)
	return records, err
}
