package results

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"

	"flockscope/sim/lab/plan"
	"flockscope/sim/say"
)

// Reader is a file of results that is open for reading. Damage in it does no harm: [Reader.Damage] describes the
// damage, and the rest can be read.
type Reader struct {
	head
	file    io.ReaderAt
	opened  []io.Closer
	records element // the bucket of records
	digest  digest  // digest of the expected records
	entries []entry // by ID
	damage  Damage
}

// head is the content of a file apart from its records.
type head struct {
	name   string
	format int // 0 if the file does not have it
	engine int
	plan   string
}

// Name returns the file's name.
func (h *head) Name() string { return h.name }

// Engine returns the version of the engine that computed the records, 0 if it is damaged.
func (h *head) Engine() int { return h.engine }

// Plan returns the text of the plan that the file was last used for, "" for none.
func (h *head) Plan() string { return h.plan }

// entry is the position of a record.
type entry struct {
	id     cellID
	offset int64
	size   int32
}

type cellID [16]byte

// Damage says what is wrong with a file. It is the error of writing to it.
type Damage struct {
	Name         string
	Readable     int    // number of readable records
	Unreadable   int    // number of records that are damaged, missing or invalid
	First        error  // error of the first of them; nil if it is missing
	UncertainWhy string // why the number of missing records is unknown; "" if it is known
	Structure    error  // first error in the structure of the file; nil for none
}

// Lost reports whether, as far as is known, any records are lost.
func (d *Damage) Lost() bool { return d.Unreadable > 0 || d.UncertainWhy != "" }

func (d *Damage) Error() string {
	text := d.Name + " is damaged: "
	switch all := d.Readable + d.Unreadable; {
	case !d.Lost():
		return fmt.Sprintf("%s%v, but all of its %s can be read", text, d.Structure, say.Count(all, "record"))
	case d.Unreadable > 0:
		text += fmt.Sprintf("%d of %s cannot be read", d.Unreadable, say.Count(all, "record"))
	default:
		text += say.Count(all, "record") + " can be read"
	}
	if d.First != nil {
		text += fmt.Sprintf(" (the first: %v)", d.First)
	}
	if d.UncertainWhy != "" {
		text += "; there may have been more, since " + d.UncertainWhy
	}
	return text
}

// Is reports whether target is ErrDamaged.
func (d *Damage) Is(target error) bool { return target == ErrDamaged }

// A Check returns an error if a record is not possible; see [plan.Checker].
type Check func(*plan.Record) error

// Read is [OpenToRead] for a file that is in memory.
func Read(name string, data []byte, check Check) (*Reader, error) {
	r := &Reader{head: head{name: name}, damage: Damage{Name: name}, file: bytes.NewReader(data)}
	p := newPages(r.file, int64(len(data)))
	if err := r.readHead(p); err != nil {
		return nil, err
	}
	if err := r.index(p, check); err != nil {
		return nil, err
	}
	return r, nil
}

// Close lets other programs write to the file.
func (r *Reader) Close() error {
	var errs []error
	for _, c := range r.opened {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}

// readHead reads the head of a file and records damage in it.
func (r *Reader) readHead(p *pages) error {
	values := map[string]string{} // values of the bucket meta
	if p.validMetas > 0 {
		p.walk(p.root, 0, nil, nil, func(e element) {
			switch {
			case e.bucket && bytes.Equal(e.key, metaBucket):
				p.bucket(e, func(e element) {
					if e.bucket {
						p.damage("a text is marked as a bucket")
					}
					values[string(e.key)] = string(e.value)
				})
			case e.bucket && bytes.Equal(e.key, recordsBucket):
				r.records = e
			}
		})
		switch lacks := r.records.key == nil; {
		case p.firstError == nil && lacks && len(values) == 0:
			return fmt.Errorf("%s %w: it holds something else", r.name, ErrForeign)
		case lacks || len(values) == 0:
			p.damage("one of its buckets is missing")
		}
	}
	n, err := strconv.Atoi(values[string(formatKey)])
	if err == nil && n > format {
		return fmt.Errorf("%s %w: its format is %d, and this flock reads %d; use a newer flock", r.name, ErrVersion, n,
			format)
	}
	engine, errEngine := strconv.Atoi(values[string(engineKey)])
	text, hasDigest := values[string(digestKey)]
	h := head{r.name, n, engine, values[string(planKey)]}
	if err != nil || errEngine != nil || hasDigest != (n >= format) {
		return nil
	}
	if hasDigest {
		var whole bool
		if r.digest, whole = parseDigest([]byte(text), &h); !whole {
			return nil
		}
	}
	r.head = h
	return nil
}

// indexed is the result of index.
type indexed struct {
	digest           // digest of the undamaged records
	damaged, refused int
	first            error // error of the first damaged or rejected record
}

// index finds the records.
func (r *Reader) index(p *pages, check Check) error {
	var found indexed
	sequence := uint64(0)
	if r.records.key != nil {
		sequence = p.bucket(r.records, func(e element) { r.add(p, e, check, &found) })
	}
	p.checkFree()
	want, known := r.digest, r.format == format
	if r.format > 0 && !known { // older files only count their records
		want, known = found.digest, true
		want.count = sequence
	}
	switch {
	case found.damaged > 0:
		p.damage("%w", found.first)
	case !known || want != found.digest:
		p.damage("it does not hold what it says")
	}
	if p.validMetas < 2 || found.damaged > 0 || !known || want != found.digest {
		r.salvage(p, check, &found.digest)
		if r.format != format {
			want.ids = found.ids
		}
	}
	r.noteDamage(p, &found, want, known)
	if !p.isBolt && len(r.entries) == 0 {
		return fmt.Errorf("%s %w", r.name, ErrForeign)
	}
	return nil
}

// add adds a record of the bucket to the index.
func (r *Reader) add(p *pages, e element, check Check, found *indexed) {
	if e.bucket {
		p.damage("a record is marked as a bucket")
	}
	record, err := decode(e.key, e.value)
	if err == nil {
		err = check(&record)
	}
	if errors.Is(err, errDamaged) {
		found.damaged++
	} else {
		found.add(e.key)
		if err != nil {
			found.refused++
		}
	}
	if found.first = cmp.Or(found.first, err); err == nil {
		r.enter(e, &record)
	}
}

func (r *Reader) enter(e element, record *plan.Record) {
	if r.engine == 0 {
		r.engine = record.Version
	}
	r.entries = append(r.entries, entry{cellID(e.key), e.offset, int32(len(e.value))})
}

// salvage adds records that are found outside the damaged bucket. It skips cells that failed, since their records may
// have been removed.
func (r *Reader) salvage(p *pages, check Check, found *digest) {
	have := map[cellID]bool{}
	for _, e := range r.entries {
		have[e.id] = true
	}
	p.salvage(len(cellID{}), func(e element) {
		if e.bucket {
			p.damage("a record is marked as a bucket")
		}
		record, err := decode(e.key, e.value)
		if err != nil || record.Error != "" || have[cellID(e.key)] || check(&record) != nil {
			return
		}
		found.add(e.key)
		r.enter(e, &record)
		have[cellID(e.key)] = true
	})
	slices.SortFunc(r.entries, func(a, b entry) int { return bytes.Compare(a.id[:], b.id[:]) })
	// A damaged branch can lead to an old copy of a page, whose records are in the tree, too.
	r.entries = slices.CompactFunc(r.entries, func(a, b entry) bool { return a.id == b.id })
}

// noteDamage records the damage. want is the digest of the expected records, if it is known.
func (r *Reader) noteDamage(p *pages, found *indexed, want digest, known bool) {
	d := &r.damage
	d.Readable, d.First = len(r.entries), found.first
	switch {
	case p.validMetas < 2:
		d.UncertainWhy = p.firstError.Error()
	case !known:
		d.UncertainWhy = "what it says of itself is damaged"
	case found.count > want.count || found.count == want.count && found.digest != want:
		d.UncertainWhy = "its records are not those that it counts"
	}
	switch {
	case known && found.count < want.count:
		d.Unreadable = int(min(want.count-found.count, maxLost))
	case !known || p.validMetas < 2:
		d.Unreadable = found.damaged
	}
	d.Unreadable += found.refused
	d.Structure = p.firstError
}

// maxLost limits the number of records in a damaged count.
const maxLost = plan.MostCells

// Damage returns the damage of the file, nil for none.
func (r *Reader) Damage() *Damage {
	if r.damage.Lost() || r.damage.Structure != nil {
		return &r.damage
	}
	return nil
}

// Old reports whether the file was written by an older version of flock, without a digest of its records.
func (r *Reader) Old() bool { return r.format > 0 && r.format < format }

// Len returns the number of readable records.
func (r *Reader) Len() int { return len(r.entries) }

// Get returns the record of a cell; ok is false if there is no readable one.
func (r *Reader) Get(cell string) (record plan.Record, ok bool, err error) {
	id, err := hex.DecodeString(cell)
	if err != nil {
		return record, false, err
	}
	i, ok := slices.BinarySearchFunc(r.entries, id, func(e entry, id []byte) int { return bytes.Compare(e.id[:], id) })
	if ok {
		record, err = r.read(&r.entries[i])
	}
	return record, ok && err == nil, err
}

func (r *Reader) read(e *entry) (plan.Record, error) {
	value := make([]byte, e.size)
	if _, err := r.file.ReadAt(value, e.offset); err != nil {
		return plan.Record{}, fmt.Errorf("%s: %w", r.name, err)
	}
	return decode(e.id[:], value)
}

// All yields every readable record, in the order of cell IDs.
func (r *Reader) All() iter.Seq2[plan.Record, error] {
	return func(yield func(plan.Record, error) bool) {
		for i := range r.entries {
			record, err := r.read(&r.entries[i])
			if !yield(record, err) || err != nil {
				return
			}
		}
	}
}
