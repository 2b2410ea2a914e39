package engine

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
func cut(p Parcel, small, large int) Received {
	lists := bytes.Join(p.Long, nil)
	return Received{Small: bytes.Clone(p.Small[:len(p.Small)-small]), Long: bytes.NewReader(lists[:len(lists)-large])}
}

// visitOf returns a visit of some clients, over models of some parameters.
func visitOf(clients, models, size int) *visit {
	bank := fl.NewBank(models, size)
	for j := range bank.Params {
		bank.Params[j] = float32(j)
	}
	return &visit{exchange: fl.NewExchange(clients, &bank), columns: models}
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
	exam := func(labels ...int) func(v *visit) {
		return func(v *visit) { v.exam = &exam{label: labels} }
	}
	for _, tt := range []struct {
		name   string
		part   []int
		change func(v *visit)
		ok     bool
	}{
		{"all clients", []int{0, 1, 2}, func(*visit) {}, true},
		{"one client", []int{2}, func(*visit) {}, true},
		{"none", nil, func(*visit) {}, true},
		{"after the last client", []int{3}, func(*visit) {}, false},
		{"more parts than clients", []int{0, 1, 2, 0}, func(*visit) {}, false},
		{"the last model", []int{1}, func(v *visit) { v.exchange.Tasks[1].Updates = []int{1, 0} }, true},
		{"after the last model", []int{1}, func(v *visit) { v.exchange.Tasks[1].Updates = []int{0, 2} }, false},
		{"before the first model", []int{1}, func(v *visit) { v.exchange.Tasks[1].Updates = []int{-1} }, false},
		{"feature of the last model", []int{1}, func(v *visit) { v.exchange.Tasks[1].Feature = 2 }, true},
		{"feature after the last model", []int{1}, func(v *visit) { v.exchange.Tasks[1].Feature = 3 }, false},
		{"feature before the first model", []int{1}, func(v *visit) { v.exchange.Tasks[1].Feature = -1 }, false},
		{"call", []int{1}, func(v *visit) { v.exchange.Tasks[1].Call, v.exchange.Tasks[1].With = 1, []float32{5, 6} }, true},
		{"another lane", []int{1}, func(v *visit) { v.lane = 1 }, false},
		{"no lane", []int{1}, func(v *visit) { v.lane = -1 }, false},
		{"a lane that was not met", []int{1}, func(v *visit) { v.lane = 2 }, false},
		{"examined", []int{0, 1, 2}, exam(0, 1, 0), true},
		{"examined with a model that is not there", []int{0, 1}, exam(0, 2), false},
		{"examined with no model", []int{0, 1}, exam(0, -1), false},
	} {
		v := visitOf(4, 3, 4) // of whoever asks, who is wrong
		v.round, v.turn, v.look, v.observed = 3, 2, true, make([]float32, 12)
		for i := range 3 {
			v.exchange.Tasks[i].Losses, v.exchange.Tasks[i].Best = i == 0, i == 2
		}
		tt.change(v)
		right := visitOf(3, 2, 4)
		right.look = true
		var w writer
		packTasks(&w, v, tt.part)
		packModels(&w, right, []int{0}, []bool{false, true}) // the second is there already
		s := &Shard{data: data, visits: []*visit{visitOf(3, 2, 4), nil, nil}}
		clear(s.visits[0].exchange.Bank.Params)
		got, part := s.unpack(&parcel{Received: cut(w.Parcel, 0, 0)})
		if (got != nil) != tt.ok {
			t.Errorf("%s: unpacked is %v, want %v", tt.name, got != nil, tt.ok)
		}
		if got == nil {
			continue
		}
		if !slices.Equal(part, tt.part) || got.round != 3 || got.turn != 2 || !got.look || len(got.observed) != 3*2 ||
			(got.exam != nil) != (v.exam != nil) || !slices.Equal(got.exchange.Bank.Params, []float32{0, 1, 2, 3, 0, 0, 0, 0}) {
			t.Errorf("%s: unpacked is %+v of %v", tt.name, got, part)
		}
		for _, i := range tt.part {
			if v.exam != nil {
				if got.exam.label[i] != v.exam.label[i] {
					t.Errorf("%s: client %d is examined with model %d", tt.name, i, got.exam.label[i])
				}
				continue
			}
			a, b := got.exchange.Tasks[i], v.exchange.Tasks[i]
			if a.Losses != b.Losses || a.Best != b.Best || !slices.Equal(a.Updates, b.Updates) || a.Feature != b.Feature ||
				a.Call != b.Call || !slices.Equal(a.With, b.With) {
				t.Errorf("%s: client %d has the task %+v, want %+v", tt.name, i, a, b)
			}
		}
		for n := range len(w.Small) - 1 {
			s := &Shard{data: data, visits: []*visit{visitOf(3, 2, 4)}}
			if v, _ := s.unpack(&parcel{Received: cut(w.Parcel, 1+n, 0)}); v != nil {
				t.Errorf("%s: without its last %d bytes it is unpacked", tt.name, 1+n)
			}
		}
	}
}

// What clients answered arrives as it was, and nothing else does; an answer that is cut,
// goes on for too long or picks a model that is not there is no answer. Short lists and
// long ones travel apart.
func TestUnpackReplies(t *testing.T) {
	for _, size := range []int{4, long/4 - 1, long / 4} {
		const clients, models = 3, 2
		tasks := func() *visit {
			v := visitOf(clients, models, size)
			v.observed = slices.Repeat([]float32{-7}, clients*models)
			v.protocol.Keep = true
			v.exchange.Tasks[0].Losses = true
			v.exchange.Tasks[1].Best, v.exchange.Tasks[1].Updates = true, []int{0}
			v.exchange.Tasks[2].Feature, v.exchange.Tasks[2].Call = 1, 1
			return v
		}
		v := tasks()
		for i := range clients {
			r := &v.exchange.Replies[i]
			for k := range models {
				r.Losses[k], v.observed[i*models+k] = float64(10*i+k), float32(20*i+k)
			}
			for n := range v.updates(i) {
				copy(v.exchange.Room(i, n), slices.Repeat([]float32{float32(30*i + n)}, size))
			}
			r.State = []float32{float32(i), 2}
		}
		v.exchange.Replies[1].Best = 1
		copy(v.exchange.RoomForFeature(2), slices.Repeat([]float32{40}, size))
		v.exchange.Replies[2].Answer = []float32{50, 60, 70}
		part := []int{0, 1, 2}
		var w writer
		packReplies(&w, v, part)
		if size*4 >= long != (len(w.Long) == 3) || size*4 < long != (len(w.Long) == 0) {
			t.Errorf("of models with %d parameters %d lists are long", size, len(w.Long))
		}
		got := tasks()
		if !unpackReplies(cut(w.Parcel, 0, 0), got, part) {
			t.Fatalf("%d parameters: the replies are not unpacked", size)
		}
		want := slices.Clone(v.observed)
		want[4], want[5] = -7, -7 // nobody asked client 2 for its losses
		if !slices.Equal(got.observed, want) {
			t.Errorf("%d parameters: the losses seen are %v, want %v", size, got.observed, want)
		}
		for i := range clients {
			a, b := &got.exchange.Replies[i], &v.exchange.Replies[i]
			if i < 2 && (!slices.Equal(a.Losses, b.Losses) || a.Best != b.Best) || !slices.Equal(a.State, b.State) ||
				!slices.EqualFunc(a.Updates, b.Updates, slices.Equal) || !slices.Equal(a.Feature, b.Feature) || !slices.Equal(a.Answer, b.Answer) {
				t.Errorf("%d parameters: client %d answers %+v, want %+v", size, i, a, b)
			}
		}
		for n := range len(w.Small) {
			if unpackReplies(cut(w.Parcel, 1+n, 0), tasks(), part) {
				t.Errorf("%d parameters: without the last %d bytes the replies are unpacked", size, 1+n)
			}
		}
		if len(w.Long) > 0 && (unpackReplies(cut(w.Parcel, 0, 1), tasks(), part) || unpackReplies(cut(w.Parcel, 0, 4*size), tasks(), part) ||
			unpackReplies(Received{Small: w.Small}, tasks(), part)) {
			t.Errorf("%d parameters: without all of the long lists the replies are unpacked", size)
		}
		more := Parcel{Small: append(bytes.Clone(w.Small), 0), Long: w.Long}
		if unpackReplies(cut(more, 0, 0), tasks(), part) {
			t.Errorf("%d parameters: with one byte more the replies are unpacked", size)
		}
		more = Parcel{Small: w.Small, Long: append(slices.Clone(w.Long), []byte{0})}
		if unpackReplies(cut(more, 0, 0), tasks(), part) {
			t.Errorf("%d parameters: with a list more the replies are unpacked", size)
		}
		for best, ok := range map[int]bool{-1: false, 0: true, models - 1: true, models: false} {
			v.exchange.Replies[1].Best = best
			w.reset()
			if packReplies(&w, v, part); unpackReplies(cut(w.Parcel, 0, 0), tasks(), part) != ok {
				t.Errorf("%d parameters: the best model is %d, and it is taken: %v", size, best, !ok)
			}
		}
	}
}
