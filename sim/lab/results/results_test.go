//go:build !js

package results_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/results"
	"flockscope/sim/trace"
	"flockscope/sim/version"
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
		out = append(out, result(c.Failed(""), float64(i)))
	}
	return out
}

// result makes a record that did not fail of one that did.
func result(r plan.Record, loss float64) plan.Record {
	sum := math.Float64bits(loss)
	r.Error, r.Fingerprint = "", trace.Result([]uint64{sum})
	r.Lanes = []plan.Lane{{Lane: "ifca", Scores: plan.Scores{Loss: &loss, Fingerprint: fmt.Sprintf("%016x", sum)}}}
	return r
}

var check = plan.NewChecker(catalog.Schema()).Check

func open(t *testing.T, name string) *results.File {
	t.Helper()
	f, err := results.Open(name, check)
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
	other := result(r[2], 9)
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
	if _, err := results.Open(name, check); !errors.Is(err, results.ErrTaken) {
		t.Errorf("a second program opens the file: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := results.OpenToRead(name, check)
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
	asFormat1(t, name("older"))
	edit("newer", "meta", "format", "99")
	for n, want := range map[string]error{"text": results.ErrForeign, "short": results.ErrDamaged,
		"cut":     results.ErrDamaged,
		"damaged": results.ErrDamaged, "older": results.ErrVersion, "newer": results.ErrVersion} {
		before, _ := os.ReadFile(name(n))
		_, err := results.Open(name(n), check)
		if !errors.Is(err, want) || !strings.HasPrefix(err.Error(), name(n)+" is ") {
			t.Errorf("%s: got %v, want %v", n, err, want)
		}
		if after, _ := os.ReadFile(name(n)); string(after) != string(before) {
			t.Errorf("%s was written to", n)
		}
	}
	if _, err := results.OpenToRead(name("none"), check); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	if _, err := os.Stat(name("none")); err == nil {
		t.Error("reading makes a file")
	}
	if f, err := results.OpenToRead(name("older"), check); err != nil || f.Engine() != 1 {
		t.Errorf("a file of another version cannot be read: %v", err)
	} else {
		f.Close()
	}
}

// A file that an older flock wrote has no digest. It is read as it is, its records are
// counted, and it gets a digest when something is written to it.
func TestOlderFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.flock")
	f := open(t, name)
	put(t, f, 5, records(t, 5)...)
	f.Close()
	asFormat1(t, name)
	r, err := results.OpenToRead(name, check)
	if err != nil || r.Len() != 5 || r.Damage() != nil || !r.Old() {
		t.Fatalf("got %+v, %v", r, err)
	}
	r.Close()
	f = open(t, name)
	put(t, f, 1, records(t, 6)...)
	f.Close()
	r, err = results.OpenToRead(name, check)
	if err != nil || r.Len() != 6 || r.Damage() != nil || r.Old() {
		t.Fatalf("after a write: got %+v, %v", r, err)
	}
	r.Close()
}

// asFormat1 makes a file what older programs wrote: without a digest, with a count.
func asFormat1(t *testing.T, name string) {
	t.Helper()
	change(t, name, func(tx *bbolt.Tx) error {
		meta, records := tx.Bucket([]byte("meta")), tx.Bucket([]byte("records"))
		return errors.Join(meta.Put([]byte("format"), []byte("1")), meta.Delete([]byte("digest")),
			records.SetSequence(uint64(records.Stats().KeyN)))
	})
}

func change(t *testing.T, name string, do func(tx *bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(name, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Update(do); err != nil {
		t.Fatal(err)
	}
}

// compact makes a file anew, without free pages.
func compact(t *testing.T, name string) {
	t.Helper()
	from, err := bbolt.Open(name, 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	to, err := bbolt.Open(name+".compact", 0o600, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(bbolt.Compact(to, from, 1<<20), from.Close(), to.Close(),
		os.Rename(name+".compact", name)); err != nil {
		t.Fatal(err)
	}
}

// What is wrong with a file is said in one sentence, with how many records it hits.
func TestDamageWords(t *testing.T) {
	dir := t.TempDir()
	all := records(t, 64)
	least := slices.MinFunc(all, func(a, b plan.Record) int { return strings.Compare(a.Cell, b.Cell) })
	firstOf := func(b *bbolt.Bucket) (id, value []byte) {
		id, value = b.Cursor().First()
		return id, append([]byte(nil), value...)
	}
	for want, do := range map[string]func(b *bbolt.Bucket) error{
		"1 of 64 records cannot be read (the first: record " + least.Cell: func(b *bbolt.Bucket) error {
			id, value := firstOf(b)
			value[len(value)-9] ^= 1
			return b.Put(id, value)
		},
		"1 of 64 records cannot be read": func(b *bbolt.Bucket) error {
			id, _ := firstOf(b)
			return b.Delete(id)
		},
		"its records are not those that it counts": func(b *bbolt.Bucket) error {
			id, _ := firstOf(b)
			more := records(t, 65)[64]
			text, err := more.AppendJSON(make([]byte, 4))
			binary.LittleEndian.PutUint32(text, crc32.ChecksumIEEE(text[4:]))
			other, _ := hex.DecodeString(more.Cell)
			return errors.Join(err, b.Delete(id), b.Put(other, text))
		},
		`(the first: cannot be right: record `: func(b *bbolt.Bucket) error {
			forged := all[0].Without()
			low := -1e308
			forged.Lanes[0].Loss = &low
			text, err := forged.AppendJSON(make([]byte, 4))
			binary.LittleEndian.PutUint32(text, crc32.ChecksumIEEE(text[4:]))
			id, _ := hex.DecodeString(forged.Cell)
			return errors.Join(err, b.Put(id, text))
		},
	} {
		name := filepath.Join(dir, fmt.Sprint(len(want), ".flock"))
		f := open(t, name)
		put(t, f, 64, all...)
		f.Close()
		change(t, name, func(tx *bbolt.Tx) error { return do(tx.Bucket([]byte("records"))) })
		compact(t, name) // or what was changed would be found in pages that are free
		r, err := results.OpenToRead(name, check)
		if err != nil {
			t.Fatal(err)
		}
		d := r.Damage()
		if d == nil || !d.Lost() || !strings.HasPrefix(d.Error(), name+" is damaged: ") || !strings.Contains(d.Error(), want) {
			t.Errorf("got %v, want %q", d, want)
		}
		r.Close()
		if _, err := results.Open(name, check); !errors.Is(err, results.ErrDamaged) {
			t.Errorf("a damaged file is written to: %v", err)
		}
	}
}

// Hundreds of files are damaged at random: bits are flipped, ends cut off, pages zeroed, or
// put in the place of others. Whatever that hits, nothing is lost in silence, nothing is read that was
// not written, nothing panics, and what is lost can be put into the file again.
func TestDamage(t *testing.T) {
	copies, cells := 500, 180
	if testing.Short() {
		copies = 40
	}
	dir := t.TempDir()
	all := records(t, cells)
	var good [2][]byte // of this format, and of the one before
	for i := range good {
		name := filepath.Join(dir, fmt.Sprint("good", i))
		f := open(t, name)
		if err := f.SetPlan("query T=5&algos=ifca\nvary sd=1:180:1\nseeds 1\n"); err != nil {
			t.Fatal(err)
		}
		for at := 0; at < cells; at += 20 { // pages are used again
			failed := all[at]
			failed.Lanes, failed.Fingerprint, failed.Error = nil, "", "no memory"
			put(t, f, 1, failed)
			if _, err := f.Forget(); err != nil {
				t.Fatal(err)
			}
			put(t, f, 20, all[at:at+20]...)
		}
		f.Close()
		if i == 1 {
			asFormat1(t, name)
		}
		var err error
		if good[i], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]string{}
	for i := range all {
		want[all[i].Cell] = text(t, &all[i])
	}
	random := rand.New(rand.NewPCG(12, 500))
	page := os.Getpagesize()
	lossy := 0
	for n := range copies {
		data := bytes.Clone(good[n%2])
		what := ""
		pages := len(data) / page
		at := func() int { return page * random.IntN(pages) }
		switch kind := random.IntN(10); {
		case kind < 6:
			flips := 1 + random.IntN(20)
			what = fmt.Sprint(flips, " bits flipped")
			for range flips {
				data[random.IntN(len(data))] ^= 1 << random.IntN(8)
			}
		case kind == 6:
			data = data[:random.IntN(len(data))]
			what = fmt.Sprint("cut off after ", len(data))
		case kind == 7: // headers of pages are more delicate than the rest
			i := at()
			what = fmt.Sprint("header of page ", i/page)
			data[i+random.IntN(96)] ^= 1 << random.IntN(8)
		case kind == 8:
			i := at()
			what = fmt.Sprint("zeros in page ", i/page)
			clear(data[i : i+page])
		default:
			i, j := at(), at()
			what = fmt.Sprint("page ", i/page, " over page ", j/page)
			copy(data[j:j+page], data[i:i+page])
		}
		if bytes.Equal(data, good[n%2]) {
			continue
		}
		name := filepath.Join(dir, "damaged.flock")
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		what = fmt.Sprintf("copy %d (%s)", n, what)
		r, err := results.OpenToRead(name, check)
		if err != nil {
			if !errors.Is(err, results.ErrForeign) && !errors.Is(err, results.ErrVersion) {
				t.Errorf("%s: %v", what, err)
			}
			continue
		}
		got := map[string]bool{}
		for record, err := range r.All() {
			if err != nil || text(t, &record) != want[record.Cell] || got[record.Cell] {
				t.Errorf("%s: reads %+v, %v", what, record, err)
			}
			got[record.Cell] = true
		}
		d := r.Damage()
		if len(got) < cells {
			lossy++
			if d == nil || !d.Lost() || d.UncertainWhy == "" && d.Unreadable != cells-len(got) {
				t.Errorf("%s: %d of %d records are left, and it says %v", what, len(got), cells, d)
			}
		}
		engine := r.Engine()
		r.Close()
		f, err := results.Open(name, check)
		if err != nil {
			if !errors.Is(err, results.ErrDamaged) && !errors.Is(err, results.ErrVersion) {
				t.Errorf("%s: %v", what, err)
			}
			if engine != version.Engine && engine != 0 {
				continue // of a file without a digest
			}
			if _, err = results.Heal(name, check); err != nil {
				t.Errorf("%s: healing: %v", what, err)
				continue
			}
			if f, err = results.Open(name, check); err != nil {
				t.Errorf("%s: healed: %v", what, err)
				continue
			}
		}
		if _, err := f.Put(all...); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		f.Close()
		if r, err = results.OpenToRead(name, check); err != nil || r.Damage() != nil || r.Len() != cells {
			t.Fatalf("%s: after all was put again: %v, %v", what, r.Damage(), err)
		}
		r.Close()
	}
	t.Logf("%d damaged files, of which %d had lost records", copies, lossy)
}

// A damaged branch can lead to an old copy of a page. Here every branch leads to every other page in turn: no record is
// read twice.
func TestOldPages(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.flock")
	f := open(t, name)
	all := records(t, 60)
	for part := range slices.Chunk(all, 10) { // the pages of earlier parts become free
		put(t, f, len(part), part...)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	order, page, tried := binary.NativeEndian, os.Getpagesize(), 0
	for branch := 0; branch < len(data); branch += page {
		if flags := order.Uint16(data[branch+8:]); flags != 1 {
			continue
		}
		for i := range int(order.Uint16(data[branch+10:])) {
			child := data[branch+16+16*i+8:][:8]
			was := order.Uint64(child)
			for other := range len(data) / page {
				order.PutUint64(child, uint64(other))
				r, err := results.Read(name, data, check)
				if err != nil {
					t.Fatal(err)
				}
				tried++
				got := map[string]bool{}
				for record, err := range r.All() {
					if err != nil || got[record.Cell] {
						t.Fatalf("with page %d for page %d in the branch of page %d: reads %s twice, or %v", other, was,
							branch/page, record.Cell, err)
					}
					got[record.Cell] = true
				}
			}
			order.PutUint64(child, was)
		}
	}
	if tried == 0 {
		t.Fatal("the file has no branch")
	}
	t.Logf("%d files", tried)
}

func text(t *testing.T, r *plan.Record) string {
	t.Helper()
	out, err := r.AppendJSON(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// A new file has its head from the first moment at which it has its name, and nothing else is left beside it.
func TestNewFileIsWhole(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a.flock")
	f, err := results.Open(name, func(*plan.Record) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if files, _ := filepath.Glob(filepath.Join(dir, "*")); len(files) != 1 {
		t.Errorf("the folder has %v", files)
	}
}

// A file in memory gives what the same file gives on a disk, also when it is damaged, and what is no file of results is
// refused.
func TestRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.flock")
	f := open(t, name)
	if _, err := f.Put(records(t, 9)...); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Replace(whole, []byte(`"loss":3`), []byte(`"loss":4`), 1)
	for _, data := range [][]byte{whole, damaged} {
		if err := os.WriteFile(name, data, 0o644); err != nil {
			t.Fatal(err)
		}
		onDisk, err := results.OpenToRead(name, check)
		if err != nil {
			t.Fatal(err)
		}
		defer onDisk.Close()
		inMemory, err := results.Read(name, data, check)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := fmt.Sprint(onDisk.Damage()), fmt.Sprint(inMemory.Damage()); a != b {
			t.Errorf("damage: %s, and in memory %s", a, b)
		}
		next, stop := iter.Pull2(inMemory.All())
		defer stop()
		for want, err := range onDisk.All() {
			if err != nil {
				t.Fatal(err)
			}
			if got, err, _ := next(); err != nil || got.Cell != want.Cell || *got.Lanes[0].Loss != *want.Lanes[0].Loss {
				t.Errorf("got %+v, %v; want %+v", got, err, want)
			}
		}
		if _, _, more := next(); more || inMemory.Len() != onDisk.Len() {
			t.Errorf("%d records, want %d", inMemory.Len(), onDisk.Len())
		}
	}
	if _, err := results.Read("a.txt", []byte("a text"), check); !errors.Is(err, results.ErrForeign) {
		t.Errorf("a text: %v", err)
	}
}

// Records can be read in both formats; damaged ones are left out and counted, and other files are refused.
func TestReadRecords(t *testing.T) {
	want := records(t, 9)
	name := filepath.Join(t.TempDir(), "a.flock")
	f := open(t, name)
	if _, err := f.Put(want...); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	store, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var lines []byte
	for i := range want {
		if lines, err = want[i].AppendJSON(lines); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, '\n')
	}
	for _, tt := range []struct {
		name    string
		data    []byte
		records int
		note    string
		problem string
	}{
		{"a.jsonl", lines, 9, "", ""},
		{"a.flock", store, 9, "", ""},
		{"b.jsonl", bytes.Replace(lines, []byte(`"query":"`), []byte(`"query":"oops=1&`), 1), 8,
			"1 line of b.jsonl cannot be read and is left out, the first: line 1 of b.jsonl: ", ""},
		{"b.flock", bytes.Replace(store, []byte(`"loss":3`), []byte(`"loss":4`), 1), 8, "b.flock is damaged: 1 of 9 records cannot be read", ""},
		{"a.txt", []byte("a text"), 0, "", "a.txt is no file of results; choose JSON Lines, such as arena-records.jsonl.gz"},
		{"c.jsonl", []byte(`{"cell":"half`), 0, "", "c.jsonl has no whole record: line 1 of c.jsonl: "},
	} {
		got, note, err := results.ReadRecords(tt.name, tt.data, check)
		if len(got) != tt.records || !strings.HasPrefix(note, tt.note) || (note == "") != (tt.note == "") ||
			(err == nil) != (tt.problem == "") || err != nil && !strings.HasPrefix(err.Error(), tt.problem) {
			t.Errorf("%s: %d records, %q, %v; want %d, %q, %q", tt.name, len(got), note, err, tt.records, tt.note, tt.problem)
		}
	}
}
