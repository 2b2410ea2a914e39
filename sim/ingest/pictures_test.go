package ingest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/dataset"
	"flockscope/sim/say"
)

// painted is a picture of one shade, with a red stripe on top if it has colours.
func painted(width, height, channels int, shade uint8) image.Image {
	box := image.Rect(0, 0, width, height)
	if channels == 1 {
		grey := image.NewGray(box)
		for i := range grey.Pix {
			grey.Pix[i] = shade
		}
		return grey
	}
	out := image.NewRGBA(box)
	for y := range height {
		for x := range width {
			c := color.RGBA{shade, shade, shade, 255}
			if y == 0 {
				c = color.RGBA{255, 0, 0, 255}
			}
			out.Set(x, y, c)
		}
	}
	return out
}

func pngOf(width, height, channels int, shade uint8) []byte {
	var b bytes.Buffer
	png.Encode(&b, painted(width, height, channels, shade))
	return b.Bytes()
}

func jpegOf(width, height, channels int, shade uint8) []byte {
	var b bytes.Buffer
	jpeg.Encode(&b, painted(width, height, channels, shade), &jpeg.Options{Quality: 95})
	return b.Bytes()
}

// openOne opens one file, and returns the notes too.
func openOne(t *testing.T, name string, data []byte) (*dataset.Set, string) {
	t.Helper()
	o, err := Open([]File{{Name: name, Data: data}})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	s, notes, err := o.Set("", false)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	checkSet(t, s)
	var all []string
	for _, note := range notes {
		all = append(all, note.String())
	}
	return s, strings.Join(all, "; ")
}

// TestPicturesInFolders: a folder for each class, PNG and JPEG, in parts or not.
func TestPicturesInFolders(t *testing.T) {
	var pairs []string
	add := func(name string, data []byte) { pairs = append(pairs, name, string(data)) }
	for i := range 3 {
		add(fmt.Sprintf("set/train/cat/%d.png", i), pngOf(8, 8, 3, 10))
		add(fmt.Sprintf("set/train/Ant/%d.jpg", i), jpegOf(8, 8, 3, 200))
	}
	add("set/test/Ant/0.png", pngOf(8, 8, 3, 50))
	add("set/test/cat/0.png", pngOf(8, 8, 3, 60))
	add("set/README.md", []byte("# Animals"))
	add("set/train/license_plate/0.png", pngOf(8, 8, 3, 70))
	s, notes := openOne(t, "animals.zip", archived(pairs...))
	if s.Len() != 9 || s.Train != 7 || s.Shape != dataset.Image(8, 8, 3) ||
		!slices.Equal(s.ClassNames, []string{"Ant", "cat", "license_plate"}) || notes != "Ignored files: README.md" {
		t.Fatalf("%d samples of %v, %d to train, classes %q, notes %q", s.Len(), s.Shape, s.Train, s.ClassNames, notes)
	}
	row := make([]float32, s.Shape.Size())
	s.Row(row, 0) // channels last: a red stripe, then the shade
	shade := float32(10) / 255
	if s.Label[0] != 1 || !slices.Equal(row[:3], []float32{1, 0, 0}) || row[3*8] != shade || row[3*8+2] != shade {
		t.Errorf("the first picture is of class %d and begins with %v, %v", s.Label[0], row[:3], row[3*8:3*8+3])
	}
	s.Row(row, 8)
	if s.Label[8] != 1 || row[3*63] != float32(60)/255 {
		t.Errorf("the last picture is of class %d and ends with %v, want the test picture of a cat", s.Label[8], row[3*63])
	}
}

// A folder is read as an archive of it, and gives the set its name.
func TestFolderOfPictures(t *testing.T) {
	var files []File
	var pairs []string
	for i, name := range []string{"pets/cats/1.png", "pets/dogs/1.png", "pets/dogs/2.png", "pets/cats/2.png"} {
		data := pngOf(8, 8, 3, uint8(10*i))
		files = append(files, File{Name: name, Data: data})
		pairs = append(pairs, name, string(data))
	}
	loose, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	packed, _ := openOne(t, "pets.zip", archived(pairs...))
	if say.Message(loose.Name).String() != "pets" || say.Message(packed.Name).String() != "pets.zip" {
		t.Errorf("the folder is called %q and the archive %q", loose.Name, packed.Name)
	}
	if !slices.Equal(loose.ClassNames, []string{"cats", "dogs"}) || !slices.Equal(loose.Label, packed.Label) ||
		!slices.Equal(loose.ClassNames, packed.ClassNames) {
		t.Errorf("the folder has the classes %q, %v, and the archive %q, %v", loose.ClassNames, loose.Label, packed.ClassNames,
			packed.Label)
	}
	a, b := make([]float32, loose.Shape.Size()), make([]float32, loose.Shape.Size())
	for i := range loose.Len() {
		loose.Row(a, i)
		if packed.Row(b, i); !slices.Equal(a, b) {
			t.Errorf("picture %d differs in the archive", i)
		}
	}
}

// TestGreyPictures: pictures without colours have one channel, and ink is light as in other sets; numbers are in order.
func TestGreyPictures(t *testing.T) {
	var pairs []string
	for i := range 12 {
		pairs = append(pairs, fmt.Sprintf("%d/a.png", i), string(pngOf(6, 5, 1, uint8(250-i))))
	}
	s, _ := openOne(t, "digits.zip", archived(pairs...))
	row := make([]float32, 30)
	s.Row(row, 11)
	if s.Shape != dataset.Image(5, 6, 1) || s.ClassNames[2] != "2" || s.ClassNames[11] != "11" || s.Label[11] != 11 ||
		row[0] != float32(255-239)/255 {
		t.Errorf("shape %v, classes %q, label %d, pixel %v", s.Shape, s.ClassNames, s.Label[11], row[0])
	}
}

// TestTinyImageNet: its layout, with labels of the validation part in a table, and words for classes.
func TestTinyImageNet(t *testing.T) {
	pairs := []string{"tiny/wnids.txt", "n02\nn01\nn03\nn04\n", "tiny/words.txt", "n01\tgoldfish, Carassius auratus\nn02\tEuropean fire salamander\n"}
	add := func(name string, data []byte) { pairs = append(pairs, name, string(data)) }
	for _, id := range []string{"n01", "n02"} {
		for i := range 3 {
			add(fmt.Sprintf("tiny/train/%s/images/%s_%d.JPEG", id, id, i), jpegOf(16, 16, 3, uint8(40*i)))
		}
		add("tiny/train/"+id+"/"+id+"_boxes.txt", text(id+"_0.JPEG\t0\t0\t15\t15", id+"_1.JPEG\t1\t1\t9\t9"))
	}
	add("tiny/val/images/val_0.JPEG", jpegOf(16, 16, 3, 9))
	add("tiny/val/images/val_1.JPEG", jpegOf(16, 16, 3, 99))
	add("tiny/val/val_annotations.txt", text("val_0.JPEG\tn02\t0\t0\t9\t9", "val_1.JPEG\tn01\t0\t0\t9\t9"))
	add("tiny/test/images/test_0.JPEG", jpegOf(16, 16, 3, 9))
	s, notes := openOne(t, "tiny.zip", archived(pairs...))
	if s.Len() != 8 || s.Train != 6 || !slices.Equal(s.ClassNames, []string{"goldfish", "European fire salamander"}) ||
		!slices.Equal(s.Label, []uint8{0, 0, 0, 1, 1, 1, 1, 0}) {
		t.Fatalf("%d samples, %d to train, classes %q, labels %v", s.Len(), s.Train, s.ClassNames, s.Label)
	}
	if want := "1 picture without labels"; !strings.Contains(notes, want) || !strings.Contains(notes, "wnids.txt") {
		t.Errorf("notes %q, want %q and the ignored list", notes, want)
	}
}

// TestPicturesWithTable: Kaggle's way, names without endings in a table.
func TestPicturesWithTable(t *testing.T) {
	pairs := []string{"trainLabels.csv", "id,label\n1,frog\n2,truck\n3,frog\n"}
	for i := 1; i <= 3; i++ {
		pairs = append(pairs, fmt.Sprintf("train/%d.png", i), string(pngOf(4, 4, 3, uint8(i))))
	}
	s, _ := openOne(t, "cifar.zip", archived(pairs...))
	if !slices.Equal(s.ClassNames, []string{"frog", "truck"}) || !slices.Equal(s.Label, []uint8{0, 1, 0}) {
		t.Errorf("classes %q, labels %v", s.ClassNames, s.Label)
	}
	// loose files, and the label in front
	loose, err := Read([]File{{Name: "a.png", Data: pngOf(4, 4, 3, 1)}, {Name: "b.png", Data: pngOf(4, 4, 3, 2)},
		{Name: "list.tsv", Data: []byte("7\ta.png\n5\tb.png\n")}})
	if err != nil || !slices.Equal(loose.ClassNames, []string{"5", "7"}) || !slices.Equal(loose.Label, []uint8{1, 0}) {
		t.Errorf("loose pictures: %v, %+v", err, loose)
	}
}

// TestPicturesAreScaled: pictures of several sizes become squares, each pixel the mean of what it covers.
func TestPicturesAreScaled(t *testing.T) {
	wide := image.NewRGBA(image.Rect(0, 0, 12, 8))
	for x := range 12 {
		for y := range 8 {
			wide.Set(x, y, color.RGBA{uint8(10 * x), uint8(10 * y), 0, 255})
		}
	}
	var b bytes.Buffer
	png.Encode(&b, wide)
	s, notes := openOne(t, "p.zip", archived("a/1.png", b.String(), "b/1.png", string(pngOf(4, 4, 3, 9))))
	row := make([]float32, s.Shape.Size())
	s.Row(row, 0)
	// The middle 8 × 8 begins in column 2; a pixel covers 2 × 2.
	if s.Shape != dataset.Image(4, 4, 3) || row[0] != float32(25)/255 || row[1] != float32(5)/255 ||
		row[3*15] != float32(85)/255 {
		t.Errorf("shape %v, pixels %v, %v and %v", s.Shape, row[0]*255, row[1]*255, row[3*15]*255)
	}
	if want := "Pictures are cut to squares and scaled to 4 × 4"; notes != want {
		t.Errorf("notes %q, want %q", notes, want)
	}
}

// hugePNG claims a size that it does not have.
func hugePNG(width, height uint32) []byte {
	header := []byte("IHDR")
	header = binary.BigEndian.AppendUint32(header, width)
	header = binary.BigEndian.AppendUint32(header, height)
	header = append(header, 8, 2, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	return binary.BigEndian.AppendUint32(append(out, header...), crc32.ChecksumIEEE(header))
}

// TestPicturesRefused: what is wrong, where, and what to do; sizes are refused before they take memory.
func TestPicturesRefused(t *testing.T) {
	cut := pngOf(40, 40, 3, 9)
	cut = cut[:len(cut)-30]
	var many []string
	for i := range maxClasses + 1 {
		many = append(many, fmt.Sprintf("c%d/a.png", i), string(pngOf(2, 2, 3, 9)))
	}
	for _, tt := range []struct {
		name  string
		files []string
		want  string
	}{
		{"huge", []string{"a/1.png", string(hugePNG(1<<20, 1<<20))}, "p.zip › 1.png: the picture has 1048576 × 1048576 pixels; expected 16777216 at most: make it smaller"},
		{"cut", []string{"a/1.png", string(cut), "b/1.png", string(pngOf(40, 40, 3, 1))}, "p.zip › 1.png: the picture is damaged (png: invalid format: not enough pixel data); expected a whole one: save it again, or leave it out"},
		{"no folders", []string{"1.png", string(pngOf(4, 4, 3, 1)), "2.png", string(pngOf(4, 4, 3, 1))}, "p.zip: 2 pictures without labels; expected a folder for each class in a zip archive, or a table of names and labels beside them"},
		{"one class", []string{"a/1.png", string(pngOf(4, 4, 3, 1)), "a/2.png", string(pngOf(4, 4, 3, 1))}, "p.zip › 1.png: all 2 samples are of one class; expected two at least"},
		{"many classes", many, "p.zip: 257 classes of pictures, as folders or labels; expected 256 at most"},
		{"a short row", []string{"1.png", string(pngOf(4, 4, 3, 1)), "l.csv", "file,size,label\n1.png,4,\n"}, `p.zip › l.csv: line 2: expected the label of "1.png" in column 3`},
		{"GIF", []string{"a/1.gif", "GIF89a"}, "p.zip › 1.gif: it is a GIF image, which must be saved as PNG or JPEG first; expected " + string(readable)},
	} {
		var err error
		spent := allocated(func() { _, err = Read([]File{{Name: "p.zip", Data: archived(tt.files...)}}) })
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: error %v, want %s", tt.name, err, tt.want)
		}
		if spent > 32<<20 {
			t.Errorf("%s: %d bytes were allocated", tt.name, spent)
		}
	}
}

// FuzzPicture: whatever bytes a picture has, it is read or refused in one line.
func FuzzPicture(f *testing.F) {
	f.Add(pngOf(3, 2, 3, 9))
	f.Add(pngOf(3, 2, 1, 9))
	f.Add(jpegOf(9, 8, 3, 9))
	f.Add(jpegOf(9, 8, 1, 9))
	f.Add(hugePNG(1<<31-1, 2))
	f.Fuzz(func(t *testing.T, data []byte) {
		files := []File{{Name: "a/1.png", Data: data}, {Name: "b/1.png", Data: pngOf(3, 2, 3, 1)}}
		s, err := Read(files)
		if err == nil {
			checkSet(t, s)
		} else if strings.ContainsAny(err.Error(), "\n\r\x00") {
			t.Errorf("error %q, want one line", err)
		}
	})
}
