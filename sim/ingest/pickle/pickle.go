// Package pickle reads pickled NumPy arrays, as numpy.savez writes objects, such as the
// dictionaries of samples and labels of PFLlib's clients.
//
// A pickle is a program for a small machine with a stack (Python's pickletools.py lists its
// opcodes). Nothing is executed here: the functions that make arrays of NumPy are implemented, and
// any other function is an error. Memory is bounded by the length of the pickle, since arrays share
// its memory.
package pickle

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Array is an array of numbers, or of texts.
type Array struct {
	Shape   []int
	Kind    byte // f, i, u, b or U, as in NumPy
	Size    int  // bytes per value
	Order   binary.ByteOrder
	Data    []byte
	Texts   []string // texts of a list, instead of data
	Fortran bool     // the first index varies fastest

	items *list // items of an array of objects
}

// Values of the machine besides float64, string, *Array and nil.
type (
	raw    []byte // bytes, and strings of Python 2
	tuple  []any
	global string // module and name of a global
	mark   struct{}
	list   struct {
		numbers []float64 // as long as all items are numbers
		items   []any     // otherwise
	}
	dict struct{ pairs []any }
)

// Limits of values that take more memory than their bytes in the file: values in lists, on the stack and in the memo.
const (
	maxListed = 16 << 20
	maxStack  = 1 << 20
	maxBytes  = 256 << 20
	maxDepth  = 5
)

// These are functions because the page reads no pickles, but package variables would be part of its program.
func damaged() error { return say.Errorf("the pickle in it is damaged") }
func tooMany() error {
	return say.Errorf("the pickle in it has too many values in lists; expected arrays")
}
func errUnsupported() error {
	return say.Errorf("the pickle in it has something other than numbers or texts, arrays of them, or lists of " +
		"parts of one kind")
}

// Type returns the kind and the size in bytes of a NumPy type, given its name without the byte order, such as f4.
func Type(name string) (kind byte, size int, ok bool) {
	if name == "" {
		return 0, 0, false
	}
	size, err := strconv.Atoi(name[1:])
	if kind = name[0]; kind == 'U' {
		size *= 4
		return kind, size, err == nil && 0 < size && size <= 400
	}
	return kind, size, slices.Contains(strings.Fields("f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1"), name)
}

// Arrays returns the arrays in a pickled dictionary whose keys are wanted, or a single array without a key.
func Arrays(data []byte, wanted func(key string) bool) (keys []string, arrays []*Array, err error) {
	v, err := (&machine{data: data}).run()
	if a, is := v.(*Array); is && a.items != nil && len(a.items.items) == 1 && len(a.Shape) < 2 {
		v = a.items.items[0]
	}
	d, is := v.(*dict)
	if !is {
		d = &dict{pairs: []any{"", v}}
		wanted = func(string) bool { return true }
	}
	for i := 0; err == nil && i < len(d.pairs); i += 2 {
		if key := textOf(d.pairs[i]); wanted(key) {
			var a *Array
			a, err = new(maker).array(d.pairs[i+1], 0)
			keys, arrays = append(keys, key), append(arrays, a)
		}
	}
	if err == nil && len(arrays) == 0 {
		err = say.Errorf("the pickle in it has no arrays with names such as x and y")
	}
	return keys, arrays, err
}

type machine struct {
	data      []byte
	at        int
	stack     []any
	memo      []any
	listItems int // values in lists so far
}

func (p *machine) run() (any, error) {
	for p.at < len(p.data) {
		op := p.data[p.at]
		p.at++
		if op == '.' { // STOP
			if len(p.stack) == 1 {
				return p.stack[0], nil
			}
			break
		}
		if err := p.do(op); err != nil {
			return nil, err
		}
		if len(p.stack)+len(p.memo) > maxStack || p.listItems > maxListed {
			return nil, tooMany()
		}
	}
	return nil, damaged()
}

// push pushes a value if ok is true, and otherwise returns an error.
func (p *machine) push(v any, whole bool) error {
	if !whole {
		return damaged()
	}
	p.stack = append(p.stack, v)
	return nil
}

// take returns the next n bytes, nil if there are fewer.
func (p *machine) take(n uint64) []byte {
	if n > uint64(len(p.data)-p.at) {
		return nil
	}
	p.at += int(n)
	return p.data[p.at-int(n) : p.at : p.at]
}

// number returns the next n bytes as a number, lowest byte first.
func (p *machine) number(n uint64) (v uint64, ok bool) {
	b := p.take(n)
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v, b != nil
}

// last pops the last n values, or those after the last mark, together with the mark. They stay valid until the next
// value is pushed.
func (p *machine) last(marked bool, n uint64) (out []any, ok bool) {
	from := len(p.stack) - int(n)
	to := from
	if marked {
		for to = len(p.stack) - 1; to >= 0 && p.stack[to] != any(mark{}); to-- {
		}
		from = to + 1
	}
	if to < 0 {
		return nil, false
	}
	out = p.stack[from:]
	p.stack = p.stack[:to]
	return out, true
}

func (p *machine) peek() any {
	if len(p.stack) == 0 {
		return nil
	}
	return p.stack[len(p.stack)-1]
}

// sizes is, by opcode, the number of bytes of the number or text length that follows, or the number of values that it
// pops.
const (
	sized = "\x80\x95KMJ\x8aX\x8c\x8dBC\x8eTUqrhj" + "\x85\x86\x87as\x93Rb"
	sizes = "\x01\x08\x01\x02\x04\x01\x04\x01\x08\x04\x01\x08\x04\x01\x01\x04\x01\x04" + "\x01\x02\x03\x01\x02\x02\x02\x01"
)

// do executes one opcode.
func (p *machine) do(op byte) error {
	n := uint64(0)
	if k := strings.IndexByte(sized, op); k >= 0 {
		n = uint64(sizes[k])
	}
	switch op {
	case 0x80, 0x95: // PROTO, FRAME
		p.take(n)
		return nil
	case '(': // MARK
		return p.push(mark{}, true)
	case 'N': // NONE
		return p.push(nil, true)
	case 0x88, 0x89: // NEWTRUE, NEWFALSE
		return p.push(float64(0x89-op), true)
	case 'K', 'M', 'J', 0x8a, 'G':
		return p.pushNumber(op, n)
	case 'X', 0x8c, 0x8d, 'B', 'C', 0x8e, 'T', 'U': // (SHORT_)BINUNICODE(8), (SHORT_)BINBYTES(8), (SHORT_)BINSTRING
		length, ok := p.number(n)
		b := p.take(length)
		if op == 'X' || op == 0x8c || op == 0x8d {
			return p.push(string(b), ok && b != nil)
		}
		return p.push(raw(b), ok && b != nil)
	case ']': // EMPTY_LIST
		return p.push(&list{}, true)
	case '}': // EMPTY_DICT
		return p.push(&dict{}, true)
	case ')': // EMPTY_TUPLE
		return p.push(tuple{}, true)
	case 0x85, 0x86, 0x87, 't': // TUPLE1, TUPLE2, TUPLE3, TUPLE
		parts, ok := p.last(op == 't', n)
		p.listItems += len(parts)
		return p.push(append(tuple{}, parts...), ok)
	case 'a', 'e', 's', 'u':
		return p.append(op, n)
	case 'q', 'r', 0x94, 'h', 'j':
		return p.memory(op, n)
	case 'c', 0x93, 'R', 'b':
		return p.apply(op, n)
	}
	return say.Errorf("the pickle in it has an unsupported opcode (%d); expected a dictionary of arrays", op)
}

// pushNumber executes BININT1, BININT2, BININT, LONG1 and BINFLOAT.
func (p *machine) pushNumber(op byte, n uint64) error {
	ok := true
	switch op {
	case 'K', 'M':
		v, ok := p.number(n)
		return p.push(float64(v), ok)
	case 'G':
		b := p.take(8)
		if b == nil {
			return damaged()
		}
		return p.push(math.Float64frombits(binary.BigEndian.Uint64(b)), true)
	case 0x8a:
		n, ok = p.number(n)
	}
	v, whole := p.number(n)
	shift := 64 - 8*min(n, 8) // the highest byte has the sign
	return p.push(float64(int64(v<<shift)>>shift), ok && whole && n <= 8)
}

// append executes APPEND, APPENDS, SETITEM and SETITEMS.
func (p *machine) append(op byte, n uint64) error {
	parts, ok := p.last(op == 'e' || op == 'u', n)
	p.listItems += len(parts)
	switch to := p.peek().(type) {
	case *list:
		if ok && op < 'f' {
			to.extend(parts)
			return nil
		}
	case *dict:
		if ok && op > 'f' && len(parts)%2 == 0 {
			to.pairs = append(to.pairs, parts...)
			return nil
		}
	}
	return damaged()
}

// memory executes BINPUT, LONG_BINPUT, MEMOIZE, BINGET and LONG_BINGET.
func (p *machine) memory(op byte, n uint64) error {
	at, ok := uint64(len(p.memo)), true
	if op != 0x94 {
		at, ok = p.number(n)
	}
	get := op == 'h' || op == 'j'
	switch {
	case !ok || at > uint64(len(p.memo)), get && at == uint64(len(p.memo)), !get && len(p.stack) == 0:
		return damaged()
	case get:
		return p.push(p.memo[at], true)
	case at == uint64(len(p.memo)):
		p.memo = append(p.memo, nil)
	}
	p.memo[at] = p.peek()
	return nil
}

// apply executes GLOBAL, STACK_GLOBAL, REDUCE and BUILD.
func (p *machine) apply(op byte, n uint64) error {
	if op == 'c' { // two lines
		module, rest, one := bytes.Cut(p.data[p.at:], []byte{'\n'})
		name, _, two := bytes.Cut(rest, []byte{'\n'})
		p.at += len(module) + len(name) + 2
		return p.function(string(module), string(name), one && two)
	}
	parts, ok := p.last(false, n)
	if !ok {
		return damaged()
	}
	if op == 0x93 {
		return p.function(textOf(parts[0]), textOf(parts[1]), true)
	}
	args, _ := parts[len(parts)-1].(tuple)
	if op == 'b' {
		return p.build(args)
	}
	return p.call(parts[0], args)
}

// extend appends values to a list.
func (l *list) extend(parts []any) {
	for _, v := range parts {
		number, is := v.(float64)
		if is && l.items == nil {
			l.numbers = append(l.numbers, number)
			continue
		}
		for _, number := range l.numbers {
			l.items = append(l.items, number)
		}
		l.numbers, l.items = nil, append(l.items, v)
	}
}

// textOf returns a text. Strings of Python 2 are bytes.
func textOf(v any) string {
	if b, is := v.(raw); is {
		return string(b)
	}
	text, _ := v.(string)
	return text
}

const numpy = "numpy.core.multiarray."

// function pushes a function that makes arrays.
func (p *machine) function(module, name string, whole bool) error {
	f := global(strings.Replace(module, "numpy._core", "numpy.core", 1) + "." + name)
	switch f {
	case numpy + "_reconstruct", numpy + "scalar", "numpy.ndarray", "numpy.dtype", "_codecs.encode":
		return p.push(f, whole)
	}
	return say.Errorf("the pickle in it has %s; expected only numbers, texts, lists, dictionaries and NumPy arrays",
		param.Quote(module+"."+name))
}

// call applies a function to its arguments. A NumPy type is represented by an array without values.
func (p *machine) call(f any, args tuple) error {
	first, second := any(nil), any(nil)
	if len(args) > 1 {
		first, second = args[0], args[1]
	}
	switch f {
	case global(numpy + "_reconstruct"):
		return p.push(&Array{}, true) // BUILD sets its content
	case global("numpy.dtype"):
		a := &Array{Order: binary.LittleEndian}
		var ok bool
		if a.Kind, a.Size, ok = Type(textOf(first)); !ok {
			a.Kind, a.Size = 'O', 0
			if name := textOf(first); name != "O8" && name != "O" {
				return say.Errorf("the pickle in it holds values of the type %s; expected numbers or short texts",
					param.Quote(name))
			}
		}
		return p.push(a, true)
	case global(numpy + "scalar"):
		a := &Array{}
		return p.push(a, a.set(first, second))
	case global("_codecs.encode"): // bytes in older protocols
		text := textOf(first)
		out := make(raw, 0, len(text))
		for _, r := range text {
			out = append(out, byte(r))
		}
		return p.push(out, true)
	}
	return damaged()
}

// set gives an array values of a type.
func (a *Array) set(dtype, values any) bool {
	as, _ := dtype.(*Array)
	if as == nil {
		return false
	}
	data, _ := values.(raw)
	a.items, _ = values.(*list)
	a.Kind, a.Size, a.Order, a.Data = as.Kind, as.Size, as.Order, data
	return true
}

// build sets the state of the array, or of the type, on the stack.
func (p *machine) build(state tuple) error {
	a, _ := p.peek().(*Array)
	switch {
	case a == nil || len(state) < 5:
		return damaged()
	case a.Order != nil && a.Data == nil: // a type
		if textOf(state[1]) == ">" {
			a.Order = binary.BigEndian
		}
		return nil
	}
	shape, _ := state[1].(tuple)
	for _, part := range shape {
		n, _ := part.(float64)
		a.Shape = append(a.Shape, int(max(0, min(n, 1<<31-1))))
	}
	a.Fortran = state[3] == any(1.0)
	if !a.set(state[2], state[4]) {
		return damaged()
	}
	return nil
}

// fits reports whether values of a shape and a size in bytes have the given number of bytes.
func fits(shape []int, size, bytes int) bool {
	for _, n := range shape {
		if size *= n; size > bytes {
			return false
		}
	}
	return size == bytes
}

// maker converts lists to arrays.
type maker struct{ bytes, parts int } // numbers so far

func (m *maker) array(v any, depth int) (*Array, error) {
	if m.parts++; m.parts > maxListed || depth > maxDepth {
		return nil, tooMany()
	}
	out := &Array{Kind: 'f', Size: 8, Order: binary.LittleEndian}
	var items []any
	switch v := v.(type) {
	case *Array:
		if v.items == nil {
			if v.Size == 0 || !fits(v.Shape, v.Size, len(v.Data)) || len(v.Shape) > 6 {
				return nil, damaged()
			}
			return v, nil
		}
		out, err := m.array(v.items, depth)
		if err == nil && len(out.Shape) == 1 && len(v.Shape) > 1 && len(v.Shape) <= 6 {
			if !fits(v.Shape, 1, out.Shape[0]) {
				return nil, damaged()
			}
			out.Shape = v.Shape // NumPy stores lists of objects by rows, whatever their order in memory
		}
		return out, err
	case *list:
		if m.bytes += 8 * len(v.numbers); m.bytes > maxBytes {
			return nil, tooMany()
		}
		for _, number := range v.numbers {
			out.Data = binary.LittleEndian.AppendUint64(out.Data, math.Float64bits(number))
		}
		out.Shape, items = []int{len(v.numbers)}, v.items
	case tuple:
		items, out.Shape = v, []int{0}
	case float64:
		out.Data = binary.LittleEndian.AppendUint64(nil, math.Float64bits(v))
	case string:
		out.Texts = []string{v}
	default:
		return nil, errUnsupported()
	}
	for i, v := range items {
		part, err := m.array(v, depth+1)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			out.Kind, out.Size, out.Order = part.Kind, part.Size, part.Order
			out.Shape = append([]int{len(items)}, part.Shape...)
		}
		if !slices.Equal(part.Shape, out.Shape[1:]) || part.Kind != out.Kind || part.Size != out.Size ||
			part.Order != out.Order || part.Fortran || i > 0 && (part.Texts == nil) != (out.Texts == nil) ||
			part.Texts != nil && part.Shape != nil {
			return nil, errUnsupported()
		}
		if m.bytes += len(part.Data); m.bytes > maxBytes {
			return nil, tooMany()
		}
		out.Data, out.Texts = append(out.Data, part.Data...), append(out.Texts, part.Texts...)
	}
	return out, nil
}
