//go:build !js

package cluster

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"os"
	"sync"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
	"flockscope/sim/lab/report"
	"flockscope/sim/lab/results"
	"flockscope/sim/textfile"
	"flockscope/sim/textfile/packed"
)

// Damaged collects the damage that a command finds in files of results. The command uses the rest, reports how much is
// lost, and fails at its end, unless Skip accepts the loss.
type Damaged struct {
	Skip bool
	Log  *Log

	found []*results.Damage // damage with a loss
	lost  []error           // those of found that Skip does not accept
}

// note logs damage, or keeps it for Err if it makes the command fail.
func (d *Damaged) note(found *results.Damage) {
	if found == nil {
		return
	}
	if found.Lost() {
		d.found = append(d.found, found)
	}
	if !d.Skip && found.Lost() {
		d.lost = append(d.lost, found)
		return
	}
	d.Log.Printf("%v", found)
}

// Err returns an error if there is a loss that Skip does not accept.
func (d *Damaged) Err() error {
	if len(d.lost) == 0 {
		return nil
	}
	return fmt.Errorf("%w\nflock: flock merge with a good copy brings back what is lost; -damaged=skip goes on without it",
		errors.Join(d.lost...))
}

// unreadable returns a lower bound of the number of lost records.
func (d *Damaged) unreadable() (n int) {
	for _, found := range d.found {
		n += found.Unreadable
	}
	return n
}

// Open opens a file of results for reading.
func (d *Damaged) Open(name string) (*results.Reader, error) {
	f, err := results.OpenToRead(name, CheckRecord)
	if err != nil {
		return nil, err
	}
	if f.Old() {
		d.Log.Printf("%s is of an older flock, which kept no digest of all records: not every damage to it is noticed; "+
			"flock merge -o NEW %[1]s gives it one", name)
	}
	d.note(f.Damage())
	return f, nil
}

// openToWrite opens a file of results for reading and writing. A damaged file is rebuilt from its readable parts, if
// nothing is lost or the loss is accepted.
func (d *Damaged) openToWrite(name string) (*results.File, error) {
	f, err := results.Open(name, CheckRecord)
	var found *results.Damage
	if !errors.As(err, &found) {
		return f, err
	}
	if d.note(found); len(d.lost) > 0 {
		return nil, d.Err()
	}
	return d.heal(name)
}

// heal rebuilds a damaged file, and opens it.
func (d *Damaged) heal(name string) (*results.File, error) {
	kept, err := results.Heal(name, CheckRecord)
	if err != nil {
		return nil, err
	}
	d.Log.Printf("%s was made anew of what can be read; the damaged file is %s", name, kept)
	return results.Open(name, CheckRecord)
}

var checker = sync.OnceValue(func() *plan.Checker { return plan.NewChecker(catalog.Schema()) })

// CheckRecord returns an error if a record cannot be right. Every record that is read passes it.
func CheckRecord(r *plan.Record) error { return checker().Check(r) }

// ReadPlan parses the text of a plan in a file of results.
func ReadPlan(name, text string) (*plan.Plan, error) {
	draft, err := plan.ParseDraft(text)
	if err == nil && text == "" {
		err = errors.New("it has no plan; -plan with the text of one, given to sweep, adds it")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return draft.Plan(catalog.Schema().Parse)
}

// StoredPlan returns the text of the plan of a file of results, "" if there is no such file.
func StoredPlan(name string) (string, error) {
	text, _, err := results.ReadPlan(name)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil || text != "" {
		return text, err
	}
	f, err := results.OpenToRead(name, CheckRecord) // the file has no plan, or is damaged
	if err != nil {
		return "", err
	}
	if d := f.Damage(); d != nil && d.Lost() {
		err = d
	}
	return "", errors.Join(err, f.Close())
}

// Sources reads files of results and of JSON Lines for a report. given is the plan of the files without one; nil for
// none.
func (d *Damaged) Sources(names []string, given *plan.Plan) ([]report.Source, error) {
	var sources []report.Source
	for _, name := range names {
		source, err := d.source(name, given)
		if err != nil {
			return nil, err
		}
		sources = append(sources, source)
	}
	return sources, nil
}

func (d *Damaged) source(name string, given *plan.Plan) (report.Source, error) {
	source := report.Source{Name: name, Plan: given}
	if info, err := os.Stat(name); err != nil {
		return source, err
	} else if info.Size() == 0 {
		return source, fmt.Errorf("%s is empty", name)
	}
	if !isLines(name) && given == nil {
		text, _, err := results.ReadPlan(name)
		if err == nil && text != "" {
			source.Plan, err = ReadPlan(name, text)
		}
		if err != nil {
			return source, err
		}
	}
	own := Damaged{Skip: d.Skip, Log: d.Log} // damage of this file
	records, closeFile, err := own.records(name)
	if err != nil {
		return source, err
	}
	for r, err := range records {
		if err != nil {
			return source, errors.Join(err, closeFile())
		}
		source.Records = append(source.Records, r)
	}
	source.Damaged = own.unreadable()
	d.lost = append(d.lost, own.lost...)
	return source, closeFile()
}

// isLines reports whether a file has records as JSON Lines.
func isLines(name string) bool {
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	return bytes.HasPrefix(packed.Head(f, 4096), []byte{'{'})
}

// records returns the records of a file of results or of JSON Lines, and notes its damage.
func (d *Damaged) records(name string) (records iter.Seq2[plan.Record, error], closeFile func() error, err error) {
	if !isLines(name) {
		f, err := d.Open(name)
		if err != nil {
			return nil, nil, err
		}
		return f.All(), f.Close, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	return func(yield func(plan.Record, error) bool) {
		n, found := 0, results.Damage{Name: name}
		for line, err := range textfile.ReadLines(packed.NewReader(f)) {
			if n++; err == nil && len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			var r plan.Record
			if err != nil {
				found.UncertainWhy = "it breaks off there"
				err = fmt.Errorf("cannot be read: %w", err)
			} else if r, err = plan.ParseRecord(line); err == nil {
				err = CheckRecord(&r)
			}
			if err == nil {
				if found.Readable++; !yield(r, nil) {
					return
				}
				continue
			}
			if found.Unreadable++; found.First == nil {
				found.First = fmt.Errorf("line %d %w", n, err)
			}
		}
		if found.Lost() {
			d.note(&found)
		}
	}, f.Close, nil
}
