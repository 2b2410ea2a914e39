// Package wire has the messages between the page and an engine: bytes only, so that they can be
// tested without a browser. A message has the number of the run that it is about and a sequence of
// records; both sides drop messages about cancelled runs.
package wire

import (
	"encoding/binary"
	"errors"
	"iter"
)

// Kind says what a record is.
type Kind uint8

// The records from the page to an engine.
const (
	// Run asks for a run of the query in the payload. It replaces the run in progress.
	Run Kind = 1 + iota
	// File has one of the user's files, its name before its bytes (see [Message.File]). The files
	// of one message belong together: a Run that follows may read them.
	File
	// Cancel ends the run in progress.
	Cancel
	// ShownRound is the round that the page shows, four bytes: a Run that follows posts its frames up to
	// there without delay.
	ShownRound
	// Lanes lists the lanes that a Run that follows plays, one byte each: other engines play the
	// others. Without it a Run plays all lanes.
	Lanes
	// Shards is the number of workers that the engine may use for a Run that follows, one byte.
	Shards
	// Explain asks for the details of a round: see [Question].
	Explain
	// Work is a request of an engine to a shard.
	Work
	// Pause pauses runs after the clients that are at work, while the page is hidden or its user wants that; with a byte
	// 0 they continue.
	Pause
	// Measure asks for a run of the query in the payload of which only the result is wanted. Like Run,
	// it replaces the run in progress.
	Measure
	Budget // before Try: floats per client up to which scores count; see sim/lab/plan
	// Roles has the roles of the columns of the files in the same message: the settings cols and
	// na, as a query. kept=1 asks for no suggested settings.
	Roles
	// Limit is a number of multiply-adds, a float64: a Run that follows and takes more is not played, and its Cost is
	// posted instead.
	Limit
)

// The records from an engine to the page.
const (
	Begin   Kind = 32 + iota // a trace.Header
	Frame                    // a lane and a trace.Frame
	End                      // a lane and a trace.Summary
	Done                     // the run is complete; the payload is empty
	Refused                  // a message of sim/say: why the run or the file is refused
	// the file is read: its workload and the settings it needs ("samples&shift=none"), a space, a
	// message about it
	Accepted
	Suggestion // before Refused: a setting that would be accepted, "key=value"
	Measured   // the result of Try: a record of sim/lab/plan as JSON
	Explained  // a trace.Detail
	// within a slow round: a lane, one byte, and the number of clients that have finished, four
	// bytes
	Count
	Columns // before Accepted or Refused: the columns of a table, one line each (dataset.Line.String)
	// before the first Frame of a run that begins slowly: a lane and a trace.Frame of round 0 without losses and scores
	Start
	// in place of frames: the multiply-adds of a run above the Limit, a float64, and its memory in bytes, eight bytes.
	// Start follows for each lane whose models are evaluated
	Cost
	// before Refused: the setting that is wrong, its key, a space, and what it expects, a message
	RefusedSetting
	Unpacked // in place of Accepted: a file of records of sim/lab/plan, unpacked, which the page reads itself
)

// Message is built record by record.
type Message struct{ b []byte }

// Reset empties m and makes it about run id.
func (m *Message) Reset(id uint32) { m.b = binary.LittleEndian.AppendUint32(m.b[:0], id) }

// Record appends one record with the payload that fill appends.
func (m *Message) Record(kind Kind, fill func(dst []byte) []byte) {
	m.b = append(m.b, byte(kind), 0, 0, 0, 0)
	start := len(m.b)
	if fill != nil {
		m.b = fill(m.b)
	}
	binary.LittleEndian.PutUint32(m.b[start-4:], uint32(len(m.b)-start))
}

// Text appends one record whose payload is a text.
func (m *Message) Text(kind Kind, text string) {
	m.Record(kind, func(dst []byte) []byte { return append(dst, text...) })
}

// File appends one file.
func (m *Message) File(name string, data []byte) {
	m.Record(File, func(dst []byte) []byte {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(name)))
		return append(append(dst, name...), data...)
	})
}

// NamedFile is a file with its name.
type NamedFile struct {
	Name string
	Data []byte
}

// OpenFile reads what [Message.File] wrote. The data share memory with the payload.
func OpenFile(payload []byte) (NamedFile, bool) {
	if len(payload) < 4 || uint64(binary.LittleEndian.Uint32(payload)) > uint64(len(payload)-4) {
		return NamedFile{}, false
	}
	n := 4 + binary.LittleEndian.Uint32(payload)
	return NamedFile{string(payload[4:n]), payload[n:]}, true
}

// Empty reports whether m has no record.
func (m *Message) Empty() bool { return len(m.b) <= headSize }

// Bytes returns the message. It is valid until the next Reset.
func (m *Message) Bytes() []byte { return m.b }

const headSize = 4

// ErrForeign is the error for bytes that are not a message.
var ErrForeign = errors.New("wire: the bytes are not a message")

// Open returns the run that a message is about and its records.
func Open(src []byte) (id uint32, records iter.Seq2[Kind, []byte], err error) {
	if len(src) < headSize {
		return 0, nil, ErrForeign
	}
	id = binary.LittleEndian.Uint32(src)
	body := src[headSize:]
	for rest := body; len(rest) > 0; {
		if len(rest) < 5 || uint64(len(rest)-5) < uint64(binary.LittleEndian.Uint32(rest[1:])) {
			return 0, nil, ErrForeign
		}
		rest = rest[5+binary.LittleEndian.Uint32(rest[1:]):]
	}
	return id, func(yield func(Kind, []byte) bool) {
		for rest := body; len(rest) > 0; {
			n := 5 + binary.LittleEndian.Uint32(rest[1:])
			if !yield(Kind(rest[0]), rest[5:n]) {
				return
			}
			rest = rest[n:]
		}
	}, nil
}
