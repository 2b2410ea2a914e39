package clusterer

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// symmetric are matrices of n rows that an eigensolver may stumble over. Only the
// lower triangle counts.
var symmetric = []struct {
	name string
	make func(r *rand.Rand, n int) *Matrix
}{
	{"inner products", func(r *rand.Rand, n int) *Matrix {
		a := new(Matrix)
		gramOfRows(a, gaussian(r, n, n+3))
		return a
	}},
	{"low rank", func(r *rand.Rand, n int) *Matrix {
		a := new(Matrix)
		gramOfRows(a, gaussian(r, n, 1+n/4))
		return a
	}},
	{"repeated points", func(r *rand.Rand, n int) *Matrix {
		points, a := gaussian(r, n, 5), new(Matrix)
		for i := range n {
			copy(points.Row(i), points.Row(i%3%n))
		}
		gramOfRows(a, points)
		return a
	}},
	{"of either sign", func(r *rand.Rand, n int) *Matrix { return gaussian(r, n, n) }},
	{"zero", func(r *rand.Rand, n int) *Matrix { return &Matrix{n, n, make([]float64, n*n)} }},
	{"diagonal", func(r *rand.Rand, n int) *Matrix {
		a := &Matrix{n, n, make([]float64, n*n)}
		for i := range n {
			a.Data[i*n+i] = float64(r.IntN(3) - 1)
		}
		return a
	}},
	{"blocks", func(r *rand.Rand, n int) *Matrix {
		a := gaussian(r, n, n)
		for i := range n {
			for j := range i {
				if i%3 != j%3 {
					a.Data[i*n+j] = 0
				}
			}
		}
		return a
	}},
	{"graded", func(r *rand.Rand, n int) *Matrix {
		a := gaussian(r, n, n)
		for i := range n {
			for j := range n {
				a.Data[i*n+j] *= math.Pow(10, -float64(i+j)/4)
			}
		}
		return a
	}},
	{"small", func(r *rand.Rand, n int) *Matrix { return times(1e-250, gaussian(r, n, n)) }},
	{"below normal", func(r *rand.Rand, n int) *Matrix { return times(1e-312, gaussian(r, n, n)) }},
	{"large", func(r *rand.Rand, n int) *Matrix { return times(1e305, gaussian(r, n, n)) }},
	{"scales apart", func(r *rand.Rand, n int) *Matrix {
		a := gaussian(r, n, n)
		for i := range n {
			scale(a.Row(i), []float64{1, 1e-160, 1e-300}[i%3])
		}
		return a
	}},
}

func times(f float64, m *Matrix) *Matrix {
	scale(m.Data, f)
	return m
}

// A·vⱼ = λⱼ·vⱼ, the vectors are orthonormal, the values ascend and are LAPACK's: all
// within some units in the last place of the largest value.
func TestEigenpairs(t *testing.T) {
	var e eigen
	for _, tt := range symmetric {
		for _, n := range []int{1, 2, 3, 4, 5, 17, 70} {
			a := tt.make(source(uint64(n)), n)
			e.vectors.copyFrom(a)
			if !e.fit() {
				t.Fatalf("%s, %d rows: fit = false, want true", tt.name, n)
			}
			if !slices.IsSorted(e.values) {
				t.Errorf("%s, %d rows: values %v do not ascend", tt.name, n, e.values)
			}
			want, _ := lapackEigen(a)
			top := max(-want[0], want[n-1])
			unit := math.Nextafter(top, math.Inf(1)) - top
			tolerance := float64(20+n) * unit // a subnormal number has fewer digits
			for j, v := range want {
				if !(math.Abs(e.values[j]-v) <= tolerance) {
					t.Errorf("%s, %d rows: value %d = %v, want %v", tt.name, n, j, e.values[j], v)
				}
			}
			for j := range n {
				v := e.vectors.Row(j)
				for i := range n {
					var av float64
					for k, x := range v {
						av += a.Data[max(i, k)*n+min(i, k)] * x
					}
					if !(math.Abs(av-e.values[j]*v[i]) <= tolerance) {
						t.Errorf("%s, %d rows: (A·v%d)[%d] = %v, want %v", tt.name, n, j, i, av, e.values[j]*v[i])
					}
					inner, want := dot(v, e.vectors.Row(i)), float64(b2i(i == j))
					if !(math.Abs(inner-want) <= float64(20+n)*0x1p-52) {
						t.Errorf("%s, %d rows: v%d·v%d = %v, want %v", tt.name, n, i, j, inner, want)
					}
				}
			}
		}
	}
}

// lapackEigen returns what gonum's LAPACK makes of the lower triangle of a: values
// in ascending order, and their vectors as columns.
func lapackEigen(a *Matrix) (values []float64, vectors *Matrix) {
	n := a.Rows
	values, vectors = make([]float64, n), a.clone()
	work := make([]float64, max(1, 3*n-1))
	s := blas64.Symmetric{N: n, Stride: n, Data: vectors.Data, Uplo: blas.Lower}
	lapack64.Syev(lapack.EVCompute, s, values, work, len(work))
	return values, vectors
}

// A matrix that is not finite has no eigenvectors, and is told apart at once.
func TestEigenNotFinite(t *testing.T) {
	var e eigen
	for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for at := range 6 {
			e.vectors.copyFrom(gaussian(source(1), 3, 3))
			e.vectors.Data[[]int{0, 3, 4, 6, 7, 8}[at]] = x
			if e.fit() {
				t.Errorf("entry %d is %v: fit = true, want false", at, x)
			}
		}
	}
}

// Eigenvalues known in closed form: those of the second difference are
// 2 − 2·cos(j·π/(n+1)), those of a matrix of ones n and 0.
func TestEigenKnown(t *testing.T) {
	var e eigen
	for n := 2; n <= 40; n++ {
		e.vectors.Reshape(n, n)
		clear(e.vectors.Data)
		for i := range n {
			e.vectors.Data[i*n+i] = 2
			if i > 0 {
				e.vectors.Data[i*n+i-1] = -1
			}
		}
		if !e.fit() {
			t.Fatalf("second difference of %d: fit = false, want true", n)
		}
		for j, got := range e.values {
			if want := 2 - 2*math.Cos(float64(j+1)*math.Pi/float64(n+1)); !near(got, want, 1e-14) {
				t.Errorf("second difference of %d: value %d = %v, want %v", n, j, got, want)
			}
		}
		for i := range e.vectors.Data {
			e.vectors.Data[i] = 1
		}
		if !e.fit() {
			t.Fatalf("ones of %d: fit = false, want true", n)
		}
		for j, got := range e.values {
			if want := float64(n * b2i(j == n-1)); math.Abs(got-want) > 1e-14*float64(n) {
				t.Errorf("ones of %d: value %d = %v, want %v", n, j, got, want)
			}
		}
	}
}

// BenchmarkEigenAgainstGonum times the eigensolver and gonum's in turns on the same
// matrices, each with its memory kept from call to call, and reports the medians and
// how many times as long as gonum's ours takes.
func BenchmarkEigenAgainstGonum(b *testing.B) {
	for _, n := range []int{16, 64, 128} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			a := new(Matrix)
			gramOfRows(a, gaussian(source(1), n, n+3))
			var e eigen
			vectors, values, work := a.clone(), make([]float64, n), make([]float64, 1)
			s := blas64.Symmetric{N: n, Stride: n, Data: vectors.Data, Uplo: blas.Lower}
			lapack64.Syev(lapack.EVCompute, s, values, work, -1) // says how much memory is best
			work = make([]float64, int(work[0]))
			calls := []func(){
				func() { e.vectors.copyFrom(a); e.fit() },
				func() { copy(vectors.Data, a.Data); lapack64.Syev(lapack.EVCompute, s, values, work, len(work)) },
			}
			var took [2][]float64
			for turn := 0; b.Loop(); turn++ {
				for i := range calls {
					who := (turn + i) % 2
					start := time.Now()
					calls[who]()
					took[who] = append(took[who], float64(time.Since(start).Nanoseconds()))
				}
			}
			for i := range took {
				slices.Sort(took[i])
			}
			ours, gonum := took[0][len(took[0])/2], took[1][len(took[1])/2]
			b.ReportMetric(0, "ns/op") // of both together, which says nothing
			b.ReportMetric(ours, "ours-ns")
			b.ReportMetric(gonum, "gonum-ns")
			b.ReportMetric(ours/gonum, "times-gonum")
		})
	}
}

// Where eigenvalues are equal already, their vectors stay in their order.
func TestEigenTies(t *testing.T) {
	var e eigen
	for n := 1; n <= 9; n++ {
		e.vectors.Reshape(n, n)
		clear(e.vectors.Data)
		for i := range n {
			e.vectors.Data[i*n+i] = 2
		}
		want := e.vectors.clone()
		if e.fit(); !times(2, &e.vectors).equal(want) {
			t.Errorf("twice the identity of %d has the vectors %v", n, e.vectors.Data)
		}
	}
}

// A rotation keeps lengths and takes (x, y) to (r, 0), at any scale; it is none where y
// is 0 already.
func TestGivens(t *testing.T) {
	for _, size := range []float64{1, 1e-320, 1e-200, 1e150} {
		for _, x := range []float64{0, 1, -1, 3, -0.25} {
			for _, y := range []float64{0, 1, -1, 2, -0.5} {
				cos, sin, r := givens(x*size, y*size)
				length := math.Hypot(x, y)
				off := max(math.Abs(float64(cos*x)+float64(sin*y)-r/size), math.Abs(float64(cos*y)-float64(sin*x)),
					math.Abs(math.Hypot(cos, sin)-1), math.Abs(math.Abs(r)/size-length))
				if most := max(1e-15, 0x1p-1074/size) * (1 + 4*length); off > most || y == 0 && (cos != 1 || sin != 0) {
					t.Errorf("givens(%v, %v) = %v, %v, %v, off by %v", x*size, y*size, cos, sin, r, off)
				}
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
