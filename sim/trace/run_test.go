package trace

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSettled(t *testing.T) {
	tests := []struct {
		name string
		ari  []float64
		want int
	}{
		{"no rounds", nil, -1},
		{"only the start", []float64{1}, -1},
		{"right from round 1", []float64{0, 1, 1, 1}, 1},
		{"the start does not count", []float64{1, 1, 1}, 1},
		{"right in the last round only", []float64{0, 0, 0, 1}, 3},
		{"wrong in the last round", []float64{0, 1, 1, 0.9999}, -1},
		{"right, wrong, right", []float64{0, 1, 0.5, 1, 1}, 3},
		{"never", []float64{0, 0, 0}, -1},
		{"nearly", []float64{0, math.Nextafter(1, 0)}, -1},
		{"not a number", []float64{0, math.NaN(), 1}, 2},
	}
	for _, tt := range tests {
		if got := Settled(tt.ari); got != tt.want {
			t.Errorf("%s: Settled(%v) = %d, want %d", tt.name, tt.ari, got, tt.want)
		}
	}
}

// TestHashSeesEveryBit: flipping any one bit of a frame's bytes, by way of its
// contents, gives another fingerprint.
func TestHashSeesEveryBit(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	f := randomFrame(r)
	for len(f.Label) == 0 || len(f.XY) == 0 || len(f.Confusion) == 0 {
		f = randomFrame(r)
	}
	sum := func(frames ...*Frame) uint64 {
		var h Hash
		for _, f := range frames {
			h.Add(f)
		}
		return h.Sum()
	}
	base := sum(f)
	seen := map[uint64]string{base: "unchanged"}
	note := func(what string, got uint64) {
		if other, ok := seen[got]; ok {
			t.Errorf("seed %d: %s and %s have one fingerprint", seed, what, other)
		}
		seen[got] = what
	}
	for bit := range 32 {
		for name, p := range map[string]*float32{"Kept": &f.Kept, "loss": &f.Losses[0],
			"last loss": &f.Losses[len(f.Losses)-1],
			"embedding": &f.Embedding[0], "XY": &f.XY[0], "model": &f.Models[0], "accuracy": &f.Accuracies[0]} {
			old := *p
			*p = math.Float32frombits(math.Float32bits(old) ^ 1<<bit)
			note(name+" bit", sum(f))
			*p = old
		}
	}
	for bit := range 64 {
		for name, p := range map[string]*float64{"ARI": &f.ARI, "Loss": &f.Loss, "Worst": &f.Worst, "Down": &f.Down,
			"Up": &f.Up, "Accuracy": &f.Accuracy} {
			old := *p
			*p = math.Float64frombits(math.Float64bits(old) ^ 1<<bit)
			note(name+" bit", sum(f))
			*p = old
		}
	}
	for bit := range 16 {
		for name, p := range map[string]*uint16{"label": &f.Label[0], "answer": &f.Confusion[0],
			"last answer": &f.Confusion[len(f.Confusion)-1]} {
			*p ^= 1 << bit
			note(name+" bit", sum(f))
			*p ^= 1 << bit
		}
	}
	for bit := range 8 {
		f.Events ^= 1 << bit
		note("event bit", sum(f))
		f.Events ^= 1 << bit
	}
	for bit := range 31 {
		for name, p := range map[string]*int{"Round": &f.Round, "Misplaced": &f.Misplaced, "Clusters": &f.Clusters} {
			*p ^= 1 << bit
			note(name+" bit", sum(f))
			*p ^= 1 << bit
		}
	}
	for bit := range 64 {
		f.Weights ^= 1 << bit
		note("weights bit", sum(f))
		f.Weights ^= 1 << bit
	}
	if got := sum(f); got != base {
		t.Fatalf("the test did not put the frame back")
	}
	note("twice", sum(f, f))
	other := randomFrame(r)
	if a, b := sum(f, other), sum(other, f); a == b {
		t.Errorf("seed %d: the order of frames does not matter to the fingerprint", seed)
	}
}

// TestHashDefinition: over the bytes of all frames without their notes, eight at a
// time, each frame filled up with zeros; see Add. The constants are those of FNV of 64 bits.
func TestHashDefinition(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, seed))
	var h Hash
	want := uint64(0)
	frames := []*Frame{randomFrame(r), randomFrame(r), randomFrame(r)}
	for i, f := range frames {
		h.Add(f)
		bare := *f
		bare.Spectrum, bare.Directions, bare.Reconstructed = nil, 0, nil
		bare.NMI, bare.Purity, bare.Time, bare.Computed = 0, 0, 0, 0
		bare.Lead, bare.Noise, bare.Alone, bare.Pull, bare.Replies, bare.Gap = nil, nil, nil, nil, nil, 0
		bare.Theory = Theory{}
		bytes := AppendFrame(nil, &bare)
		bytes = append(bytes, make([]byte, (8-len(bytes)%8)%8)...)
		want ^= 0xcbf29ce484222325
		for at := 0; at < len(bytes); at += 8 {
			word := uint64(0)
			for j := range 8 {
				word |= uint64(bytes[at+j]) << (8 * j)
			}
			want = (want ^ word) * 0x100000001b3
			want ^= want >> 32
		}
		if got := h.Sum(); got != want {
			t.Errorf("seed %d: after %d frames Sum() = %016x, want %016x", seed, i+1, got, want)
		}
	}
	if n := testing.AllocsPerRun(10, func() { h.Add(frames[0]) }); n != 0 {
		t.Errorf("Add allocates %v times, want 0", n)
	}
}

// TestDigest: every bit of every number counts, and so does where it stands; two
// numbers make a word, as in Add.
func TestDigest(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, seed))
	for _, n := range []int{0, 1, 2, 7, 8} {
		values := randomFloats(r, n)
		want := uint64(0xcbf29ce484222325)
		for at := 0; at < n; at += 2 {
			word := uint64(math.Float32bits(values[at]))
			if at+1 < n {
				word |= uint64(math.Float32bits(values[at+1])) << 32
			}
			want = (want ^ word) * 0x100000001b3
			want ^= want >> 32
		}
		if got := Digest(values); got != want {
			t.Errorf("seed %d: Digest(%v) = %016x, want %016x", seed, values, got, want)
		}
		seen := map[uint64]bool{want: true}
		for j := range values {
			for bit := range 32 {
				other := slices.Clone(values)
				other[j] = math.Float32frombits(math.Float32bits(other[j]) ^ 1<<bit)
				got := Digest(other)
				if seen[got] {
					t.Errorf("seed %d: Digest of %d numbers does not see bit %d of number %d", seed, n, bit, j)
				}
				seen[got] = true
			}
		}
		if n >= 2 {
			if swapped := append([]float32{values[1], values[0]}, values[2:]...); Digest(swapped) == want {
				t.Errorf("seed %d: the order of %v does not matter to Digest", seed, values)
			}
		}
	}
}

func TestGalleryImage(t *testing.T) {
	g := Gallery{Height: 2, Width: 1, Channels: 3, Each: 2}
	if g.HasImages() {
		t.Error("a gallery without pixels holds something")
	}
	for i := range 3 * 2 * 6 {
		g.Pixels = append(g.Pixels, uint8(i))
	}
	for client := range 3 {
		for n := range 2 {
			first := uint8(6 * (2*client + n))
			if got := g.Image(client, n); len(got) != 6 || got[0] != first || got[5] != first+5 || !g.HasImages() {
				t.Errorf("Image(%d, %d) = %v, want %d to %d", client, n, got, first, first+5)
			}
		}
	}
}

func TestCombine(t *testing.T) {
	lanes := []uint64{1, 2, 3}
	base := Combine(lanes)
	if got := Combine(slices.Clone(lanes)); got != base {
		t.Errorf("Combine(%v) = %x and then %x", lanes, base, got)
	}
	for _, other := range [][]uint64{{1, 2}, {2, 1, 3}, {1, 2, 3, 0}, {1, 2, 3 ^ 1<<63}, nil} {
		if got := Combine(other); got == base {
			t.Errorf("Combine(%v) = Combine(%v)", other, lanes)
		}
	}
}

func TestRunFinished(t *testing.T) {
	r := NewRun(&Header{Rounds: 3, Lanes: make([]Lane, 2)})
	step := func(lane int) { r.Tracks[lane].Frames = append(r.Tracks[lane].Frames, Frame{}) }
	for i, tt := range []struct {
		name string
		do   func()
		want int
	}{
		{"nothing yet", func() {}, -1},
		{"one lane knows its start", func() { step(0) }, -1},
		{"both do", func() { step(1) }, 0},
		{"one is ahead", func() { step(0); step(0) }, 0},
		{"the other follows", func() { step(1) }, 1},
		{"all rounds", func() { step(0); step(1); step(1) }, 3},
	} {
		tt.do()
		if got := r.Finished(); got != tt.want {
			t.Errorf("step %d, %s: Finished() = %d, want %d", i, tt.name, got, tt.want)
		}
	}
	if r.Done() {
		t.Error("Done() before the summaries")
	}
	r.Tracks[0].Summary = &Summary{}
	if r.Done() {
		t.Error("Done() with one summary of two")
	}
	r.Tracks[1].Summary = &Summary{}
	if !r.Done() {
		t.Error("not Done() with all summaries")
	}
}

func TestEvents(t *testing.T) {
	e := Reclustered | Moved
	if !e.Has(Moved) || !e.Has(Moved|ClusteringStopped) || e.Has(ClusteringStopped) || e.Has(Diverged) {
		t.Errorf("Has is wrong for %b", e)
	}
}

// TestPreviewClients: the first of each group come first, then the second.
func TestPreviewClients(t *testing.T) {
	h := Header{Clients: 12, Groups: 3, Group: []int16{0, 0, 1, 1, 2, 2, 2, 2, 0, 1, 0, 1}}
	if got, want := h.PreviewClients(), []int{0, 2, 4, 1, 3, 5, 6, 8, 9, 7, 10, 11}; !slices.Equal(got, want) {
		t.Errorf("three groups: %v, want %v", got, want)
	}
	h.Groups, h.Group = 0, nil
	if got := h.PreviewClients(); len(got) != 12 || !slices.IsSorted(got) {
		t.Errorf("nobody knows: %v", got)
	}
}
