// Package results keeps the records of a sweep in one file. The file is bbolt's, which
// a program that is killed at any moment leaves whole: a record that was kept is on the
// disk, and one that was not is as if it had never been computed. Every record has a
// checksum, and the file a digest of all, so that damage is noticed whatever it hits.
//
//	format.go   records, digests and names in a file
//	results.go  a file that is written to
//	write.go    records as JSON Lines, compressed
//	reader.go   a file that is read, whole or damaged
//	open.go     opens it on a disk
//	records.go  the records of a file in memory, of any format
//	pages.go    the pages of bbolt's files
//	heal.go     a sound file made of a damaged one
//	memory.go   records without a file
//	table.go    the records of a plan in its order, as a table of text
//	export.go   the same as CSV, JSON and JSON Lines
//
// bbolt maps files into memory, which nothing in a browser can, hence the constraint of most files. What reads needs no
// bbolt: a browser can read a file that is in memory.
package results

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/crc32"

	"flockscope/sim/lab/plan"
)

// format is raised whenever an older program cannot read the file any more, or would
// leave it other than this one expects. Files of format 1 have no digest.
const format = 2

var (
	metaBucket    = []byte("meta")    // format, engine, plan, digest
	recordsBucket = []byte("records") // cell → checksum and record
	formatKey     = []byte("format")
	engineKey     = []byte("engine")
	planKey       = []byte("plan")
	digestKey     = []byte("digest")
)

// Errors that callers can test for.
var (
	ErrTaken   = errors.New("is in use by another flock; wait for it to end, or use another file (shards of one sweep need a file each)")
	ErrForeign = errors.New("is no file of results, or all of it is damaged")
	ErrDamaged = errors.New("is damaged")
	ErrVersion = errors.New("is of another version")
)

// encode writes a record after its checksum, because bbolt has none for values.
func encode(r *plan.Record) ([]byte, error) {
	value, err := r.AppendJSON(make([]byte, 4))
	binary.LittleEndian.PutUint32(value, crc32.ChecksumIEEE(value[4:]))
	return value, err
}

// errDamaged is the error for a record that does not match its checksum.
var errDamaged = errors.New("its checksum is wrong")

func decode(id, value []byte) (plan.Record, error) {
	if len(id) != len(cellID{}) || len(value) < 4 ||
		crc32.ChecksumIEEE(value[4:]) != binary.LittleEndian.Uint32(value) {
		return plan.Record{}, fmt.Errorf("record %x: %w", id, errDamaged)
	}
	r, err := plan.ParseRecord(value[4:])
	if err == nil && r.Cell != hex.EncodeToString(id) {
		err = fmt.Errorf("record %x: %w", id, errDamaged)
	}
	return r, err
}

// digest identifies the set of records in a file: their number, and the exclusive or of their cells.
type digest struct {
	count uint64
	ids   cellID
}

func (d *digest) add(id []byte) {
	d.count++
	for i := range d.ids {
		d.ids[i] ^= id[i]
	}
}

func (d *digest) remove(id []byte) {
	d.add(id) // which takes an ID away that is there
	d.count -= 2
}

// encode writes the digest with a checksum, which also covers the head of the file.
func (d *digest) encode(h *head) []byte {
	out := binary.LittleEndian.AppendUint64(nil, d.count)
	out = append(out, d.ids[:]...)
	sum := crc32.NewIEEE()
	sum.Write(out)
	fmt.Fprintf(sum, "%d %d %s", h.format, h.engine, h.plan)
	return binary.LittleEndian.AppendUint32(out, sum.Sum32())
}

func parseDigest(value []byte, h *head) (d digest, whole bool) {
	if len(value) != 8+len(d.ids)+4 {
		return d, false
	}
	d.count = binary.LittleEndian.Uint64(value)
	copy(d.ids[:], value[8:])
	return d, bytes.Equal(value, d.encode(h))
}
