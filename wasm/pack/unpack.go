package pack

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// Unpack returns the module that was packed, or an error if there is none. A module that
// was not packed is returned as it is.
func Unpack(packed []byte) (module []byte, err error) {
	if strings.HasPrefix(string(packed[:min(len(packed), len(wasmHeader))]), wasmHeader) {
		return packed, nil
	}
	if !strings.HasPrefix(string(packed[:min(len(packed), len(magic))]), magic) {
		return nil, errPacked
	}
	// In a damaged file an index may be out of range, which panics.
	defer func() {
		if problem := recover(); problem != nil {
			module, err = nil, fmt.Errorf("%w: %v", errPacked, problem)
		}
	}()
	r := reader{b: packed, at: len(magic)}
	length, from, functions := r.uint(), r.uint(), r.uint()
	var lengths [streams]uint64
	for i := range lengths {
		lengths[i] = r.uint()
	}
	d := decoder{functions: int(functions), maxBytes: int(length)}
	for i, n := range lengths {
		if n > maxLength {
			return nil, errPacked
		}
		d.in[i].b = r.bytes(int(n))
	}
	if r.failed || r.at != len(packed) || length > maxLength {
		return nil, errPacked
	}
	d.out = make([]byte, 0, length+lengthBytes)
	d.out = append(d.out, d.in[outsideBodies].bytes(int(from))...)
	if err := d.read(); err != nil {
		return nil, err
	}
	d.out = append(d.out, d.in[outsideBodies].bytes(len(d.in[outsideBodies].b)-int(from))...)
	for _, s := range d.in {
		if s.failed || s.at != len(s.b) {
			return nil, errPacked
		}
	}
	if len(d.out) != int(length) {
		return nil, errPacked
	}
	return d.out, nil
}

// lengthBytes are left free before a body until its length is known.
const lengthBytes = 5

// A decoder restores functions.
type decoder struct {
	in        [streams]reader
	out       []byte
	maxBytes  int // maximum bytes of out
	functions int // number of functions
	function  int // the index of the current one in the code section
	body      int // position in out of the current body
	place
}

// read restores all functions.
func (d *decoder) read() error {
	list, meaning := d.dictionary()
	for d.begin(); d.function < d.functions; {
		code := int(d.in[text].readByte())
		if code == rareByte {
			code += 1 + int(d.in[text].readByte())
		}
		for _, n := range meaning[code] {
			d.word(&list[n])
		}
		if d.in[text].failed || len(d.out) > d.maxBytes {
			return errPacked
		}
	}
	return nil
}

// dictionary reads the words, and the words for each byte of the text. They are followed by the words of two-byte
// codes, whose first byte is rareByte.
func (d *decoder) dictionary() (list []word, meaning [][]uint16) {
	r := &d.in[words]
	list = make([]word, r.uint())
	meaning = make([][]uint16, rareByte+1+256)
	for i := range list {
		list[i] = word{operand: operand(r.readByte()), param: r.readByte(), shape: r.readByte(), length: r.readByte()}
		copy(list[i].bytes[:], r.bytes(int(list[i].length)))
	}
	common := int(r.readByte())
	for i := range list {
		code := i
		if i >= common {
			code += rareByte + 1 - common
		}
		meaning[code] = []uint16{uint16(i)}
	}
	for code := common; r.at < len(r.b); code++ {
		a, b := r.readByte(), r.readByte()
		meaning[code] = slices.Concat(meaning[a], meaning[b])
		if len(meaning[code]) > maxPhrase {
			panic("a phrase is too long")
		}
	}
	return list, meaning
}

// begin begins the next function.
func (d *decoder) begin() {
	if d.function == d.functions {
		return
	}
	d.start()
	d.body = len(d.out)
	d.out = append(d.out, make([]byte, lengthBytes)...)
	groups := d.in[locals].readByte()
	d.out = append(d.out, groups)
	for range groups {
		d.copy(locals)
		d.out = append(d.out, d.in[locals].readByte())
	}
}

// end ends a function: it puts its length before it.
func (d *decoder) end() {
	body := d.out[d.body+lengthBytes:]
	d.out = binary.AppendUvarint(d.out[:d.body], uint64(len(body)))
	d.out = append(d.out, body...) // moves the body to the left, if at all
	d.function++
	d.begin()
}

// copy copies a number in LEB128.
func (d *decoder) copy(stream int) { d.out = append(d.out, d.in[stream].leb()...) }

// uint writes a number in LEB128.
func (d *decoder) uint(v uint64) { d.out = binary.AppendUvarint(d.out, v) }

// word writes a word with its operand.
func (d *decoder) word(w *word) {
	d.out = append(d.out, w.bytes[:w.length]...)
	loads, stores := d.loads(), d.stores()
	d.do(w.shape)
	switch w.operand {
	case open:
		d.depth++
	case closing:
		if d.depth--; d.depth < 0 {
			d.end()
		}
	case branch:
		d.uint(uint64(d.depth - int(w.param)))
	case leb:
		d.copy(int(w.param))
	case raw:
		d.out = append(d.out, d.in[floats].bytes(int(w.param))...)
	case load:
		if loads {
			d.load()
		} else {
			d.copy(fields)
		}
	case store:
		if stores {
			v := bitsOffset(d.in[slotsSet].uint())
			d.use(v, d.rank(v))
			d.uint(v)
		} else {
			d.copy(fieldsSet)
		}
	case table:
		d.table()
	case call:
		f := binary.BigEndian.Uint16(d.in[calls].bytes(2))
		d.out = appendInt(d.out, int64(f)) // the linker writes them as signed
	case jump:
		d.out = appendInt(d.out, int64(d.number(d.block()+unzigzag(d.in[jumps].uint()))))
	case ret:
		n := d.number(d.block()+1) - 1
		if w.param != 0 {
			n -= unzigzag(d.in[returns].uint())
		}
		d.out = appendInt(d.out, int64(firstFunction+d.function)<<16|int64(n))
	case address:
		d.out = appendInt(d.out, int64(binary.BigEndian.Uint32(d.in[addresses].bytes(4))))
	}
}

// load writes the offset of a load from Go's stack.
func (d *decoder) load() {
	rank := int(d.in[ranks].readByte())
	var v uint64
	if rank < maxRanks {
		v = d.recentOffsets[rank]
	} else {
		v, rank = bitsOffset(d.in[slots].uint()), len(d.recentOffsets)
	}
	d.use(v, rank)
	d.uint(v)
}

// table writes the labels of a br_table. The stream has 1 plus the number of open blocks
// minus the number of blocks that it leads to, and then how many labels in a row lead to
// each of these; or 0, the number of labels, and the labels.
func (d *decoder) table() {
	r := &d.in[tables]
	fewer := r.uint()
	if fewer == 0 {
		n := r.uint()
		d.uint(n - 1)
		for range n {
			d.copy(tables)
		}
		return
	}
	d.blocks, d.first = d.depth, d.first[:0]
	from, n := r.at, 0
	for range d.depth + 1 - int(fewer) {
		d.first = append(d.first, n)
		n += int(r.uint())
	}
	d.uint(uint64(n - 1))
	r.at = from
	for block := range d.first {
		for range r.uint() {
			d.uint(uint64(block))
		}
	}
}
