package datafiles

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"flockscope/sim/ingest"
)

// officialSet has the original file names of a data set; * stands for any characters.
type officialSet struct {
	title string
	names []string
}

// officialSets are the sets that a folder may contain. Fashion-MNIST has the file names of MNIST.
var officialSets = []officialSet{
	{mnistNames, []string{"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte",
		"t10k-labels-idx1-ubyte"}},
	{"CIFAR-10", []string{"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
		"data_batch_5.bin", "test_batch.bin"}},
	{"CIFAR-10", []string{"train_*.bin", "test_*.bin"}}, // parts of it, as some give out
	{"FEMNIST", []string{"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "test-images-idx3-ubyte",
		"test-labels-idx1-ubyte", "writers.csv"}},
	{amazon, []string{"books_train.svmlight", "books_test.svmlight", "dvd_train.svmlight", "dvd_test.svmlight",
		"electronics_train.svmlight", "electronics_test.svmlight", "kitchen_train.svmlight", "kitchen_test.svmlight"}},
	{tables, []string{"train_*.csv", "test_*.csv"}},
	{"CIFAR-100", []string{"train.bin", "test.bin"}},
	{tables, []string{"train.csv", "test.csv"}},
}

// globEscape takes the meaning from characters of a folder's name in a pattern. Windows has no escapes in patterns, and
// such names there find nothing.
var globEscape = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `\`, escapedSlash)

var escapedSlash = map[bool]string{true: `\`, false: `\\`}[filepath.Separator == '\\']

const (
	mnistNames = "MNIST or Fashion-MNIST"
	tables     = "AG News or other tables"
	amazon     = "Amazon" // numbers of words, not texts
)

// findFiles returns the set's files in a folder, compressed or not, and the names of missing files.
func (o *officialSet) findFiles(folder string) (found, lacking []string) {
	for _, name := range o.names {
		dotted := strings.Replace(name, "-idx", ".idx", 1) // some tools name MNIST's files like this
		i := slices.IndexFunc([]string{name, name + ".gz", dotted, dotted + ".gz"}, func(name string) bool {
			matches, _ := filepath.Glob(filepath.Join(globEscape.Replace(folder), name))
			if len(matches) != 1 {
				return false
			}
			info, err := os.Stat(matches[0])
			if err == nil && info.Mode().IsRegular() {
				found = append(found, matches[0])
			}
			return err == nil && info.Mode().IsRegular()
		})
		if i < 0 {
			lacking = append(lacking, name)
		}
	}
	return found, lacking
}

// filesIn returns the files of the data set in a folder.
func filesIn(folder string) ([]string, error) {
	title := ingest.Title(folder)
	var whole *officialSet
	var files []string
	var parts, looked []string
	for i := range officialSets {
		o := &officialSets[i]
		found, lacking := o.findFiles(folder)
		looked = append(looked, fmt.Sprintf("%s (%s)", strings.Join(o.names, ", "), o.title))
		switch {
		case len(found) == 0:
		case len(lacking) > 0:
			parts = append(parts, fmt.Sprintf("of %s it has %s, and lacks %s", o.title,
				Titles(found), strings.Join(lacking, ", ")))
		case whole != nil:
			return nil, fmt.Errorf("%s: the folder holds the files of %s and of %s; name those of one set, "+
				"with commas between them", title, whole.title, o.title)
		default:
			whole, files = o, found
		}
	}
	if whole != nil {
		return files, nil
	}
	if len(parts) > 0 {
		return nil, fmt.Errorf("%s: the folder is not complete: %s (or with .gz)", title, strings.Join(parts, "; "))
	}
	if files := partFolders(folder); len(files) > 0 {
		return files, nil
	}
	if files := pictures(folder); len(files) > 0 {
		return files, nil
	}
	if inside := setBelow(folder); inside != "" {
		return nil, fmt.Errorf("%s: the folder itself holds no data set, but %s does: name that folder", title, inside)
	}
	return nil, fmt.Errorf("%s: the folder holds none of the files that were looked for: %s, each also with .gz; "+
		"nor folders train and test with files in them, nor PNG or JPEG pictures; name other files one by one, with commas between them", title, strings.Join(looked, "; "))
}

// partFolders returns the files in the subfolders train and test of a folder, as PFLlib and LEAF write them for each
// client; none if one of the two has no files.
func partFolders(folder string) (files []string) {
	for _, part := range []string{"test", "train"} {
		entries, _ := os.ReadDir(filepath.Join(folder, part)) // a folder that cannot be read counts as empty
		before := len(files)
		for _, entry := range entries {
			if entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), ".") {
				files = append(files, filepath.Join(folder, part, entry.Name()))
			}
		}
		if len(files) == before {
			return nil
		}
	}
	return files
}

// pictures returns the pictures in a folder and its subfolders, with the texts and tables beside them; none if there are
// none.
func pictures(folder string) (files []string) {
	found := false
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), ".") {
			return nil
		}
		switch picture := ingest.IsPicture(path); {
		case picture, slices.Contains([]string{".csv", ".tsv", ".txt"}, filepath.Ext(path)):
			files, found = append(files, path), found || picture
		}
		return nil
	})
	if !found {
		return nil
	}
	return files
}

// setBelow returns a subfolder, at most two levels down, that contains a whole set, "" for none.
func setBelow(folder string) (inside string) {
	const deepest, most = 2, 10_000 // maximum levels, and maximum entries examined
	looked := 0
	// A folder that cannot be read counts as empty.
	_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if looked++; looked > most {
			return fs.SkipAll
		}
		if err != nil || !entry.IsDir() {
			return nil
		}
		below, _ := filepath.Rel(folder, path)
		if strings.Count(below, string(filepath.Separator)) >= deepest {
			return fs.SkipDir
		}
		for i := range officialSets {
			o := &officialSets[i]
			if _, lacking := o.findFiles(path); len(lacking) == 0 {
				inside = path
				return fs.SkipAll
			}
		}
		return nil
	})
	return inside
}
