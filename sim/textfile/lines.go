package textfile

import (
	"bufio"
	"bytes"
	"io"
	"iter"
)

// Head returns the beginning of a text as UTF-8, without leading white space. The data may end anywhere in it.
func Head(data []byte) []byte {
	f := formOf(data)
	if data = data[f.mark:]; f.wide {
		data = fromUTF16(data, f.low)
	}
	return bytes.TrimSpace(data)
}

// Lines returns the lines of a text without their ends. Line i has the number i+1; it is valid until the next one.
//
// Unlike [Decode], it does not read invalid UTF-8 as Windows-1252. Programs write UTF-8, so a reader can detect that a
// line is damaged.
func Lines(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		f := formOf(data)
		for line := range f.lines(bytes.NewBuffer(data[f.mark:])) {
			if !yield(line) {
				return
			}
		}
	}
}

// ReadLines is Lines for a text of any length. If there is an error, it is yielded last.
func ReadLines(from io.Reader) iter.Seq2[[]byte, error] {
	in := bufio.NewReaderSize(from, 64<<10)
	head, _ := in.Peek(sniffLength) // the error occurs again when the text is read
	f := formOf(head)
	in.Discard(f.mark)
	return f.lines(in)
}

// source is a [bufio.Reader] or a [bytes.Buffer]. The page has all data in memory and goes without the former.
type source interface {
	ReadByte() (byte, error)
	ReadBytes(end byte) ([]byte, error)
}

// lines returns the lines of a text after its byte order mark. An error is yielded last.
func (f form) lines(in source) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
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
func (f form) line(in source) ([]byte, error) {
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
