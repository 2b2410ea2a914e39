package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

const gzipMagic = "\x1f\x8b"

// Unpack returns what is in a file, out of its gzip wrapping if it has one: at most most
// bytes. The error names the file.
func (in *File) Unpack(most int) ([]byte, error) {
	f, err := unpack(in, most, most)
	if err != nil {
		return nil, err
	}
	return f.data, nil
}

// Head returns at most the first n bytes of what is in a file, and fewer also
// where a gzip wrapping is broken: Unpack says why.
func (in *File) Head(n int) []byte {
	r, err := gzip.NewReader(bytes.NewReader(in.Data))
	if err != nil {
		return in.Data[:min(n, len(in.Data))]
	}
	head, _ := io.ReadAll(io.LimitReader(r, int64(n)))
	return head
}

// errMore is what members says of bytes behind the last member.
var errMore = errors.New("dataset: bytes behind gzip")

// Inflate, unless it is nil, is a faster way to take data out of their gzip wrapping. It
// returns what was in there, or false where that is more than most bytes or something is
// the matter with it: then it is tried in Go, which can say what.
var Inflate func(data []byte, most int) ([]byte, bool)

// members unpacks what may be several gzip members in a row. It reads them once to count
// and once to keep, so that what is too large is refused before it takes any memory, and
// the rest takes as much as it is. n is how many bytes there are, up to most+1, or how
// many there were before an error.
func members(data []byte, most int) (out []byte, n int, err error) {
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
		if !bytes.HasPrefix(data[len(data)-from.Len():], []byte(gzipMagic)) {
			return n, errMore
		}
		if err := r.Reset(from); err != nil {
			return n, err
		}
	}
}

// unpack takes a file out of its gzip wrapping, if it has one. It stops at room
// bytes, whatever the wrapping says of its size; all files may have most of them.
func unpack(in *File, room, most int) (*file, error) {
	f := &file{data: in.Data}
	f.describe(in.Name)
	f.transposed = f.transposed || in.Transposed
	if len(in.Data) > MaxFileBytes {
		return nil, f.errorf("it has more than %d MB; expected that at most, packed by gzip if need be",
			MaxFileBytes>>20)
	}
	if bytes.HasPrefix(in.Data, []byte(gzipMagic)) {
		var n int
		var err error
		f.data, n, err = members(in.Data, room)
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
			return nil, f.errorf("the gzip data break off at byte %d, after %d bytes unpacked; expected their end there", len(in.Data), n)
		case errors.Is(err, errMore):
			return nil, f.errorf("something else stands behind the gzip data, of which %d bytes were unpacked; expected their end there", n)
		case err != nil:
			return nil, f.errorf("the gzip data are damaged behind %d bytes unpacked (%v); expected them whole", n, err)
		case n > room:
			return nil, f.errorf("unpacked, the files have more than %d MB; expected that at most", most>>20)
		}
	}
	if len(f.data) > room {
		return nil, f.errorf("the files have more than %d MB; expected that at most", most>>20)
	}
	return f, nil
}
