package kernel

// The rows of a tile.
const gramDown, gramAcross = 3, 3

// gramTile adds to sum the inner products of three rows and three others, of n
// elements, block by block.
//
//go:noescape
func gramTile(sum *[gramDown * gramAcross]float64, a *[gramDown]*float32, b *[gramAcross]*float32, n int)

//go:noescape
func dotAVX2(a, b []float32) float64

// planeSum returns the sum of x over eight lanes.
//
//go:noescape
func planeSum(x []float32) float32

func sumPlanesAVX2(dst, x []float32, rows, cols int) {
	for i := range rows {
		dst[i] += planeSum(x[i*cols : (i+1)*cols])
	}
}
