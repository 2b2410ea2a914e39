//go:build !js

package class

import (
	"compress/gzip"
	"encoding/binary"
	"encoding/csv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"
)

// writers are the digits of FEMNIST's writers (LEAF), in the polarity of drawings: 1 is ink.
type writers [][10][][]float32

// readWriters reads the folder femnist-100w (see its SOURCES.md): two IDX files of pictures and labels, and a table of the
// rows of each writer.
func readWriters(t testing.TB, dir string) writers {
	t.Helper()
	idx := func(name string, head int) []byte {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(z)
		if err != nil || binary.BigEndian.Uint16(data) != 0 {
			t.Fatalf("%s: %v, or no IDX file", name, err)
		}
		return data[head:]
	}
	f, err := os.Open(filepath.Join(dir, "writers.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	pixels := map[string][]byte{}
	labels := map[string][]byte{}
	for _, part := range []string{"train", "test"} {
		pixels[part], labels[part] = idx(part+"-images-idx3-ubyte.gz", 16), idx(part+"-labels-idx1-ubyte.gz", 8)
	}
	var all writers
	for _, row := range rows[1:] {
		var w [10][][]float32
		for p, part := range []string{"train", "test"} {
			from, _ := strconv.Atoi(row[1+2*p])
			n, _ := strconv.Atoi(row[2+2*p])
			for i := from; i < from+n; i++ {
				if d := labels[part][i]; d < 10 {
					x := make([]float32, Side*Side)
					for j := range x {
						x[j] = float32(255-pixels[part][i*Side*Side+j]) / 255
					}
					w[d] = append(w[d], x)
				}
			}
		}
		all = append(all, w)
	}
	return all
}

// draw returns the drawings of some random writers: each of the digits, several times for training and held out.
// Every second writer holds the page upside down.
func (all writers) draw(r *rand.Rand, clients int, digits []int, train, held int) []drawings {
	var out []drawings
	for i, w := range r.Perm(len(all))[:clients] {
		var d drawings
		for class, digit := range digits {
			of := all[w][digit]
			for n, at := range r.Perm(len(of))[:train+held] {
				x := append([]float32(nil), of[at]...)
				if i%2 == 1 {
					turn(x)
				}
				d.add(x, class, n >= train)
			}
		}
		out = append(out, d)
	}
	return out
}
