// Package wire is the language between the page and an engine: bytes only, so
// that it can be tested without a browser. A message carries the number of the
// run it is about and a sequence of records; both sides drop messages about
// runs that are no longer wanted.
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
	// Run asks for a run of the query in the payload. It replaces the run
	// that is under way.
	Run Kind = 1 + iota
	// File hands over one of the user's files, its name before its bytes
	// (see [Message.File]). The files of one message belong together: a Run
	// that follows may read them.
	File
	// Cancel ends the run under way.
	Cancel
	// Look says which round the page looks at, four bytes: a Run that
	// follows posts its frames up to there without delay.
	Look
	// Lanes says which lanes a Run that follows is to play, a byte each:
	// the others are with other engines. Without it a Run plays all.
	Lanes
	// Shards says how many workers of its own the engine may have for a Run
	// that follows, in one byte.
	Shards
	// Explain asks what happened inside a round: see [Question].
	Explain
	// Work is for a shard: what an engine asks of some of the clients.
	Work
	// Hold makes runs wait after their next round, or with a byte that is 0
	// lets them go on: nobody can see the page.
	Hold
	// Try asks for a run of the query in the payload whose end alone is
	// wanted. Like Run, it replaces what is under way.
	Try
	Budget // before Try: floats per client within which scores are taken; see sim/lab/plan
	// Roles says what the columns of the files in the same message are for: the
	// settings cols and na, as a query. kept=1 asks for no advice on other settings.
	Roles
)

// The records from an engine to the page.
const (
	Begin   Kind = 32 + iota // a trace.Header
	Frame                    // a lane and a trace.Frame
	End                      // a lane and a trace.Summary
	Done                     // the run is complete; the payload is empty
	Refused                  // a message of sim/say: the run or the file cannot be taken
	// the file is in: its data and the settings it needs ("samples&shift=none"), a space, a message about it
	Accepted
	Offer     // before Refused: a setting that would do, "key=value"
	Tried     // a record of sim/lab/plan as JSON: how a run that was tried has ended
	Explained // a trace.Detail
	// within a round that takes long: a lane, a byte, and how many clients have done their part, four bytes
	Count
	Columns // before Accepted or Refused: the columns of a table, a line each (ingest.Line.String)
)

// Message is built record by record.
type Message struct{ b []byte }

// Reset empties m and makes it about run id.
func (m *Message) Reset(id uint32) { m.b = binary.LittleEndian.AppendUint32(m.b[:0], id) }

// Record appends one record with whatever fill appends.
func (m *Message) Record(kind Kind, fill func(dst []byte) []byte) {
	m.b = append(m.b, byte(kind), 0, 0, 0, 0)
	start := len(m.b)
	if fill != nil {
		m.b = fill(m.b)
	}
	binary.LittleEndian.PutUint32(m.b[start-4:], uint32(len(m.b)-start))
}

// Text appends one record that is a text.
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

// Named is a file with its name.
type Named struct {
	Name string
	Data []byte
}

// OpenFile reads what [Message.File] wrote. The data share memory with it.
func OpenFile(payload []byte) (Named, bool) {
	if len(payload) < 4 || uint64(binary.LittleEndian.Uint32(payload)) > uint64(len(payload)-4) {
		return Named{}, false
	}
	n := 4 + binary.LittleEndian.Uint32(payload)
	return Named{string(payload[4:n]), payload[n:]}, true
}

// Empty reports whether m has no record.
func (m *Message) Empty() bool { return len(m.b) <= headSize }

// Bytes returns the message. It is valid until the next Reset.
func (m *Message) Bytes() []byte { return m.b }

const headSize = 4

// ErrForeign is returned for bytes that are no message.
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
