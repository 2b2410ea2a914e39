package ingest

import (
	"bytes"
	encoded "encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

func init() { ReadPickles() }

// goldenPickles are files that NumPy has saved, with what it reads in them.
func goldenPickles(t testing.TB) (out map[string]struct {
	File []byte
	X    [][]float64
	Y    []string
}) {
	text, err := os.ReadFile("testdata/pickle_golden.json")
	if err == nil {
		err = encoded.Unmarshal(text, &out)
	}
	if err != nil || len(out) == 0 {
		t.Fatalf("pickle_golden.json: %d files, %v", len(out), err)
	}
	return out
}

// TestPickles: arrays of objects have the numbers that NumPy reads in them.
func TestPickles(t *testing.T) {
	for name, want := range goldenPickles(t) {
		s, err := Read([]File{{Name: "a.npy", Data: want.File}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkSet(t, s)
		if s.Len() != len(want.X) || s.Writer != nil {
			t.Errorf("%s: %d samples by %q, want %d by nobody", name, s.Len(), s.Writers, len(want.X))
			continue
		}
		row := make([]float32, s.Shape.Size())
		for i := range want.X {
			s.Row(row, i)
			for j, v := range want.X[i] {
				if math.Abs(float64(row[j])-v) > 1e-6 {
					t.Errorf("%s: sample %d is %v, want %v", name, i, row, want.X[i])
				}
			}
			if got := s.ClassNames[s.Label[i]]; got != want.Y[i] {
				t.Errorf("%s: sample %d is of class %q, want %q", name, i, got, want.Y[i])
			}
		}
	}
}

// TestPFLlib: each client of PFLlib's has a file of its own for training and one for testing,
// in folders of these names.
func TestPFLlib(t *testing.T) {
	data := stored("data.npy", goldenPickles(t)["PFLlib"].File)
	var files []File
	var pairs []string
	for _, name := range []string{"test/0.npz", "test/1.npz", "train/0.npz", "train/1.npz"} {
		files = append(files, File{Name: "mnist/" + name, Data: data})
		pairs = append(pairs, "mnist/"+name, string(data))
	}
	config := []byte(`{"num_clients": 2, "Size of samples for labels in clients": [[[0, 1]]]}`)
	for name, files := range map[string][]File{
		"files":            files,
		"with its notes":   append(slices.Clone(files), File{Name: "mnist/config.json", Data: config}),
		"an archive":       {{Name: "mnist.zip", Data: archived(append(pairs, "mnist/config.json", string(config))...)}},
		"clients by order": {files[3], files[0], files[2], files[1]},
	} {
		s, err := Read(files)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkSet(t, s)
		by := map[string]int{}
		for _, w := range s.Writer {
			by[s.Writers[w]]++
		}
		if s.Len() != 16 || s.Train != 8 || len(by) != 2 || by["0"] != 8 || by["1"] != 8 {
			t.Errorf("%s: %d samples, %d to train, by %v; want 16, 8, eight of 0 and of 1", name, s.Len(), s.Train, by)
		}
	}
}

// object is an array of objects with a pickle, as NumPy's files have it.
func object(pickle string) []byte {
	head := "\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': (), }"
	return []byte(head + strings.Repeat(" ", 127-len(head)) + "\n" + pickle)
}

// TestPicklesRefused: nothing of what a pickle asks for is done, and what is damaged is
// refused, without taking memory.
func TestPicklesRefused(t *testing.T) {
	unpickle = nil
	_, err := Read([]File{{Name: "a.npy", Data: object(".")}})
	ReadPickles()
	if want := "a.npy: it has pickled Python objects, which the flock command reads and the page does not; " +
		`in Python, save the arrays themselves: numpy.savez("plain.npz", x=x, y=y)`; err == nil || err.Error() != want {
		t.Errorf("where nothing reads pickles: %v, want %s", err, want)
	}
	whole := goldenPickles(t)["PFLlib"].File
	bomb := "\x80\x04]\x94" + strings.Repeat("(h\x00"+strings.Repeat("h\x00", 200)+"e", 3) + "."
	nested := "]q\x05K\x01a" // in a hundred places of a list, which is in a hundred places of another …
	for k := range 5 {
		at := string(rune(4 - k))
		nested = "]q" + at + "(" + nested + strings.Repeat("h"+string(rune(5-k)), 99) + "e"
	}
	for name, tt := range map[string]struct{ pickle, want string }{
		"a command":                {"cos\nsystem\n(X\x02\x00\x00\x00lstR.", `the pickle in it has "os.system"; expected only numbers`},
		"by its stack":             {"\x80\x04\x8c\x08builtins\x8c\x04eval\x93\x8c\x011\x85R.", `the pickle in it has "builtins.eval"`},
		"an ordered dictionary":    {"ccollections\nOrderedDict\n)R.", `the pickle in it has "collections.OrderedDict"`},
		"a list of lists of texts": {"}(X\x01\x00\x00\x00y](](X\x01\x00\x00\x00ae](X\x01\x00\x00\x00beeu.", "something other than"},
		"a tensor":                 {"ctorch._utils\n_rebuild_tensor_v2\n.", `the pickle in it has "torch._utils._rebuild_tensor_v2"`},
		"an old protocol":          {"(dp0\nS'x'\n.", "the pickle in it has an unsupported opcode (100)"},
		"cut":                      {string(whole[128 : len(whole)-20]), "the pickle in it is damaged"},
		"nothing":                  {"", "the pickle in it is damaged"},
		"other keys":               {"}X\x01\x00\x00\x00ax.", "the pickle in it has an unsupported opcode"},
		"no keys":                  {"}.", "the pickle in it has no arrays with names such as x and y"},
		"itself":                   {bomb, "the pickle in it "},
		"large":                    {nested, "the pickle in it "},
		"ragged":                   {"}(X\x01\x00\x00\x00x](](K\x01K\x02e](K\x01eeX\x01\x00\x00\x00y](K\x00K\x01eu.", "something other than numbers or texts, arrays of them, or lists of parts of one kind"},
		"a long promise":           {"B\xff\xff\xff\x7fabc.", "the pickle in it is damaged"},
		"a long promise 8":         {"\x8e\xff\xff\xff\xff\xff\xff\xff\xffabc.", "the pickle in it is damaged"},
		"many marks":               {strings.Repeat("(", 2<<20) + ".", "the pickle in it has too many values"},
		"many in memory":           {"N" + strings.Repeat("\x94", 5<<20) + ".", "the pickle in it has too many values"},
		"many numbers":             {"]" + strings.Repeat("("+strings.Repeat("K\x01", 1000)+"e", 17<<10) + ".", "the pickle in it has too many values"},
	} {
		data := object(tt.pickle)
		var err error
		got := allocated(func() { _, err = Read([]File{{Name: "a.npy", Data: data}}) })
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "a.npy: ") ||
			!strings.HasSuffix(err.Error(), `numpy.savez("plain.npz", x=x, y=y)`) {
			t.Errorf("%s: Read returns error %v, want %q", name, err, tt.want)
		}
		if most := uint64(40*len(data) + 8<<20); got > most {
			t.Errorf("%s: Read allocates %d bytes of %d; want %d at most", name, got, len(data), most)
		}
	}
}

// FuzzPickle: whatever a pickle says, the answer is a sound set or one line that says what is
// wrong.
func FuzzPickle(f *testing.F) {
	for _, p := range goldenPickles(f) {
		f.Add(p.File[128:])
	}
	f.Add([]byte("cos\nsystem\n(X\x02\x00\x00\x00lstR."))
	f.Add([]byte("}(X\x01\x00\x00\x00x](](K\x01K\x02e](K\x01eeX\x01\x00\x00\x00y](K\x00K\x01eu."))
	f.Add([]byte("\x80\x04]\x94(h\x00h\x00e."))
	f.Fuzz(func(t *testing.T, pickle []byte) {
		s, err := Read([]File{{Name: "a.npy", Data: object(string(bytes.Clone(pickle)))}})
		if err == nil {
			checkSet(t, s)
		} else if text := err.Error(); strings.ContainsAny(text, "\n\r\x00") || len(text) > 600 {
			t.Errorf("error %q, want one line", fmt.Sprintf("%.700s", text))
		}
	})
}
