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

// planeSum4 adds the sums of four rows of x to dst. The columns must be a positive multiple of eight.
//
//go:noescape
func planeSum4(dst, x *float32, cols int)

func sumPlanesAVX2(dst, x []float32, rows, cols int) {
	done := 0
	if cols > 0 && cols%lanes == 0 {
		for ; done+4 <= rows; done += 4 {
			planeSum4(&dst[done], &x[done*cols], cols)
		}
	}
	for i := done; i < rows; i++ {
		dst[i] += planeSum(x[i*cols : (i+1)*cols])
	}
}
