package workload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/partition"
	"flockscope/sim/say"
)

// File is a user's files, already checked: a set of samples and, if these are rows of x and y, a
// table by client.
type File struct {
	Table *Table
	Set   *dataset.Set
	// Notes say how the files were read, in sentences without full stops: ignored rows, changed defaults.
	Notes []say.Message

	// ConstantNote is such a sentence about constant features, "" for none.
	ConstantNote say.Message

	curvature float64 // curvature of its features, 0 for images and the like

	source   Source // nil if a test made the file
	cols     string // roles of columns with which it was read
	files    int
	mu       sync.Mutex
	versions map[string]*File // latest versions by cols and na
}

// Source is the content of a user's files. Package ingest reads it, which this package does not import: a program that
// opens no files does without. cols are the roles of a table's columns, "" for guessed ones.
type Source interface {
	// SetOf returns the samples, with missing values filled by means if fill is set and sentences as sequences of words
	// if these have a length, and notes on how they were read.
	SetOf(cols string, fill bool, as dataset.Sequences) (*dataset.Set, []say.Message, error)
	// Lines reports whether the files are a table of rows of x and y.
	Lines(cols string) bool
	// RolesNote describes the roles of a table's columns; "" if all follow from names such as client, x and y.
	RolesNote(cols string) say.Message
}

// NewFile returns the file of a source; [File.With] then sets the roles of a table's columns. files is the number of
// files in it.
func NewFile(source Source, files int) *File { return &File{source: source, files: files} }

// Source returns what the file was read from, nil if a test made it.
func (f *File) Source() Source { return f.source }

// With returns the file with the roles that cols gives to its columns, and with missing values filled if na is mean.
// Files that are not tables have no roles.
func (f *File) With(cols, na string) (*File, error) { return f.with(cols, na, dataset.Sequences{}) }

// with is With with sentences as sequences of words, unless their length is 0.
func (f *File) with(cols, na string, as dataset.Sequences) (*File, error) {
	if f.source == nil {
		return f, nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	key := cols
	if na == "mean" {
		key += " " + na
	}
	if as.Length > 0 {
		key += fmt.Sprint(" ", as)
	}
	if made := f.versions[key]; made != nil {
		return made, nil
	}
	made, err := f.read(cols, na == "mean", as)
	if err != nil {
		return nil, err
	}
	made.source, made.files, made.versions = f.source, f.files, map[string]*File{key: made}
	f.versions = made.versions // only one at a time, because sets are large
	return made, nil
}

// ColumnNotes returns sentences, as in Notes, about the columns of a table: their roles, unless all follow from names
// such as client, x and y; and constant columns.
func (f *File) ColumnNotes() (notes []say.Message) {
	if f.source != nil {
		if note := f.source.RolesNote(f.cols); note != "" {
			notes = append(notes, note)
		}
	}
	if f.ConstantNote != "" {
		notes = append(notes, f.ConstantNote)
	}
	return notes
}

func (f *File) read(cols string, fill bool, as dataset.Sequences) (*File, error) {
	set, notes, err := f.source.SetOf(cols, fill, as)
	if err != nil {
		return nil, err
	}
	out := &File{Set: set, Notes: notes, cols: cols}
	if f.source.Lines(cols) {
		out.Table, err = lineTable(set)
	}
	if set.Same != "" {
		out.ConstantNote = say.Messagef("The same in all samples: %s", set.Same)
	}
	if !out.lines() && !set.Plain() {
		out.curvature = set.Curvature()
	}
	if n := set.Len(); err == nil && n < fewest && !out.lines() {
		err = say.Errorf("%s: expected %d samples at least, two for each of two clients, found %d", set.Name, fewest, n)
		if f.files > 1 {
			err = say.Errorf("the %d files have %d samples in all; expected %d samples at least, two for each of two clients",
				f.files, n, fewest)
		}
	}
	if tests := set.Len() - set.Train; tests > 0 && err == nil {
		note := say.Messagef("%d of %d samples are for testing, as the files say: test=set keeps them apart", tests, set.Len())
		if !keepsTests(set) {
			note = say.Messagef("%d of %d samples are for testing, as the files say, but they are too few, or of other clients, so that each client is tested on a part of all its samples", tests, set.Len())
		}
		out.Notes = append(out.Notes, note)
	}
	return out, err
}

// lines reports whether the file is one of rows of x and y: a file with test rows has samples, because lines have none.
func (f *File) lines() bool { return f.Table != nil && (f.Set == nil || f.Set.Train == f.Set.Len()) }

// keepsTests reports whether clients can be tested on the test split of the files: there is one, and most clients have
// samples in both parts.
func keepsTests(s *dataset.Set) bool {
	if s.Train == s.Len() {
		return false
	}
	if n := owners(s, true); n > 1 || owners(s, false) > 1 {
		return n > 1 && 2*n >= owners(s, false)
	}
	return s.Train > 1 && s.Len()-s.Train >= fewestTests
}

// Data returns the workload that reads the file.
func (f *File) Data() string {
	if f.lines() {
		return "csv"
	}
	return "samples"
}

// Settings returns the settings of Data that the file needs, as key=value: samples with known writers belong to these,
// and others are distributed independently of their order; samples that are not images cannot be rotated; and without
// classes the model must predict numbers.
func (f *File) Settings() []string { return f.settings(false) }

// SettingsApart returns [File.Settings] with clients tested on the test split of the files, if possible. An experiment
// that already has a file keeps its settings.
func (f *File) SettingsApart() []string { return f.settings(f.Set != nil && keepsTests(f.Set)) }

func (f *File) settings(ownTests bool) []string {
	s := f.Set
	var out []string
	if f.lines() {
		models := usualModels
		if n := len(f.Table.Groups); n > 1 { // K follows the groups
			models = n
		}
		if models = min(models, len(f.Table.Clients)); models != usualModels {
			out = append(out, "K="+strconv.Itoa(models))
		}
		return out
	}
	clients := owners(s, ownTests)
	switch {
	case clients > 1: // K follows the groups, and is at most the number of clients
		models := min(4, clients)
		if n := len(s.Groups); n > 0 {
			models = min(n, clients)
		}
		out = append(out, "split=writers", "C="+strconv.Itoa(clients), "K="+strconv.Itoa(min(models, maxModels)))
	default:
		if !partition.Mixed(s) {
			out = append(out, "order=shuffled")
		}
		most := s.Len() / 2 // each client needs two samples
		if ownTests {
			most = min(s.Train, max(2, (s.Len()-s.Train)/4)) // with few test samples some clients might get none
		}
		if most < 16 {
			out = append(out, "C="+strconv.Itoa(most), "K="+strconv.Itoa(min(4, most)))
		}
	}
	if ownTests {
		out = append(out, "test=set")
	}
	if s.Plain() {
		out = append(out, "scale=none")
	}
	if clients > 1 || s.Shape.Height < 2 || s.Shape.Width < 2 {
		out = append(out, "shift=none")
	}
	if s.Classes == 0 {
		out = append(out, "net=linear")
	}
	return out
}

// Advice returns settings, as key=value, that suit a table of numbers or sentences better than the defaults, which suit
// images: clients with few rows train several local epochs, at a stable learning rate; rare words need Adam. An
// experiment that already has a file keeps its settings. It is nil for images, word counts and rows of x and y.
func (f *File) Advice() []string {
	if f.curvature == 0 && !f.Set.Texts {
		return nil
	}
	const batch, steps = 64, 10 // batch size of a client, and steps in a round
	clients := owners(f.Set, keepsTests(f.Set))
	if clients < 2 {
		clients = min(16, f.Set.Len()/2)
	}
	epoch := max(1, f.Set.Len()*4/5/max(1, clients*batch)) // steps of one epoch
	out := []string{"avg=model", "tau=" + strconv.Itoa(max(1, steps/epoch))}
	if f.Set.Texts {
		return append(out, "opt=adam", "lr=0.003")
	}
	return append(out, "lr="+param.FormatFloat(f.safeRate()))
}

// safeRate returns a learning rate
func (f *File) safeRate() float64 {
	// Gradient descent is stable below 2 over the curvature of the loss, which is at most
	// twice that of the features for squared errors, half of it for a softmax.
	most := 2 / f.curvature
	if f.Set.Classes == 0 {
		most = 0.5 / f.curvature
	}
	rate := 0.5
	for _, x := range slices.Backward(roundNumbers) {
		if rate = min(rate, x); x <= most {
			break
		}
	}
	return rate
}

// Adapted returns a sentence about the defaults that change for the file, except those that the caller keeps; "" for
// none. advised includes [File.Advice].
func (f *File) Adapted(kept func(key string) bool, advised bool) say.Message {
	usual := 4
	if f.lines() {
		usual = usualModels
	}
	settings := f.SettingsApart()
	if kept("test") {
		settings = f.Settings()
	}
	adapted := slices.DeleteFunc(settings, func(setting string) bool {
		key, value, _ := strings.Cut(setting, "=")
		return key != "C" && key != "test" && (key != "K" || value == strconv.Itoa(usual)) ||
			key == "C" && owners(f.Set, false) > 1
	})
	if advised {
		adapted = append(adapted, f.Advice()...)
	}
	adapted = slices.DeleteFunc(adapted, func(setting string) bool {
		key, _, _ := strings.Cut(setting, "=")
		return kept(key) || (key == "tau" || key == "opt") && kept("avg") // the run may not read it
	})
	if len(adapted) == 0 {
		return ""
	}
	return say.Messagef("Defaults that fit this file: %s", strings.Join(adapted, ", "))
}

// usualModels is the default of K for lines.
const usualModels = 3

// maxModels is the largest K.
const maxModels = 64

// owners returns the number of clients for a set with known writers: one for each writer with enough samples, or five
// for each domain, as in CLoVE, if there are enough samples; at most a hundred. It is 0 if writers are unknown. With
// ownTests clients are tested on the set's test split.
func owners(s *dataset.Set, ownTests bool) int {
	const most, each = 100, 5
	if s.Domains {
		n, held := len(s.Groups), make([]int, len(s.Groups))
		tests := make([]int, len(s.Groups))
		for i, domain := range s.Writer {
			if held[domain]++; i >= s.Train {
				tests[domain]++
			}
		}
		for domain, n := range tests {
			if ownTests {
				held[domain] = 2 * min(n, held[domain]-n)
			}
		}
		return n * min(slices.Min(held)/2, max(1, min(each, most/n)))
	}
	n := 0
	for _, able := range partition.Able(s, ownTests) {
		if able {
			n++
		}
	}
	return min(n, most)
}

// Words describes the file briefly.
func (f *File) Words() say.Message {
	if f.lines() {
		t, rows := f.Table, 0
		for _, x := range t.X {
			rows += len(x)
		}
		words := say.Messagef("%s of %s", say.CountMessage(rows, "row"), say.CountMessage(len(t.Clients), "client"))
		if n := len(t.Groups); n > 0 {
			return say.Messagef("%s in %s", words, say.CountMessage(n, "group"))
		}
		return say.Messagef("%s, groups unknown", words)
	}
	s := f.Set
	words := say.Messagef("%s of %s", say.CountMessage(s.Len(), "sample"), say.CountMessage(s.Shape.Size(), "number"))
	switch {
	case s.Texts:
		words = say.Messagef("%s with %s", say.CountMessage(s.Len(), "text"),
			say.CountMessage(s.Shape.Size(), "different word"))
	case s.Shape.Height > 1:
		words = say.Messagef("%s of %d × %d", say.CountMessage(s.Len(), "image"), s.Shape.Height, s.Shape.Width)
	}
	if s.Classes > 0 {
		words = say.Messagef("%s in %s", words, say.CountMessage(s.Classes, "class"))
	}
	switch n := len(s.Writers); {
	case s.Domains:
		words = say.Messagef("%s from %s", words, say.CountMessage(n, "domain"))
	case len(s.Groups) > 0:
		words = say.Messagef("%s by %s in %s", words, say.CountMessage(n, "writer"),
			say.CountMessage(len(s.Groups), "group"))
	case n > 0:
		words = say.Messagef("%s by %s", words, say.CountMessage(n, "writer"))
	}
	return words
}

// fewest is the fewest samples of a set, and fewestTests the fewest test samples with which clients
// are tested on the set's test split.
const fewest, fewestTests = 4, 8
