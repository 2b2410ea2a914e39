//go:build !js

package class

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
)

// Settings are those of a class.
type Settings struct {
	Digits     []int         // what phones draw, in order of the classes
	Each, Held int           // drawings of each digit to train on, and held out for evaluations
	Deadline   time.Duration // how long a round waits for a phone
	Pace       time.Duration // least time of a round, so that a class can follow it
	Lasts      time.Duration // time until a class ends by itself
	Address    string        // where phones find the server, such as https://flock.example.org; "" for the page's own
}

// DefaultSettings are those of a class in a room.
var DefaultSettings = Settings{Digits: []int{2, 4, 7}, Each: 2, Held: 1, Deadline: 3 * time.Second,
	Pace: 700 * time.Millisecond, Lasts: 2 * time.Hour}

// Check returns an error if a class with these settings is not possible.
func (s *Settings) Check() error {
	digits := slices.Clone(s.Digits)
	slices.Sort(digits)
	switch {
	case len(digits) < 2 || len(digits) > 10 || digits[0] < 0 || digits[len(digits)-1] > 9,
		len(slices.Compact(digits)) != len(s.Digits):
		return fmt.Errorf("digits: got %v, want two to ten different digits, such as 2,4,7", s.Digits)
	case s.Each < 1 || s.Each > 10:
		return fmt.Errorf("drawings of each digit: got %d, want 1 to 10", s.Each)
	case s.Held < 1 || s.Held > 10:
		return fmt.Errorf("held-out drawings of each digit: got %d, want 1 to 10", s.Held)
	}
	return nil
}

// A Class is a teacher and the phones of a room.
type Class struct {
	Code   string // what phones type
	secret string // what the teacher's link has
	ends   time.Time

	settings Settings
	now      func() time.Time
	ctx      context.Context // of the class
	close    context.CancelFunc

	mu       sync.Mutex
	phones   []*phone // in order of joining, without forgotten ones
	tokens   map[string]*phone
	joined   int // phones so far
	teachers map[*link]bool
	problems map[string]int // bad messages, by what is wrong
	options  Options        // of the last or the next run
	asking   bool           // phones may predict
	run      *run           // the last run; nil before the first
	past     []pastRun      // how the last runs ended, the latest last
	shown    *phone         // whose update the teacher sees
	picture  *picture
	refused  string        // why the last command of the teacher was not followed
	news     chan struct{} // something the teacher sees has changed; capacity 1
	tap      func(phone int, data []byte)
}

// mostPhones is how many phones a class may have.
const mostPhones = 250

// aboutRound is the round that predictions are about.
const aboutRound = 10

// alphabet has no characters that are mistaken for others.
const alphabet = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

// random returns n random bytes.
func random(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return b
}

// newCode returns a code of six characters, one of 887 million.
func newCode() string {
	code := make([]byte, 0, 6)
	for len(code) < cap(code) {
		if b := random(1)[0]; int(b) < 256/len(alphabet)*len(alphabet) {
			code = append(code, alphabet[int(b)%len(alphabet)])
		}
	}
	return string(code)
}

func newSecret() string { return base64.RawURLEncoding.EncodeToString(random(16)) }

// newClass opens a class, which ends with ctx, by its teacher, or after settings.Lasts.
func newClass(ctx context.Context, settings Settings) *Class {
	c := &Class{Code: newCode(), secret: newSecret(), settings: settings, now: time.Now, options: DefaultOptions,
		tokens: map[string]*phone{}, teachers: map[*link]bool{}, problems: map[string]int{},
		news: make(chan struct{}, 1)}
	c.ends = c.now().Add(settings.Lasts)
	c.ctx, c.close = context.WithDeadline(ctx, c.ends)
	go c.publish()
	return c
}

// isTeacher reports whether a secret is that of the teacher's link.
func (c *Class) isTeacher(secret string) bool {
	return subtle.ConstantTimeCompare([]byte(secret), []byte(c.secret)) == 1
}

// knows reports whether a token is that of a phone of the class.
func (c *Class) knows(token string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return token != "" && c.tokens[token] != nil
}

// errFull is returned when no further phone may join.
var errFull = errors.New("class: as many phones as a class may have")

// join lets a phone in: the one that has the token, else a new one. Its link replaces one that it had.
func (c *Class) join(token string, l *link) (*phone, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.tokens[token]
	if token == "" || p == nil {
		if len(c.phones) >= mostPhones {
			return nil, errFull
		}
		c.joined++
		p = &phone{number: c.joined, token: newSecret(), client: -1, turned: c.fewerTurned(),
			open: map[uint32]*request{}, past: map[uint32]bool{}}
		c.tokens[p.token] = p
		c.phones = append(c.phones, p)
	}
	if old := p.link; old != nil {
		go old.conn.Close(closeReplaced, "open in another place")
	}
	p.link, p.stalled = l, false
	c.tellPhone(p)
	for _, r := range p.open { // what it has not replied to in time yet
		l.send(binaryMessage, r.task)
	}
	if c.run != nil {
		c.run.wake()
	}
	c.changed()
	return p, nil
}

// fewerTurned reports whether fewer phones are turned than not.
func (c *Class) fewerTurned() bool {
	turned := 0
	for _, p := range c.phones {
		if p.turned {
			turned++
		}
	}
	return 2*turned < len(c.phones)
}

// leave notes that a phone's link has ended.
func (c *Class) leave(p *phone, l *link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.link == l {
		p.link = nil
		c.changed()
	}
}

// count counts what is wrong with a message.
func (c *Class) count(err error) {
	for _, known := range allErrors {
		if errors.Is(err, known) {
			c.problems[known.Error()]++
		}
	}
	c.changed()
}

// lanes returns the titles of the methods that the class sees or will see next.
func (c *Class) lanes() []string {
	if c.run != nil && c.run.playing() {
		return c.run.titles
	}
	var titles []string
	if config, problems := catalog.Schema().Parse("data=samples&algos=" + c.options.Methods); len(problems) == 0 {
		titles = titlesOf(config)
	}
	return titles
}

func titlesOf(c experiment.Config) (titles []string) {
	for _, l := range c.Lanes() {
		titles = append(titles, catalog.Title(l))
	}
	return titles
}

// fromTeacher is a command of the teacher's page.
type fromTeacher struct {
	Do      string  `json:"do"`
	Secret  string  `json:"secret"`
	Options Options `json:"options"`
	Phone   int     `json:"phone"`
	On      bool    `json:"on"`
}

// command follows a command of the teacher.
func (c *Class) command(m *fromTeacher) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refused = ""
	if err := c.follow(m); err != nil {
		c.refused = err.Error()
	}
	c.changed()
	c.tellPhones()
}

func (c *Class) follow(m *fromTeacher) error {
	switch r := c.run; m.Do {
	case "options": // so that phones see what is asked next
		return c.setOptions(m.Options)
	case "ask":
		if c.asking = m.On; m.On {
			for _, p := range c.phones {
				p.prediction = nil
			}
		}
	case "start":
		if err := c.setOptions(m.Options); err != nil {
			return err
		}
		return c.start()
	case "pause":
		if r != nil {
			r.paused = m.On
			r.wake()
		}
	case "stop":
		if r != nil {
			r.cancel()
		}
	case "remove":
		if p := c.numbered(m.Phone); p != nil {
			l := p.link
			c.forget(p)
			if l != nil {
				go l.conn.Close(closeForgot, "removed by the teacher")
			}
		}
	case "show":
		c.shown, c.picture = c.numbered(m.Phone), nil
		if c.shown != nil && !c.shown.volunteers {
			c.shown = nil
			return errors.New("only updates of phones that have volunteered are shown")
		}
	case "delete":
		if r != nil {
			r.forgetReplies()
		}
	case "end":
		c.close()
	default:
		return fmt.Errorf("there is no command %q", m.Do)
	}
	return nil
}

func (c *Class) setOptions(o Options) error {
	if c.run != nil && c.run.playing() {
		return errors.New("a run is played; stop it first")
	}
	const mostRounds, mostMethods, mostMore = 300, 200, 500
	switch {
	case o.Rounds > mostRounds:
		return fmt.Errorf("a run has at most %d rounds; got %d", mostRounds, o.Rounds)
	case len(o.Methods) > mostMethods:
		return fmt.Errorf("the names of methods have at most %d bytes; got %d", mostMethods, len(o.Methods))
	case len(o.More) > mostMore:
		return fmt.Errorf("further settings have at most %d bytes; got %d", mostMore, len(o.More))
	}
	group, held := c.groups()
	for len(group) < leastPhones {
		group, held = append(group, 0), append(held, 1)
	}
	if _, _, err := configOf(queryOf(o, len(group)), group, held, c.settings.Digits); err != nil {
		return err
	}
	if o.Methods != c.options.Methods { // predictions are about methods
		for _, p := range c.phones {
			p.prediction = nil
		}
	}
	c.options = o
	return nil
}

// plays reports whether a phone would be in a run that starts now: it has drawings, and is here.
func (p *phone) plays() bool { return p.drawings > 0 && p.link != nil }

// groups returns the planted group of each phone that would be in a run, and its number of training drawings.
func (c *Class) groups() (group, held []int) {
	for _, p := range c.phones {
		if p.plays() {
			g := 0
			if p.turned {
				g = 1
			}
			group, held = append(group, g), append(held, p.drawings)
		}
	}
	return group, held
}

// numbered returns the phone with a number, nil if there is none.
func (c *Class) numbered(n int) *phone {
	for _, p := range c.phones {
		if p.number == n {
			return p
		}
	}
	return nil
}

// hide stops showing a phone's update.
func (c *Class) hide(p *phone) {
	if c.shown == p {
		c.shown, c.picture = nil, nil
	}
}

func (c *Class) tellPhones() {
	for _, p := range c.phones {
		c.tellPhone(p)
	}
}
