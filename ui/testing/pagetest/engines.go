// Package pagetest replaces the engines and the browser in tests of the page: its runs are
// artificial, and arrive when a test sends them.
package pagetest

import (
	"context"
	"encoding/binary"
	"math"
	"slices"
	"strconv"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/sim/wire"
	"flockscope/ui/host"
	"flockscope/ui/page"
)

// Start adds round 0 to a link without a round, and the default data to one without settings, so
// tests begin with the experiment of [experiment.Schema.Default] at its start.
func Start(link string) string {
	s := catalog.Schema()
	opened, read := s.OpenLink(link), s.ReadLink(link)
	if opened.Has("dphi") && !read.Has("dphi") && !read.Has("lesson") {
		link = "data=linreg&" + link
	}
	if opened.Has("t") && !read.Has("t") {
		link = "t=0&" + link
	}
	return link
}

// Engines replaces the engines: it records the page's requests, and answers with artificial runs
// when a test calls for them.
type Engines struct {
	t            *testing.T
	page         *Page
	Log          []page.Entry // every message, with its time
	Requests     []Request
	StoredRuns   map[string][]byte // by key
	RecalledRuns []string          // keys of stored runs that were requested

	Limit      float64 // of the last request that had one
	Paused     bool    // the engines
	answered   uint32  // id of the request that was answered last, and up to which round
	answeredTo int
	Files      []string
	Questions  []wire.Question
	questionID uint32      // id of the message with the last question
	Changes    host.Change // since the last call of Changed
	Time       float64     // in ms
	WakeAt     float64     // when the page wants to be woken, in ms
	Fetches    [][]string
	KeptMarks  string            // of lessons
	Exported   string            // format and how
	Saved      map[string]string // files by name and type
	Store      *Store            // of sweeps; nil for a new one

	// Callbacks for messages to engines and workers, nil for none.
	OnSend    func(engine int, message []byte)
	OnWorker  func(worker int, message []byte)
	Workers   int      // number of workers
	Started   []int    // numbers of the engines started
	Guides    []string // requested files of explanations
	Copied    []string
	ToArena   []string         // names of files for the arena's page, after its address
	Posts     []map[string]any // messages to the surrounding page
	Readers   int              // how often the reader of files was requested
	TellAfter float64          // delay in ms of the next report to the surrounding page, 0 for none

	SlowReader bool // a test says when the reader of files is loaded

	// Properties of the runs.
	NoTruth     bool                                              // the groups are unknown
	EditHeader  func(h *trace.Header)                             // changes a header
	EditFrame   func(h *trace.Header, lane int, f *trace.Frame)   // changes a frame
	EditSummary func(h *trace.Header, lane int, s *trace.Summary) // changes a summary
}

// Request is a run that the page has requested.
type Request struct {
	ID    uint32
	Query string
}

func (p *Engines) send(engine int, message []byte) {
	if p.OnSend != nil {
		p.OnSend(engine, message)
	}
	id, records, err := wire.Open(message)
	if err != nil {
		p.t.Fatalf("the page sent %q: %v", message, err)
	}
	for kind, payload := range records {
		switch kind {
		case wire.Run:
			p.Requests = append(p.Requests, Request{id, string(payload)})
		case wire.File, wire.Roles:
			if f, ok := wire.OpenFile(payload); ok {
				p.Files = append(p.Files, string(f.Data))
			}
		case wire.Explain:
			if q, ok := wire.OpenQuestion(payload); ok {
				p.Questions, p.questionID = append(p.Questions, q), id
			}
		case wire.Pause:
			p.Paused = payload[0] == 1
		case wire.Limit:
			p.Limit = math.Float64frombits(binary.LittleEndian.Uint64(payload))
		case wire.ShownRound, wire.Lanes, wire.Shards, wire.Cancel:
		default:
			p.t.Errorf("the page sent a record of kind %d", kind)
		}
	}
}

// Last returns the newest request.
func (p *Engines) Last() Request {
	p.t.Helper()
	if len(p.Requests) == 0 {
		p.t.Fatal("the page asked for nothing")
	}
	return p.Requests[len(p.Requests)-1]
}

// Queries returns the queries of all requests.
func (p *Engines) Queries() []string {
	var out []string
	for _, a := range p.Requests {
		out = append(out, a.Query)
	}
	return out
}

// Changed returns the parts of the page that have changed since its last call.
func (p *Engines) Changed() host.Change {
	what := p.Changes
	p.Changes = 0
	return what
}

// SendMessage sends the page a message.
func (p *Engines) SendMessage(id uint32, fill func(m *wire.Message)) {
	var m wire.Message
	m.Reset(id)
	fill(&m)
	p.page.Do(page.EngineAnswered{How: "a test", Message: slices.Clone(m.Bytes())})
}

// SendText sends the page a message with one record, a text.
func (p *Engines) SendText(id uint32, kind wire.Kind, text string) {
	p.SendMessage(id, func(m *wire.Message) { m.Text(kind, text) })
}

// Finish answers the newest request, as far as it is not answered yet, and those that follow from
// the answer.
func (p *Engines) Finish() {
	p.t.Helper()
	for n := -1; n != len(p.Requests); {
		n = len(p.Requests)
		a, after := p.Last(), -1
		if a.ID == p.answered {
			after = p.answeredTo
		}
		p.Rounds(a, after, p.Header(a.Query).Rounds)
		p.End(a)
	}
}

// Rounds sends the frames after one round up to another; after −1, the header precedes them.
func (p *Engines) Rounds(a Request, after, to int) {
	p.t.Helper()
	p.answered, p.answeredTo = a.ID, to
	h := p.Header(a.Query)
	p.SendMessage(a.ID, func(m *wire.Message) {
		if after < 0 {
			m.Record(wire.Begin, func(dst []byte) []byte { return trace.AppendHeader(dst, h) })
		}
		for round := after + 1; round <= to; round++ {
			for lane := range h.Lanes {
				m.Record(wire.Frame, func(dst []byte) []byte {
					return trace.AppendFrame(append(dst, byte(lane)), p.Frame(h, lane, round))
				})
			}
		}
	})
}

// End sends the summaries.
func (p *Engines) End(a Request) {
	p.t.Helper()
	h := p.Header(a.Query)
	p.SendMessage(a.ID, func(m *wire.Message) {
		for lane := range h.Lanes {
			m.Record(wire.End, func(dst []byte) []byte {
				return trace.AppendSummary(append(dst, byte(lane)), p.Summary(h, lane))
			})
		}
		m.Record(wire.Done, nil)
	})
}

// Header returns the header of a query's run, as an engine would make it.
func (p *Engines) Header(query string) *trace.Header {
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
		h.DataPreview.Fan = h.Groups > 1
	case "mix1d":
		h.Groups = len(v.Numbers("star"))
	case "digits", "samples":
		h.Groups = 4
	}
	for i := range h.Clients {
		h.Group = append(h.Group, int16(i*h.Groups/h.Clients))
	}
	if l := catalog.LiarsOf(v, h.Clients); l != nil {
		h.Liar, h.LiesFrom = l.Lies, l.From
	}
	d := &h.DataPreview
	d.XMin, d.XMax, d.YMin, d.YMax, d.Floor = 0, 1, -1, 1, 0.04
	for g := range h.Groups {
		h.DataPreview.Truth = append(h.DataPreview.Truth, trace.Line{Slope: float32(h.Groups-2*g-1) / 4})
	}
	for i := range min(h.Clients, 30) {
		h.DataPreview.Points = append(h.DataPreview.Points,
			trace.Point{X: float32(i) / 30, Y: float32(i%5)/5 - 0.4, Client: int16(i)})
	}
	if p.NoTruth {
		h.Groups, h.Group, h.DataPreview.Truth, h.DataPreview.Fan, h.DataPreview.Floor = 0, nil, nil, false, -1
	}
	if c.Reads("net") {
		h.DataPreview = pictures(h)
	}
	for i := range c.Lanes() {
		l := c.Lanes()[i]
		lane := trace.Lane{ID: l.ID(), Algorithm: l.Algorithm, Title: catalog.Title(l), Models: c.Values(i).Int("K"),
			Size: 2, FrameParams: 2, Map: trace.LossPlane}
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
			lane.Size, lane.FrameParams = 159010, 0
		}
		if lane.Columns = lane.Models; l.Algorithm == "local" || l.Algorithm == "fedpac" {
			lane.Columns = 1
		}
		h.Lanes = append(h.Lanes, lane)
	}
	if p.EditHeader != nil {
		p.EditHeader(h)
	}
	return h
}

// pictures returns a preview with two samples of two pixels for each client, in three classes.
func pictures(h *trace.Header) trace.DataPreview {
	g := trace.Gallery{Height: 1, Width: 2, Channels: 1, Each: 2, Classes: []string{"cat", "dog", "owl"}}
	for i := range h.Clients {
		g.Pixels = append(g.Pixels, uint8(i), 9, 200, uint8(i))
		g.Label = append(g.Label, uint8(i%3), uint8((i+1)%3))
		g.TrueLabel = append(g.TrueLabel, uint8(i%3), uint8((i+1+i%2)%3))
		g.Clients = append(g.Clients, trace.ClientSummary{Transform: []say.Message{"", "noise 3"}[i%2], Samples: 7,
			PerClass: []int{4, 3, 0}})
	}
	for k := range h.Groups {
		g.Groups = append(g.Groups, say.Message(strconv.Itoa(90*k)+"°"))
	}
	return trace.DataPreview{Floor: -1, Gallery: g}
}

// addEvaluation adds an evaluation to a frame: client i is right in 9 of 12 answers, client 0 in 6.
func addEvaluation(h *trace.Header, f *trace.Frame) {
	f.Events |= trace.Evaluated
	for i := range h.Clients {
		confusion := []uint16{3, 1, 0, 0, 3, 1, 1, 0, 3}
		if i == 0 {
			confusion = []uint16{2, 2, 0, 2, 2, 0, 2, 0, 2}
		}
		f.Confusion = append(f.Confusion, confusion...)
		right := float32(confusion[0]+confusion[4]+confusion[8]) / 12
		f.Accuracies = append(f.Accuracies, right)
		f.Accuracy += float64(right) / float64(h.Clients)
	}
}

// Frame returns an artificial frame of a lane: its clustering is right from round 3 on.
func (p *Engines) Frame(h *trace.Header, lane, round int) *trace.Frame {
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
	for k := range l.Models * l.FrameParams / 2 {
		f.Models = append(f.Models, float32(k)/4, float32(lane)/10)
	}
	if h.DataPreview.Gallery.HasImages() && (round%5 == 0 || round == h.Rounds) {
		addEvaluation(h, f)
	}
	f.ARI, f.Misplaced, f.Clusters, f.Loss = 0.25, 2, 1, 1/float64(2+round)
	if round >= 3 {
		f.ARI, f.Misplaced, f.Clusters = 1, 0, h.Groups
	}
	if h.DataPreview.Gallery.HasImages() && !f.Events.Has(trace.Evaluated) {
		f.Loss, f.Worst = math.NaN(), math.NaN()
	}
	f.Down, f.Up, f.Computed = float64(6*round), float64(4*round), float64(1000*round)
	if !h.HasTruth() {
		f.ARI, f.Misplaced = 0, 0
	}
	if p.EditFrame != nil {
		p.EditFrame(h, lane, f)
	}
	return f
}

// Summary returns the summary of a lane.
func (p *Engines) Summary(h *trace.Header, lane int) *trace.Summary {
	last := p.Frame(h, lane, h.Rounds)
	s := &trace.Summary{Metrics: last.Metrics, Settled: 3, Diverged: -1, Fingerprint: uint64(len(h.Query))<<48 +
		uint64(lane+1)<<32}
	if last.ARI != 1 {
		s.Settled = -1
	}
	for k := range h.Lanes[lane].Models {
		s.Alias = append(s.Alias, uint16(k))
	}
	if p.EditSummary != nil {
		p.EditSummary(h, lane, s)
	}
	return s
}

// Message returns a whole run in one message.
func (p *Engines) Message(id uint32, from, to int) []byte {
	h := p.Header(p.Last().Query)
	var m wire.Message
	m.Reset(id)
	m.Record(wire.Begin, func(dst []byte) []byte { return trace.AppendHeader(dst, h) })
	for round := from; round <= to; round++ {
		for lane := range h.Lanes {
			m.Record(wire.Frame, func(dst []byte) []byte {
				return trace.AppendFrame(append(dst, byte(lane)), p.Frame(h, lane, round))
			})
		}
	}
	for lane := range h.Lanes {
		m.Record(wire.End, func(dst []byte) []byte {
			return trace.AppendSummary(append(dst, byte(lane)), p.Summary(h, lane))
		})
	}
	m.Record(wire.Done, nil)
	return slices.Clone(m.Bytes())
}

// Answer lets the real engine answer the page's last question.
func (p *Engines) Answer() *trace.Detail {
	p.t.Helper()
	if len(p.Questions) == 0 {
		p.t.Fatal("the page asked nothing")
	}
	q := p.Questions[len(p.Questions)-1]
	p.Questions = p.Questions[:0]
	c, problems := catalog.Schema().Parse(q.Query)
	if len(problems) > 0 {
		p.t.Fatal(problems)
	}
	d, err := engine.Explain(context.Background(), c, nil, q.Lane, q.Round, q.Client, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	p.SendMessage(p.questionID, func(m *wire.Message) {
		m.Record(wire.Explained, func(dst []byte) []byte { return trace.AppendDetail(dst, d) })
	})
	return d
}

// Diverge lets lanes diverge in round 5.
func (p *Engines) Diverge() {
	p.EditFrame = func(_ *trace.Header, _ int, f *trace.Frame) {
		if f.Round > 4 {
			f.Events = trace.Diverged
		}
	}
}

// Fingerprint sets the fingerprints of an artificial run to those of its frames.
func Fingerprint(run *trace.Run) {
	for lane := range run.Tracks {
		var h trace.Hash
		for i := range run.Tracks[lane].Frames {
			h.Add(&run.Tracks[lane].Frames[i])
		}
		run.Tracks[lane].Summary.Fingerprint = h.Sum()
	}
}

// NamedFiles returns files with some contents.
func NamedFiles(names ...string) (out []wire.NamedFile) {
	for _, name := range names {
		out = append(out, wire.NamedFile{Name: name, Data: []byte("bytes of " + name)})
	}
	return out
}

// AboutFiles is the id of messages about files.
const AboutFiles = page.NoRunID

// StartFrame returns the start of a lane of a run that begins slowly, before its models are evaluated.
func (p *Engines) StartFrame(h *trace.Header, lane int) *trace.Frame {
	f, unknown := p.Frame(h, lane, 0), math.NaN()
	f.Loss, f.Worst, f.Accuracy = unknown, unknown, unknown
	for _, values := range [...][]float32{f.Losses, f.Accuracies} {
		for i := range values {
			values[i] = float32(unknown)
		}
	}
	clear(f.Confusion)
	return f
}

// FingerprintOf returns an edit of summaries with the fingerprints of the frames of a run.
func FingerprintOf(run *trace.Run) func(h *trace.Header, lane int, s *trace.Summary) {
	return func(_ *trace.Header, lane int, s *trace.Summary) {
		var h trace.Hash
		for i := range run.Tracks[lane].Frames {
			h.Add(&run.Tracks[lane].Frames[i])
		}
		s.Fingerprint = h.Sum()
	}
}
