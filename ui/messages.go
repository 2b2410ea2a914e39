package ui

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/trace"
	"flockscope/ui/host"
)

// The page around a frame can drive the page in it, and follows it, by messages
// of window.postMessage. This file is the protocol; messages_js.go carries it.
// EMBEDDING.md has the table. Version is in the first message.
const MessageVersion = 1

// A Call is a message from the page around, with the fields that its type has.
// Every field was checked to be of its kind.
type Call struct {
	Kind   string      // "play", of a type "flockscope/play"
	Params [][2]string // of set: settings and keys of a link
	T, By  int         // of seek, of step
	Format string      // of export
	Figure string      // of export: "map", "curves", …; the map if empty
	Lane   int         // of export, from 1; 0 for the one in focus
}

// A Post is a message to the page around: texts, numbers, booleans, and lists
// and maps of these. Its "type" has no "flockscope/" yet.
type Post map[string]any

// Obey acts on a call. What it answers goes to who called.
func (a *App) Obey(c Call) (answers []Post) {
	refuse := func(why string) []Post {
		return []Post{{"type": "error", "about": c.Kind, "message": why}}
	}
	switch c.Kind {
	case "play":
		if !a.Player.Playing {
			a.Player.Play(a.Host.Now())
		}
	case "pause":
		a.Player.Pause()
	case "seek":
		a.Player.Seek(c.T)
	case "step":
		a.Player.Step(c.By)
	case "set":
		if err := a.setAll(c.Params); err != nil {
			return refuse(err.Error())
		}
	case "get":
		return []Post{a.report()}
	default:
		return refuse("there is no flockscope/" + Short(c.Kind))
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
		a.Settings.Adopt(next, "", true)
	}
	if len(view) > 0 {
		a.Player.Playing = a.Player.Playing && !view.Has("t")
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

// FollowSlide acts on the two words that reveal.js sends to every frame when its slide
// comes and goes.
func (a *App) FollowSlide(word string) {
	switch {
	case word == "slide:start" && !a.Player.Playing && !a.Player.Still && a.Frame.Autoplay != "0":
		a.Player.Play(a.Host.Now())
	case word == "slide:stop":
		a.Player.Pause()
	}
}

// report is the page's state for the page around.
func (a *App) report() Post {
	p := Post{"type": "state", "query": a.Link(), "config": a.Config.String(), "round": a.Shown(), "rounds": a.Rounds(),
		"playing": a.Player.Playing, "done": a.Runs.Complete(), "problem": a.Problem, "fingerprint": a.Fingerprint()}
	p["lanes"] = a.laneReports()
	return p
}

func (a *App) laneReports() []any {
	out := []any{}
	if a.Run == nil {
		return out
	}
	for lane := range a.Run.Header.Lanes {
		f := a.ShownFrame(lane)
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

// told remembers what the page around was told.
type told struct {
	run   *trace.Run
	round int
	state string  // what the last report was about
	at    float64 // time of the last news, in ms
	begun bool
	wrong string // why the last run was refused, until that is told
}

// News returns what the page around should hear now, and in how many ms it
// should be asked for again, 0 for not before something changes.
func (a *App) News() (posts []Post, wait float64) {
	h := &a.told
	now, shown := a.Host.Now(), a.Shown()
	if wait = h.at + newsGap - now; wait > 0 && h.begun {
		return nil, wait
	}
	if a.Run != nil && (a.Run != h.run || shown != h.round) {
		// A run whose settings have changed since passes nothing any more.
		if a.Run == h.run && shown > h.round && a.Runs.Current() {
			posts = eventsBetween(a.Run, h.round, shown)
		}
		h.run, h.round = a.Run, shown
		posts = append(posts, Post{"type": "round", "t": shown, "lanes": a.laneReports()})
	}
	if h.wrong != "" {
		posts = append(posts, Post{"type": "error", "about": "run", "message": h.wrong})
		h.wrong = ""
	}
	state := strings.Join([]string{a.Config.String(), a.Fingerprint(), a.Problem, yes(a.Player.Playing), yes(a.Runs.Complete())}, " ")
	if state != h.state {
		h.state = state
		posts = append(posts, a.report())
	}
	if len(posts) > 0 {
		h.at, h.begun = now, true
	}
	return posts, 0
}

// eventsBetween returns the events of the rounds after one up to another.
func eventsBetween(run *trace.Run, after, to int) (posts []Post) {
	for lane := range run.Header.Lanes {
		id := run.Header.Lanes[lane].ID
		say := func(kind string, t int) {
			if t > after && t <= to {
				posts = append(posts, Post{"type": "event", "kind": kind, "t": t, "lane": id})
			}
		}
		frames := run.Tracks[lane].Frames
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
		if s := run.Tracks[lane].Summary; s != nil && s.Settled > 0 {
			say("all-correct", s.Settled)
		}
	}
	return posts
}

// yes is a text for a condition.
func yes(b bool) string { return strconv.FormatBool(b) }
