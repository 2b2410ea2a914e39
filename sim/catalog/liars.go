package catalog

import (
	"math"

	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/param"
	"flockscope/sim/rng"
	"flockscope/sim/say"
	"flockscope/sim/workload"
)

// liarFields are the settings of clients that lie.
var liarFields = []param.Field{
	{Name: "liars", Label: "Liars", Section: param.Run, Kind: param.Numbers, Min: 0, Max: 2000, MinCount: 1, MaxCount: 256,
		Default: "0", Advanced: true,
		Doc: "Clients that lie: how many, or which share (0.1). Two or more numbers name them: 3,7; for a single one write 0,7. All scores are of honest clients."},
	{Name: "lie", Label: "Lie", Section: param.Run, Kind: param.Choice, Default: "flip", Advanced: true,
		Options: []param.Option{
			{Name: "flip", Title: "update times −s", Doc: "The update points the other way, s times as long."},
			{Name: "scale", Title: "update times s", Doc: "The update is s times as long."},
			{Name: "noise", Title: "noise", Doc: "Normal noise of s times the length of the update is added to it."},
			{Name: "labels", Title: "labels reversed",
				Doc: "The client trains on false labels: the first class for the last one, and so on; numbers change their sign. Its update is s times as long."},
			{Name: "inputs", Title: "backdoor: a patch in pictures",
				Doc: "Every second picture gets a white patch and the first class, and the update is s times as long. The score is the share of honest clients' pictures that the patch turns into the first class."},
			{Name: "copy", Title: "nothing: the model returned", Doc: "A free-rider: its update is zero."},
			{Name: "collude", Title: "collusion", Fields: []param.Field{
				{Name: "collusion", Label: "Collusion", Section: param.Run, Kind: param.Choice, Default: "product", Advanced: true,
					Options: []param.Option{
						{Name: "product", Title: "mean times −s", Doc: "Inner-product manipulation."},
						{Name: "little", Title: "mean minus s deviations",
							Doc: "A little is enough: false numbers that hide among honest ones, for s of about 1."}},
					Doc: "What all liars send alike, from the mean and the standard deviation of what they would have sent."}},
				Doc: "Liars agree on one false update."},
			{Name: "losses", Title: "false losses",
				Doc: "Losses are mirrored at their mean and stretched by s: the best model looks worst. It is aimed at methods that compare losses."}},
		Doc: "What liars do. False updates are clipped and noised as honest ones are."},
	{Name: "liefrom", Label: "Lies from round", Section: param.Run, Kind: param.Int, Min: 1, Max: 5000, High: 200,
		Low: 1, Default: "1", Advanced: true,
		Doc: "The first round in which liars lie. Before it they are honest."},
	{Name: "liescale", Label: "Strength s", Section: param.Run, Kind: param.Float, Min: 0, Max: 1000, Low: 0.1, High: 100,
		Log: true, Default: "4", Advanced: true,
		Doc: "How strong a lie is. 1 leaves the length of an update as it is."},
}

// A Lie is what liars do.
type Lie uint8

// The lies, in the order of the setting lie.
const (
	Flip Lie = iota
	Scale
	Noise
	Labels
	Inputs
	Copy
	Collude
	Losses
)

// Liars are the clients of a run that lie. They are part of the experiment: no server knows them.
type Liars struct {
	Lies  []bool // by client
	Lie   Lie
	From  int     // the first round in which they lie, from 1
	Scale float64 // s
	// Little: colluding liars send mean − s · standard deviation; otherwise −s · mean.
	Little bool
}

// Active reports whether a client lies in a round. l may be nil.
func (l *Liars) Active(client, round int) bool { return l != nil && round >= l.From && l.Lies[client] }

// LiarsOf reads the liars of a run, nil for none. A number of them is drawn from the data seed. The experiment has checked
// the numbers.
func LiarsOf(v param.Values, clients int) *Liars {
	numbers := v.Numbers("liars")
	if len(numbers) == 1 && numbers[0] == 0 {
		return nil
	}
	l := &Liars{Lies: make([]bool, clients), From: v.Int("liefrom"), Scale: v.Float("liescale")}
	for i, o := range liarFields[1].Options {
		if o.Name == v.Text("lie") {
			l.Lie = Lie(i)
		}
	}
	l.Little = l.Lie == Collude && v.Text("collusion") == "little"
	if len(numbers) > 1 {
		for _, n := range numbers {
			if n > 0 {
				l.Lies[int(n)-1] = true
			}
		}
		return l
	}
	n := numbers[0]
	if n < 1 {
		n = math.Round(n * float64(clients))
	}
	l.draw(int(n), uint64(v.Int("sd")))
	return l
}

// draw marks n clients at random.
func (l *Liars) draw(n int, seed uint64) {
	var s rng.Stream
	s.Reset(seed, rng.Liars, 0, 0)
	rest := make([]int, len(l.Lies))
	for i := range rest {
		rest[i] = i
	}
	for j := range n {
		k := j + s.IntN(len(rest)-j)
		rest[j], rest[k] = rest[k], rest[j]
		l.Lies[rest[j]] = true
	}
}

// checkLiars returns an error if liars cannot do with the data what they should.
func checkLiars(c experiment.Config, data workload.Workload, plans []fl.Plan) error {
	l := LiarsOf(c.Values(-1), data.Clients())
	if l == nil {
		return nil
	}
	if l.Lie == Collude { // false updates are made when all others have arrived
		for i := range plans {
			plans[i].Streams = false
		}
	}
	refuse := func(hint say.Message) error {
		return &param.Error{Field: "lie", Got: c.Value("lie"), Want: "a lie that is possible with these data", Hint: hint,
			Suggestions: []param.Suggestion{{Key: "lie", Value: "flip"}}}
	}
	net, _ := data.Model().(*model.Network)
	switch {
	case l.Lie == Labels && net != nil && net.Task() == model.Reconstruction:
		return refuse("an autoencoder has no labels")
	case l.Lie == Inputs && !pictures(data):
		return refuse("a patch needs pictures with classes")
	}
	return nil
}

// pictures reports whether the clients classify pictures.
func pictures(data workload.Workload) bool {
	p, ok := data.(workload.Patched)
	return ok && p.Patch() != nil
}
