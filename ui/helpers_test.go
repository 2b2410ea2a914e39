package ui

import (
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"

	"github.com/vugu/vugu"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/host"
)

// A pretender stands in for the engine: it notes what the page asks for, and
// answers when a test tells it to, with runs that nobody has computed.
type pretender struct {
	host.None
	t         *testing.T
	app       *App
	asked     []ask
	files     []string
	questions []wire.Question
	changes   host.Change // since the last look
	now       float64     // in ms
	wake      float64     // when the page wants to be woken, in ms
	fetches   [][]string
	kept      string            // of lessons
	took      string            // format and how
	saved     map[string]string // files by name and type

	// What else is told of messages to engines and to background workers.
	sends       func(engine int, message []byte)
	wants       func(workers int)
	sendsWorker func(worker int, message []byte)

	// What the runs are like.
	unknown  bool                                              // nobody knows the groups
	shape    func(h *trace.Header)                             // changes the header
	paint    func(h *trace.Header, lane int, f *trace.Frame)   // changes a frame
	conclude func(h *trace.Header, lane int, s *trace.Summary) // changes a summary
}

// An ask is one run that the page has asked for.
type ask struct {
	id    uint32
	query string
}

// open returns the page of a link, with a pretender behind it. The first run
// is asked for.
func open(t *testing.T, query string) (*App, *pretender) {
	t.Helper()
	p := &pretender{t: t, app: New(catalog.Schema(), query)}
	p.app.Host = p
	p.app.Request()
	return p.app, p
}

// ready is open with the first run on stage.
func ready(t *testing.T, query string) (*App, *pretender) {
	t.Helper()
	a, p := open(t, query)
	p.finish()
	return a, p
}

func (p *pretender) Now() float64             { return p.now }
func (p *pretender) Change(what host.Change)  { p.changes |= what }
func (p *pretender) Wake(ms float64)          { p.wake = p.now + ms }
func (p *pretender) Fetch(addresses []string) { p.fetches = append(p.fetches, addresses) }
func (p *pretender) KeepMarks(marks string)   { p.kept = marks }
func (p *pretender) Take(format, how string)  { p.took = format + " " + how }

func (p *pretender) Save(f host.File) {
	if p.saved == nil {
		p.saved = map[string]string{}
	}
	p.saved[f.Name+" "+f.Type] = string(f.Data)
}

func (p *pretender) SetWorkers(n int) {
	if p.wants != nil {
		p.wants(n)
	}
}

func (p *pretender) SendWorker(worker int, message []byte) {
	if p.sendsWorker != nil {
		p.sendsWorker(worker, message)
	}
}

func (p *pretender) Send(engine int, message []byte) {
	if p.sends != nil {
		p.sends(engine, message)
	}
	id, records, err := wire.Open(message)
	if err != nil {
		p.t.Fatalf("the page sent %q: %v", message, err)
	}
	for kind, payload := range records {
		switch kind {
		case wire.Run:
			p.asked = append(p.asked, ask{id, string(payload)})
		case wire.File:
			if f, ok := wire.OpenFile(payload); ok {
				p.files = append(p.files, string(f.Data))
			}
		case wire.Explain:
			if q, ok := wire.OpenQuestion(payload); ok {
				p.questions = append(p.questions, q)
			}
		case wire.Look, wire.Lanes, wire.Shards, wire.Cancel:
		default:
			p.t.Errorf("the page sent a record of kind %d", kind)
		}
	}
}

// last is the newest request.
func (p *pretender) last() ask {
	p.t.Helper()
	if len(p.asked) == 0 {
		p.t.Fatal("the page asked for nothing")
	}
	return p.asked[len(p.asked)-1]
}

func (p *pretender) queries() []string {
	var out []string
	for _, a := range p.asked {
		out = append(out, a.query)
	}
	return out
}

// changed returns and forgets what the page said has changed.
func (p *pretender) changed() host.Change {
	what := p.changes
	p.changes = 0
	return what
}

// tell sends the page one message.
func (p *pretender) tell(id uint32, fill func(m *wire.Message)) {
	var m wire.Message
	m.Reset(id)
	fill(&m)
	p.app.Receive(0, slices.Clone(m.Bytes()))
}

func (p *pretender) say(id uint32, kind wire.Kind, text string) {
	p.tell(id, func(m *wire.Message) { m.Text(kind, text) })
}

// finish answers the newest request, and those that follow from it.
func (p *pretender) finish() {
	p.t.Helper()
	for n := -1; n != len(p.asked); {
		n = len(p.asked)
		a := p.last()
		p.rounds(a, -1, p.header(a.query).Rounds)
		p.end(a)
	}
}

// rounds sends the frames after one round up to another, after −1 with the
// header before them.
func (p *pretender) rounds(a ask, after, to int) {
	p.t.Helper()
	h := p.header(a.query)
	p.tell(a.id, func(m *wire.Message) {
		if after < 0 {
			m.Record(wire.Begin, func(dst []byte) []byte { return trace.AppendHeader(dst, h) })
		}
		for round := after + 1; round <= to; round++ {
			for lane := range h.Lanes {
				m.Record(wire.Frame, func(dst []byte) []byte {
					return trace.AppendFrame(append(dst, byte(lane)), p.frame(h, lane, round))
				})
			}
		}
	})
}

// end sends the summaries.
func (p *pretender) end(a ask) {
	p.t.Helper()
	h := p.header(a.query)
	p.tell(a.id, func(m *wire.Message) {
		for lane := range h.Lanes {
			m.Record(wire.End, func(dst []byte) []byte { return trace.AppendSummary(append(dst, byte(lane)), p.summary(h, lane)) })
		}
		m.Record(wire.Done, nil)
	})
}

// header describes the run of a query as the engine would.
func (p *pretender) header(query string) *trace.Header {
	p.t.Helper()
	c, problems := catalog.Schema().Parse(query)
	if len(problems) > 0 {
		p.t.Fatalf("the page asked for %q: %v", query, problems[0])
	}
	v := c.Values(-1)
	h := &trace.Header{Query: query, Clients: 6, Rounds: v.Int("T"), Groups: 3}
	if !c.FromFile() {
		h.Clients = v.Int("C")
	}
	switch c.Workload() {
	case "linreg":
		h.Groups = v.Int("D")
		h.Scenery.Fan = h.Groups > 1
	case "mix1d":
		h.Groups = len(v.Numbers("star"))
	case "digits", "samples":
		h.Groups = 4
	}
	for i := range h.Clients {
		h.Group = append(h.Group, int16(i*h.Groups/h.Clients))
	}
	h.Scenery.XMin, h.Scenery.XMax, h.Scenery.YMin, h.Scenery.YMax, h.Scenery.Floor = 0, 1, -1, 1, 0.04
	for g := range h.Groups {
		h.Scenery.Truth = append(h.Scenery.Truth, trace.Line{Slope: float32(h.Groups-2*g-1) / 4})
	}
	for i := range min(h.Clients, 30) {
		h.Scenery.Points = append(h.Scenery.Points, trace.Point{X: float32(i) / 30, Y: float32(i%5)/5 - 0.4, Client: int16(i)})
	}
	if p.unknown {
		h.Groups, h.Group, h.Scenery.Truth, h.Scenery.Fan, h.Scenery.Floor = 0, nil, nil, false, -1
	}
	if c.Reads("net") {
		h.Scenery = pictures(h)
	}
	for i := range c.Lanes() {
		l := c.Lanes()[i]
		lane := trace.Lane{ID: l.ID(), Algorithm: l.Algorithm, Title: catalog.Title(l), Models: c.Values(i).Int("K"), Size: 2, Drawn: 2, Map: trace.LossPlane}
		switch l.Algorithm {
		case "fedavg", "fedala":
			lane.Models, lane.Map = 1, trace.NoMap
		case "local", "fedpac":
			lane.Models, lane.Map = h.Clients, trace.NoMap
		case "cflgp":
			lane.Map = trace.GradientPlane
		case "ifca":
			lane.Border = true
			switch lane.Models {
			case 2:
				lane.Map = trace.LossPair
			case 3:
				lane.Map = trace.LossTriangle
			}
		}
		if c.Reads("net") {
			lane.Size, lane.Drawn = 159010, 0
		}
		if lane.Columns = lane.Models; l.Algorithm == "local" || l.Algorithm == "fedpac" {
			lane.Columns = 1
		}
		h.Lanes = append(h.Lanes, lane)
	}
	if p.shape != nil {
		p.shape(h)
	}
	return h
}

// pictures are two samples of two pixels for each client, in three classes.
func pictures(h *trace.Header) trace.Scenery {
	g := trace.Gallery{Height: 1, Width: 2, Channels: 1, Each: 2, Classes: []string{"cat", "dog", "owl"}}
	for i := range h.Clients {
		g.Pixels = append(g.Pixels, uint8(i), 9, 200, uint8(i))
		g.Label = append(g.Label, uint8(i%3), uint8((i+1)%3))
		g.Meant = append(g.Meant, uint8(i%3), uint8((i+1+i%2)%3))
		g.Portraits = append(g.Portraits, trace.Portrait{Sees: []string{"", "noise 3"}[i%2], Holds: 7, Of: []int{4, 3, 0}})
	}
	for k := range h.Groups {
		g.Groups = append(g.Groups, itoa(90*k)+"°")
	}
	return trace.Scenery{Floor: -1, Gallery: g}
}

// try makes a frame one after which models were tried: client i is right in 9 of
// 12 answers, but for the first, who is right in 6.
func try(h *trace.Header, f *trace.Frame) {
	f.Events |= trace.Examined
	for i := range h.Clients {
		sheet := []uint16{3, 1, 0, 0, 3, 1, 1, 0, 3}
		if i == 0 {
			sheet = []uint16{2, 2, 0, 2, 2, 0, 2, 0, 2}
		}
		f.Confusion = append(f.Confusion, sheet...)
		right := float32(sheet[0]+sheet[4]+sheet[8]) / 12
		f.Accuracies = append(f.Accuracies, right)
		f.Accuracy += float64(right) / float64(h.Clients)
	}
}

// frame invents the state of a lane: right from the third round on.
func (p *pretender) frame(h *trace.Header, lane, round int) *trace.Frame {
	l := &h.Lanes[lane]
	f := &trace.Frame{Round: round}
	for i := range h.Clients {
		k := i * max(h.Groups, 1) / h.Clients
		if round < 3 {
			k = 0
		}
		if l.Columns == 1 && l.Models > 1 {
			k = i
		}
		f.Label = append(f.Label, uint16(min(k, l.Models-1)))
		for j := range l.Columns {
			f.Losses = append(f.Losses, float32(1+i+j)/float32(8+round))
		}
		if l.Map != trace.NoMap && round > 0 {
			f.XY = append(f.XY, float32(k)+float32(i)/10, float32(i%3))
		}
	}
	if l.Map == trace.GradientPlane && (round == 2 || round == h.Rounds) {
		f.Spectrum, f.Directions = []float32{9, 5, 4.6, 0.4}, 3
	}
	for k := range l.Models * l.Drawn / 2 {
		f.Models = append(f.Models, float32(k)/4, float32(lane)/10)
	}
	if h.Scenery.Gallery.Holds() && (round%5 == 0 || round == h.Rounds) {
		try(h, f)
	}
	f.ARI, f.Misplaced, f.Clusters, f.Loss = 0.25, 2, 1, 1/float64(2+round)
	if round >= 3 {
		f.ARI, f.Misplaced, f.Clusters = 1, 0, h.Groups
	}
	f.Down, f.Up = float64(6*round), float64(4*round)
	if !h.HasTruth() {
		f.ARI, f.Misplaced = 0, 0
	}
	if p.paint != nil {
		p.paint(h, lane, f)
	}
	return f
}

func (p *pretender) summary(h *trace.Header, lane int) *trace.Summary {
	last := p.frame(h, lane, h.Rounds)
	s := &trace.Summary{Metrics: last.Metrics, Settled: 3, Diverged: -1, Fingerprint: uint64(len(h.Query))<<48 + uint64(lane+1)<<32}
	if last.ARI != 1 {
		s.Settled = -1
	}
	for k := range h.Lanes[lane].Models {
		s.Alias = append(s.Alias, uint16(k))
	}
	if p.conclude != nil {
		p.conclude(h, lane, s)
	}
	return s
}

// page builds the whole page and returns it as HTML, with the properties that
// the browser is given as attributes with a dot.
func page(t *testing.T, a *App) string {
	t.Helper()
	env, err := vugu.NewBuildEnv()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	root := &Root{App: a}
	results := env.RunBuild(root)
	for _, n := range results.ResultFor(root).Out {
		write(&b, results, n)
	}
	return b.String()
}

func write(b *strings.Builder, results *vugu.BuildResults, n *vugu.VGNode) {
	switch {
	case n.Component != nil:
		for _, out := range results.ResultFor(n.Component).Out {
			write(b, results, out)
		}
	case n.Type == vugu.TextNode:
		b.WriteString(html.EscapeString(n.Data))
	case n.Type == vugu.ElementNode:
		b.WriteString("<" + n.Data)
		for _, attr := range n.Attr {
			fmt.Fprintf(b, ` %s="%s"`, attr.Key, html.EscapeString(attr.Val))
		}
		for _, prop := range n.Prop {
			var value any
			_ = json.Unmarshal(prop.JSONVal, &value)
			fmt.Fprintf(b, ` .%s="%s"`, prop.Key, html.EscapeString(fmt.Sprint(value)))
		}
		b.WriteString(">")
		if n.InnerHTML != nil {
			b.WriteString(*n.InnerHTML)
		} else {
			for c := n.FirstChild; c != nil; c = c.NextSibling {
				write(b, results, c)
			}
		}
		b.WriteString("</" + n.Data + ">")
	}
}

// set changes a setting and fails the test if it is refused.
func set(t *testing.T, a *App, key, text string) {
	t.Helper()
	a.Set(key, text, true)
	if why := a.Why(key); why != "" {
		t.Fatalf("Set(%q, %q): %s", key, text, why)
	}
}

// lanes are the ids of the lanes of a configuration.
func lanes(c experiment.Config) string {
	var out []string
	for i := range c.Lanes() {
		out = append(out, c.Lanes()[i].ID())
	}
	return strings.Join(out, ",")
}

// notices are the texts of what is to be noticed.
func notices(a *App) []string {
	var out []string
	for _, n := range a.AllNotices() {
		out = append(out, n.Text)
	}
	return out
}
