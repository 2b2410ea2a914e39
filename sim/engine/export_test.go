package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine/workers"
	"flockscope/sim/experiment"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
	"flockscope/sim/userfiles"
	"flockscope/sim/workload"
)

// configured is the configuration of a query, which must be faultless.
func configured(t *testing.T, query string) experiment.Config {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	if len(problems) > 0 {
		t.Fatalf("Parse(%q): %v", query, problems)
	}
	return c
}

// array returns an exported array, which must have the numbers that its shape says.
func array[T any](t *testing.T, e *Exported, name string) (values []T, shape []int) {
	t.Helper()
	at := slices.IndexFunc(e.Arrays, func(a Array) bool { return a.Name == name })
	if at < 0 {
		t.Fatalf("%s: no array %s", e.Header.Query, name)
	}
	values, ok := e.Arrays[at].Values.([]T)
	size := 1
	for _, n := range e.Arrays[at].Shape {
		size *= n
	}
	if !ok || len(values) != size || e.Arrays[at].Doc == "" {
		t.Fatalf("%s: %s is %T, %d numbers of shape %v, described as %q", e.Header.Query, name, e.Arrays[at].Values,
			len(values), e.Arrays[at].Shape, e.Arrays[at].Doc)
	}
	return values, e.Arrays[at].Shape
}

// TestExport: what is exported is what the engine's clients get, on every workload.
func TestExport(t *testing.T) {
	rows := "client,x,y,group\n"
	for i := range 37 {
		rows += fmt.Sprintf("c%d,%d,%d,g%d\n", i%4, i%5, i%7, i%2)
	}
	table, err := userfiles.ReadTable([]byte(rows))
	if err != nil {
		t.Fatal(err)
	}
	file := &workload.File{Table: table}
	queries := []string{"data=csv&K=2&b=3&probe=5&algos=ifca,fedavg", "data=csv&K=2&b=50&avg=model&tau=3&algos=cflgp",
		"data=digits&n=120&split=unequal&ratio=6&C=5&avg=model&tau=2&algos=fedavg,ifca",
		"data=digits&n=120&C=4&rho=0.5&drop=0.3&algos=cflgp",
		"data=linreg&avg=model&fedavg.tau=4&algos=fedavg,cflgp", "data=linreg&lr=10&algos=local,pacfl"}
	for _, w := range catalog.Workloads() {
		query := "data=" + w.Name + "&algos=fedavg"
		if slices.ContainsFunc(w.Fields, func(f param.Field) bool { return f.Name == "n" }) {
			query += "&n=150&C=5&exam=9"
		}
		if !w.Make.NeedFile {
			queries = append(queries, query)
		}
	}
	for _, query := range queries {
		c := configured(t, query+"&T=4")
		ctx, own := context.Background(), file
		if !strings.Contains(query, "csv") {
			own = nil
		}
		e, err := Export(ctx, c, own, true)
		if err != nil {
			t.Fatalf("Export(%s): %v", query, err)
		}
		var want prints
		if err := Run(ctx, c, own, &want); err != nil {
			t.Fatal(err)
		}
		for i, s := range e.Summaries {
			if s.Fingerprint != want[i] {
				t.Errorf("%s: lane %d has the fingerprint %016x when exported, %016x when run", query, i, s.Fingerprint,
					want[i])
			}
		}
		data, plans, err := catalog.Build(c, own)
		if err != nil {
			t.Fatal(err)
		}
		set := workers.ReadSettings(c, data)
		for i, plan := range plans {
			start, shape := array[float32](t, e, fmt.Sprintf("lane%d.start", i))
			end, _ := array[float32](t, e, fmt.Sprintf("lane%d.end", i))
			labels, _ := array[int32](t, e, fmt.Sprintf("lane%d.label", i))
			losses, _ := array[float64](t, e, fmt.Sprintf("lane%d.loss", i))
			if !slices.Equal(shape, []int{plan.Models, data.Model().Size()}) || slices.Equal(start, end) ||
				len(labels) != 5*data.Clients() || len(losses) != 5 {
				t.Errorf("%s: lane %d: start %v, the same at the end: %v; %d labels, %d losses", query, i, shape,
					slices.Equal(start, end), len(labels), len(losses))
			}
		}
		for _, name := range []string{"group", "weight", "here", "lost"} {
			array[int32](t, e, name)
		}
		// Test samples are exported where there are any, each list of them whole.
		exams := 0
		if tested, ok := data.(workload.Evaluated); ok {
			var b model.Batch
			for i := range data.Clients() {
				tested.TestSamples(&b, i)
				exams += b.N
			}
		}
		for _, a := range e.Arrays {
			if strings.HasPrefix(a.Name, "test") && exams == 0 {
				t.Errorf("%s: without test samples there is %s", query, a.Name)
			}
		}
		if _, finite := data.(workload.Finite); finite && exams > 0 {
			if _, shape := array[float32](t, e, "test_x"); shape[0] != exams {
				t.Errorf("%s: of %d test samples %v are exported", query, exams, shape)
			}
		}
		compareDraws(t, e, data, set)
	}
}

// TestExportWithoutGroups: if the groups are unknown, each client's is −1.
func TestExportWithoutGroups(t *testing.T) {
	table, err := userfiles.ReadTable([]byte("client,x,y\na,1,2\na,2,3\nb,1,0\nb,2,5\n"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := Export(t.Context(), configured(t, "data=csv&b=2&probe=2&T=2&algos=fedavg"), &workload.File{Table: table}, false)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := array[int32](t, e, "group"); !slices.Equal(got, []int32{-1, -1}) {
		t.Errorf("the groups are %v, want −1", got)
	}
}

// compareDraws fails unless the exported samples are those that clients draw.
func compareDraws(t *testing.T, e *Exported, data workload.Workload, set *workers.Settings) {
	t.Helper()
	inputs, clients, epochs := data.Model().Inputs(), data.Clients(), slices.Max(e.Epochs)
	b := workers.NewWorkspace(data, set)
	finite, countable := data.(workload.Finite)
	var x, y []float32
	var drawn []int32
	var shape []int
	if countable {
		drawn, shape = array[int32](t, e, "draw")
	} else {
		x, shape = array[float32](t, e, "draw_x")
		y, _ = array[float32](t, e, "draw_y")
	}
	draws := shape[2]
	for round := 1; round <= set.Rounds; round++ {
		for i := range clients {
			b.Client = workers.NoClient
			b.Sample(i, round)
			at := (round-1)*clients + i
			var got model.Batch
			if countable {
				row := drawn[at*draws : (at+1)*draws]
				finite.Take(&got, i, row[:b.Samples.N])
				if slices.Contains(row[:b.Samples.N], -1) || slices.ContainsFunc(row[b.Samples.N:],
					func(k int32) bool { return k != -1 }) {
					t.Fatalf("%s: round %d, client %d draws %v", e.Header.Query, round, i, row)
				}
			} else {
				got = model.Batch{X: x[at*draws*inputs : (at+1)*draws*inputs], Y: y[at*draws : (at+1)*draws], N: draws}
			}
			if got.N != b.Samples.N || !slices.Equal(got.X, b.Samples.X) ||
				!slices.Equal(got.Y[:got.N], b.Samples.Y[:got.N]) {
				t.Fatalf("%s: round %d, client %d: other samples than the client draws", e.Header.Query, round, i)
			}
			if epochs > 0 {
				compareEpochs(t, e, data, set, i, round, epochs)
			}
		}
	}
}

// compareEpochs fails unless a client goes through its samples as exported.
func compareEpochs(t *testing.T, e *Exported, data workload.Workload, set *workers.Settings,
	client, round, epochs int) {
	t.Helper()
	// A workspace whose training notes what it meets.
	b := workers.NewWorkspace(data, set)
	var met []float32
	note := func(dst, _ []float32, batch model.Batch, _ []int32) {
		clear(dst)
		met = append(append(met, batch.X...), batch.Y[:batch.N]...)
	}
	size := data.Model().Size()
	b.Trained, b.Gradient = make([]float32, size), make([]float32, size)
	b.SetOptimiser("sgd")
	b.Stream.Reset(set.DataSeed, rng.Training, round, client)
	for range epochs {
		b.Epoch(client, 1, note)
	}
	var want []float32
	at := (round-1)*data.Clients() + client
	if finite, ok := data.(workload.Finite); ok {
		order, shape := array[int32](t, e, "order")
		most, n := shape[3], finite.Holds(client)
		var piece model.Batch
		for epoch := range epochs {
			for part := range slices.Chunk(order[(at*epochs+epoch)*most:][:n], set.Batch) {
				finite.Take(&piece, client, part)
				want = append(append(want, piece.X...), piece.Y[:piece.N]...)
			}
		}
	} else {
		x, _ := array[float32](t, e, "epoch_x")
		y, _ := array[float32](t, e, "epoch_y")
		n := set.Batch * data.Model().Inputs()
		for epoch := range epochs {
			want = append(append(want, x[(at*epochs+epoch)*n:][:n]...), y[(at*epochs+epoch)*set.Batch:][:set.Batch]...)
		}
	}
	if finite, ok := data.(workload.Finite); ok {
		order, shape := array[int32](t, e, "order")
		n := finite.Holds(client)
		for epoch := range shape[2] {
			row := order[(at*shape[2]+epoch)*shape[3]:][:shape[3]]
			if slices.ContainsFunc(row[n:], func(k int32) bool { return k != -1 }) {
				t.Fatalf("%s: behind the %d samples of client %d stands %v", e.Header.Query, n, client, row[n:])
			}
		}
	}
	if !slices.Equal(met, want) {
		t.Fatalf("%s: round %d, client %d trains on other samples than exported", e.Header.Query, round, client)
	}
}

func TestExportTooLarge(t *testing.T) {
	many := configured(t, "data=digits&n=100&C=8&T=5000&K=8&algos=ifca")
	if _, err := Export(t.Context(), many, nil, true); !errors.Is(err, ErrTooLarge) {
		t.Errorf("Export(%s) with all models: %v, want %v", many.String(), err, ErrTooLarge)
	}
	for _, query := range []string{"data=pairs8&C=400&T=5000&b=200&algos=fedavg",
		"data=pairs8&C=200&T=5000&b=10&avg=model&tau=10&algos=fedavg",
		"data=digits&C=10&T=5000&b=10&avg=model&tau=100&algos=fedavg"} {
		if _, err := Export(context.Background(), configured(t, query), nil, false); !errors.Is(err, ErrTooLarge) {
			t.Errorf("Export(%s): %v, want %v", query, err, ErrTooLarge)
		}
	}
}

// TestExportRounds: the models, losses, traffic and weights of every round are those of the
// run's frames, and NaN stands where a frame has nothing.
func TestExportRounds(t *testing.T) {
	for _, query := range []string{"data=linreg&T=6&C=5&rho=0.6&drop=0.3&algos=ifca,fedem,local",
		"data=linreg&T=6&C=5&clock=on&deadline=0.35&algos=cflgp",
		"data=digits&n=120&C=4&T=6&every=4&guests=20&net=softmax&algos=fedavg,fedem"} {
		c := configured(t, query)
		e, err := Export(t.Context(), c, nil, true)
		if err != nil {
			t.Fatalf("Export(%s): %v", query, err)
		}
		var r frames
		if err := Run(t.Context(), c, nil, &r); err != nil {
			t.Fatal(err)
		}
		data, _, _ := catalog.Build(c, nil)
		_, closed := data.(workload.Analytic)
		for lane, info := range e.Header.Lanes {
			name := fmt.Sprintf("lane%d.", lane)
			models, shape := array[float32](t, e, name+"models")
			if !slices.Equal(shape, []int{7, info.Models, info.Size}) {
				t.Fatalf("%s: models have the shape %v", query, shape)
			}
			start, _ := array[float32](t, e, name+"start")
			end, _ := array[float32](t, e, name+"end")
			if !slices.Equal(models[:len(start)], start) || !slices.Equal(models[6*len(start):], end) {
				t.Errorf("%s: the first and last of all models are not start and end", query)
			}
			down, _ := array[float64](t, e, name+"down")
			up, _ := array[float64](t, e, name+"up")
			loss, _ := array[float64](t, e, name+"loss")
			losses, _ := array[float32](t, e, name+"losses")
			states, _ := array[int32](t, e, name+"state")
			for n, f := range r[lane] {
				if info.FrameParams > 0 && !slices.Equal(models[n*len(start):(n+1)*len(start)], f.Models) {
					t.Errorf("%s, lane %d: other models after round %d than in its frame", query, lane, n)
				}
				tried := closed || f.Events.Has(trace.Evaluated)
				if down[n] != f.Down || up[n] != f.Up || math.IsNaN(loss[n]) == tried || tried && loss[n] != f.Loss ||
					!slices.Equal(losses[n*len(f.Losses):(n+1)*len(f.Losses)], f.Losses) {
					t.Errorf("%s, lane %d, round %d: floats %v and %v, loss %v, want %v, %v, %v", query, lane, n, down[n],
						up[n], loss[n], f.Down, f.Up, f.Loss)
				}
				for i := range f.Label {
					want := trace.Present
					if len(f.State) > 0 {
						want = f.State[i]
					}
					if n > 0 && states[(n-1)*len(f.Label)+i] != int32(want) {
						t.Errorf("%s, lane %d, round %d: client %d is %d, want %d", query, lane, n, i,
							states[(n-1)*len(f.Label)+i], want)
					}
				}
				if len(f.Mixture) > 0 {
					mixture, _ := array[float32](t, e, name+"mixture")
					if !slices.Equal(mixture[n*len(f.Mixture):(n+1)*len(f.Mixture)], f.Mixture) {
						t.Errorf("%s, lane %d, round %d: other weights than in its frame", query, lane, n)
					}
				}
				if !closed {
					accuracy, _ := array[float32](t, e, name+"accuracy")
					row := accuracy[n*len(f.Label) : (n+1)*len(f.Label)]
					if tried && !slices.Equal(row, f.Accuracies) || !tried && row[0] == row[0] {
						t.Errorf("%s, lane %d, round %d: accuracies %v, want %v", query, lane, n, row, f.Accuracies)
					}
				}
			}
		}
	}
}

// frames keeps copies of a run's frames, by lane.
type frames [][]trace.Frame

func (r *frames) Begin(h *trace.Header) { *r = make([][]trace.Frame, len(h.Lanes)) }
func (*frames) Round(int)               {}
func (*frames) End(int, *trace.Summary) {}
func (r frames) Frame(l int, f *trace.Frame) {
	kept := *f
	kept.Label, kept.State, kept.Losses = slices.Clone(f.Label), slices.Clone(f.State), slices.Clone(f.Losses)
	kept.Models, kept.Mixture = slices.Clone(f.Models), slices.Clone(f.Mixture)
	kept.Accuracies = slices.Clone(f.Accuracies)
	r[l] = append(r[l], kept)
}

// TestExportTestClients: what test clients hold is enough to compute HCFL's Test, by hand here:
// each evaluates the only model.
func TestExportTestClients(t *testing.T) {
	e, err := Export(t.Context(), configured(t, "data=digits&n=200&C=4&T=3&every=3&guests=30&net=softmax&"+
		"shift=rotations&angles=0,90&algos=fedavg"), nil, false)
	if err != nil {
		t.Fatal(err)
	}
	x, shape := array[float32](t, e, "guest_test_x")
	y, _ := array[float32](t, e, "guest_test_y")
	who, _ := array[int32](t, e, "guest_test_client")
	first, _ := array[float32](t, e, "guest_choose_x")
	end, _ := array[float32](t, e, "lane0.end")
	test, _ := array[float64](t, e, "lane0.test")
	const classes = 10
	inputs, clients := shape[1], int(slices.Max(who))+1
	if shape[0] != 15*clients || len(first) != len(x) {
		t.Fatalf("%d test clients try models on %d samples and choose by %d numbers", clients, shape[0], len(first))
	}
	right := 0
	for i := range shape[0] {
		best, most := 0, math.Inf(-1)
		for k := range classes {
			score := float64(end[inputs*classes+k])
			for j := range inputs {
				score += float64(x[i*inputs+j]) * float64(end[j*classes+k])
			}
			if score > most {
				best, most = k, score
			}
		}
		if best == int(y[i]) {
			right++
		}
	}
	if want := float64(right) / float64(shape[0]); math.Abs(test[3]-want) > 1e-12 {
		t.Errorf("Test is %v, the samples say %v", test[3], want)
	}
}
