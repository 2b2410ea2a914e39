package engine_test

import (
	"context"
	"fmt"
	"testing"

	"flockscope/clusterer"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/rng"
	"flockscope/sim/trace"
)

// nothing is a sink that keeps nothing.
type nothing struct{}

func (nothing) Begin(*trace.Header)     {}
func (nothing) Frame(int, *trace.Frame) {}
func (nothing) Round(int)               {}
func (nothing) End(int, *trace.Summary) {}

func benchmark(b *testing.B, c experiment.Config) {
	b.ReportAllocs()
	for b.Loop() {
		if err := engine.Run(context.Background(), c, nil, nothing{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRun is what one move of a slider costs: the default experiment, 200
// rounds of two lanes, for more and more clients.
func BenchmarkRun(b *testing.B) {
	for _, clients := range []int{12, 96, 1000} {
		b.Run(fmt.Sprint("C=", clients), func(b *testing.B) {
			benchmark(b, parse(b, fmt.Sprintf("data=linreg&C=%d&algos=cflgp,ifca", clients)))
		})
	}
}

// BenchmarkToy is the first lane of it alone.
func BenchmarkToy(b *testing.B) {
	for _, name := range []string{"cflgp", "ifca"} {
		b.Run(name, func(b *testing.B) { benchmark(b, parse(b, "data=linreg&C=12&algos="+name)) })
	}
}

// BenchmarkLane is the same for each algorithm alone.
func BenchmarkLane(b *testing.B) {
	for _, name := range algorithms() {
		b.Run(name, func(b *testing.B) { benchmark(b, parse(b, "data=linreg&C=96&algos="+name)) })
	}
}

// BenchmarkClustering is the clustering alone that a run of 200 rounds contains:
// the engine's calls, without the engine, on the embeddings of such a run.
func BenchmarkClustering(b *testing.B) {
	for _, name := range []string{"cflgp", "clove"} {
		for _, clients := range []int{12, 96, 1000} {
			b.Run(fmt.Sprint(name, "/C=", clients), func(b *testing.B) {
				r := record(b, fmt.Sprintf("data=linreg&C=%d&algos=%s", clients, name), nil)
				var embeddings []*clusterer.Matrix
				for i := range r.lanes[0] {
					if f := &r.lanes[0][i]; f.Events.Has(trace.Reclustered) {
						m := &clusterer.Matrix{Rows: clients, Cols: len(f.Embedding) / clients,
							Data: make([]float64, len(f.Embedding))}
						for j, v := range f.Embedding {
							m.Data[j] = float64(v)
						}
						embeddings = append(embeddings, m)
					}
				}
				var km clusterer.KMeans
				var spectral clusterer.Spectral
				var features clusterer.Matrix
				var s rng.Stream
				b.ReportAllocs()
				for b.Loop() {
					for t, m := range embeddings {
						if name == "cflgp" {
							spectral.Fit(&features, m, m.Cols)
							m = &features
						}
						s.Reset(1, rng.Clustering, t, 0)
						km.Fit(m, 3, &s)
					}
				}
			})
		}
	}
}

// BenchmarkDigits is ten rounds of rotated digits for 16 clients.
func BenchmarkDigits(b *testing.B) {
	for _, name := range algorithms() {
		b.Run(name, func(b *testing.B) {
			benchmark(b, parse(b, "data=digits&n=4000&T=10&every=10&algos="+name))
		})
	}
}
