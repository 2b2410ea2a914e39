package ingest

import (
	"strings"
	"testing"
)

// FuzzRead: whatever comes, Read returns a sound set or one line that says what
// is wrong.
func FuzzRead(f *testing.F) {
	f.Add("train-images", images3, "train-labels", labels3)
	f.Add("i.gz", zipped(images2), "l.gz", zipped(labels2))
	f.Add("emnist-i", images2, "emnist-l", labels2)
	f.Add("i", paper, "l", labels2)
	f.Add("i", idxFile(8, []int{1<<32 - 1, 1 << 31, 1 << 31}, 1), "l", labels3)
	f.Add("test_batch.bin", []byte{1, 2, 3}, "names.txt", text("ant", "bee"))
	f.Add("a_train", bag, "b_test", text("3 1:1"))
	f.Add("x.csv", shops, "x_test.csv", shops)
	f.Add("x.csv", pixelRows, "names", text("three", "seven"))
	f.Add("a.json", leafAB, "b_test.json", leafB)
	f.Add("w.csv", text("writer,train_offset,train_count", "a,0,3"), "", []byte{})
	f.Add("a.zip", archived(activities()...), "", []byte{})
	f.Add("a.zip", stored("x.csv", shops), "features.txt", text("1 a", "2 b"))
	f.Add("x.npy", numpyArray(true, []int{3, 2}, func([]int) float64 { return 1 }), "y.npy",
		numpyArray(false, []int{3}, func(i []int) float64 { return float64(i[0]) }))
	f.Add("X_train.txt", text("1 2", "3 4"), "y_train.txt", text("1", "2"))
	f.Add("p.zip", archived("a/1.png", string(pngOf(2, 2, 3, 9)), "b/1.png", string(pngOf(2, 2, 1, 1))), "", []byte{})
	f.Add("1.png", pngOf(3, 2, 3, 9), "l.csv", text("1,x"))
	f.Fuzz(func(t *testing.T, name1 string, data1 []byte, name2 string, data2 []byte) {
		files := []File{{Name: name1, Data: data1}, {Name: name2, Data: data2}}
		if name2 == "" {
			files = files[:1]
		}
		s, err := Read(files)
		if err != nil {
			if text := err.Error(); strings.ContainsAny(text, "\n\r\x00") || len(text) > 600 {
				t.Errorf("Read(%q, %q): error %q, want one line", name1, name2, text)
			}
			return
		}
		checkSet(t, s)
	})
}
