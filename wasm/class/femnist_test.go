//go:build !js

package class

import (
	"compress/gzip"
	"context"
	"slices"
	"sync"

	"encoding/binary"
	"encoding/csv"
	"flockscope/sim/engine"
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

// FEMNIST's writers as phones, half of them upside down: CFL-GP tells the two kinds apart by round 10. It runs with
// FLOCKSCOPE_FEMNIST=FOLDER, since the digits have no licence of their own; see CLASS.md for the numbers.
func TestFEMNIST(t *testing.T) {
	dir := os.Getenv("FLOCKSCOPE_FEMNIST")
	if dir == "" {
		t.Skip("FLOCKSCOPE_FEMNIST names no folder with FEMNIST's writers")
	}
	all := readWriters(t, dir)
	const draws = 20
	found, stay := 0, 0
	var sum [4]float64 // accuracy of CFL-GP and FedAvg in round 10, and in round 30
	for seed := range uint64(draws) {
		r := newRoom(t, quick)
		phones := all.draw(rand.New(rand.NewPCG(seed, 57)), 20, quick.Digits, quick.Each, quick.Held)
		var students []*student
		for i := range phones {
			s := r.enter(&student{drawings: phones[i]})
			if s.turned != (i%2 == 1) {
				t.Fatal("phones are not asked in turn to turn")
			}
			s.ready()
			students = append(students, s)
		}
		a := r.teacher()
		a.until("all are ready", func(s *seenState) bool { return readyPhones(s) == len(phones) })
		s := a.play(DefaultOptions)
		if s.Run.Phase != "over" || len(s.Problems) > 0 {
			t.Fatalf("draw %d ended as %+v, problems %v", seed, s.Run, s.Problems)
		}
		ari := s.Run.Ari[0]
		if ari[10] == 1 {
			found++
		}
		if !slices.ContainsFunc(ari[10:], func(x float64) bool { return x != 1 }) {
			stay++
		}
		for lane := range 2 {
			sum[lane] += s.Run.Accuracy[lane][10] / draws
			sum[2+lane] += s.Run.Accuracy[lane][30] / draws
		}
		t.Logf("draw %d: ARI %.2f in round 2, %.2f in round 10, %.2f in round 30; accuracy %.3f and %.3f; %.3f s per round", seed,
			ari[2], ari[10], ari[30], s.Run.Accuracy[0][30], s.Run.Accuracy[1][30], s.Run.Seconds)
		for _, s := range students {
			s.drop()
		}
	}
	t.Logf("ARI 1 in round 10 in %d of %d draws, in all rounds from there in %d; accuracy of CFL-GP and FedAvg %.3f and %.3f in "+
		"round 10, %.3f and %.3f in round 30", found, draws, stay, sum[0], sum[1], sum[2], sum[3])
	if found < 18 {
		t.Errorf("ARI 1 by round 10 in %d of %d draws, want at least 18", found, draws)
	}
}

// What noise costs, and what it hides: the accuracy after 30 rounds, and how much an update of the first round looks like
// the drawing, with one drawing of each digit. It runs as TestFEMNIST does.
func TestFEMNISTNoise(t *testing.T) {
	dir := os.Getenv("FLOCKSCOPE_FEMNIST")
	if dir == "" {
		t.Skip("FLOCKSCOPE_FEMNIST names no folder with FEMNIST's writers")
	}
	all := readWriters(t, dir)
	const draws = 5
	for _, noise := range []float64{0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.3} {
		var accuracy, fedavg, looks, ari float64
		for seed := range uint64(draws) {
			random := rand.New(rand.NewPCG(seed, 57))
			phones := all.draw(random, 20, quick.Digits, 2, 1)
			var group, held []int
			for i := range phones {
				phones[i].noise = random
				group, held = append(group, i%2), append(held, len(phones[i].y))
			}
			o := DefaultOptions
			o.Noise = noise
			c, data, err := configOf(queryOf(o, len(phones)), group, held, quick.Digits)
			if err != nil {
				t.Fatal(err)
			}
			var rec engine.Recorder
			remote := &direct{phones: phones, classes: 3}
			if err := engine.RunRemote(context.Background(), c, data, remote, &rec); err != nil {
				t.Fatal(err)
			}
			f := rec.Run.Tracks[0].Frames[30]
			accuracy, ari = accuracy+f.Accuracy/draws, ari+f.ARI/draws
			fedavg += rec.Run.Tracks[1].Frames[30].Accuracy / draws
			one := all.draw(random, 20, quick.Digits, 1, 1)
			look := &looker{direct: direct{phones: one, classes: 3}}
			for i := range one {
				one[i].noise = random
				held[i] = 3
			}
			o.Rounds = 1
			c, data, _ = configOf(queryOf(o, len(one)), group, held, quick.Digits)
			var first engine.Recorder
			if err := engine.RunRemote(context.Background(), c, data, look, &first); err != nil {
				t.Fatal(err)
			}
			looks += look.sum / float64(look.n) / draws
		}
		t.Logf("noise %g: CFL-GP %.2f (ARI %.2f), FedAvg %.2f; correlation of update and drawing %.2f", noise, accuracy, ari, fedavg, looks)
	}
}

// looker compares updates of the first round with drawings.
type looker struct {
	direct
	mu  sync.Mutex
	sum float64
	n   int
}

func (l *looker) Exchange(v *engine.Job) {
	l.direct.Exchange(v)
	l.mu.Lock()
	defer l.mu.Unlock()
	if v.Evaluation != nil || v.Round != 1 || v.Lane != 0 {
		return
	}
	for i := range l.phones {
		pic := pictureOf(v.Exchange.Replies[i].Updates[0], 3, 1, i)
		for k := range 3 {
			l.sum += correlation(pic.Pixels[k], l.phones[i].x[k*Side*Side:][:Side*Side])
			l.n++
		}
	}
}
