package trace

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/say"
)

// randomFloats returns n numbers, now and then odd ones.
func randomFloats(r *rand.Rand, n int) []float32 {
	odd := []float32{0, float32(math.Copysign(0, -1)), float32(math.Inf(1)), math.MaxFloat32,
		math.SmallestNonzeroFloat32}
	out := make([]float32, n)
	for i := range out {
		out[i] = float32(r.NormFloat64())
		if r.IntN(20) == 0 {
			out[i] = odd[r.IntN(len(odd))]
		}
	}
	return out
}

func randomMetrics(r *rand.Rand) Metrics {
	return Metrics{ARI: r.NormFloat64(), Misplaced: r.IntN(2000), Loss: r.ExpFloat64(), Worst: r.ExpFloat64(),
		Clusters: r.IntN(2000), Down: float64(r.IntN(1e9)), Up: float64(r.IntN(1e9)) / 7, Accuracy: r.Float64(),
		NMI: r.Float64(), Purity: r.Float64(), Time: r.ExpFloat64(),
		Computed: float64(r.IntN(2)) * r.ExpFloat64()}
}

func randomFrame(r *rand.Rand) *Frame {
	c, k := r.IntN(20), 1+r.IntN(5)
	f := &Frame{Round: r.IntN(5000), Metrics: randomMetrics(r), Events: Events(r.IntN(32)), Kept: r.Float32(),
		Label: make([]uint16, c), Losses: randomFloats(r, c*k), Models: randomFloats(r, 2*k)}
	for i := range f.Label {
		f.Label[i] = uint16(r.IntN(1 << 16))
	}
	f.Embedding, f.XY = []float32{}, []float32{}
	if r.IntN(3) > 0 {
		f.Embedding, f.XY = randomFloats(r, c*k), randomFloats(r, 2*c)
	}
	f.Accuracies, f.Confusion = []float32{}, []uint16{}
	if r.IntN(3) == 0 {
		f.NMI, f.Purity, f.Time = 0, 0, 0
	}
	if f.Spectrum = []float32{}; r.IntN(3) == 0 {
		f.Spectrum, f.Directions = randomFloats(r, 1+r.IntN(MaxSpectrum)), r.IntN(64)
	}
	f.Lead, f.Noise, f.Alone, f.Pull, f.Replies = []float32{}, []float32{}, []float32{}, []float32{}, []uint16{}
	if r.IntN(3) > 0 {
		f.Lead, f.Noise = randomFloats(r, c), randomFloats(r, c)
		f.Alone, f.Pull = randomFloats(r, 2*c), randomFloats(r, c)
		f.Replies, f.Gap = make([]uint16, r.IntN(20)), r.Float32()
	}
	f.Reconstructed = []uint8{}
	if !f.Events.Has(Evaluated) {
		f.Accuracy = 0
		return f
	}
	if r.IntN(3) == 0 {
		for range 1 + r.IntN(40) {
			f.Reconstructed = append(f.Reconstructed, uint8(r.IntN(256)))
		}
	}
	f.Weights = r.Uint64()
	if classes := r.IntN(11); classes > 0 {
		f.Accuracies, f.Confusion = randomFloats(r, c), make([]uint16, c*classes*classes)
	}
	for i := range f.Confusion {
		f.Confusion[i] = uint16(r.IntN(1 << 16))
	}
	return f
}

// randomGallery returns samples of clients, now and then none.
func randomGallery(r *rand.Rand, clients int) Gallery {
	g := Gallery{Height: 1 + r.IntN(4), Width: 1 + r.IntN(4), Channels: 1 + 2*r.IntN(2), Each: r.IntN(4)}
	for range clients * g.Each * g.Height * g.Width * g.Channels {
		g.Pixels = append(g.Pixels, uint8(r.IntN(256)))
	}
	for range clients * g.Each {
		g.Label = append(g.Label, uint8(r.IntN(256)))
	}
	for i := range r.IntN(11) {
		g.Classes = append(g.Classes, fmt.Sprint("class ", i))
	}
	for i := range r.IntN(5) {
		g.Groups = append(g.Groups, say.Message(strings.Repeat("90°", i)))
	}
	for range r.IntN(2) * len(g.Label) {
		g.TrueLabel = append(g.TrueLabel, uint8(r.IntN(256)))
	}
	for i := range r.IntN(3) {
		g.Names = append(g.Names, slices.Repeat([]string{"cat"}, i+1))
	}
	for i := range r.IntN(2) * clients {
		p := ClientSummary{Transform: say.Message(strings.Repeat("noise ", i%3)), Owner: strings.Repeat("w", i%4),
			Set:     r.IntN(3),
			Samples: r.IntN(999)}
		for range r.IntN(2) * len(g.Classes) {
			p.PerClass = append(p.PerClass, r.IntN(99))
		}
		g.Clients = append(g.Clients, p)
	}
	return g
}

func randomHeader(r *rand.Rand) *Header {
	h := &Header{Query: strings.Repeat("data=linreg&Δφ", r.IntN(4)), Clients: r.IntN(2000), Rounds: r.IntN(5000),
		Groups: r.IntN(9), Group: make([]int16, r.IntN(50)), Lanes: make([]Lane, r.IntN(5))}
	for i := range h.Group {
		h.Group[i] = int16(r.IntN(8))
	}
	for i := range h.Lanes {
		h.Lanes[i] = Lane{ID: fmt.Sprintf("ifca:%d", i), Algorithm: "ifca", Title: "IFCA · β", Models: r.IntN(2001),
			Size: r.IntN(3), FrameParams: r.IntN(3),
			Columns: r.IntN(65), Map: Map(r.IntN(5)), Border: r.IntN(2) == 0,
			Probe: r.IntN(2000), Finds: r.IntN(2) == 0, Trunk: r.IntN(3)}
	}
	for range r.IntN(4) {
		h.Blocks = append(h.Blocks, Block{Text: "conv16-gn", Height: r.IntN(40), Width: r.IntN(40), Channels: r.IntN(600),
			Parameters: r.IntN(1 << 20), MultiplyAdds: float64(r.IntN(1 << 40))})
	}
	s := &h.DataPreview
	s.Points, s.Truth = make([]Point, r.IntN(200)), make([]Line, r.IntN(9))
	for i := range s.Points {
		s.Points[i] = Point{r.Float32(), -r.Float32(), int16(r.IntN(2000))}
	}
	for i := range s.Truth {
		s.Truth[i] = Line{r.Float32(), -r.Float32()}
	}
	s.Floor = r.Float64() - 1
	s.XMin, s.XMax, s.YMin, s.YMax, s.Fan = -r.Float32(), r.Float32(), -r.Float32(), r.Float32(), r.IntN(2) == 0
	s.NoTruth = say.Message(strings.Repeat("nobody knows; ", r.IntN(3)))
	s.Alike = r.IntN(2) == 0
	for g := range r.IntN(3) {
		s.Mixtures = append(s.Mixtures, int16(g))
	}
	s.Axes = say.Message(strings.Repeat("along; ", r.IntN(3)))
	for _, line := range s.Truth {
		s.Best = append(s.Best, line.Slope, line.Offset)
	}
	if r.IntN(3) > 0 {
		s.Gallery = randomGallery(r, r.IntN(20))
	}
	return h
}

func randomSummary(r *rand.Rand) *Summary {
	s := &Summary{Metrics: randomMetrics(r), Settled: r.IntN(5001) - 1, Diverged: r.IntN(5001) - 1,
		Cause: "the models diverged in round 3", DivergedModel: r.IntN(9), SuggestedRate: r.Float64(),
		FirstCorrect: r.IntN(5001) - 1, CostToCorrect: r.ExpFloat64(),
		Fingerprint: r.Uint64(), Alias: make([]uint16, r.IntN(65))}
	for i := range s.Alias {
		s.Alias[i] = uint16(r.IntN(64))
	}
	return s
}

func TestCodecRoundTrips(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	reused := Frame{Embedding: []float32{}, XY: []float32{}, Accuracies: []float32{}, Confusion: []uint16{},
		Spectrum: []float32{}, Reconstructed: []uint8{}, Lead: []float32{}, Noise: []float32{}, Alone: []float32{},
		Pull: []float32{}, Replies: []uint16{}}
	for i := range 300 {
		h, f, s := randomHeader(r), randomFrame(r), randomSummary(r)

		headerBytes := AppendHeader([]byte("x"), h)
		if got, err := DecodeHeader(headerBytes[1:]); err != nil || headerBytes[0] != 'x' ||
			!reflect.DeepEqual(got, h) {
			t.Fatalf("seed %d, header %d: DecodeHeader(AppendHeader(%+v)) = %+v, %v", seed, i, h, got, err)
		}
		frameBytes := AppendFrame([]byte("x"), f)
		follows := []byte{1, 2, 3}
		rest, err := DecodeFrame(&reused, append(slices.Clone(frameBytes[1:]), follows...))
		if err != nil || frameBytes[0] != 'x' || !slices.Equal(rest, follows) || !reflect.DeepEqual(&reused, f) {
			t.Fatalf("seed %d, frame %d: DecodeFrame(AppendFrame(%+v)) = %+v, %v with %v left", seed, i, f, reused,
				err, rest)
		}
		summaryBytes := AppendSummary([]byte("x"), s)
		if got, err := DecodeSummary(summaryBytes[1:]); err != nil || summaryBytes[0] != 'x' ||
			!reflect.DeepEqual(got, s) {
			t.Fatalf("seed %d, summary %d: DecodeSummary(AppendSummary(%+v)) = %+v, %v", seed, i, s, got, err)
		}

		// Every truncation is an error, and so is a byte too many.
		for n := range headerBytes[1:] {
			if _, err := DecodeHeader(headerBytes[1 : 1+n]); err == nil {
				t.Fatalf("seed %d, header %d: DecodeHeader takes %d of %d bytes", seed, i, n, len(headerBytes)-1)
			}
		}
		for n := range frameBytes[1:] {
			if _, err := DecodeFrame(&reused, frameBytes[1:1+n]); err == nil {
				t.Fatalf("seed %d, frame %d: DecodeFrame takes %d of %d bytes", seed, i, n, len(frameBytes)-1)
			}
		}
		for n := range summaryBytes[1:] {
			if s.Computed != 0 && n == len(summaryBytes)-1-4*8 {
				continue // a summary without notes
			}
			if _, err := DecodeSummary(summaryBytes[1 : 1+n]); err == nil {
				t.Fatalf("seed %d, summary %d: DecodeSummary takes %d of %d bytes", seed, i, n, len(summaryBytes)-1)
			}
		}
		if _, err := DecodeHeader(append(headerBytes[1:], 0)); err == nil {
			t.Fatalf("seed %d, header %d: DecodeHeader takes a byte too many", seed, i)
		}
		if _, err := DecodeSummary(append(summaryBytes[1:], 0)); err == nil {
			t.Fatalf("seed %d, summary %d: DecodeSummary takes a byte too many", seed, i)
		}
	}
}

func TestDecodeFrameReusesItsSlices(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, seed))
	bytes := AppendFrame(nil, randomFrame(r))
	var f Frame
	if _, err := DecodeFrame(&f, bytes); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(20, func() { DecodeFrame(&f, bytes) }); n != 0 {
		t.Errorf("DecodeFrame into a frame of the same shape allocates %v times, want 0", n)
	}
	// Frames with and without an evaluation alternate; reused memory must not show through.
	examined := &Frame{Events: Evaluated, Metrics: Metrics{Accuracy: 0.5}, Accuracies: randomFloats(r, 9),
		Confusion: make([]uint16, 36), Weights: 7}
	with, without := AppendFrame(nil, examined), AppendFrame(nil, &Frame{Events: Moved})
	turn := func() {
		DecodeFrame(&f, with)
		DecodeFrame(&f, without)
	}
	turn()
	if n := testing.AllocsPerRun(20, turn); n != 0 {
		t.Errorf("DecodeFrame with and without an exam allocates %v times, want 0", n)
	}
	if len(f.Accuracies) != 0 || len(f.Confusion) != 0 || f.Weights != 0 {
		t.Errorf("a frame without an exam, decoded into one with, has %d accuracies, %d answers and weights %d",
			len(f.Accuracies), len(f.Confusion), f.Weights)
	}
	if DecodeFrame(&f, with); !slices.Equal(f.Accuracies, examined.Accuracies) || len(f.Confusion) != 36 ||
		f.Weights != 7 || f.Accuracy != 0.5 {
		t.Errorf("a frame with an exam, decoded into one without, is %+v", f)
	}
}

// TestOldFrames: the bytes of a frame without an evaluation are those of versions without
// evaluations.
func TestOldFrames(t *testing.T) {
	f := &Frame{Round: 3, Metrics: Metrics{ARI: 0.5, Misplaced: 1, Loss: 2, Worst: 4, Clusters: 2, Down: 8, Up: 16},
		Events: Moved, Kept: 1, Label: []uint16{0, 1}, Losses: []float32{1, 2}, Models: []float32{-1}}
	want := []byte{3, 0, 0, 0}
	for _, v := range []float64{0.5, 2, 4, 8, 16} {
		want = binary.LittleEndian.AppendUint64(want, math.Float64bits(v))
	}
	for _, n := range []uint32{1, 2} {
		want = binary.LittleEndian.AppendUint32(want, n)
	}
	want = append(want, byte(Moved))
	for _, n := range []uint32{math.Float32bits(1), 2} {
		want = binary.LittleEndian.AppendUint32(want, n)
	}
	want = append(want, 0, 0, 1, 0)
	for _, n := range []uint32{2, math.Float32bits(1), math.Float32bits(2), 0, 0, 1, math.Float32bits(-1)} {
		want = binary.LittleEndian.AppendUint32(want, n)
	}
	if got := AppendFrame(nil, f); !slices.Equal(got, want) {
		t.Errorf("AppendFrame(%+v) = %x, want %x", f, got, want)
	}
}

func TestDecodeHeaderVersion(t *testing.T) {
	b := AppendHeader(nil, &Header{})
	b[0] = Version + 1
	want := fmt.Sprintf("version %d, want %d", Version+1, Version)
	if _, err := DecodeHeader(b); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("DecodeHeader of the next version: %v, want an error that says %s", err, want)
	}
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestHostileCounts: a count of four thousand million does not become memory.
func TestHostileCounts(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, seed))
	h, f, s := AppendHeader(nil, randomHeader(r)), AppendFrame(nil, randomFrame(r)), AppendSummary(nil,
		randomSummary(r))
	for _, count := range []uint32{1 << 20, 1<<31 - 1, 1 << 31, math.MaxUint32} {
		for name, b := range map[string][]byte{"header": h, "frame": f, "summary": s} {
			for at := 0; at+4 <= len(b); at++ {
				hostile := slices.Clone(b)
				binary.LittleEndian.PutUint32(hostile[at:], count)
				got := allocated(func() {
					switch name {
					case "header":
						DecodeHeader(hostile)
					case "frame":
						DecodeFrame(new(Frame), hostile)
					default:
						DecodeSummary(hostile)
					}
				})
				if most := uint64(16*len(b) + 1<<16); got > most {
					t.Errorf("%s of %d bytes with %d at byte %d: decoding allocates %d bytes, want at most %d", name,
						len(b), count, at, got, most)
				}
			}
		}
	}
}

func fuzzSeeds(f *testing.F, add func(r *rand.Rand) []byte) {
	const seed = 4
	r := rand.New(rand.NewPCG(seed, seed))
	f.Add([]byte{})
	f.Add([]byte{Version, 255, 255, 255, 255})
	for range 3 {
		b := add(r)
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
}

func FuzzDecodeHeader(f *testing.F) {
	fuzzSeeds(f, func(r *rand.Rand) []byte { return AppendHeader(nil, randomHeader(r)) })
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := DecodeHeader(b)
		if err != nil {
			return
		}
		if again := AppendHeader(nil, h); b[0] == Version && len(again) != len(b) {
			t.Errorf("DecodeHeader(%x) takes %d bytes and gives back %d", b, len(b), len(again))
		}
		g := &h.DataPreview.Gallery
		if h.Valid() && g.HasImages() {
			for i := range g.Each {
				if n := len(g.Image(h.Clients-1, i)); n != g.Height*g.Width*g.Channels {
					t.Errorf("DecodeHeader(%x) is sound and has an image of %d bytes for %d × %d × %d", b, n, g.Height,
						g.Width, g.Channels)
				}
			}
		}
	})
}

// Headers from before there were portraits, or an axis of many inputs, can still be read.
func TestOlderHeader(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		h := randomHeader(r)
		g := &h.DataPreview.Gallery
		g.TrueLabel, g.Names, g.Clients = nil, nil, nil
		h.DataPreview.Axes, h.DataPreview.Alike, h.DataPreview.Mixtures, h.DataPreview.Best = "", false, nil, nil
		for i := range h.Lanes {
			h.Lanes[i].Probe, h.Lanes[i].Finds, h.Lanes[i].Trunk = 0, false, 0
		}
		h.Blocks = nil
		b := AppendHeader(nil, h)
		blocks := 4*len(h.Lanes) + 4         // zeros that version 8 has added
		kinds := 5*len(h.Lanes) + 9 + blocks // and version 7
		for _, older := range []struct {
			version byte
			less    int // bytes
		}{{withoutPortraits, 16 + kinds}, {withoutAlong, 4 + kinds}, {withoutKinds, kinds},
			{withoutBlocks, blocks}} { // counts of nothing
			old, err := DecodeHeader(append([]byte{older.version}, b[1:len(b)-older.less]...))
			if err != nil || !slices.Equal(AppendHeader(nil, old), b) {
				t.Fatalf("DecodeHeader of a header of version %d: %v", older.version, err)
			}
		}
	}
}

func FuzzDecodeFrame(f *testing.F) {
	fuzzSeeds(f, func(r *rand.Rand) []byte { return AppendFrame(nil, randomFrame(r)) })
	f.Fuzz(func(t *testing.T, b []byte) {
		var frame Frame
		rest, err := DecodeFrame(&frame, b)
		if err != nil {
			return
		}
		if again := AppendFrame(nil, &frame); len(again)+len(rest) != len(b) {
			t.Errorf("DecodeFrame(%x) takes %d bytes, of which AppendFrame gives back %d", b, len(b)-len(rest),
				len(again))
		}
	})
}

func FuzzDecodeSummary(f *testing.F) {
	fuzzSeeds(f, func(r *rand.Rand) []byte { return AppendSummary(nil, randomSummary(r)) })
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := DecodeSummary(b)
		if err != nil {
			return
		}
		if again := AppendSummary(nil, s); !slices.Equal(again, b) {
			t.Errorf("DecodeSummary(%x) gives back %x", b, again)
		}
	})
}

// What test clients found travels with the notes, and leaves bytes and fingerprint
// alone where none came.
func TestTestClientsAreCoded(t *testing.T) {
	f := Frame{Round: 3, Events: Evaluated, Label: []uint16{0}, Losses: []float32{1}, Models: []float32{2},
		Accuracies: []float32{1}}
	var plain, with Hash
	plain.Add(&f)
	short := AppendFrame(nil, &f)
	for _, notes := range []bool{false, true} {
		f.Val, f.Test = 0.25, 0.75
		if notes {
			f.NMI, f.Directions, f.Spectrum = 1, 3, []float32{5, 4}
		}
		with = Hash{}
		if with.Add(&f); with.Sum() != plain.Sum() {
			t.Error("test clients change the fingerprint")
		}
		var g Frame
		rest, err := DecodeFrame(&g, append(AppendFrame(nil, &f), 7))
		if err != nil || len(rest) != 1 || g.Val != 0.25 || g.Test != 0.75 || g.Directions != f.Directions ||
			len(g.Spectrum) != len(f.Spectrum) {
			t.Errorf("%+v comes back as %+v, %v", f, g, err)
		}
		if rest, err := DecodeFrame(&g, short); err != nil || len(rest) != 0 || g.Val != 0 || g.Test != 0 {
			t.Errorf("a frame without test clients comes back with Val %v and Test %v, %v", g.Val, g.Test, err)
		}
	}
	for _, s := range []Summary{{Alias: []uint16{1, 0}},
		{Alias: []uint16{0}, Metrics: Metrics{Val: 0.5, Test: 0.125}}} {
		if got, err := DecodeSummary(AppendSummary(nil, &s)); err != nil || got.Val != s.Val || got.Test != s.Test {
			t.Errorf("%+v comes back as %+v, %v", s, got, err)
		}
	}
}

// So does how right the clustering of a round's participants is, of which nobody may have been
// heard.
func TestParticipantsTravel(t *testing.T) {
	f := Frame{Round: 3, Events: Partial, State: []State{Present, Absent}, Label: []uint16{0, 0}}
	var plain, with Hash
	plain.Add(&f)
	for _, v := range []float64{0, -0.25, 1, math.NaN()} {
		f.ARIParticipants, with = v, Hash{}
		if with.Add(&f); with.Sum() != plain.Sum() {
			t.Error("participants change the fingerprint")
		}
		g := Frame{Metrics: Metrics{ARIParticipants: 7}}
		rest, err := DecodeFrame(&g, append(AppendFrame(nil, &f), 7))
		if err != nil || len(rest) != 1 || math.Float64bits(g.ARIParticipants) != math.Float64bits(v) {
			t.Errorf("a frame with %v comes back with %v, %v", v, g.ARIParticipants, err)
		}
		for _, val := range []float64{0, 0.5} {
			s := Summary{Alias: []uint16{0}, Metrics: Metrics{Val: val, ARIParticipants: v}}
			got, err := DecodeSummary(AppendSummary(nil, &s))
			if err != nil || got.Val != val || math.Float64bits(got.ARIParticipants) != math.Float64bits(v) {
				t.Errorf("%+v comes back as %+v, %v", s, got, err)
			}
		}
	}
}

// Frames of programs that did not tell the ARI of participants have none, which is not 0.
func TestParticipantsOfOlderFrames(t *testing.T) {
	f := Frame{Round: 3, Events: Partial, State: []State{Present, Absent}, Label: []uint16{0, 0}}
	var g Frame
	if _, err := DecodeFrame(&g, appendResult(nil, &f, 0, 0)); err != nil || !math.IsNaN(g.ARIParticipants) {
		t.Errorf("participants of an older frame have ARI %v, %v, want none", g.ARIParticipants, err)
	}
}

// Bytes that say that notes follow, and have none, are no frame and no summary: each has
// one way to be written.
func TestDecodeEmptyNotes(t *testing.T) {
	summary := AppendSummary(nil, &Summary{Alias: []uint16{1, 0}})
	if _, err := DecodeSummary(append(summary, make([]byte, 16)...)); err == nil {
		t.Error("DecodeSummary takes a summary with empty notes of test clients")
	}
	if _, err := DecodeSummary(append(summary, make([]byte, 32)...)); err == nil {
		t.Error("DecodeSummary takes a summary with empty multiply-adds")
	}
	write := func(flags int) []byte {
		b := appendResult(nil, &Frame{Round: notesFlag, Events: Evaluated}, 0, 0)
		e := encoder{append(b, make([]byte, 3*8)...)}
		e.count(flags)
		e.count(0)                                 // spectrum
		return append(e.b, make([]byte, 2*8+4)...) // what was found, pictures
	}
	for _, flags := range []int{0, 3, testScoresFlag, picturesFlag, participantsFlag,
		testScoresFlag | picturesFlag, testScoresFlag | participantsFlag, computedFlag} {
		var f Frame
		if _, err := DecodeFrame(&f, write(flags)); err == nil {
			t.Errorf("DecodeFrame takes a frame with empty notes (flags %x)", flags)
		}
	}
}
