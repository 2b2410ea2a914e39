package textfile

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

const gzipMagic = "\x1f\x8b"

// IsPacked reports whether data begin as those that gzip packs do.
func IsPacked(data []byte) bool { return bytes.HasPrefix(data, []byte(gzipMagic)) }

// Read returns a text of at most most bytes: out of its gzip wrapping if it has one, as
// [Decode] returns it.
func Read(data []byte, most int) ([]byte, error) {
	n := len(data)
	if IsPacked(data) {
		var err error
		if data, n, err = Unpack(data, most); err != nil {
			return nil, fmt.Errorf("the gzip data are damaged behind %d bytes unpacked (%w)", n, err)
		}
	}
	if n > most {
		return nil, fmt.Errorf("it has more than %d bytes; expected that at most", most)
	}
	return Decode(data), nil
}

// ErrMore is what Unpack says of bytes behind the last member.
var ErrMore = errors.New("something else stands behind the gzip data")

// Inflate, unless it is nil, is a faster way to take data out of their gzip wrapping. It
// returns what was in there, or false where that is more than most bytes or something is
// the matter with it: then it is tried in Go, which can say what.
var Inflate func(data []byte, most int) ([]byte, bool)

// Unpack unpacks what may be several gzip members in a row. It reads them once to count
// and once to keep, so that what is too large is refused before it takes any memory, and
// the rest takes as much as it is. n is how many bytes there are, up to most+1, or how
// many there were before an error; out is nil where there are more than most.
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
	_, err = inflate(struct{ io.Writer }{whole}, data, n) // without ReadFrom, which asks for more room
	return whole.Bytes(), n, err
}

// inflate writes what is in gzip members to w, as far as most bytes.
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
		if !IsPacked(data[len(data)-from.Len():]) {
			return n, ErrMore
		}
		if err := r.Reset(from); err != nil {
			return n, err
		}
	}
}
