//go:build unix

package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flockscope/sim/lab/papers"
)

// imageFiles writes images of 8 × 8 pixels in ten classes as files of the names of MNIST's,
// packed if the name ends in .gz.
func imageFiles(t *testing.T, folder string, train, test int, packed bool) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	for _, part := range []struct {
		name string
		n    int
	}{{"train", train}, {"t10k", test}} {
		images := []byte{0, 0, 8, 3}
		for _, n := range []int{part.n, 8, 8} {
			images = binary.BigEndian.AppendUint32(images, uint32(n))
		}
		labels := binary.BigEndian.AppendUint32([]byte{0, 0, 8, 1}, uint32(part.n))
		for range part.n {
			class := r.IntN(10)
			labels = append(labels, byte(class))
			for pixel := range 64 { // a row and a column of ink say which class it is
				ink := byte(r.IntN(60))
				if pixel/8 == class%8 || pixel%8 == class/2 {
					ink += 150
				}
				images = append(images, ink)
			}
		}
		save(t, filepath.Join(folder, part.name+"-images-idx3-ubyte"), images, packed)
		save(t, filepath.Join(folder, part.name+"-labels-idx1-ubyte"), labels, packed)
	}
}

func save(t *testing.T, name string, data []byte, packed bool) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if packed {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		w.Write(data)
		w.Close()
		name, data = name+".gz", b.Bytes()
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// A table of a paper runs on the files of a folder: the report says which files, and how
// many of their images; its numbers open runs on these files; and results on drawn samples
// and on files do not mix.
func TestReproduceOnFiles(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "my-images")
	imageFiles(t, folder, 1500, 300, true)
	file := filepath.Join(t.TempDir(), "a.flock")
	args := []string{"reproduce", "-reduced", "-data", folder, "-o", file, "cflgp-fig4"}
	code, first, errs := invoke(t, args...)
	if code != exitOK {
		t.Fatal(errs)
	}
	for _, want := range []string{
		"Data: Images under the names of MNIST's, 1 600 of 1 800 images of 8 × 8, chosen anew with each data seed; ",
		"The samples are from train-images-idx3-ubyte.gz (SHA-256 ",
		"What differs: The paper's numbers are those of MNIST.",
		"Made by `flock reproduce -reduced -data my-images cflgp-fig4`",
		"drop them on the page",
	} {
		if !strings.Contains(first, want) {
			t.Errorf("the report does not say %q:\n%s", want, first)
		}
	}
	if strings.Contains(first, "data=digits") || strings.Contains(first, "program draws") {
		t.Errorf("the report has drawn digits too:\n%s", first)
	}
	links := pageLink.FindAllStringSubmatch(first, -1)
	if len(links) < 6 {
		t.Fatalf("the report has %d links", len(links))
	}
	for _, link := range [][]string{links[0], links[len(links)-1]} {
		var out, errs bytes.Buffer
		if code := flock(context.Background(), []string{"run", "-data", folder, link[1]}, &out, &errs); code != exitOK {
			t.Fatalf("%s: %s", link[1], &errs)
		}
		if !strings.Contains(out.String(), `"result":"`+link[2]+`"`) {
			t.Errorf("%s does not end with %s", link[1], link[2])
		}
	}
	if code, again, errs := invoke(t, args...); code != exitOK || again != first ||
		!strings.Contains(errs, "what it has is not computed again") {
		t.Errorf("code %d, %s", code, errs)
	}
	other := filepath.Join(t.TempDir(), "other")
	imageFiles(t, other, 1500, 301, false)
	for _, others := range [][]string{
		{"reproduce", "-reduced", "-o", file, "cflgp-fig4"},
		{"reproduce", "-reduced", "-data", other, "-o", file, "cflgp-fig4"},
	} {
		if code, _, errs := invoke(t, others...); code != exitInput ||
			!strings.Contains(errs, "holds results of other samples") {
			t.Errorf("%v: code %d, %s; want a refusal", others, code, errs)
		}
	}
}

// newsFiles writes texts on four topics as files of the names and the form of AG News'.
func newsFiles(t *testing.T, folder string, train, test int) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	for _, part := range []struct {
		name string
		n    int
	}{{"train.csv", train}, {"test.csv", test}} {
		var b strings.Builder
		for range part.n {
			topic := r.IntN(4)
			words := func(n int) (text string) {
				for range n {
					text += fmt.Sprintf(" %c%c%d", 'a'+rune(topic), 'a'+rune(r.IntN(4)), r.IntN(3))
				}
				return text
			}
			fmt.Fprintf(&b, "\"%d\",\"Report on%s\",\"It is said%s", topic+1, words(4), words(12))
			b.WriteString(", and \"\"so\"\" on.\"\n")
		}
		save(t, filepath.Join(folder, part.name), []byte(b.String()), true)
	}
}

// The table of texts runs on texts: with the settings of these, and its numbers open runs
// on them.
func TestReproduceOnTexts(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "news")
	newsFiles(t, folder, 3800, 400)
	images := filepath.Join(t.TempDir(), "images") // a table runs on the set of its paper
	imageFiles(t, images, 40, 20, false)
	code, out, errs := invoke(t, "reproduce", "-reduced", "-data", images, "-data", folder,
		"-o", filepath.Join(t.TempDir(), "a.flock"), "clove-tab3")
	if code != exitOK {
		t.Fatal(errs)
	}
	for _, want := range []string{
		"Data: AG News, 4 000 of 4 200 texts, chosen anew with each data seed; ",
		"The samples are from train.csv.gz (SHA-256 ",
		"the paper has AG News with four classes",
		"split=pairs",
		"Made by `flock reproduce -reduced -data news clove-tab3`",
		"non-commercial use. No text is part of this report.",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the report does not say %q:\n%.3000s", want, out)
		}
	}
	for _, wrong := range []string{"data=words", "skew2", "program writes", "ten classes"} {
		if strings.Contains(out, wrong) {
			t.Errorf("the report is about drawn texts too, it says %q", wrong)
		}
	}
	links := pageLink.FindAllStringSubmatch(out, -1)
	if len(links) < 10 {
		t.Fatalf("the report has %d links", len(links))
	}
	if code, out, errs := invoke(t, "run", "-data", folder, links[0][1]); code != exitOK ||
		!strings.Contains(out, `"result":"`+links[0][2]+`"`) {
		t.Errorf("%s does not end with %s: %s", links[0][1], links[0][2], errs)
	}
}

// A sweep of a file goes on from records that were merged, as those are that a page saves.
func TestSweepOfFileGoesOnFromRecords(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rows := filepath.Join(dir, "rows.csv")
	text := "client,x,y,group\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%d.5,%d.25,%d\n", i%6, i%7, i%5, i%2)
	}
	if err := os.WriteFile(rows, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	sweep := func(file string) string {
		args := []string{"sweep", "-vary", "lr=0.1:0.3:0.1", "-seeds", "2", "-data", rows, "-o", filepath.Join(dir, file),
			"K=2&T=3&algos=ifca"}
		code, _, errs := invoke(t, args...)
		if code != exitOK {
			t.Fatalf("%v: code %d, %s", args, code, errs)
		}
		return errs
	}
	sweep("first.flock")
	_, records, _ := invoke(t, "results", "-jsonl", filepath.Join(dir, "first.flock"))
	saved := filepath.Join(dir, "saved.jsonl")
	if err := os.WriteFile(saved, []byte(records), 0o666); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := invoke(t, "merge", "-o", filepath.Join(dir, "on.flock"), saved); code != exitOK ||
		!strings.Contains(errs, "6 new records from 1 file in") {
		t.Fatalf("code %d, %s", code, errs)
	}
	if errs := sweep("on.flock"); !strings.Contains(errs, "holds 6 results") {
		t.Errorf("the sweep says %s", errs)
	}
}

// What is wrong with a folder is said with the names that were looked for.
func TestFoldersRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	imageFiles(t, at("deep", "FashionMNIST", "raw"), 40, 20, false)
	imageFiles(t, at("half"), 40, 20, false)
	if err := os.Remove(at("half", "t10k-labels-idx1-ubyte")); err != nil {
		t.Fatal(err)
	}
	imageFiles(t, at("two"), 40, 20, false)
	for _, name := range []string{"data_batch_1", "data_batch_2", "data_batch_3", "data_batch_4", "data_batch_5", "test_batch"} {
		save(t, at("two", name+".bin"), []byte("x"), false)
	}
	newsFiles(t, at("news"), 60, 20)
	save(t, at("titanic", "train.csv"), []byte("age,fare,survived\n1,2,0\n2,3,1\n3,4,0\n4,5,1\n"), false)
	save(t, at("titanic", "test.csv"), []byte("age,fare,survived\n1,2,0\n2,3,1\n"), false)
	save(t, at("empty", "README"), []byte("nothing"), false)
	save(t, at("table", "a.csv"), []byte("a,b,label\n1,2,x\n2,3,y\n3,4,x\n4,5,y\n"), false)
	for _, tt := range []struct {
		args []string
		want []string
	}{
		{[]string{at("nowhere")}, []string{"no such file"}},
		{[]string{at("empty")}, []string{"empty: the folder holds none", "train-images-idx3-ubyte", "t10k-labels-idx1-ubyte", "data_batch_1.bin", ".gz"}},
		{[]string{at("half")}, []string{"half: the folder is not complete", "it has train-images-idx3-ubyte", "and lacks t10k-labels-idx1-ubyte"}},
		{[]string{at("two")}, []string{"two: the folder holds the files of MNIST or Fashion-MNIST and of CIFAR-10"}},
		{[]string{at("deep")}, []string{"deep: the folder itself holds no data set", at("deep", "FashionMNIST", "raw")}},
		{[]string{at("titanic")}, []string{"6 samples of 2 numbers", "want images or texts with classes"}},
		{[]string{at("table", "a.csv")}, []string{"4 samples of 2 numbers", "want images or texts with classes"}},
	} {
		args := append([]string{"reproduce", "-reduced", "-data"}, append(tt.args, "cflgp-fig4")...)
		code, _, errs := invoke(t, args...)
		for _, want := range append(tt.want, "flock: -data: ") {
			if code != exitInput || !strings.Contains(errs, want) {
				t.Errorf("%v: code %d, %s; want %q", tt.args, code, errs, want)
			}
		}
	}
	whole := at("deep", "FashionMNIST", "raw")
	for name, want := range map[string]string{
		"cflgp-fig1a": "cflgp-fig1a does not run on files: its data are drawn by the formula",
		"nothing-*":   "no sweep has a name like nothing-*",
	} {
		if code, _, errs := invoke(t, "reproduce", "-reduced", "-data", whole, name); code != exitInput ||
			!strings.Contains(errs, want) {
			t.Errorf("%s: code %d, %s; want %q", name, code, errs, want)
		}
	}
	for folder, args := range map[string][2]string{
		whole:      {"clove-tab3", "clove-tab3 does not run on these files: it needs texts, and they have images"},
		at("news"): {"cflgp-fig4", "cflgp-fig4 does not run on these files: it needs images, and they have texts"},
	} {
		if code, _, errs := invoke(t, "reproduce", "-reduced", "-data", folder, args[0]); code != exitInput ||
			!strings.Contains(errs, args[1]) {
			t.Errorf("%s: code %d, %s; want %q", args[0], code, errs, args[1])
		}
	}
	// Of several folders, each table runs on the set of its paper.
	if code, _, errs := invoke(t, "reproduce", "-reduced", "-data", at("news"), "-data", whole, "cflgp-fig4"); code != exitInput ||
		!strings.Contains(errs, "cflgp-fig4 runs on MNIST, which -data does not have") {
		t.Errorf("two folders: code %d, %s", code, errs)
	}
	// Folders train and test are the parts of one set, as PFLlib and LEAF write them.
	for i, label := range []string{"x", "y", "z"} {
		for part, n := range map[string]int{"train": 8, "test": 4} {
			rows := strings.Repeat(fmt.Sprintf("%d,%d.5,%s\n%d,2,w\n", i, i, label, 7+i), n)
			save(t, at("parts", part, fmt.Sprintf("%d.csv", i)), []byte("a,b,label\n"+rows), false)
		}
	}
	save(t, at("parts", "train", ".DS_Store"), []byte("x"), false)
	save(t, at("parts", "config.json"), []byte("{}"), false)
	if code, out, errs := invoke(t, "inspect", at("parts")); code != exitOK ||
		!strings.Contains(out, "24 of 72 samples are for testing") {
		t.Errorf("train and test: code %d, %s%s", code, out, errs)
	}
	// Other commands take such a folder too.
	if code, out, errs := invoke(t, "inspect", whole); code != exitOK || !strings.Contains(out, "60 images of 8 × 8") {
		t.Errorf("inspect: code %d, %s%s", code, out, errs)
	}
}

// A table of two sets together runs on the files of both, in the order of the table, and only if it has both.
func TestReproduceOnTwoSets(t *testing.T) {
	n := &namedSweep{command: "reproduce"}
	if _, err := n.parse([]string{"-reduced", "-o", filepath.Join(t.TempDir(), "a.flock")}, io.Discard); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"MNIST", "Fashion-MNIST"} {
		folder := filepath.Join(t.TempDir(), name)
		imageFiles(t, folder, 300+len(name), 60, true)
		n.data = append(n.data, folder)
	}
	if err := n.openAll(); err != nil {
		t.Fatal(err)
	}
	n.sets[0].files.Name, n.sets[1].files.Name = "MNIST", "Fashion-MNIST" // whose checksums these files do not have
	s, err := papers.Find("cflgp-tab11")
	if err != nil {
		t.Fatal(err)
	}
	on, err := n.on(s)
	if err != nil || len(on) != 1 {
		t.Fatalf("%d sets, %v; want one of both folders", len(on), err)
	}
	if set := on[0].set.file.Set; set.Groups[0] != "Fashion-MNIST" || set.Len() != 300+5+300+13+120 {
		t.Errorf("%d samples of %q", set.Len(), set.Groups)
	}
	var out, errs bytes.Buffer
	if err := n.runEach(context.Background(), on, &out, &errs); err != nil {
		t.Fatal(err, &errs)
	}
	for _, want := range []string{"Data: Fashion-MNIST + MNIST, all 738 images of 8 × 8",
		"Made by `flock reproduce -reduced -data Fashion-MNIST -data MNIST cflgp-tab11`", "clean=1"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the report does not say %q:\n%s", want, &out)
		}
	}
	n.sets = n.sets[:1]
	n.pairs = nil
	if _, err := n.on(s); err == nil || !strings.Contains(err.Error(), "of Fashion-MNIST + MNIST only, together") {
		t.Errorf("MNIST alone: %v, want a refusal", err)
	}
}
