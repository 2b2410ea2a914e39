package ingest

import (
	"cmp"
	"math"
	"slices"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// leafKeys are the members by which a LEAF object differs from a record.
var leafKeys = []string{"user_data", "users", "num_samples", "hierarchies"}

// A file of LEAF (Caldas et al., "LEAF: A Benchmark for Federated Settings", arXiv:1812.01097) is one JSON object. Its
// member user_data has an object for each user: x is a list of samples, which are lists of numbers, and y is the list
// of their classes. Its members users and num_samples repeat the names and the numbers of samples: if they differ, the
// file is damaged.
type leaf struct {
	json
	samplesOf map[string]int // number of samples of each user in the current file
	names     []userName     // the list of users in the current file
	counts    []userCount    // the list of their numbers of samples
	size      int            // numbers per sample, 0 before the first
	data      []float32
	extent    []extent  // range of each number of a sample
	offsets   []float64 // offset of each number, already subtracted from data; nil for none
	label     []uint8
	users     roster
}

// named is an entry of the list of users, and counted an entry of the list of their numbers of samples. Files may have
// millions of them, so both are small; at is the position of the entry.
type (
	userName struct {
		name   string
		offset int32
	}
	userCount struct{ n, offset int32 }
)

func readLEAF(s *dataset.Set, b *bundle) error {
	l := leaf{}
	err := l.readAll(s, b)
	if from := offsets(l.extent); err == nil && from != nil { // read again to keep differences
		l = leaf{offsets: from}
		err = l.readAll(s, b)
	}
	if err != nil {
		return err
	}
	if len(l.label) == 0 {
		return b.files[0].errorf("there is no sample in it; expected user_data with lists x and y")
	}
	s.Label, s.Writer, s.Writers = l.label, l.users.numberOfRow, l.users.names
	b.number(s, 0, "")
	s.Shape, s.Rows = l.pack()
	return nil
}

func (l *leaf) readAll(s *dataset.Set, b *bundle) error {
	for _, f := range b.files {
		l.json, l.samplesOf, l.names, l.counts = json{data: f.data}, map[string]int{}, nil, nil
		if err := l.read(); err != nil {
			return f.errorf("byte %d: %s", l.at, err)
		}
		if !f.test {
			s.Train = len(l.label)
		}
	}
	return nil
}

// read reads the samples of one file.
func (l *leaf) read() error {
	found, known := false, false
	err := l.object(func(key string) error {
		known = known || slices.Contains(leafKeys, key)
		switch key {
		case "users":
			return l.array(func() error {
				l.peek()
				at := int32(l.at)
				name, err := l.text()
				l.names = append(l.names, userName{name, at})
				return cmp.Or(err, l.checkUsers(len(l.names)))
			})
		case "num_samples":
			return l.array(func() error {
				l.peek()
				at := int32(l.at)
				n, err := l.number()
				l.counts = append(l.counts, userCount{int32(n), at})
				return cmp.Or(err, l.checkUsers(len(l.counts)))
			})
		case "user_data":
			found = true
			return l.object(l.user)
		}
		return l.skip()
	})
	if err == nil {
		err = l.end()
	}
	if err == nil && !found {
		err = say.Errorf("expected a member user_data, as in LEAF, found none")
		if !known {
			l.at = 0
			err = say.Errorf("it is a single object, and not LEAF; expected a list of objects, [{…}, {…}], or " +
				"one object per line: pandas writes them with orient=\"records\"")
		}
	}
	if err == nil {
		err = l.check()
	}
	return err
}

// checkUsers returns an error if a list of users is longer than the maximum number of samples.
func (l *leaf) checkUsers(users int) error {
	if users > maxSamples {
		return say.Errorf("expected %d users at most, found more", maxSamples)
	}
	return nil
}

// check compares the lists, if there are any, with the samples.
func (l *leaf) check() error {
	for i, u := range l.names {
		n, there := l.samplesOf[u.name]
		switch {
		case !there:
			l.at = int(u.offset)
			return say.Errorf("expected %s in user_data too, found no such user", param.Quote(u.name))
		case i < len(l.counts) && int(l.counts[i].n) != n:
			l.at = int(l.counts[i].offset)
			return say.Errorf("it declares %d samples of %s; expected %d, as many as are in user_data",
				l.counts[i].n, param.Quote(u.name), n)
		}
	}
	if len(l.names) > 0 && len(l.names) != len(l.samplesOf) {
		return say.Errorf("the list of users has %d names; expected %d, as many as user_data", len(l.names),
			len(l.samplesOf))
	}
	return nil
}

// user reads the samples of one user.
func (l *leaf) user(name string) error {
	from := len(l.label)
	rows := 0
	err := l.object(func(key string) error {
		switch key {
		case "x":
			return l.array(func() error {
				if rows++; from+rows > maxSamples {
					return errTooMany
				}
				return l.sample()
			})
		case "y":
			return l.array(l.class)
		}
		return l.skip()
	})
	if err != nil {
		return err
	}
	if n := len(l.label) - from; n != rows {
		return say.Errorf("user %s has %d samples in x; expected as many classes in y, found %d", param.Quote(name),
			rows, n)
	}
	l.samplesOf[name] += rows
	if err := l.checkUsers(len(l.samplesOf)); err != nil {
		return err
	}
	for range rows {
		l.users.add(name)
	}
	return nil
}

// sample reads one list of numbers.
func (l *leaf) sample() error {
	from := len(l.data)
	var numbers func() error
	numbers = func() error {
		switch l.peek() {
		case '[': // rows of an image
			return l.array(numbers)
		case '"':
			return say.Errorf("a sample is text; expected numbers: texts are read from tables with a column of them and one of labels, and counts of words from svmlight files")
		}
		v, err := l.number()
		k := len(l.data) - from
		if k == len(l.extent) {
			l.extent = append(l.extent, extent{low: v, high: v})
		}
		l.extent[k].note(v)
		if l.offsets != nil {
			v -= l.offsets[k]
		}
		if l.data = append(l.data, float32(v)); err == nil && k >= maxFeatures {
			err = say.Errorf("expected %d numbers of a sample at most, found more", maxFeatures)
		}
		return err
	}
	if l.peek() == '"' {
		return numbers()
	}
	if err := l.array(numbers); err != nil {
		return err
	}
	n := len(l.data) - from
	if l.size == 0 {
		l.size = n
	}
	if n != l.size || n == 0 {
		return say.Errorf("the sample that ends here has %d numbers; expected %d", n, max(l.size, 1))
	}
	return nil
}

func (l *leaf) class() error {
	v, err := l.classNumber()
	if err != nil {
		return err
	}
	if !(v >= 0 && v < maxClasses) || v != float64(uint8(v)) {
		return say.Errorf("expected a class from 0 to %d, found %v", maxClasses-1, v)
	}
	if len(l.label) == maxSamples {
		return errTooMany
	}
	l.label = append(l.label, uint8(v))
	return nil
}

// classNumber reads a class, which may be in quotation marks.
func (l *leaf) classNumber() (float64, error) {
	if l.peek() != '"' {
		return l.number()
	}
	at := l.at
	text, err := l.text()
	if err != nil {
		return 0, err
	}
	v, err := number(text)
	if err != nil {
		l.at = at
		err = say.Errorf("expected the number of a class, found %s", param.Quote(text))
	}
	return v, err
}

// pack returns the samples. They are square images if their length is a square and their numbers are bytes divided by
// 255.
func (l *leaf) pack() (dataset.Shape, dataset.Rows) {
	edge := int(math.Sqrt(float64(l.size)))
	if edge >= 8 && edge*edge == l.size && l.offsets == nil {
		if data, ok := wholeBytes(l.data, 255); ok {
			shape := dataset.Image(edge, edge, 1)
			return shape, &dataset.Pixels{Size: l.size, Data: lightOnDark(data, shape)}
		}
	}
	return dataset.Vector(l.size), &dataset.Features{Size: l.size, Data: slices.Clip(l.data), Offset: l.offsets}
}
