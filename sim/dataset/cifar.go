package dataset

import "slices"

// A record of the binary version of CIFAR-10 (Krizhevsky, "Learning Multiple
// Layers of Features from Tiny Images", 2009) is one byte of label, 0 to 9, and
// 32 × 32 bytes each of red, green and blue, row by row.
const (
	cifarSide   = 32
	cifarPlane  = cifarSide * cifarSide
	cifarRecord = 1 + 3*cifarPlane
)

var cifarNames = []string{"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"}

// cifarWhole reports whether data are records to the last byte.
func cifarWhole(data []byte) bool {
	if len(data)%cifarRecord != 0 {
		return false
	}
	for at := 0; at < len(data); at += cifarRecord {
		if data[at] > 9 {
			return false
		}
	}
	return true
}

func readCIFAR(s *Set, b *bundle) error {
	s.Shape, s.Classes, s.ClassNames = Shape{cifarSide, cifarSide, 3}, 10, slices.Clone(cifarNames)
	n := 0
	for _, f := range b.files {
		if over := len(f.data) % cifarRecord; over != 0 {
			if len(f.data)%(cifarRecord+1) == 0 {
				return f.errorf("it has records of %d bytes, as the CIFAR of 100 classes has; expected records of %d bytes", cifarRecord+1, cifarRecord)
			}
			return f.errorf("%d bytes are left at byte %d; expected records of %d bytes", over, len(f.data)-over, cifarRecord)
		}
		n += len(f.data) / cifarRecord
	}
	data := make([]uint8, 0, n*3*cifarPlane)
	s.Label = make([]uint8, 0, n)
	for _, f := range b.files {
		for at := 0; at < len(f.data); at += cifarRecord {
			label, image := f.data[at], f.data[at+1:at+cifarRecord]
			if label > 9 {
				return f.errorf("the label at byte %d is %d; expected 0 to 9", at, label)
			}
			s.Label = append(s.Label, label)
			for p := range cifarPlane {
				data = append(data, image[p], image[cifarPlane+p], image[2*cifarPlane+p])
			}
		}
		if !f.test {
			s.Train = len(s.Label)
		}
	}
	s.rows = &pixels{s.Shape.Size(), data}
	return nil
}
