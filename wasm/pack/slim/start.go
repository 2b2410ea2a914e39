package slim

import "encoding/binary"

// Sections of a module that define the start function.
const (
	typeSection     = 1
	importSection   = 2
	functionSection = 3
	startSection    = 8
	codeSection     = 10
)

// addStart returns a module that begins with a function of a given body, without arguments and results. It is the last
// function, so that the numbers of the others stay.
func addStart(module, body []byte) ([]byte, error) {
	var (
		out      = []byte(wasmHeader)
		kind     int // index of the function's type
		function int // index of the function
		placed   bool
	)
	place := func() {
		content := binary.AppendUvarint(nil, uint64(function))
		out, placed = appendSection(out, startSection, content), true
	}
	err := sections(module, func(id byte, content []byte) error {
		r := reader{rest: content}
		count := int(r.uint())
		switch id {
		case typeSection:
			kind = count
			content = extend(count, r.rest, []byte{0x60, 0, 0})
		case importSection:
			function = count
			for range count {
				r.bytes(r.uint()) // module
				r.bytes(r.uint()) // name
				if r.readByte() != 0 {
					return errModule // not a function
				}
				r.uint()
			}
		case functionSection:
			function += count
			content = extend(count, r.rest, binary.AppendUvarint(nil, uint64(kind)))
		case codeSection:
			content = extend(count, r.rest, binary.AppendUvarint(nil, uint64(len(body))), body)
		case startSection:
			return errModule
		}
		if r.failed {
			return errModule
		}
		if id > startSection && !placed {
			place()
		}
		out = appendSection(out, id, content)
		return nil
	})
	return out, err
}

// extend returns the content of a section with one item more.
func extend(count int, items []byte, more ...[]byte) []byte {
	content := append(binary.AppendUvarint(nil, uint64(count+1)), items...)
	for _, m := range more {
		content = append(content, m...)
	}
	return content
}
