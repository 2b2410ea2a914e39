package ingest

import (
	"bytes"
	"cmp"
	"errors"
	"image"
	"image/color"
	_ "image/jpeg" // decodes by the same arithmetic on all machines, which browsers do not promise
	_ "image/png"
	"path"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// Pictures, a PNG or JPEG file each, are labelled in one of two ways:
//
//   - a table of names and labels, such as Kaggle's trainLabels.csv or Tiny-ImageNet's val_annotations.txt;
//   - a folder for each class, perhaps in folders train, val and test. A folder called images within that of a class, or
//     of a part, is passed over, as Tiny-ImageNet has it.
//
// Pictures of one size stay as they are. Others are scaled to squares.

const (
	maxPicturePixels = 1 << 24 // of one file
	maxAllPixels     = 1 << 30 // of all files: decoding more takes minutes
	mostSide         = 128     // of pictures that stay as they are
	scaledSide       = 64      // of pictures that are scaled, at most
)

// isPicture reports whether data begin like a PNG or JPEG file.
func isPicture(data []byte) bool {
	return bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")) || bytes.HasPrefix(data, []byte("\xff\xd8\xff"))
}

// namesPicture reports whether a file has the ending of a picture.
func namesPicture(name string) bool {
	return among(" .png .jpg .jpeg ", strings.ToLower(path.Ext(name)))
}

// picture is a picture with its class.
type picture struct {
	*file
	class string
	image.Config
}

// splitPictures removes tables and other texts from the files if there are pictures.
func (b *bundle) splitPictures() {
	is := func(f *file) bool { return f.kind == &pictureKind }
	if !slices.ContainsFunc(b.files, is) {
		return
	}
	all := b.files
	b.files = nil
	for _, f := range all {
		if f.kind == &tableKind {
			b.tables = append(b.tables, f)
		} else {
			b.files = append(b.files, f)
		}
	}
	if b.columns != nil {
		b.tables = append(b.tables, b.columns)
		b.columns = nil
	}
}

func readPictures(s *dataset.Set, b *bundle) error {
	b.dropClassList()
	pictures, err := b.labelledPictures()
	if err != nil {
		return err
	}
	grey, shape, err := b.pictureShape(pictures)
	if err != nil {
		return err
	}
	s.Shape = shape
	size := shape.Size()
	if total := len(pictures) * size; total > maxUnpackedBytes {
		return say.Errorf("%s: %d pictures of %d × %d have more than %d MB; expected that at most: leave out some folders",
			b.title(), len(pictures), shape.Width, shape.Height, maxUnpackedBytes>>20)
	}
	s.Name = string(b.title())
	data := make([]uint8, len(pictures)*size)
	for i, p := range pictures {
		decoded, _, err := image.Decode(bytes.NewReader(p.data))
		if err != nil {
			return p.errorf("the picture is damaged (%v); expected a whole one: save it again, or leave it out", err)
		}
		drawScaled(data[i*size:(i+1)*size], decoded, shape)
		p.file.data = nil
	}
	for i, p := range pictures {
		k, known := slices.BinarySearchFunc(s.ClassNames, p.class, compareNames)
		if !known {
			s.ClassNames = slices.Insert(s.ClassNames, k, p.class)
		}
		if !p.test {
			s.Train = i + 1
		}
	}
	if s.Classes = len(s.ClassNames); s.Classes > maxClasses {
		return say.Errorf("%s: %d classes of pictures, as folders or labels; expected %d at most", b.title(), s.Classes, maxClasses)
	}
	for _, p := range pictures {
		k, _ := slices.BinarySearchFunc(s.ClassNames, p.class, compareNames)
		s.Label = append(s.Label, uint8(k))
	}
	if grey {
		data = lightOnDark(data, shape)
	}
	s.Rows = &dataset.Pixels{Size: size, Data: data}
	b.nameWords(s.ClassNames)
	return nil
}

// title names the archive of the pictures, or the first picture.
func (b *bundle) title() say.Message {
	return say.Name(param.Plain(cmp.Or(b.files[0].archive, b.files[0].name)))
}

// compareNames compares numbers as numbers, and puts them before other names.
func compareNames(a, b string) int {
	x, wrongX := strconv.Atoi(a)
	y, wrongY := strconv.Atoi(b)
	switch {
	case wrongX == nil && wrongY == nil && x != y:
		return cmp.Compare(x, y)
	case wrongX == nil && wrongY != nil:
		return -1
	case wrongX != nil && wrongY == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

// labelledPictures returns the pictures with their classes, training pictures first.
func (b *bundle) labelledPictures() ([]picture, error) {
	labels, err := b.pictureLabels()
	if err != nil {
		return nil, err
	}
	var pictures []picture
	unlabelled, train, test := 0, false, false
	folders := map[string]bool{}
	for _, f := range b.files {
		p := picture{file: f}
		p.test, p.train, p.valid = false, false, false // names of pictures say nothing
		p.class = p.folders()
		folders[p.class] = p.class != ""
		pictures = append(pictures, p)
	}
	delete(folders, "")
	all := pictures
	pictures = nil
	for _, p := range all {
		for _, key := range p.keys() {
			// A table beside folders of several classes has other things, such as Tiny-ImageNet's boxes.
			if label, known := labels[key]; known && (p.class == "" || len(folders) == 1) {
				p.class = label
				break
			}
		}
		if p.class == "" {
			unlabelled++
			continue
		}
		train, test = train || !p.test && !p.valid, test || p.test
		pictures = append(pictures, p)
	}
	if len(pictures) == 0 {
		return nil, say.Errorf("%s: %s without labels; expected a folder for each class in a zip archive, or a table of names and labels beside them",
			b.title(), say.CountMessage(unlabelled, "picture"))
	}
	if unlabelled > 0 {
		b.ignored = append(b.ignored, say.Messagef("%s without labels", say.CountMessage(unlabelled, "picture")))
	}
	for _, p := range pictures {
		switch {
		case !train: // there is one part only
			p.test = false
		case p.valid && !test:
			p.test = true
		}
		p.valid = p.valid && !p.test
	}
	slices.SortStableFunc(pictures, func(x, y picture) int { return x.order() - y.order() })
	return pictures, nil
}

// folders returns the class of a picture by its folder, "" for none, and sets its part.
func (p *picture) folders() (class string) {
	folders := strings.Split(path.Dir(p.origin), "/")
	at := len(folders) - 1
	if at >= 0 && strings.EqualFold(folders[at], "images") {
		at--
	}
	part := func(name string) bool { return among(partWords, strings.ToLower(name)) }
	if at >= 0 && !part(folders[at]) && folders[at] != "." && folders[at] != "" {
		class = folders[at]
		at--
	}
	for ; at >= 0; at-- {
		switch name := strings.ToLower(folders[at]); {
		case among(testWords, name):
			p.test = true
		case among(validWords, name):
			p.valid = true
		case among(trainWords, name):
			p.train = true
		default:
			continue
		}
		break
	}
	return class
}

// keys are the names that a table may have for a picture: with its folders, and without, and without its ending.
func (f *file) keys() [4]string {
	base := path.Base(f.path)
	stem := strings.TrimSuffix(base, path.Ext(base))
	return [4]string{f.path, path.Join(path.Base(path.Dir(f.path)), base), base, stem}
}

// pictureLabels reads the tables of names and labels. A row counts if one of its values is the name of a picture, as in
// most rows; the label is in the column called label or class, or else in the next one.
func (b *bundle) pictureLabels() (map[string]string, error) {
	known := map[string]int{} // how many pictures have a key
	for _, f := range b.files {
		keys := f.keys()
		slices.Sort(keys[:])
		for _, key := range slices.Compact(keys[:]) {
			known[key]++
		}
	}
	labels := map[string]string{}
	for _, f := range b.tables {
		d, rows, _, err := detect(f.data)
		if err != nil {
			return nil, f.errorf("%s", say.Of(err))
		}
		name, label, read := -1, -1, 0
		err = d.each(rows, func(_ int, row []string) error {
			if name < 0 {
				name = slices.IndexFunc(row, func(text string) bool { return known[strings.ToLower(text)] == 1 })
				if title := slices.IndexFunc(row, func(text string) bool {
					return among(" label class category target ", slug(text))
				}); name < 0 && title >= 0 {
					label = title
				}
			}
			if name < 0 || name >= len(row) || known[strings.ToLower(row[name])] != 1 {
				return nil
			}
			if label < 0 {
				label = 1 - min(name, 1) // the first column but that of names
			}
			if label >= len(row) || row[label] == "" || label == name {
				return say.Errorf("expected the label of %s in column %d", param.Quote(row[name]), label+1)
			}
			labels[strings.ToLower(row[name])] = strings.Clone(param.Plain(row[label]))
			read++
			return nil
		})
		if err != nil {
			return nil, f.errorf("%s", say.Of(err))
		}
		if read == 0 {
			b.ignored = append(b.ignored, say.Name(param.Plain(f.name)))
		}
	}
	return labels, nil
}

// dropClassList ignores a list of the names of folders, such as Tiny-ImageNet's wnids.txt.
func (b *bundle) dropClassList() {
	if b.names == nil {
		return
	}
	folders := map[string]bool{}
	for _, f := range b.files {
		for _, folder := range strings.Split(path.Dir(f.path), "/") {
			folders[folder] = true
		}
	}
	for line := range bytes.Lines(b.names.data) {
		if folders[strings.ToLower(string(bytes.TrimSpace(line)))] {
			b.ignored = append(b.ignored, say.Name(param.Plain(b.names.name)))
			b.names = nil
			return
		}
	}
}

// nameWords replaces names of classes by the words that WordNet has for them, of which the first counts.
func (b *bundle) nameWords(classes []string) {
	if b.words == nil {
		return
	}
	for line := range bytes.Lines(b.words.data) {
		id, words, found := strings.Cut(string(bytes.TrimSpace(line)), "\t")
		if k := slices.Index(classes, id); found && k >= 0 {
			first, _, _ := strings.Cut(words, ",")
			classes[k] = param.Plain(first)
		}
	}
}

// pictureShape checks the sizes of pictures before any is decoded, and returns the shape of all of them, and whether they
// are grey.
func (b *bundle) pictureShape(pictures []picture) (grey bool, shape dataset.Shape, err error) {
	grey, same, least, pixels := true, true, scaledSide, 0
	first := &pictures[0].Config
	for i := range pictures {
		p := &pictures[i]
		p.Config, _, err = image.DecodeConfig(bytes.NewReader(p.data))
		switch {
		case errors.Is(err, image.ErrFormat):
			return false, shape, p.errorf("it is not a PNG or JPEG picture, as its name or beginning says; expected one")
		case err != nil:
			return false, shape, p.errorf("the picture is damaged (%v); expected a whole one: save it again, or leave it out", err)
		case p.Width < 1 || p.Height < 1 || p.Width > maxPicturePixels/p.Height:
			return false, shape, p.errorf("the picture has %d × %d pixels; expected %d at most: make it smaller", p.Width, p.Height,
				maxPicturePixels)
		}
		if pixels += p.Width * p.Height; pixels > maxAllPixels {
			return false, shape, p.errorf("with this picture, all have more than %d million pixels; expected that at most: make them smaller, or leave some out",
				maxAllPixels/1_000_000)
		}
		grey = grey && (p.ColorModel == color.GrayModel || p.ColorModel == color.Gray16Model)
		same = same && p.Width == first.Width && p.Height == first.Height
		least = min(least, p.Width, p.Height)
	}
	channels := 3
	if grey {
		channels = 1
	}
	if same && max(first.Width, first.Height) <= mostSide {
		return grey, dataset.Image(first.Height, first.Width, channels), nil
	}
	b.scaled = say.Messagef("Pictures are cut to squares and scaled to %d × %d", least, least)
	return grey, dataset.Image(least, least, channels), nil
}

// drawScaled writes a picture as bytes: as it is if it has the shape, or else its middle, each pixel the mean of those
// that it covers. Transparent parts are black.
func drawScaled(dst []uint8, picture image.Image, shape dataset.Shape) {
	at, _ := picture.(image.RGBA64Image) // all of the two formats are
	box := picture.Bounds()
	width, height := box.Dx(), box.Dy()
	left, top := box.Min.X, box.Min.Y
	if width != shape.Width || height != shape.Height {
		side := min(width, height)
		left, top = left+(width-side)/2, top+(height-side)/2
		width, height = side, side
	}
	for y := range shape.Height {
		for x := range shape.Width {
			var sum [3]int
			fromX, toX := x*width/shape.Width, max((x+1)*width/shape.Width, x*width/shape.Width+1)
			fromY, toY := y*height/shape.Height, max((y+1)*height/shape.Height, y*height/shape.Height+1)
			for v := fromY; v < toY; v++ {
				for u := fromX; u < toX; u++ {
					c := at.RGBA64At(left+u, top+v)
					sum[0], sum[1], sum[2] = sum[0]+int(c.R), sum[1]+int(c.G), sum[2]+int(c.B)
				}
			}
			for k := range shape.Channels {
				n := (toX - fromX) * (toY - fromY) * 257
				dst[(y*shape.Width+x)*shape.Channels+k] = uint8((sum[k] + n/2) / n)
			}
		}
	}
}
