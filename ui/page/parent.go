package page

import (
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/trace"
	"flockscope/ui/host"
)

// ProtocolVersion is the version of the protocol of frames, which the first message contains.
const ProtocolVersion = 1

// Parent exchanges messages with the page around a frame.
type Parent struct {
	page       *State
	run        *trace.Run
	round      int
	state      string  // content of the last report
	lastReport float64 // time of the last report, in ms
	reported   bool
	refusal    string // why the last run was refused; "" once reported
}

// SetRefusal stores why the last run was refused.
func (m *Parent) SetRefusal(why string) { m.refusal = why }

// ParentCall: the surrounding page has sent a message. The fields have been checked to have the
// right types.
type ParentCall struct {
	Kind   string      // "play" for the type "flockscope/play"
	Params [][2]string // for set: settings and keys of a link
	T, By  int         // for seek and step
	Format string      // for export
	Figure string      // for export: "map", "curves", …; the map if empty
	Lane   int         // for export, from 1; 0 for the focused lane
}

// Post is a message to the surrounding page: texts, numbers, booleans, and lists and maps of these.
// Its "type" does not include the prefix "flockscope/".
type Post = map[string]any

func (c ParentCall) update(s *State) {
	m := s.Parent
	refuse := func(why string) {
		s.post(Post{"type": "error", "about": c.Kind, "message": why})
	}
	switch c.Kind {
	case "play":
		if !s.Player.Playing {
			TogglePlay{}.update(s)
		}
	case "pause":
		s.pause()
	case "seek":
		Seek{c.T}.update(s)
	case "step":
		StepRound{c.By}.update(s)
	case "set":
		if err := m.setAll(c.Params); err != nil {
			refuse(err.Error())
		}
	case "get":
		s.post(m.report())
	default:
		refuse("there is no flockscope/" + Truncate(c.Kind))
	}
}

// post sends a message to the surrounding page.
func (s *State) post(p Post) { s.effects.Do(host.Post{Fields: p}) }

// viewKeys are the keys of a link that set the round and the view.
var viewKeys = []string{"t", "lane", "sel", "view", "curve", "theme", "lang", "speed", "zoom", "heat", "map"}

// setAll changes the view, and settings together: all of them or none.
func (m *Parent) setAll(params [][2]string) error {
	var changes [][2]string
	view := url.Values{}
	for _, p := range params {
		if slices.Contains(viewKeys, p[0]) {
			view.Set(p[0], p[1])
		} else {
			changes = append(changes, p)
		}
	}
	next, err := m.page.Config.WithAll(changes)
	if err != nil {
		return err
	}
	if problems := linkErrors(view, len(next.Lanes())); len(problems) > 0 {
		return errors.New(problems[0].String())
	}
	if len(changes) > 0 {
		m.page.Settings.Adopt(next, "", true)
	}
	if len(view) > 0 {
		p := m.page.Player
		p.Playing = p.Playing && !view.Has("t")
		m.page.applyViewKeys(view)
		m.page.effects.Redraw(host.Shell | host.Figures | host.Link)
	}
	return nil
}

// FollowSlide: reveal.js has sent one of the two words that it sends to every frame when its slide
// appears or disappears. A lesson waits for its answer.
type FollowSlide struct{ Word string }

func (m FollowSlide) update(s *State) {
	switch {
	case m.Word == "slide:start" && !s.Player.Playing && !s.Player.ReducedMotion && s.Frame.Autoplay != "0" &&
		s.Lessons.Lesson() == nil:
		TogglePlay{}.update(s)
	case m.Word == "slide:stop":
		Pause{}.update(s)
	}
}

// report returns the state of the page for the surrounding page.
func (m *Parent) report() Post {
	p := Post{"type": "state", "query": m.page.Link(), "config": m.page.Config.String(), "round": m.page.Shown(),
		"rounds":  m.page.Rounds(),
		"playing": m.page.Player.Playing, "done": m.page.Runs.Complete(), "problem": m.page.Problem.String(),
		"fingerprint": m.page.Fingerprint()}
	p["lanes"] = m.laneReports()
	return p
}

// laneReports returns the state of the lanes.
func (m *Parent) laneReports() []any {
	out := []any{}
	if m.page.Run == nil {
		return out
	}
	for lane := range m.page.Run.Header.Lanes {
		f := m.page.ShownFrame(lane)
		if f == nil {
			continue
		}
		info := &m.page.Run.Header.Lanes[lane]
		p := map[string]any{"id": info.ID, "title": info.Title, "clusters": f.Clusters, "down": f.Down, "up": f.Up,
			"computed": f.Computed}
		if h := m.page.Run.Header; len(h.Liar) > 0 {
			p["honest"] = h.Honest()
		}
		if !math.IsNaN(f.Loss) {
			p["loss"] = f.Loss
		}
		judged := m.page.hasVerdict(lane)
		if judged {
			p["ari"], p["misplaced"] = f.ARI, f.Misplaced
			if f.Events.Has(trace.Partial) && !math.IsNaN(f.ARIParticipants) {
				p["ari_participants"] = f.ARIParticipants
			}
		}
		if len(f.Confusion) > 0 {
			p["accuracy"] = f.Accuracy
		}
		if s := m.page.Run.Tracks[lane].Summary; s != nil && judged && s.Settled >= 0 {
			p["settled"] = s.Settled
		}
		out = append(out, p)
	}
	return out
}

// ReportInterval is the minimum time between reports to the surrounding page, in ms.
const ReportInterval = 250.0 // ms

// ReportToParent: it may be time for a report to the surrounding page.
type ReportToParent struct{}

func (ReportToParent) update(s *State) {
	m, shown := s.Parent, s.Shown()
	if wait := m.lastReport + ReportInterval - s.now; wait > 0 && m.reported {
		s.effects.Do(host.ReportLater{After: wait})
		return
	}
	before := len(s.effects.List)
	if s.Run != nil && (s.Run != m.run || shown != m.round) {
		// Events of a run with other settings are not reported.
		if s.Run == m.run && shown > m.round && s.Runs.UpToDate() {
			for _, p := range EventPosts(s.Run, m.round, shown) {
				s.post(p)
			}
		}
		m.run, m.round = s.Run, shown
		s.post(Post{"type": "round", "t": shown, "lanes": m.laneReports()})
	}
	if m.refusal != "" {
		s.post(Post{"type": "error", "about": "run", "message": m.refusal})
		m.refusal = ""
	}
	state := strings.Join([]string{s.Config.String(), s.Fingerprint(), s.Problem.String(),
		strconv.FormatBool(s.Player.Playing), strconv.FormatBool(s.Runs.Complete())}, " ")
	if state != m.state {
		m.state = state
		s.post(m.report())
	}
	if len(s.effects.List) > before {
		m.lastReport, m.reported = s.now, true
	}
}

// EventPosts returns the events of the rounds after one up to another.
func EventPosts(run *trace.Run, after, to int) (posts []Post) {
	for lane := range run.Header.Lanes {
		id := run.Header.Lanes[lane].ID
		add := func(kind string, t int) {
			if t > after && t <= to {
				posts = append(posts, Post{"type": "event", "kind": kind, "t": t, "lane": id})
			}
		}
		frames := run.Tracks[lane].Frames
		for t := after + 1; t <= min(to, len(frames)-1); t++ {
			for _, e := range [...]struct {
				event trace.Events
				kind  string
			}{{trace.Diverged, "diverged"}, {trace.ClusteringStopped, "frozen"}} {
				if frames[t].Events.Has(e.event) && !frames[t-1].Events.Has(e.event) {
					add(e.kind, t)
				}
			}
		}
		if s := run.Tracks[lane].Summary; s != nil && s.Settled > 0 {
			add("all-correct", s.Settled)
		}
	}
	return posts
}
