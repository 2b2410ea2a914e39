package ingest

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/ingest/pickle"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// An array of NumPy (the NPY format, numpy.lib.format) consists of a magic string, a version, the length of a header, a
// header that is a dictionary of Python, and the numbers.
const arrayMagic = "\x93NUMPY"

// array is one array of NumPy.
type array struct {
	*file
	shape  []int
	kind   byte // f, i, u, b or U
	size   int  // bytes per number
	order  binary.ByteOrder
	data   []byte
	texts  []string // for lists of texts, instead of data
	source string   // the NPZ or pickle file of the array, which may be that of one client
}

// unpickle reads the arrays in a pickled array of objects; nil if the program does not read pickles.
var unpickle func(f *file, object []byte) ([]*array, error)

// ReadPickles turns on reading of pickled arrays. A program that does not call it, such as the
// page, is 6 KB smaller.
func ReadPickles() { unpickle = readPickle }

// openArrays reads the arrays of a file: one, or those of a pickle in it.
func openArrays(f *file) ([]*array, error) {
	a, object, err := openArray(f)
	switch {
	case err != nil:
		return nil, err
	case object == nil:
		a.source = f.source
		return []*array{a}, nil
	case unpickle != nil:
		return unpickle(f, object)
	}
	return nil, f.unpickled(say.Errorf("it has pickled Python objects, which the flock command reads and the " +
		"page does not"))
}

// unpickled adds advice to an error about a pickle.
func (f *file) unpickled(err error) error {
	return f.errorf("%s; in Python, save the arrays themselves: numpy.savez(\"plain.npz\", x=x, y=y)", err)
}

// readPickle reads the arrays of a pickle. A dictionary has the samples and labels of one client.
func readPickle(f *file, object []byte) ([]*array, error) {
	keys, arrays, err := pickle.Arrays(object, func(key string) bool {
		return slices.Contains(slices.Concat(arraySamples, arrayLabels, arrayClients), strings.ToLower(key))
	})
	if err != nil {
		return nil, f.unpickled(err)
	}
	var out []*array
	for i, from := range arrays {
		a := &array{file: f, shape: from.Shape, kind: from.Kind, size: from.Size, order: from.Order, data: from.Data,
			texts: from.Texts}
		if keys[i] != "" {
			part := *f
			part.stem = strings.ToLower(keys[i])
			a.file, a.source = &part, cmp.Or(f.source, f.stem)
		}
		switch {
		case len(a.shape) == 0 || slices.Contains(a.shape, 0):
			return nil, f.errorf("it has no samples")
		case a.texts != nil:
			a.kind, a.size = 'U', 0
		case from.Fortran && len(a.shape) > 1:
			a.transpose(len(a.data) / a.size)
		}
		out = append(out, a)
	}
	return out, nil
}

// openArray reads the header of an array, and checks that its data are complete. Of an array of
// objects it returns the pickle.
func openArray(f *file) (_ *array, object []byte, err error) {
	const lead = len(arrayMagic) + 2
	data := f.data
	if len(data) < lead+4 {
		return nil, nil, f.errorf("the header of the NumPy array breaks off at byte %d", len(data))
	}
	from, length := lead+2, int(binary.LittleEndian.Uint16(data[lead:]))
	if data[lead-2] > 1 {
		from, length = lead+4, int(binary.LittleEndian.Uint32(data[lead:]))
	}
	if length > 1<<16 || from+length > len(data) {
		return nil, nil, f.errorf("the header of the NumPy array breaks off at byte %d", len(data))
	}
	header := string(data[from : from+length])
	a := &array{file: f, data: data[from+length:]}
	descr := quotedAfter(header, "'descr':")
	if descr == "|O" {
		return nil, data[from+length:], nil
	}
	if len(descr) < 3 || !strings.Contains("<>|=", descr[:1]) {
		return nil, nil, f.errorf("its numbers are of the type %s; expected an array of numbers", param.Quote(descr))
	}
	a.order = binary.LittleEndian
	if descr[0] == '>' {
		a.order = binary.BigEndian
	}
	var ok bool
	if a.kind, a.size, ok = pickle.Type(descr[1:]); !ok {
		return nil, nil, f.errorf("its values are of the type %s; expected numbers, or short texts for labels: save it with array.astype('float32')", param.Quote(descr))
	}
	_, shape, _ := strings.Cut(header, "'shape':")
	shape, _, _ = strings.Cut(strings.TrimLeft(shape, " ("), ")")
	all := 1
	for part := range strings.SplitSeq(shape, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.Atoi(strings.TrimSuffix(part, "L"))
		if err != nil || n < 0 || n > 1<<31-1 || len(a.shape) == 6 {
			return nil, nil, f.errorf("its shape is %s; expected a list of sizes", param.Quote(shape))
		}
		a.shape = append(a.shape, n)
		if all *= n; all > len(a.data) {
			break
		}
	}
	if all > len(a.data) || all*a.size > len(a.data) {
		return nil, nil, f.errorf("its shape (%s) needs more than the %d bytes that follow the header; the file breaks off",
			param.Quote(shape), len(a.data))
	}
	if strings.Contains(header, "'fortran_order': True") && len(a.shape) > 1 {
		a.transpose(all)
	}
	if len(a.shape) == 0 || all == 0 {
		return nil, nil, f.errorf("it has no samples")
	}
	return a, nil, nil
}

// transpose converts from Fortran order, in which the first index varies fastest, to C order.
func (a *array) transpose(all int) {
	out := make([]byte, all*a.size)
	step := make([]int, len(a.shape)) // distance between neighbouring values along each index
	for d, n := 0, 1; d < len(step); d++ {
		step[d] = n
		n *= a.shape[d]
	}
	index := make([]int, len(a.shape))
	from := 0
	for to := range all {
		copy(out[to*a.size:(to+1)*a.size], a.data[from*a.size:])
		for d := len(index) - 1; d >= 0; d-- {
			from += step[d]
			if index[d]++; index[d] < a.shape[d] {
				break
			}
			from -= step[d] * a.shape[d]
			index[d] = 0
		}
	}
	a.data = out
}

// quotedAfter returns the quoted text after a key.
func quotedAfter(header, key string) string {
	_, rest, _ := strings.Cut(header, key)
	if _, rest, _ = strings.Cut(rest, "'"); rest == "" {
		return ""
	}
	text, _, _ := strings.Cut(rest, "'")
	return text
}

// valuesPerSample returns the number of values per sample.
func (a *array) valuesPerSample() int {
	n := 1
	for _, d := range a.shape[1:] {
		n *= d
	}
	return n
}

// number returns value i; NaN if it is not a number.
func (a *array) number(i int) float64 {
	b := a.data[i*a.size:]
	switch a.kind {
	case 'f':
		switch a.size {
		case 2:
			return fromHalf(a.order.Uint16(b))
		case 4:
			return float64(math.Float32frombits(a.order.Uint32(b)))
		}
		return math.Float64frombits(a.order.Uint64(b))
	case 'i':
		switch a.size {
		case 1:
			return float64(int8(b[0]))
		case 2:
			return float64(int16(a.order.Uint16(b)))
		case 4:
			return float64(int32(a.order.Uint32(b)))
		}
		return float64(int64(a.order.Uint64(b)))
	case 'U':
		return math.NaN()
	}
	switch a.size {
	case 1:
		return float64(b[0])
	case 2:
		return float64(a.order.Uint16(b))
	case 4:
		return float64(a.order.Uint32(b))
	}
	return float64(a.order.Uint64(b))
}

// fromHalf converts an IEEE 754 half-precision number: a sign, 5 bits of exponent and 10 of fraction.
func fromHalf(h uint16) float64 {
	sign := 1.0
	if h>>15 == 1 {
		sign = -1
	}
	exponent, fraction := int(h>>10&31), float64(h&1023)
	switch exponent {
	case 0:
		return sign * math.Ldexp(fraction, -24)
	case 31:
		return math.NaN()
	}
	return sign * math.Ldexp(1024+fraction, exponent-25)
}

// text returns value i as the name of a class.
func (a *array) text(i int) string {
	if a.texts != nil {
		return a.texts[i]
	}
	if a.kind != 'U' {
		return canonicalNumber(a.number(i))
	}
	var b strings.Builder
	for k := 0; k < a.size; k += 4 {
		if r := rune(a.order.Uint32(a.data[i*a.size+k:])); r != 0 {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Words in a name that tell the use of an array.
var (
	arrayLabels  = []string{"y", "label", "labels", "target", "targets", "class", "classes"}
	arrayClients = clientNames
	arraySamples = []string{"x", "data", "features", "samples", "images", "inputs"}
)

// use returns the use of an array, by its name or shape: l labels, c clients, x samples.
func (a *array) use() byte {
	for word := range strings.FieldsSeq(a.stem) {
		switch {
		case slices.Contains(arrayLabels, word):
			return 'l'
		case slices.Contains(arrayClients, word):
			return 'c'
		case slices.Contains(arraySamples, word):
			return 'x'
		}
	}
	if a.valuesPerSample() == 1 {
		return 'l'
	}
	return 'x'
}

// readArrays makes a set of arrays: samples, their labels, and who made them.
func readArrays(s *dataset.Set, b *bundle) error {
	arrays, err := openAllArrays(b.files)
	if err != nil {
		return err
	}
	groups, err := groupArrays(arrays)
	if err != nil {
		return err
	}
	var t target
	var clients roster
	var samples []*array
	words := false // some labels are texts
	for _, g := range groups {
		if g.samples == nil {
			return b.files[0].errorf("there are labels without samples; expected an array of samples, called x or data")
		}
		if err := g.check(samples, len(t.nameOfRow)); err != nil {
			return err
		}
		samples = append(samples, g.samples)
		words = words || g.labels.kind == 'U'
		if err := g.labels.classes(&t); err != nil {
			return err
		}
		g.addClients(&clients)
		if !g.test {
			s.Train = len(t.nameOfRow)
		}
	}
	if n := len(clients.numberOfRow); n > 0 && n != len(t.nameOfRow) {
		return b.files[0].errorf("%d of %d samples have a client; expected a client for all", n, len(t.nameOfRow))
	}
	s.Writer, s.Writers = clients.numberOfRow, clients.names
	if s.Shape, s.Rows, err = stack(samples); err != nil {
		return err
	}
	if f, ok := s.Rows.(*dataset.Features); ok {
		s.MaxAbs = f.MaxAbs()
	}
	if words || t.column().classes(len(t.nameOfRow), 0).Role == Label {
		return t.finish(s, false)
	}
	return t.setValues(s, func(k int, most float64) error {
		return b.files[0].errorf("%s", tooLarge("the array of labels", most))
	})
}

// openAllArrays opens the arrays of all files. They keep their source only if each client has one: if at least two
// sources have both samples and labels.
func openAllArrays(files []*file) (arrays []*array, err error) {
	samples, labels := map[string]bool{}, map[string]bool{} // the sources with samples, and with labels
	for _, f := range files {
		more, err := openArrays(f)
		if err != nil {
			return nil, err
		}
		arrays = append(arrays, more...)
	}
	for _, a := range arrays {
		samples[a.source] = samples[a.source] || a.use() == 'x'
		labels[a.source] = labels[a.source] || a.use() == 'l'
	}
	clients := 0
	for source := range samples {
		if source != "" && samples[source] && labels[source] {
			clients++
		}
	}
	for _, a := range arrays {
		if clients < 2 || !samples[a.source] || !labels[a.source] {
			a.source = ""
		}
	}
	return arrays, nil
}

// arrayGroup has the arrays of one part, such as the test part, and of one client if each client has a file. Missing
// arrays are nil.
type arrayGroup struct {
	samples, labels, clients *array
	test                     bool
	source                   string // source of one client, "" for all
}

// groupArrays groups the arrays that belong together, in their order.
func groupArrays(arrays []*array) (groups []*arrayGroup, err error) {
	type part struct {
		test, valid bool
		source      string
	}
	known := map[part]*arrayGroup{}
	for _, a := range arrays {
		in := part{a.test, a.valid, a.source}
		g := known[in]
		if g == nil {
			g = &arrayGroup{test: a.test, source: a.source}
			known[in], groups = g, append(groups, g)
		}
		place := map[byte]**array{'x': &g.samples, 'l': &g.labels, 'c': &g.clients}[a.use()]
		if *place != nil {
			return nil, a.errorf("by its name and shape it is the same part as %s; expected names such as x_train, y_train, x_test and y_test",
				(*place).name)
		}
		*place = a
	}
	return groups, nil
}

// check returns an error if the arrays do not fit each other or the n samples before them.
func (g *arrayGroup) check(before []*array, n int) error {
	samples, labels, clients := g.samples, g.labels, g.clients
	if labels == nil {
		return samples.errorf("it has %d samples without labels; expected an array of labels, called y or labels",
			samples.shape[0])
	}
	rows, size := samples.shape[0], samples.valuesPerSample()
	switch {
	case labels.shape[0] != rows:
		return labels.errorf("it has %d labels; expected %d, as many as the samples in %s",
			labels.shape[0], rows, samples.name)
	case clients != nil && clients.shape[0] != rows:
		return clients.errorf("it has clients for %d samples; expected %d, as in %s",
			clients.shape[0], rows, samples.name)
	case len(before) > 0 && size != before[0].valuesPerSample():
		return samples.errorf("its samples have %d numbers; expected %d", size, before[0].valuesPerSample())
	case size > maxFeatures:
		return samples.errorf("expected %d numbers of a sample at most, found %d", maxFeatures, size)
	case rows > maxSamples-n:
		return samples.errorf("expected %d samples at most, found %d", maxSamples, rows)
	case samples.kind == 'U':
		return samples.errorf("its samples are texts; expected numbers")
	case size*(n+rows) > maxCells:
		return samples.errorf("%d samples of %d numbers are too many; expected %d numbers at most", rows, size, maxCells)
	}
	return nil
}

// addClients records the client of each sample, if known.
func (g *arrayGroup) addClients(clients *roster) {
	for i := range g.samples.shape[0] {
		if g.clients != nil {
			clients.add(g.clients.text(i))
		} else if g.source != "" {
			clients.add(g.source)
		}
	}
}

// column describes numeric labels as a column of a table.
func (t *target) column() *Column {
	c := &Column{Type: Whole, Distinct: len(t.names), Min: slices.Min(t.value), Max: slices.Max(t.value)}
	if _, whole := t.numbers(); !whole {
		c.Type = Number
	}
	return c
}

// classes adds the labels of an array to a target: one number per sample, or a one-hot row.
func (a *array) classes(t *target) error {
	per := a.valuesPerSample()
	at := place{file: a.file, column: "labels"}
	for i := range a.shape[0] {
		at.line = i
		if per == 1 {
			if a.kind != 'U' && math.IsNaN(a.number(i)) {
				return a.errorf("label %d is not a number; expected a class or a number", i)
			}
			t.add(a.text(i), at)
			continue
		}
		one := -1
		for k := range per {
			switch v := a.number(i*per + k); {
			case v == 1 && one < 0:
				one = k
			case v != 0:
				return a.errorf("sample %d has %d numbers as its label; expected one, or a single 1 among zeros",
					i, per)
			}
		}
		if one < 0 {
			return a.errorf("sample %d has no 1 among the %d numbers of its label", i, per)
		}
		t.add(strconv.Itoa(one), at)
	}
	return nil
}

// sampleShape is the shape of a sample: two dimensions are rows and columns of an image, optionally with the channels
// after or before them. planes says that the colours come first.
func (a *array) sampleShape() (shape dataset.Shape, planes bool) {
	switch d := a.shape[1:]; {
	case len(d) == 2:
		return dataset.Image(d[0], d[1], 1), false
	case len(d) == 3 && (d[2] == 1 || d[2] == 3):
		return dataset.Image(d[0], d[1], d[2]), false
	case len(d) == 3 && (d[0] == 1 || d[0] == 3):
		return dataset.Image(d[1], d[2], d[0]), d[0] == 3
	}
	return dataset.Vector(a.valuesPerSample()), false
}

// stackedSamples are the samples of several arrays in order.
type stackedSamples struct {
	arrays []*array
	size   int  // numbers per sample
	planes bool // channels come first, and are moved after the pixels
}

// each calls visit for each number i, which is number at of an array.
func (s *stackedSamples) each(visit func(a *array, i, at int) error) error {
	for _, a := range s.arrays {
		for i := range a.shape[0] * s.size {
			at := i
			if s.planes {
				sample, k := i/s.size, i%s.size
				at = sample*s.size + k%3*(s.size/3) + k/3
			}
			if err := visit(a, i, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// stack returns the samples of arrays, as pixels if they are images of bytes.
func stack(arrays []*array) (dataset.Shape, dataset.Rows, error) {
	shape, planes := arrays[0].sampleShape()
	s := stackedSamples{arrays, shape.Size(), planes}
	n, bytes, wide := 0, true, false
	for _, a := range arrays {
		n += a.shape[0] * s.size
		bytes = bytes && a.kind == 'u' && a.size == 1
		wide = wide || a.size == 8 || a.size == 4 && a.kind != 'f'
	}
	if bytes && shape.Height > 1 {
		pixels := make([]uint8, 0, n)
		err := s.each(func(a *array, _, at int) error {
			pixels = append(pixels, a.data[at])
			return nil
		})
		return shape, imagePixels(pixels, shape), err
	}
	x := make([]float32, 0, n)
	err := s.each(func(a *array, i, at int) error {
		v := a.number(at)
		if math.IsNaN(v) || math.Abs(v) > math.MaxFloat32 {
			return a.errorf("sample %d has no number in place %d; expected numbers up to 3.4e38 everywhere",
				i/s.size, i%s.size)
		}
		x = append(x, float32(v))
		return nil
	})
	if err != nil {
		return shape, nil, err
	}
	if shape.Height > 1 { // images stored as fractions
		for _, unit := range []float32{255, 1} {
			if pixels, ok := wholeBytes(x, unit); ok {
				return shape, imagePixels(pixels, shape), nil
			}
		}
	}
	f := &dataset.Features{Size: s.size, Data: x}
	if wide {
		f.Offset = keepDifferences(x, s.size, s.each)
	}
	return shape, f, nil
}

// imagePixels returns images in which the lightest pixel is white, even if its number is small, such as 16, and the
// background is dark.
func imagePixels(data []uint8, shape dataset.Shape) *dataset.Pixels {
	if most := slices.Max(data); 0 < most && most < 128 {
		for i, v := range data {
			data[i] = uint8(int(v) * 255 / int(most))
		}
	}
	if shape.Channels == 1 {
		data = lightOnDark(data, shape)
	}
	return &dataset.Pixels{Size: shape.Size(), Data: data}
}
