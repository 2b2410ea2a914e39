//go:build amd64 || js

package kernel

// gramTiles is gram by tiles of a few rows and a few others, which use each loaded element several
// times. It computes all pairs over blocks of columns that fit into the cache.
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
		for i := 0; i < n; i += gramDown {
			for j := 0; j < min(i+gramDown, n); j += gramAcross {
				// The last row replaces rows that the last tile does not have.
				var a [gramDown]*float32
				var b [gramAcross]*float32
				for r := range a {
					a[r] = &rows[min(i+r, n-1)][from]
				}
				for r := range b {
					b[r] = &rows[min(j+r, n-1)][from]
				}
				var sum [gramDown * gramAcross]float64
				for r := range min(gramDown, n-i) {
					copy(sum[gramAcross*r:][:gramAcross], dst[(i+r)*n+j:(i+r+1)*n])
				}
				gramTile(&sum, &a, &b, length)
				for r := range min(gramDown, n-i) {
					copy(dst[(i+r)*n+j:(i+r+1)*n], sum[gramAcross*r:][:gramAcross])
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
