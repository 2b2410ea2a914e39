package clusterer

// Matrix is a dense row-major matrix whose rows are points: entry (i, j) is
// Data[i*Cols+j], and Data holds exactly Rows × Cols numbers. The zero value is
// an empty matrix, ready for Reshape.
//
// It is this plain because the inner loops here run over flat slices and because
// callers fill it from buffers of their own.
type Matrix struct {
	Rows, Cols int
	Data       []float64
}

// Reshape gives m the shape rows × cols. It allocates only to grow; what the
// entries then hold is undefined.
func (m *Matrix) Reshape(rows, cols int) {
	if rows < 0 || cols < 0 {
		panic("clusterer: Reshape: negative size")
	}
	m.Rows, m.Cols = rows, cols
	m.Data = resize(m.Data, rows*cols)
}

// Row returns point i. It is a view: writing to it writes to m, and appending
// to it does not reach into the next row.
func (m *Matrix) Row(i int) []float64 {
	lo, hi := i*m.Cols, (i+1)*m.Cols
	return m.Data[lo:hi:hi]
}

// copyFrom makes m equal to src without sharing its memory.
func (m *Matrix) copyFrom(src *Matrix) {
	m.Reshape(src.Rows, src.Cols)
	copy(m.Data, src.Data)
}

// check panics unless Data is as long as the shape says. Every exported function calls it,
// so that a caller's mistake is reported at once instead of as an index out of range inside
// a loop.
func (m *Matrix) check() {
	if m.Rows < 0 || m.Cols < 0 || len(m.Data) != m.Rows*m.Cols {
		panic("clusterer: Matrix: Data is not Rows × Cols long")
	}
}

// resize returns s with length n, reusing its memory when that is enough. The
// entries are undefined.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
