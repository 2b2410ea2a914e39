package e2e

import (
	"fmt"
	"math"
	"strings"
	"time"
)

const (
	stepTurns = 9
	stepRows  = 64
	turnTime  = 150 * time.Millisecond
)

// A stepModel is a network that is trained, as the benchmarks of sim/model and the
// peers call it.
type stepModel struct{ name, title string }

var (
	stepModels = []stepModel{{"mlp", "MLP 784-200-10"}, {"cnn", "CNN 5×5, 6 and 16 filters"}}
	netModels  = []stepModel{{"vgg", "`vgg`"}, {"resnet8", "`resnet8`"}, {"mobilenet", "`mobilenet`"}}
)

// A stepper takes steps of training on 64 samples at one place in one way: the
// loss's gradient, and a step along it.
type stepper struct {
	place, way string
	peer       bool
	// run takes steps and returns the time of one, in ms. A peer returns for 0
	// steps the loss after two. Who cannot says why.
	run  func(model string, steps int) (v float64, why string)
	took map[string]spread // by model, in ms
	why  map[string]string // by model that it cannot train
}

// ours is how we take steps, torchWays how PyTorch does.
const ours = "**Flockscope**"

var torchWays = []string{"PyTorch, autograd", "PyTorch, by hand"}

// benchStep measures a step of training. Ours runs in a worker with the vector
// kernel bound as in the page; the peers run in workers of the same page, or
// natively, on one thread.
func benchStep(b *bench) {
	packages := b.peers()
	tabs := b.benches(packages)
	var all steppers
	for _, v := range b.venues("sim/model", tabs) {
		all.add(v.name, ours, false, v.step)
	}
	places := []string{"native"}
	for _, p := range tabs {
		places = append(places, p.title())
		plain := venue{p.title(), func(argv []string) string { return p.goTest("model", false, argv) }}
		all.add(p.title(), "Flockscope without vectors", false, plain.step)
		if packages != "" {
			all.add(p.title(), "TensorFlow.js wasm, by hand", true, p.tensorFlow("wasm", "tuned", stepRows))
			all.add(p.title(), "TensorFlow.js wasm, variableGrads", true, p.tensorFlow("wasm", "plain", stepRows))
			all.add(p.title(), "TensorFlow.js cpu, variableGrads", true, p.tensorFlow("cpu", "plain", stepRows))
		}
	}
	python := b.startTorch()
	if python != nil {
		all.add("native", torchWays[0], true, python.steps("autograd"))
		all.add("native", torchWays[1], true, python.steps("manual"))
	}
	all.tell(b, stepModels, places, stepTurns, "1.7", "0.8")
	if python != nil {
		b.note("PyTorch %s on one thread, matrices by %s.", python.version, python.library)
	}
}

// benchNetworks is benchStep for networks of many layers on colour pictures, in
// fewer turns, and without what takes minutes: TensorFlow.js without WebAssembly
// has a few of the samples.
func benchNetworks(b *bench) {
	const turns, fewRows = 5, 4
	packages := b.peers()
	tabs := b.benches(packages)
	var all steppers
	var places []string
	for _, v := range b.venues("sim/model", tabs) {
		if v.name != "node" {
			all.add(v.name, ours, false, v.step)
			places = append(places, v.name)
		}
	}
	for _, p := range tabs {
		if packages != "" {
			all.add(p.title(), "TensorFlow.js wasm, by hand", true, p.tensorFlow("wasm", "tuned", stepRows))
			all.add(p.title(), "TensorFlow.js wasm, variableGrads", true, p.tensorFlow("wasm", "plain", stepRows))
			all.add(p.title(), fmt.Sprintf("TensorFlow.js cpu, %d of the samples", fewRows), false,
				p.tensorFlow("cpu", "plain", fewRows))
		}
	}
	python := b.startTorch()
	if python != nil {
		all.add("native", torchWays[0], true, python.steps("autograd"))
	}
	all.tell(b, netModels, places, turns, "2", "1.5")
	if python != nil {
		b.note("PyTorch %s on one thread.", python.version)
	}
}

// tell has everybody train all models and reports it, with how many times as fast we
// mean to be as TensorFlow.js and as PyTorch.
func (all steppers) tell(b *bench, models []stepModel, places []string, turns int, tensorFlow, torch string) {
	for _, m := range models {
		all.race(b, m.name, turns)
	}
	all.report(b, models)
	all.compare(b, models, places, tensorFlow, torch)
}

// step measures steps by the benchmark of sim/model.
func (v venue) step(model string, steps int) (float64, string) {
	f, ok := v.bench("^BenchmarkStep$/^"+model+"$", fmt.Sprintf("%dx", steps))["Step/"+model]
	if !ok {
		return 0, "its benchmark prints nothing"
	}
	return f["ns/op"] / 1e6, ""
}

// steppers is everybody who takes part.
type steppers []*stepper

func (all *steppers) add(place, way string, peer bool, run func(model string, steps int) (float64, string)) {
	*all = append(*all, &stepper{place, way, peer, run, map[string]spread{}, map[string]string{}})
}

// race has everybody train a model, in turns. It fails unless all peers come to
// the same loss, and so compute the same.
func (all steppers) race(b *bench, model string, turns int) {
	var runners []*contestant
	var who []*stepper
	first := math.NaN()
	for _, s := range all {
		if s.peer {
			loss, why := s.run(model, 0)
			if why != "" {
				s.why[model] = why
				continue
			}
			if math.IsNaN(first) {
				first = loss
			}
			if !(math.Abs(loss-first) < 1e-4*first) {
				b.t.Errorf("%s: the loss after two steps is %v by %s in %s, and %v by another", model, loss, s.way,
					s.place, first)
			}
		}
		steps := 1
		who = append(who, s)
		runners = append(runners, &contestant{turn: func() float64 {
			ms, why := s.run(model, steps)
			if why != "" {
				b.t.Fatalf("%s, %s: %s", s.way, model, why)
			}
			steps = max(int(float64(turnTime.Milliseconds())/max(ms, 0.1)), 1) // as many as fill a turn
			return ms
		}})
	}
	compete(turns, runners)
	for i, s := range who {
		s.took[model] = runners[i].took
	}
}

// best returns how long the fastest took of those whose ways begin so, nil if
// nobody took part.
func (all steppers) best(place, way, model string) spread {
	var best spread
	for _, s := range all {
		took := s.took[model]
		if s.place == place && strings.HasPrefix(s.way, way) && took != nil &&
			(best == nil || took.median() < best.median()) {
			best = took
		}
	}
	return best
}

// report tells how long everybody took.
func (all steppers) report(b *bench, models []stepModel) {
	header := []string{"64 samples"}
	for _, m := range models {
		header = append(header, m.title+", ms", "times as long as ours there")
	}
	var rows [][]string
	for _, s := range all {
		row := []string{s.place + ", " + s.way}
		for _, m := range models {
			if took := s.took[m.name]; took != nil {
				row = append(row, number(took.median()), took.over(all.best(s.place, ours, m.name)).times())
			} else {
				row = append(row, "", s.why[m.name])
			}
		}
		rows = append(rows, row)
	}
	b.table(header, rows)
}

// compare tells how many times as fast as others we are.
func (all steppers) compare(b *bench, models []stepModel, places []string, tensorFlow, torch string) {
	var rows [][]string
	for _, m := range models {
		for _, other := range []struct {
			what, aim string
			took      func(place string) spread
		}{
			{"the best TensorFlow.js there", tensorFlow, func(place string) spread { return all.best(place, "TensorFlow.js", m.name) }},
			{"PyTorch, autograd", torch, func(string) spread { return all.best("native", torchWays[0], m.name) }},
			{"PyTorch, by hand", "", func(string) spread { return all.best("native", torchWays[1], m.name) }},
			{"our best in WebAssembly", "native 1", func(string) spread {
				best := all.best("node", ours, m.name)
				for _, place := range places[1:] {
					if took := all.best(place, ours, m.name); best == nil || took.median() < best.median() {
						best = took
					}
				}
				return best
			}},
		} {
			row, some := []string{m.title + " beside " + other.what, other.aim}, false
			for _, place := range places {
				times := other.took(place).over(all.best(place, ours, m.name)).times()
				row, some = append(row, times), some || times != ""
			}
			if some {
				rows = append(rows, row)
			}
		}
	}
	b.table(append([]string{"times as fast", "aim"}, places...), rows)
}
