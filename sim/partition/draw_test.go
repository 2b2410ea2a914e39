package partition

import (
	"math"
	"slices"
	"sync"
	"testing"

	"flockscope/sim/rng"
	"flockscope/sim/say"
)

// everyView builds one partition for each kind of view there is.
func everyView(t testing.TB) map[string]*Partition {
	out := map[string]*Partition{
		"none":      build(t, digits(), 12, 1),
		"rotations": build(t, digits(), 12, 1, "shift=rotations"),
		"blended":   build(t, digits(), 12, 1, "shift=rotations", "resample=bilinear"),
		"mixture":   build(t, digits(), 12, 1, "shift=mixture"),
	}
	for _, c := range corruptions[1:] {
		out[c.name] = build(t, digits(), 2, 1, "shift=corruptions", "corrupt="+c.name)
	}
	return out
}

// TestRowStays: a client sees a sample the same whenever it looks, whoever else
// is looking, and two clients have luck of their own.
func TestRowStays(t *testing.T) {
	for name, p := range everyView(t) {
		last := len(p.Clients) - 1
		samples := p.Clients[last].Train[:20]
		d := p.Drawer()
		want := make([][]float32, len(samples))
		for k, sample := range samples {
			want[k] = make([]float32, 784)
			d.Row(want[k], last, sample)
		}
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				d := p.Drawer()
				got := make([]float32, 784)
				for k := len(samples) - 1; k >= 0; k-- {
					d.Row(got, last, samples[k])
					if !slices.Equal(got, want[k]) {
						t.Errorf("%s: sample %d looks different on a second look", name, samples[k])
					}
				}
			})
		}
		group.Wait()
	}
}

// TestKeep: an image that is kept is the one that is made anew, whoever reads first, and it is made once. The limit
// counts all that is kept; clients beyond it make their images anew.
func TestKeep(t *testing.T) {
	p := build(t, digits(), 4, 1, "shift=corruptions", "corrupt=hcfl", "each=20")
	anew := build(t, digits(), 4, 1, "shift=corruptions", "corrupt=hcfl", "each=20")
	for i := range anew.Clients {
		anew.Clients[i].kept = nil
	}
	d, e := p.Drawer(), anew.Drawer()
	got, want := make([]float32, 784), make([]float32, 784)
	keepers, bytes := 0, int64(0)
	for i := range p.Clients {
		c := &p.Clients[i]
		if c.kept == nil {
			continue
		}
		keepers++
		for _, sample := range slices.Concat(c.Test, c.Train, c.Test) {
			d.Row(got, i, sample)
			e.Row(want, i, sample)
			if !slices.Equal(got, want) {
				t.Fatalf("client %d keeps another image of sample %d than it makes", i, sample)
			}
		}
		bytes += 4*int64(len(c.kept.rows)) + 8*int64(len(c.kept.samples))
		c.View = never{t}
		d.Row(got, i, c.Train[0])
	}
	if keepers < 2 || p.Bytes() != bytes {
		t.Errorf("%d clients keep %d bytes, counted as %d", keepers, bytes, p.Bytes())
	}
	less := build(t, digits(), 4, 1, "shift=corruptions", "corrupt=gaussian", "each=20")
	less.keptBytes = 0
	for i := range less.Clients {
		less.Clients[i].kept = nil
	}
	one := int64(len(less.Clients[2].Train)+len(less.Clients[2].Test)) * (4*784 + 8)
	if less.keep(one); less.Bytes() != one || less.Clients[2].kept == nil || less.Clients[3].kept != nil {
		t.Errorf("with room for the images of one client of two, %d bytes are kept; one has %d", less.Bytes(), one)
	}
}

// never fails a test that makes an image.
type never struct{ testing.TB }

func (n never) Show(_, _ []float32, _ rng.Stream) { n.Error("a kept image is made again") }
func (n never) Words() say.Message                { return "" }

func TestLuckOfItsOwn(t *testing.T) {
	p := build(t, digits(), 4, 1, "shift=corruptions", "corrupt=gaussian", "severity=3")
	d := p.Drawer()
	a, b := make([]float32, 784), make([]float32, 784)
	d.Row(a, 2, 7)
	d.Row(b, 3, 7)
	if slices.Equal(a, b) {
		t.Errorf("two clients with noise see sample 7 with the same noise")
	}
	if x := p.Clients[2].View.Words().String(); x != "noise 3" {
		t.Fatalf("client 2 sees %s, want noise 3", x)
	}
}

// TestMixtureShare: κ of the third group's samples are upright, and the upright
// ones stay so as κ grows. With κ = 0 or 1 there is no third group.
func TestMixtureShare(t *testing.T) {
	before := map[int32]bool{}
	for _, tt := range []struct {
		word           string
		kappa          float64
		client, groups int
	}{{"kappa=0", 0, 2, 2}, {"kappa=0.3", 0.3, 2, 3}, {"kappa=0.9", 0.9, 2, 3}, {"kappa=1", 1, 1, 2}} {
		p := build(t, digits(), 3, 1, "shift=mixture", tt.word)
		if p.Groups != tt.groups {
			t.Errorf("κ = %v: %d groups %q, want %d", tt.kappa, p.Groups, p.GroupNames, tt.groups)
		}
		d := p.Drawer()
		got, raw := make([]float32, 784), make([]float32, 784)
		upright, samples := 0, p.Clients[tt.client].Train
		for _, sample := range samples {
			d.Row(got, tt.client, sample)
			p.Set.Row(raw, int(sample))
			if slices.Equal(got, raw) {
				upright++
				before[sample] = true
				continue
			}
			if before[sample] {
				t.Errorf("κ = %v: sample %d was upright with a smaller κ", tt.kappa, sample)
			}
			slices.Reverse(raw) // a half turn
			if !slices.Equal(got, raw) {
				t.Fatalf("κ = %v: sample %d is neither upright nor upside down", tt.kappa, sample)
			}
		}
		n := float64(len(samples))
		slack := 5 * math.Sqrt(n*tt.kappa*(1-tt.kappa))
		if math.Abs(float64(upright)-n*tt.kappa) > slack {
			t.Errorf("κ = %v: %d of %v samples are upright, want %.0f ± %.0f", tt.kappa, upright, n, n*tt.kappa, slack)
		}
	}
}

func TestRowAllocatesNothing(t *testing.T) {
	row := make([]float32, 784)
	for name, p := range everyView(t) {
		d := p.Drawer()
		last := len(p.Clients) - 1
		sample := p.Clients[last].Train[0]
		if n := testing.AllocsPerRun(20, func() { d.Row(row, last, sample) }); n != 0 {
			t.Errorf("%s: Row allocates %v times, want 0", name, n)
		}
	}
	for _, noise := range []string{"noise=none", "noise=symmetric", "noise=pair"} {
		p := build(t, digits(), 4, 1, noise, "concept=swaps")
		sum := 0
		if n := testing.AllocsPerRun(20, func() { sum += int(p.Label(1, 5, true)) }); n != 0 {
			t.Errorf("%s: Label allocates %v times, want 0", noise, n)
		}
	}
}

func TestPreview(t *testing.T) {
	p := build(t, digits(), 2, 1, "shift=rotations", "angles=90,180", "each=3")
	dst := make([]byte, 5*784)
	if n := p.Preview(dst, 1, 5); n != 3 {
		t.Errorf("Preview of 5 of 3 samples shows %d", n)
	}
	row := make([]float32, 784)
	p.Set.Row(row, int(p.Clients[1].Train[2]))
	for j, x := range row {
		if got, want := dst[2*784+783-j], byte(math.Round(255*float64(x))); got != want {
			t.Fatalf("Preview: byte %d = %d, want %d", 783-j, got, want)
		}
	}
	for j, b := range dst[3*784:] {
		if b != 0 {
			t.Fatalf("Preview wrote byte %d behind the last sample", j)
		}
	}
}

func BenchmarkRow(b *testing.B) {
	row := make([]float32, 784)
	for name, p := range everyView(b) {
		b.Run(name, func(b *testing.B) {
			d := p.Drawer()
			last := len(p.Clients) - 1
			sample := p.Clients[last].Train[0]
			for b.Loop() {
				d.Row(row, last, sample)
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	set := labelled(70_000, 10, 0)
	for _, split := range []string{"even", "skew1", "dirichlet"} {
		b.Run(split, func(b *testing.B) {
			v := settings(b, "split="+split, "shift=rotations", "concept=swaps")
			for b.Loop() {
				if _, err := Build(v, set, 40, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
