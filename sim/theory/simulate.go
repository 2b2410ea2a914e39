package theory

import (
	"math"

	"flockscope/clusterer"
	"flockscope/sim/rng"
)

// Representation is what HCFL's appendix B analyses: y = θ*_kᵀB*ᵀx + n, with x ~ N(0, I), one B* with orthonormal columns,
// and θ*_k of length √c; groups are known. Samples are drawn once.
type Representation struct {
	Inputs, Width int
	Samples       []int // of each group
	Sigma, Rate   float64
	Seed          uint64
}

// Play plays rounds of the algorithm that Theorem B.12 is about and returns dist(B̂, B*) before the first round and after
// each: each θ_k becomes the best for B̂; then B̂ moves along the gradient of the risk (39), equation (143), and its columns
// are made orthonormal. B̂ starts with the directions of the largest eigenvalues of Σ y²·x·xᵀ, as in Collins and others
// (2021), if moments is set, else at random. shares is what the theorem takes of the setting.
func (r *Representation) Play(rounds int, moments bool) (distances []float64, shares Shares) {
	d, c, total := r.Inputs, r.Width, 0
	for _, n := range r.Samples {
		total += n
	}
	var s rng.Stream
	s.Reset(r.Seed, rng.Models, 0, 0)
	star, start := normals(c, d, &s), normals(c, d, &s)
	orthonormalize(star)
	shares = Shares{Rate: r.Rate, Groups: len(r.Samples), Least: math.Inf(1)}
	heads := normals(len(r.Samples), c, &s)
	second, with := make([]clusterer.Matrix, len(r.Samples)), make([][]float64, len(r.Samples))
	var fourth clusterer.Matrix // Σ y²·x·xᵀ
	fourth.Reshape(d, d)
	clear(fourth.Data)
	x := make([]float64, d+1)
	for k, n := range r.Samples {
		shares.Least = min(shares.Least, float64(n)/float64(total))
		shares.Most = max(shares.Most, float64(n)/float64(total))
		head := heads.Row(k)
		scale(head, math.Sqrt(float64(c))/length(head))
		second[k].Reshape(d, d)
		clear(second[k].Data)
		with[k] = make([]float64, d)
		s.Reset(r.Seed, rng.Samples, 0, k)
		for range n {
			s.Normals(x)
			y := r.Sigma * x[d]
			for l, weight := range head {
				y += float64(weight * dot(star.Row(l), x[:d]))
			}
			for i := range d {
				add(second[k].Row(i), x[i]/float64(total), x[:d])
				add(fourth.Row(i), y*y*x[i]/float64(total), x[:d])
			}
			add(with[k], y/float64(total), x[:d])
		}
	}
	shares.Diversity = leastSingular(heads) / math.Sqrt(float64(heads.Rows))
	b := start
	if moments {
		b = leading(&fourth, c)
	}
	var space Subspace
	distance := func() float64 {
		space.basis.Reshape(c, d)
		copy(space.basis.Data, b.Data)
		return space.of(star)
	}
	orthonormalize(b)
	shares.InitialDistance = distance()
	distances = append(distances, shares.InitialDistance)
	var gradient clusterer.Matrix
	gradient.Reshape(c, d)
	theta, line := make([]float64, c), make([]float64, d)
	for range rounds {
		clear(gradient.Data)
		for k := range second {
			bestHead(theta, b, &second[k], with[k])
			clear(line)
			for l, weight := range theta {
				add(line, weight, b.Row(l))
			}
			for i := range d {
				off := dot(second[k].Row(i), line) - with[k][i]
				for l, weight := range theta {
					gradient.Row(l)[i] += float64(off * weight)
				}
			}
		}
		add(b.Data, -r.Rate, gradient.Data)
		orthonormalize(b)
		distances = append(distances, distance())
	}
	return distances, shares
}

// bestHead sets theta to the least squares weights of the features Bᵀx: (B·S·Bᵀ)θ = B·r with the rows of b, solved by
// elimination.
func bestHead(theta []float64, b, second *clusterer.Matrix, with []float64) {
	c, d := b.Rows, b.Cols
	a := make([][]float64, c)
	row := make([]float64, d)
	for k := range c {
		for j := range d {
			row[j] = dot(second.Row(j), b.Row(k))
		}
		a[k] = make([]float64, c+1)
		for l := range c {
			a[k][l] = dot(row, b.Row(l))
		}
		a[k][c] = dot(b.Row(k), with)
	}
	for k := range c { // the matrix is positive definite: no pivots
		for l := k + 1; l < c; l++ {
			add(a[l][k:], -a[l][k]/a[k][k], a[k][k:])
		}
	}
	for k := c - 1; k >= 0; k-- {
		theta[k] = a[k][c]
		for l := k + 1; l < c; l++ {
			theta[k] -= float64(a[k][l] * theta[l])
		}
		theta[k] /= a[k][k]
	}
}

// leading returns the eigenvectors of the n largest eigenvalues of a symmetric matrix without negative eigenvalues, as
// rows: the features of the matrix are its eigenvectors times its eigenvalues.
func leading(m *clusterer.Matrix, n int) *clusterer.Matrix {
	var s clusterer.Spectral
	var features clusterer.Matrix
	s.Fit(&features, m, n)
	out := &clusterer.Matrix{}
	out.Reshape(n, m.Rows)
	for k := range n {
		for i := range m.Rows {
			out.Row(k)[i] = features.Row(i)[k]
		}
	}
	return out
}

// leastSingular returns the least singular value of a matrix, of its min(rows, columns).
func leastSingular(m *clusterer.Matrix) float64 {
	var s clusterer.Spectral
	var none clusterer.Matrix
	s.Fit(&none, m, 0)
	return s.Values[len(s.Values)-1]
}

func normals(rows, cols int, s *rng.Stream) *clusterer.Matrix {
	m := &clusterer.Matrix{}
	m.Reshape(rows, cols)
	s.Normals(m.Data)
	return m
}

// orthonormalize makes the rows orthonormal (Gram and Schmidt, twice).
func orthonormalize(m *clusterer.Matrix) {
	for k := range m.Rows {
		for range 2 {
			for l := range k {
				remove(m.Row(k), m.Row(l))
			}
		}
		scale(m.Row(k), 1/length(m.Row(k)))
	}
}

func scale(v []float64, factor float64) {
	for j := range v {
		v[j] *= factor
	}
}

// add adds factor·u to v.
func add(v []float64, factor float64, u []float64) {
	for j, x := range u {
		v[j] += float64(factor * x)
	}
}

// Mixture is what CLoVE's appendix A analyses: K groups with weights θ*_k of length 1, at least Δ apart, and y = θ*_k·x + n
// with x ~ N(0, I). Clients draw new samples in every round.
type Mixture struct {
	Clients, Groups, Inputs, Samples int // Samples of a client in a round
	Delta, Sigma, Rate               float64
	// Spread is the length of a group's random step from a common vector; 0: groups are anywhere.
	Spread float64
	Seed   uint64
}

// Shot is a clustering of clients by the square roots of their losses.
type Shot struct {
	Separation    float64 // least distance of the centres of two groups
	Promised      float64 // by Lemma A.1
	Margin, Asked float64 // see [Proximity]
	Misplaced     int
}

// Play plays rounds of CLoVE with the square roots of losses. In the first round clients are clustered by as many
// orthonormal models as there are inputs (first), from then on by one model for each group. errors has ‖θ_k − θ*_k‖ of
// the worst model after each round, and misplaced the clients that it had wrong. It panics if groups cannot be placed.
func (m *Mixture) Play(rounds int) (first Shot, errors []float64, misplaced []int) {
	var s rng.Stream
	s.Reset(m.Seed, rng.Models, 0, 0)
	best := m.place(&s)
	basis := normals(m.Inputs, m.Inputs, &s)
	orthonormalize(basis)
	models := rows(basis)
	group := make([]int, m.Clients)
	for i := range group {
		group[i] = i * m.Groups / m.Clients
	}
	var vectors clusterer.Matrix
	var kmeans clusterer.KMeans
	var table clusterer.Contingency
	var assigner clusterer.Assigner
	x, y := &clusterer.Matrix{}, make([]float64, m.Samples)
	x.Reshape(m.Samples, m.Inputs)
	draw := func(t, client int) {
		s.Reset(m.Seed, rng.Samples, t, client)
		s.Normals(x.Data)
		s.Normals(y)
		for n := range y {
			y[n] = float64(m.Sigma*y[n]) + dot(best[group[client]], x.Row(n))
		}
	}
	for t := 1; t <= rounds; t++ {
		vectors.Reshape(m.Clients, len(models))
		for i := range m.Clients {
			draw(t, i)
			for k, model := range models {
				sum := 0.0
				for n := range y {
					off := y[n] - dot(model, x.Row(n))
					sum += float64(off * off)
				}
				vectors.Row(i)[k] = math.Sqrt(sum / float64(m.Samples))
			}
		}
		s.Reset(m.Seed, rng.Clustering, t, 0)
		kmeans.Fit(&vectors, m.Groups, &s)
		misplaced = append(misplaced, table.Misplaced(group, kmeans.Labels))
		if t == 1 {
			centres := LossCentres(models, best, m.Sigma)
			first = Shot{Separation: LeastDistance(centres), Promised: SeparationOrthonormal(m.Delta, m.Sigma),
				Misplaced: misplaced[0]}
			first.Margin, first.Asked = Proximity(&vectors, centres, group)
		}
		models = m.move(models, &vectors, &kmeans, &assigner, func(i int) (*clusterer.Matrix, []float64) {
			draw(t, i)
			return x, y
		})
		worst := 0.0
		for _, star := range best { // of the model nearest to it: models have no names
			nearest := math.Inf(1)
			for _, model := range models {
				nearest = min(nearest, SquareRootLoss(model, star, 0))
			}
			worst = max(worst, nearest)
		}
		errors = append(errors, worst)
	}
	return first, errors, misplaced
}

// move returns one model for each cluster: the one that the matching of least total loss gives it, moved along the mean
// gradient of its clients.
func (m *Mixture) move(models [][]float64, vectors *clusterer.Matrix, kmeans *clusterer.KMeans,
	assigner *clusterer.Assigner, samples func(i int) (*clusterer.Matrix, []float64)) [][]float64 {
	var cost clusterer.Matrix
	cost.Reshape(m.Groups, len(models))
	clear(cost.Data)
	size, of := make([]float64, m.Groups), make([]int, m.Groups)
	for i, g := range kmeans.Labels {
		size[g]++
		for k, v := range vectors.Row(i) {
			cost.Row(g)[k] += float64(v * v)
		}
	}
	assigner.Assign(of, &cost)
	next := make([][]float64, m.Groups)
	for g, k := range of {
		next[g] = append([]float64(nil), models[k]...)
	}
	for i, g := range kmeans.Labels {
		x, y := samples(i)
		model := models[of[g]]
		for n := range y {
			off := dot(model, x.Row(n)) - y[n]
			add(next[g], -2*m.Rate*off/(float64(m.Samples)*size[g]), x.Row(n))
		}
	}
	return next
}

// place draws the groups' weights, one after the other, until each is far enough from those before it.
func (m *Mixture) place(s *rng.Stream) [][]float64 {
	const tries = 100000
	var best [][]float64
	common := make([]float64, m.Inputs)
	if m.Spread > 0 {
		s.Normals(common)
		scale(common, 1/length(common))
	}
	for range tries {
		v := make([]float64, m.Inputs)
		s.Normals(v)
		scale(v, 1/length(v))
		if m.Spread > 0 {
			scale(v, m.Spread)
			add(v, 1, common)
			scale(v, 1/length(v))
		}
		far := true
		for _, other := range best {
			far = far && SquareRootLoss(v, other, 0) >= m.Delta
		}
		if far {
			if best = append(best, v); len(best) == m.Groups {
				return best
			}
		}
	}
	panic("theory: no room for so many groups so far apart")
}

func rows(m *clusterer.Matrix) [][]float64 {
	out := make([][]float64, m.Rows)
	for i := range out {
		out[i] = m.Row(i)
	}
	return out
}
