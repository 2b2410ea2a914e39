//go:build !js

package results_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"flockscope/sim/catalog"
	"flockscope/sim/cmd/flock/results"
	"flockscope/sim/plan"
)

// records returns records of cells that nobody has computed.
func records(t *testing.T, n int) []plan.Record {
	t.Helper()
	d := &plan.Draft{Query: "T=5&algos=ifca", Vary: []string{fmt.Sprintf("sd=1:%d:1", n)}, Seeds: 1}
	p, err := d.Plan(catalog.Schema().Parse)
	if err != nil {
		t.Fatal(err)
	}
	var out []plan.Record
	for i := range n {
		c, err := p.Cell(i)
		if err != nil {
			t.Fatal(err)
		}
		r := c.Failed("")
		loss := float64(i)
		r.Lanes = []plan.Lane{{Lane: "ifca", Scores: plan.Scores{Loss: &loss, Fingerprint: "0"}}}
		out = append(out, r)
	}
	return out
}

func open(t *testing.T, name string) *results.File {
	t.Helper()
	f, err := results.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func put(t *testing.T, f *results.File, want int, list ...plan.Record) {
	t.Helper()
	if added, err := f.Put(list...); err != nil || added != want {
		t.Fatalf("%d of %d records are new, %v; want %d", added, len(list), err, want)
	}
}

// Each cell is kept once. What failed gives way to what did not, never the other way
// round, and what differs is refused.
func TestPut(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "a.flock"))
	r := records(t, 3)
	put(t, f, 2, r[0], r[1])
	put(t, f, 1, r[0], r[1], r[2])
	again := r[0]
	again.Seconds, again.Build = 3, "another computer"
	put(t, f, 0, again)
	failed := r[1]
	failed.Lanes, failed.Error = nil, "no memory"
	put(t, f, 0, failed)
	if got, ok, err := f.Get(r[1].Cell); err != nil || !ok || got.Error != "" {
		t.Errorf("a result gave way to a failure: %+v, %v, %v", got, ok, err)
	}
	other := r[2]
	nine := 9.0
	other.Lanes = []plan.Lane{{Lane: "ifca", Scores: plan.Scores{Loss: &nine, Fingerprint: "1"}}}
	var conflict *results.Conflict
	if _, err := f.Put(other); !errors.As(err, &conflict) ||
		!strings.Contains(err.Error(), "two results of one cell differ") {
		t.Errorf("another result of one cell: got %v", err)
	}
	if n, err := f.Len(); err != nil || n != 3 {
		t.Errorf("got %d records, %v; want 3", n, err)
	}
}

// A record of an older program, without scores of single clients, is the same result.
func TestPutOlderRecord(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "a.flock"))
	older := records(t, 1)[0]
	newer := older.Without()
	newer.Lanes[0].Clients = []float32{0.5, 1}
	put(t, f, 1, older)
	put(t, f, 0, newer)
	other := newer.Without()
	other.Lanes[0].Clients = []float32{0.25, 1}
	g := open(t, filepath.Join(t.TempDir(), "b.flock"))
	put(t, g, 1, newer)
	put(t, g, 0, older)
	if _, err := g.Put(other); err == nil {
		t.Error("two results of one cell are taken for one")
	}
}

// Forget removes what failed, and only that.
func TestForget(t *testing.T) {
	f := open(t, filepath.Join(t.TempDir(), "a.flock"))
	r := records(t, 4)
	for i := range 2 {
		r[i].Lanes, r[i].Error = nil, "no memory"
	}
	put(t, f, 4, r...)
	if n, err := f.Forget(); err != nil || n != 2 {
		t.Errorf("forgot %d, %v; want 2", n, err)
	}
	if n, _ := f.Len(); n != 2 {
		t.Errorf("%d records are left, want 2", n)
	}
	put(t, f, 1, records(t, 1)...)
}

// What is kept is there when the file is opened again, with its plan.
func TestReopen(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.flock")
	f := open(t, name)
	if err := f.SetPlan("query T=5\n"); err != nil {
		t.Fatal(err)
	}
	put(t, f, 5, records(t, 5)...)
	if _, err := results.Open(name); !errors.Is(err, results.ErrTaken) {
		t.Errorf("a second program opens the file: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := results.OpenToRead(name)
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	n := 0
	for r, err := range read.All() {
		if n++; err != nil || r.Query == "" {
			t.Errorf("got %+v, %v", r, err)
		}
	}
	if n != 5 || read.Plan() != "query T=5\n" {
		t.Errorf("got %d records of the plan %q", n, read.Plan())
	}
}

// Files that cannot be used are said to be so, in one line with their name, and are not
// touched.
func TestBadFiles(t *testing.T) {
	dir := t.TempDir()
	name := func(n string) string { return filepath.Join(dir, n) }
	write := func(n string, data []byte) {
		if err := os.WriteFile(name(n), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f := open(t, name("good"))
	put(t, f, 300, records(t, 300)...)
	f.Close()
	good, err := os.ReadFile(name("good"))
	if err != nil {
		t.Fatal(err)
	}
	write("text", []byte(strings.Repeat("no database\n", 2000)))
	write("short", good[:100])
	write("cut", good[:3*os.Getpagesize()])
	damaged := append([]byte(nil), good...)
	copy(damaged[:2*os.Getpagesize()], make([]byte, 2*os.Getpagesize()))
	write("damaged", damaged)
	edit := func(n, bucket, key, value string) {
		write(n, good)
		db, err := bbolt.Open(name(n), 0o600, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if err := db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte(bucket))
			if err != nil {
				return err
			}
			return b.Put([]byte(key), []byte(value))
		}); err != nil {
			t.Fatal(err)
		}
	}
	edit("older", "meta", "engine", "1")
	edit("newer", "meta", "format", "99")
	for n, want := range map[string]error{"text": results.ErrDamaged, "short": results.ErrDamaged,
		"cut":     results.ErrDamaged,
		"damaged": results.ErrDamaged, "older": results.ErrVersion, "newer": results.ErrVersion} {
		before, _ := os.ReadFile(name(n))
		f, err := results.Open(name(n))
		if err == nil { // damage may lie deeper
			_, err = f.Put(records(t, 301)...)
		}
		if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), name(n)+" is ") {
			t.Errorf("%s: got %v, want %v", n, err, want)
		}
		if after, _ := os.ReadFile(name(n)); string(after) != string(before) && n != "cut" {
			t.Errorf("%s was written to", n)
		}
	}
	if _, err := results.OpenToRead(name("none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := os.Stat(name("none")); err == nil {
		t.Error("reading makes a file")
	}
	if f, err := results.OpenToRead(name("older")); err != nil || f.Engine() != 1 {
		t.Errorf("a file of another version cannot be read: %v", err)
	} else {
		f.Close()
	}
}

// A damaged record is as if it were not there: the rest is, and it can be kept anew.
func TestDamagedRecord(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.flock")
	f := open(t, name)
	r := records(t, 3)
	put(t, f, 3, r...)
	f.Close()
	db, err := bbolt.Open(name, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Update(func(tx *bbolt.Tx) error {
		b := tx.Bucket([]byte("records"))
		id, value := b.Cursor().First()
		value = append([]byte(nil), value...)
		value[len(value)-9] ^= 1
		return b.Put(id, value)
	}); err != nil {
		t.Fatal(err)
	}
	db.Close()
	f = open(t, name)
	whole, damaged := 0, 0
	for _, err := range f.All() {
		if err != nil {
			damaged++
		} else {
			whole++
		}
	}
	if whole != 2 || damaged != 1 {
		t.Errorf("%d records are whole and %d damaged", whole, damaged)
	}
	put(t, f, 0, r...)
	for i := range r {
		if _, ok, err := f.Get(r[i].Cell); !ok || err != nil {
			t.Errorf("record %d is not there: %v", i, err)
		}
	}
}
