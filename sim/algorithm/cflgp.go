package algorithm

import (
	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/sim/rng"
)

func init() {
	Registry.Register(registry.Entry[fl.Maker]{
		Meta: registry.Meta{
			Name:  "cflgp",
			Title: "CFL-GP",
			Doc:   "The server averages each client's gradients over the rounds, on models that all clients receive in turn, and clusters their leading directions.",
			By:    "averages of gradients at common models; K given or found", Sends: "an update; now and then a second, of a common model", Counts: "clients",
			Paper: registry.CFLGP.At("Algorithms 1 to 3"),
			Fields: training(fieldK,
				param.Field{Name: "P", Label: "Clustering period P", Section: param.Models, Kind: param.Int, Min: 2, Max: 100, High: 20, Low: 2, Default: "2", PerLane: true, Advanced: true,
					Doc: "The server clusters in every P-th round. With P = 1 the paper's rule t mod P = 1 never holds."},
				param.Field{Name: "beta", Label: "Memory β", Section: param.Models, Kind: param.Choice, Default: "mean", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "mean", Title: "average of all gradients"}, {Name: "1", Title: "newest gradient only"}},
					Doc:     "Keep the average of all gradients so far, or only the newest (β = 1, the paper's ablation)."},
				param.Field{Name: "fold", Label: "Gradients are", Section: param.Models, Kind: param.Choice, Default: "mean", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "mean", Title: "averaged"}, {Name: "sum", Title: "added up, as printed"}},
					Doc:     "Algorithm 1 adds up a cluster's gradients; its code averages them. Added up, the step grows with the cluster, and models blow up once learning rate × clients is above 2/L."},
				param.Field{Name: "cr", Label: "Compression", Section: param.Models, Kind: param.Int, Min: 1, Max: 100000, Low: 1, High: 10000, Log: true, Default: "1", PerLane: true, Advanced: true,
					Doc: "Compare gradients at one in so many parameters, drawn at random once (appendix E.1). Less to send and to keep; training is not touched."},
				param.Field{Name: "layer", Label: "Compare", Section: param.Models, Kind: param.Choice, Default: "all", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "all", Title: "all layers"}, {Name: "head", Title: "the last layer alone"}},
					Doc:     "Which part of a network gradients are compared at (appendices E.2 and F.7)."},
				param.Field{Name: "trunk", Label: "Layers before the last", Section: param.Models, Kind: param.Choice, Default: "own", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "own", Title: "each model's own"}, {Name: "common", Title: "common to all models"}},
					Doc:     "Clusters may share what comes before the last layer, or an autoencoder's encoder (appendices E.2, F.6 and F.7)."},
				param.Field{Name: "stop", Label: "Stop rule", Section: param.Models, Kind: param.Switch, Default: "0", PerLane: true, Advanced: true,
					Doc: "Stop clustering when no client was moved for T/10 rounds. It saves traffic and can freeze a mistake."},
				param.Field{Name: "tcl", Label: "Clustering ends", Section: param.Models, Kind: param.Int, Min: 0, Max: 5000, High: 200, Default: "0", PerLane: true, Advanced: true,
					Doc: "The round from which on the server clusters no more (T_cl); 0 for none. The released code has 10."},
				param.Field{Name: "meet", Label: "Newcomers", Section: param.Models, Kind: param.Choice, Default: "turn", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "turn", Title: "learn the models in turn"}, {Name: "once", Title: "try all models at once"}},
					Doc:     "A client that first comes when the others are clustered already may try all models at once and join the cluster of the nearest mean features. When clustering is over all newcomers do. The paper leaves them open."},
				fieldFindK,
				param.Field{Name: "as", Label: "Rounds as in", Section: param.Models, Kind: param.Choice, Default: "paper", PerLane: true, Advanced: true,
					Options: []param.Option{{Name: "paper", Title: "the paper"}, {Name: "released", Title: "the released code"}},
					Doc:     "The code that was released compares gradients of each client's own model, clusters before the update and keeps one block. It finds less than the paper's algorithm."},
				fieldStart,
			),
			Steps: []registry.Step{
				{Name: fl.StepSend, Phase: registry.Broadcast, Lines: "3, 7", Code: "send each client its model; in a clustering round also k̄, the next in turn, to all",
					Says:    "Client [client:client] receives model [k:model].",
					Formula: "θ_k, k = k_c; θ_{bar k}"},
				{Name: fl.StepFeature, Phase: registry.Probe, Lines: "7", Code: "all clients send their gradient of the common model k̄",
					Says:    "The common model of this round is [k:model]. Client [client:client] sends its gradient of it, to be compared by.",
					Formula: "∇f(X_c,θ_{bar k})", Numbers: "∇f(X_{[client:client]},θ_{[k:model]}) = [gradient]"},
				{Name: fl.StepTrain, Phase: registry.Update, Lines: "3", Code: "clients send their gradient of their own model",
					Says:    "Client [client:client] sends its gradient of its own model, [k:model].",
					Formula: "∇f(X_c,θ_k)", Numbers: "∇f(X_{[client:client]},θ_{[k:model]}) = [gradient]"},
				{Name: fl.StepDescend, Phase: registry.Update, Lines: "4", Code: "each model follows the mean gradient of its cluster (the paper prints the sum)",
					Says:    "Model [k:model] moves along the mean gradient of its cluster, or along their sum, as set.",
					Formula: "θ_k ← θ_k − γ · mean_{c∈S_k} ∇f(X_c,θ_k)", Numbers: "[new] ← [old] − [step] · [mean]"},
				{Name: "mix", Phase: registry.Embed, Lines: "8–9", Code: "mix the new gradient into the client's memory of model k̄; leave the others",
					Says:    "The memory of client [client:client] for model [k:model] takes in the new gradient: it is the mean of [taken] by now.",
					Formula: "g_{c,bar k} ← (1−β) g_{c,bar k} + β ∇f(X_c,θ_{bar k})", Numbers: "[new] ← [keep] [old] + [beta] [gradient]"},
				{Name: "project", Phase: registry.Embed, Lines: "10 · 1", Code: "project all memories onto their K leading singular directions",
					Says:    "Seen along the leading directions of all memories, client [client:client] is a point of [size] numbers: its place on the map.",
					Formula: "r_c = U^⊤ g_c", Numbers: "r_{[client:client]} = [point]"},
				{Name: "cluster", Phase: registry.Cluster, Lines: "10 · 2", Code: "k-means on these points",
					Says:    "k-means puts client [client:client] with the nearest of the means.",
					Formula: "z_c = argmin_z |r_c − h_z|", Numbers: "|[point] − [mean]| = [distance]"},
				{Name: "match", Phase: registry.Match, Lines: "10 · 3–4", Code: "name the clusters so that as many clients as possible keep their model",
					Says:    "Named so that most clients keep their model, its cluster is [k:model]; the client had [before:model].",
					Formula: "k_c ← ψ(z_c)", Numbers: "[before:model] → [k:model]"},
			},
		},
		Make: func(v param.Values, clients int) fl.Plan {
			s := &cflgp{counting: counts(v, byClients, oneClient), compression: v.Int("cr"), period: v.Int("P"), newest: v.Text("beta") == "1", head: v.Text("layer") == "head", end: v.Int("tcl"),
				greet: v.Text("meet") == "once", released: v.Text("as") == "released", sum: v.Text("fold") == "sum" && v.Text("avg") != "model", alike: v.Text("start") == "same"}
			if v.Text("trunk") == "common" {
				s.trunk = new(trunk)
			}
			if v.Switch("stop") {
				s.patience = max(v.Int("T")/10, s.period)
			}
			models := v.Int("K")
			if by := v.Text("findk"); by != "given" {
				models = min(v.Int("most"), clients)
				s.finder = &finder{by: by, warm: v.Int("solo"), most: models}
			}
			return fl.Plan{Server: s, Models: models, Evidence: fl.GradientFeatures, UpdatesKept: models, Compression: s.compression, Streams: !s.released}
		},
	})
}

// cflgp is Algorithms 1 to 3 of the paper: model update, gradient features of
// a common model taken in turn, clustering.
type cflgp struct {
	period      int     // P
	newest      bool    // β_t = 1
	patience    int     // rounds without a move until clustering stops; 0 for never
	end         int     // rounds after which it stops, T_cl; 0 for never
	compression int     // one in so many parameters is compared
	head        bool    // only the head's parameters are
	greet       bool    // newcomers are placed at once
	released    bool    // rounds as in the released code
	sum         bool    // gradients are added up; models are averaged by Algorithm 4, too
	alike       bool    // models at the start
	trunk       *trunk  // nil: no part of the models is common
	finder      *finder // nil: K is given, or has been found
	counting    counting
	weights     []float64 // what each client counts
	typical     float64   // the mean of these

	env       *fl.Env
	models    int // K: those in use
	gradients *memory
	features  clusterer.Matrix // Rᵀ: clients × K
	heard     clusterer.Matrix // the rows of clients that have been heard, while some have not
	kmeans    clusterer.KMeans
	assigner  clusterer.Assigner
	stream    rng.Stream
	previous  []int
	known     []bool // clients that have been heard
	lost      []bool // newcomers whose gradients are not finite
	taken     []int  // K × C: gradients in each block
	found     []int  // labels of the clients that have been heard, new and old
	before    []int
	part      []float32 // room for an update's coordinates; nil where features have all
	means     means     // of features, where newcomers are placed

	common    int   // k̄: the model whose gradients are taken next
	gathering bool  // gradients are taken in this round
	late      []int // clients whose are taken last
	clustered int   // number of clusterings so far
	unchanged int   // rounds since a client was last moved
	frozen    bool
}

func (s *cflgp) Start(env *fl.Env, label []int) {
	s.env, s.models, s.weights, s.typical = env, env.Models, s.counting.of(env.Samples), 0
	for _, w := range s.weights {
		s.typical += w / float64(env.Clients)
	}
	of := model.Segment{Hi: env.Size}
	if s.head {
		of = env.Head
	}
	if s.compression > 1 || of.Len() < env.Size {
		env.Exchange.Coordinates = coordinates(env, of, max(1, of.Len()/s.compression))
		s.part = make([]float32, env.Exchange.Width())
	}
	s.gradients = newMemory(env.Clients, env.Models, env.Exchange.Width())
	s.features.Reshape(env.Clients, env.Models)
	s.previous, s.found, s.before = make([]int, env.Clients), make([]int, env.Clients), make([]int, env.Clients)
	s.late = make([]int, 0, env.Clients)
	s.known, s.lost, s.taken = make([]bool, env.Clients), make([]bool, env.Clients), make([]int, env.Clients*env.Models)
	if s.alike {
		startAlike(env.Exchange.Bank)
	}
	if s.trunk != nil {
		s.trunk.start(env)
		s.trunk.join(env.Exchange.Bank, nil, nil)
	}
	if s.finder != nil {
		s.models = 1
	}
	// The paper takes the first clusters as given; a random start shows
	// that they do not matter. The released code has all query model 0.
	for i := range label {
		s.stream.Reset(env.Seed, rng.Labels, i, 0)
		if label[i] = 0; !s.released {
			label[i] = s.stream.IntN(s.models)
		}
	}
}

func (s *cflgp) Round(r *fl.Round) {
	if s.end > 0 && r.T >= s.end && !s.frozen {
		s.frozen, r.Stopped = true, true
	}
	s.welcome(r)
	clustering := s.clusters(r.T)
	s.gathering = clustering
	s.Open(r, r.T)
	r.AskFor(s)
	if s.released && clustering {
		s.blend(r)
		s.cluster(r)
	}
	if s.sum { // of so many clients, whatever these count by
		r.ApplySum(s.typical)
	} else {
		r.ApplyMean(s.weights)
	}
	if s.trunk != nil {
		s.trunk.join(r.Bank, r.Label, s.weights)
	}
	if s.finder == nil { // else one model may become several
		r.Foretell(clustering)
	}
	if clustering && !s.released {
		s.accumulated(r)
		if s.finder == nil || s.find(r) {
			s.cluster(r)
		}
	}
	s.watch(r, clustering)
}

// clusters reports whether round t is one with a clustering.
func (s *cflgp) clusters(t int) bool {
	if s.released {
		return !s.frozen && t%s.period == 0
	}
	return !s.frozen && t%s.period == 1
}

// Open asks all clients for their updates, and for gradients of the common model if
// they are to be clustered.
func (s *cflgp) Open(r *fl.Round, t int) {
	clustering := s.clusters(t)
	for _, i := range r.Participants {
		r.AskUpdate(i, r.Label[i])
		// Algorithm 2 broadcasts the common model as it stands before
		// this round's update, and clients use the same minibatch: a
		// client that trains it anyway answers once for both.
		if clustering && r.Label[i] != s.common && !s.released {
			r.AskFeature(i, s.common)
		}
	}
}

// Receive adds the update of a client that stays with its model to the mean, and
// takes its gradient down.
func (s *cflgp) Receive(r *fl.Round, i int) {
	if s.gathering && s.released {
		return // the clustering that comes first decides where its update goes
	}
	r.Accumulate(i, s.weights[i])
	switch {
	case !s.gathering:
		r.Release(i)
	case r.Recorder().Follows(i) || r.Hurried(): // who looks on is told one thing after the other
		s.late = append(s.late, i)
	default:
		s.accumulate(r, i)
	}
}

// accumulate is Algorithm 2 for a client: g_{c,k̄} ← (1−β) g_{c,k̄} + β ∇f_c(θ_k̄).
//
// With β_t = 1/(⌊t/KP⌋ + 1) and the models in turn, each block is the plain
// mean of the gradients taken on its model. Counting them for each client and
// model says the same, and also holds where clients miss rounds, which the paper
// does not speak of.
func (s *cflgp) accumulate(r *fl.Round, i int) {
	var part []float32
	if r.Label[i] == s.common {
		part = r.Exchange.Select(s.part, r.Update(i, 0))
	} else {
		part = r.Feature(i)
	}
	if rec := r.Recorder(); rec.Follows(i) && isFinite(part) {
		s.explainMix(rec, part)
	}
	if s.take(i, s.common, part) {
		s.known[i] = true
	}
	r.Release(i)
}

// accumulated ends Algorithm 2 for this round: the next model is the common one.
func (s *cflgp) accumulated(r *fl.Round) {
	for _, i := range s.late {
		s.accumulate(r, i)
	}
	s.late = s.late[:0]
	s.gradients.mixed(s.common)
	s.common = (s.common + 1) % s.models
}

// take mixes a gradient into a client's block, unless it is not finite, which it
// reports.
func (s *cflgp) take(client, model int, part []float32) (ok bool) {
	if !isFinite(part) {
		return false
	}
	taken := &s.taken[model*s.env.Clients+client]
	*taken++
	s.gradients.mix(client, model, s.beta(*taken), part)
	return true
}

// beta is the weight of the newest of so many gradients.
func (s *cflgp) beta(taken int) float64 {
	if s.newest {
		return 1
	}
	return 1 / float64(taken)
}

// explainMix notes what is about to become of the memory of the recorder's client:
// of a copy of the block, in the very same way.
func (s *cflgp) explainMix(rec *fl.Recorder, part []float32) {
	taken := s.taken[s.common*s.env.Clients+rec.Client] + 1
	beta := s.beta(taken)
	old := s.gradients.block(rec.Client, s.common)
	copied := newMemory(1, 1, len(old))
	copied.mix(0, 0, 1, old)
	copied.mix(0, 0, beta, part)
	rec.Note("mix", fl.Whole("k", s.common), fl.Whole("taken", taken), fl.Number("keep", 1-beta), fl.Number("beta", beta),
		fl.Weights("old", old), fl.Weights("gradient", part), fl.Weights("new", copied.block(0, 0)))
}

// blend is what the released code has for Algorithm 2: gradients of whichever
// model a client trains, in one block, with β = 1/(⌊(t+1)/KP⌋ + 1), which is 1 for
// the first K clusterings or so. The clustering that follows comes before the
// update, which applies them to the models of the new clusters.
func (s *cflgp) blend(r *fl.Round) {
	beta := 1 / float64((r.T+1)/(s.models*s.period)+1)
	for _, i := range r.Replied {
		if part := r.Exchange.Select(s.part, r.Update(i, 0)); isFinite(part) {
			s.gradients.mix(i, 0, beta, part)
			s.known[i] = true
		}
	}
	s.gradients.mixed(0)
}

// Embedding returns the gradient features of the last clustering.
func (s *cflgp) Embedding() *clusterer.Matrix {
	return &s.features
}
