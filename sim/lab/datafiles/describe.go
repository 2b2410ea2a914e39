package datafiles

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"flockscope/sim/ingest"
	"flockscope/sim/lab/papers"
	"flockscope/sim/say"
	"flockscope/sim/workload"
)

// StandIn opens images or texts with classes, which take the place of synthetic samples in a
// named sweep, and describes them for its report.
func StandIn(paths []string) (*papers.Files, *workload.File, error) {
	names, err := Expand(paths)
	if err != nil {
		return nil, nil, err
	}
	file, err := Open(names)
	if err == nil {
		file, err = file.With("", "")
	}
	if err != nil {
		return nil, nil, err
	}
	set := file.Set
	plain := !set.Texts && (set.Shape.Height < 2 || set.Shape.Width < 2)
	if file.Data() != "samples" || set.Classes == 0 || plain && titleOf(names) != amazon {
		return nil, nil, fmt.Errorf("%s: got %s; want images or texts with classes, which stand in for drawn ones",
			Titles(paths), file.Words())
	}
	of := &papers.Files{Samples: set.Len(), Settings: file.Settings(), Texts: set.Texts,
		Kind: fmt.Sprintf("images of %d × %d", set.Shape.Height, set.Shape.Width)}
	if plain {
		of.Kind = fmt.Sprintf("samples with %s", say.Amount(set.Shape.Size(), "number"))
	}
	if set.Texts {
		of.Kind = "texts" // the settings of a table say with how many words
	}
	if err := describe(of, names, set.Classes); err != nil {
		return nil, nil, err
	}
	of.Hash, err = Hash(names)
	return of, file, err
}

// newsRights describes the rights to AG News.
const newsRights = "AG News is a part of A. Gulli's collection of news articles, chosen by Zhang, Zhao and LeCun " +
	"(\"Character-level Convolutional Networks for Text Classification\", NeurIPS 2015), for research and other " +
	"non-commercial use. No text is part of this report."

// known distinguishes sets whose files have the same names, by the SHA-256 of the unpacked test images.
var known = map[string]struct{ name, rights string }{
	"0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7": {"MNIST",
		"MNIST is by LeCun, Cortes and Burges (LeCun, Bottou, Bengio, Haffner, \"Gradient-based learning applied to document " +
			"recognition\", Proc. IEEE 86(11), 1998); those who distribute it state CC BY-SA 3.0. No image is part of this report."},
	"5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b": {"Fashion-MNIST",
		"Fashion-MNIST is by Xiao, Rasul and Vollgraf (arXiv:1708.07747, 2017), under the MIT licence of Zalando SE. " +
			"No image is part of this report."},
}

// titleOf returns the title of the set whose files these are, all of them, "" for none.
func titleOf(paths []string) (title string) {
	for i := range officialSets {
		o := &officialSets[i]
		if found, lacking := o.findFiles(filepath.Dir(paths[0])); len(lacking) == 0 && slices.Equal(found, paths) {
			title = o.title
		}
	}
	return title
}

// rightsOf are the owners and licences of sets that are known by their files' names.
var rightsOf = map[string]string{
	"CIFAR-10": "CIFAR-10 is by Krizhevsky, Nair and Hinton (Krizhevsky, \"Learning Multiple Layers of Features from Tiny " +
		"Images\", 2009), without an explicit licence. No image is part of this report.",
	"CIFAR-100": "CIFAR-100 is by Krizhevsky, Nair and Hinton (Krizhevsky, \"Learning Multiple Layers of Features from Tiny " +
		"Images\", 2009), without an explicit licence. No image is part of this report.",
	"FEMNIST": "FEMNIST is made of NIST's Special Database 19 by Caldas and others (\"LEAF: A Benchmark for Federated " +
		"Settings\", arXiv:1812.01097), without an explicit licence. No image is part of this report.",
	"Amazon": "The reviews are by Blitzer, Dredze and Pereira (\"Biographies, Bollywood, Boom-boxes and Blenders\", ACL " +
		"2007), for research. No text is part of this report.",
}

// describe names the set of some files, its rights if known, and the files with the beginnings of their checksums, as
// sha256sum prints them. classes is the number of classes.
func describe(f *papers.Files, paths []string, classes int) error {
	f.Name = cmp.Or(titleOf(paths), Titles(paths))
	var files []string
	switch {
	case f.Name == mnistNames:
		f.Name = "Images under the names of MNIST's"
	case f.Name == tables && f.Texts && classes == 4:
		f.Name, f.Rights = "AG News", newsRights
	case f.Name == tables:
		f.Name = Titles(paths)
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
	f.Rights = cmp.Or(f.Rights, rightsOf[f.Name])
	f.From = strings.Join(files, ", ")
	return nil
}
