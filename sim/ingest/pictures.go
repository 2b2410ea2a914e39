package ingest

import (
	"bytes"
	"cmp"
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

// IsPicture reports whether the name of a file has the ending of a picture.
func IsPicture(name string) bool {
	return among(" .png .jpg .jpeg ", strings.ToLower(path.Ext(name)))
}

// pictureSize is what is known of a picture before its pixels are read.
type pictureSize struct {
	width, height int
	grey          bool
}

// sizeOf reads the size of a picture.
func sizeOf(data []byte) (pictureSize, error) {
	c, _, err := image.DecodeConfig(bytes.NewReader(data))
	return pictureSize{c.Width, c.Height, c.ColorModel == color.GrayModel || c.ColorModel == color.Gray16Model}, err
}

// decode returns the pixels of a picture: red, green and blue of each. Transparent parts become black.
func decode(data []byte, size pictureSize) ([]uint8, error) {
	picture, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	out := make([]uint8, 0, 3*size.width*size.height)
	at, _ := picture.(image.RGBA64Image) // all of package image are
	for y := range size.height {
		for x := range size.width {
			c := at.RGBA64At(x, y)
			out = append(out, uint8(c.R>>8), uint8(c.G>>8), uint8(c.B>>8))
		}
	}
	return out, nil
}

// splitPictures removes tables and other texts from the files if there are pictures.
func (b *bundle) splitPictures() {
	is := func(f *file) bool { return f.kind == &pictureKind }
	if !slices.ContainsFunc(b.files, is) {
		if b.words != nil && len(b.files) > 0 {
			b.ignored = append(b.ignored, say.Name(param.Plain(b.words.name)))
		}
		return
	}
	b.noWords = nil
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
	sizes, shape, err := b.pictureShape(pictures)
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
		pixels, err := decode(p.data, sizes[i])
		if err != nil {
			return p.errorf("the picture is damaged (%v); expected a whole one: save it again, or leave it out", say.Of(err))
		}
		drawScaled(data[i*size:(i+1)*size], pixels, sizes[i], shape)
		p.data = nil
	}
	number := map[string]int{}
	for i, p := range pictures {
		if _, known := number[p.class]; !known {
			number[p.class] = 0
			s.ClassNames = append(s.ClassNames, p.class)
		}
		if !p.test {
			s.Train = i + 1
		}
	}
	slices.SortFunc(s.ClassNames, compareNames)
	for k, class := range s.ClassNames {
		number[class] = k
	}
	if s.Classes = len(s.ClassNames); s.Classes > maxClasses {
		return say.Errorf("%s: %d classes of pictures, as folders or labels; expected %d at most", b.title(), s.Classes, maxClasses)
	}
	for _, p := range pictures {
		s.Label = append(s.Label, uint8(number[p.class]))
	}
	if shape.Channels == 1 {
		data = lightOnDark(data, shape)
	}
	s.Rows = &dataset.Pixels{Size: size, Data: data}
	b.nameWords(s.ClassNames)
	return nil
}

// title names the archive of the pictures, or their folder, or the first picture.
func (b *bundle) title() say.Message {
	folder := path.Dir(b.files[0].origin)
	for _, f := range b.files {
		for folder != "." && folder != "/" && !strings.HasPrefix(f.origin, folder+"/") {
			folder = path.Dir(folder)
		}
	}
	return say.Name(param.Plain(cmp.Or(b.files[0].archive, strings.Trim(path.Base(folder), "./"), b.files[0].name)))
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
func (b *bundle) labelledPictures() ([]*file, error) {
	labels, err := b.pictureLabels()
	if err != nil {
		return nil, err
	}
	unlabelled, train, test := 0, false, false
	folders := map[string]bool{}
	for _, p := range b.files {
		p.test, p.train, p.valid = false, false, false // names of pictures say nothing
		if p.class = p.folders(); p.class != "" {
			folders[p.class] = true
		}
	}
	var pictures []*file
	for _, p := range b.files {
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
	slices.SortStableFunc(pictures, func(x, y *file) int { return x.order() - y.order() })
	return pictures, nil
}

// folders returns the class of a picture by its folder, "" for none, and sets its part.
func (p *file) folders() (class string) {
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

// pictureShape checks the sizes of pictures before any is decoded, and returns them, and the shape of all pictures. Their
// shape has one channel if all are grey.
func (b *bundle) pictureShape(pictures []*file) (sizes []pictureSize, shape dataset.Shape, err error) {
	grey, same, least, pixels := true, true, scaledSide, 0
	for _, p := range pictures {
		size, err := sizeOf(p.data)
		switch {
		case err != nil:
			return nil, shape, p.errorf("the picture is damaged (%v); expected a whole one: save it again, or leave it out", say.Of(err))
		case size.width < 1 || size.height < 1 || size.width > maxPicturePixels/size.height:
			return nil, shape, p.errorf("the picture has %d × %d pixels; expected %d at most: make it smaller", size.width,
				size.height, maxPicturePixels)
		}
		if pixels += size.width * size.height; pixels > maxAllPixels {
			return nil, shape, p.errorf("with this picture, all have more than %d million pixels; expected that at most: make them smaller, or leave some out",
				maxAllPixels/1_000_000)
		}
		sizes = append(sizes, size)
		grey = grey && size.grey
		same = same && size.width == sizes[0].width && size.height == sizes[0].height
		least = min(least, size.width, size.height)
	}
	channels := 3
	if grey {
		channels = 1
	}
	if same && max(sizes[0].width, sizes[0].height) <= mostSide {
		return sizes, dataset.Image(sizes[0].height, sizes[0].width, channels), nil
	}
	b.scaled = say.Messagef("Pictures are cut to squares and scaled to %d × %d", least, least)
	return sizes, dataset.Image(least, least, channels), nil
}

// drawScaled writes a picture as bytes: as it is if it has the shape, or else its middle, each pixel the mean of those
// that it covers.
func drawScaled(dst, pixels []uint8, size pictureSize, shape dataset.Shape) {
	width, height := size.width, size.height
	left, top := 0, 0
	if width != shape.Width || height != shape.Height {
		side := min(width, height)
		left, top = (width-side)/2, (height-side)/2
		width, height = side, side
	}
	for at := range dst {
		pixel, k := at/shape.Channels, at%shape.Channels
		x, y := pixel%shape.Width, pixel/shape.Width
		fromX, toX := x*width/shape.Width, (x+1)*width/shape.Width
		fromY, toY := y*height/shape.Height, (y+1)*height/shape.Height
		sum, n := 0, (toX-fromX)*(toY-fromY)
		for v := fromY; v < toY; v++ {
			for u := fromX; u < toX; u++ {
				sum += int(pixels[3*((top+v)*size.width+left+u)+k])
			}
		}
		dst[at] = uint8((sum + n/2) / n)
	}
}
