//go:build !js

package class

import (
	"bytes"
	"encoding/binary"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// attack is something that a phone, or anybody else, may try, and what it gets. CLASS.md lists them.
type attack struct {
	name string
	try  func(r *room)
}

// class of four pupils and an attacker, who plays too; answer says what the attacker sends instead of a reply to a task.
func (r *room) attacked(answer func(task, reply []byte) [][]byte) (*student, *seenState) {
	r.Helper()
	all := r.pupils(5)
	bad := all[2]
	bad.mu.Lock()
	bad.answer = answer
	bad.mu.Unlock()
	a := r.teacher()
	a.until("all are ready", func(s *seenState) bool { return readyPhones(s) == len(all) })
	o := DefaultOptions
	o.Rounds = 3
	s := a.play(o)
	if s.Run.Phase != "over" {
		r.Fatalf("the run ended as %+v", s.Run)
	}
	for _, accuracy := range s.Run.Accuracy {
		for _, x := range accuracy {
			if math.IsNaN(x) {
				r.Error("the accuracy is no number")
			}
		}
	}
	return bad, s
}

func readyPhones(s *seenState) int {
	n := 0
	for _, p := range s.Phones {
		if p.Ready && p.Here {
			n++
		}
	}
	return n
}

// word replaces a number of a message.
func word(message []byte, at int, value uint32) []byte {
	out := bytes.Clone(message)
	binary.LittleEndian.PutUint32(out[4*at:], value)
	return out
}

// sends tests a reply that is dropped and counted under a name.
func sends(problem string, change func(task, reply []byte) []byte) func(r *room) {
	return func(r *room) {
		_, s := r.attacked(func(task, reply []byte) [][]byte { return [][]byte{change(task, reply)} })
		if s.Problems[problem] == 0 {
			r.Errorf("problems %v, want some that are %s", s.Problems, problem)
		}
	}
}

// scored reports whether a task is an evaluation.
func scored(task []byte) bool { return binary.LittleEndian.Uint32(task[4*5:]) > 0 }

var attacks = []attack{
	{"guesses codes", func(r *room) {
		inside := r.enter(&student{})
		inside.drop()
		none := func(token string) websocket.StatusCode {
			conn, _, err := websocket.Dial(r.ctx, r.url+"/class/222222/phone", nil)
			if err != nil {
				r.Fatal(err)
			}
			defer conn.CloseNow()
			write(r, conn, fromPhone{Type: "join", Token: token})
			_, _, err = conn.Read(r.ctx)
			return websocket.CloseStatus(err)
		}
		first, last := none(""), websocket.StatusCode(0)
		for range 2 * guesses {
			if last = none(""); last == closeGuessing {
				break
			}
		}
		if first != closeNoClass || last != closeGuessing {
			r.Errorf("the first wrong code was closed with %d, the last with %d", first, last)
		}
		if again := r.enter(&student{token: inside.token}); again.number != inside.number {
			r.Error("a phone that was inside could not come back")
		}
		r.teacher().until("the teacher's page is there", func(*seenState) bool { return true })
	}},
	{"opens the teacher's page", func(r *room) {
		conn := r.dial("teacher", map[string]string{"secret": newSecret()})
		if _, _, err := conn.Read(r.ctx); websocket.CloseStatus(err) != closeSecret {
			r.Errorf("a wrong secret: %v", err)
		}
		if data := r.recording("wrong", ""); data != nil {
			r.Error("a wrong secret got the recording")
		}
	}},
	{"sends commands of the teacher", func(r *room) {
		s := r.enter(&student{})
		write(r, s.conn, fromTeacher{Do: "end"})
		a := r.teacher()
		a.until("the command is counted", func(s *seenState) bool { return s.Problems[errMalformed.Error()] == 1 })
	}},
	{"sends oversized messages", func(r *room) {
		bad, s := r.attacked(func(task, reply []byte) [][]byte { return [][]byte{make([]byte, largestMessage+1)} })
		if <-bad.gone; s.Problems[errOversized.Error()] == 0 {
			r.Errorf("problems %v", s.Problems)
		}
	}},
	{"sends long texts", func(r *room) {
		s := r.enter(&student{})
		write(r, s.conn, map[string]string{"type": strings.Repeat("x", largestText)})
		r.teacher().until("it is counted", func(s *seenState) bool { return s.Problems[errOversized.Error()] == 1 })
	}},
	{"sends no JSON", func(r *room) {
		s := r.enter(&student{})
		s.conn.Write(r.ctx, websocket.MessageText, []byte(`{"type":`))
		r.teacher().until("it is counted", func(s *seenState) bool { return s.Problems[errMalformed.Error()] == 1 })
	}},
	{"sends malformed replies", sends("malformed", func(task, reply []byte) []byte { return word(reply, 0, 99) })},
	{"sends short replies", sends("wrong size", func(task, reply []byte) []byte { return reply[:len(reply)-4] })},
	{"sends NaN", sends("not finite", func(task, reply []byte) []byte {
		return word(reply, len(reply)/4-1, math.Float32bits(float32(math.NaN())))
	})},
	{"sends infinity", sends("not finite", func(task, reply []byte) []byte {
		return word(reply, replyHead, math.Float32bits(float32(math.Inf(1))))
	})},
	{"sends huge updates", sends("impossible", func(task, reply []byte) []byte {
		return word(reply, len(reply)/4-1, math.Float32bits(1e6))
	})},
	{"claims negative losses", sends("impossible", func(task, reply []byte) []byte {
		return word(reply, replyHead, math.Float32bits(-1))
	})},
	{"claims more right answers than drawings", sends("impossible", func(task, reply []byte) []byte {
		if !scored(task) {
			return reply
		}
		return word(reply, replyHead+1, 1000)
	})},
	{"claims other sums of answers", sends("impossible", func(task, reply []byte) []byte {
		if !scored(task) {
			return reply
		}
		return word(word(word(reply, replyHead+1, 0), replyHead+2, 0), replyHead+3, 0)
	})},
	{"repeats replies", func(r *room) {
		_, s := r.attacked(func(task, reply []byte) [][]byte { return [][]byte{reply, reply, reply} })
		if s.Problems[errRepeated.Error()] == 0 || s.Problems[errUnasked.Error()] > 0 {
			r.Errorf("problems %v", s.Problems)
		}
	}},
	{"replies to what it was not asked", func(r *room) {
		_, s := r.attacked(func(task, reply []byte) [][]byte { return [][]byte{word(reply, 1, 1<<31), reply} })
		if s.Problems[errUnasked.Error()] == 0 {
			r.Errorf("problems %v", s.Problems)
		}
	}},
	{"replies late", func(r *room) {
		r.class.settings.Deadline = 200 * time.Millisecond
		missed := func() bool {
			r.class.mu.Lock()
			defer r.class.mu.Unlock()
			return slices.ContainsFunc(r.class.phones, func(p *phone) bool { return p.stalled })
		}
		waited := false
		_, s := r.attacked(func(task, reply []byte) [][]byte {
			for ; !waited; waited = missed() { // until the round has gone on without it
				time.Sleep(time.Millisecond)
			}
			return [][]byte{reply}
		})
		if s.Problems[errLate.Error()] != 1 {
			r.Errorf("problems %v", s.Problems)
		}
	}},
	{"goes on until it is closed out", func(r *room) {
		s := r.enter(&student{})
		for range mostBad {
			s.conn.Write(r.ctx, websocket.MessageBinary, []byte("nonsense"))
		}
		if <-s.gone; s.status != closeUnruly {
			r.Errorf("closed with %d", s.status)
		}
	}},
	{"floods with texts", func(r *room) {
		s := r.enter(&student{})
		for range mostTexts + mostBad + 1 {
			s.conn.Write(r.ctx, websocket.MessageText, []byte(`{"type":"here"}`))
		}
		if <-s.gone; s.status != closeUnruly {
			r.Errorf("closed with %d", s.status)
		}
	}},
	{"is in two places", func(r *room) {
		first := r.enter(&student{})
		second := r.enter(&student{token: first.token})
		if <-first.gone; first.status != closeReplaced || second.number != first.number {
			r.Errorf("the first was closed with %d; the second is phone %d, the first %d", first.status, second.number, first.number)
		}
		r.teacher().until("there is one phone", func(s *seenState) bool { return len(s.Phones) == 1 && s.Phones[0].Here })
	}},
	{"makes up a token", func(r *room) {
		first := r.enter(&student{})
		if other := r.enter(&student{token: newSecret()}); other.number == first.number {
			r.Error("a token that was made up is another phone")
		}
	}},
	{"holds absurd numbers of drawings", func(r *room) {
		s := r.enter(&student{})
		for _, n := range []int{0, -1, 1 << 30} {
			write(r, s.conn, fromPhone{Type: "ready", Drawings: n, Held: 1})
		}
		r.teacher().until("all are counted", func(s *seenState) bool {
			return s.Problems[errMalformed.Error()] == 3 && readyPhones(s) == 0
		})
	}},
	{"predicts what is impossible", func(r *room) {
		s := r.enter(&student{})
		a := r.teacher()
		a.do(fromTeacher{Do: "ask", On: true})
		a.until("predictions are asked", func(*seenState) bool { return true })
		s.until("asking", func(m map[string]any) bool { return m["asking"] == true })
		write(r, s.conn, fromPhone{Type: "predict", Values: []int{50, 101}})
		write(r, s.conn, fromPhone{Type: "predict", Values: []int{-1, 50}})
		a.until("both are counted", func(s *seenState) bool { return s.Problems[errMalformed.Error()] == 2 })
		write(r, s.conn, fromPhone{Type: "predict", Values: []int{80, 60}})
		a.until("a possible one is shown", func(s *seenState) bool {
			return len(s.Guesses) == 2 && slices.Equal(s.Guesses[0], []int{80}) && slices.Equal(s.Guesses[1], []int{60})
		})
	}},
	{"has another site's page talk to the class", func(r *room) {
		_, answer, err := websocket.Dial(r.ctx, r.url+"/class/"+r.class.Code+"/phone",
			&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"https://elsewhere.example"}}})
		if err == nil || answer.StatusCode != http.StatusForbidden {
			r.Errorf("a WebSocket of another site: %v", err)
		}
	}},
	{"has another site open classes", func(r *room) {
		r.server.anybody = true
		q, _ := http.NewRequestWithContext(r.ctx, http.MethodPost, r.url+"/class/", nil)
		q.Header.Set("Sec-Fetch-Site", "cross-site")
		w, err := http.DefaultClient.Do(q)
		if err != nil || w.StatusCode != http.StatusForbidden {
			r.Errorf("a form of another site: %v %v", w, err)
		}
	}},
	{"opens classes without end", func(r *room) {
		for range mostClasses {
			r.server.Open()
		}
		if _, err := r.server.Open(); err == nil {
			r.Error("no limit of classes")
		}
	}},
	{"fills the class with phones", func(r *room) {
		r.class.mu.Lock()
		for range mostPhones {
			r.class.phones = append(r.class.phones, &phone{token: newSecret()})
		}
		r.class.mu.Unlock()
		conn := r.dial("phone", fromPhone{Type: "join"})
		if _, _, err := conn.Read(r.ctx); websocket.CloseStatus(err) != closeFull {
			r.Errorf("the next phone: %v", err)
		}
	}},
	{"says nothing", func(r *room) {
		conn, _, err := websocket.Dial(r.ctx, r.url+"/class/"+r.class.Code+"/phone", nil)
		if err != nil {
			r.Fatal(err)
		}
		conn.Write(r.ctx, websocket.MessageBinary, []byte{1})
		if _, _, err := conn.Read(r.ctx); websocket.CloseStatus(err) != websocket.StatusPolicyViolation {
			r.Errorf("no hello: %v", err)
		}
	}},
	{"comes when the class is over", func(r *room) {
		s := r.enter(&student{})
		a := r.teacher()
		a.do(fromTeacher{Do: "end"})
		if <-s.gone; s.status != closeNoClass {
			r.Errorf("closed with %d", s.status)
		}
		<-r.class.ctx.Done()
		for { // the server forgets the code
			r.server.mu.Lock()
			open := len(r.server.classes)
			r.server.mu.Unlock()
			if open == 0 {
				break
			}
			time.Sleep(time.Millisecond)
		}
		conn := r.dial("phone", fromPhone{Type: "join", Token: s.token})
		if _, _, err := conn.Read(r.ctx); websocket.CloseStatus(err) != closeNoClass {
			r.Errorf("after the end: %v", err)
		}
	}},
	{"wants to see the update of another", func(r *room) {
		s := r.enter(&student{})
		a := r.teacher()
		a.do(fromTeacher{Do: "show", Phone: s.number})
		a.until("it is refused", func(s *seenState) bool { return strings.Contains(s.Refused, "volunteered") })
	}},
}

// until waits for a text of the server.
func (s *student) until(what string, wanted func(m map[string]any) bool) {
	s.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		s.mu.Lock()
		ok := slices.ContainsFunc(s.heard, wanted)
		s.mu.Unlock()
		if ok {
			return
		}
	}
	s.Fatalf("the phone was not told: %s", what)
}

func TestAttacks(t *testing.T) {
	t.Parallel()
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			a.try(newRoom(t, quick))
		})
	}
}

// The table of CLASS.md has every attack.
func TestAttackTable(t *testing.T) {
	doc, err := os.ReadFile("CLASS.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range attacks {
		if !bytes.Contains(doc, []byte("| "+a.name+" |")) {
			t.Errorf("CLASS.md does not say what somebody gets who %s", a.name)
		}
	}
	if n := bytes.Count(doc, []byte("\n| ")); n < len(attacks) {
		t.Errorf("the table has %d rows", n)
	}
}
