package kernel

// A grid is the positions of a square kernel over an image, with stride 1.
type grid struct {
	channels, height, width int // size of the image
	kernel                  int // side of the kernel
	down, across            int // positions down and across
}

func newGrid(channels, height, width, kernel int) grid {
	if kernel < 1 || kernel > height || kernel > width {
		panic("kernel: a kernel does not fit into the image")
	}
	return grid{channels, height, width, kernel, height - kernel + 1, width - kernel + 1}
}

func (g grid) image() int   { return size(g.channels, g.height, g.width) }
func (g grid) columns() int { return size(g.channels, g.kernel, g.kernel, g.down, g.across) }

// Im2Col lays out one image[channels×height×width] so that a valid convolution
// of stride 1 is a product. The rows of dst are the weights of one filter,
// channels·kernel·kernel of them in this order, and its columns are the
// (height−kernel+1)·(width−kernel+1) positions, row by row. With weights
// stored out×(channels·kernel·kernel):
//
//	output        = MatMul(weights, dst)    out×positions, again channel by channel
//	weights' grad = AddMatMulNT(d, dst)     for the gradient d[out×positions]
//	image's grad  = Col2Im(MatMulTN(weights, d))
func Im2Col(dst, src []float32, channels, height, width, kernel int) {
	g := newGrid(channels, height, width, kernel)
	must(len(src), g.image())
	must(len(dst), g.columns())
	active.im2Col(dst, src, g)
}

// Col2Im is the gradient of Im2Col: it sets each pixel of the image dst to the
// sum of the elements of src that Im2Col would copy it to, in their order.
func Col2Im(dst, src []float32, channels, height, width, kernel int) {
	g := newGrid(channels, height, width, kernel)
	must(len(dst), g.image())
	must(len(src), g.columns())
	active.col2Im(dst, src, g)
}

// MaxPool2 sets dst[planes × height/2 × width/2] to the largest element of each 2×2 square of
// src[planes×height×width]. An odd last row or column is ignored.
func MaxPool2(dst, src []float32, planes, height, width int) {
	must(len(src), size(planes, height, width))
	must(len(dst), size(planes, height/2, width/2))
	active.maxPool2(dst, src, planes, height, width)
}

// MaxPool2Back sets dsrc[planes×height×width] to the gradient by the input src of MaxPool2, given ddst, the gradient by
// its output. On ties in a square the first element, row by row, gets the whole gradient.
func MaxPool2Back(dsrc, ddst, src []float32, planes, height, width int) {
	must(len(src), size(planes, height, width))
	must(len(dsrc), len(src))
	must(len(ddst), size(planes, height/2, width/2))
	active.maxPool2Back(dsrc, ddst, src, planes, height, width)
}

// Rows say where a matrix lies in a slice: its rows are so many elements apart, and the elements of a row Step.
type Rows struct{ Row, Step int }

// Apart returns rows that are so many elements apart, each without gaps.
func Apart(elements int) Rows { return Rows{elements, 1} }

// CopyRows copies a matrix[rows×cols] from src to dst. One of the steps must be 1.
func CopyRows(dst, src []float32, rows, cols int, to, from Rows) {
	if rows < 1 || cols < 1 {
		return
	}
	if !to.fit(dst, rows, cols) || !from.fit(src, rows, cols) {
		panic("kernel: rows do not fit into their slices")
	}
	active.copyRows(dst, src, rows, cols, to, from)
}

func (r Rows) fit(x []float32, rows, cols int) bool {
	last := (cols - 1) * r.Step
	return uint(rows|cols|r.Row|r.Step) < 1<<31 && r.Step > 0 && r.Row > last && (rows-1)*r.Row+last < len(x)
}
