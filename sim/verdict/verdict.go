// Package verdict judges a round of a run: what each method has achieved, and why.
//
// Files:
//
//	verdict.go   Judge and Verdict
//	outcome.go   what the clusters are to the planted groups
//	evidence.go  what is measured, for causes
//	diverge.go   models that diverge
//	liars.go     which model liars pull
//	headline.go  all methods in a sentence or two; the question that a run answers
//	words.go     names of groups and models, numbers
package verdict

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"flockscope/clusterer"
	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/sim/trace"
)

// Kind is the outcome of a method at a round.
type Kind = registry.Outcome

// The outcomes.
const (
	Start     = registry.OutcomeStart     // no client has replied
	Right     = registry.OutcomeRight     // clusters are the groups
	Misplaced = registry.OutcomeMisplaced // some clients have models of other groups
	Split     = registry.OutcomeSplit     // every model has clients of one group, and some group has several models
	Shared    = registry.OutcomeShared    // every group has one model, and some groups have the same
	Mixed     = registry.OutcomeMixed     // the groups are mixtures of others, so that no clustering is right
	Nothing   = registry.OutcomeNothing   // all clients have the same distribution
	None      = registry.OutcomeNone      // the method makes no clusters
	Unknown   = registry.OutcomeUnknown   // the groups are unknown
	Diverged  = registry.OutcomeDiverged  // the models have diverged, or are diverging
)

// Scored reports whether the adjusted Rand index says something about an outcome. Only with [Misplaced] does the number of
// misplaced clients.
func Scored(k Kind) bool { return k == Right || k == Misplaced || k == Split || k == Shared }

// Verdict is the outcome of a lane at a round, in words of the page's language.
type Verdict struct {
	Kind  Kind
	Head  string // "3 of 12 misplaced"
	Tail  string // a little more, such as "since round 18"; may be empty
	Cause string // one sentence with measured numbers of this run and round; may be empty
	Short string // Cause in a few words, for frames
	// Hollow reports by client whether its mark is hollow: only with Misplaced.
	Hollow []bool
}

// Sentences returns head, tail and cause as a text: "All 12 right, since round 18. The server remembers: …"
func (v *Verdict) Sentences() string {
	text := say.Textf("%s.", v.Head)
	switch {
	case v.Tail == "":
	case v.Kind == Right:
		text = say.Textf("%s.", say.Join([]string{v.Head, v.Tail}, ", "))
	default:
		text = sentences(text, v.Tail)
	}
	return sentences(text, v.Cause)
}

// Judge judges runs.
type Judge struct {
	// Method looks up a method by its name.
	Method func(name string) *registry.Meta
	// Letter returns the letter of a model, so that texts name models as figures do. Nil: that of the lane's summary.
	Letter func(run *trace.Run, lane, model int) string

	counts   counts
	assigner clusterer.Assigner
	cost     clusterer.Matrix
	match    []int
}

// Lane returns the verdict on a lane of the run at a round.
func (j *Judge) Lane(run *trace.Run, lane, round int) (v Verdict) {
	frames := run.Tracks[lane].Frames
	if len(frames) == 0 {
		return Verdict{Head: say.Text("Nothing computed yet.")}
	}
	r := j.round(run, lane, round)
	v = r.verdict()
	defer func() {
		if liars := r.liarWords(); liars != "" && v.Kind != Start && v.Kind != Diverged {
			v.Cause, v.Short = sentences(liars, v.Cause), liars
		}
	}()
	if v.Kind == Start || v.Kind == Diverged || r.method == nil || r.method.Cause == nil {
		return v
	}
	e := r.evidence(v.Kind)
	for _, wrong := range v.Hollow {
		if wrong {
			e.Wrong++
		}
	}
	v.Cause, v.Short = r.method.Cause(e)
	return v
}

// Outcome returns the kind of the verdict on a lane at a round, without its words.
func (j *Judge) Outcome(run *trace.Run, lane, round int) Kind {
	if len(run.Tracks[lane].Frames) == 0 {
		return Start
	}
	return j.round(run, lane, round).kind()
}

// round is a round of a lane that is judged.
type round struct {
	*Judge
	run    *trace.Run
	header *trace.Header
	lane   int
	info   *trace.Lane
	frames []trace.Frame
	f      *trace.Frame
	method *registry.Meta // nil if unknown
	took   []bool         // honest clients that have taken part so far; nil for all clients
	n      int            // number of them
	honest int            // number of honest clients
}

func (j *Judge) round(run *trace.Run, lane, t int) *round {
	r := &round{Judge: j, run: run, header: run.Header, lane: lane, info: &run.Header.Lanes[lane],
		frames: run.Tracks[lane].Frames}
	r.f = &r.frames[min(max(t, 0), len(r.frames)-1)]
	if j.Method != nil {
		r.method = j.Method(r.info.Algorithm)
	}
	r.took, r.n = tookPart(r.frames[:r.f.Round+1], r.header.Clients)
	r.leaveOutLiars()
	return r
}

// leaveOutLiars takes liars from the clients that have taken part: they belong to no group.
func (r *round) leaveOutLiars() {
	r.honest = r.header.Honest()
	if r.honest == r.header.Clients {
		return
	}
	took := make([]bool, r.header.Clients)
	r.n = 0
	for i := range took {
		if took[i] = (r.took == nil || r.took[i]) && !r.header.Lies(i); took[i] {
			r.n++
		}
	}
	r.took = took
}

// tookPart returns which clients have taken part by the last of some frames, nil for all, and their number.
func tookPart(frames []trace.Frame, clients int) (took []bool, n int) {
	for t := len(frames) - 1; t > 0; t-- {
		state := frames[t].State
		if len(state) == 0 && !frames[t].Events.Has(trace.Diverged) {
			return nil, clients
		}
		if took == nil {
			took = make([]bool, clients)
		}
		for i, s := range state {
			if s == trace.Present && !took[i] {
				took[i] = true
				n++
			}
		}
		if n == clients {
			return nil, n
		}
	}
	return took, n
}

// kind returns the outcome.
func (r *round) kind() Kind {
	h, f := r.header, r.f
	switch {
	case IsDiverged(r.run, r.lane, f) || Diverging(r.run, r.lane, f.Round):
		return Diverged
	case f.Round == 0 || r.n == 0:
		return Start
	case r.unclustered() || r.info.Models == 1:
		return None
	case !h.HasTruth():
		return Unknown
	case len(h.DataPreview.Mixtures) > 0:
		return Mixed
	case h.Groups == 1 || h.DataPreview.Alike:
		return Nothing
	case !r.info.Border && r.info.Map != trace.NoMap && len(f.XY) == 0:
		return Start // the labels are the initial ones
	}
	r.counts.count(h, f, r.took)
	return r.counts.outcome()
}

func (r *round) unclustered() bool { return r.method != nil && r.method.Unclustered }

// verdict returns the verdict without its cause.
func (r *round) verdict() Verdict {
	v := Verdict{Kind: r.kind()}
	switch v.Kind {
	case Diverged:
		v.Head, v.Tail = r.divergedWords()
	case Start:
		v.Head, v.Tail = say.Text("No evidence yet"), say.Text("No client has replied. The colours are those of the start.")
		if r.n > 0 {
			v.Tail = say.Text("Nothing has been compared. The colours are those of the start.")
		}
	case None:
		v.Head, v.Tail = say.Text("Does not cluster"), r.noneWords()
	case Unknown:
		v.Head, v.Tail = say.Text("The groups are unknown"), r.unknownWords()
	case Mixed:
		v.Head, v.Tail = say.Text("Mixed by nature"), r.mixedWords()
	case Nothing:
		v.Head = say.Text("Nothing to tell apart")
		v.Tail = say.Text("All clients have the same distribution, so any grouping is right.")
	case Right:
		v.Head, v.Tail = r.rightWords(), r.since()
	case Split:
		v.Head, v.Tail = r.splitWords()
	case Shared:
		v.Head, v.Tail = r.sharedWords()
	case Misplaced:
		v.Hollow = r.hollow()
		v.Head, v.Tail = r.misplacedWords(v.Hollow)
	}
	return v
}

// hollow matches groups with models so that as many clients as possible have the model of their group, and reports which
// clients have another one.
func (r *round) hollow() []bool {
	c := &r.counts
	r.cost.Reshape(c.groups, max(c.models, c.groups))
	clear(r.cost.Data)
	for g := range c.groups {
		for k := range c.models {
			r.cost.Row(g)[k] = -float64(c.of(g, k))
		}
	}
	r.match = trace.Resize(r.match, c.groups)
	r.assigner.Assign(r.match, &r.cost)
	out := make([]bool, r.header.Clients)
	for i, k := range r.f.Label {
		out[i] = (r.took == nil || r.took[i]) && r.match[r.header.Group[i]] != int(k)
	}
	return out
}

func (r *round) rightWords() string {
	switch partial := r.n < r.honest; {
	case r.n == 1:
		return say.Text("The only client is right")
	case partial:
		return say.Textf("All %d that have replied are right", r.n)
	}
	return say.Textf("All %d right", r.n)
}

// since says from which round on the clusters have been the groups, and until when if that is over later in the run.
func (r *round) since() string {
	from, to := r.f.Round, r.f.Round
	for from > 1 && r.frames[from-1].ARI == 1 {
		from--
	}
	for to+1 < len(r.frames) && r.frames[to+1].ARI == 1 {
		to++
	}
	// Before all clients have replied, the groups of some may be unknown.
	if to+1 < len(r.frames) {
		return say.Textf("from round %d to %d", from, to)
	}
	return say.Textf("since round %d", from)
}

func (r *round) splitWords() (head, tail string) {
	c := &r.counts
	var split []int
	for g := range c.groups {
		if c.modelsOf(g) > 1 {
			split = append(split, g)
		}
	}
	if len(split) == 1 {
		head = say.Textf("The %s are split over %s models", GroupName(split[0]), word(c.modelsOf(split[0])))
	} else {
		head = say.Textf("%s groups are split", Word(len(split)))
	}
	if c.present() == 1 {
		return head, ""
	}
	return head, say.Textf("%s groups over %s models. No client trains with a stranger.", Word(c.present()), word(c.used()))
}

func (r *round) sharedWords() (head, tail string) {
	c := &r.counts
	var sharing int
	var serves []string
	for k := range c.models {
		if groups := c.groupsOf(k); len(groups) > 1 {
			sharing += len(groups)
			serves = append(serves, say.Textf("%s serves %s.", r.letter(k), groupList(groups)))
		}
	}
	switch {
	case c.used() == 1:
		head, serves = say.Textf("All %s groups share one model", word(c.present())), nil
		if c.present() == 2 {
			head = say.Text("Both groups share one model")
		}
	case len(serves) == 1:
		head = say.Textf("%s groups share a model", Word(sharing))
	default:
		head = say.Textf("%s groups share models", Word(sharing))
	}
	return head, sentences(append(serves, r.idleWords())...)
}

func (r *round) misplacedWords(hollow []bool) (head, tail string) {
	wrong := 0
	for _, is := range hollow {
		if is {
			wrong++
		}
	}
	head = say.Textf("%d of %d misplaced", wrong, r.n)
	tail = r.idleWords()
	if r.info.Finds {
		tail = say.Textf("%s for %d groups.", say.Count(r.counts.used(), "cluster"), r.counts.present())
	}
	if least := r.leastMisplaced(); least > 0 {
		tail = say.Textf("With %s for %d groups, at least %d must be.", say.Count(r.info.Models, "model"), r.header.Groups,
			least)
	}
	return head, tail
}

// leastMisplaced returns how many clients must be misplaced with fewer models than groups, unless they share models.
func (r *round) leastMisplaced() (n int) {
	if r.info.Finds || r.n < r.honest || r.info.Models >= r.header.Groups {
		return 0
	}
	return r.counts.smallest(r.header.Groups - r.info.Models)
}

// idleWords says which models of a given number no client has, "" for none.
func (r *round) idleWords() string {
	if r.info.Finds {
		return ""
	}
	var idle []string
	for k := range r.info.Models {
		if r.counts.clientsOf(k) == 0 {
			idle = append(idle, r.letter(k))
		}
	}
	switch {
	case len(idle) == 0:
		return ""
	case len(idle) > 3:
		return say.Textf("%d of the %d models have no clients.", len(idle), r.info.Models)
	}
	slices.SortStableFunc(idle, strings.Compare)
	if r.honest < r.header.Clients {
		return say.Textf("No honest client has %s.", say.Join(idle, " or "))
	}
	return say.Textf("No client has %s.", say.Join(idle, " or "))
}

func (r *round) noneWords() string {
	quality := r.quality()
	switch h := r.header; {
	case r.unclustered() && r.info.Models == 1:
		return say.Textf("One model, adapted by each client: %s.", quality)
	case r.unclustered():
		return say.Textf("Each client has a model of its own: %s.", quality)
	case h.HasTruth() && h.Groups > 1 && !h.DataPreview.Alike:
		return say.Textf("One model for %s groups: %s.", word(h.Groups), quality)
	}
	return say.Textf("One model for all: %s.", quality)
}

func (r *round) unknownWords() string {
	if r.info.Finds {
		return say.Textf("It has found %s: %s.", say.Count(r.f.Clusters, "cluster"), r.quality())
	}
	return say.Textf("K = %d is assumed, %s in use: %s.", r.info.Models, say.Count(r.f.Clusters, "model"), r.quality())
}

func (r *round) mixedWords() string {
	mixtures := make([]int, 0, 2)
	for _, g := range r.header.DataPreview.Mixtures {
		mixtures = append(mixtures, int(g))
	}
	return say.Textf("The samples of the %s come from the other groups: no place is the right one. Judge by the quality: %s.",
		groupList(mixtures), r.quality())
}

// quality is the error with its noise floor, or the accuracy, as last evaluated.
func (r *round) quality() string {
	f := r.lastEvaluation()
	if len(f.Confusion) > 0 {
		return say.Textf("accuracy %s", percent(f.Accuracy))
	}
	if floor := r.header.DataPreview.Floor; floor >= 0 {
		return say.Textf("error %s, noise floor %s", number(f.Loss), number(floor))
	}
	return say.Textf("error %s", number(f.Loss))
}

// lastEvaluation returns the last frame with a loss.
func (r *round) lastEvaluation() *trace.Frame {
	for t := r.f.Round; t > 0; t-- {
		if !math.IsNaN(r.frames[t].Loss) {
			return &r.frames[t]
		}
	}
	return &r.frames[0]
}

// letter names a model.
func (r *round) letter(k int) string {
	if r.Letter != nil {
		return r.Letter(r.run, r.lane, k)
	}
	if s := r.run.Tracks[r.lane].Summary; s != nil && k < len(s.Alias) {
		k = int(s.Alias[k])
	}
	if k < letters {
		return string(rune('A' + k))
	}
	return strconv.Itoa(k + 1)
}

// letters is the number of models with a letter, as on the page.
const letters = 12
