package engine_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestClip: an update is no longer than the clip norm: with gradients of one client a
// model moves by the rate times that at most; one that is short anyway stays.
func TestClip(t *testing.T) {
	const query = "data=linreg&C=1&D=1&T=10&init=5&sigma=0&algos=fedavg"
	plain := record(t, query, nil)
	if got := record(t, query+"&private=noise&gauss=0&clip=1000", nil).fingerprints(); !slices.Equal(got,
		plain.fingerprints()) {
		t.Error("a clip norm of 1000 without noise changes something")
	}
	clipped := 0
	for _, clip := range []float64{0.5, 0.05} {
		frames := record(t, query+fmt.Sprintf("&private=noise&gauss=0&clip=%v", clip), nil).lanes[0]
		for n := 1; n < len(frames); n++ {
			a, b := frames[n-1].Models, frames[n].Models
			moved := math.Hypot(float64(b[0]-a[0]), float64(b[1]-a[1]))
			if moved > 0.1*clip*(1+1e-5) {
				t.Errorf("clip norm %v: the model moves by %v in round %d, want %v at most", clip, moved, n, 0.1*clip)
			}
			if moved > 0.1*clip*(1-1e-5) {
				clipped++
			}
		}
	}
	if clipped < 5 {
		t.Errorf("%d updates were clipped: this proves nothing", clipped)
	}
}

// TestNoise: where data give no gradients, a model wanders by the noise alone: the
// mean over C clients of normal numbers of standard deviation gauss · clip, drawn for
// every client and round by itself. The mean square over n numbers is within
// 5·√(2/n) of what it should be, but for one run in a million.
func TestNoise(t *testing.T) {
	const clients, rounds, clip, gauss, rate = 4, 400, 0.25, 2.0, 0.001
	query := fmt.Sprintf(
		"data=linreg&C=%d&D=1&T=%d&b=2&probe=2&lr=%v&sigma=0&init=0&dphi=0&private=noise&clip=%v&gauss=%v&algos=fedavg",
		clients, rounds, rate, clip, gauss)
	for seed := 1; seed <= 5; seed++ {
		query := query + fmt.Sprintf("&sa=%d", seed)
		frames := record(t, query, nil).lanes[0]
		sum, mean := 0.0, 0.0
		for n := 1; n < len(frames); n++ {
			for j := range 2 {
				step := float64(frames[n].Models[j]-frames[n-1].Models[j]) / rate
				sum += step * step
				mean += step
			}
		}
		n := 2.0 * rounds
		want := gauss * clip * gauss * clip / clients
		if got := sum / n; math.Abs(got/want-1) > 5*math.Sqrt(2/n) {
			t.Errorf("%s: the steps have a mean square of %v, want about %v", query, got, want)
		}
		if got := mean / n; math.Abs(got) > 5*math.Sqrt(want/n) {
			t.Errorf("%s: the steps have a mean of %v, want about 0", query, got)
		}
	}
}

// TestNoiseIsFresh: no two updates of a round share their noise: not those of two
// models of one client (FedEM), nor those of two exchanges; and at home there is none.
func TestNoiseIsFresh(t *testing.T) {
	const noise = "&private=noise&clip=1&gauss=1"
	const still = "data=linreg&C=2&D=1&K=2&T=1&sigma=0&init=0&dphi=0&algos=fedem"
	f := record(t, still+noise, nil).lanes[0][1]
	if f.Models[0] == f.Models[2] || f.Models[1] == f.Models[3] {
		t.Errorf("two models moved alike to %v", f.Models)
	}
	const home = "data=linreg&T=10&algos=local,fedavg"
	if got, want := record(t, home+noise+"&nd=0", nil).fingerprints()[0], record(t, home, nil).fingerprints()[0]; got !=
		want {
		t.Errorf("local training sends nothing, and has noise")
	}
}

// TestNoiseSeed: noise is drawn from the algorithm's seed, so that the same samples and start can
// be sent under other noise; without noise FedAvg does not read that seed.
func TestNoiseSeed(t *testing.T) {
	const query = "data=linreg&T=3&algos=fedavg"
	models := func(query string) []float32 { return record(t, query, nil).lanes[0][3].Models }
	if !slices.Equal(models(query), models(query+"&sa=2")) {
		t.Fatal("FedAvg depends on the algorithm's seed: this proves nothing")
	}
	if slices.Equal(models(query+"&private=noise"), models(query+"&private=noise&sa=2")) {
		t.Error("another seed of the algorithm, and the same noise")
	}
}
