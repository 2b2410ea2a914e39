package trace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"flockscope/sim/say"
)

// The encoding is little-endian and positional: counts before contents, float32 in four bytes,
// float64 in eight. The first byte of a header is Version. Version 3 had no summaries of clients,
// and version 4 no description of axes; both can still be read. Since version 6 texts that vary are
// messages of package say; before they were plain English. Since version 7 a header says how clients
// are compared, what its groups are, and which models are best for them, and since version 8 what the
// network's blocks are.
const (
	Version          = 8
	withoutBlocks    = 7
	withoutKinds     = 6
	withoutAlong     = 4
	withoutPortraits = 3
)

// AppendHeader appends the bytes of h to dst.
func AppendHeader(dst []byte, h *Header) []byte {
	e := encoder{append(dst, Version)}
	h.code(coder{e: &e}, Version)
	return e.b
}

// DecodeHeader reads what AppendHeader wrote. It returns an error for foreign bytes, and never
// allocates more memory than the bytes can fill.
func DecodeHeader(src []byte) (*Header, error) {
	d := decoder{b: src}
	v := d.u8()
	if v < withoutPortraits || v > Version {
		return nil, fmt.Errorf("trace: got version %d, want %d", v, Version)
	}
	h := &Header{Group: []int16{}, Lanes: []Lane{}, DataPreview: DataPreview{Points: []Point{}, Truth: []Line{}}}
	h.code(coder{d: &d}, v)
	return h, d.finish()
}

// code writes or reads h.
func (h *Header) code(c coder, version uint8) {
	c.text(&h.Query)
	c.count(&h.Clients, &h.Rounds, &h.Groups)
	list(c, &h.Group, 2, c.i16)
	list(c, &h.Lanes, 30, func(l *Lane) {
		c.text(&l.ID, &l.Algorithm, &l.Title)
		c.count(&l.Models, &l.Size, &l.FrameParams, &l.Columns)
		c.u8((*uint8)(&l.Map))
		c.flag(&l.Border)
	})
	s := &h.DataPreview
	list(c, &s.Points, 10, func(p *Point) { c.f32(&p.X, &p.Y); c.i16(&p.Client) })
	list(c, &s.Truth, 8, func(l *Line) { c.f32(&l.Slope, &l.Offset) })
	c.f64(&s.Floor)
	c.f32(&s.XMin, &s.XMax, &s.YMin, &s.YMax)
	c.flag(&s.Fan)
	c.text((*string)(&s.NoTruth))
	s.Gallery.code(c, version)
	if version > withoutAlong {
		c.text((*string)(&s.Axes))
	}
	if version > withoutKinds {
		for i := range h.Lanes {
			c.count(&h.Lanes[i].Probe)
			c.flag(&h.Lanes[i].Finds)
		}
		c.flag(&s.Alike)
		list(c, &s.Mixtures, 2, c.i16)
		list(c, &s.Best, 4, func(v *float32) { c.f32(v) })
	}
	if version > withoutBlocks {
		for i := range h.Lanes {
			c.count(&h.Lanes[i].Trunk)
		}
		list(c, &h.Blocks, 28, func(b *Block) {
			c.text(&b.Text)
			c.count(&b.Height, &b.Width, &b.Channels, &b.Parameters)
			c.f64(&b.MultiplyAdds)
		})
	}
	if c.e != nil && len(h.Liar) > 0 || c.d != nil && c.d.err == nil && len(c.d.b) > 0 { // only where clients lie
		list(c, &h.Liar, 1, func(v *bool) { c.flag(v) })
		if c.count(&h.LiesFrom); c.d != nil && len(h.Liar) != h.Clients {
			c.d.err = errShort
		}
	}
}

func (g *Gallery) code(c coder, version uint8) {
	texts := func(names *[]string) { list(c, names, 4, func(name *string) { c.text(name) }) }
	c.count(&g.Height, &g.Width, &g.Channels, &g.Each)
	c.bytes(&g.Pixels)
	c.bytes(&g.Label)
	texts(&g.Classes)
	list(c, &g.Groups, 4, func(name *say.Message) { c.text((*string)(name)) })
	if version == withoutPortraits {
		return
	}
	c.bytes(&g.TrueLabel)
	list(c, &g.Names, 4, texts)
	list(c, &g.Clients, 20, func(p *ClientSummary) {
		c.text((*string)(&p.Transform), &p.Owner)
		c.count(&p.Set, &p.Samples)
		list(c, &p.PerClass, 4, func(n *int) { c.count(n) })
	})
}

// notesFlag is a flag in the first number of a frame, its round: notes follow. Frames without notes are encoded as in
// versions without notes.
const notesFlag = 1 << 31

// testScoresFlag is a flag in the number of directions in the notes: the scores of test clients follow.
const testScoresFlag = 1 << 30

// picturesFlag is a flag in that number: reconstructed pictures follow.
const picturesFlag = 1 << 29

// participantsFlag is a flag in that number: the ARI of the round's participants follows.
const participantsFlag = 1 << 28

// measuresFlag is a flag in that number: what was measured of each client follows.
const measuresFlag = 1 << 27

// computedFlag is a flag in that number: the multiply-adds follow.
const computedFlag = 1 << 26

// theoryFlag is a flag in that number: what theorems are about follows.
const theoryFlag = 1 << 24

// attackFlag is a flag in that number: what a backdoor achieves follows.
const attackFlag = 1 << 25

// AppendFrame appends the bytes of f to dst.
func AppendFrame(dst []byte, f *Frame) []byte {
	at := len(dst)
	e := encoder{appendResult(dst, f, f.Loss, f.Worst)}
	if !f.hasNotes() {
		return e.b
	}
	tested := f.hasTested()
	binary.LittleEndian.PutUint32(e.b[at:], uint32(f.Round)|notesFlag)
	for _, v := range [...]float64{f.NMI, f.Purity, f.Time} {
		e.f64(v)
	}
	directions := f.Directions
	if tested {
		directions |= testScoresFlag
	}
	if len(f.Reconstructed) > 0 {
		directions |= picturesFlag
	}
	if f.hasParticipants() {
		directions |= participantsFlag
	}
	if f.hasMeasures() {
		directions |= measuresFlag
	}
	if f.Computed != 0 {
		directions |= computedFlag
	}
	if f.Theory != (Theory{}) {
		directions |= theoryFlag
	}
	if f.Attack != 0 {
		directions |= attackFlag
	}
	e.count(directions)
	write(&e, f.Spectrum)
	if tested {
		e.f64(f.Val)
		e.f64(f.Test)
	}
	if len(f.Reconstructed) > 0 {
		e.count(len(f.Reconstructed))
		e.b = append(e.b, f.Reconstructed...)
	}
	if f.hasParticipants() {
		e.f64(f.ARIParticipants)
	}
	if f.hasMeasures() {
		e.f32(f.Gap)
		write(&e, f.Replies)
		for _, s := range [...][]float32{f.Lead, f.Noise, f.Alone, f.Pull} {
			write(&e, s)
		}
	}
	if f.Computed != 0 {
		e.f64(f.Computed)
	}
	if f.Attack != 0 {
		e.f64(f.Attack)
	}
	if f.Theory != (Theory{}) {
		for _, v := range f.Theory.numbers() {
			e.f32(*v)
		}
	}
	return e.b
}

// numbers returns all numbers of t.
func (t *Theory) numbers() [5]*float32 {
	return [...]*float32{&t.Error, &t.Promise, &t.Noise, &t.Gap, &t.BlockGap}
}

// hasMeasures reports whether f has measurements of clients.
func (f *Frame) hasMeasures() bool {
	return f.Gap != 0 || len(f.Replies)+len(f.Lead)+len(f.Noise)+len(f.Alone)+len(f.Pull) > 0
}

// hasParticipants reports whether f has the ARI of its participants. Frames of older programs do
// not.
func (f *Frame) hasParticipants() bool {
	return f.Events.Has(Partial) && !math.IsNaN(f.ARIParticipants)
}

// hasTested reports whether f has scores of test clients.
func (f *Frame) hasTested() bool { return f.Events.Has(Evaluated) && (f.Val != 0 || f.Test != 0) }

// hasNotes reports whether f has any notes to write.
func (f *Frame) hasNotes() bool {
	return len(f.Spectrum) > 0 || f.NMI != 0 || f.Purity != 0 || f.Time != 0 ||
		len(f.Reconstructed) > 0 || f.hasTested() ||
		f.hasParticipants() || f.hasMeasures() || f.Computed != 0 || f.Attack != 0 || f.Theory != Theory{}
}

// appendResult appends the bytes of f without its notes, with these losses. Fingerprints are hashes
// of these bytes, see [Hash.Add].
func appendResult(dst []byte, f *Frame, loss, worst float64) []byte {
	e := encoder{dst}
	e.count(f.Round)
	for _, v := range [...]float64{f.ARI, loss, worst, f.Down, f.Up} {
		e.f64(v)
	}
	e.count(f.Misplaced)
	e.count(f.Clusters)
	e.u8(uint8(f.Events))
	e.f32(f.Kept)
	write(&e, f.Label)
	for _, s := range [...][]float32{f.Losses, f.Embedding, f.XY, f.Models} {
		write(&e, s)
	}
	if f.Events.Has(Evaluated) {
		e.f64(f.Accuracy)
		write(&e, f.Accuracies)
		write(&e, f.Confusion)
		e.u64(f.Weights)
	}
	if f.Events.Has(Partial) {
		e.count(len(f.State))
		for _, s := range f.State {
			e.u8(uint8(s))
		}
	}
	if f.Events.Has(Soft) {
		write(&e, f.Mixture)
	}
	return e.b
}

// DecodeFrame reads one frame from the front of src into f, reusing its slices, and returns the
// rest. It accepts only what AppendFrame writes: a flag for notes that are missing is an error.
func DecodeFrame(f *Frame, src []byte) (rest []byte, err error) {
	d := decoder{b: src}
	round := d.count(0)
	f.Round = round &^ notesFlag
	for _, v := range [...]*float64{&f.ARI, &f.Loss, &f.Worst, &f.Down, &f.Up} {
		*v = d.f64()
	}
	f.Misplaced, f.Clusters = d.count(0), d.count(0)
	f.Events, f.Kept = Events(d.u8()), d.f32()
	f.Label = read(&d, f.Label)
	for _, s := range [...]*[]float32{&f.Losses, &f.Embedding, &f.XY, &f.Models} {
		*s = read(&d, *s)
	}
	f.Accuracy, f.Accuracies, f.Confusion, f.Weights = 0, f.Accuracies[:0], f.Confusion[:0], 0
	if f.Events.Has(Evaluated) {
		f.Accuracy = d.f64()
		f.Accuracies = read(&d, f.Accuracies)
		f.Confusion = read(&d, f.Confusion)
		f.Weights = d.u64()
	}
	f.State, f.Mixture = f.State[:0], f.Mixture[:0]
	if f.Events.Has(Partial) {
		f.State = Resize(f.State, d.count(1))
		for i := range f.State {
			f.State[i] = State(d.u8())
		}
	}
	if f.Events.Has(Soft) {
		f.Mixture = read(&d, f.Mixture)
	}
	f.Spectrum, f.Directions, f.Reconstructed = f.Spectrum[:0], 0, f.Reconstructed[:0]
	f.NMI, f.Purity, f.Time, f.Val, f.Test, f.ARIParticipants, f.Computed, f.Attack = 0, 0, 0, 0, 0, 0, 0, 0
	f.Lead, f.Noise, f.Alone, f.Pull = f.Lead[:0], f.Noise[:0], f.Alone[:0], f.Pull[:0]
	f.Replies, f.Gap, f.Theory = f.Replies[:0], 0, Theory{}
	if f.Events.Has(Partial) {
		f.ARIParticipants = math.NaN()
	}
	if round&notesFlag != 0 {
		for _, v := range [...]*float64{&f.NMI, &f.Purity, &f.Time} {
			*v = d.f64()
		}
		directions := d.count(0)
		f.Directions = directions &^ (testScoresFlag | picturesFlag | participantsFlag | measuresFlag | computedFlag |
			attackFlag | theoryFlag)
		f.Spectrum = read(&d, f.Spectrum)
		if directions&testScoresFlag != 0 {
			f.Val, f.Test = d.f64(), d.f64()
		}
		if directions&picturesFlag != 0 {
			f.Reconstructed = append(f.Reconstructed, d.take(d.count(1))...)
		}
		if directions&participantsFlag != 0 {
			f.ARIParticipants = d.f64()
		}
		if directions&measuresFlag != 0 {
			f.Gap = d.f32()
			f.Replies = read(&d, f.Replies)
			for _, s := range [...]*[]float32{&f.Lead, &f.Noise, &f.Alone, &f.Pull} {
				*s = read(&d, *s)
			}
		}
		if directions&computedFlag != 0 {
			f.Computed = d.f64()
		}
		if directions&attackFlag != 0 {
			f.Attack = d.f64()
		}
		if directions&theoryFlag != 0 {
			for _, v := range f.Theory.numbers() {
				*v = d.f32()
			}
		}
		full := f.hasNotes() && (directions&measuresFlag != 0) == f.hasMeasures() &&
			(directions&testScoresFlag != 0) == f.hasTested() &&
			(directions&computedFlag != 0) == (f.Computed != 0) && (directions&attackFlag != 0) == (f.Attack != 0) &&
			(directions&theoryFlag != 0) == (f.Theory != Theory{}) &&
			(directions&picturesFlag != 0) == (len(f.Reconstructed) > 0) &&
			(directions&participantsFlag != 0) == f.hasParticipants()
		if d.err == nil && !full {
			return nil, errEmpty
		}
	}
	return d.b, d.err
}

// AppendSummary appends the bytes of s to dst.
func AppendSummary(dst []byte, s *Summary) []byte {
	e := encoder{dst}
	c := coder{e: &e}
	s.code(c)
	switch {
	case s.Attack != 0:
		c.f64(&s.Val, &s.Test, &s.ARIParticipants, &s.Computed, &s.Attack)
	case s.Computed != 0:
		c.f64(&s.Val, &s.Test, &s.ARIParticipants, &s.Computed)
	case s.ARIParticipants != 0:
		c.f64(&s.Val, &s.Test, &s.ARIParticipants)
	case s.Val != 0 || s.Test != 0:
		c.f64(&s.Val, &s.Test)
	}
	return e.b
}

// DecodeSummary reads what AppendSummary wrote, and nothing else.
func DecodeSummary(src []byte) (*Summary, error) {
	d := decoder{b: src}
	c, s := coder{d: &d}, &Summary{Alias: []uint16{}}
	s.code(c)
	switch {
	case d.err != nil || len(d.b) == 0:
	case len(d.b) == 5*8: // and what a backdoor achieves
		if c.f64(&s.Val, &s.Test, &s.ARIParticipants, &s.Computed, &s.Attack); s.Attack == 0 {
			return nil, errEmpty
		}
	case len(d.b) == 4*8: // and the multiply-adds
		if c.f64(&s.Val, &s.Test, &s.ARIParticipants, &s.Computed); s.Computed == 0 {
			return nil, errEmpty
		}
	case len(d.b) == 3*8: // scores of participants
		if c.f64(&s.Val, &s.Test, &s.ARIParticipants); s.ARIParticipants == 0 {
			return nil, errEmpty
		}
	default: // scores of test clients
		c.f64(&s.Val, &s.Test)
		if d.err == nil && s.Val == 0 && s.Test == 0 {
			return nil, errEmpty
		}
	}
	return s, d.finish()
}

// code writes or reads s without the scores of test clients and participants, and the multiply-adds.
func (s *Summary) code(c coder) {
	c.f64(&s.ARI, &s.Loss, &s.Worst, &s.Down, &s.Up, &s.Accuracy, &s.NMI, &s.Purity, &s.Time, &s.CostToCorrect)
	c.count(&s.Misplaced, &s.Clusters)
	c.round(&s.Settled, &s.Diverged, &s.FirstCorrect)
	c.text((*string)(&s.Cause))
	c.count(&s.DivergedModel)
	c.f64(&s.SuggestedRate)
	c.u64(&s.Fingerprint)
	if c.d != nil {
		s.Alias = read(c.d, s.Alias)
	} else {
		write(c.e, s.Alias)
	}
}

// Resize returns s with length n, in the same memory if it is large enough. The contents are
// undefined.
func Resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

type encoder struct{ b []byte }

func (e *encoder) u8(v uint8)     { e.b = append(e.b, v) }
func (e *encoder) u16(v uint16)   { e.b = binary.LittleEndian.AppendUint16(e.b, v) }
func (e *encoder) u64(v uint64)   { e.b = binary.LittleEndian.AppendUint64(e.b, v) }
func (e *encoder) count(n int)    { e.b = binary.LittleEndian.AppendUint32(e.b, uint32(n)) }
func (e *encoder) f32(v float32)  { e.b = binary.LittleEndian.AppendUint32(e.b, math.Float32bits(v)) }
func (e *encoder) f64(v float64)  { e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v)) }
func (e *encoder) text(s string)  { e.count(len(s)); e.b = append(e.b, s...) }
func (e *encoder) bytes(b []byte) { e.count(len(b)); e.b = append(e.b, b...) }
func (e *encoder) flag(v bool) {
	if v {
		e.u8(1)
	} else {
		e.u8(0)
	}
}

// errShort is the error for foreign or truncated bytes.
var errShort = errors.New("trace: the bytes end too early or are not a trace")

// errEmpty is the error for bytes whose flags announce notes that are missing.
var errEmpty = errors.New("trace: the bytes announce notes that are missing")

// decoder reads until the bytes end. After that it returns zeros and keeps err.
type decoder struct {
	b   []byte
	err error
}

func (d *decoder) take(n int) []byte {
	if d.err != nil || len(d.b) < n {
		d.err, d.b = errShort, nil
		return make([]byte, 8)[:n]
	}
	out := d.b[:n]
	d.b = d.b[n:]
	return out
}

func (d *decoder) u8() uint8    { return d.take(1)[0] }
func (d *decoder) u16() uint16  { return binary.LittleEndian.Uint16(d.take(2)) }
func (d *decoder) u64() uint64  { return binary.LittleEndian.Uint64(d.take(8)) }
func (d *decoder) f32() float32 { return math.Float32frombits(binary.LittleEndian.Uint32(d.take(4))) }
func (d *decoder) f64() float64 { return math.Float64frombits(d.u64()) }
func (d *decoder) flag() bool   { return d.u8() == 1 }

// count reads a number. With a size it is a number of elements of at least that many bytes each,
// which must fit into the rest.
func (d *decoder) count(size int) int {
	n := int(binary.LittleEndian.Uint32(d.take(4)))
	if n < 0 || n*size > len(d.b) {
		d.err, d.b = errShort, nil
		return 0
	}
	return n
}

// bytes reads a count and returns a copy of that number of bytes, nil for none.
func (d *decoder) bytes() []byte {
	n := d.count(1)
	if d.err != nil || n == 0 {
		return nil
	}
	return append([]byte(nil), d.take(n)...)
}

func (d *decoder) text() string {
	n := d.count(1)
	if d.err != nil {
		return ""
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

func (d *decoder) finish() error {
	if d.err == nil && len(d.b) != 0 {
		return fmt.Errorf("trace: %d bytes too many", len(d.b))
	}
	return d.err
}

// coder writes the values at its arguments to e, or reads them from d; the other is nil. So one
// description of a type serves for encoding and decoding.
type coder struct {
	e *encoder
	d *decoder
}

// code writes or reads values, with a method of the encoder and one of the decoder.
func code[T any](c coder, values []*T, write func(*encoder, T), read func(*decoder) T) {
	for _, v := range values {
		if c.d != nil {
			*v = read(c.d)
		} else {
			write(c.e, *v)
		}
	}
}

func (c coder) u8(v *uint8)       { code(c, []*uint8{v}, (*encoder).u8, (*decoder).u8) }
func (c coder) u64(v *uint64)     { code(c, []*uint64{v}, (*encoder).u64, (*decoder).u64) }
func (c coder) f32(v ...*float32) { code(c, v, (*encoder).f32, (*decoder).f32) }
func (c coder) f64(v ...*float64) { code(c, v, (*encoder).f64, (*decoder).f64) }
func (c coder) flag(v *bool)      { code(c, []*bool{v}, (*encoder).flag, (*decoder).flag) }
func (c coder) text(v ...*string) { code(c, v, (*encoder).text, (*decoder).text) }
func (c coder) bytes(v *[]byte)   { code(c, []*[]byte{v}, (*encoder).bytes, (*decoder).bytes) }

// i16 codes a number, −1 for none.
func (c coder) i16(v *int16) {
	code(c, []*int16{v}, func(e *encoder, v int16) { e.u16(uint16(v)) },
		func(d *decoder) int16 { return int16(d.u16()) })
}

func (c coder) count(v ...*int) {
	code(c, v, (*encoder).count, func(d *decoder) int { return d.count(0) })
}

// round codes rounds, −1 for never.
func (c coder) round(v ...*int) {
	code(c, v, func(e *encoder, n int) { e.count(n + 1) }, func(d *decoder) int { return d.count(0) - 1 })
}

// list codes a slice of elements of at least size bytes each. An empty slice is not replaced when
// read.
func list[T any](c coder, s *[]T, size int, each func(*T)) {
	if c.d != nil {
		if n := c.d.count(size); n > 0 {
			*s = make([]T, n)
		}
	} else {
		c.e.count(len(*s))
	}
	for i := range *s {
		each(&(*s)[i])
	}
}
