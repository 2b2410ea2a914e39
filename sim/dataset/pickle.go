package dataset

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
)

// A pickle of Python's is a program for a small machine with a stack (pickletools.py). What
// data sets use of it is read here: numbers, texts, lists, tuples, dictionaries, and arrays
// of NumPy's. Nothing is executed: the few functions that NumPy's arrays are made by are
// done here, and all others are refused by their names.

// What the machine has beside float64, bool, string, and nil for None.
type (
	pickledBytes  []byte
	pickledTuple  []any
	pickledGlobal string // module and name
	pickledMark   struct{}
	pickledList   struct {
		numbers []float64 // as long as all are numbers
		items   []any     // else
	}
	pickledDict  struct{ keys, values []any }
	pickledDtype struct {
		kind  byte
		size  int
		order binary.ByteOrder
	}
	pickledArray struct {
		dtype   *pickledDtype
		shape   []int
		data    []byte
		items   *pickledList // of an array of objects
		fortran bool
	}
)

const (
	maxPickled = 16 << 20 // values of lists: arrays have no such limit
	maxStack   = 1 << 20
	maxMemo    = 2 << 20
)

type unpickler struct {
	data  []byte
	at    int
	stack []any
	memo  []any
	held  int // values of lists so far
}

// pickleSizes is how many bytes follow an opcode: those of a number, or of the length of a text.
var pickleSizes = [256]byte{0x80: 1, 0x95: 8, 'K': 1, 'M': 2, 'J': 4, 'X': 4, 0x8c: 1, 0x8d: 8, 'B': 4, 'C': 1,
	0x8e: 8, 0x96: 8, 'T': 4, 'U': 1, 'q': 1, 'r': 4, 'h': 1, 'j': 4, 0x8a: 1}

var (
	errPickle  = say.Errorf("the pickle in it is damaged")
	errPickled = say.Errorf("the pickle in it has too many values; expected arrays of numbers, not lists")
)

// unpickle returns the value of a pickle. The data stay in use.
func unpickle(data []byte) (any, error) {
	p := &unpickler{data: data}
	for p.at < len(p.data) {
		op := p.data[p.at]
		p.at++
		if op == '.' {
			if len(p.stack) == 1 {
				return p.stack[0], nil
			}
			break
		}
		if err := p.do(op); err != nil {
			return nil, err
		}
		if len(p.stack) > maxStack || len(p.memo) > maxMemo || p.held > maxPickled {
			return nil, errPickled
		}
	}
	return nil, errPickle
}

func (p *unpickler) push(v any) error {
	p.stack = append(p.stack, v)
	return nil
}

// take returns the next n bytes, nil if there are fewer.
func (p *unpickler) take(n uint64) []byte {
	if n > uint64(len(p.data)-p.at) {
		return nil
	}
	p.at += int(n)
	return p.data[p.at-int(n) : p.at : p.at]
}

// number returns the next n bytes as a number, the lowest first.
func (p *unpickler) number(n uint64) (v uint64, ok bool) {
	b := p.take(n)
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	return v, b != nil
}

// sized returns what follows a length of n bytes, nil if there is less.
func (p *unpickler) sized(n uint64) []byte {
	if length, ok := p.number(n); ok {
		return p.take(length)
	}
	return nil
}

// do does one step. The names of the opcodes are those of pickletools.
func (p *unpickler) do(op byte) error {
	n := uint64(pickleSizes[op])
	switch op {
	case 0x80, 0x95: // PROTO, FRAME
		p.take(n)
	case '(':
		return p.push(pickledMark{})
	case 'N':
		return p.push(nil)
	case 0x88, 0x89: // NEWTRUE, NEWFALSE
		return p.push(op == 0x88)
	case 'K', 'M': // BININT1, BININT2
		v, ok := p.number(n)
		return p.pushed(float64(v), ok)
	case 'J', 0x8a: // BININT, LONG1: the highest byte has the sign
		ok := true
		if op == 0x8a {
			n, ok = p.number(n)
		}
		v, whole := p.number(n)
		shift := 64 - 8*min(n, 8)
		return p.pushed(float64(int64(v<<shift)>>shift), ok && whole && n <= 8)
	case 'G': // BINFLOAT, the highest byte first
		if b := p.take(8); b != nil {
			return p.push(math.Float64frombits(binary.BigEndian.Uint64(b)))
		}
		return errPickle
	case 'X', 0x8c, 0x8d: // BINUNICODE, SHORT_BINUNICODE, BINUNICODE8
		b := p.sized(n)
		return p.pushed(string(b), b != nil)
	case 'B', 'C', 0x8e, 0x96, 'T', 'U': // BINBYTES, SHORT_BINBYTES, BINBYTES8, BYTEARRAY8, and Python 2's texts
		b := p.sized(n)
		return p.pushed(pickledBytes(b), b != nil)
	case ']':
		return p.push(&pickledList{})
	case '}':
		return p.push(&pickledDict{})
	case ')':
		return p.push(pickledTuple{})
	case 0x85, 0x86, 0x87, 't': // TUPLE1, TUPLE2, TUPLE3, TUPLE
		parts, ok := p.last(op == 't', int(op)-0x84)
		p.held += len(parts)
		return p.pushed(append(pickledTuple{}, parts...), ok)
	case 'a', 'e': // APPEND, APPENDS
		parts, ok := p.last(op == 'e', 1)
		list, is := p.top().(*pickledList)
		if p.held += len(parts); !is || !ok {
			return errPickle
		}
		list.extend(parts)
	case 's', 'u': // SETITEM, SETITEMS
		parts, ok := p.last(op == 'u', 2)
		dict, is := p.top().(*pickledDict)
		if p.held += len(parts); !is || !ok || len(parts)%2 == 1 {
			return errPickle
		}
		for i := 0; i < len(parts); i += 2 {
			dict.keys, dict.values = append(dict.keys, parts[i]), append(dict.values, parts[i+1])
		}
	case 'q', 'r', 0x94: // BINPUT, LONG_BINPUT, MEMOIZE
		at, ok := uint64(len(p.memo)), true
		if op != 0x94 {
			at, ok = p.number(n)
		}
		switch {
		case !ok || at > uint64(len(p.memo)) || len(p.stack) == 0:
			return errPickle
		case at == uint64(len(p.memo)):
			p.memo = append(p.memo, nil)
		}
		p.memo[at] = p.top()
	case 'h', 'j': // BINGET, LONG_BINGET
		if at, ok := p.number(n); ok && at < uint64(len(p.memo)) {
			return p.push(p.memo[at])
		}
		return errPickle
	case 'c': // GLOBAL: two lines
		module, rest, one := bytes.Cut(p.data[p.at:], []byte{'\n'})
		name, _, two := bytes.Cut(rest, []byte{'\n'})
		if p.at += len(module) + len(name) + 2; one && two {
			return p.global(string(module), string(name))
		}
		return errPickle
	case 0x93: // STACK_GLOBAL
		if parts, ok := p.last(false, 2); ok {
			return p.global(asText(parts[0]), asText(parts[1]))
		}
		return errPickle
	case 'R': // REDUCE
		return p.call(p.last(false, 2))
	case 'b': // BUILD
		return p.build(p.last(false, 1))
	default:
		return say.Errorf("the pickle in it does what is not read here (code %d); expected a dictionary of arrays", op)
	}
	return nil
}

// pushed pushes a value if it is whole.
func (p *unpickler) pushed(v any, whole bool) error {
	if !whole {
		return errPickle
	}
	return p.push(v)
}

// last takes the last n values off the stack, or those behind the last mark, and the mark.
// They stay valid until the next value is pushed.
func (p *unpickler) last(marked bool, n int) (out []any, ok bool) {
	from, to := len(p.stack)-n, len(p.stack)-n
	if marked {
		for to = len(p.stack) - 1; to >= 0; to-- {
			if _, mark := p.stack[to].(pickledMark); mark {
				break
			}
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

func (p *unpickler) top() any {
	if len(p.stack) == 0 {
		return nil
	}
	return p.stack[len(p.stack)-1]
}

// extend appends values to a list.
func (list *pickledList) extend(parts []any) {
	for _, v := range parts {
		if number, is := asNumber(v); is && list.items == nil {
			list.numbers = append(list.numbers, number)
			continue
		}
		for _, number := range list.numbers {
			list.items = append(list.items, number)
		}
		list.numbers, list.items = nil, append(list.items, v)
	}
}

// asText returns a text, which is bytes in what Python 2 has written.
func asText(v any) string {
	if b, is := v.(pickledBytes); is {
		return string(b)
	}
	text, _ := v.(string)
	return text
}

func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// global pushes one of the functions that arrays are made by.
func (p *unpickler) global(module, name string) error {
	whole := pickledGlobal(strings.Replace(module, "numpy._core", "numpy.core", 1) + "." + name)
	switch whole {
	case "numpy.core.multiarray._reconstruct", "numpy.core.multiarray.scalar", "numpy.core.numeric._frombuffer",
		"numpy.ndarray", "numpy.dtype", "_codecs.encode", "collections.OrderedDict":
		return p.push(whole)
	}
	return say.Errorf("the pickle in it holds %s; expected nothing but numbers, texts, lists, dictionaries and arrays of NumPy's",
		param.Quote(module+"."+name))
}

// call does what a function does with its arguments: parts are both.
func (p *unpickler) call(parts []any, ok bool) error {
	if !ok {
		return errPickle
	}
	args, _ := parts[1].(pickledTuple)
	switch name, _ := parts[0].(pickledGlobal); {
	case name == "numpy.core.multiarray._reconstruct":
		return p.push(&pickledArray{}) // whatever its arguments say: BUILD says it all
	case name == "collections.OrderedDict" && len(args) == 0:
		return p.push(&pickledDict{})
	case name == "numpy.dtype" && len(args) > 0:
		d := &pickledDtype{order: binary.LittleEndian}
		var ok bool
		text := asText(args[0])
		if d.kind, d.size, ok = numberType(text); !ok && text != "O8" && text != "O" {
			return say.Errorf("the pickle in it holds values of the type %s; expected numbers or short texts",
				param.Quote(text))
		}
		return p.push(d)
	case name == "numpy.core.multiarray.scalar" && len(args) == 2:
		dtype, _ := args[0].(*pickledDtype)
		data, _ := args[1].(pickledBytes)
		if dtype != nil && dtype.size > 0 && len(data) == dtype.size {
			a := array{kind: dtype.kind, size: dtype.size, order: dtype.order, data: data}
			if a.kind == 'U' {
				return p.push(a.text(0))
			}
			return p.push(a.number(0))
		}
	case name == "numpy.core.numeric._frombuffer" && len(args) == 4:
		data, _ := args[0].(pickledBytes)
		dtype, _ := args[1].(*pickledDtype)
		return p.push(&pickledArray{dtype: dtype, shape: sizes(args[2]), data: data, fortran: asText(args[3]) == "F"})
	case name == "_codecs.encode" && len(args) == 2: // as older protocols have bytes
		text, _ := args[0].(string)
		out := make(pickledBytes, 0, len(text))
		for _, r := range text {
			if r > 0xff {
				return errPickle
			}
			out = append(out, byte(r))
		}
		return p.push(out)
	}
	return errPickle
}

// build fills an array or a type with its state.
func (p *unpickler) build(state []any, ok bool) error {
	if !ok {
		return errPickle
	}
	parts, _ := state[0].(pickledTuple)
	switch to := p.top().(type) {
	case *pickledDtype:
		if len(parts) > 1 && asText(parts[1]) == ">" {
			to.order = binary.BigEndian
		}
		return nil
	case *pickledArray:
		if len(parts) != 5 {
			return errPickle
		}
		to.shape = sizes(parts[1])
		to.dtype, _ = parts[2].(*pickledDtype)
		to.fortran, _ = parts[3].(bool)
		data, _ := parts[4].(pickledBytes)
		to.data = data
		to.items, _ = parts[4].(*pickledList)
		return nil
	}
	return errPickle
}

// sizes reads a shape.
func sizes(v any) []int {
	parts, _ := v.(pickledTuple)
	out := []int{}
	for _, part := range parts {
		n, _ := part.(float64)
		out = append(out, int(max(0, min(n, 1<<31-1))))
	}
	return out
}

// pickledArrays returns the arrays of a file that holds a pickle: those of a dictionary by
// the names of its keys, as PFLlib's clients have them, or one.
func pickledArrays(f *file, data []byte) ([]*array, error) {
	v, err := unpickle(data)
	if a, is := v.(*pickledArray); is && a.items != nil && len(a.items.items) == 1 && len(a.shape) < 2 {
		v = a.items.items[0]
	}
	dict, is := v.(*pickledDict)
	if err == nil && !is {
		var a *array
		if a, err = (&plainer{file: f}).array(v, 0); err == nil {
			return []*array{a}, nil
		}
	}
	var out []*array
	for i := 0; err == nil && is && i < len(dict.keys); i++ {
		part := *f
		part.stem = strings.ToLower(asText(dict.keys[i]))
		if !slices.ContainsFunc([][]string{arraySamples, arrayLabels, arrayClients},
			func(names []string) bool { return slices.Contains(names, part.stem) }) {
			continue
		}
		var a *array
		if a, err = (&plainer{file: &part}).array(dict.values[i], 0); err == nil {
			a.of = cmp.Or(f.of, f.stem)
			out = append(out, a)
		}
	}
	if err == nil && len(out) == 0 {
		err = say.Errorf("the pickle in it has no arrays by names such as x and y")
	}
	if err != nil {
		return nil, f.errorf("%s; in Python, save the arrays themselves: numpy.savez(\"plain.npz\", x=x, y=y)", err)
	}
	return out, nil
}

// plainer makes arrays of lists and the like.
type plainer struct {
	file  *file
	bytes int // of all parts so far
	parts int
}

// array returns a value of a pickle as an array.
func (p *plainer) array(v any, depth int) (*array, error) {
	out := &array{file: p.file, kind: 'f', size: 8, order: binary.LittleEndian}
	if p.parts++; p.parts > maxPickled || depth > 5 {
		return nil, errPickled
	}
	var items []any
	switch v := v.(type) {
	case *pickledArray:
		if v.items == nil {
			return out, p.numbers(out, v)
		}
		items = v.items.items
		if items == nil {
			return p.array(v.items, depth)
		}
	case *pickledList:
		for _, number := range v.numbers {
			out.data = binary.LittleEndian.AppendUint64(out.data, math.Float64bits(number))
		}
		out.shape, items = []int{len(v.numbers)}, v.items
		if p.bytes += len(out.data); p.bytes > maxUnpackedBytes {
			return nil, errPickled
		}
		if items == nil {
			return out, nil
		}
	case pickledTuple:
		items = v
	case float64, bool:
		number, _ := asNumber(v)
		out.data = binary.LittleEndian.AppendUint64(nil, math.Float64bits(number))
		return out, nil
	default:
		return nil, say.Errorf("the pickle in it has a value that is neither a number nor an array nor a list of them")
	}
	if slices.ContainsFunc(items, func(v any) bool { _, is := v.(string); return is }) {
		out.kind, out.size, out.shape = 'U', 0, []int{len(items)}
		for _, v := range items {
			text, is := v.(string)
			if !is {
				return nil, say.Errorf("the pickle in it has a list of texts and other values; expected one of them")
			}
			out.texts = append(out.texts, text)
		}
		return out, nil
	}
	for i, v := range items {
		part, err := p.array(v, depth+1)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			out.kind, out.size, out.order = part.kind, part.size, part.order
			out.shape = append([]int{len(items)}, part.shape...)
		}
		if !slices.Equal(part.shape, out.shape[1:]) || part.kind != out.kind || part.size != out.size ||
			part.order != out.order || part.texts != nil {
			return nil, say.Errorf("the pickle in it has a list whose parts have different lengths or types; expected them alike")
		}
		if p.bytes += len(part.data); p.bytes > maxUnpackedBytes {
			return nil, errPickled
		}
		out.data = append(out.data, part.data...)
	}
	return out, nil
}

// numbers takes an array of numbers as it is.
func (p *plainer) numbers(out *array, v *pickledArray) error {
	if v.dtype == nil || v.dtype.size == 0 {
		return errPickle
	}
	out.kind, out.size, out.order, out.shape, out.data = v.dtype.kind, v.dtype.size, v.dtype.order, v.shape, v.data
	all := 1
	for _, n := range out.shape {
		if all *= n; all > len(out.data) {
			return errPickle
		}
	}
	if all*out.size != len(out.data) || len(out.shape) > 6 {
		return errPickle
	}
	if v.fortran && len(out.shape) > 1 {
		out.transpose(all)
	}
	return nil
}
