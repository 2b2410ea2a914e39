package datafiles

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The hash is that of contents, lengths and names, as sha256sum prints it of a.csv: its text, an
// empty line, and "4 a.csv"; the folder does not matter.
func TestHash(t *testing.T) {
	for range 2 {
		name := filepath.Join(t.TempDir(), "a.csv")
		if err := os.WriteFile(name, []byte("1,2\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got, err := Hash([]string{name}); err != nil || got != "46904c81aa49b6db07727e5f35cdbaf9" {
			t.Errorf("got %s, %v", got, err)
		}
	}
	if file, hash, err := OpenHashed(nil); file != nil || hash != "" || err != nil {
		t.Errorf("of no files: %v, %q, %v", file, hash, err)
	}
	if _, _, err := OpenHashed([]string{filepath.Join(t.TempDir(), "none.csv")}); err == nil {
		t.Error("a file that does not exist is opened")
	}
}

// A folder stands for the files of its set, in the order of the set, packed or not, with the
// names that MNIST's files have as well.
func TestExpand(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for _, name := range []string{"train-images.idx3-ubyte", "train-labels-idx1-ubyte.gz", "t10k-images-idx3-ubyte",
		"t10k-labels.idx1-ubyte.gz"} {
		want = append(want, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Expand([]string{"before.csv", dir})
	if err != nil || !slices.Equal(got, append([]string{"before.csv"}, want...)) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if text := Titles(want[:2]); text != "train-images.idx3-ubyte, train-labels-idx1-ubyte.gz" {
		t.Errorf("the titles are %s", text)
	}
}

// TestFolderOfPictures: a folder with pictures stands for these, and for the texts beside them.
func TestFolderOfPictures(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"train/cat/1.png", "train/dog/2.JPG", "labels.csv", "train/.hidden.png", "notes.md"} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Expand([]string{folder})
	var got []string
	for _, file := range files {
		below, _ := filepath.Rel(folder, file)
		got = append(got, filepath.ToSlash(below))
	}
	if want := []string{"labels.csv", "train/cat/1.png", "train/dog/2.JPG"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("Expand: %q, %v, want %q", got, err, want)
	}
}

// The folders of data sets are known by their files, whatever the folder is called.
func TestFoldersOfSets(t *testing.T) {
	for _, names := range []string{
		"train_2000.bin test_500.bin",
		"train-images-idx3-ubyte.gz train-labels-idx1-ubyte.gz test-images-idx3-ubyte.gz test-labels-idx1-ubyte.gz writers.csv",
		"books_train.svmlight.gz books_test.svmlight.gz dvd_train.svmlight.gz dvd_test.svmlight.gz " +
			"electronics_train.svmlight.gz electronics_test.svmlight.gz kitchen_train.svmlight.gz kitchen_test.svmlight.gz",
		"train_8000.csv.gz test_1900.csv.gz",
	} {
		folder := filepath.Join(t.TempDir(), "a [1] * set")
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Skip(err) // Windows does not allow this name
		}
		want := strings.Fields(names)
		for _, name := range append(slices.Clone(want), "LICENSE", "batches.meta.txt") {
			if err := os.WriteFile(filepath.Join(folder, name), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		files, err := Expand([]string{folder})
		if err != nil {
			t.Fatal(err)
		}
		for i := range files {
			files[i] = filepath.Base(files[i])
		}
		if !slices.Equal(files, want) {
			t.Errorf("got %v, want %v", files, want)
		}
	}
}
