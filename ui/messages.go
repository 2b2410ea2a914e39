package ui

import (
	"errors"
	"net/url"
	"slices"
	"strings"

	"flockscope/sim/trace"
	"flockscope/ui/host"
)

// The page around a frame can drive the page in it, and follows it, by messages
// of window.postMessage. This file is the protocol; messages_js.go carries it.
// EMBEDDING.md has the table. Version is in the first message.
const messageVersion = 1

// A call is a message from the page around, with the fields that its type has.
// Every field was checked to be of its kind.
type call struct {
	kind   string      // "play", of a type "flockscope/play"
	params [][2]string // of set: settings and keys of a link
	t, by  int         // of seek, of step
	format string      // of export
	figure string      // of export: "map", "curves", …; the map if empty
	lane   int         // of export, from 1; 0 for the one in focus
}

// A post is a message to the page around: texts, numbers, booleans, and lists
// and maps of these. Its "type" has no "flockscope/" yet.
type post map[string]any

// hear acts on a call. What it answers goes to who called.
func (a *App) hear(c call) (answers []post) {
	refuse := func(why string) []post {
		return []post{{"type": "error", "about": c.kind, "message": why}}
	}
	switch c.kind {
	case "play":
		if !a.Playing {
			a.Play(a.Host.Now())
		}
	case "pause":
		a.Pause()
	case "seek":
		a.Seek(c.t)
	case "step":
		a.Step(c.by)
	case "set":
		if err := a.setAll(c.params); err != nil {
			return refuse(err.Error())
		}
	case "get":
		return []post{a.report()}
	default:
		return refuse("there is no flockscope/" + short(c.kind))
	}
	return nil
}

// lookKeys are the keys of a link that say what is looked at.
var lookKeys = []string{"t", "lane", "sel", "view", "curve", "theme", "lang", "speed", "zoom", "map"}

// setAll changes settings together, or none of them, and what is looked at.
func (a *App) setAll(params [][2]string) error {
	var settings [][2]string
	view := url.Values{}
	for _, p := range params {
		if slices.Contains(lookKeys, p[0]) {
			view.Set(p[0], p[1])
		} else {
			settings = append(settings, p)
		}
	}
	if doubts := strange(view); len(doubts) > 0 {
		return errors.New(doubts[0])
	}
	slices.SortStableFunc(settings, func(p, q [2]string) int { return rank(p[0]) - rank(q[0]) })
	next, err := a.Config.WithAll(settings)
	if err != nil {
		return err
	}
	if len(settings) > 0 {
		a.adopt(next, "", true)
	}
	if len(view) > 0 {
		a.Playing = a.Playing && !view.Has("t")
		a.look(view)
		a.Host.Change(host.Shell | host.Figures | host.Link)
	}
	return nil
}

// rank puts the data before the lanes, and lanes before their own settings: each
// decides what the next can be.
func rank(key string) int {
	switch {
	case key == "data":
		return 0
	case key == "algos":
		return 1
	case strings.Contains(key, "."):
		return 3
	}
	return 2
}

// slide acts on the two words that reveal.js sends to every frame when its slide
// comes and goes.
func (a *App) slide(word string) {
	switch {
	case word == "slide:start" && !a.Playing && !a.Still && a.Frame.Autoplay != "0":
		a.Play(a.Host.Now())
	case word == "slide:stop":
		a.Pause()
	}
}

// report is the page's state for the page around.
func (a *App) report() post {
	p := post{"type": "state", "query": a.Link(), "config": a.Config.String(), "round": a.Shown(), "rounds": a.Rounds(),
		"playing": a.Playing, "done": a.complete(), "problem": a.Problem, "fingerprint": a.Fingerprint()}
	p["lanes"] = a.laneReports()
	return p
}

// complete reports whether the run of the present settings is on screen with
// all of its rounds.
func (a *App) complete() bool { return a.current() && a.Run.Done() && !a.requests.busy }

func (a *App) laneReports() []any {
	out := []any{}
	if a.Run == nil {
		return out
	}
	for lane := range a.Run.Header.Lanes {
		f := a.frame(lane)
		if f == nil {
			continue
		}
		info := &a.Run.Header.Lanes[lane]
		p := map[string]any{"id": info.ID, "title": info.Title, "loss": f.Loss, "clusters": f.Clusters, "down": f.Down, "up": f.Up}
		judged := a.hasVerdict(lane)
		if judged {
			p["ari"], p["misplaced"] = f.ARI, f.Misplaced
		}
		v := a.view(lane)
		if trial := v.Trial(); trial != nil && v.Grades() {
			p["accuracy"] = trial.Accuracy
		}
		if s := a.Run.Tracks[lane].Summary; s != nil && judged && s.Settled >= 0 {
			p["settled"] = s.Settled
		}
		out = append(out, p)
	}
	return out
}

// The page around hears news four times a second at most.
const newsGap = 250.0 // ms

// herald remembers what the page around was told.
type herald struct {
	run   *trace.Run
	round int
	state string  // what the last report was about
	at    float64 // time of the last news, in ms
	begun bool
	wrong string // why the last run was refused, until that is told
}

// news returns what the page around should hear now, and in how many ms it
// should be asked for again, 0 for not before something changes.
func (a *App) news() (posts []post, wait float64) {
	h := &a.herald
	now, shown := a.Host.Now(), a.Shown()
	if wait = h.at + newsGap - now; wait > 0 && h.begun {
		return nil, wait
	}
	if a.Run != nil && (a.Run != h.run || shown != h.round) {
		// A run whose settings have changed since passes nothing any more.
		if a.Run == h.run && shown > h.round && a.current() {
			posts = a.happened(h.round, shown)
		}
		h.run, h.round = a.Run, shown
		posts = append(posts, post{"type": "round", "t": shown, "lanes": a.laneReports()})
	}
	if h.wrong != "" {
		posts = append(posts, post{"type": "error", "about": "run", "message": h.wrong})
		h.wrong = ""
	}
	state := strings.Join([]string{a.Config.String(), a.Fingerprint(), a.Problem, yes(a.Playing), yes(a.complete())}, " ")
	if state != h.state {
		h.state = state
		posts = append(posts, a.report())
	}
	if len(posts) > 0 {
		h.at, h.begun = now, true
	}
	return posts, 0
}

// happened returns the events of the rounds after one up to another.
func (a *App) happened(after, to int) (posts []post) {
	for lane := range a.Run.Header.Lanes {
		id := a.Run.Header.Lanes[lane].ID
		say := func(kind string, t int) {
			if t > after && t <= to {
				posts = append(posts, post{"type": "event", "kind": kind, "t": t, "lane": id})
			}
		}
		frames := a.Run.Tracks[lane].Frames
		for t := after + 1; t <= min(to, len(frames)-1); t++ {
			for _, e := range [...]struct {
				event trace.Events
				kind  string
			}{{trace.Diverged, "diverged"}, {trace.Frozen, "frozen"}} {
				if frames[t].Events.Has(e.event) && !frames[t-1].Events.Has(e.event) {
					say(e.kind, t)
				}
			}
		}
		if s := a.Run.Tracks[lane].Summary; s != nil && s.Settled > 0 {
			say("all-correct", s.Settled)
		}
	}
	return posts
}
