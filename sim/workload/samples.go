package workload

import (
	"slices"
	"strings"
	"sync"

	"flockscope/sim/dataset"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/partition"
	"flockscope/sim/rng"
	"flockscope/sim/say"
	"flockscope/sim/trace"
)

// Settings of the workloads that distribute a set of samples.
var (
	fieldCount = param.Field{Name: "n", Label: "Samples in total", Section: param.Data, Kind: param.Int, Min: 20,
		Max: 200000, Low: 1000, High: 70000, Log: true, Default: "12000", Advanced: true,
		Doc: "Number of samples generated for all clients together. Each is generated when it is first read."}
	fieldUse = param.Field{Name: "use", Label: "Samples used", Section: param.Data, Kind: param.Int, Min: 0,
		Max: 4 << 20, High: 20000, Step: 500, Default: "0", Advanced: true,
		Doc: "Number of samples of the files that are used, drawn at random with the data seed from training and test samples in proportion. 0 means all."}
	fieldBlocks = param.Field{Name: "blocks", Label: "Blocks of the trunk", Section: param.Models, Kind: param.Int, Min: 0,
		Max: 50, High: 10, Default: "0", Advanced: true,
		Doc: "Methods that share a trunk, or compare features, divide the model behind this many blocks: layers with their activations, or residual blocks. The last block always belongs to the head. 0 means before the last layer, or after an autoencoder's encoder."}
	fieldEvery = param.Field{Name: "every", Label: "Evaluate models every", Section: param.Run, Unit: "rounds",
		Kind: param.Int, Min: 1, Max: 1000, Low: 1, High: 50, Default: "5", Advanced: true,
		Doc: "How often models are evaluated on held-out samples, for the accuracy on the page. It does not change the algorithms."}
	fieldTestClients = param.Field{Name: "guests", Label: "Samples per test client", Section: param.Run,
		Unit: "samples",
		Kind: param.Int, Min: 0, Max: 10000, High: 1000, Step: 100, Default: "0", Advanced: true,
		Doc: "Samples of each test client, clean and of all classes: HCFL's Test. Test clients do not train; there is one for each planted combination of view and labels. Half of their samples choose a model, the other half evaluate it. 0 means none."}
	fieldPool = param.Field{Name: "pool", Label: "Train on all samples", Section: param.Data, Kind: param.Switch,
		Default: "0", Advanced: true,
		Doc: "Every client trains on the training samples of all clients, each as its owner sees it. With FedAvg and one client per round this is training in one place. Models are evaluated on each client's own samples."}
	fieldExam = param.Field{Name: "exam", Label: "Samples evaluated", Section: param.Run, Kind: param.Int, Min: 0,
		Max: 10000, High: 1000, Step: 50, Default: "100", Advanced: true,
		Doc: "Number of held-out samples on which each client evaluates its model; 0 means all."}
)

// sampleFields returns the settings of such a workload: its own, the distribution of samples, the
// model, and its evaluation.
func sampleFields(own ...param.Field) []param.Field {
	net := param.Field{Name: "net", Label: "Model", Section: param.Models, Kind: param.Choice, Default: "mlp",
		Doc: "What every client trains."}
	for _, e := range model.Registry.All() {
		net.Options = append(net.Options, param.Option{Name: e.Name, Title: e.Title, Doc: e.Doc, Fields: e.Fields,
			Defaults: e.Make.Defaults, Inline: e.Make.AnyTask})
	}
	run := []param.Field{fieldAugment, net, fieldBlocks, fieldEvery, fieldExam, fieldTestClients, fieldPool}
	return slices.Concat(own, partition.Fields(), run)
}

// shared is a set that is distributed to clients, which train a network.
type shared struct {
	clients     []holding // by client
	testClients []holding // test clients
	set         *dataset.Set
	groups      int
	names       []say.Message // names of the groups
	why         say.Message   // why there are no groups
	network     *model.Network
	group       []int
	every       int
	exam        int     // test samples per client and evaluation, 0 for all
	maxFeature  float64 // largest absolute feature of a file, if features are not scaled
	rate        float64 // a stable learning rate for scaled features of a file
	augment     augmentation
	bytes       int64    // memory of the samples
	pool        []pooled // the training samples of every client; nil if each has its own
	// readers have scratch memory.
	readers sync.Pool
}

// holding is the samples of one client: its position in a partition.
type holding struct {
	*partition.Partition
	*partition.Client
	place int
}

// pooled is a training sample of some client, by its number.
type pooled struct{ owner, sample int32 }

// training returns training sample k of a client, and who holds it.
func (w *shared) training(client, k int) (*holding, int32) {
	if w.pool != nil {
		client, k = int(w.pool[k].owner), int(w.pool[k].sample)
	}
	h := &w.clients[client]
	return h, h.Train[k]
}

// share distributes a set to clients.
func share(v param.Values, set *dataset.Set, spare extraSamples) (Workload, error) {
	return withOffers(v, func(v param.Values) (Workload, error) {
		deal, err := partition.Build(v, set, v.Int("C"), uint64(v.Int("sd")))
		if err != nil {
			return nil, err
		}
		return newShared(v, []extraSamples{spare}, deal)
	})
}

// newShared joins the clients of several partitions, whose sets have the same shape and number of
// classes. spare gives samples of each set for test clients.
func newShared(v param.Values, spare []extraSamples, deals ...*partition.Partition) (Workload, error) {
	w := &shared{set: deals[0].Set, every: v.Int("every"), exam: v.Int("exam")}
	var err error
	if w.network, err = network(v, w.set); err != nil {
		return nil, err
	}
	if w.augment, err = newAugmentation(v, w.set); err != nil {
		return nil, err
	}
	for _, deal := range deals {
		for i := range deal.Clients {
			w.clients = append(w.clients, holding{deal, &deal.Clients[i], i})
			if deal.Groups > 0 {
				w.group = append(w.group, w.groups+deal.Clients[i].Group)
			} else if len(deals) > 1 {
				w.group = append(w.group, w.groups) // each set is one group
			}
		}
		if deal.Groups == 0 && len(deals) > 1 {
			w.groups++
			w.names = append(w.names, say.Message(deal.Set.Name))
		}
		w.groups += deal.Groups
		w.names = append(w.names, deal.GroupNames...)
		w.why = deal.NoGroupsWhy
	}
	if v.Switch(fieldPool.Name) {
		for i := range w.clients {
			for k := range w.clients[i].Train {
				w.pool = append(w.pool, pooled{int32(i), int32(k)})
			}
		}
	}
	all, err := w.addTestClients(v, spare, deals)
	if err != nil {
		return nil, err
	}
	w.bytes = w.set.Bytes()
	for _, deal := range all {
		w.bytes += deal.Bytes()
	}
	w.readers.New = func() any {
		e := &sampleReader{pixels: make([]float32, w.set.Shape.Size())}
		for _, deal := range all {
			e.drawers = append(e.drawers, deal.Drawer())
			e.partitions = append(e.partitions, deal)
		}
		return e
	}
	return w, nil
}

// simplest are the models that are suggested in place of one that does not fit.
var simplest = []string{"mlp", "softmax", "cnn", "autoencoder", "linear"}

// network builds the model of the settings, if it fits the set.
func network(v param.Values, set *dataset.Set) (*model.Network, error) {
	name := v.Text("net")
	e, _ := model.Registry.Lookup(name)
	refuse := func(want, hint say.Message) (*model.Network, error) {
		task := model.Classification
		if set.Classes < 2 {
			task = model.Regression
		}
		wrong := &param.Error{Field: "net", Got: name, Want: want, Hint: hint}
		for _, other := range model.Registry.All() {
			if other.Make.Task == task && other.Name != name && slices.Contains(simplest, other.Name) {
				wrong.Suggestions = append(wrong.Suggestions, param.Suggestion{Key: "net", Value: other.Name})
			}
		}
		return nil, wrong
	}
	switch task := e.Make.Task; {
	case e.Make.AnyTask:
	case task == model.Classification && set.Classes < 2:
		return refuse("linear", "these samples have a target, and no classes")
	case task == model.Regression && set.Value == nil:
		return refuse("mlp, softmax, cnn or autoencoder", "these samples have classes, and no target")
	}
	n, err := e.Make.Make(v, model.Samples{Shape: model.Shape(set.Shape), Classes: set.Classes,
		Tokens: set.Tokens})
	if err != nil {
		if wrong, ok := err.(*param.Error); ok {
			return nil, wrong
		}
		return refuse("another model", say.Of(err))
	}
	n.SetTrunk(v.Int("blocks"))
	if set.Tokens > 0 && !strings.HasPrefix(n.Segments()[0].Name, "embed") {
		return refuse("a network that begins with an embedding", "these samples are numbers of words; or set texts=weights")
	}
	return n, nil
}

func (w *shared) Clients() int         { return len(w.clients) }
func (w *shared) Groups() ([]int, int) { return w.group, w.groups }
func (w *shared) Model() model.Model   { return w.network }
func (w *shared) Every() int           { return w.every }
func (w *shared) MaxFeature() float64  { return w.maxFeature }
func (w *shared) SafeRate() float64    { return w.rate }

func (w *shared) Start(params []float32, _ int, s *rng.Stream) { w.network.Init(params, s) }

func (w *shared) Samples(client int) int { return w.Holds(client) }

// Holds is the number of training samples of a client.
func (w *shared) Holds(client int) int {
	if w.pool != nil {
		return len(w.pool)
	}
	return len(w.clients[client].Train)
}

// Bytes is the memory that the samples take, with images that are kept.
func (w *shared) Bytes() int64 { return w.bytes }

// Classes is the number of classes of a classifier.
func (w *shared) Classes() int {
	if w.network.Task() != model.Classification {
		return 0
	}
	return w.set.Classes
}

// Draw takes n of the client's samples without replacement.
func (w *shared) Draw(b *model.Batch, client, n int, s *rng.Stream) {
	held := w.Holds(client)
	n = min(n, held)
	d := w.readers.Get().(*sampleReader)
	defer w.readers.Put(d)
	b.Resize(n, w.network.Inputs())
	start := *s
	pick(n, held, s, func(j, at int) {
		h, sample := w.training(client, at)
		w.putSample(b, j, d, h, sample, true)
	})
	w.Augment(b, 0, start)
}

// Take fills b with training samples by number.
func (w *shared) Take(b *model.Batch, client int, which []int32) {
	d := w.readers.Get().(*sampleReader)
	defer w.readers.Put(d)
	b.Resize(len(which), w.network.Inputs())
	for j, k := range which {
		h, sample := w.training(client, int(k))
		w.putSample(b, j, d, h, sample, true)
	}
}

// TestSamples fills b with the first held-out samples of the client, which are in
// random order.
func (w *shared) TestSamples(b *model.Batch, client int) {
	back := w.clients[client].Test
	if w.exam > 0 {
		back = back[:min(w.exam, len(back))]
	}
	h := &w.clients[client]
	w.putSamples(b, h, back, h.HeldBack)
}

// putSamples fills b with samples, with label noise if they are training samples.
func (w *shared) putSamples(b *model.Batch, h *holding, samples []int32, train bool) {
	d := w.readers.Get().(*sampleReader)
	defer w.readers.Put(d)
	b.Resize(len(samples), w.network.Inputs())
	for j, sample := range samples {
		w.putSample(b, j, d, h, sample, train)
	}
}

// putSample writes one sample into row j of a batch, as its client sees it.
func (w *shared) putSample(b *model.Batch, j int, d *sampleReader, h *holding, sample int32, train bool) {
	n := w.network.Inputs()
	x := b.X[j*n : (j+1)*n]
	if w.set.Shape.Channels == 1 {
		d.row(x, h, sample)
	} else {
		d.row(d.pixels, h, sample)
		w.planes(x, d.pixels)
	}
	if h.Set.Classes > 0 {
		b.Y[j] = float32(h.Label(h.place, sample, train))
	} else {
		b.Y[j] = h.Set.Value[sample]
	}
}

// planes writes a sample of a set, channels last, as networks read it: channels first.
func (w *shared) planes(dst, pixels []float32) {
	c := w.set.Shape.Channels
	plane := len(pixels) / c
	for k := range c {
		for at := range plane {
			dst[k*plane+at] = pixels[at*c+k]
		}
	}
}

// sampleReader has the drawers of all partitions, and scratch memory.
type sampleReader struct {
	drawers    []*partition.Drawer
	partitions []*partition.Partition
	pixels     []float32

	// for reconstructions; nil until there are any
	network *model.Network
	firsts  model.Batch
	copies  []float32
}

// row writes a sample as its client sees it.
func (e *sampleReader) row(dst []float32, h *holding, sample int32) {
	e.drawers[slices.Index(e.partitions, h.Partition)].Row(dst, h.place, sample)
}

// DataPreview shows the first few training samples of every client.
func (w *shared) DataPreview(*rng.Stream, uint64) trace.DataPreview {
	set := w.set
	sc := trace.DataPreview{Floor: -1}
	if w.groups == 0 {
		sc.NoTruth = w.why
	}
	g := &sc.Gallery
	g.Classes, g.Groups = w.classes(), w.names
	for i := range w.clients {
		if w.groups > 0 && partition.IsMixture(w.clients[i].View) {
			if g := int16(w.group[i]); !slices.Contains(sc.Mixtures, g) {
				sc.Mixtures = append(sc.Mixtures, g)
			}
		}
	}
	w.summarizeClients(g)
	sheet := w.sheet()
	if sheet.Height == 1 || set.Classes == 0 {
		return sc
	}
	g.Height, g.Width, g.Channels = sheet.Height, sheet.Width, sheet.Channels
	g.Each = max(1, min(shown, mostPixels/(len(w.clients)*sheet.Size())))
	for i := range w.clients {
		g.Each = min(g.Each, len(w.clients[i].Train))
	}
	size := sheet.Size()
	g.Pixels = make([]uint8, len(w.clients)*g.Each*size)
	for i := range w.clients {
		h := &w.clients[i]
		pixels := g.Pixels[i*g.Each*size : (i+1)*g.Each*size]
		if set.Picture != nil {
			w.picture(pixels, h, g.Each)
		} else {
			h.Preview(pixels, h.place, g.Each)
		}
		for _, sample := range h.Train[:g.Each] {
			g.Label = append(g.Label, h.Label(h.place, sample, true))
			g.TrueLabel = append(g.TrueLabel, h.Label(h.place, sample, false))
		}
	}
	if slices.Equal(g.Label, g.TrueLabel) {
		g.TrueLabel = nil
	}
	return sc
}

// summarizeClients describes the samples of each client.
func (w *shared) summarizeClients(g *trace.Gallery) {
	var sets []*dataset.Set
	g.Clients = make([]trace.ClientSummary, len(w.clients))
	for i := range w.clients {
		h, p := &w.clients[i], &g.Clients[i]
		p.Transform, p.Owner, p.Samples = h.ViewName(), h.Owner, len(h.Train)
		if p.Set = slices.Index(sets, h.Set); p.Set < 0 {
			p.Set = len(sets)
			sets = append(sets, h.Set)
		}
		if h.Even || h.Set.Classes == 0 || len(w.clients)*h.Set.Classes > mostCounts {
			continue
		}
		p.PerClass = make([]int, h.Set.Classes)
		for _, sample := range h.Train {
			p.PerClass[h.Label(h.place, sample, false)]++
		}
	}
	if len(sets) > 1 {
		for _, set := range sets {
			g.Names = append(g.Names, set.ClassNames)
		}
	}
}

// sheet returns the shape of the picture of a sample.
func (w *shared) sheet() dataset.Shape {
	if w.set.Picture != nil {
		return w.set.PictureShape
	}
	return w.set.Shape
}

// picture draws the first n training samples of a client that are not images themselves.
func (w *shared) picture(pixels []uint8, h *holding, n int) {
	d := w.readers.Get().(*sampleReader)
	defer w.readers.Put(d)
	size := w.set.PictureShape.Size()
	for k, sample := range h.Train[:n] {
		d.row(d.pixels, h, sample)
		w.set.Picture(pixels[k*size:(k+1)*size], d.pixels)
	}
}

// classes returns the names of the classes; with several sets, the names of all of them.
func (w *shared) classes() []string {
	names := slices.Clone(w.set.ClassNames)
	before := w.set
	for i := range w.clients {
		if set := w.clients[i].Set; set != before {
			before = set
			for c := range names {
				names[c] = set.ClassNames[c] + " or " + names[c]
			}
		}
	}
	return names
}

// shown is the number of samples per client that the page shows, unless they have more than
// mostPixels numbers in all.
const (
	shown      = 6
	mostPixels = 1 << 20
	// mostCounts limits the counts of samples by client and class.
	mostCounts = 1 << 16
)
