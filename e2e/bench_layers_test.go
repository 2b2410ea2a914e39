package e2e

import "fmt"

// layers are those that are measured alone, as sim/model calls them, and whether
// TensorFlow.js takes part with hand-written gradients.
var layers = []struct {
	text       string
	tensorFlow bool
}{
	{"conv16", true}, {"conv32s2", true}, {"conv32k1", true}, {"dw", false}, {"dws2", false}, {"tconv16k3s1", false},
	{"gn", true}, {"bn", false}, {"pool", true}, {"pool3", false}, {"avg", false}, {"gap", true}, {"relu", true},
	{"tanh", false}, {"sigmoid", false},
}

// benchLayers measures one layer forward and back, by its parameters and its inputs,
// on 64 samples of 32×32×16 numbers.
func benchLayers(b *bench) {
	const turns = 5
	packages := b.peers()
	tabs := b.benches(packages)
	var all steppers
	for _, v := range b.venues("sim/model", tabs) {
		if v.name != "node" {
			all.add(v.name, ours, false, v.layer)
		}
	}
	for _, p := range tabs {
		if packages != "" {
			all.add(p.title(), "TensorFlow.js wasm", true, p.tensorFlow("wasm", "tuned", stepRows))
		}
	}
	if python := b.startTorch(); python != nil {
		all.add("native", "PyTorch", true, python.steps("autograd"))
		b.note("PyTorch %s on one thread, with autograd.", python.version)
	}
	header := []string{"layer", "native, GFLOP/s"}
	for _, s := range all {
		header = append(header, s.place+", "+s.way+", ms")
		if s.peer {
			header = append(header, "times ours there")
		}
	}
	var rows [][]string
	for _, l := range layers {
		var racers steppers
		for _, s := range all {
			if l.tensorFlow || s.way != "TensorFlow.js wasm" {
				racers = append(racers, s)
			}
		}
		model := "layer:" + l.text
		racers.race(b, model, turns)
		row := []string{"`" + l.text + "`", rate(model)}
		for _, s := range all {
			took := s.took[model]
			row = append(row, took.round())
			if s.peer {
				row = append(row, took.over(all.best(s.place, ours, model)).times())
			}
		}
		rows = append(rows, row)
	}
	b.table(header, rows)
}

// rates are the last rates of layers that multiply, natively, in GFLOP/s.
var rates = map[string]float64{}

func rate(model string) string {
	if v := rates[model]; v > 0 {
		return number(v)
	}
	return ""
}

// layer measures a layer by the benchmark of sim/model.
func (v venue) layer(model string, steps int) (float64, string) {
	text := model[len("layer:"):]
	f, ok := v.bench("^BenchmarkLayer$/^"+text+"$", fmt.Sprintf("%dx", steps))["Layer/"+text]
	if !ok {
		return 0, "its benchmark prints nothing"
	}
	if v.name == "native" {
		rates[model] = max(rates[model], f["GFLOP/s"])
	}
	return f["ns/op"] / 1e6, ""
}
