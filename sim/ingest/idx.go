package ingest

import (
	"encoding/binary"
	"path"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/say"
)

// An IDX file, the format of MNIST (LeCun, Cortes and Burges, "The MNIST
// database of handwritten digits"), is two zero bytes, the type of its entries,
// the number of dimensions, each dimension as four bytes, highest first, and
// the entries. Here the type is 8, unsigned bytes, and there are one dimension,
// labels, or three: images, rows, columns.
type idx struct {
	*file
	count, height, width int // height and width of labels are 1
	entries              []uint8
}

// idxTypes are the types of entries in the format.
var idxTypes = map[byte]say.Message{8: "unsigned bytes", 9: "signed bytes", 11: "16-bit numbers", 12: "32-bit numbers",
	13: "32-bit floating-point numbers", 14: "64-bit floating-point numbers"}

func idxMagic(data []byte) bool {
	return len(data) >= 4 && data[0] == 0 && data[1] == 0 && idxTypes[data[2]] != "" && data[3] >= 1 && data[3] <= 4
}

// isIDX reports whether data are one whole IDX file of bytes.
func isIDX(data []byte) bool {
	if !idxMagic(data) || data[2] != 8 || len(data) < 4+4*int(data[3]) {
		return false
	}
	head := 4 + 4*int(data[3])
	size := uint64(1)
	for at := 4; at < head; at += 4 {
		// The bound is above any length here and keeps the product from overflowing.
		size = min(size*uint64(binary.BigEndian.Uint32(data[at:])), 1<<31)
	}
	return size == uint64(len(data)-head)
}

// parseIDX checks a header against the file's length.
func parseIDX(f *file) (*idx, error) {
	data := f.data
	if data[2] != 8 {
		return nil, f.errorf("byte 2 is %d, for %s; expected 8, for unsigned bytes", data[2], idxTypes[data[2]])
	}
	if data[3] != 1 && data[3] != 3 {
		return nil, f.errorf("byte 3 declares %d dimensions; expected 1 for labels or 3 for images", data[3])
	}
	head := 4 + 4*int(data[3])
	if len(data) < head {
		return nil, f.errorf("the header breaks off at byte %d; expected %d bytes of it", len(data), head)
	}
	p := &idx{file: f, height: 1, width: 1, entries: data[head:]}
	dims := [3]uint32{1, 1, 1}
	for d := range int(data[3]) {
		dims[d] = binary.BigEndian.Uint32(data[4+4*d:])
		if dims[d] == 0 {
			return nil, f.errorf("the number at byte %d is 0; expected 1 at least", 4+4*d)
		}
	}
	if size := uint64(dims[1]) * uint64(dims[2]); size > maxFeatures {
		return nil, f.errorf("byte 8 begins a size of %d × %d pixels; expected %d pixels at most", dims[1], dims[2],
			maxFeatures)
	}
	p.height, p.width = int(dims[1]), int(dims[2])
	if !isIDX(data) {
		if data[3] == 1 {
			return nil, f.errorf("byte 4 declares %d labels; expected as many bytes after byte %d, found %d", dims[0],
				head, len(p.entries))
		}
		return nil, f.errorf("byte 4 declares %d images of %d × %d; expected %d bytes after byte %d, found %d",
			dims[0], dims[1], dims[2], uint64(dims[0])*uint64(dims[1])*uint64(dims[2]), head, len(p.entries))
	}
	p.count = int(dims[0])
	return p, nil
}

func (p *idx) labels() bool { return p.data[3] == 1 }

// shape returns the shape of the upright images.
func (p *idx) shape() dataset.Shape {
	if p.transposed {
		return dataset.Image(p.width, p.height, 1)
	}
	return dataset.Image(p.height, p.width, 1)
}

func readIDX(s *dataset.Set, b *bundle) error {
	folders := splitFolders(b.files)
	var pairs []idxPair
	for _, files := range folders {
		of, err := matchLabels(files)
		if err != nil {
			return err
		}
		pairs = append(pairs, of...)
	}
	slices.SortStableFunc(pairs, func(x, y idxPair) int { return x.images.order() - y.images.order() })
	first := pairs[0].images
	s.Shape = first.shape()
	var data []uint8
	var of roster
	for _, pair := range pairs {
		x := pair.images
		for range x.count {
			of.add(path.Base(path.Dir(x.origin)))
		}
		if x.shape() != s.Shape {
			return x.errorf("byte 8 begins a size of %d × %d; expected %d × %d as in %s", x.height, x.width,
				first.height, first.width, first.name)
		}
		switch {
		case x.transposed:
			data = appendTransposed(data, x)
		case len(pairs) == 1:
			data = slices.Clip(x.entries)
		default:
			data = append(slices.Grow(data, len(x.entries)), x.entries...)
		}
		s.Label = append(s.Label, pair.labels.entries...)
		if !x.test {
			s.Train = len(s.Label)
		}
	}
	s.Rows = &dataset.Pixels{Size: s.Shape.Size(), Data: lightOnDark(data, s.Shape)}
	b.number(s, slices.Min(s.Label), b.files[0].path)
	if b.writers != nil {
		return readWriters(s, b.writers)
	}
	if len(folders) == 1 {
		return nil
	}
	domains(s, &of)
	for _, files := range folders[1:] {
		for k, name := range knownNames(b.firstLabel, s.Classes, files[0].path) {
			if !slices.Contains(strings.Split(s.ClassNames[k], " or "), name) {
				s.ClassNames[k] += " or " + name
			}
		}
	}
	return nil
}

// splitFolders returns the files of each folder if folders have files of the same name and part: these are sets of
// their own, as MNIST and Fashion-MNIST are. Otherwise all files are one set.
func splitFolders(files []*file) (sets [][]*file) {
	folder := func(f *file) string { return path.Dir(f.origin) }
	same := slices.ContainsFunc(files, func(f *file) bool {
		return slices.ContainsFunc(files, func(g *file) bool {
			return folder(f) != folder(g) && path.Base(f.path) == path.Base(g.path) && f.test == g.test
		})
	})
	if !same {
		return [][]*file{files}
	}
	for _, f := range files {
		at := slices.IndexFunc(sets, func(set []*file) bool { return folder(set[0]) == folder(f) })
		if at < 0 {
			sets, at = append(sets, nil), len(sets)
		}
		sets[at] = append(sets[at], f)
	}
	return sets
}

type idxPair struct{ images, labels *idx }

// matchLabels finds the labels of each file of images: training labels for training images, test labels
// for test images. With one file of each, names do not matter.
func matchLabels(files []*file) ([]idxPair, error) {
	var images, labels []*idx
	for _, f := range files {
		p, err := parseIDX(f)
		if err != nil {
			return nil, err
		}
		if p.labels() {
			labels = append(labels, p)
		} else {
			images = append(images, p)
		}
	}
	if len(images) == 0 {
		return nil, labels[0].errorf("it has %d labels without images; expected a file of images too",
			labels[0].count)
	}
	single := len(images) == 1 && len(labels) == 1
	var pairs []idxPair
	for i, x := range images {
		if i > 0 && images[i-1].test == x.test {
			return nil, x.errorf("by its name it has the same part as %s; expected one file with test in its name",
				images[i-1].name)
		}
		var y *idx
		for _, l := range labels {
			if l.test != x.test && !single {
				continue
			}
			if y != nil {
				return nil, l.errorf("by its name it labels the same images as %s; expected one file with test in its name", y.name)
			}
			y = l
		}
		if y == nil {
			return nil, x.errorf("it has %d images without labels; expected a file of labels too",
				x.count)
		}
		if x.count != y.count {
			return nil, y.errorf("byte 4 declares %d labels; expected %d, as many as the images in %s", y.count,
				x.count, x.name)
		}
		pairs = append(pairs, idxPair{x, y})
	}
	for _, l := range labels {
		if !slices.ContainsFunc(pairs, func(p idxPair) bool { return p.labels == l }) {
			return nil, l.errorf("it has %d labels without images; expected a file of images too",
				l.count)
		}
	}
	return pairs, nil
}

// appendTransposed appends the transposed images.
func appendTransposed(data []uint8, x *idx) []uint8 {
	size := x.height * x.width
	data = slices.Grow(data, len(x.entries))
	for i := range x.count {
		image := x.entries[i*size : (i+1)*size]
		for r := range x.width {
			for c := range x.height {
				data = append(data, image[c*x.width+r])
			}
		}
	}
	return data
}

// number makes classes from numeric labels, from low to the largest. For example, EMNIST's letters begin with 1.
func (b *bundle) number(s *dataset.Set, low uint8, path string) {
	high := slices.Max(s.Label)
	if low > 0 {
		s.Label = slices.Clone(s.Label) // a copy, because it may be a file's data
		for i := range s.Label {
			s.Label[i] -= low
		}
	}
	s.Classes, b.firstLabel = int(high-low)+1, int(low)
	s.ClassNames = knownNames(b.firstLabel, s.Classes, path)
}

const (
	numerals = "0123456789"
	capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	smalls   = "abcdefghijklmnopqrstuvwxyz"
	unmerged = "abdefghnqrt" // small letters that EMNIST does not merge with their capitals
)

// knownNames returns class names of well-known sets, otherwise the labels, which begin with low.
// The path of the first file helps. EMNIST's are those of Cohen, Afshar, Tapson and van Schaik,
// "EMNIST: an extension of MNIST to handwritten letters", 2017.
func knownNames(low, classes int, path string) []string {
	switch {
	case low == 0 && classes == 62: // EMNIST by class, FEMNIST
		return strings.Split(numerals+capitals+smalls, "")
	case low == 0 && classes == 47: // EMNIST by merge and balanced
		return strings.Split(numerals+capitals+unmerged, "")
	case low == 1 && classes == 26: // EMNIST letters
		return strings.Split(capitals, "")
	case low == 0 && classes == 10 && strings.Contains(path, "fashion"):
		return slices.Clone(dataset.GarmentNames)
	}
	names := make([]string, classes)
	for k := range names {
		names[k] = strconv.Itoa(low + k)
	}
	return names
}
