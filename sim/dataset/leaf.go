package dataset

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"flockscope/sim/param"
)

// A file of LEAF (Caldas et al., "LEAF: A Benchmark for Federated Settings",
// arXiv:1812.01097) is one JSON object. Its member user_data has for each user
// an object of x, a list of samples that are lists of numbers, and y, the list
// of their classes. The other members repeat what is there.
type leaf struct {
	json
	size  int // of a sample, 0 before the first
	data  []float32
	label []uint8
	users roster
}

func readLEAF(s *Set, b *bundle) error {
	l := leaf{}
	for _, f := range b.files {
		l.json = json{data: f.data}
		if err := l.read(); err != nil {
			return f.errorf("byte %d: %w", l.at, err)
		}
		if !f.test {
			s.Train = len(l.label)
		}
	}
	if len(l.label) == 0 {
		return b.files[0].errorf("there is no sample in it; expected user_data with lists x and y")
	}
	s.Label, s.Writer, s.Writers = l.label, l.users.of, l.users.names
	s.Classes = int(slices.Max(l.label)) + 1
	s.ClassNames = knownNames(s.Classes, "")
	s.Shape, s.rows = l.pack()
	return nil
}

// read takes the samples of one file.
func (l *leaf) read() error {
	found := false
	err := l.object(func(key string) error {
		if key != "user_data" {
			return l.skip()
		}
		found = true
		return l.object(l.user)
	})
	if err == nil {
		err = l.end()
	}
	if err == nil && !found {
		err = errors.New("expected a member user_data, found none")
	}
	return err
}

// user takes the samples of one.
func (l *leaf) user(name string) error {
	from := len(l.label)
	rows := 0
	err := l.object(func(key string) error {
		switch key {
		case "x":
			return l.array(func() error {
				rows++
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
		return fmt.Errorf("user %s has %d samples in x; expected as many classes in y, found %d", param.Quote(name), rows, n)
	}
	for range rows {
		l.users.add(name)
	}
	return nil
}

// sample takes one list of numbers.
func (l *leaf) sample() error {
	from := len(l.data)
	err := l.array(func() error {
		v, err := l.number()
		l.data = append(l.data, v)
		return err
	})
	if err != nil {
		return err
	}
	n := len(l.data) - from
	if l.size == 0 {
		l.size = n
	}
	if n != l.size || n == 0 || n > maxFeatures {
		return fmt.Errorf("the sample that ends here has %d numbers; expected %d", n, min(max(l.size, 1), maxFeatures))
	}
	return nil
}

func (l *leaf) class() error {
	v, err := l.number()
	if err != nil {
		return err
	}
	if !(v >= 0 && v < maxClasses) || v != float32(uint8(v)) {
		return fmt.Errorf("expected a class from 0 to %d, found %v", maxClasses-1, v)
	}
	l.label = append(l.label, uint8(v))
	return nil
}

// pack returns the samples as they are best kept: as square images when they
// are 28 × 28 or another square of bytes divided by 255.
func (l *leaf) pack() (Shape, rows) {
	edge := int(math.Sqrt(float64(l.size)))
	if edge >= 8 && edge*edge == l.size {
		if data, ok := wholeBytes(l.data, 255); ok {
			shape := Shape{edge, edge, 1}
			return shape, &pixels{l.size, lightOnDark(data, shape)}
		}
	}
	return Shape{1, l.size, 1}, &features{l.size, slices.Clip(l.data)}
}
