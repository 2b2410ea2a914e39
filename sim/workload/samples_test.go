package workload

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"flockscope/sim/dataset"
	"flockscope/sim/ingest"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
)

// drawnDigits are n handwritten digits.
func drawnDigits(n int) *dataset.Set {
	g, _ := dataset.Registry.Lookup("digits")
	return g.Make(1, n)
}

// sampled are workloads of samples in the hands of few clients.
var sampled = [][]string{
	{"digits", "n=120", "net=softmax", "shift=none"},
	{"digits", "n=150", "net=mlp", "hidden=5", "shift=rotations", "angles=0,90,180"},
	{"garments", "n=90", "net=autoencoder", "code=4", "shift=none", "split=unequal"},
	{"garments", "n=200", "net=softmax", "shift=corruptions", "concept=permute", "noise=symmetric", "chi=0.5", "test=set"},
	{"digits", "n=100", "net=softmax", "shift=none", "split=dirichlet", "alpha=0.2"},
}

// each calls f with each of these workloads.
func each(t *testing.T, f func(name string, w Workload, tests Evaluated)) {
	t.Helper()
	for _, s := range sampled {
		w := build(t, s[0], nil, append([]string{"C=5"}, s[1:]...)...)
		tests, ok := w.(Evaluated)
		if _, analytic := w.(Analytic); !ok || analytic {
			t.Errorf("%v is Tested: %v, Analytic: %v, want true, false", s, ok, analytic)
			continue
		}
		f(fmt.Sprint(s), w, tests)
	}
}

// row returns sample j of a batch, in a form that can be compared.
func row(b *model.Batch, j int) string {
	n := len(b.X) / b.N
	return fmt.Sprint(b.X[j*n:(j+1)*n], b.Y[j])
}

// all returns the client's training samples in their order.
func all(w Workload, client int) (b model.Batch) {
	tests := w.(Evaluated)
	which := make([]int32, tests.Holds(client))
	for j := range which {
		which[j] = int32(j)
	}
	tests.Take(&b, client, which)
	return b
}

// TestSamplesDraw: a draw is of the client's own samples, without replacement; a
// larger draw begins with the smaller one, and one of more than there are is of
// all.
func TestSamplesDraw(t *testing.T) {
	each(t, func(name string, w Workload, tests Evaluated) {
		for client := range w.Clients() {
			held := all(w, client)
			count := map[string]int{}
			for j := range held.N {
				count[row(&held, j)]++
			}
			if held.N != tests.Holds(client) || w.Samples(client) != held.N || held.N == 0 {
				t.Errorf("%s: client %d holds %d samples, counts for %d, and %d can be taken", name, client,
					tests.Holds(client), w.Samples(client), held.N)
			}
			var many, few model.Batch
			var s rng.Stream
			for _, n := range []int{1, 2, held.N - 1, held.N, held.N + 1, 1000} {
				s.Reset(1, rng.Samples, n, client)
				w.Draw(&many, client, n, &s)
				if many.N != min(n, held.N) {
					t.Fatalf("%s: a draw of %d of %d samples has %d", name, n, held.N, many.N)
				}
				drawn := map[string]int{}
				for j := range many.N {
					key := row(&many, j)
					if drawn[key]++; drawn[key] > count[key] {
						t.Fatalf("%s: client %d: a draw of %d has a sample %d times that is held %d times", name,
							client, n, drawn[key], count[key])
					}
				}
				for m := 1; m < many.N; m += 3 {
					s.Reset(1, rng.Samples, n, client)
					w.Draw(&few, client, m, &s)
					inputs := len(many.X) / many.N
					if few.N != m || !slices.Equal(few.X, many.X[:m*inputs]) || !slices.Equal(few.Y, many.Y[:m]) {
						t.Fatalf("%s: client %d: a draw of %d is not the start of a draw of %d", name, client, m, n)
					}
				}
			}
		}
	})
}

// TestSamplesDrawIsFair: every sample is as likely as any other at every place of
// a draw, within 5.5 deviations.
func TestSamplesDrawIsFair(t *testing.T) {
	const draws, part = 6000, 4
	w := build(t, "digits", nil, "n=20", "C=2", "net=softmax", "shift=none")
	held := all(w, 0)
	of := map[float32]int{} // a sample by the sum of its pixels
	sum := func(b *model.Batch, j int) (s float32) {
		for _, x := range b.X[j*784 : (j+1)*784] {
			s += x
		}
		return s
	}
	for j := range held.N {
		of[sum(&held, j)] = j
	}
	if len(of) != held.N {
		t.Fatal("two samples look the same")
	}
	count := make([][part]float64, held.N)
	var b model.Batch
	var s rng.Stream
	for round := range draws {
		s.Reset(1, rng.Samples, round, 0)
		w.Draw(&b, 0, part, &s)
		for j := range part {
			count[of[sum(&b, j)]][j]++
		}
	}
	p := 1 / float64(held.N)
	want, bound := draws*p, 5.5*math.Sqrt(draws*p*(1-p))
	for sample, places := range count {
		for place, got := range places {
			if math.Abs(got-want) > bound {
				t.Errorf("sample %d came %v times at place %d, want %v ± %.0f", sample, got, place, want, bound)
			}
		}
	}
}

// TestSamplesTake: by number, in the order asked for, the same each time.
func TestSamplesTake(t *testing.T) {
	each(t, func(name string, w Workload, tests Evaluated) {
		for client := range w.Clients() {
			held := all(w, client)
			last := int32(held.N - 1)
			which := []int32{last, 0, last / 2, 0}
			var b model.Batch
			tests.Take(&b, client, which)
			for j, k := range which {
				if b.N != len(which) || row(&b, j) != row(&held, int(k)) {
					t.Fatalf("%s: client %d: sample %d of %v is not number %d", name, client, j, which, k)
				}
			}
			if n := testing.AllocsPerRun(3, func() { tests.Take(&b, client, which) }); n > 0 {
				t.Errorf("%s: Take allocates %v times, want 0", name, n)
			}
		}
	})
}

// TestSamplesExam: what is held back is nothing that is trained on, and a smaller
// exam is the start of a larger one.
func TestSamplesExam(t *testing.T) {
	for _, s := range sampled {
		if slices.Contains(s, "shift=corruptions") {
			continue // noise makes two views of one sample differ anyway
		}
		at := func(exam string) Evaluated {
			return build(t, s[0], nil, append([]string{"C=5", "exam=" + exam, "every=7"}, s[1:]...)...).(Evaluated)
		}
		whole, part := at("0"), at("2")
		if whole.Every() != 7 {
			t.Errorf("%v: Every() = %d, want 7", s, whole.Every())
		}
		for client := range 5 {
			var b, few model.Batch
			whole.TestSamples(&b, client)
			part.TestSamples(&few, client)
			if b.N == 0 || few.N != min(2, b.N) {
				t.Fatalf("%v: client %d: exams of %d and %d samples, want some and 2", s, client, b.N, few.N)
			}
			for j := range few.N {
				if row(&few, j) != row(&b, j) {
					t.Errorf("%v: client %d: the exam of 2 is not the start of the whole one", s, client)
				}
			}
			held := all(whole.(Workload), client)
			trained := map[string]bool{}
			for j := range held.N {
				trained[row(&held, j)] = true
			}
			for j := range b.N {
				if trained[row(&b, j)] {
					t.Errorf("%v: client %d is examined on a sample that it trains on", s, client)
				}
			}
		}
	}
}

// With holdback=1 a client trains on the first part of its training samples and evaluates models on the rest of them, as
// it sees them in training; it has nothing of its test samples.
func TestHoldBack(t *testing.T) {
	for _, s := range sampled {
		if slices.Contains(s, "shift=corruptions") {
			s = append(slices.Clone(s), "shift=none") // noise makes two views of one sample differ
		}
		at := func(more string) Workload {
			return build(t, s[0], nil, append([]string{"C=5", "exam=0", more}, s[1:]...)...)
		}
		plain, held := at("holdback=0"), at("holdback=1")
		for client := range 5 {
			whole, part := all(plain, client), all(held, client)
			var back model.Batch
			held.(Evaluated).TestSamples(&back, client)
			if back.N == 0 || part.N+back.N != whole.N || math.Abs(float64(back.N)-0.3*float64(whole.N)) > 1 {
				t.Fatalf("%v: client %d trains on %d and evaluates on %d of %d samples", s, client, part.N, back.N, whole.N)
			}
			for j := range whole.N {
				got := ""
				if j < part.N {
					got = row(&part, j)
				} else {
					got = row(&back, j-part.N)
				}
				if got != row(&whole, j) {
					t.Fatalf("%v: client %d has another sample %d", s, client, j)
				}
			}
		}
	}
}

// TestSamplesForAllAtOnce: clients may be served at the same time, and see what
// they see one after the other.
func TestSamplesForAllAtOnce(t *testing.T) {
	each(t, func(name string, w Workload, tests Evaluated) {
		draw := func(client int) (out [3]model.Batch) {
			var s rng.Stream
			s.Reset(1, rng.Samples, 3, client)
			w.Draw(&out[0], client, 9, &s)
			tests.Take(&out[1], client, []int32{0, 1, 0})
			tests.TestSamples(&out[2], client)
			return out
		}
		got := make([][3]model.Batch, 8*w.Clients())
		var group sync.WaitGroup
		for i := range got {
			group.Go(func() { got[i] = draw(i % w.Clients()) })
		}
		group.Wait()
		for i := range got {
			for k, want := range draw(i % w.Clients()) {
				if !slices.Equal(got[i][k].X, want.X) || !slices.Equal(got[i][k].Y, want.Y) {
					t.Fatalf("%s: client %d sees other samples beside others", name, i%w.Clients())
				}
			}
		}
	})
}

// TestSamplesScenery: a header with the gallery is sound, and its labels are
// classes with names; or a reason says why there are no groups.
func TestSamplesScenery(t *testing.T) {
	each(t, func(name string, w Workload, tests Evaluated) {
		sc := w.DataPreview(new(rng.Stream), 1)
		of, groups := w.Groups()
		h := trace.Header{Clients: w.Clients(), Groups: groups, DataPreview: sc}
		for _, g := range of {
			h.Group = append(h.Group, int16(g))
		}
		g := &sc.Gallery
		if !h.Valid() || !g.HasImages() || g.Each < 1 || g.Height != 28 || g.Width != 28 || g.Channels != 1 {
			t.Errorf("%s: a gallery of %d × %d × %d, %d each, sound: %v", name, g.Height, g.Width, g.Channels, g.Each,
				h.Valid())
		}
		for _, label := range g.Label {
			if int(label) >= len(g.Classes) {
				t.Errorf("%s: a sample of class %d of %v", name, label, g.Classes)
			}
		}
		for i, p := range g.Clients {
			sum := 0
			for _, n := range p.PerClass {
				sum += n
			}
			if p.Samples != w.Samples(i) || len(p.PerClass) > 0 && sum != p.Samples {
				t.Errorf("%s: the portrait of client %d, who has %d samples, shows %d, of all classes %d", name, i,
					w.Samples(i), p.Samples, sum)
			}
		}
		if classes := tests.Classes(); classes != 0 && len(g.Classes) != classes {
			t.Errorf("%s: %d names for %d classes", name, len(g.Classes), classes)
		}
		if (groups == 0) != (sc.NoTruth != "") || len(g.Groups) != groups {
			t.Errorf("%s: %d groups called %q, and the reason %q", name, groups, g.Groups, sc.NoTruth)
		}
		if trace.DecodeHeader(trace.AppendHeader(nil, &h)); sc.Floor >= 0 || len(sc.Points) != 0 {
			t.Errorf("%s: a floor of %v and %d points, want neither", name, sc.Floor, len(sc.Points))
		}
	})
}

// TestSamplesRebuilt: what a model makes of a client's first picture is drawn as the
// picture is, and nobody is asked whose model does something else.
func TestSamplesRebuilt(t *testing.T) {
	rebuilds := 0
	each(t, func(name string, w Workload, tests Evaluated) {
		network := w.Model().(*model.Network)
		r := Rebuilds(w)
		if (r != nil) != (network.Task() == model.Reconstruction) {
			t.Fatalf("%s: rebuilds: %v", name, r != nil)
		}
		if r == nil {
			return
		}
		rebuilds++
		g := w.DataPreview(new(rng.Stream), 1).Gallery
		params, same := make([]float32, network.Size()), 0
		everybody := make([]int, w.Clients())
		for i := range everybody {
			everybody[i] = i
		}
		w.Start(params, 0, new(rng.Stream))
		pictures, alone := make([]uint8, w.Clients()*g.Size()), make([]uint8, g.Size())
		r.Rebuild(pictures, everybody, params)
		for i := range everybody {
			picture := pictures[i*g.Size():][:g.Size()]
			if r.Rebuild(alone, everybody[i:i+1], params); !slices.Equal(alone, picture) {
				t.Errorf("%s: client %d: the picture is another one among others", name, i)
			}
			samples := all(w, i)
			copies := make([]float32, samples.N*network.Outputs())
			network.Predict(copies, params, samples)
			for at, got := range picture {
				if want := 255 * float64(copies[at]); math.Abs(float64(got)-want) > 0.51 {
					t.Fatalf("%s: client %d: byte %d is %d, want %v", name, i, at, got, want)
				}
			}
			if slices.Equal(picture, g.Image(i, 0)) {
				same++
			}
		}
		if same > 0 {
			t.Errorf("%s: a model that has learned nothing rebuilds %d pictures exactly", name, same)
		}
	})
	if rebuilds == 0 {
		t.Error("no workload of the list rebuilds its samples")
	}
}

// TestSamplesStart: models are drawn from their streams.
func TestSamplesStart(t *testing.T) {
	each(t, func(name string, w Workload, _ Evaluated) {
		start := func(k int) []float32 {
			params := make([]float32, w.Model().Size())
			var s rng.Stream
			s.Reset(1, rng.Models, k, 0)
			w.Start(params, k, &s)
			return params
		}
		if !slices.Equal(start(0), start(0)) || slices.Equal(start(0), start(1)) {
			t.Errorf("%s: model 0 starts as itself: %v, as model 1: %v", name, slices.Equal(start(0), start(0)),
				slices.Equal(start(0), start(1)))
		}
	})
}

// TestSamplesTasks: a model that does not fit the samples is refused by name, with
// what would fit.
func TestSamplesTasks(t *testing.T) {
	numbers, err := ReadFiles([]ingest.File{{Name: "n.csv",
		Data: []byte("a,b,c,d,y\n" + "1,2,3,4,0.5\n2,3,4,5,1.5\n3,4,5,6,0.1\n4,5,6,7,2.5\n")}})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, workload string
		file           *File
		words          []string
		field          string // refused; empty for none
		classes        int
	}{
		{"a classifier", "digits", nil, []string{"net=mlp", "hidden=4"}, "", 10},
		{"an autoencoder", "digits", nil, []string{"net=autoencoder"}, "", 0},
		{"a line through pictures", "digits", nil, []string{"net=linear"}, "net", 0},
		{"a classifier of numbers", "samples", numbers, []string{"net=mlp"}, "net", 0},
		{"a line through numbers", "samples", numbers, []string{"net=linear"}, "", 0},
		{"a convolution of numbers", "samples", numbers, []string{"net=cnn"}, "net", 0},
		{"more clients than samples", "digits", nil, []string{"C=60"}, "C", 0},
	}
	for _, tt := range tests {
		e, _ := Registry.Lookup(tt.workload)
		v := words("C=2", "sd=1")
		defaults(v, e.Fields)
		set(v, "n=60", "shift=none")
		set(v, tt.words...)
		w, err := e.Make.Make(v.Values(), tt.file)
		var refused *param.Error
		switch {
		case tt.field == "" && err != nil:
			t.Errorf("%s: %v", tt.name, err)
		case tt.field == "":
			if got := w.(Evaluated).Classes(); got != tt.classes {
				t.Errorf("%s: Classes() = %d, want %d", tt.name, got, tt.classes)
			}
		case !errors.As(err, &refused) || refused.Field != tt.field || refused.Want == "":
			t.Errorf("%s: %v, want a refusal of %s", tt.name, err, tt.field)
		}
	}
}

// TestDrawnIsKept: the same drawings are not drawn twice, and others are others.
func TestDrawnIsKept(t *testing.T) {
	first := syntheticSet("digits", 1, 30)
	if again := syntheticSet("digits", 1, 30); again != first {
		t.Error("the same digits are drawn again")
	}
	for _, other := range []*dataset.Set{syntheticSet("digits", 2, 30), syntheticSet("digits", 1, 31), syntheticSet("garments", 1, 30)} {
		if other == first {
			t.Error("other digits are the same")
		}
	}
}

// TestSamplesUsed: as many samples of a file are used as are asked for, other ones with
// another seed, each of them as it is in the file, and training and testing keep apart.
func TestSamplesUsed(t *testing.T) {
	file := &File{Set: drawnDigits(210)} // 180 of which are for training
	sheet := func(set *dataset.Set, i int) string {
		row := make([]float32, set.Shape.Size())
		set.Row(row, i)
		return fmt.Sprint(row, set.Label[i])
	}
	at := map[string]int{}
	for i := range file.Set.Len() {
		at[sheet(file.Set, i)] = i
	}
	seen := map[string]bool{}
	for seed := 1; seed <= 8; seed++ {
		for _, use := range []int{20, 70, 133, 209} {
			w := build(t, "samples", file, "C=5", "net=softmax", "shift=none", "scale=none", "order=shuffled",
				fmt.Sprintf("use=%d", use), fmt.Sprintf("sd=%d", seed)).(*shared)
			set := w.set
			if set.Len() != use || set.Train != (use*180+105)/210 {
				t.Errorf("use=%d: %d samples, %d for training", use, set.Len(), set.Train)
			}
			var numbers []int
			for i := range set.Len() {
				k, ok := at[sheet(set, i)]
				if !ok || (k < 180) != (i < set.Train) {
					t.Fatalf("use=%d, sd=%d: sample %d is number %d of the file (%t)", use, seed, i, k, ok)
				}
				numbers = append(numbers, k)
			}
			if !slices.IsSorted(numbers) || len(slices.Compact(numbers)) != use {
				t.Errorf("use=%d, sd=%d: samples come twice or out of order", use, seed)
			}
			if key := fmt.Sprint(numbers); seen[key] {
				t.Errorf("use=%d, sd=%d: the same samples as with another seed", use, seed)
			} else {
				seen[key] = true
			}
		}
	}
	for _, all := range []string{"use=0", "use=210", "use=5000"} {
		if w := build(t, "samples", file, "net=softmax", "shift=none", all).(*shared); w.set.Len() != 210 {
			t.Errorf("%s: %d samples", all, w.set.Len())
		}
	}
}

// TestSamplesUsedAreScaled: features are scaled by the samples that are used, not by those
// that are left out.
func TestSamplesUsedAreScaled(t *testing.T) {
	text := "label,a\n"
	for i := range 400 {
		text += fmt.Sprintf("%d,%d\n", i%2, i)
	}
	file, err := ReadFiles([]ingest.File{{Name: "a.csv", Data: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	for seed := 1; seed <= 5; seed++ {
		w := build(t, "samples", file, "C=4", "net=softmax", "shift=none", "scale=minmax", "order=shuffled", "use=100",
			fmt.Sprintf("sd=%d", seed)).(*shared)
		low, high := float32(9), float32(-9)
		for i := range w.Clients() {
			b := all(w, i)
			low, high = min(low, slices.Min(b.X)), max(high, slices.Max(b.X))
		}
		if low != 0 || high != 1 {
			t.Errorf("seed %d: training samples go from %v to %v, want 0 to 1", seed, low, high)
		}
	}
}
