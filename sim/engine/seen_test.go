package engine

import (
	"context"
	"testing"

	"flockscope/sim/fl"
)

// TestSeen: the rows of a client's update of a softmax layer look like its pictures, and noise wipes them.
func TestSeen(t *testing.T) {
	const link = "data=digits&n=1200&C=12&split=classes&per=2&algos=fedavg&T=3&every=3&net="
	see := func(with string) (match float64, rows []float64) {
		t.Helper()
		d, err := Explain(context.Background(), read1(t, link+with), nil, 0, 1, 4, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range d.Notes {
			if v, ok := n.Value("rows"); ok && n.Step == fl.StepTrain {
				m, _ := n.Value("match")
				return m.Numbers[0], v.Numbers
			}
		}
		return -1, nil
	}
	open, rows := see("softmax")
	if open < 0.3 || len(rows) != 7840 {
		t.Errorf("the correlation is %.2f, %d numbers", open, len(rows))
	}
	noised, _ := see("softmax&private=noise&clip=1&gauss=1")
	if noised > 0.2 || noised < -0.2 {
		t.Errorf("with noise the correlation is %.2f", noised)
	}
	if _, rows := see("mlp"); rows != nil {
		t.Errorf("an inner layer is seen as %d numbers", len(rows))
	}
	if got := correlation([]float64{1, 2, 3}, []float64{2, 4, 6.5}); got < 0.99 || got > 1 {
		t.Errorf("a correlation is %v", got)
	}
	if got := correlation([]float64{1, 1}, []float64{1, 2}); got != 0 {
		t.Errorf("the correlation with a constant is %v", got)
	}
}
