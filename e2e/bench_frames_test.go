package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"flockscope/wasm/site"
)

// frameScenes are what a page does while its frames are measured. Each opens a link, waits, and does something until
// the expression until is true. It gives times of its own, if any, in ms.
var frameScenes = []struct{ name, link, act, until string }{
	{"two methods, playing 200 rounds", "?t=0&speed=4", play, "!s.playing"},
	{"1 000 clients, computed and played", "?data=linreg&t=0&speed=4", `change("C", 1000); ` + play,
		"s.clients === 1000 && s.done"},
	{"1 000 clients, played to the end", "", "", "!s.playing"},
	{"digits, playing 60 rounds", "?data=digits&C=8&K=4&n=100&T=60&algos=cflgp,ifca&t=0&speed=1", play, "!s.playing"},
	{"four methods, computed and played", "?data=linreg&algos=cflgp,ifca,clove,fedavg&t=0&speed=4",
		`change("lr", 0.09); ` + play, "s.config.includes('lr=0.09') && s.done && !s.playing"},
	{"Δφ dragged for 150 frames", "?t=25", `drag(150)`, "!window.dragging && s.done && s.runQuery === s.config"},
	{"a round watched", "?t=14", `document.querySelector("#watch") ? document.querySelector("#watch").click() : watch()`,
		"!window.watching && !document.querySelector('#watch[aria-pressed=true]')"},
}

const play = `document.querySelector("#play").click()`

// frameTools are functions that the scenes call. A phase that is reached by a key takes as long as its motion.
const frameTools = `(() => {
	window.change = (key, value) => {
		const box = document.querySelector("#set-" + key) || document.querySelector("[data-set=" + key + "]");
		box.focus();
		box.value = value;
		box.dispatchEvent(new Event("change", { bubbles: true }));
	};
	window.drag = (frames) => {
		window.dragging = true;
		const slider = document.querySelector("input[data-slide=dphi]");
		let i = 0;
		const move = () => {
			slider.value = 5 + i % 40;
			slider.dispatchEvent(new Event("input", { bubbles: true }));
			if (++i < frames) return requestAnimationFrame(move);
			slider.dispatchEvent(new Event("change", { bubbles: true }));
			window.dragging = false;
		};
		move();
	};
	window.watch = () => {
		window.watching = true;
		let phase = 0;
		const next = () => {
			document.body.dispatchEvent(new KeyboardEvent("keydown", { key: phase++ < 6 ? "." : "Escape", bubbles: true }));
			if (phase <= 6) return setTimeout(next, 1800);
			window.watching = false;
		};
		next();
	};
})()`

// benchFrameScenes measures how evenly frames come, and how long the main thread of the page is at work. With
// FLOCKSCOPE_BEFORE, the directory of another built site, it measures both in turns, and prints ratios.
func benchFrameScenes(b *bench) {
	sites, turns := []string{siteDir}, 1
	if before := os.Getenv("FLOCKSCOPE_BEFORE"); before != "" {
		sites = []string{before, siteDir}
	}
	if n, err := strconv.Atoi(os.Getenv("FLOCKSCOPE_TURNS")); err == nil {
		turns = n
	}
	only := os.Getenv("FLOCKSCOPE_SCENES") // "" or parts of names, separated by commas
	names := []string{"before", "now"}[2-len(sites):]
	var rows, ratios [][]string
	b.each(func(p tab) {
		p.Viewport(1440, 900)
		gaps := make([][]spread, len(sites))  // by site and scene
		works := make([][]spread, len(sites)) // CPU time of the main thread, in ms, one a turn
		drawn := make([][]spread, len(sites)) // frames that the page used, one number a turn
		for i := range sites {
			gaps[i], works[i], drawn[i] = make([]spread, len(frameScenes)), make([]spread, len(frameScenes)),
				make([]spread, len(frameScenes))
		}
		for range turns {
			for i, dir := range sites {
				p.Serve(site.Handler(dir))
				p.Run("?t=0&speed=4")
				p.Eval(play, nil)
				p.waits("!s.playing")
				skipped := false
				for n, scene := range frameScenes {
					if scene.link != "" {
						skipped = only != "" && !containsAny(scene.name, strings.Split(only, ","))
					}
					if skipped {
						continue
					}
					if scene.link != "" {
						p.Run(scene.link)
						p.Eval(frameTools, nil)
						p.Eval(watchFrames, nil)
						p.waits("beats.length > 60")
						p.beats()
					}
					p.Eval("void flockscope.frames()", nil)
					begin := mainThreads(p.t)
					if scene.act != "" {
						p.Eval("void (() => { "+scene.act+" })()", nil)
					}
					p.waits(scene.until)
					var frames int
					p.Eval("flockscope.frames().length", &frames)
					drawn[i][n] = append(drawn[i][n], float64(frames))
					works[i][n] = append(works[i][n], most(mainThreads(p.t), begin))
					gaps[i][n] = append(gaps[i][n], between(p.beats())...)
				}
				p.leave()
			}
		}
		for n, scene := range frameScenes {
			for i := range sites {
				if g, w := gaps[i][n], works[i][n]; len(g) > 0 {
					rows = append(rows, []string{p.title() + ", " + scene.name, names[i],
						number(float64(len(g)) / float64(turns)), number(g.median()), number(g.at(0.9)),
						number(g.at(0.95)), number(g.at(0.99)), number(w.at(0)), number(w.median()),
						number(w.median() / float64(len(g)) * float64(turns)), number(drawn[i][n].median()),
						number(w.median() / drawn[i][n].median())})
				}
			}
			if len(sites) == 2 && len(gaps[0][n]) > 0 {
				ratios = append(ratios, []string{p.title() + ", " + scene.name, works[1][n].over(works[0][n]).times(),
					number(gaps[1][n].at(0.95) / gaps[0][n].at(0.95))})
			}
		}
	})
	b.table([]string{"scene", "site", "frames", "between frames, ms: median", "90 %", "95 %", "99 %",
		"main thread at work, ms: least", "median", "per frame", "frames used by the page", "work per used frame"}, rows)
	if len(ratios) > 0 {
		b.table([]string{"now / before", "main thread at work", "95 % of times between frames"}, ratios)
	}
}

func containsAny(text string, parts []string) bool {
	for _, part := range parts {
		if strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// between returns the times between frames.
func between(beats [][2]float64) (gaps spread) {
	for i := 1; i < len(beats); i++ {
		gaps = append(gaps, beats[i][0]-beats[i-1][0])
	}
	return gaps
}

// mainThreads returns the time, in ms, that the main threads of all programs started by this one have had a
// processor, by program; nil where the system does not tell.
func mainThreads(t *testing.T) map[int]float64 {
	t.Helper()
	parent, out := map[int]int{}, map[int]float64{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])); len(fields) > 1 {
			parent[pid], _ = strconv.Atoi(fields[1])
		}
	}
	for pid := range parent {
		above := pid
		for above > 1 && above != os.Getpid() {
			above = parent[above]
		}
		if above != os.Getpid() {
			continue
		}
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/schedstat", pid, pid))
		if fields := strings.Fields(string(text)); err == nil && len(fields) > 0 {
			ns, _ := strconv.ParseFloat(fields[0], 64)
			out[pid] = ns / 1e6
		}
	}
	delete(out, os.Getpid())
	return out
}

// most returns the largest growth of a program's time: pages have a program of their own, and no other works as much.
func most(now, before map[int]float64) (ms float64) {
	for pid, t := range now {
		ms = max(ms, t-before[pid])
	}
	return ms
}
