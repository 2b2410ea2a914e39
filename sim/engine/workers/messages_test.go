package workers

import (
	"bytes"
	"slices"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
)

// cut returns what arrives of a message, less some bytes of its small things and
// of its long lists.
func cut(p Message, small, large int) Incoming {
	lists := bytes.Join(p.Long, nil)
	return Incoming{Small: bytes.Clone(p.Small[:len(p.Small)-small]), Long: bytes.NewReader(lists[:len(lists)-large])}
}

// jobOf returns a job of some clients, over models of some parameters.
func jobOf(clients, models, size int) *Job {
	bank := fl.NewBank(models, size)
	for j := range bank.Params {
		bank.Params[j] = float32(j)
	}
	return &Job{Exchange: fl.NewExchange(clients, &bank), Columns: models}
}

// A shard takes what it is asked, and refuses a request that names a client, a model or
// a lane that is not there, or that is cut.
func TestUnpack(t *testing.T) {
	c, problems := catalog.Schema().Parse("data=digits&C=3&n=60&exam=20")
	if err := experiment.First(problems); err != nil {
		t.Fatal(err)
	}
	data, _, err := catalog.Build(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	exam := func(labels ...int) func(v *Job) {
		return func(v *Job) { v.Evaluation = &Evaluation{label: labels} }
	}
	for _, tt := range []struct {
		name   string
		part   []int
		change func(v *Job)
		ok     bool
	}{
		{"all clients", []int{0, 1, 2}, func(*Job) {}, true},
		{"one client", []int{2}, func(*Job) {}, true},
		{"none", nil, func(*Job) {}, true},
		{"after the last client", []int{3}, func(*Job) {}, false},
		{"more parts than clients", []int{0, 1, 2, 0}, func(*Job) {}, false},
		{"the last model", []int{1}, func(v *Job) { v.Exchange.Tasks[1].Updates = []int{1, 0} }, true},
		{"after the last model", []int{1}, func(v *Job) { v.Exchange.Tasks[1].Updates = []int{0, 2} }, false},
		{"before the first model", []int{1}, func(v *Job) { v.Exchange.Tasks[1].Updates = []int{-1} }, false},
		{"feature of the last model", []int{1}, func(v *Job) { v.Exchange.Tasks[1].Feature = 2 }, true},
		{"feature after the last model", []int{1}, func(v *Job) { v.Exchange.Tasks[1].Feature = 3 }, false},
		{"feature before the first model", []int{1}, func(v *Job) { v.Exchange.Tasks[1].Feature = -1 }, false},
		{"call", []int{1}, func(v *Job) { v.Exchange.Tasks[1].Call, v.Exchange.Tasks[1].With = 1, []float32{5, 6} }, true},
		{"another lane", []int{1}, func(v *Job) { v.Lane = 1 }, false},
		{"no lane", []int{1}, func(v *Job) { v.Lane = -1 }, false},
		{"a lane that was not met", []int{1}, func(v *Job) { v.Lane = 2 }, false},
		{"examined", []int{0, 1, 2}, exam(0, 1, 0), true},
		{"examined with a model that is not there", []int{0, 1}, exam(0, 2), false},
		{"examined with no model", []int{0, 1}, exam(0, -1), false},
	} {
		v := jobOf(4, 3, 4) // of whoever asks, who is wrong
		v.Round, v.Sequence, v.ObserveAll, v.Observed = 3, 2, true, make([]float32, 12)
		for i := range 3 {
			v.Exchange.Tasks[i].Losses, v.Exchange.Tasks[i].PickBest = i == 0, i == 2
		}
		tt.change(v)
		right := jobOf(3, 2, 4)
		right.ObserveAll = true
		var w encoder
		packTasks(&w, v, tt.part)
		packModels(&w, right, []int{0}, []bool{false, true}) // the second is there already
		s := &Shard{data: data, set: new(Settings), Jobs: []*Job{jobOf(3, 2, 4), nil, nil}}
		clear(s.Jobs[0].Exchange.Bank.Params)
		got, part := s.unpack(&decoder{Incoming: cut(w.Message, 0, 0)})
		if (got != nil) != tt.ok {
			t.Errorf("%s: unpacked is %v, want %v", tt.name, got != nil, tt.ok)
		}
		if got == nil {
			continue
		}
		if !slices.Equal(part, tt.part) || got.Round != 3 || got.Sequence != 2 || !got.ObserveAll ||
			len(got.Observed) != 3*2 ||
			(got.Evaluation != nil) != (v.Evaluation != nil) ||
			!slices.Equal(got.Exchange.Bank.Params, []float32{0, 1, 2, 3, 0, 0, 0, 0}) {
			t.Errorf("%s: unpacked is %+v of %v", tt.name, got, part)
		}
		for _, i := range tt.part {
			if v.Evaluation != nil {
				if got.Evaluation.label[i] != v.Evaluation.label[i] {
					t.Errorf("%s: client %d is examined with model %d", tt.name, i, got.Evaluation.label[i])
				}
				continue
			}
			a, b := got.Exchange.Tasks[i], v.Exchange.Tasks[i]
			if a.Losses != b.Losses || a.PickBest != b.PickBest || !slices.Equal(a.Updates, b.Updates) ||
				a.Feature != b.Feature ||
				a.Call != b.Call || !slices.Equal(a.With, b.With) {
				t.Errorf("%s: client %d has the task %+v, want %+v", tt.name, i, a, b)
			}
		}
		for n := range len(w.Small) - 1 {
			s := &Shard{data: data, set: new(Settings), Jobs: []*Job{jobOf(3, 2, 4)}}
			if v, _ := s.unpack(&decoder{Incoming: cut(w.Message, 1+n, 0)}); v != nil {
				t.Errorf("%s: without its last %d bytes it is unpacked", tt.name, 1+n)
			}
		}
	}
}

// What clients answered arrives as it was, and nothing else does; an answer that is cut, is too
// long or chooses a missing model is invalid. Short lists and long ones travel apart.
func TestUnpackReplies(t *testing.T) {
	for _, size := range []int{4, longList/4 - 1, longList / 4} {
		const clients, models = 3, 2
		tasks := func() *Job {
			v := jobOf(clients, models, size)
			v.Observed = slices.Repeat([]float32{-7}, clients*models)
			v.Protocol.Keep = true
			v.Exchange.Tasks[0].Losses = true
			v.Exchange.Tasks[1].PickBest, v.Exchange.Tasks[1].Updates = true, []int{0}
			v.Exchange.Tasks[2].Feature, v.Exchange.Tasks[2].Call = 1, 1
			return v
		}
		v := tasks()
		for i := range clients {
			r := &v.Exchange.Replies[i]
			for k := range models {
				r.Losses[k], v.Observed[i*models+k] = float64(10*i+k), float32(20*i+k)
			}
			for n := range v.updates(i) {
				copy(v.Exchange.Buffer(i, n), slices.Repeat([]float32{float32(30*i + n)}, size))
			}
			r.OptimiserState = []float32{float32(i), 2}
		}
		v.Exchange.Replies[1].Picked = 1
		copy(v.Exchange.FeatureBuffer(2), slices.Repeat([]float32{40}, size))
		v.Exchange.Replies[2].Answer = []float32{50, 60, 70}
		part := []int{0, 1, 2}
		var w encoder
		packReplies(&w, v, part)
		if size*4 >= longList != (len(w.Long) == 3) || size*4 < longList != (len(w.Long) == 0) {
			t.Errorf("of models with %d parameters %d lists are long", size, len(w.Long))
		}
		got := tasks()
		if !unpackReplies(cut(w.Message, 0, 0), got, part) {
			t.Fatalf("%d parameters: the replies are not unpacked", size)
		}
		want := slices.Clone(v.Observed)
		want[4], want[5] = -7, -7 // nobody asked client 2 for its losses
		if !slices.Equal(got.Observed, want) {
			t.Errorf("%d parameters: the losses seen are %v, want %v", size, got.Observed, want)
		}
		for i := range clients {
			a, b := &got.Exchange.Replies[i], &v.Exchange.Replies[i]
			if i < 2 && (!slices.Equal(a.Losses, b.Losses) || a.Picked != b.Picked) ||
				!slices.Equal(a.OptimiserState, b.OptimiserState) ||
				!slices.EqualFunc(a.Updates, b.Updates, slices.Equal) || !slices.Equal(a.Feature, b.Feature) ||
				!slices.Equal(a.Answer, b.Answer) {
				t.Errorf("%d parameters: client %d answers %+v, want %+v", size, i, a, b)
			}
		}
		for n := range len(w.Small) {
			if unpackReplies(cut(w.Message, 1+n, 0), tasks(), part) {
				t.Errorf("%d parameters: without the last %d bytes the replies are unpacked", size, 1+n)
			}
		}
		if len(w.Long) > 0 && (unpackReplies(cut(w.Message, 0, 1), tasks(), part) ||
			unpackReplies(cut(w.Message, 0, 4*size), tasks(), part) ||
			unpackReplies(Incoming{Small: w.Small}, tasks(), part)) {
			t.Errorf("%d parameters: without all of the long lists the replies are unpacked", size)
		}
		more := Message{Small: append(bytes.Clone(w.Small), 0), Long: w.Long}
		if unpackReplies(cut(more, 0, 0), tasks(), part) {
			t.Errorf("%d parameters: with one byte more the replies are unpacked", size)
		}
		more = Message{Small: w.Small, Long: append(slices.Clone(w.Long), []byte{0})}
		if unpackReplies(cut(more, 0, 0), tasks(), part) {
			t.Errorf("%d parameters: with a list more the replies are unpacked", size)
		}
		for best, ok := range map[int]bool{-1: false, 0: true, models - 1: true, models: false} {
			v.Exchange.Replies[1].Picked = best
			w.reset()
			if packReplies(&w, v, part); unpackReplies(cut(w.Message, 0, 0), tasks(), part) != ok {
				t.Errorf("%d parameters: the best model is %d, and it is taken: %v", size, best, !ok)
			}
		}
	}
}
