package hcfl

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/algotest"
	"flockscope/sim/fl"
)

// TestEdits: who is alive, and what becomes of weights, as clusters split and are removed.
func TestEdits(t *testing.T) {
	tests := []struct {
		name    string
		log     edits
		alive   []int
		weights []float32 // of clusters 0 to 3, from 0.5, 0.3, 0.2, 0
	}{
		{"nothing", nil, []int{0, 1, 2}, []float32{0.5, 0.3, 0.2, 0}},
		{"split", edits{0, 3}, []int{0, 1, 2, 3}, []float32{0.25, 0.3, 0.2, 0.25}},
		{"gone", edits{0, gone}, []int{1, 2}, []float32{0, 0.6, 0.4, 0}},
		{"a number is given again", edits{1, gone, 2, 1}, []int{0, 1, 2}, []float32{0.5 / 0.7, 0.1 / 0.7, 0.1 / 0.7, 0}},
		{"split, and another goes", edits{0, 3, 1, gone}, []int{0, 2, 3}, []float32{0.25 / 0.7, 0, 0.2 / 0.7, 0.25 / 0.7}},
		{"merged", edits{2, merged(0)}, []int{0, 1}, []float32{0.7, 0.3, 0, 0}},
		{"merged twice", edits{2, merged(0), 0, merged(1)}, []int{1}, []float32{0, 1, 0, 0}},
	}
	for _, tt := range tests {
		if got := tt.log.active(nil, 3); !slices.Equal(got, tt.alive) {
			t.Errorf("%s: alive are %v, want %v", tt.name, got, tt.alive)
		}
		const stride = 2
		weights := []float32{0.5, -1, 0.3, -1, 0.2, -1, 0}
		tt.log.followWeights(weights, stride)
		for k, want := range tt.weights {
			if got := weights[k*stride]; !algotest.Near(float64(got), float64(want)) {
				t.Errorf("%s: weights %v, want %v", tt.name, weights, tt.weights)
				break
			}
		}
		if weights[1] != -1 || weights[3] != -1 || weights[5] != -1 {
			t.Errorf("%s: fold writes between the weights: %v", tt.name, weights)
		}
	}
}

// TestFoldInParts: it does not matter over how many visits a client hears of edits.
func TestFoldInParts(t *testing.T) {
	log := edits{0, 3, 1, gone, 3, 1, 2, merged(3), 0, gone}
	for cut := 0; cut <= len(log); cut += 2 {
		whole, parts := []float32{0.5, 0.3, 0.2, 0}, []float32{0.5, 0.3, 0.2, 0}
		log.followWeights(whole, 1)
		log[:cut].followWeights(parts, 1)
		log[cut:].followWeights(parts, 1)
		if !slices.Equal(whole, parts) {
			t.Errorf("cut at %d: %v, want %v", cut, parts, whole)
		}
	}
}

// TestWeighings: what becomes of three samples that two clusters explain with log
// L of (0, −1, −9) and (−4, −1, −1).
func TestWeighings(t *testing.T) {
	half := []float64{algotest.Sigmoid(4), algotest.Sigmoid(0), algotest.Sigmoid(-8)}
	mean := (half[0] + half[1] + half[2]) / 3
	tests := []struct {
		name  string
		weigh weighing
		gamma []float64 // of the first cluster
		omega float64
	}{
		{"the best of all", leastLoss{}, []float64{0, 0, 0}, 0},
		{"the best of each", countBest{}, []float64{1, 1, 0}, 2. / 3},
		{"expectation", clientWise{}, half, mean},
		{"sample by sample, which do not come again", sampleWise{0.4}, half, mean},
	}
	for _, tt := range tests {
		gamma, omega := [][]float32{{0, -1, -9}, {-4, -1, -1}}, []float32{0.5, 0.5}
		tt.weigh.weigh(gamma, omega, nil, make([]float64, 6)[:2])
		for j, want := range tt.gamma {
			if !algotest.Near(float64(gamma[0][j]), want) || !algotest.Near(float64(gamma[1][j]), 1-want) {
				t.Errorf("%s: γ = %v, want %v", tt.name, gamma, tt.gamma)
				break
			}
		}
		if !algotest.Near(float64(omega[0]), tt.omega) || !algotest.Near(float64(omega[1]), 1-tt.omega) {
			t.Errorf("%s: ω = %v, want %v", tt.name, omega, tt.omega)
		}
	}
}

// TestSampleWise follows equations 4 and 5 for some rounds, in plain formulas, and
// with μ = 0 is expectation maximisation of the client's weights.
func TestSampleWise(t *testing.T) {
	for _, memory := range []float64{0, 0.4, 1} {
		r := rand.New(rand.NewPCG(1, 1))
		const n = 5
		omega, own := []float32{0.5, 0.5}, make([]float32, 2*n)
		for j := range own {
			own[j] = 0.5
		}
		client, of := 0.5, [n]float64{0.5, 0.5, 0.5, 0.5, 0.5}
		plain := []float32{0.5, 0.5}
		for round := range 6 {
			gamma, again := [][]float32{make([]float32, n), make([]float32, n)}, [][]float32{make([]float32, n),
				make([]float32, n)}
			next, want := 0.0, [n]float64{}
			for j := range n {
				gamma[0][j], gamma[1][j] = -3*r.Float32(), -3*r.Float32()
				again[0][j], again[1][j] = gamma[0][j], gamma[1][j]
				gap := float64(gamma[0][j]) - float64(gamma[1][j])
				next += algotest.Sigmoid(gap+math.Log(client/(1-client))) / n
				want[j] = algotest.Sigmoid(gap + math.Log(of[j]/(1-of[j])))
			}
			client = next
			sampleWise{memory}.weigh(gamma, omega, own, make([]float64, 6)[:2])
			for j := range n {
				of[j] = memory*want[j] + (1-memory)*client
				if math.Abs(float64(gamma[0][j])-want[j]) > 1e-5 || math.Abs(float64(own[j])-of[j]) > 1e-5 {
					t.Fatalf("μ = %v, round %d: γ = %v and ω = %v, want %v and %v", memory, round, gamma[0], own[:n],
						want, of)
				}
			}
			if math.Abs(float64(omega[0])-client) > 1e-5 {
				t.Fatalf("μ = %v, round %d: ω̃ = %v, want %v", memory, round, omega, client)
			}
			clientWise{}.weigh(again, plain, nil, make([]float64, 2))
			if memory == 0 &&
				(!algotest.Near(float64(plain[0]), float64(omega[0])) ||
					!algotest.Near(float64(again[0][2]), float64(gamma[0][2]))) {
				t.Fatalf("μ = 0, round %d: ω̃ = %v, want %v as by expectation maximisation", round, omega, plain)
			}
		}
	}
}

// TestPrototypes: only classes that both clients have are compared, by the largest distance or
// by the mean one, and only any shift looks at the mean of all.
func TestPrototypes(t *testing.T) {
	// Rows: class 0, class 1, all.
	of := func(count []float32, features ...float32) *profile {
		return &profile{features: features, count: count}
	}
	tests := []struct {
		name               string
		a, b               *profile
		concept, any, mean float64
	}{
		{"alike", of([]float32{1, 1}, 1, 0, 0, 1, 1, 1), of([]float32{1, 1}, 2, 0, 0, 3, 2, 2), 0, 0, 0},
		{"names swapped", of([]float32{1, 1}, 1, 0, 0, 1, 1, 1), of([]float32{1, 1}, 0, 1, 1, 0, 1, 1), 1, 1, 1},
		{"one of two", of([]float32{1, 1}, 1, 0, 0, 1, 1, 1), of([]float32{1, 1}, 0, 1, 0, 1, 1, 1), 1, 1, 0.5},
		{"one in common", of([]float32{1, 1}, 1, 0, 0, 1, 1, 1), of([]float32{1, 0}, 0, 1, 0, 0, 1, 1), 1, 1, 1},
		{"other classes", of([]float32{5, 0}, 1, 0, 0, 0, 1, 0), of([]float32{0, 5}, 0, 0, 0, 1, 0, 1), 0, 1, 0},
		{"no features", of([]float32{1, 1}, 0, 0, 0, 0, 0, 0), of([]float32{1, 1}, 1, 0, 0, 1, 1, 1), 0, 0, 0},
		{"no classes", of(nil, 1, 0), of(nil, -1, 0), 0, 2, 0},
	}
	for _, tt := range tests {
		if got := (prototypes{}).between(tt.a, tt.b); !algotest.Near(got, tt.concept) {
			t.Errorf("%s: class by class %v, want %v", tt.name, got, tt.concept)
		}
		if got := (prototypes{any: true}).between(tt.b, tt.a); !algotest.Near(got, tt.any) {
			t.Errorf("%s: of any shift %v, want %v", tt.name, got, tt.any)
		}
		if got := (prototypes{mean: true}).between(tt.a, tt.b); !algotest.Near(got, tt.mean) {
			t.Errorf("%s: mean of the classes %v, want %v", tt.name, got, tt.mean)
		}
	}
}

// TestDivides: the largest distance against the mean over all entries, the zeros
// of the diagonal included.
func TestDivides(t *testing.T) {
	pair := clusterer.Matrix{Rows: 2, Cols: 2, Data: []float64{0, 0.4, 0.4, 0}}
	three := clusterer.Matrix{Rows: 3, Cols: 3, Data: []float64{0, 0.9, 0, 0.9, 0, 0, 0, 0, 0}}
	tests := []struct {
		name      string
		d         *clusterer.Matrix
		threshold float64
		want      bool
	}{
		{"two clients, 0.4 − 0.2", &pair, 0.19, true},
		{"two clients, too near", &pair, 0.21, false},
		{"three clients, 0.9 − 0.2", &three, 0.69, true},
		{"three clients, too near", &three, 0.71, false},
	}
	for _, tt := range tests {
		if got := (adaptation{threshold: tt.threshold}).divides(tt.d); got != tt.want {
			t.Errorf("%s: divides at %v: %v, want %v", tt.name, tt.threshold, got, tt.want)
		}
	}
}

// TestMerge: the most alike merge first; the one with fewer clients goes into the other,
// the later one on ties, and what has merged counts as all of its clients. They merge
// beyond τ while there are more than there may be.
func TestMerge(t *testing.T) {
	// Pulls at angles of 0 and 10 degrees are the most alike, and those at 90 and 120 next.
	at := func(degrees float64) []float32 {
		return []float32{float32(math.Cos(degrees * math.Pi / 180)), float32(math.Sin(degrees * math.Pi / 180))}
	}
	for _, tt := range []struct {
		name  string
		tau   float64
		label []int
		pulls []float64 // of the clusters
		want  edits
		most  int // clusters, 0 for many
	}{
		{"alike enough", 0.98, []int{0, 1}, []float64{0, 10}, edits{1, merged(0)}, 0},
		{"not alike enough", 0.99, []int{0, 1}, []float64{0, 10}, nil, 0},
		{"the smaller into the larger", 0.9, []int{0, 1, 1}, []float64{0, 10}, edits{0, merged(1)}, 0},
		{"a chain", 0.7, []int{0, 0, 1, 2, 2, 2}, []float64{0, 10, 45}, edits{1, merged(0), 2, merged(0)}, 0},
		{"a chain into the larger", 0.7, []int{0, 0, 1, 2, 2, 2, 2}, []float64{0, 10, 45}, edits{1, merged(0), 0, merged(2)}, 0},
		{"two pairs", 0.8, []int{0, 1, 2, 3}, []float64{0, 90, 10, 120}, edits{2, merged(0), 3, merged(1)}, 0},
		{"a cluster that nobody prefers", 0.9, []int{0, 2}, []float64{0, 0, 10}, edits{2, merged(0)}, 0},
		{"not alike, and too many", 0.99, []int{0, 1, 2}, []float64{0, 10, 90}, edits{1, merged(0)}, 2},
		{"too many, and one that nobody prefers", 0.99, []int{0, 2}, []float64{0, 0, 10}, edits{1, gone}, 2},
		{"as few as there may be", 0.99, []int{0, 1, 2}, []float64{0, 10, 90}, nil, 3},
	} {
		clients, models := len(tt.label), len(tt.pulls)
		s := &hcfl{tiers: tiers{adapt: adaptation{merge: true, tau: tt.tau, maxClusters: cmp.Or(tt.most, 64),
			distance: firstUpdates{}}},
			env: &fl.Env{Clients: clients, Models: models, Size: 2,
				Samples: make([]int, clients)}, profiles: make([]profile, clients),
			known: slices.Repeat([]bool{true}, clients)}
		s.merger = merger{clusters: make([]profile, models), into: make([]int, models)}
		for k := range models {
			s.active = append(s.active, k)
		}
		for i, k := range tt.label {
			s.profiles[i].anchorUpdate = at(tt.pulls[k])
		}
		bank := fl.NewBank(models, 2)
		r := fl.NewRound(fl.NewExchange(clients, &bank), &fl.Traffic{}, tt.label, 1, nil)
		if s.merge(r); !slices.Equal(s.log, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, s.log, tt.want)
		}
	}
}

// TestMergeFound: where τ is found, it lies between the cosines of clients of a group and
// of clients that are not, and clusters are compared by the mean cosine of their clients:
// mixtures of the same groups are not alike, though their means are.
func TestMergeFound(t *testing.T) {
	for _, tt := range []struct {
		name    string
		label   []int
		degrees []float64 // of the clients' features
		want    edits
	}{
		{"two clusters of a group", []int{0, 0, 1, 1, 2, 2}, []float64{0, 2, 1, 3, 90, 92}, edits{1, merged(0)}},
		{"three groups", []int{0, 0, 1, 1, 2, 2}, []float64{0, 2, 60, 62, 120, 122}, nil},
		{"mixtures", []int{0, 1, 0, 1}, []float64{0, 2, 90, 92}, nil},
		{"one kind of clients", []int{0, 1, 2}, []float64{30, 30, 30}, edits{1, merged(0), 2, merged(0)}},
	} {
		clients, models := len(tt.label), 3
		s := &hcfl{tiers: tiers{adapt: adaptation{merge: true, find: true, tau: -1, maxClusters: 64,
			distance: prototypes{any: true}}},
			env:    &fl.Env{Clients: clients, Models: models, Size: 2, Samples: slices.Repeat([]int{1}, clients)},
			active: []int{0, 1, 2}, profiles: make([]profile, clients), known: slices.Repeat([]bool{true}, clients)}
		s.merger = merger{clusters: make([]profile, models), into: make([]int, models)}
		for i, d := range tt.degrees {
			sin, cos := math.Sincos(d * math.Pi / 180)
			s.profiles[i].features = []float32{float32(cos), float32(sin)}
		}
		bank := fl.NewBank(models, 2)
		r := fl.NewRound(fl.NewExchange(clients, &bank), &fl.Traffic{}, tt.label, 1, nil)
		if s.merge(r); !slices.Equal(s.log, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, s.log, tt.want)
		}
	}
}

// newSplitter is a server in which clients 0 to 3 prefer cluster 0 and the others
// cluster 1, all with weight 1, and a round in which some have answered.
func newSplitter(d distance, answered ...int) (*hcfl, *fl.Round) {
	const clients, size = 7, 2
	adapt := adaptation{split: true, minClients: 2, threshold: 0.35, distance: d}
	s := &hcfl{tiers: tiers{weigh: clientWise{}, adapt: adapt},
		env: &fl.Env{Clients: clients, Models: 3, Size: size}, active: []int{0, 1},
		weights: newMixtures(clients, 3), profiles: make([]profile, clients), known: make([]bool, clients)}
	s.splitter.distance.Reshape(clients, clients)
	s.splitter.side = make([]int, clients)
	bank := fl.NewBank(3, size)
	x := fl.NewExchange(clients, &bank)
	r := fl.NewRound(x, &fl.Traffic{}, []int{0, 0, 0, 0, 1, 1, 1}, 1, nil)
	r.Replied = append(r.Replied, answered...)
	for i := range clients {
		s.known[i], s.weights.Row(i)[0], s.weights.Row(i)[1] = true, 1, 1
		x.Replies[i].Answer = make([]float32, 2*size)
	}
	return s, r
}

// TestWidest: of all clusters that with the largest distance is looked at, and splits
// only if that exceeds the mean by more than ρ (Algorithm 2, lines 21 and 22). In
// cluster 0 one pair of four clients is 0.5 apart, so the mean is 2·0.5/16 and the
// excess 0.4375; in cluster 1 all are 0.6 apart, and the excess is 0.6 − 3.6/9 = 0.2.
func TestWidest(t *testing.T) {
	for _, tt := range []struct {
		name      string
		zero, one float64 // largest distances in either cluster
		few       int
		want      int
		answered  []int
	}{
		{"the largest distance does not stand out", 0.5, 0.6, 2, -1, []int{0, 1, 2, 3, 4, 5, 6}},
		{"it stands out", 0.5, 0.4, 2, 0, []int{0, 1, 2, 3, 4, 5, 6}},
		{"a cluster too small to split is left out", 0.5, 0.6, 4, 0, []int{0, 1, 2, 3, 4, 5, 6}},
		{"nobody of one side has answered", 0.5, 0.4, 2, -1, []int{0, 4}},
		{"all are alike", 0, 0, 2, -1, []int{0, 1, 2, 3, 4, 5, 6}},
	} {
		s, r := newSplitter(prototypes{any: true}, tt.answered...)
		s.adapt.minClients = tt.few
		put := func(i, j int, d float64) {
			s.splitter.distance.Row(i)[j], s.splitter.distance.Row(j)[i] = d, d
		}
		put(0, 1, tt.zero)
		put(4, 5, tt.one)
		put(4, 6, tt.one)
		put(5, 6, tt.one)
		got := s.findSplit(r)
		if got != tt.want {
			t.Errorf("%s: cluster %d, want %d", tt.name, got, tt.want)
		}
		if got >= 0 && (s.splitter.side[0] == s.splitter.side[1] || s.splitter.side[4] != -1) {
			t.Errorf("%s: sides %v, want clients 0 and 1 apart and no others' but cluster 0's", tt.name,
				s.splitter.side)
		}
	}
}

// TestStanding: by norms, a cluster splits if its mean update is short and an update of one of its clients long. The
// updates of cluster 0, with four clients, are ±(1, 0), so that their mean is 0 until one of them is longer by d: then it is
// d/4, and the longest 1 + d.
func TestStanding(t *testing.T) {
	for _, tt := range []struct {
		name        string
		d           float32
		short, long float64
		few, want   int
		answered    []int
	}{
		{"it stands still, and its clients pull", 0.4, 0.11, 1.39, 3, 0, []int{0, 1, 2, 3}},
		{"its mean update is too long", 0.4, 0.09, 1.39, 3, -1, []int{0, 1, 2, 3}},
		{"no client has an update that is long enough", 0.4, 0.11, 1.41, 3, -1, []int{0, 1, 2, 3}},
		{"too few clients", 0.4, 0.11, 1.39, 5, -1, []int{0, 1, 2, 3}},
		{"those that replied count", 0.4, 0.11, 1.39, 4, -1, []int{0, 1, 2}},
	} {
		s, r := newSplitter(updates{}, tt.answered...)
		s.sum, s.adapt.norms = make([]float64, 2), true
		s.adapt.short, s.adapt.long, s.adapt.minClients = tt.short, tt.long, tt.few
		for i, first := range []float32{1 + tt.d, -1, 1, -1} {
			r.Answer(i)[0] = first
		}
		s.updateDistances(r)
		if got := s.findSplit(r); got != tt.want {
			t.Errorf("%s: cluster %d, want %d", tt.name, got, tt.want)
		} else if got == 0 && !slices.Equal(s.splitter.side[:4], []int{0, 1, 0, 1}) {
			t.Errorf("%s: sides %v, want those of either direction", tt.name, s.splitter.side)
		}
	}
}

// TestRefresh: distances are those of all pairs that answered together, whichever
// cluster they are in, unless they are between updates of a cluster's model.
func TestRefresh(t *testing.T) {
	for _, tt := range []struct {
		name   string
		of     distance
		across float64 // the distance between clients 0 and 4, of different clusters
	}{{"features", prototypes{any: true}, 1}, {"updates", updates{}, 0}} {
		s, r := newSplitter(tt.of, 0, 1, 4)
		for i, direction := range [][]float32{{1, 0}, {1, 0}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 1}} {
			s.profiles[i].features = direction
			copy(r.Answer(i)[2*r.Label[i]:], direction)
		}
		s.splitter.distance.Row(0)[1], s.splitter.distance.Row(1)[0] = 0.7, 0.7 // of an earlier round
		s.updateDistances(r)
		for _, pair := range []struct {
			i, j int
			want float64
		}{{0, 1, 0}, {0, 4, tt.across}, {1, 4, tt.across}, {0, 2, 0}, {2, 4, 0}} {
			got, back := s.splitter.distance.Row(pair.i)[pair.j], s.splitter.distance.Row(pair.j)[pair.i]
			if got != pair.want ||
				back != got {
				t.Errorf("%s: clients %d and %d are %v and %v apart, want %v", tt.name, pair.i, pair.j, got, back,
					pair.want)
			}
		}
	}
}

// TestFollow: what becomes of rows as two clusters become one.
func TestFollow(t *testing.T) {
	for _, tt := range []struct {
		name    string
		log     edits
		weights []float32
		want    []float32
	}{
		{"split", edits{0, 2}, nil, []float32{1, 2, 3, 4, 1, 2}},
		{"gone", edits{0, gone}, nil, []float32{0, 0, 3, 4, 0, 0}},
		{"masses are added", edits{1, merged(0)}, nil, []float32{4, 6, 0, 0, 0, 0}},
		{"shares are blended", edits{1, merged(0)}, []float32{0.2, 0.6, 0.2}, []float32{2.5, 3.5, 0, 0, 0, 0}},
		{"of nothing", edits{1, merged(0)}, []float32{0, 0, 1}, []float32{1, 2, 0, 0, 0, 0}},
	} {
		table := []float32{1, 2, 3, 4, 0, 0}
		tt.log.follow(table, 2, tt.weights)
		for j, want := range tt.want {
			if !algotest.Near(float64(table[j]), float64(want)) {
				t.Errorf("%s: %v, want %v", tt.name, table, tt.want)
				break
			}
		}
	}
}
