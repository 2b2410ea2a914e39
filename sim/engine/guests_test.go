package engine

import (
	"fmt"
	"math"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/engine/workers"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/workload"
)

// hostingOf returns the reception of the test clients of a query's first lane, and a
// job with as many models as it plans.
func hostingOf(t *testing.T, query string) (*workers.TestClients, *workers.Job, workload.Guested) {
	t.Helper()
	c, problems := catalog.Schema().Parse(query)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	data, plans, err := catalog.Build(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	plan := plans[0]
	bank := fl.NewBank(plan.Models, data.Model().Size())
	x := fl.NewExchange(data.Clients(), &bank)
	samples := make([]int, data.Clients())
	plan.Algorithm.Start(
		&fl.Env{Exchange: x, Clients: data.Clients(), Models: plan.Models, Size: bank.Size, Samples: samples},
		make([]int, data.Clients()))
	return workers.NewTestClients(
			data,
			workers.ReadSettings(c, data),
			&plan,
		), &workers.Job{Exchange: x, Protocol: plan.Protocol, Device: plan.Device,
			Personal: plan.Personal}, data.(workload.Guested)
}

// stubborn makes model k of a bank of softmax models answer one class, whatever it
// sees: its weights are 0, and the class has all the bias.
func stubborn(b *fl.Bank, k, class int, bias float32) {
	clear(b.Model(k))
	b.Model(k)[b.Size-10+class] = bias
}

// share is the share of a class among the samples that test clients are tested on, in
// the mean over test clients.
func share(open workload.Guested, class int) float64 {
	sum := 0.0
	for i := range open.Guests() {
		var first, then model.Batch
		open.Meet(&first, &then, i)
		sum += shareOf(then, class) / float64(open.Guests())
	}
	return sum
}

func shareOf(b model.Batch, class int) float64 {
	n := 0
	for _, y := range b.Y[:b.N] {
		if int(y) == class {
			n++
		}
	}
	return float64(n) / float64(b.N)
}

// TestTestIsKnown: of models that always answer one class, a test client gets as
// many samples right as it has of that class. With one model it is that, with models
// of clients' own it is the mean over them, with clusters the one that loses less,
// and with weighed models the one of more weight.
func TestTestIsKnown(t *testing.T) {
	clear := 0
	for seed := range 20 {
		query := fmt.Sprintf("data=digits&n=80&C=4&shift=none&concept=permute&concepts=3&net=softmax&guests=60&sd=%d&algos=",
			seed)
		const two = "&K=2"
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > 1e-12 {
				t.Errorf("%s%s: Test is %v, want %v", query, what, got, want)
			}
		}
		h, v, open := hostingOf(t, query+"fedavg")
		if open.Guests() != 3 {
			t.Fatalf("%s: %d test clients, want one a concept", query, open.Guests())
		}
		stubborn(v.Exchange.Bank, 0, 7, 1)
		near("fedavg", h.Test(v, make([]int, 4)), share(open, 7))

		h, v, _ = hostingOf(t, query+"local")
		want := 0.0
		for i := range 4 {
			stubborn(v.Exchange.Bank, i, i, 1)
			want += share(open, i) / 4
		}
		near("local", h.Test(v, []int{0, 1, 2, 3}), want)

		// A model that bets everything loses more than one that bets little, on the
		// many samples of other classes.
		h, v, _ = hostingOf(t, query+"ifca"+two)
		stubborn(v.Exchange.Bank, 0, 2, 50)
		stubborn(v.Exchange.Bank, 1, 5, 0.1)
		near("ifca", h.Test(v, []int{0, 1, 0, 1}), share(open, 5))
		near("ifca with one model in use", h.Test(v, []int{0, 0, 0, 0}), share(open, 2))

		// Of two models that are both sure, a test client's samples of their classes
		// decide between them: the others say nothing.
		h, v, _ = hostingOf(t, query+"fedem"+two)
		stubborn(v.Exchange.Bank, 0, 2, 50)
		stubborn(v.Exchange.Bank, 1, 5, 50)
		want = 0.0
		drawn := false
		for i := range open.Guests() {
			var first, then model.Batch
			open.Meet(&first, &then, i)
			class := 2
			if shareOf(first, 5) > shareOf(first, 2) {
				class = 5
			}
			drawn = drawn || shareOf(first, 5) == shareOf(first, 2)
			want += shareOf(then, class) / float64(open.Guests())
		}
		if !drawn {
			clear++
			near("fedem", h.Test(v, []int{0, 1, 0, 1}), want)
		}
	}
	if clear < 5 {
		t.Errorf("only %d seeds decide between two sure models", clear)
	}
}

// TestValIsKnown: Val counts samples, not clients.
func TestValIsKnown(t *testing.T) {
	h, _, open := hostingOf(t, "data=digits&n=400&C=5&shift=none&split=unequal&net=softmax&guests=20&algos=fedavg")
	accuracy := []float32{0, 0.25, 0.5, 0.75, 1}
	right, total := 0.0, 0.0
	for i, a := range accuracy {
		right += float64(float64(a) * float64(open.Back(i)))
		total += float64(open.Back(i))
	}
	if got := h.Val(accuracy); math.Abs(got-right/total) > 1e-12 || math.Abs(got-0.5) < 0.01 {
		t.Errorf("Val is %v, want %v, which is not the clients' mean", got, right/total)
	}
}
