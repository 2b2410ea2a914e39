package hcfl

import (
	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/grouping"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/algorithm/internal/numeric"
	"flockscope/sim/fl"
	"flockscope/sim/kernel"
)

// hcfl is Algorithm 1: an update of every cluster from every client, their means,
// and then the clusters that split or go.
type hcfl struct {
	tiers
	start, rounds int
	counting      method.Counting

	env              *fl.Env
	counted          []float64 // what each client counts, but for its weight of a cluster
	low              int       // heads begin here; 0 if clusters share nothing
	active           []int
	log              edits
	broadcast        []float32
	weights          *mixtures // ω̃, as heard last, and the edits since
	row              []float32 // a client's weights, on their way in and out
	masses           []float32
	classes          classes
	profiles         []profile
	known            []bool
	sum              []float64
	splitter         splitter
	inputs           serverDensity
	bottomUpClusters grouping.Agglomerative
	hardAssigner     hardAssigner
	merger           merger
}

// newHCFL plans clusters that are so many at the start.
func newHCFL(clients, start, rounds int, rule method.Counting, t tiers) fl.Plan {
	if by, ok := t.assigns(); ok && by == byProcedure {
		start = 1
	}
	if t.bottomUp() {
		start = min(t.adapt.most, clients)
	}
	most := start
	if t.adapt.split {
		most = max(start, min(t.adapt.most, clients))
	}
	answer := most
	if t.heads {
		answer = 2 // a trunk, and heads and features that hardly count beside it
	}
	by, puts := t.assigns()
	if puts {
		answer = min(answer, 2)
	}
	server := &hcfl{tiers: t, start: start, rounds: rounds, counting: rule, classes: classes{models: most},
		inputs:           serverDensity{inputDensity: t.form.inputs()},
		bottomUpClusters: grouping.Agglomerative{Tau: t.adapt.tau, Find: t.adapt.find, Clusters: most}}
	device := &hcflClient{tiers: t, start: start, most: most}
	plan := fl.Plan{Algorithm: server, Models: most, Device: ensemble{device}, AnswerModels: answer, Refuse: t.refuse}
	if _, one := t.weigh.(leastLoss); one || puts {
		plan.Device = device // a client uses the model that its label names, and no other
	}
	if t.comparesFirst() {
		plan.UpdatesKept = 1
	}
	if t.comparesFirst() || puts && by != byProcedure {
		plan.Algorithm, plan.Evidence = &embedding{server}, fl.GradientFeatures
	}
	return plan
}

// embedding is an hcfl that has something to show of how clients compare.
type embedding struct{ *hcfl }

// Embedding returns what clients are put into clusters by, or else how like each
// other they pull.
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
	// A round splits one cluster at most, so no more can go than there were and
	// have come.
	s.log = make(edits, 0, 2*(2*s.rounds+env.Models))
	s.active = s.log.active(make([]int, 0, env.Models+1), s.start)
	s.weights, s.row = newMixtures(env.Clients, env.Models), make([]float32, env.Models)
	clear(s.row)
	numeric.Uniform(s.row[:s.start])
	by, puts := s.assigns()
	if puts {
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
	if puts && by == byModels {
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

func (s *hcfl) Round(r *fl.Round) {
	by, puts := s.assigns()
	if r.T == 0 {
		alike := s.low
		if puts {
			alike = s.env.Size
		}
		for k := range r.Bank.Models() {
			copy(r.Bank.Model(k)[:alike], r.Bank.Model(0))
		}
	}
	if s.inputs.inputDensity != nil && !s.inputs.ask(r, s.counted) || !s.askFirst(r) {
		return
	}
	s.ask(r)
	old := s.notedWeights(r)
	for _, i := range r.Replied {
		s.readAnswer(r, i)
	}
	if s.inputs.inputDensity != nil {
		s.inputs.update(s.inputs.widen)
	}
	if puts && by == byModels && !s.assignNearest(r) {
		return
	}
	s.noteWeights(r, old)
	split, into := -1, -1
	if s.adapt.split {
		s.updateDistances(r)
	}
	if s.adapt.split && len(s.active) < s.env.Models {
		s.noteDistances(r)
		if split = s.findSplit(r); split >= 0 {
			into = s.unused()
		}
	}
	s.move(r, split, into)
	s.adaptClusters(r, split, into)
	s.hardAssigner.starting = s.hardAssigner.starting[:0]
	clear(s.hardAssigner.first)
	s.classes.updateShares()
}

// Broadcast returns what every client is told beside models: the number of edits, the edits, and the
// shares of classes in the clusters alive or the Gaussians of inputs. It is good until the next round.
func (s *hcfl) Broadcast() []float32 {
	_, puts := s.assigns()
	s.broadcast = append(append(s.broadcast[:0], float32(len(s.log))), s.log...)
	if !puts && s.form.counts() && len(s.classes.sum) > 0 {
		per := len(s.classes.sum) / s.env.Models
		for _, k := range s.active {
			s.broadcast = append(s.broadcast, s.classes.shares[k*per:(k+1)*per]...)
		}
	}
	s.broadcast = append(s.broadcast, s.inputs.gaussians...)
	return s.broadcast
}

// ask tells every client what there is to tell, and sends it the models.
func (s *hcfl) ask(r *fl.Round) {
	_, puts := s.assigns()
	copy(s.hardAssigner.trained, r.Label)
	told := s.Broadcast()
	for _, i := range r.Participants {
		switch k := r.Label[i]; {
		case puts && s.hasFirstRequest() && !s.hardAssigner.reported[i]:
			continue
		case puts:
			r.AskCall(i, emAssign+k, told, k)
		default:
			r.AskCall(i, emTrain, told, s.active...)
		}
	}
	r.Ask()
}

// FreeDown: edits are whole numbers, and of several models the trunk goes once.
func (s *hcfl) FreeDown(r *fl.Round, i int) int64 {
	switch t := &r.Exchange.Tasks[i]; {
	case t.Call == emTrain:
		return int64(1 + len(s.log) + (len(t.Models)-1)*s.low)
	case t.Call >= emAssign:
		return int64(1 + len(s.log))
	}
	return 0
}

// FreeUp: the number of classes is a whole one, a client has not trained the heads of
// clusters that are nothing to it, nor has it features of classes without samples, and
// its weights are its own unless the server uses them.
func (s *hcfl) FreeUp(r *fl.Round, i int) int64 {
	t := &r.Exchange.Tasks[i]
	if t.Call != emTrain && t.Call < emAssign {
		return 0
	}
	models, head := len(t.Models), s.head()
	rest := r.Answer(i)[s.low+models*head:]
	per, free := int(rest[0]), 1
	rest = rest[1:]
	if t.Call == emTrain {
		for _, w := range rest[:models] {
			if w == 0 {
				free += head
			}
		}
		if !s.needsWeights() {
			free += models
		}
		rest = rest[models:]
	}
	if s.comparesFeatures() {
		masses, features := rest[:models*per], rest[models*per:]
		width := (len(features) - s.inputs.perAnswer()) / (per + 1)
		for c := range per {
			held := float32(0)
			for a := range models {
				held += masses[a*per+c]
			}
			if held == 0 {
				free += width
			}
		}
	}
	return int64(free)
}

// needsWeights reports whether the server uses how clients weigh clusters: to weigh
// updates, or to tell which clusters split, go or merge. Of clients that have one
// cluster it knows by which one they trained.
func (s *hcfl) needsWeights() bool {
	_, one := s.weigh.(leastLoss)
	return !one && (s.counting.Weight || s.adapt.split || s.adapt.remove || s.adapt.merge)
}

// readAnswer takes the parts of a client's answer behind the updates: the number of classes,
// weights, masses of the classes, features, Gaussians.
func (s *hcfl) readAnswer(r *fl.Round, i int) {
	_, puts := s.assigns()
	trained := s.active
	if puts {
		trained = s.hardAssigner.trained[i : i+1]
	}
	rest := r.Answer(i)[s.low+len(trained)*s.head():]
	per := int(rest[0])
	rest = rest[1:]

	s.known[i], r.Reclustered = true, true
	if !puts {
		clear(s.row)
		for a, k := range s.active {
			s.row[k] = rest[a]
		}
		r.Label[i] = s.weights.set(i, s.row)
		rest = rest[len(s.active):]
	}

	p := &s.profiles[i]
	s.masses, p.count = sized(s.masses, s.env.Models*per), sized(p.count, per)
	clear(s.masses)
	clear(p.count)
	for a, k := range trained {
		for c, f := range rest[a*per : (a+1)*per] {
			s.masses[k*per+c] = f
			p.count[c] += f
		}
	}
	s.classes.set(i, s.masses)
	rest = rest[len(trained)*per:]
	if s.inputs.inputDensity != nil {
		features := len(rest) - s.inputs.perAnswer()
		s.inputs.add(rest[features:], s.counted[i])
		rest = rest[:features]
	}
	p.features = append(p.features[:0], rest...)
}

// sized returns s if its length is n, and n zeros otherwise.
func sized(s []float32, n int) []float32 {
	if len(s) != n {
		return make([]float32, n)
	}
	return s
}

// head is the number of parameters that clusters have for themselves.
func (s *hcfl) head() int { return s.env.Size - s.low }

// move takes every cluster along the mean update of its head, and the trunk along
// the mean of its updates. Clients to whom a cluster is nothing do not count for
// it. Where one is to split, its head follows one side of its clients, and that of
// the new cluster the other.
func (s *hcfl) move(r *fl.Round, split, into int) {
	if split >= 0 {
		copy(r.Bank.Model(into), r.Bank.Model(split))
	}
	_, puts := s.assigns()
	for a, k := range s.active {
		update := func(i int) []float32 {
			if puts {
				return s.updateOf(r, i, k)
			}
			return s.update(r, i, a)
		}
		if k == split {
			s.applyMean(r, r.Bank.Model(into)[s.low:], update,
				func(i int) float64 { return s.weightIn(i, k, s.splitter.side[i] == 1) })
		}
		before := noteBefore(r, k, r.Bank.Model(k)[s.low:])
		total := s.applyMean(r, r.Bank.Model(k)[s.low:], update,
			func(i int) float64 { return s.weightIn(i, k, k != split || s.splitter.side[i] == 0) })
		s.noteStep(r, k, before, total)
	}
	trunk := r.Bank.Model(0)[:s.low]
	s.applyMean(r, trunk, func(i int) []float32 { return s.answer(r, i)[:s.low] }, func(i int) float64 {
		return s.counted[i]
	})
	for k := range r.Bank.Models() {
		copy(r.Bank.Model(k), trunk)
	}
}

// update returns what client i answered for the a-th of the clusters that it trained.
func (s *hcfl) update(r *fl.Round, i, a int) []float32 {
	head := s.head()
	return s.answer(r, i)[s.low+a*head : s.low+(a+1)*head]
}

// answer is what counts of client i: its answer of this round, or in the round in which
// clusters begin the updates that it was heard with last.
func (s *hcfl) answer(r *fl.Round, i int) []float32 {
	if first := s.hardAssigner.first; first != nil && first[i] != nil {
		return first[i]
	}
	return r.Answer(i)
}

// weightIn is what client i weighs in the mean of cluster k.
func (s *hcfl) weightIn(i, k int, among bool) float64 {
	weight := s.weights.Row(i)[k]
	switch {
	case !among || weight == 0:
		return 0
	case s.counting.Weight:
		return float64(weight * s.counted[i])
	default:
		return s.counted[i]
	}
}

// applyMean moves params along a weighted mean over the clients that answered, and
// returns what these weigh.
func (s *hcfl) applyMean(r *fl.Round, params []float32, update func(i int) []float32,
	weight func(i int) float64) (total float64) {
	sum := s.sum[:len(params)]
	clear(sum)
	of := r.Replied
	if len(s.hardAssigner.starting) > 0 {
		of = s.hardAssigner.starting
	}
	for _, i := range of {
		if w := weight(i); w > 0 {
			kernel.Accumulate(sum, w, update(i))
			total += w
		}
	}
	if total > 0 {
		kernel.Descend(params, sum, r.Step, total)
	}
	return total
}

// Mixture returns the clients' weights.
func (s *hcfl) Mixture() *clusterer.Matrix { return &s.weights.Matrix }
