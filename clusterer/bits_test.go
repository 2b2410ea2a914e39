package clusterer

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"testing"
)

// bits is a running FNV-1a hash over the exact bits of numbers.
type bits struct{ sum uint64 }

func (b *bits) add(numbers ...float64) {
	h := fnv.New64a()
	var word [8]byte
	binary.LittleEndian.PutUint64(word[:], b.sum)
	h.Write(word[:])
	for _, x := range numbers {
		binary.LittleEndian.PutUint64(word[:], math.Float64bits(x))
		h.Write(word[:])
	}
	b.sum = h.Sum64()
}

func (b *bits) addLabels(labels []int) {
	for _, l := range labels {
		b.add(float64(l))
	}
}

// TestSameBits checks that every build computes the same bits: for amd64, for
// processors for which the compiler fuses multiply-adds, and for WebAssembly. The
// constants change if, and only if, the arithmetic does:
//
//	go test ./clusterer
//	GOAMD64=v3 go test ./clusterer
//	GOARCH=arm64 go test -exec=qemu-aarch64-static ./clusterer
//	GOOS=js GOARCH=wasm go test -exec="$(go env GOROOT)/lib/wasm/go_js_wasm_exec" ./clusterer
func TestSameBits(t *testing.T) {
	sizes := []int{130}
	for n := 1; n <= 40; n++ {
		sizes = append(sizes, n)
	}
	tests := []struct {
		name string
		want uint64
		run  func(b *bits, n int)
	}{
		{"eigenpairs", 0xc4beeff984efacdd, func(b *bits, n int) {
			var e eigen
			gramOfRows(&e.vectors, uniform(source(uint64(n)), n, n+3))
			if !e.fit() {
				t.Errorf("eigen of size %d did not converge", n)
			}
			b.add(e.values...)
			transpose(&e.vectors) // as LAPACK leaves them: without fusing, the bits are those of its DSYEV
			b.add(e.vectors.Data...)
		}},
		{"features", 0xd40b03cd21b0ba66, func(b *bits, n int) {
			var sp Spectral
			var dst Matrix
			for _, cols := range []int{3, n, 2*n + 1} {
				sp.Fit(&dst, uniform(source(uint64(n)), n, cols), 3)
				b.add(sp.Values...)
				b.add(dst.Data...)
			}
		}},
		{"k-means", 0x4696eaadd72ace9, func(b *bits, n int) {
			var km KMeans
			r := source(uint64(n))
			km.Fit(uniform(r, n, 3), 4, r)
			b.addLabels(km.Labels)
			b.add(km.Centroids.Data...)
			b.add(km.Inertia)
		}},
		{"assignment", 0x37c7d96cd1e9c8a8, func(b *bits, n int) {
			var as Assigner
			dst := make([]int, n)
			b.add(as.Assign(dst, uniform(source(uint64(n)), n, n+n/2)))
			b.addLabels(dst)
		}},
		{"metrics", 0x89565b32f7dc0653, func(b *bits, n int) {
			r := source(uint64(n))
			truth, labels := randomLabels(r, n, 3), randomLabels(r, n, 4)
			score, _ := Silhouette(uniform(r, n, 3), labels)
			b.add(AdjustedRand(truth, labels), score)
		}},
		{"plane", 0xffdecd36a7fa2142, func(b *bits, n int) {
			var p Plane
			var dst Matrix
			r := source(uint64(n))
			b.add(p.Fit(&dst, uniform(r, n, 5)))
			Align(&dst, uniform(r, n, 2))
			b.add(dst.Data...)
		}},
		{"trees", 0x2262c755482b2c20, func(b *bits, n int) {
			for _, linkage := range linkages {
				ag := Agglomerative{Linkage: linkage}
				ag.Fit(uniform(source(uint64(n)), n, 3))
				for _, m := range ag.Tree.Merges {
					b.add(float64(m.A), float64(m.B), m.Height, float64(m.Size))
				}
				b.addLabels(ag.Tree.Cut(3))
			}
		}},
		{"distances", 0xb6b8c1cb14181d9e, func(b *bits, n int) {
			var d Matrix
			points := uniform(source(uint64(n)), n, 5)
			for _, f := range []func(dst, points *Matrix){Distances, Cosines} {
				f(&d, points)
				b.add(d.Data...)
			}
		}},
		{"scores", 0x9c031e069c20d722, func(b *bits, n int) {
			r := source(uint64(n))
			truth, labels := randomLabels(r, n, 3), randomLabels(r, n, 4)
			var c Contingency
			homogeneity, completeness, v := c.VMeasure(truth, labels)
			b.add(homogeneity, completeness, v, c.Purity(truth, labels))
		}},
		{"angles", 0xabcbbdf29c3bb890, func(b *bits, n int) {
			r := source(uint64(n))
			one, other := uniform(r, 3, n+3), uniform(r, 2, n+3)
			for i := range 3 {
				orthonormalize(one, i)
				orthonormalize(other, min(i, 1))
			}
			var an Angles
			b.add(an.Fit(one, other)...)
			b.add(MinAngle(one, other))
		}},
		{"numbers of clusters", 0x4fab1fb20b27d088, func(b *bits, n int) {
			r := source(uint64(n))
			points := uniform(r, n, 2)
			g := Gap{References: 2, KMeans: KMeans{Restarts: 1}}
			var s SelectK
			var f Farthest
			b.add(float64(g.Fit(points, 4, r)))
			b.add(g.Gaps...)
			b.add(float64(s.Merge(points, 5)))
			b.add(s.Scores...)
			f.Fit(points, 1, 4)
			b.addLabels(f.Chosen)
		}},
		{"through inner products", 0xadf5d06b07e82974, func(b *bits, n int) {
			r := source(uint64(n))
			points := uniform(r, n, 7)
			var sp Spectral
			var halves Bipartition
			var as AwasthiSheffet
			var gram, dst Matrix
			Cosines(&gram, points)
			sp.FitGram(&dst, &gram, 3)
			b.add(dst.Data...)
			b.add(halves.FitSpectral(&gram, r), halves.Cross)
			sp.Basis(&dst, points, 3)
			b.add(dst.Data...)
			as.Fit(points, 3, r)
			b.addLabels(as.KMeans.Labels)
			b.add(as.KMeans.Centroids.Data...)
		}},
	}
	for _, tt := range tests {
		var b bits
		for _, n := range sizes {
			tt.run(&b, n)
		}
		if b.sum != tt.want {
			t.Errorf("%s: hash of the bits = %#x, want %#x", tt.name, b.sum, tt.want)
		}
	}
}
