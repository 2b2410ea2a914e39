package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"flockscope/sim/lab/datafiles"
	"flockscope/sim/param"
	"flockscope/sim/userfiles"
)

var _ = register(command{
	name: "inspect", args: "[-cols ROLES] [-na drop|mean] FILE …", run: inspect,
	doc: "say what is in files, what each column of a table is for, and why",
})

// inspect prints the columns of a table with their types and roles, and how the files
// would be used.
func inspect(_ context.Context, args []string, out, errs io.Writer) error {
	fs := newFlags("inspect")
	cols := fs.String("cols", "", "changes to the roles, such as 1:ignore,species:label")
	na := fs.String("na", "drop", "drop or mean: what becomes of rows with missing values")
	if err := parse(fs, args); err != nil {
		return badInput(err)
	}
	if fs.NArg() == 0 {
		return badInput(errors.New("inspect needs a file"))
	}
	if *na != "drop" && *na != "mean" {
		return badInput(&param.Error{Field: "na", Got: *na, Want: "drop or mean"})
	}
	opened, err := datafiles.Open(fs.Args())
	if err != nil {
		return badInput(err)
	}
	if t := userfiles.Columns(opened); t != nil {
		roles, err := t.Roles(*cols)
		if err != nil {
			return badInput(err)
		}
		fmt.Fprintln(out, t.Title())
		w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
		fmt.Fprintln(w, "column\tname\ttype\trange\tmissing\texamples\trole\twhy")
		for _, l := range t.Inspect(roles) {
			column := fmt.Sprint(l.From)
			if l.To > l.From {
				column += fmt.Sprintf("-%d", l.To)
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\t%s\t%s\n",
				column, l.Name, l.Type, l.Range, l.Missing, l.Examples, l.Role, l.Why)
		}
		if err := w.Flush(); err != nil {
			return err
		}
	}
	file, err := opened.With(*cols, *na)
	if err != nil {
		return badInput(err)
	}
	for _, note := range slices.Concat(file.ColumnNotes(), file.Notes) {
		fmt.Fprintf(out, "%s.\n", note)
	}
	if note := file.Adapted(func(string) bool { return false }, true); note != "" {
		fmt.Fprintf(out, "%s.\n", note)
	}
	settings := append(append([]string{"data=" + file.Data()}, file.SettingsApart()...), file.Advice()...)
	if *cols != "" {
		settings = append(settings, "cols="+*cols)
	}
	if *na != "drop" {
		settings = append(settings, "na="+*na)
	}
	_, err = fmt.Fprintf(out, "%s: %s\n", file.Words(), strings.Join(settings, "&"))
	return err
}
