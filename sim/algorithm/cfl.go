package algorithm

import (
	"math"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

var sattler = registry.Citation{Authors: "Sattler, Müller, Samek",
	Title: "Clustered Federated Learning: Model-Agnostic Distributed Multitask Optimization Under Privacy Constraints",
	Venue: "IEEE Transactions on Neural Networks and Learning Systems", Year: 2021, URL: "https://arxiv.org/abs/1910.01991"}

func init() {
	Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:  "cfl",
			Title: "CFL",
			Doc:   "Everybody trains one model until it stands still; where single clients still pull at it, the cluster is split in two by the directions in which they pull.",
			By:    "cosines of updates; finds K", Sends: "an update", Counts: "samples",
			Paper: sattler.At("Algorithms 1 to 3"),
			Fields: training(
				param.Field{Name: "eps", Label: "Thresholds ε", Section: param.Models, Kind: param.Choice, Default: "absolute", PerLane: true, Advanced: true,
					Options: []param.Option{
						{Name: "absolute", Title: "lengths of updates", Fields: []param.Field{
							{Name: "eps1", Label: "Standstill ε₁", Section: param.Models, Kind: param.Float, Min: 0, Max: 1000, Low: 0.001, High: 2, Step: 0.001, Log: true, Default: "0.02", PerLane: true, Advanced: true,
								Doc: "A cluster stands still when its mean update is shorter. 0.02 suits the lines of CFL-GP's section 5.1; Sattler's code has 0.4, which suits pictures too."},
							{Name: "eps2", Label: "Unrest ε₂", Section: param.Models, Kind: param.Float, Min: 0, Max: 1000, Low: 0.001, High: 10, Step: 0.001, Log: true, Default: "0.6", PerLane: true, Advanced: true,
								Doc: "It is split if the longest update of a client is longer than this. 0.6 suits those lines; Sattler's code has 1.6."}}},
						{Name: "scaled", Title: "shares of the longest mean update so far", Fields: []param.Field{
							{Name: "rel1", Label: "Standstill ε₁", Section: param.Models, Kind: param.Float, Min: 0, Max: 10, Low: 0.01, High: 1, Step: 0.01, Log: true, Default: "0.1", PerLane: true, Advanced: true,
								Doc: "A cluster stands still when its mean update is shorter than this share; the paper's rule of thumb is a tenth."},
							{Name: "rel2", Label: "Unrest ε₂", Section: param.Models, Kind: param.Float, Min: 0, Max: 10, Low: 0.01, High: 10, Step: 0.01, Log: true, Default: "1", PerLane: true, Advanced: true,
								Doc: "It is split if the longest update of a client is longer than this share; the paper's rule of thumb is one to ten times ε₁."}}},
					},
					Doc: "In which unit mean and longest update are judged. Lengths depend on data, model and learning rate; shares do not."},
				param.Field{Name: "warm", Label: "Warm-up", Unit: "rounds", Section: param.Models, Kind: param.Int, Min: 0, Max: 1000, High: 50, Default: "5", PerLane: true, Advanced: true,
					Doc: "No cluster is split in the first rounds, up to and including this one, counted from 0. CFL-GP's copy waits for 5, Sattler's code for 20."},
				param.Field{Name: "link", Label: "Linkage", Section: param.Models, Kind: param.Choice, Default: "complete", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "complete", Title: "complete (the code)"}, {Name: "single", Title: "single (the paper)"}},
					Doc:     "How a cluster is split. Single linkage makes the two sides as unlike as can be, and may part one outlier from the rest; complete linkage keeps each side alike within."},
				param.Field{Name: "gmax", Label: "Approximation γ", Section: param.Models, Kind: param.Float, Min: 0, Max: 1, Step: 0.01, Default: "0", PerLane: true, Advanced: true,
					Doc: "Accept a split only if γ < √((1−α)/2), α being the greatest cosine across it; 0 accepts all, as the code does."},
				param.Field{Name: "missed", Label: "Members that miss a round", Section: param.Models, Kind: param.Choice, Default: "last", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "last", Title: "count with their last update"}, {Name: "wait", Title: "keep their cluster whole"}},
					Doc:     "Where not all clients take part in every round, a cluster is judged by the last update of each member, or only in rounds in which all members answer. The paper and its code have all clients answer."},
				fieldMost,
			),
			Steps: []registry.Step{
				{Name: fl.StepSend, Phase: registry.Broadcast, Code: "send each client the model of its cluster",
					Says:    "Client [client:client] receives model [k:model].",
					Formula: "θ_k", Numbers: "θ_{[k:model]} = [theta]"},
				{Name: fl.StepTrain, Phase: registry.Probe, Code: "each client i answers with its update Δθ_i",
					Says:    "Client [client:client] answers with its update of model [k:model]. It serves to learn and to compare.",
					Formula: "Δθ_i", Numbers: "Δθ_{[client:client]} = [gradient]"},
				{Name: "cosines", Phase: registry.Embed, Code: "compare the directions of all updates: cosines α",
					Says:    "The directions in which client [client:client] and the others pull, one after the other: 1 is the same, −1 the opposite.",
					Formula: "α_{i,j} = frac{⟨Δθ_i,Δθ_j⟩}{|Δθ_i| |Δθ_j|}", Numbers: "α_{[client:client]} = [cosines]"},
				{Name: "test", Phase: registry.Cluster, Code: "a cluster that stands still while some client still pulls is to be split",
					Says:    "The cluster of client [client:client], of [size]: its mean update has length [mean], standing still means below [eps1]; its longest has [longest], unrest means above [eps2].",
					Formula: "|mean_i Δθ_i| < ε_1 ∧ max_i |Δθ_i| > ε_2", Numbers: "[mean] < [eps1] ∧ [longest] > [eps2] ?"},
				{Name: "split", Phase: registry.Match, Code: "split it in two so that the largest cosine across is least; the second half gets a copy of the model",
					Says:    "The cluster splits. Its halves pull at most [cross] alike, as a cosine; [moved] clients go on with model [k:model], a copy.",
					Formula: "min_{c_1,c_2} max_{i∈c_1,j∈c_2} α_{i,j}", Numbers: "[cross]"},
				{Name: fl.StepDescend, Phase: registry.Update, Code: "each model follows the mean update of its cluster",
					Says:    "Model [k:model] moves along the mean update of its cluster.",
					Formula: "θ_k ← θ_k − γ · mean_{i∈c_k} Δθ_i", Numbers: "[new] ← [old] − [step] · [mean]"},
			},
		},
		Make: func(v param.Values, clients int) fl.Plan {
			s := &cfl{counting: counts(v, bySamples, oneClient), warm: v.Int("warm"), gamma: v.Float("gmax"), linkage: clusterer.Complete}
			if v.Text("link") == "single" {
				s.linkage = clusterer.Single
			}
			if s.scaled = v.Text("eps") == "scaled"; s.scaled {
				s.eps1, s.eps2 = v.Float("rel1"), v.Float("rel2")
			} else {
				s.eps1, s.eps2 = v.Float("eps1"), v.Float("eps2")
			}
			p := fl.Plan{Server: s, Models: min(v.Int("most"), clients), Evidence: fl.GradientFeatures}
			if s.last = v.Text("missed") == "last"; s.last {
				p.UpdatesKept = 1
			}
			return p
		},
	})
}

// cfl is the recursive bipartition of the paper, in the form of its code: the
// split test runs beside the training, once a round and cluster, and both halves
// go on from the model of the whole. CFL-GP calls it MADMO, CLoVE CFL-S.
//
// A cluster is the list of clients that share a label. The released notebook, and
// copies of it, number the members of a half within their parent and so mix up
// clients from the second split on; here a client keeps its number.
type cfl struct {
	counting   counting
	weights    []float64 // what each client counts
	linkage    clusterer.Linkage
	scaled     bool
	eps1, eps2 float64
	warm       int     // the last round without splits
	gamma      float64 // 0 for no test
	last       bool    // members that miss a round count with their last update

	used    int         // models that have or had clients
	peak    float64     // the longest mean update so far
	known   []bool      // clients that have been heard
	kept    [][]float32 // the last update of each client; nil where nobody's is kept
	judged  []int       // clients that are compared, ascending
	updates [][]float32 // of these
	norms   []float64   // of the updates
	sum     []float64   // of a cluster's updates
	members []int       // of a cluster, as places in judged

	cosines  clusterer.Matrix // of all that are judged
	within   clusterer.Matrix // of one cluster
	split    clusterer.Bipartition
	spectral clusterer.Spectral
	leading  clusterer.Matrix
	features clusterer.Matrix // clients × few
}

func (s *cfl) Start(env *fl.Env, label []int) {
	clear(label)
	c := env.Clients
	s.weights = s.counting.of(env.Samples)
	s.used, s.known = 1, make([]bool, c)
	s.updates, s.norms, s.members = make([][]float32, 0, c), make([]float64, c), make([]int, 0, c)
	s.judged, s.sum = make([]int, 0, c), make([]float64, env.Size)
	if s.last {
		s.kept = make([][]float32, c)
		for i := range s.kept {
			s.kept[i] = make([]float32, env.Size)
		}
	}
	s.features.Reshape(c, mapped)
	// The first split may come late, and is the largest: make room for it.
	s.within.Reshape(c, c)
	clear(s.within.Data)
	s.split.Fit(&s.within, s.linkage)
}

func (s *cfl) Round(r *fl.Round) {
	for _, i := range r.Participants {
		r.AskUpdate(i, r.Label[i])
	}
	r.Ask()
	if len(r.Replied) > 0 {
		s.compare(r)
		for k := range s.used { // halves are not halved again in the same round
			s.consider(r, k)
		}
	}
	// Both halves of a split take a step from the model of the whole, with the
	// updates that decided it.
	r.ApplyMean(s.weights)
}

// compare finds the cosines between the updates of this round, or the last ones of all
// clients that were ever heard (the paper's equation for α, all pairs).
func (s *cfl) compare(r *fl.Round) {
	s.judged, s.updates = s.judged[:0], s.updates[:0]
	for _, i := range r.Replied {
		s.known[i] = true
		if s.last {
			copy(s.kept[i], r.Update(i, 0))
			continue
		}
		s.judged, s.updates = append(s.judged, i), append(s.updates, r.Update(i, 0))
	}
	for i, kept := range s.kept {
		if s.known[i] {
			s.judged, s.updates = append(s.judged, i), append(s.updates, kept)
		}
	}
	n := len(s.updates)
	s.cosines.Reshape(n, n)
	kernel.Gram(s.cosines.Data, s.updates)
	for a := range n {
		s.norms[a] = math.Sqrt(max(0, s.cosines.Row(a)[a]))
	}
	clusterer.CosinesOfGram(&s.cosines)
	s.spectral.FitGram(&s.leading, &s.cosines, mapped)
	clear(s.features.Data)
	for a, i := range s.judged {
		copy(s.features.Row(i), s.leading.Row(a))
		if rec := r.Recorder(); rec.Follows(i) {
			rec.Note("cosines", fl.Floats("cosines", s.cosines.Row(a)))
		}
	}
	r.Reclustered = true
}

// consider splits cluster k if its mean update is short and one of its clients'
// is long (the paper's two conditions on ε₁ and ε₂), it has more than two members,
// and somebody of it has answered in this round, or everybody where last updates do
// not count.
func (s *cfl) consider(r *fl.Round, k int) {
	if !s.gather(r, k) {
		return
	}
	mean, longest := s.lengths(r)
	s.peak = max(s.peak, mean)
	eps1, eps2 := s.eps1, s.eps2
	if s.scaled {
		eps1, eps2 = s.eps1*s.peak, s.eps2*s.peak
	}
	rec := r.Recorder()
	if rec != nil && r.Label[rec.Client] == k {
		rec.Note("test", fl.Whole("size", len(s.members)), fl.Number("mean", mean), fl.Number("longest", longest), fl.Number("eps1", eps1), fl.Number("eps2", eps2))
	}
	if r.T <= s.warm || s.used == r.Bank.Models() || len(s.members) <= 2 || !(mean < eps1 && longest > eps2) {
		return
	}
	n := len(s.members)
	s.within.Reshape(n, n)
	for a, at := range s.members {
		for b, other := range s.members {
			s.within.Row(a)[b] = s.cosines.Row(at)[other]
		}
	}
	s.split.Fit(&s.within, s.linkage)
	if s.gamma > 0 && !(s.gamma < math.Sqrt((1-s.split.Cross)/2)) {
		return
	}
	if rec != nil && r.Label[rec.Client] == k {
		rec.Note("split", fl.Number("cross", s.split.Cross), fl.Whole("moved", count(s.split.Labels, 1)), fl.Whole("k", s.used))
	}
	for a, at := range s.members {
		if s.split.Labels[a] == 1 {
			r.Label[s.judged[at]] = s.used
		}
	}
	copy(r.Bank.Model(s.used), r.Bank.Model(k))
	s.used++
}

// count returns how often v stands in list.
func count(list []int, v int) (n int) {
	for _, w := range list {
		if w == v {
			n++
		}
	}
	return n
}

// gather lists the members of cluster k that are compared, and reports whether the
// cluster can be judged by them.
func (s *cfl) gather(r *fl.Round, k int) bool {
	s.members = s.members[:0]
	for at, i := range s.judged {
		if r.Label[i] == k {
			s.members = append(s.members, at)
		}
	}
	size, answered := 0, false
	for i, label := range r.Label {
		if label == k && s.known[i] {
			size++
		}
	}
	for _, i := range r.Replied {
		answered = answered || r.Label[i] == k
	}
	return answered && len(s.members) == size
}

// lengths returns the length of the members' mean update, and of their longest.
// In the paper clients count by their samples in the mean, in its code once each.
func (s *cfl) lengths(r *fl.Round) (mean, longest float64) {
	clear(s.sum)
	total := 0.0
	for _, at := range s.members {
		w := s.weights[s.judged[at]]
		kernel.Accumulate(s.sum, w, s.updates[at])
		total += w
		longest = max(longest, s.norms[at])
	}
	for _, v := range s.sum {
		mean += float64(v * v)
	}
	return math.Sqrt(mean) / total, longest
}

// Embedding returns the leading features of the directions of the last updates:
// their inner products are the cosines, as far as so few dimensions go.
func (s *cfl) Embedding() *clusterer.Matrix { return &s.features }

// mapped is the number of features that are kept for the map of methods that
// compare clients pair by pair.
const mapped = 3
