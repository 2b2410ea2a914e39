// Package userfiles makes the data of a run from a user's files: what package ingest reads becomes a file of package
// workload, which does not import the readers. So a program that opens no files, such as the one that a first visit of
// the page loads, goes without them.
package userfiles

import (
	"flockscope/sim/ingest"
	"flockscope/sim/say"
	"flockscope/sim/workload"
)

// Open reads a user's files; [workload.File.With] then sets the roles of a table's columns. The error is one sentence
// with the file, the position and what was expected there.
func Open(files []ingest.File) (*workload.File, error) {
	opened, err := ingest.Open(files)
	if err != nil {
		return nil, err
	}
	return workload.NewFile(opened, len(files)), nil
}

// Read is Open with the guessed roles of columns.
func Read(files []ingest.File) (*workload.File, error) {
	f, err := Open(files)
	if err != nil {
		return nil, err
	}
	return f.With("", "")
}

// ReadTable reads rows client,x,y or client,x,y,group from one text.
func ReadTable(data []byte) (*workload.Table, error) {
	f, err := Read([]ingest.File{{Name: "table.csv", Data: data}})
	switch {
	case err != nil:
		return nil, err
	case f.Table == nil:
		return nil, say.Errorf("table.csv: it has no rows of client, x and y")
	}
	return f.Table, nil
}

// Columns returns the columns of a table, nil for files of another kind.
func Columns(f *workload.File) *ingest.Table {
	if opened, ok := f.Source().(*ingest.Opened); ok {
		return opened.Table
	}
	return nil
}
