//go:build !js

package clusterer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// BenchmarkAgainstPeer times k-means, the spectral features and Ward's trees beside
// scikit-learn, NumPy and SciPy, on the same points in the same run, and reports how
// many times as long the peer takes. It skips where Debian's python3-sklearn is
// not installed.
func BenchmarkAgainstPeer(b *testing.B) {
	for _, size := range []struct{ n, cols, k int }{{12, 3, 3}, {128, 4, 4}, {2000, 10, 10}} {
		r := source(1)
		points, _ := blobs(r, size.n, size.cols, size.k, 5)
		b.Run(fmt.Sprintf("KMeans/%dx%d/k=%d", size.n, size.cols, size.k), func(b *testing.B) {
			peer := peerTime(b, "kmeans", points, size.k)
			var km KMeans
			for b.Loop() {
				km.Fit(points, size.k, r)
			}
			reportPeer(b, peer)
		})
	}
	for _, size := range []struct{ rows, cols int }{{12, 6}, {128, 4000}} {
		a := gaussian(source(1), size.rows, size.cols)
		b.Run(fmt.Sprintf("Spectral/%dx%d", size.rows, size.cols), func(b *testing.B) {
			peer := peerTime(b, "svd", a, 3)
			var sp Spectral
			var dst Matrix
			for b.Loop() {
				sp.Fit(&dst, a, 3)
			}
			reportPeer(b, peer)
		})
	}
	for _, n := range []int{12, 1000} {
		points, _ := blobs(source(1), n, 10, 5, 5)
		for _, what := range []string{"ward", "linkage"} {
			b.Run(fmt.Sprintf("Agglomerative/%s/%d", what, n), func(b *testing.B) {
				peer := peerTime(b, what, points, 5)
				var ag Agglomerative
				for b.Loop() {
					ag.Fit(points)
					ag.Tree.Cut(5)
				}
				reportPeer(b, peer)
			})
		}
	}
}

// peerTime returns how long the peer takes for one call, in nanoseconds.
func peerTime(b *testing.B, what string, points *Matrix, k int) float64 {
	b.Helper()
	rows := make([][]float64, points.Rows)
	for i := range rows {
		rows[i] = points.Row(i)
	}
	text, err := json.Marshal(rows)
	if err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command("/usr/bin/python3", "testdata/peer.py", what, strconv.Itoa(k))
	cmd.Stdin = bytes.NewReader(text)
	out, err := cmd.Output()
	if err != nil {
		b.Skip("needs python3-sklearn")
	}
	ns, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
	if err != nil {
		b.Fatal(err)
	}
	return ns
}

func reportPeer(b *testing.B, peer float64) {
	b.ReportMetric(peer, "peer-ns/op")
	b.ReportMetric(peer/(float64(b.Elapsed().Nanoseconds())/float64(b.N)), "x-faster")
}
