package dataset

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
	"path"
	"slices"
	"strings"

	"flockscope/sim/param"
)

// A zip archive ends in a list of its files (PKWARE, "APPNOTE.TXT", 4.3). Only what such
// files need is read: no encryption, no parts, no sizes beyond 4 GB.
const (
	zipMagic   = "PK\x03\x04"
	zipEntry   = "PK\x01\x02"
	zipEnd     = "PK\x05\x06"
	zipEndSize = 22
)

// entry is a file in an archive.
type entry struct {
	name           string
	method         uint16
	flags          uint16
	sum            uint32
	packed, actual int
	at             int // of its own header
}

// unzip returns the files in an archive that are of the user's: no folders, and nothing
// that a computer of Apple's puts there.
func unzip(f *file) ([]entry, error) {
	data := f.data
	end := bytes.LastIndex(data[max(0, len(data)-zipEndSize-1<<16):], []byte(zipEnd))
	if end < 0 || len(data)-end < zipEndSize {
		return nil, f.errorf("the zip archive breaks off at byte %d; expected the list of its files there", len(data))
	}
	end += max(0, len(data)-zipEndSize-1<<16)
	if len(data)-end < zipEndSize {
		return nil, f.errorf("the zip archive breaks off at byte %d; expected the list of its files there", len(data))
	}
	number := func(at, n int) int {
		if n == 2 {
			return int(binary.LittleEndian.Uint16(data[at:]))
		}
		return int(binary.LittleEndian.Uint32(data[at:]))
	}
	var out []entry
	at := number(end+16, 4)
	for range number(end+10, 2) {
		if at < 0 || at+46 > end || string(data[at:at+4]) != zipEntry || at+46+number(at+28, 2) > end {
			return nil, f.errorf("the list of files in the zip archive is damaged at byte %d; expected an entry there", at)
		}
		name := string(data[at+46 : at+46+number(at+28, 2)])
		z := entry{name: name, flags: uint16(number(at+8, 2)), method: uint16(number(at+10, 2)), sum: uint32(number(at+16, 4)),
			packed: number(at+20, 4), actual: number(at+24, 4), at: number(at+42, 4)}
		at += 46 + number(at+28, 2) + number(at+30, 2) + number(at+32, 2)
		if base := path.Base(name); !strings.HasSuffix(name, "/") && !strings.HasPrefix(base, ".") &&
			!strings.HasPrefix(name, "__MACOSX/") {
			out = append(out, z)
		}
	}
	return out, nil
}

// extract returns what is in a file of an archive, at most room bytes.
func (z *entry) extract(f *file, room int) ([]byte, error) {
	data, name := f.data, param.Quote(z.name)
	if z.flags&1 != 0 {
		return nil, f.errorf("%s in it is encrypted; expected it without a password", name)
	}
	if z.at < 0 || z.at+30 > len(data) || string(data[z.at:z.at+4]) != zipMagic {
		return nil, f.errorf("the zip archive is damaged at byte %d; expected %s there", z.at, name)
	}
	from := z.at + 30 + int(binary.LittleEndian.Uint16(data[z.at+26:])) + int(binary.LittleEndian.Uint16(data[z.at+28:]))
	if z.packed > len(data)-from || from > len(data) {
		return nil, f.errorf("the zip archive breaks off in %s; expected %d bytes of it", name, z.packed)
	}
	if z.actual > room {
		return nil, f.errorf("unpacked, %s in it has more than %d MB; expected that at most", name, room>>20)
	}
	packed := data[from : from+z.packed]
	out := packed
	switch z.method {
	case 0:
	case 8:
		whole := bytes.NewBuffer(make([]byte, 0, min(z.actual, 1100*len(packed))+bytes.MinRead))
		if _, err := io.Copy(whole, io.LimitReader(flate.NewReader(bytes.NewReader(packed)), int64(z.actual)+1)); err != nil {
			return nil, f.errorf("%s in it is damaged behind %d bytes unpacked; expected it whole", name, whole.Len())
		}
		out = whole.Bytes()
	default:
		return nil, f.errorf("%s in it is packed by method %d of zip; expected the usual one, deflate", name, z.method)
	}
	if len(out) != z.actual || crc32.ChecksumIEEE(out) != z.sum {
		return nil, f.errorf("%s in it is damaged: its checksum differs; expected it whole", name)
	}
	return out, nil
}

// inside returns the files that a zip archive stands for: the only one in it, or the
// arrays of a NumPy archive (.npz).
func inside(f *file, room int) ([]*file, error) {
	entries, err := unzip(f)
	if err != nil {
		return nil, err
	}
	arrays := !slices.ContainsFunc(entries, func(z entry) bool { return !strings.HasSuffix(z.name, ".npy") })
	var names []string
	for _, z := range entries {
		names = append(names, path.Base(z.name))
	}
	if len(entries) == 0 {
		return nil, f.errorf("the zip archive has no file in it; expected one")
	}
	if len(entries) > 1 && !arrays {
		list := strings.Join(names[:min(3, len(names))], ", ")
		if len(names) > 3 {
			list += " …"
		}
		return nil, f.errorf("it is a zip archive of %d files; expected one file in it, found %s; unpack it, and open the files that belong together", len(entries), param.Plain(list))
	}
	var out []*file
	for _, z := range entries {
		data, err := z.extract(f, room)
		if err != nil {
			return nil, err
		}
		room -= len(data)
		in := &file{data: data, transposed: f.transposed}
		in.describe(z.name)
		if !arrays {
			in.test = in.test || f.test
		}
		in.name = Title(f.name + " › " + path.Base(z.name))
		out = append(out, in)
	}
	return out, nil
}
