// Package packed unpacks files that may be compressed by gzip. It is apart from package textfile because the first
// visit of the page goes without a decompressor.
package packed

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"

	"flockscope/sim/textfile"
)

const gzipMagic = "\x1f\x8b"

// Is reports whether data begin like gzip.
func Is(data []byte) bool { return bytes.HasPrefix(data, []byte(gzipMagic)) }

// Read returns a text of at most most bytes, decompressed if it is gzip, and decoded by [textfile.Decode].
func Read(data []byte, most int) ([]byte, error) {
	n := len(data)
	if Is(data) {
		var err error
		if data, n, err = Unpack(data, most); err != nil {
			return nil, fmt.Errorf("the gzip data are damaged after %d unpacked bytes (%w)", n, err)
		}
	}
	if n > most {
		return nil, fmt.Errorf("it has more than %d bytes; expected that at most", most)
	}
	return textfile.Decode(data), nil
}

// NewReader returns a reader of a file, decompressed if it is gzip. Reading reports damage.
func NewReader(from io.Reader) io.Reader {
	in := bufio.NewReader(from)
	if head, _ := in.Peek(len(gzipMagic)); !Is(head) {
		return in
	}
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		return broken{err}
	}
	return unpacked
}

// Head returns what [textfile.Head] does of the first n bytes of a file, decompressed if it is gzip.
func Head(from io.Reader, n int) []byte {
	head := make([]byte, n)
	n, _ = io.ReadFull(NewReader(from), head)
	return textfile.Head(head[:n])
}

// broken is a reader that fails.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }

// ErrMore is the error of Unpack about bytes after the last member.
var ErrMore = errors.New("something else stands behind the gzip data")

// Inflate, unless it is nil, is a faster decompressor. It returns the data, or false if they have
// more than most bytes or are damaged: then the decompressor of Go is used, whose errors say what
// is wrong.
var Inflate func(data []byte, most int) ([]byte, bool)

// Unpack decompresses one or more gzip members. It decompresses them once to count and once to
// keep, so that data that are too large take no memory, and others exactly their size. n is the
// number of bytes, up to most+1, or before an error; out is nil if there are more than most.
func Unpack(data []byte, most int) (out []byte, n int, err error) {
	if Inflate != nil {
		if out, ok := Inflate(data, most); ok {
			return out, len(out), nil
		}
	}
	if n, err = inflate(io.Discard, data, most+1); err != nil || n > most {
		return nil, n, err
	}
	whole := bytes.NewBuffer(make([]byte, 0, n))
	_, err = inflate(struct{ io.Writer }{whole}, data, n) // hide ReadFrom, which allocates more
	return whole.Bytes(), n, err
}

// inflate writes the content of gzip members to w, at most most bytes.
func inflate(w io.Writer, data []byte, most int) (n int, err error) {
	from := bytes.NewReader(data)
	r, err := gzip.NewReader(from)
	if err != nil {
		return 0, err
	}
	buffer := make([]byte, 32<<10)
	for {
		r.Multistream(false)
		wrote, err := io.CopyBuffer(w, io.LimitReader(r, int64(most-n)), buffer)
		if n += int(wrote); err != nil || n == most || from.Len() == 0 {
			return n, err
		}
		if !Is(data[len(data)-from.Len():]) {
			return n, ErrMore
		}
		if err := r.Reset(from); err != nil {
			return n, err
		}
	}
}
