//go:build !js

package class

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"flockscope/sim/engine"
	"flockscope/sim/trace"
)

// A recording is a run as a file: its labels, losses and models, and with replies, if the teacher wanted them, so that it
// can be played again to the bit. The file has a line with the format, a line of JSON, then entries: a byte with the kind,
// three numbers of four bytes (lane, round, index of the exchange in the round), the length, the bytes.
type recording struct {
	mu      sync.Mutex
	head    recordingHead
	full    bool // with replies
	entries []entry
	trace   []byte // the run file, when the run is over
}

const recordingFormat = "flockscope class 1\n"

// recordingHead is what is needed to play the run again.
type recordingHead struct {
	Query  string `json:"query"`
	Group  []int  `json:"group"` // planted group of each client
	Held   []int  `json:"held"`  // training drawings of each client
	Digits []int  `json:"digits"`
	// Fingerprint is that of each lane.
	Fingerprint []string `json:"fingerprint"`
	Replies     bool     `json:"replies"`
}

type entry struct {
	kind                  byte
	lane, round, sequence int
	data                  []byte
}

// kinds of entries
const (
	models  = 'M' // models after a round, as float32
	replies = 'R'
	scores  = 'S' // replies to an evaluation
	traced  = 'T' // a run file
)

func newRecording(r *run, full bool) *recording {
	return &recording{full: full, head: recordingHead{Query: r.query, Group: r.data.Group, Held: r.data.Held,
		Digits: r.class.settings.Digits}}
}

// add records a job that is over.
func (d *recording) add(v *engine.Job) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if v.Evaluation != nil {
		bank := bytes.Clone(trace.Bytes(v.Exchange.Bank.Params))
		d.entries = append(d.entries, entry{models, v.Lane, v.Round, v.Sequence, bank})
	}
	if d.full {
		d.entries = append(d.entries, entry{kindOf(v), v.Lane, v.Round, v.Sequence, v.AppendReplies(nil)})
	}
}

func kindOf(v *engine.Job) byte {
	if v.Evaluation != nil {
		return scores
	}
	return replies
}

// forget deletes the replies.
func (d *recording) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full = false
	var left []entry
	for _, e := range d.entries {
		if e.kind == models {
			left = append(left, e)
		}
	}
	d.entries = left
}

// size returns the bytes of the recorded replies.
func (d *recording) size() (n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, e := range d.entries {
		if e.kind != models {
			n += len(e.data)
		}
	}
	return n
}

// bytes returns the file.
func (d *recording) bytes(fingerprint []string) []byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	head := d.head
	head.Fingerprint, head.Replies = fingerprint, d.full
	line, err := json.Marshal(head)
	if err != nil {
		panic(err)
	}
	out := append(append([]byte(recordingFormat), line...), '\n')
	for _, e := range append(d.entries[:len(d.entries):len(d.entries)], entry{kind: traced, data: d.trace}) {
		out = append(out, e.kind)
		for _, n := range []int{e.lane, e.round, e.sequence, len(e.data)} {
			out = append(out, byte(n), byte(n>>8), byte(n>>16), byte(n>>24))
		}
		out = append(out, e.data...)
	}
	return out
}

// errRecording is the error of a file that is no recording, or damaged.
var errRecording = errors.New("this is no recording of a class, or it is damaged; save it again on the teacher's page")

func readRecording(data []byte) (*recording, error) {
	rest, ok := bytes.CutPrefix(data, []byte(recordingFormat))
	line, rest, more := bytes.Cut(rest, []byte("\n"))
	d := &recording{}
	if !ok || !more || json.Unmarshal(line, &d.head) != nil || len(d.head.Group) != len(d.head.Held) {
		return nil, errRecording
	}
	for len(rest) > 0 {
		if len(rest) < 17 {
			return nil, errRecording
		}
		number := func(i int) int {
			b := rest[1+4*i:]
			return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 | int(b[3])<<24
		}
		e, n := entry{kind: rest[0], lane: number(0), round: number(1), sequence: number(2)}, number(3)
		if n > len(rest)-17 {
			return nil, errRecording
		}
		e.data, rest = rest[17:17+n], rest[17+n:]
		d.entries = append(d.entries, e)
	}
	return d, nil
}

// Replay plays a recording with replies again, and returns the fingerprints of its lanes as recorded and as played.
func Replay(ctx context.Context, data []byte) (recorded, played []string, err error) {
	d, err := readRecording(data)
	if err != nil {
		return nil, nil, err
	}
	if !d.head.Replies {
		return nil, nil, errors.New("the recording has no replies, without which it cannot be played again; " +
			"the teacher's page records them if asked before the run")
	}
	config, remote, err := configOf(d.head.Query, d.head.Group, d.head.Held, d.head.Digits)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	p := &player{replies: map[jobName][]byte{}, cancel: cancel}
	for _, e := range d.entries {
		if e.kind == replies || e.kind == scores {
			p.replies[jobName{e.kind, e.lane, e.round, e.sequence}] = e.data
		}
	}
	var r engine.Recorder
	err = engine.RunRemote(ctx, config, remote, p, &r)
	if p.failed {
		return nil, nil, errRecording
	}
	if err != nil {
		return nil, nil, err
	}
	for _, track := range r.Run.Tracks {
		played = append(played, fmt.Sprintf("%016x", track.Summary.Fingerprint))
	}
	return d.head.Fingerprint, played, nil
}

type jobName struct {
	kind                  byte
	lane, round, sequence int
}

// player is remote clients whose replies were recorded.
type player struct {
	replies map[jobName][]byte
	cancel  context.CancelFunc
	mu      sync.Mutex
	failed  bool
}

func (p *player) Exchange(v *engine.Job) {
	data, ok := p.replies[jobName{kindOf(v), v.Lane, v.Round, v.Sequence}]
	if ok {
		ok = v.ReadReplies(data) == nil
	}
	if !ok {
		p.mu.Lock()
		p.failed = true
		p.mu.Unlock()
		p.cancel()
	}
}
