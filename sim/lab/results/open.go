//go:build !js

package results

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"flockscope/sim/textfile/packed"
)

// OpenToRead opens a file for reading, also one of another engine version, and examines all of it. Records that the
// check rejects count as damaged. It fails if the file is not a file of results; [Reader.Damage] describes damage of
// files that are.
func OpenToRead(name string, check Check) (*Reader, error) {
	r, pages, err := openHead(name)
	if err != nil {
		return nil, err
	}
	if err := r.index(pages, check); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// ReadPlan returns the plan of a file, and the version of its engine, 0 if it is unknown.
func ReadPlan(name string) (text string, engine int, err error) {
	r, _, err := openHead(name)
	if err != nil {
		return "", 0, err
	}
	return r.plan, r.engine, r.Close()
}

// openHead opens a file and reads its head.
func openHead(name string) (*Reader, *pages, error) {
	r := &Reader{head: head{name: name}, damage: Damage{Name: name}}
	p, err := r.openPages()
	if err == nil {
		err = r.readHead(p)
	}
	if err != nil {
		return nil, nil, errors.Join(err, r.Close())
	}
	return r, p, nil
}

func (r *Reader) openPages() (*pages, error) {
	info, err := os.Stat(r.name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s %w", r.name, ErrForeign)
	}
	if err := isText(r.name); err != nil {
		return nil, err
	}
	if err := r.lockFile(); err != nil {
		return nil, err
	}
	f, err := os.Open(r.name)
	if err != nil {
		return nil, err
	}
	r.file, r.opened = f, append(r.opened, f)
	if info, err = f.Stat(); err != nil {
		return nil, err
	}
	return newPages(f, info.Size()), nil
}

// isText returns an error with advice if a file has results in another format or is compressed.
func isText(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, 4096)
	n, _ := f.Read(head)
	switch text := packed.Head(bytes.NewReader(head[:n]), len(head)); {
	case packed.Is(head[:n]) && !bytes.HasPrefix(text, []byte{'{'}):
		return fmt.Errorf("%s %w: it is packed by gzip, which only records as JSON Lines may be; unpack it first",
			name, errNoStore)
	case bytes.HasPrefix(text, []byte{'{'}):
		return fmt.Errorf("%s %w: it holds records as JSON Lines; put them into a file of results with "+
			"flock merge -o, or read them with flock report", name, errNoStore)
	}
	return nil
}

var errNoStore = errors.New("is no file of results")

// patience is how long to wait for another program to close the file.
const patience = 2 * time.Second

// lockFile keeps other programs from writing to the file, with bbolt's lock. bbolt only checks the two meta pages;
// [pages] finds other damage.
func (r *Reader) lockFile() (err error) {
	defer func() {
		if problem := recover(); problem != nil {
			err = nil // ignore damage
		}
	}()
	lock, err := bbolt.Open(r.name, 0o644, &bbolt.Options{ReadOnly: true, Timeout: patience})
	switch {
	case err == nil:
		r.opened = append(r.opened, lock)
	case errors.Is(err, bolterrors.ErrTimeout):
		return fmt.Errorf("%s %w", r.name, ErrTaken)
	case errors.Is(err, fs.ErrPermission):
		return err
	}
	return nil
}
