package engine_test

import (
	"fmt"
	"testing"
)

// TestProbeOfAllSamples: 0 stands for all training samples of every client, more of
// which there are not; where they cannot be counted, for the minibatch. It is the default
// of IFCA and CLoVE where clients train models themselves, and of nobody else.
func TestProbeOfAllSamples(t *testing.T) {
	const gradient = "data=digits&n=600&C=6&T=8&every=4&exam=10&net=softmax&b=16&split=unequal&algos=ifca,clove,fedem"
	const digits = gradient + "&avg=model"
	for _, tt := range []struct{ name, a, b string }{
		{"all", digits + "&probe=0", digits + "&probe=100000"},
		{"the default", digits, digits + "&ifca.probe=0&clove.probe=0&fedem.probe=64"},
		{"a gradient", gradient, gradient + "&probe=64"},
		{"no fixed samples", "data=linreg&T=20&b=7&probe=0&algos=ifca,clove", "data=linreg&T=20&b=7&probe=7&algos=ifca,clove"},
		{"no fixed samples, by default", "data=mix1d&T=20&avg=model&b=30&algos=ifca,clove", "data=mix1d&T=20&avg=model&b=30&probe=30&algos=ifca,clove"},
	} {
		a, b := record(t, tt.a, nil).fingerprints(), record(t, tt.b, nil).fingerprints()
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("%s: fingerprints %x and %x, want the same", tt.name, a, b)
		}
	}
	all, some := record(t, digits, nil).fingerprints(), record(t, digits+"&probe=64", nil).fingerprints()
	if all[0] == some[0] || all[1] == some[1] || all[2] != some[2] {
		t.Errorf("fingerprints %x on all samples and %x on 64, want IFCA and CLoVE to differ and FedEM not to", all, some)
	}
}
