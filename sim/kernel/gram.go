//go:build amd64 || js

package kernel

// gramTiles is gram by tiles of three rows and three others, which use each
// element they load three times. It goes through all rows in stretches that
// stay in the cache until every pair has met.
func gramTiles(dst []float64, rows [][]float32) {
	const stretch = 8 * block
	n := len(rows)
	if n == 0 {
		return
	}
	clear(dst)
	d := len(rows[0])
	for from := 0; from < d; from += stretch {
		length := min(stretch, d-from)
		for i := 0; i < n; i += 3 {
			for j := 0; j <= i; j += 3 {
				// Rows that the last tile lacks are stood in for by the last.
				var a, b [3]*float32
				for r := range 3 {
					a[r] = &rows[min(i+r, n-1)][from]
					b[r] = &rows[min(j+r, n-1)][from]
				}
				var sum [9]float64
				for r := range min(3, n-i) {
					copy(sum[3*r:3*r+3], dst[(i+r)*n+j:(i+r+1)*n])
				}
				gramTile(&sum, &a, &b, length)
				for r := range min(3, n-i) {
					copy(dst[(i+r)*n+j:(i+r+1)*n], sum[3*r:3*r+3])
				}
			}
		}
	}
	for i := range n {
		for j := range i {
			dst[j*n+i] = dst[i*n+j]
		}
	}
}
