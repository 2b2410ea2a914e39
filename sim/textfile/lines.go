package textfile

import (
	"bufio"
	"bytes"
	"io"
	"iter"
)

// open returns a reader of a text after its byte order mark, and its encoding.
func open(from io.Reader) (*bufio.Reader, form) {
	in := bufio.NewReaderSize(from, 64<<10)
	head, _ := in.Peek(sniffLength) // the error occurs again when the text is read
	f := formOf(head)
	in.Discard(f.mark)
	return in, f
}

// Head returns the beginning of a text, as [Lines] reads it, without leading white space: what is
// in the first n bytes and can be read.
func Head(from io.Reader, n int) []byte {
	in, f := open(from)
	head := make([]byte, n)
	n, _ = io.ReadFull(in, head)
	if head = head[:n]; f.wide {
		head = fromUTF16(head, f.low)
	}
	return bytes.TrimSpace(head)
}

// Lines returns the lines of a text without their ends, one at a time, so that a text may be of any length. Line i has
// the number i+1; it is valid until the next one. If there is an error, it is yielded last.
//
// Unlike [Decode], it does not read invalid UTF-8 as Windows-1252. Programs write UTF-8, so a reader can detect that a
// line is damaged.
func Lines(from io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in, f := open(from)
		var err error
		for err == nil {
			var line []byte
			if line, err = f.line(in); len(line) == 0 && err != nil {
				break
			}
			if f.wide {
				line = fromUTF16(line, f.low)
			}
			line = bytes.TrimRight(bytes.TrimSuffix(line, []byte{'\n'}), "\r")
			for part := range bytes.SplitSeq(line, []byte{'\r'}) {
				if !yield(bytes.TrimPrefix(part, []byte(utf8Mark)), nil) {
					return
				}
			}
		}
		if err != io.EOF {
			yield(nil, err)
		}
	}
}

// line reads up to the next LF, inclusive.
func (f form) line(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadBytes('\n')
	for f.wide && err == nil {
		if n := len(line); f.low == 1 && n%2 == 0 && line[n-2] == 0 {
			break
		} else if f.low == 0 && n%2 == 1 {
			var high byte
			if high, err = in.ReadByte(); err != nil {
				break
			}
			if line = append(line, high); high == 0 {
				break
			}
		}
		var more []byte
		more, err = in.ReadBytes('\n')
		line = append(line, more...)
	}
	return line, err
}
