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

// unpack takes a file out of its gzip wrapping, if it has one. It stops at room
// bytes, whatever the wrapping says of its size.
func unpack(in *File, room int) (*file, error) {
	f := &file{data: in.Data}
	f.describe(in.Name)
	f.transposed = f.transposed || in.Transposed
	if len(in.Data) > MaxFileBytes {
		return nil, f.errorf("it has %d MB; expected %d MB at most", len(in.Data)>>20, MaxFileBytes>>20)
	}
	if bytes.HasPrefix(in.Data, []byte{0x1f, 0x8b}) {
		r, err := gzip.NewReader(bytes.NewReader(in.Data))
		f.data = nil
		if err == nil {
			f.data, err = io.ReadAll(io.LimitReader(r, int64(room)+1))
		}
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
			return nil, f.errorf("the gzip data break off at byte %d, after %d bytes unpacked; expected their end there", len(in.Data), len(f.data))
		case err != nil:
			return nil, f.errorf("the gzip data are damaged behind %d bytes unpacked (%v); expected them whole", len(f.data), err)
		}
	}
	if len(f.data) > room {
		return nil, f.errorf("unpacked, the files have more than %d MB; expected that at most", maxUnpackedBytes>>20)
	}
	return f, nil
}
