package trace

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The coding is little-endian and positional: counts before contents, float32
// in four bytes, float64 in eight. Version is its first byte in a header. Runs
// without portraits were written by version 3, and are read.
const (
	Version          = 4
	withoutPortraits = 3
)

// AppendHeader appends the bytes of h to dst.
func AppendHeader(dst []byte, h *Header) []byte {
	e := encoder{append(dst, Version)}
	e.text(h.Query)
	e.count(h.Clients)
	e.count(h.Rounds)
	e.count(h.Groups)
	e.count(len(h.Group))
	for _, g := range h.Group {
		e.u16(uint16(g))
	}
	e.count(len(h.Lanes))
	for i := range h.Lanes {
		l := &h.Lanes[i]
		e.text(l.ID)
		e.text(l.Algorithm)
		e.text(l.Title)
		e.count(l.Models)
		e.count(l.Size)
		e.count(l.Drawn)
		e.count(l.Columns)
		e.u8(uint8(l.Map))
		e.flag(l.Border)
	}
	s := &h.Scenery
	e.count(len(s.Points))
	for _, p := range s.Points {
		e.f32(p.X)
		e.f32(p.Y)
		e.u16(uint16(p.Client))
	}
	e.count(len(s.Truth))
	for _, l := range s.Truth {
		e.f32(l.Slope)
		e.f32(l.Offset)
	}
	e.f64(s.Floor)
	for _, v := range []float32{s.XMin, s.XMax, s.YMin, s.YMax} {
		e.f32(v)
	}
	e.flag(s.Fan)
	e.text(s.Why)
	e.gallery(&s.Gallery)
	return e.b
}

func (e *encoder) gallery(g *Gallery) {
	for _, n := range [...]int{g.Height, g.Width, g.Channels, g.Each, len(g.Pixels)} {
		e.count(n)
	}
	e.b = append(e.b, g.Pixels...)
	e.count(len(g.Label))
	e.b = append(e.b, g.Label...)
	for _, names := range [...][]string{g.Classes, g.Groups} {
		e.count(len(names))
		for _, name := range names {
			e.text(name)
		}
	}
	e.count(len(g.Meant))
	e.b = append(e.b, g.Meant...)
	e.count(len(g.Names))
	for _, names := range g.Names {
		e.count(len(names))
		for _, name := range names {
			e.text(name)
		}
	}
	e.count(len(g.Portraits))
	for i := range g.Portraits {
		p := &g.Portraits[i]
		e.text(p.Sees)
		e.text(p.Owner)
		e.count(p.Set)
		e.count(p.Holds)
		e.count(len(p.Of))
		for _, n := range p.Of {
			e.count(n)
		}
	}
}

// DecodeHeader reads what AppendHeader wrote. It refuses foreign bytes with an
// error and never allocates more than the bytes can fill.
func DecodeHeader(src []byte) (*Header, error) {
	d := decoder{b: src}
	v := d.u8()
	if v != Version && v != withoutPortraits {
		return nil, fmt.Errorf("trace: got version %d, want %d", v, Version)
	}
	h := &Header{Query: d.text(), Clients: d.count(0), Rounds: d.count(0), Groups: d.count(0)}
	h.Group = make([]int16, d.count(2))
	for i := range h.Group {
		h.Group[i] = int16(d.u16())
	}
	h.Lanes = make([]Lane, d.count(30))
	for i := range h.Lanes {
		h.Lanes[i] = Lane{ID: d.text(), Algorithm: d.text(), Title: d.text(),
			Models: d.count(0), Size: d.count(0), Drawn: d.count(0), Columns: d.count(0), Map: Map(d.u8()), Border: d.flag()}
	}
	s := &h.Scenery
	s.Points = make([]Point, d.count(10))
	for i := range s.Points {
		s.Points[i] = Point{d.f32(), d.f32(), int16(d.u16())}
	}
	s.Truth = make([]Line, d.count(8))
	for i := range s.Truth {
		s.Truth[i] = Line{d.f32(), d.f32()}
	}
	s.Floor = d.f64()
	s.XMin, s.XMax, s.YMin, s.YMax = d.f32(), d.f32(), d.f32(), d.f32()
	s.Fan = d.flag()
	s.Why = d.text()
	d.gallery(&s.Gallery)
	if v != withoutPortraits {
		d.portraits(&s.Gallery)
	}
	return h, d.finish()
}

func (d *decoder) gallery(g *Gallery) {
	g.Height, g.Width, g.Channels, g.Each = d.count(0), d.count(0), d.count(0), d.count(0)
	g.Pixels = d.bytes(d.count(1))
	g.Label = d.bytes(d.count(1))
	for _, names := range [...]*[]string{&g.Classes, &g.Groups} {
		for range d.count(4) {
			*names = append(*names, d.text())
		}
	}
}

func (d *decoder) portraits(g *Gallery) {
	g.Meant = d.bytes(d.count(1))
	for range d.count(4) {
		var names []string
		for range d.count(4) {
			names = append(names, d.text())
		}
		g.Names = append(g.Names, names)
	}
	for range d.count(20) {
		p := Portrait{Sees: d.text(), Owner: d.text(), Set: d.count(0), Holds: d.count(0)}
		for range d.count(4) {
			p.Of = append(p.Of, d.count(0))
		}
		g.Portraits = append(g.Portraits, p)
	}
}

// noted is the bit of a frame's first number, its round, that says that notes
// follow. A frame without notes has the bytes it had before there were any.
const noted = 1 << 31

// visited is the bit of a note's number of directions that says that test clients
// came, and what they found follows.
const visited = 1 << 30

// painted is the bit of the same number that says that pictures follow.
const painted = 1 << 29

// AppendFrame appends the bytes of f to dst.
func AppendFrame(dst []byte, f *Frame) []byte {
	at := len(dst)
	e := encoder{appendResult(dst, f)}
	if !f.hasNotes() {
		return e.b
	}
	tested := f.hasTested()
	binary.LittleEndian.PutUint32(e.b[at:], uint32(f.Round)|noted)
	for _, v := range [...]float64{f.NMI, f.Purity, f.Time} {
		e.f64(v)
	}
	directions := f.Directions
	if tested {
		directions |= visited
	}
	if len(f.Rebuilt) > 0 {
		directions |= painted
	}
	e.count(directions)
	write(&e, f.Spectrum)
	if tested {
		e.f64(f.Val)
		e.f64(f.Test)
	}
	if len(f.Rebuilt) > 0 {
		e.count(len(f.Rebuilt))
		e.b = append(e.b, f.Rebuilt...)
	}
	return e.b
}

// hasTested reports whether f says what test clients found.
func (f *Frame) hasTested() bool { return f.Events.Has(Examined) && (f.Val != 0 || f.Test != 0) }

// hasNotes reports whether f has any notes to write.
func (f *Frame) hasNotes() bool {
	return len(f.Spectrum) > 0 || f.NMI != 0 || f.Purity != 0 || f.Time != 0 || len(f.Rebuilt) > 0 || f.hasTested()
}

// appendResult appends the bytes of f but for its notes. These bytes are what a
// fingerprint is taken over.
func appendResult(dst []byte, f *Frame) []byte {
	e := encoder{dst}
	e.count(f.Round)
	for _, v := range [...]float64{f.ARI, f.Loss, f.Worst, f.Down, f.Up} {
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
	if f.Events.Has(Examined) {
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

// DecodeFrame reads one frame from the front of src into f, reusing its
// slices, and returns what follows it. It takes only what AppendFrame writes:
// a flag that promises notes of which there are none is an error.
func DecodeFrame(f *Frame, src []byte) (rest []byte, err error) {
	d := decoder{b: src}
	round := d.count(0)
	f.Round = round &^ noted
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
	if f.Events.Has(Examined) {
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
	f.Spectrum, f.Directions, f.Rebuilt = f.Spectrum[:0], 0, f.Rebuilt[:0]
	f.NMI, f.Purity, f.Time, f.Val, f.Test = 0, 0, 0, 0, 0
	if round&noted != 0 {
		for _, v := range [...]*float64{&f.NMI, &f.Purity, &f.Time} {
			*v = d.f64()
		}
		directions := d.count(0)
		f.Directions = directions &^ (visited | painted)
		f.Spectrum = read(&d, f.Spectrum)
		if directions&visited != 0 {
			f.Val, f.Test = d.f64(), d.f64()
		}
		if directions&painted != 0 {
			f.Rebuilt = append(f.Rebuilt, d.take(d.count(1))...)
		}
		full := f.hasNotes() && (directions&visited != 0) == f.hasTested() &&
			(directions&painted != 0) == (len(f.Rebuilt) > 0)
		if d.err == nil && !full {
			return nil, errEmpty
		}
	}
	return d.b, d.err
}

// AppendSummary appends the bytes of s to dst.
func AppendSummary(dst []byte, s *Summary) []byte {
	e := encoder{dst}
	for _, v := range [...]float64{s.ARI, s.Loss, s.Worst, s.Down, s.Up, s.Accuracy, s.NMI, s.Purity, s.Time, s.Price} {
		e.f64(v)
	}
	e.count(s.Misplaced)
	e.count(s.Clusters)
	e.count(s.Settled + 1) // −1 means never
	e.count(s.Diverged + 1)
	e.count(s.Found + 1)
	e.text(s.Cause)
	e.count(s.Wild)
	e.f64(s.Advice)
	e.u64(s.Fingerprint)
	write(&e, s.Alias)
	if s.Val != 0 || s.Test != 0 {
		e.f64(s.Val)
		e.f64(s.Test)
	}
	return e.b
}

// DecodeSummary reads what AppendSummary wrote, and nothing else.
func DecodeSummary(src []byte) (*Summary, error) {
	d := decoder{b: src}
	s := &Summary{}
	for _, v := range [...]*float64{&s.ARI, &s.Loss, &s.Worst, &s.Down, &s.Up, &s.Accuracy, &s.NMI, &s.Purity, &s.Time, &s.Price} {
		*v = d.f64()
	}
	s.Misplaced, s.Clusters = d.count(0), d.count(0)
	s.Settled, s.Diverged = d.count(0)-1, d.count(0)-1
	s.Found = d.count(0) - 1
	s.Cause = d.text()
	s.Wild, s.Advice = d.count(0), d.f64()
	s.Fingerprint = d.u64()
	s.Alias = read(&d, []uint16{})
	if d.err == nil && len(d.b) > 0 { // test clients came
		s.Val, s.Test = d.f64(), d.f64()
		if d.err == nil && s.Val == 0 && s.Test == 0 {
			return nil, errEmpty
		}
	}
	return s, d.finish()
}

// Resize returns s with length n, in its own memory where that suffices. What it holds is
// undefined.
func Resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

type encoder struct{ b []byte }

func (e *encoder) u8(v uint8)    { e.b = append(e.b, v) }
func (e *encoder) u16(v uint16)  { e.b = binary.LittleEndian.AppendUint16(e.b, v) }
func (e *encoder) u64(v uint64)  { e.b = binary.LittleEndian.AppendUint64(e.b, v) }
func (e *encoder) count(n int)   { e.b = binary.LittleEndian.AppendUint32(e.b, uint32(n)) }
func (e *encoder) f32(v float32) { e.b = binary.LittleEndian.AppendUint32(e.b, math.Float32bits(v)) }
func (e *encoder) f64(v float64) { e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v)) }
func (e *encoder) text(s string) { e.count(len(s)); e.b = append(e.b, s...) }
func (e *encoder) flag(v bool) {
	if v {
		e.u8(1)
	} else {
		e.u8(0)
	}
}

// errShort is what foreign or truncated bytes end in.
var errShort = errors.New("trace: the bytes end too early or are not a trace")

// errEmpty is what bytes end in that say that something follows and have nothing there.
var errEmpty = errors.New("trace: the bytes promise notes and have none")

// decoder reads until the bytes run out, then returns zeros and keeps err.
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

// count reads a number. With a size it is a number of things of at least that
// many bytes each, and must fit into what is left.
func (d *decoder) count(size int) int {
	n := int(binary.LittleEndian.Uint32(d.take(4)))
	if n < 0 || n*size > len(d.b) {
		d.err, d.b = errShort, nil
		return 0
	}
	return n
}

// bytes returns a copy of the next n bytes, nil for none.
func (d *decoder) bytes(n int) []byte {
	if d.err != nil || n == 0 {
		return nil
	}
	out := append([]byte(nil), d.b[:n]...)
	d.b = d.b[n:]
	return out
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
