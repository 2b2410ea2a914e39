package ingest

import (
	"slices"
	"strings"

	"flockscope/sim/dataset"
)

// A record of the binary version of CIFAR-10 (Krizhevsky, "Learning Multiple Layers of Features from Tiny Images",
// 2009) is one byte of label, 0 to 9, and 32 × 32 bytes each of red, green and blue, row by row. One of CIFAR-100 has
// two bytes of labels: one of 20 coarse labels, which is ignored, and one of 100 fine labels.
const (
	cifarSide   = 32
	cifarPlane  = cifarSide * cifarSide
	cifarRecord = 1 + 3*cifarPlane
)

var cifarNames = []string{"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"}

const cifar100Names = "apple aquarium_fish baby bear beaver bed bee beetle bicycle bottle bowl boy bridge bus butterfly camel can castle caterpillar cattle " +
	"chair chimpanzee clock cloud cockroach couch crab crocodile cup dinosaur dolphin elephant flatfish forest fox girl hamster house kangaroo keyboard " +
	"lamp lawn_mower leopard lion lizard lobster man maple_tree motorcycle mountain mouse mushroom oak_tree orange orchid otter palm_tree pear pickup_truck " +
	"pine_tree plain plate poppy porcupine possum rabbit raccoon ray road rocket rose sea seal shark shrew skunk skyscraper snail snake spider squirrel " +
	"streetcar sunflower sweet_pepper table tank telephone television tiger tractor train trout tulip turtle wardrobe whale willow_tree wolf woman worm"

// cifarLabels returns the number of label bytes at the start of each record, 1 or 2; 0 if data are not whole records.
func cifarLabels(data []byte) int {
	for labels, classes := range map[int][]byte{1: {10}, 2: {20, 100}} {
		record := labels + 3*cifarPlane
		whole := len(data)%record == 0
		for at := 0; whole && at < len(data); at += record {
			for k, most := range classes {
				whole = whole && data[at+k] < most
			}
		}
		if whole {
			return labels
		}
	}
	return 0
}

// isCIFAR reports whether data consist of whole records.
func isCIFAR(data []byte) bool { return cifarLabels(data) > 0 }

func readCIFAR(s *dataset.Set, b *bundle) error {
	labels := 0
	n := 0
	for _, f := range b.files {
		its := cifarLabels(f.data)
		switch {
		case its == 0 && len(f.data)%(cifarRecord+1) == 0:
			its = 2
		case its == 0 && len(f.data)%cifarRecord == 0:
			its = 1
		case its == 0:
			over := len(f.data) % cifarRecord
			return f.errorf("%d bytes are left at byte %d; expected records of %d or %d bytes",
				over, len(f.data)-over, cifarRecord, cifarRecord+1)
		case labels > 0 && its != labels:
			return f.errorf("it is CIFAR-10 or CIFAR-100, unlike %s; expected the files of one set", b.files[0].name)
		}
		labels = its
		n += len(f.data) / (labels + 3*cifarPlane)
	}
	s.ClassNames = slices.Clone(cifarNames)
	if labels == 2 {
		s.ClassNames = strings.Fields(cifar100Names)
	}
	s.Shape, s.Classes = dataset.Image(cifarSide, cifarSide, 3), len(s.ClassNames)
	record := labels + 3*cifarPlane
	data := make([]uint8, 0, n*3*cifarPlane)
	s.Label = make([]uint8, 0, n)
	for _, f := range b.files {
		for at := 0; at < len(f.data); at += record {
			label, image := f.data[at+labels-1], f.data[at+labels:at+record]
			if int(label) >= s.Classes {
				return f.errorf("the label at byte %d is %d; expected 0 to %d", at+labels-1, label, s.Classes-1)
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
	s.Rows = &dataset.Pixels{Size: s.Shape.Size(), Data: data}
	return nil
}
