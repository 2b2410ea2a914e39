//go:build !js

package class

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"compress/gzip"

	"flockscope/sim/runfile"
	"flockscope/sim/trace"
)

// Phones are cut off and come back in the middle of a run: none is lost, none is counted twice, and the recording replays
// to the bit. With -short there are 12 phones, else 60.
func TestKilledPhonesComeBack(t *testing.T) {
	t.Parallel()
	n := 60
	if testing.Short() {
		n = 12
	}
	r := newRoom(t, quick)
	began := time.Now()
	all := r.pupils(n)
	a := r.teacher()
	a.until("all are ready", func(s *seenState) bool { return readyPhones(s) == n })
	t.Logf("%d phones were ready after %v", n, time.Since(began))
	// Every third phone is cut off when it gets a task of round 2 to 5, and comes back at once.
	var back sync.WaitGroup
	for i, s := range all {
		if i%3 != 0 {
			continue
		}
		cut, at := false, uint32(2+i%4)
		s.mu.Lock()
		s.answer = func(task, reply []byte) [][]byte {
			if cut || binary.LittleEndian.Uint32(task[4*3:]) != at {
				return [][]byte{reply}
			}
			cut = true
			conn := s.conn
			back.Go(func() {
				conn.CloseNow()
				<-s.gone
				r.enter(s)
			})
			return nil
		}
		s.mu.Unlock()
	}
	o := DefaultOptions
	o.Rounds, o.Record = 10, true
	s := a.play(o)
	back.Wait()
	if s.Run.Phase != "over" || s.Run.Phones != n {
		t.Fatalf("the run ended as %+v", s.Run)
	}
	s = a.until("all are there", func(s *seenState) bool { return readyPhones(s) == n })
	if len(s.Phones) != n {
		t.Errorf("%d phones, want %d", len(s.Phones), n)
	}
	for _, p := range s.Phones {
		if len(p.Models) != 2 || !p.Plays {
			t.Errorf("phone %d ended without models: %+v", p.Number, p)
		}
	}
	was, played, err := Replay(r.ctx, r.recording(r.class.secret, ""))
	if err != nil || !slices.Equal(was, played) || !slices.Equal(was, s.Run.Fingerprint) {
		t.Errorf("replayed %v of %v, live %v: %v", played, was, s.Run.Fingerprint, err)
	}
	t.Logf("a round took %.3f s (median), dropped messages %v", s.Run.Seconds, s.Problems)
	run, err := runfile.Read(r.recording(r.class.secret, "?run"))
	if err != nil {
		t.Fatal(err)
	}
	last := run.Tracks[0].Frames[10].State
	if slices.ContainsFunc(last, func(s trace.State) bool { return s != trace.Present }) {
		t.Errorf("in the last round the phones are %v", last)
	}
}

// A phone that stays away drops out, and others go on; when most are away, the run waits for them.
func TestRunWaitsForMost(t *testing.T) {
	t.Parallel()
	r := newRoom(t, quick)
	all := r.pupils(6)
	a := r.teacher()
	a.until("all are ready", func(s *seenState) bool { return readyPhones(s) == 6 })
	gone := make(chan bool)
	var once sync.Once
	all[0].mu.Lock()
	all[0].answer = func(task, reply []byte) [][]byte {
		if binary.LittleEndian.Uint32(task[4*3:]) == 3 {
			once.Do(func() { close(gone) })
		}
		return [][]byte{reply}
	}
	all[0].mu.Unlock()
	o := DefaultOptions
	o.Rounds = 8
	a.do(fromTeacher{Do: "start", Options: o})
	<-gone
	for _, s := range all[1:5] {
		s.drop()
	}
	a.until("it waits", func(s *seenState) bool { return s.Run != nil && s.Run.Waiting })
	for _, s := range all[1:4] { // the fifth stays away
		r.enter(s)
	}
	s := a.until("it is over", func(s *seenState) bool { return s.Run.Phase != "playing" })
	if s.Run.Phase != "over" || readyPhones(s) != 5 {
		t.Errorf("the run ended as %+v with %d phones", s.Run, readyPhones(s))
	}
}

// A phone that asks to be forgotten is: its token, its predictions, its recorded replies. The run goes on without it.
func TestForget(t *testing.T) {
	t.Parallel()
	r := newRoom(t, quick)
	all := r.pupils(6)
	a := r.teacher()
	a.until("all are ready", func(s *seenState) bool { return readyPhones(s) == 6 })
	var once sync.Once
	all[2].mu.Lock()
	all[2].answer = func(task, reply []byte) [][]byte {
		if binary.LittleEndian.Uint32(task[4*3:]) == 3 {
			once.Do(func() { write(r, all[2].conn, fromPhone{Type: "forget"}) })
			return nil
		}
		return [][]byte{reply}
	}
	all[2].mu.Unlock()
	o := DefaultOptions
	o.Rounds, o.Record = 6, true
	token := all[2].token
	s := a.play(o)
	if <-all[2].gone; s.Run.Phase != "over" || len(s.Phones) != 5 || s.Run.Recorded != 0 {
		t.Errorf("the run ended as %+v with %d phones", s.Run, len(s.Phones))
	}
	if _, _, err := Replay(r.ctx, r.recording(r.class.secret, "")); err == nil {
		t.Error("the recording still has replies")
	}
	if again := r.enter(&student{token: token}); again.number == 3 {
		t.Error("the phone was known after it had been forgotten")
	}
}

// The teacher sees a volunteer's update as a picture that looks like the drawing, and with noise one that does not; all
// that phones send holds no drawing.
func TestWhatAnUpdateGivesAway(t *testing.T) {
	t.Parallel()
	one := quick
	one.Each = 1
	r := newRoom(t, one)
	var mu sync.Mutex
	var sent [][]byte
	r.class.mu.Lock()
	r.class.tap = func(_ int, data []byte) {
		mu.Lock()
		defer mu.Unlock()
		sent = append(sent, bytes.Clone(data))
	}
	r.class.mu.Unlock()
	var all []*student
	for i := range 6 {
		s := r.enter(&student{})
		s.drawings = pupil(rand.New(rand.NewPCG(uint64(i), 9)), s.turned, 1, 1)
		s.ready()
		all = append(all, s)
	}
	write(r, all[1].conn, map[string]any{"type": "volunteer", "on": true})
	a := r.teacher()
	a.until("all are ready", func(s *seenState) bool {
		return readyPhones(s) == 6 && slices.ContainsFunc(s.Phones, func(p seenPhone) bool { return p.Volunteers })
	})
	a.do(fromTeacher{Do: "show", Phone: all[1].number})
	o := DefaultOptions
	o.Rounds = 1
	a.play(o)
	s := a.until("it is shown", func(s *seenState) bool { return s.Picture != nil && s.Run.Phase == "over" })
	for k := range 3 {
		c := correlation(s.Picture.Pixels[k], all[1].drawings.x[k*Side*Side:][:Side*Side])
		if t.Logf("class %d: correlation %.2f", k, c); c < 0.3 {
			t.Errorf("class %d: the update looks like the drawing with correlation %.2f, want at least 0.3", k, c)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	for i, s := range all {
		for k := range 3 {
			// A row through the middle, as numbers and as bytes.
			row := s.drawings.x[k*Side*Side+14*Side:][:Side]
			var gray []byte
			for _, v := range row {
				gray = append(gray, byte(255*v))
			}
			for _, m := range sent {
				if bytes.Contains(m, trace.Bytes(row)) || bytes.Contains(m, gray) {
					t.Fatalf("a message of phone %d holds its drawing", i+1)
				}
			}
		}
	}
	if len(sent) < 6*4 {
		t.Errorf("%d messages were seen", len(sent))
	}
}

// The teacher's page gets the same state after a reload.
func TestTeacherReloads(t *testing.T) {
	t.Parallel()
	r := newRoom(t, quick)
	all := r.pupils(5)
	a := r.teacher()
	a.until("all are ready", func(s *seenState) bool { return readyPhones(s) == len(all) })
	o := DefaultOptions
	o.Rounds = 4
	before := a.play(o)
	a.conn.CloseNow()
	after := r.teacher().until("the state is there", func(*seenState) bool { return true })
	if p := after.Past; len(p) != 1 || p[0].Accuracy[1] != after.Run.Accuracy[1][o.Rounds] || p[0].Noise != o.Noise {
		t.Errorf("earlier runs are %+v", p)
	}
	if fmt.Sprint(before.Run) != fmt.Sprint(after.Run) || after.Options != before.Options {
		t.Errorf("after a reload the run is %+v, before %+v", after.Run, before.Run)
	}
}

// What a phone loads is small.
func TestPhonePageIsSmall(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	for _, name := range []string{"phone.html", "phone.css", "phone.js", "train.js", "draw.js", "words.js"} {
		data, err := fs.ReadFile(pages, name)
		if err != nil {
			t.Fatal(err)
		}
		z.Write(data)
	}
	z.Close()
	if n := packed.Len(); n > 40<<10 {
		t.Errorf("the page of a phone has %d bytes, want at most 40 KB", n)
	}
}
