package hcfl

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
)

// newHCFL returns a plan with the given number of clusters at the start.
func newHCFL(clients, start, rounds int, rule method.Counting, t tiers) fl.Plan {
	if by, ok := t.assigns(); ok && by == byProcedure {
		start = 1
	}
	if t.bottomUp() {
		start = min(t.adapt.maxClusters, clients)
	}
	most := start
	if t.adapt.split {
		most = max(start, min(t.adapt.maxClusters, clients))
	}
	answer := most
	if t.heads {
		answer = 2 // a trunk; heads and features are small in comparison
	}
	by, hard := t.assigns()
	if hard {
		answer = min(answer, 2)
	}
	server := &hcfl{tiers: t, start: start, rounds: rounds, counting: rule, classes: classes{models: most},
		inputs:           serverDensity{inputDensity: t.form.inputs()},
		bottomUpClusters: grouping.Agglomerative{Tau: t.adapt.tau, Find: t.adapt.find, Clusters: most}}
	device := &hcflClient{tiers: t, start: start, most: most}
	plan := fl.Plan{Algorithm: server, Models: most, Device: ensemble{device}, AnswerModels: answer, Refuse: t.refuse,
		SharesTrunk: t.heads}
	if _, one := t.weigh.(leastLoss); one || hard {
		plan.Device = device // a client uses only the model of its label
	}
	if t.comparesFirst() {
		plan.UpdatesKept = 1
	}
	if t.comparesFirst() || hard && by != byProcedure {
		plan.Algorithm, plan.Evidence = &embedding{server}, fl.GradientFeatures
	}
	return plan
}

// embedding is an hcfl that compares clients on the server.
type embedding struct{ *hcfl }

// Embedding returns the data by which clients are assigned, or else the leading features of their anchor updates.
func (s *embedding) Embedding() *clusterer.Matrix {
	if by, ok := s.assigns(); ok && by != byProcedure {
		return &s.hardAssigner.points
	}
	return s.bottomUpClusters.Embedding()
}

func (s *hcfl) Start(env *fl.Env, label []int) {
	s.env, s.counted = env, s.counting.Of(env.Samples)
	clear(label)
	if s.heads {
		s.low = env.Head.Lo
	}
	// A round splits at most one cluster, so no more clusters can be removed than existed or were added.
	s.log = make(edits, 0, 2*(2*s.rounds+env.Models))
	s.active = s.log.active(make([]int, 0, env.Models+1), s.start)
	s.weights, s.row = newMixtures(env.Clients, env.Models), make([]float32, env.Models)
	clear(s.row)
	numeric.Uniform(s.row[:s.start])
	by, hard := s.assigns()
	if hard {
		clear(s.row[1:])
		s.row[0] = 1
	}
	for i := range label {
		s.weights.set(i, s.row)
	}
	if s.comparesFirst() {
		s.bottomUpClusters.Start(env, 0)
	}
	s.hardAssigner = hardAssigner{reported: make([]bool, env.Clients), trained: make([]int, env.Clients),
		placed: make([]bool, env.Clients)}
	if hard && by == byModels {
		s.hardAssigner.first = make([][]float32, env.Clients)
		s.hardAssigner.old, s.hardAssigner.difference = make([]float32, env.Models*env.Size), make([]float32, s.head())
		s.hardAssigner.points.Reshape(env.Clients, env.Models)
		clear(s.hardAssigner.points.Data)
	}
	s.merger = merger{clusters: make([]profile, env.Models), into: make([]int, env.Models)}
	s.classes.start(env.Clients)
	s.profiles, s.known = make([]profile, env.Clients), make([]bool, env.Clients)
	s.sum = make([]float64, env.Size)
	s.splitter.distance.Reshape(env.Clients, env.Clients)
	clear(s.splitter.distance.Data)
	s.splitter.side = make([]int, env.Clients)
	s.splitter.members = make([]int, 0, env.Clients)
}

// startAlike makes all models start as copies where the server assigns clients, and otherwise copies only the trunk.
func (s *hcfl) startAlike(b *fl.Bank) {
	alike := s.low
	if _, hard := s.assigns(); hard {
		alike = s.env.Size
	}
	for k := range b.Models() {
		copy(b.Model(k)[:alike], b.Model(0))
	}
}
