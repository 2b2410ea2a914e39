package engine_test

import (
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
)

// layered are settings that train each kind of layer, dropout and batch normalisation too.
var layered = []string{
	"net=conv4k5s4-gn-relu-dw-bn-tanh-res4s2-drop25-tconv3-avg&avg=model&opt=momentum&tau=1",
	"net=conv4s3-bn-relu-pool-dense12-bn-relu-drop&lr=0.1",
	"net=conv4s4-relu-conv3s2-relu-code-tconv4-relu-tconv2s4p2k8-tanh&avg=model&opt=adam&lr=0.01&tau=1",
	"net=resnet8&blocks=2&avg=model&tau=1",
}

// TestLayersWithAnyWorkers: the same bits with any number of workers, dropout included.
func TestLayersWithAnyWorkers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for i, settings := range layered {
		if testing.Short() && i == 3 {
			continue
		}
		query := "data=digits&n=90&C=5&T=3&b=6&probe=6&every=1&exam=4&K=2&algos=ifca,hcflplus,fedpac,fedproto&" + settings
		switch i {
		case 2: // without classes
			query = "data=digits&n=90&C=5&T=3&b=6&probe=6&every=1&exam=4&K=2&algos=ifca,clove&" + settings
		case 3: // FedProto refuses blocks
			query = strings.Replace(query, ",fedproto", "", 1)
		}
		var want []uint64
		for _, workers := range []int{1, 2, 5} {
			runtime.GOMAXPROCS(workers)
			if got := record(t, query, nil).fingerprints(); workers == 1 {
				want = got
			} else if !slices.Equal(got, want) {
				t.Errorf("%s: fingerprint %x with %d workers, %x with one", query, got, workers, want)
			}
		}
	}
}

// TestLayersAllocateNothing: nor do the layers in the round loop.
func TestLayersAllocateNothing(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, settings := range layered[:3] {
		query := "data=digits&n=60&C=4&T=24&b=6&probe=6&every=2&exam=5&shift=none&algos=ifca,fedavg&" + settings
		if at := allocatingRounds(t, query, nil, 14, 24); len(at) > 0 {
			t.Errorf("%s: allocations in rounds %v, want none", query, at)
		}
	}
}
