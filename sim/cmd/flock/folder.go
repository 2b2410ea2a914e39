package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"flockscope/sim/ingest"
	"flockscope/sim/lab/book"
)

// officialFiles are the files of a data set under the names that its authors gave them.
type officialFiles struct {
	title string
	names []string
}

// officialSets are the sets that a folder may hold. Fashion-MNIST has the names of MNIST.
var officialSets = []officialFiles{
	{mnistNames, []string{"train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte",
		"t10k-labels-idx1-ubyte"}},
	{"CIFAR-10", []string{"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin",
		"data_batch_5.bin", "test_batch.bin"}},
	{tables, []string{"train.csv", "test.csv"}},
}

const (
	mnistNames = "MNIST or Fashion-MNIST"
	tables     = "AG News or other tables"
)

// newsRights says whose AG News is.
const newsRights = "AG News is a part of A. Gulli's collection of news articles, chosen by Zhang, Zhao and LeCun " +
	"(\"Character-level Convolutional Networks for Text Classification\", NeurIPS 2015), for research and other " +
	"non-commercial use. No text is part of this report."

// known are the images for testing that tell sets of the same names apart, by the SHA-256
// of the unpacked file.
var known = map[string]struct{ name, rights string }{
	"0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7": {"MNIST",
		"MNIST is by LeCun, Cortes and Burges (LeCun, Bottou, Bengio, Haffner, \"Gradient-based learning applied to document " +
			"recognition\", Proc. IEEE 86(11), 1998); those who distribute it state CC BY-SA 3.0. No image is part of this report."},
	"5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b": {"Fashion-MNIST",
		"Fashion-MNIST is by Xiao, Rasul and Vollgraf (arXiv:1708.07747, 2017), under the MIT licence of Zalando SE. " +
			"No image is part of this report."},
}

// describeFiles sets which set files are, whose it is if that is known, and their names with
// the beginnings of their checksums, as sha256sum prints them.
func describeFiles(f *book.Files, paths []string, classes int) error {
	f.Name = titles(paths)
	var files []string
	for i := range officialSets {
		o := &officialSets[i]
		if found, lacking := o.find(filepath.Dir(paths[0])); len(lacking) == 0 && slices.Equal(found, paths) {
			f.Name = o.title
		}
	}
	switch {
	case f.Name == mnistNames:
		f.Name = "Images under the names of MNIST's"
	case f.Name == tables && f.Texts && classes == 4:
		f.Name, f.Rights = "AG News", newsRights
	case f.Name == tables:
		f.Name = titles(paths)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		files = append(files, fmt.Sprintf("%s (SHA-256 %x…)", ingest.Title(path), sum[:8]))
		file := ingest.File{Name: path, Data: data}
		if unpacked, err := file.Unpack(ingest.MaxFileBytes); err == nil {
			sum := sha256.Sum256(unpacked)
			if set, ok := known[hex.EncodeToString(sum[:])]; ok {
				f.Name, f.Rights = set.name, set.rights
			}
		}
	}
	f.From = strings.Join(files, ", ")
	return nil
}

// find returns the set's files in a folder, packed by gzip or not, and the names of those
// that it lacks.
func (o *officialFiles) find(folder string) (found, lacking []string) {
	for _, name := range o.names {
		dotted := strings.Replace(name, "-idx", ".idx", 1) // as some who unpack MNIST's files call them
		i := slices.IndexFunc([]string{name, name + ".gz", dotted, dotted + ".gz"}, func(name string) bool {
			info, err := os.Stat(filepath.Join(folder, name))
			if err == nil && info.Mode().IsRegular() {
				found = append(found, filepath.Join(folder, name))
			}
			return err == nil && info.Mode().IsRegular()
		})
		if i < 0 {
			lacking = append(lacking, name)
		}
	}
	return found, lacking
}

// filesIn returns the files of the data set that a folder holds.
func filesIn(folder string) ([]string, error) {
	title := ingest.Title(folder)
	var whole *officialFiles
	var files []string
	var parts, looked []string
	for i := range officialSets {
		o := &officialSets[i]
		found, lacking := o.find(folder)
		looked = append(looked, fmt.Sprintf("%s (%s)", strings.Join(o.names, ", "), o.title))
		switch {
		case len(found) == 0:
		case len(lacking) > 0:
			parts = append(parts, fmt.Sprintf("of %s it has %s, and lacks %s", o.title,
				titles(found), strings.Join(lacking, ", ")))
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
	if inside := setBelow(folder); inside != "" {
		return nil, fmt.Errorf("%s: the folder itself holds no data set, but %s does: name that folder", title, inside)
	}
	return nil, fmt.Errorf("%s: the folder holds none of the files that were looked for: %s, each also with .gz; "+
		"nor folders train and test with files in them; name other files one by one, with commas between them", title, strings.Join(looked, "; "))
}

// partFolders returns the files in the folders train and test of a folder, as PFLlib and LEAF
// write those of each client; none if one of the two has no files.
func partFolders(folder string) (files []string) {
	for _, part := range []string{"test", "train"} {
		entries, _ := os.ReadDir(filepath.Join(folder, part)) // what cannot be read holds none
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

// setBelow returns a folder in a folder, at most two levels down, that holds a whole set,
// "" for none.
func setBelow(folder string) (inside string) {
	const deepest, most = 2, 10_000 // levels, entries looked at
	looked := 0
	// What cannot be read holds none.
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
			if _, lacking := o.find(path); len(lacking) == 0 {
				inside = path
				return fs.SkipAll
			}
		}
		return nil
	})
	return inside
}

// titles are the names of files without their folders.
func titles(paths []string) string {
	var out []string
	for _, path := range paths {
		out = append(out, ingest.Title(path))
	}
	return strings.Join(out, ", ")
}

// expand puts the files of a data set in the place of the folder that holds them.
func expand(paths []string) ([]string, error) {
	var out []string
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || !info.IsDir() {
			out = append(out, path) // whoever opens it says what is wrong
			continue
		}
		files, err := filesIn(path)
		if err != nil {
			return nil, err
		}
		out = append(out, files...)
	}
	return out, nil
}
