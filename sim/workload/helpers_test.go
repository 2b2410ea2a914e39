package workload

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"flockscope/sim/ingest"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// ReadFiles and ReadTable do what package userfiles does, which imports this package.
func ReadFiles(files []ingest.File) (*File, error) {
	opened, err := ingest.Open(files)
	if err != nil {
		return nil, err
	}
	return NewFile(opened, len(files)).With("", "")
}

func ReadTable(data []byte) (*Table, error) {
	f, err := ReadFiles([]ingest.File{{Name: "table.csv", Data: data}})
	switch {
	case err != nil:
		return nil, err
	case f.Table == nil:
		return nil, say.Errorf("table.csv: it has no rows of client, x and y")
	}
	return f.Table, nil
}

// build makes a workload from "key=value" words on top of its fields' defaults.
func build(t testing.TB, name string, file *File, settings ...string) Workload {
	t.Helper()
	entry, ok := Registry.Lookup(name)
	if !ok {
		t.Fatalf("no workload %s", name)
	}
	v := words("C=12", "sd=1")
	defaults(v, entry.Fields)
	set(v, settings...)
	w, err := entry.Make.Make(v.Values(), file)
	if err != nil {
		t.Fatalf("%s %v: %v", name, settings, err)
	}
	return w
}

// words returns values from "key=value" words, and set adds to them.
func words(words ...string) param.Given {
	v := param.Given{}
	set(v, words...)
	return v
}

func set(v param.Given, words ...string) {
	for _, word := range words {
		key, text, _ := strings.Cut(word, "=")
		v[key] = text
	}
}

// defaults sets all fields, also those of options, to their defaults.
func defaults(v param.Given, fields []param.Field) {
	for _, f := range fields {
		v[f.Name] = f.Default
		for _, o := range f.Options {
			defaults(v, o.Fields)
		}
	}
}

// analytic returns what a workload knows of its models without trying them.
func analytic(t testing.TB, w Workload) Analytic {
	t.Helper()
	a, ok := w.(Analytic)
	if !ok {
		t.Fatalf("%T is not Analytic", w)
	}
	return a
}

// rows is a table of clients with up to n rows each about lines of their own.
func rows(t testing.TB, seed uint64, clients, n int) *Table {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, seed))
	var b strings.Builder
	for i := range clients {
		for range 1 + r.IntN(n) {
			x := r.NormFloat64() * 3
			fmt.Fprintf(&b, "c%d,%v,%v,g%d\n", i, x, float64(i%2)*x+r.NormFloat64(), i%2)
		}
	}
	table, err := ReadTable([]byte(b.String()))
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return table
}

// near reports whether got is want to a relative or absolute error of tol.
func near(got, want, tol float64) bool { return math.Abs(got-want) <= tol*max(1, math.Abs(want)) }
