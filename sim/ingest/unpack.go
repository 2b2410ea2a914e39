package ingest

import (
	"errors"
	"io"

	"flockscope/sim/textfile/packed"
)

// Unpack returns the content of a file, without gzip compression: at most `most` bytes. The error names the file.
func (in *File) Unpack(most int) ([]byte, error) {
	f, err := unpack(in, most, most)
	if err != nil {
		return nil, err
	}
	return f.data, nil
}

// unpack decompresses a file if it is compressed by gzip. It stops at room bytes, whatever size the header states; all
// files together may have `most` bytes.
func unpack(in *File, room, most int) (*file, error) {
	f := &file{data: in.Data}
	f.describe(in.Name)
	f.transposed = f.transposed || in.Transposed
	if len(in.Data) > MaxFileBytes {
		return nil, f.errorf("it has more than %d MB; expected that at most, packed by gzip if need be",
			MaxFileBytes>>20)
	}
	if packed.Is(in.Data) {
		var n int
		var err error
		f.data, n, err = packed.Unpack(in.Data, room)
		switch {
		case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
			return nil, f.errorf("the gzip data break off at byte %d, after %d unpacked bytes; expected their "+
				"end there", len(in.Data), n)
		case errors.Is(err, packed.ErrMore):
			return nil, f.errorf("there are other bytes after the gzip data, which have %d unpacked bytes; "+
				"expected the end of the file", n)
		case err != nil:
			return nil, f.errorf("the gzip data are damaged after %d unpacked bytes (%v); expected undamaged "+
				"data", n, err)
		case n > room:
			return nil, f.errorf("unpacked, the files have more than %d MB; expected that at most", most>>20)
		}
	}
	if len(f.data) > room {
		return nil, f.errorf("the files have more than %d MB; expected that at most", most>>20)
	}
	return f, nil
}
