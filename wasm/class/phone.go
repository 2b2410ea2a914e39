//go:build !js

package class

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/coder/websocket"
)

// A phone is a participant of a class. Its token outlives connections, so that it stays the same client after sleep, a
// reload or a lost network.
type phone struct {
	number int // from 1, in order of joining
	token  string
	turned bool // it is asked to turn itself
	link   *link

	drawings, held int  // drawings to train on, and held out; 0 until it is ready
	volunteers     bool // its update may be shown
	stalled        bool // it has missed a deadline, and sent nothing since
	missed         int  // deadlines in a row
	forgotten      bool
	prediction     []int // per lane, in percent; nil without

	client  int // in the present run, −1 if it is not in it
	open    map[uint32]*request
	past    map[uint32]bool // earlier jobs of the present run, and whether it replied in time
	bad     int             // bad messages
	minute  time.Time       // of the count
	texts   int             // texts in that minute
	accrued []float64       // its own accuracy per lane
	models  []int           // its model per lane
}

// request is a task that a phone has not replied to yet.
type request struct {
	task    []byte
	expects expected
	arrived chan<- arrival // has room for every request of its job
}

// arrival is a reply that was accepted; nil if there will be none.
type arrival struct {
	client int
	reply  *reply
}

const (
	mostBad    = 50  // bad messages until a phone is closed out
	mostMissed = 3   // deadlines in a row until a round ends without waiting for a phone
	mostTexts  = 120 // texts of a phone per minute
)

// fromPhone is a text of a phone.
type fromPhone struct {
	Type  string `json:"type"`
	Token string `json:"token"`
	// of "ready"
	Drawings int `json:"drawings"`
	Held     int `json:"held"`
	// of "predict"
	Values []int `json:"values"`
	// of "volunteer"
	On bool `json:"on"`
}

// usable reports whether a phone can be asked for something.
func (p *phone) usable() bool { return p.link != nil && !p.stalled && !p.forgotten }

// receive takes a message of a phone. It returns a reason to close the link, or 0.
func (c *Class) receive(p *phone, kind websocket.MessageType, data []byte) websocket.StatusCode {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.forgotten {
		return closeForgot
	}
	if c.tap != nil {
		c.tap(p.number, data)
	}
	if p.stalled {
		p.stalled = false
		c.changed()
	}
	var err error
	if kind == websocket.MessageBinary {
		err = c.receiveReply(p, data)
	} else {
		err = c.receiveText(p, data)
	}
	if err == nil {
		if p.forgotten {
			return closeForgot
		}
		return 0
	}
	return c.note(p, err)
}

// note counts a bad message, and returns a reason to close the link, or 0.
func (c *Class) note(p *phone, err error) websocket.StatusCode {
	c.count(err)
	if err == errLate || err == errRepeated {
		return 0 // happens to honest phones
	}
	if p.bad++; p.bad >= mostBad {
		return closeUnruly
	}
	return 0
}

// receiveReply takes a reply to a task.
func (c *Class) receiveReply(p *phone, data []byte) error {
	if len(data) < 4*replyHead || binary.LittleEndian.Uint32(data) != Version {
		return errMalformed
	}
	job := binary.LittleEndian.Uint32(data[4:])
	r, open := p.open[job]
	replied, known := p.past[job]
	switch {
	case open:
	case replied:
		return errRepeated
	case known:
		return errLate
	default:
		return errUnasked
	}
	got, err := r.expects.readReply(data[4*replyHead:])
	delete(p.open, job)
	if p.past[job] = err == nil; err == nil {
		p.missed = 0
	}
	r.arrived <- arrival{p.client, got} // nothing of a bad reply, so that nobody waits for another one
	return err
}

// receiveText takes a JSON message.
func (c *Class) receiveText(p *phone, data []byte) error {
	if now := c.now(); now.Sub(p.minute) > time.Minute {
		p.minute, p.texts = now, 0
	}
	if p.texts++; p.texts > mostTexts {
		return errMalformed
	}
	if len(data) > largestText {
		return errOversized
	}
	var m fromPhone
	if json.Unmarshal(data, &m) != nil {
		return errMalformed
	}
	switch m.Type {
	case "here": // it was asleep
		return nil
	case "ready":
		most := len(c.settings.Digits) * 20
		if m.Drawings < 1 || m.Held < 1 || m.Drawings > most || m.Held > most {
			return errMalformed
		}
		if p.client >= 0 && c.run.playing() { // what it holds is part of the run
			return nil
		}
		p.drawings, p.held = m.Drawings, m.Held
	case "predict":
		if !c.asking || len(m.Values) != len(c.lanes()) {
			return errLate
		}
		if slices.ContainsFunc(m.Values, func(v int) bool { return v < 0 || v > 100 }) {
			return errMalformed
		}
		p.prediction = m.Values
	case "volunteer":
		if p.volunteers = m.On; !m.On {
			c.hide(p)
		}
	case "forget":
		c.forget(p)
	default:
		return errMalformed
	}
	c.changed()
	c.tellPhone(p)
	return nil
}

// forget deletes all that the class knows of a phone. It drops out of a run that is played; what it has sent so far is
// part of the models.
func (c *Class) forget(p *phone) {
	p.forgotten, p.volunteers, p.prediction, p.drawings, p.held = true, false, nil, 0, 0
	p.accrued = nil
	delete(c.tokens, p.token)
	p.token = ""
	c.hide(p)
	c.phones = slices.DeleteFunc(c.phones, func(q *phone) bool { return q == p })
	for _, r := range p.open {
		r.arrived <- arrival{p.client, nil}
	}
	clear(p.open)
	if c.run != nil && p.client >= 0 {
		c.run.forgetReplies()
		c.run.wake()
	}
}

// asPhone returns what the page of a phone is told.
func (c *Class) asPhone(p *phone) any {
	s := map[string]any{"type": "class", "version": Version, "token": p.token, "number": p.number, "turned": p.turned,
		"digits": c.settings.Digits, "each": c.settings.Each, "held": c.settings.Held, "side": Side,
		"ready": p.drawings > 0, "volunteers": p.volunteers, "asking": c.asking, "about": aboutRound, "lanes": c.lanes(),
		"prediction": p.prediction, "phase": "lobby", "private": c.options.Noise > 0}
	if r := c.run; r != nil {
		s["phase"], s["round"], s["rounds"] = r.phase(), r.round, r.rounds
		s["playing"] = p.client >= 0
		if p.client >= 0 {
			s["right"], s["models"] = p.accrued, p.models
		}
	}
	return s
}

func (c *Class) tellPhone(p *phone) {
	if p.link != nil {
		p.link.tell(c.asPhone(p))
	}
}

func (p *phone) String() string { return fmt.Sprintf("phone %d", p.number) }
