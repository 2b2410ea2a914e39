package ingest

import (
	"bytes"
	"cmp"
	"compress/flate"
	"encoding/binary"
	"hash/crc32"
	"io"
	"path"
	"slices"
	"strings"

	"flockscope/sim/param"
	"flockscope/sim/say"
	"flockscope/sim/textfile/packed"
)

// A zip archive ends in a list of its files (PKWARE, "APPNOTE.TXT", 4.3). Not read: encryption,
// split archives, sizes above 4 GB.
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
	at             int // position of its own header
}

// unzip returns the files in an archive, without folders, hidden files and those that macOS adds.
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
		z := entry{name: name, flags: uint16(number(at+8, 2)), method: uint16(number(at+10, 2)),
			sum:    uint32(number(at+16, 4)),
			packed: number(at+20, 4), actual: number(at+24, 4), at: number(at+42, 4)}
		at += 46 + number(at+28, 2) + number(at+30, 2) + number(at+32, 2)
		if base := path.Base(name); !strings.HasSuffix(name, "/") && !strings.HasPrefix(base, ".") &&
			!strings.HasPrefix(name, "__MACOSX/") {
			out = append(out, z)
		}
	}
	return out, nil
}

// extract returns the content of a file in an archive, at most room bytes.
func (z *entry) extract(f *file, room int) ([]byte, error) {
	data, name := f.data, param.Quote(z.name)
	if z.flags&1 != 0 {
		return nil, f.errorf("%s in it is encrypted; expected it without a password", name)
	}
	if z.at < 0 || z.at+30 > len(data) || string(data[z.at:z.at+4]) != zipMagic {
		return nil, f.errorf("the zip archive is damaged at byte %d; expected %s there", z.at, name)
	}
	from := z.at + 30 + int(binary.LittleEndian.Uint16(data[z.at+26:])) +
		int(binary.LittleEndian.Uint16(data[z.at+28:]))
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
		if _, err := io.Copy(whole, io.LimitReader(flate.NewReader(bytes.NewReader(packed)),
			int64(z.actual)+1)); err != nil {
			return nil, f.errorf("%s in it is damaged after %d unpacked bytes; expected it "+
				"undamaged", name, whole.Len())
		}
		out = whole.Bytes()
	default:
		return nil, f.errorf("%s in it is packed by method %d of zip; expected the usual one, deflate", name, z.method)
	}
	if len(out) != z.actual || crc32.ChecksumIEEE(out) != z.sum {
		return nil, f.errorf("%s in it is damaged: its checksum differs; expected it undamaged", name)
	}
	return out, nil
}

// maxEntries is the most files of an archive, without pictures.
const maxEntries = 100

func (f *file) isZip() bool {
	return bytes.HasPrefix(f.data, []byte(zipMagic)) && !spreadsheet(f.ending)
}

// addArchive adds the files of a zip archive, which must be of one set, and of an archive in it, as
// in UCI's. Unknown kinds of files are ignored, and so are copies of a table.
func (b *bundle) addArchive(f *file, nested bool) error {
	all, err := unzip(f)
	if err != nil {
		return err
	}
	entries := besideLabels(all)
	others := 0
	for _, z := range entries {
		if !IsPicture(z.name) {
			others++
		}
	}
	switch {
	case len(entries) == 0:
		return f.errorf("the zip archive has no file in it; expected one")
	case others > maxEntries:
		return f.errorf("it is a zip archive of %d files; expected %d at most: unpack it, and open the files that belong together",
			len(entries), maxEntries)
	}
	if len(entries) < len(all) {
		b.ignored = append(b.ignored, say.Messagef("%d files of %s", len(all)-len(entries), param.Plain(f.name)))
	}
	before, added := len(b.files), 0
	var names []say.Message
	var wrong error // the first error
	for _, z := range entries {
		data, err := z.extract(f, b.budget)
		if err != nil {
			return err
		}
		b.budget -= len(data) // also for ignored files, because they take time
		in := &file{data: data}
		if packed.Is(data) {
			if in, err = unpack(&File{Name: z.name, Data: data}, b.budget, maxUnpackedBytes); err != nil {
				return err
			}
		}
		in.describe(z.name)
		in.name, in.archive = Title(f.name+" › "+path.Base(z.name)), f.name
		in.transposed = in.transposed || f.transposed
		if f.ending == ".npz" { // the folder of an NPZ file counts, not the names in it
			in.source, in.path = f.stem, path.Join(path.Dir(f.path), path.Base(in.path))
		}
		if !in.train && !in.test && !in.valid { // names in the archive take precedence over its own
			in.train, in.test, in.valid = f.train, f.test, f.valid
		}
		switch {
		case in.isZip() && nested:
			err = b.addArchive(in, false)
		case len(entries) > 1 && in.isDocumentation():
			names = append(names, say.Name(param.Plain(path.Base(z.name))))
			continue
		default:
			err = b.add(in)
		}
		if err == nil {
			added++
			continue
		}
		names = append(names, say.Name(param.Plain(path.Base(z.name))))
		wrong = cmp.Or(wrong, err)
	}
	switch {
	case added == 0 && len(entries) == 1:
		return wrong
	case added == 0:
		return f.errorf("it is a zip archive of %d files, all of unknown kinds: %s; expected %s",
			len(entries), listed(names), readable)
	}
	b.ignored = append(b.ignored, names...)
	b.dropCopies(before)
	return nil
}

// besideLabels returns the files that belong to a set according to their names. If there is a file of labels such as
// y_train.txt, files in subfolders of its folder are other measurements, as in UCI's HAR.
func besideLabels(all []entry) []entry {
	var folders []string
	for _, z := range all {
		var f file
		if f.describe(z.name); slices.Contains(arrayLabels, f.stem) {
			folders = append(folders, path.Dir(z.name)+"/")
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(z entry) bool {
		return slices.ContainsFunc(folders, func(folder string) bool {
			return folder != "./" && strings.HasPrefix(path.Dir(z.name), folder)
		})
	})
}

// dropCopies removes tables with nearly the same lines as another, such as bezdekIris.data in UCI's iris. It looks at
// files from an index on. The file with the shorter name stays.
func (b *bundle) dropCopies(from int) {
	const most = 16 << 20 // bytes that are compared
	for i := len(b.files) - 1; i >= from; i-- {
		f := b.files[i]
		if f.kind != &tableKind || len(f.data) > most {
			continue
		}
		lines := map[string]bool{}
		for line := range bytes.Lines(f.data) {
			lines[string(bytes.TrimSpace(line))] = true
		}
		if slices.ContainsFunc(b.files, func(o *file) bool {
			if o == f || o.kind != f.kind || len(o.stem) > len(f.stem) || len(lines) < 10 ||
				len(o.data) > len(f.data)*5/4 || len(f.data) > len(o.data)*5/4 {
				return false
			}
			same, n := 0, 0
			for line := range bytes.Lines(o.data) {
				if n++; lines[string(bytes.TrimSpace(line))] {
					same++
				}
			}
			return same*10 >= n*9
		}) {
			b.files = slices.Delete(b.files, i, i+1)
			b.ignored = append(b.ignored, say.Name(param.Plain(f.name)))
		}
	}
}
