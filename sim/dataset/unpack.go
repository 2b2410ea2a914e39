package dataset

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

// Unpack returns what is in a file, out of its gzip wrapping if it has one. The
// error names the file.
func (in *File) Unpack() ([]byte, error) {
	f, err := unpack(in, maxUnpackedBytes)
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

// members unpacks what may be several gzip members in a row, as far as most bytes.
func members(data []byte, most int) ([]byte, error) {
	if Inflate != nil {
		if out, ok := Inflate(data, most); ok {
			return out, nil
		}
	}
	from := bytes.NewReader(data)
	r, err := gzip.NewReader(from)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for {
		r.Multistream(false)
		if _, err := out.ReadFrom(io.LimitReader(r, int64(most-out.Len()))); err != nil || out.Len() == most || from.Len() == 0 {
			return out.Bytes(), err
		}
		if !bytes.HasPrefix(data[len(data)-from.Len():], []byte{0x1f, 0x8b}) {
			return out.Bytes(), errMore
		}
		if err := r.Reset(from); err != nil {
			return out.Bytes(), err
		}
	}
}

// unpack takes a file out of its gzip wrapping, if it has one. It stops at room
// bytes, whatever the wrapping says of its size.
func unpack(in *File, room int) (*file, error) {
	f := &file{data: in.Data}
	f.describe(in.Name)
	f.transposed = f.transposed || in.Transposed
	if len(in.Data) > MaxFileBytes {
		return nil, f.errorf("it has more than %d MB; expected that at most, packed by gzip if need be", MaxFileBytes>>20)
	}
	if bytes.HasPrefix(in.Data, []byte{0x1f, 0x8b}) {
		var err error
		f.data, err = members(in.Data, room+1)
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
			return nil, f.errorf("the gzip data break off at byte %d, after %d bytes unpacked; expected their end there", len(in.Data), len(f.data))
		case errors.Is(err, errMore):
			return nil, f.errorf("something else stands behind the gzip data, of which %d bytes were unpacked; expected their end there", len(f.data))
		case err != nil:
			return nil, f.errorf("the gzip data are damaged behind %d bytes unpacked (%v); expected them whole", len(f.data), err)
		}
	}
	if len(f.data) > room {
		return nil, f.errorf("unpacked, the files have more than %d MB; expected that at most", maxUnpackedBytes>>20)
	}
	return f, nil
}
