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

// TestSameBits checks that every build computes the same bits: amd64 with and
// without gonum's assembly, and WebAssembly. The constants were written down
// once from all three. They change if, and only if, the arithmetic does:
//
//	go test ./clusterer
//	go test -tags noasm ./clusterer
//	GOOS=js GOARCH=wasm go test -exec="$(go env GOROOT)/lib/wasm/go_js_wasm_exec" ./clusterer
//
// Where the compiler fuses multiply-adds, gonum's LAPACK has other bits (see
// blas.go), and the tests that go through it are skipped.
func TestSameBits(t *testing.T) {
	sizes := []int{130}
	for n := 1; n <= 40; n++ {
		sizes = append(sizes, n)
	}
	tests := []struct {
		name   string
		want   uint64
		lapack bool
		run    func(b *bits, n int)
	}{
		{"eigenpairs", 0xc4beeff984efacdd, true, func(b *bits, n int) {
			var e eigen
			gramOfRows(&e.vectors, uniform(source(uint64(n)), n, n+3))
			if !e.fit() {
				t.Errorf("eigen of size %d did not converge", n)
			}
			b.add(e.values...)
			b.add(e.vectors.Data...)
		}},
		{"features", 0xd40b03cd21b0ba66, true, func(b *bits, n int) {
			var sp Spectral
			var dst Matrix
			for _, cols := range []int{3, n, 2*n + 1} {
				sp.Fit(&dst, uniform(source(uint64(n)), n, cols), 3)
				b.add(sp.Values...)
				b.add(dst.Data...)
			}
		}},
		{"k-means", 0x4696eaadd72ace9, false, func(b *bits, n int) {
			var km KMeans
			r := source(uint64(n))
			km.Fit(uniform(r, n, 3), 4, r)
			b.addLabels(km.Labels)
			b.add(km.Centroids.Data...)
			b.add(km.Inertia)
		}},
		{"assignment", 0x37c7d96cd1e9c8a8, false, func(b *bits, n int) {
			var as Assigner
			dst := make([]int, n)
			b.add(as.Assign(dst, uniform(source(uint64(n)), n, n+n/2)))
			b.addLabels(dst)
		}},
		{"metrics", 0x89565b32f7dc0653, false, func(b *bits, n int) {
			r := source(uint64(n))
			truth, labels := randomLabels(r, n, 3), randomLabels(r, n, 4)
			score, _ := Silhouette(uniform(r, n, 3), labels)
			b.add(AdjustedRand(truth, labels), score)
		}},
		{"plane", 0xffdecd36a7fa2142, true, func(b *bits, n int) {
			var p Plane
			var dst Matrix
			r := source(uint64(n))
			b.add(p.Fit(&dst, uniform(r, n, 5)))
			Align(&dst, uniform(r, n, 2))
			b.add(dst.Data...)
		}},
	}
	fuses := mulAdd(1+0x1p-30, 1+0x1p-30, -(1+0x1p-29)) != 0
	for _, tt := range tests {
		if tt.lapack && fuses {
			t.Logf("%s: skipped, as this build fuses multiply-adds", tt.name)
			continue
		}
		var b bits
		for _, n := range sizes {
			tt.run(&b, n)
		}
		if b.sum != tt.want {
			t.Errorf("%s: hash of the bits = %#x, want %#x", tt.name, b.sum, tt.want)
		}
	}
}

// mulAdd tells a fused multiply-add from two operations: the product of
// TestSameBits needs 61 bits, and loses the last of them if it stands alone.
//
//go:noinline
func mulAdd(x, y, z float64) float64 { return x*y + z }
