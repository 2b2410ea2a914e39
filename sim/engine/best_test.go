package engine

import (
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine/workers"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/model"
)

// TestMostAccurate: by correct predictions on the minibatch a client chooses the first of the best,
// whatever their losses; where nothing is classified, the least loss on the minibatch. A softmax
// model of zeros calls everything class 0. A bias of b on class c calls everything c, and its loss
// on samples of class 0 grows with b.
func TestMostAccurate(t *testing.T) {
	c, problems := catalog.Schema().
		Parse("data=digits&C=4&n=300&T=2&b=6&probe=6&net=softmax&algos=ifca&choose=accuracy")
	if err := experiment.First(problems); err != nil {
		t.Fatal(err)
	}
	data, plans, err := catalog.Build(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !plans[0].Protocol.Right {
		t.Fatal("choose=accuracy does not reach the clients")
	}
	b := workers.NewWorkspace(data, workers.ReadSettings(c, data))
	net := b.Model.(*model.Network)
	size, inputs := net.Size(), net.Inputs()
	b.Samples = model.Batch{X: make([]float32, 8*inputs), Y: []float32{1, 1, 2, 0, 0, 0, 0, 0},
		N: 8} // a minibatch of 6, two more
	bank := fl.NewBank(3, size)
	v := &workers.Job{Exchange: fl.NewExchange(4, &bank), Protocol: plans[0].Protocol, Probe: 8}
	bias := func(k, class int, by float32) {
		clear(bank.Model(k))
		bank.Model(k)[size-net.Outputs()+class] = by
	}
	for _, tt := range []struct {
		name     string
		class    [3]int
		strength float32 // of the first model; the others have 1
		want     int
	}{
		{"most of the minibatch are 0", [3]int{1, 0, 2}, 1, 1},
		{"the first of equals", [3]int{1, 0, 0}, 1, 1},
		{"whatever it loses", [3]int{0, 0, 1}, 50, 0},
		{"nobody is right", [3]int{3, 4, 5}, 1, 0},
	} {
		for k, class := range tt.class {
			bias(k, class, 1)
		}
		bias(0, tt.class[0], tt.strength)
		if got := b.MostAccurate(v); got != tt.want {
			t.Errorf("%s: models that always answer %v: picks %d, want %d", tt.name, tt.class, got, tt.want)
		}
	}

	c, _ = catalog.Schema().Parse("data=linreg&C=3&b=2&algos=ifca")
	if data, _, err = catalog.Build(c, nil); err != nil {
		t.Fatal(err)
	}
	b = workers.NewWorkspace(data, workers.ReadSettings(c, data))
	b.Samples = model.Batch{X: []float32{1, 1, 1}, Y: []float32{2, 2, 9}, N: 3}
	bank = fl.NewBank(3, 2)
	copy(bank.Params, []float32{5, 0, 2, 0, 9, 0}) // slopes 5, 2 and 9
	v = &workers.Job{Exchange: fl.NewExchange(3, &bank)}
	if got := b.MostAccurate(v); got != 1 {
		t.Errorf("lines: picks %d, want 1, which fits the two samples of the minibatch", got)
	}
}
