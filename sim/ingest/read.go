// Package ingest reads sample sets from files that people have: tables (CSV and its relatives,
// ARFF, JSON records), IDX images, CIFAR's binary batches, PNG and JPEG pictures, NumPy arrays,
// svmlight and LEAF files, each perhaps packed by gzip or in a zip archive.
//
// Files are read in these steps:
//
//	read.go, unpack.go, zip.go   open files and archives, which name.go describes by their names
//	kind.go                      recognises the formats; json.go reads JSON
//	idx.go, cifar.go, numpy.go, leaf.go, svm.go, names.go, writers.go   formats other than tables
//	pictures.go                  pictures in folders, or with a table of labels
//
// and tables in these:
//
//	dialect.go, records.go, package arff   values of rows: with separators, as JSON, of Weka's
//	table.go        types of columns
//	roles.go        what columns are for, with owners.go (the client), parts.go (which rows
//	                are for testing) and copies.go (columns that repeat the label)
//	fromtable.go    makes a set of a table; sentences.go turns sentences into weights of words
//	inspect.go      describes all this
//
// target.go makes classes or numbers to predict, roster.go numbers the clients; pixels.go and
// offset.go decide how numbers are stored.
package ingest

import (
	"bytes"
	"slices"
	"strings"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/say"
)

// File is a file opened by the user.
type File struct {
	Name string // with or without folders; may indicate training or testing
	Data []byte // may be compressed by gzip, or a zip archive
	// Transposed: IDX images are stored column by column, as EMNIST's are. This is assumed if the name contains emnist.
	Transposed bool
}

// Limits that keep a mistaken file from freezing a tab.
const (
	MaxFileBytes     = 160 << 20 // bytes of one file, before unpacking: the training images of CIFAR-100 have 147 MB
	maxUnpackedBytes = 256 << 20 // bytes of all files, unpacked
	maxFeatures      = 1 << 16   // numbers per sample
	maxClasses       = 256
	maxSamples       = 4 << 20 // rows of text: reading more takes minutes
	largest          = 1e6     // absolute value of a feature: keeps its square finite
)

// Read makes one set of the files of one kind: IDX pairs of images and labels, CIFAR's binary batches, NumPy arrays,
// svmlight bags of words, tables whose columns have guessed roles, with numbers or sentences, or LEAF's JSON. The
// contents decide the kind. PNG and JPEG pictures are labelled by their folders or by a table. Files with test or t10k in their names become the test split. A list of class names, one
// per line, may be among the files; with a table, a list of column names such as features.txt; with IDX files, a table
// of the rows of each writer. svmlight files and tables whose names differ otherwise are domains, and so are folders with
// IDX files of the same names. Descriptions, such as README.txt, are ignored. Black ink on white paper becomes white on black.
//
// The set may keep the files' data, which must not change.
//
// An error is one sentence with the file, the byte or line, what was expected there and what was found.
func Read(files []File) (*dataset.Set, error) {
	o, err := Open(files)
	if err != nil {
		return nil, err
	}
	s, _, err := o.Set("", false)
	return s, err
}

// Opened is the content of files: a set, or a table whose columns may have several roles.
type Opened struct {
	Table *Table
	set   *dataset.Set
	notes []say.Message // notes about the set
	b     *bundle
}

// Open is [Read] without choosing the roles of a table's columns.
func Open(files []File) (*Opened, error) {
	if len(files) == 0 {
		return nil, say.Errorf("no file given; expected %s", readable)
	}
	o := &Opened{b: &bundle{}}
	b := o.b
	b.budget = maxUnpackedBytes
	for i := range files {
		f, err := unpack(&files[i], b.budget, maxUnpackedBytes)
		switch {
		case err != nil:
			return nil, err
		case len(files) > 1 && f.isDocumentation():
			b.ignored = append(b.ignored, say.Name(param.Plain(f.name)))
			continue
		case f.isZip():
			err = b.addArchive(f, true)
		default:
			b.budget -= len(f.data)
			err = b.add(f)
		}
		if err != nil {
			return nil, err
		}
	}
	if err := b.checkKinds(); err != nil {
		return nil, err
	}
	if len(b.files) == 0 && b.companion() == nil {
		return nil, say.Errorf("only descriptions given: %s; expected %s", listed(b.ignored), readable)
	}
	if len(b.files) == 0 {
		c := b.companion()
		return nil, c.errorf("it looks like %s, which goes with samples, and there are none; expected %s too",
			c.kind.title, readable)
	}
	if b.files[0].kind != &pictureKind {
		assignParts(b.files)
	}
	// Training files come first, then validation, then test files.
	slices.SortStableFunc(b.files, func(x, y *file) int { return x.order() - y.order() })
	var err error
	if b.files[0].kind == &tableKind {
		o.Table, err = openTable(b)
		return o, err
	}
	s := &dataset.Set{Name: b.files[0].name}
	if err := b.files[0].kind.read(s, b); err != nil {
		return nil, err
	}
	if err = b.finish(s); err == nil {
		o.notes = noteConstants(s, func(k int) say.Message { return say.Messagef("number %d", k+1) })
	}
	o.set = s
	return o, err
}

// Lines reports whether the files are a table of rows client,x,y with the roles that cols gives to its columns; see
// [Table.Lines].
func (o *Opened) Lines(cols string) bool {
	if o.Table == nil {
		return false
	}
	roles, err := o.Table.Roles(cols)
	return err == nil && o.Table.Lines(roles)
}

// RolesNote describes the roles of a table's columns; "" if all follow from names such as client, x and y.
func (o *Opened) RolesNote(cols string) say.Message {
	if o.Table == nil {
		return ""
	}
	roles, err := o.Table.Roles(cols)
	if err != nil || o.Table.Lines(roles) && ByName(roles) {
		return ""
	}
	return o.Table.Describe(roles)
}

// Set returns the samples, with the roles that cols gives to the columns of a table
// ([Table.Roles]). Missing values are filled if fill is set. notes describe how the files were
// read, one sentence each without its full stop.
func (o *Opened) Set(cols string, fill bool) (s *dataset.Set, notes []say.Message, err error) {
	return o.SetOf(cols, fill, dataset.Sequences{})
}

// SetOf is Set with sentences as sequences of words. An error says if there are none.
func (o *Opened) SetOf(cols string, fill bool, as dataset.Sequences) (s *dataset.Set, notes []say.Message, err error) {
	if as.Length > 0 {
		defer func() {
			if err == nil && s.Tokens == 0 {
				err = &param.Error{Field: "texts", Got: "tokens", Want: "weights", Hint: "these samples are not sentences",
					Suggestions: []param.Suggestion{{Key: "texts", Value: "weights"}}}
			}
		}()
	}
	if o.Table == nil {
		if cols != "" {
			return nil, nil, &param.Error{Field: "cols", Got: cols, Want: "nothing",
				Hint: say.Messagef("%s has no columns", o.set.Name)}
		}
		return o.set, append(o.b.notes(), o.notes...), nil
	}
	roles, err := o.Table.Roles(cols)
	if err != nil {
		return nil, nil, err
	}
	s, notes, rows, err := o.Table.set(roles, fill, as)
	if err != nil {
		return nil, nil, err
	}
	if err := o.b.finish(s); err != nil {
		for _, what := range rows {
			err = say.Errorf("%s; %s", err, what)
		}
		return nil, nil, err
	}
	return s, append(o.b.notes(), notes...), nil
}

// file is an unpacked file of a known kind.
type file struct {
	name       string // name for messages
	origin     string // its name with folders
	path       string // origin in lower case
	archive    string // name of its zip archive
	ending     string // ending of the name, such as .csv
	stem       string // the name without its ending and words such as train or test
	data       []byte
	kind       *kind
	form       form   // form of a table
	source     string // stem of the NPZ file that contains it
	withValid  string // the stem with words such as validation
	test       bool   // the file is for testing
	train      bool   // the name says that the file is for training
	class      string // class of a picture
	valid      bool   // the file is for validation, and other files are for testing
	transposed bool
}

// order returns the position of a file among those of one set.
func (f *file) order() int {
	switch {
	case f.test:
		return 2
	case f.valid:
		return 1
	}
	return 0
}

// form is the file format of a table.
type form byte

const (
	textForm    form = iota // rows with separators
	arffForm                // Weka's format
	recordsForm             // JSON records
)

// errorf returns an error that begins with the file's name.
func (f *file) errorf(format string, args ...any) error {
	return say.Errorf("%s: %s", f.name, say.Errorf(format, args...))
}

// bundle is the files of one set: files of one kind, and files that accompany them.
type bundle struct {
	files      []*file       // not empty when read; training files first
	names      *file         // class names
	columns    *file         // names of the columns of a table
	writers    *file         // ranges of rows
	tables     []*file       // tables that accompany pictures
	words      *file         // words for the names of pictures' classes
	noWords    error         // the error of this file if there are no pictures
	scaled     say.Message   // how pictures were scaled, if they were
	ignored    []say.Message // descriptions and other ignored files
	budget     int           // bytes that may still be unpacked
	firstLabel int           // the label of class 0, if labels are numbers
}

// notes lists the ignored files, and says how pictures were scaled.
func (b *bundle) notes() (notes []say.Message) {
	if len(b.ignored) > 0 {
		notes = append(notes, say.Messagef("Ignored files: %s", listed(b.ignored)))
	}
	if b.scaled != "" {
		notes = append(notes, b.scaled)
	}
	return notes
}

// listed joins names. If there are many, it gives the first few and the number of the others.
func listed(names []say.Message) say.Message {
	const few = 6
	out := say.JoinMessage(names[:min(len(names), few)], ", ")
	if more := len(names) - few; more > 0 {
		return say.Messagef("%s and %d more", out, more)
	}
	return out
}

// add recognises a file and adds it.
func (b *bundle) add(f *file) error {
	var err error
	if f.kind, err = recognise(f); err != nil {
		if f.stem == "words" && b.words == nil { // perhaps Tiny-ImageNet's
			b.words, b.noWords = f, err
			return nil
		}
		return err
	}
	if b.columns == nil && (f.kind == &tableKind || f.kind == &namesKind) && f.namesColumns() {
		b.columns = f
		return nil
	}
	switch f.kind {
	case &namesKind:
		if b.names != nil {
			return f.errorf("it is a second list of class names beside %s; expected one", b.names.name)
		}
		b.names = f
	case &writersKind:
		if b.writers != nil {
			return f.errorf("it is a second table of writers beside %s; expected one", b.writers.name)
		}
		b.writers = f
	default:
		b.files = append(b.files, f)
	}
	return nil
}

// checkKinds returns an error unless all files are of one kind. A file that looks like a column of numbers is a list of
// class names if the samples are of another kind.
func (b *bundle) checkKinds() error {
	if len(b.files) == 0 && b.columns != nil { // if it is the only file, it is a table
		b.files, b.columns = append(b.files, b.columns), nil
	}
	if b.splitPictures(); b.noWords != nil && len(b.files) == 0 {
		return b.noWords
	}
	other := slices.ContainsFunc(b.files, func(f *file) bool { return f.kind != &tableKind })
	for i, f := range slices.Backward(b.files) {
		if line, _, _ := bytes.Cut(f.data, []byte{'\n'}); other && b.names == nil && f.kind == &tableKind &&
			isNumeric(strings.TrimSpace(string(line))) && bytes.Count(f.data, []byte{'\n'}) <= maxClasses {
			f.kind, b.names = &namesKind, f
			b.files = slices.Delete(b.files, i, i+1)
		}
	}
	for _, f := range b.files {
		if first := b.files[0]; f.kind != first.kind {
			return b.withArchive(f.errorf("it is %s, but %s is %s; expected the files of one set",
				f.kind.title, first.name, first.kind.title))
		}
	}
	return nil
}

// withArchive adds the names of the files in an archive to an error about files that do not belong
// together.
func (b *bundle) withArchive(err error) error {
	archive := b.files[0].archive
	if archive == "" {
		return err
	}
	var names []say.Message
	for _, f := range b.files {
		names = append(names, say.Name(param.Plain(strings.TrimPrefix(f.name, archive+" › "))))
	}
	return say.Errorf("%s; %s contains %s: unpack it, and open the files that belong together", err, archive,
		listed(names))
}

// companion is a file that accompanies others.
func (b *bundle) companion() *file {
	if b.names != nil {
		return b.names
	}
	return b.writers
}

// finish checks sets of all kinds and names the classes.
func (b *bundle) finish(s *dataset.Set) error {
	if s.Train == 0 {
		s.Train = s.Len() // if there are only test files, they are the whole set
	}
	if b.writers != nil && b.files[0].kind != &idxKind {
		return b.writers.errorf("it goes with IDX files, but %s is %s", b.files[0].name, b.files[0].kind.title)
	}
	if b.columns != nil && b.files[0].kind != &tableKind {
		return b.columns.errorf("it names columns, and goes with a table, but %s is %s", b.files[0].name,
			b.files[0].kind.title)
	}
	if s.Value == nil && s.Len() < 2 {
		return b.files[0].errorf("it has one sample; expected more")
	}
	if s.Value == nil && slices.Min(s.Label) == slices.Max(s.Label) {
		return b.files[0].errorf("all %d samples are of one class; expected two at least", s.Len())
	}
	if b.names != nil {
		names, err := readNames(b.names, s, b.firstLabel)
		if err != nil {
			return err
		}
		s.ClassNames = names
	}
	return nil
}

// noteConstants sets the names of the constant features, and returns a note about an offset of the
// targets.
func noteConstants(s *dataset.Set, name func(feature int) say.Message) (notes []say.Message) {
	if !s.Plain() {
		var same []say.Message
		for _, k := range s.Constant() {
			if is := name(k); !slices.Contains(same, is) {
				same = append(same, is)
			}
		}
		s.Same = listed(same)
	}
	if s.Offset != 0 {
		notes = append(notes, say.Messagef("Targets lie close together, so %s is subtracted from each; errors stay the same",
			say.Figures(s.Offset, 12)))
	}
	return notes
}
