package page

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"flockscope/sim/experiment"
	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/formula"
)

// RoundWords tells what a lane of a run does in a round, phase by phase. All phases are those of [registry.Phase], in
// their order, whatever the order of the method's steps. It changes none of its fields.
//
// Slots of its texts are [name] or [name:kind]. Those of the round are
//
//	each               who takes part, at the beginning of a sentence
//	clients            how many replied, if several did
//	K                  number of models
//	gradient, gradients  what clients send of training
//	samples, probe     the samples on which they train, and on which they compare models
//	found              the first round with a clustering
//	tossups            how many clients have a lead smaller than its noise
//	lead, tossup       the lead of the followed client over its noise; tossup only below 1
//	label              its model
//	common             CFL-GP's common model
//	taken, earlier     how many of its gradients are averaged, with and without the newest
//
// [name:setting] is a setting of the lane, and [step.value:kind] is what was noted of the followed client. Kinds are
// model (letters), models (a number for each letter), pull (a vector, turned round), fine (with four decimals, so that
// small steps show), client, word and keeps (whether a client keeps its model).
type RoundWords struct {
	View   *chart.View // the run, its lane, and the round
	Meta   *registry.Meta
	Schema *experiment.Schema
	Config experiment.Config // of the run
	Lane   int               // of Config
	Detail *trace.Detail     // of the round with the numbers of Client, nil until it arrives
	Client int               // the followed client

	// Letter writes the letter of a model; nil for plain letters.
	Letter func(k int) string
}

// roundFacts is RoundWords during a call, with what takes time to find out.
type roundFacts struct {
	*RoundWords
	f, b  *trace.Frame // after the round, and before it
	lane  *trace.Lane
	since [8]struct { // by event: the first round up to this one with it, 0 for none
		known bool
		round int
	}
	texts [registry.Phases]*registry.PhaseText // those that hold
}

// facts begins a call. It returns nil if there is no frame yet.
func (w *RoundWords) facts() *roundFacts {
	v := w.View
	if v.LaneHeader() == nil || len(v.Run.Tracks[v.Lane].Frames) == 0 {
		return nil
	}
	t := &roundFacts{RoundWords: w, lane: v.LaneHeader()}
	// A figure's moment inside a round does not change what is told of it.
	frames := v.Run.Tracks[v.Lane].Frames
	n := min(max(v.Round, 0), len(frames)-1)
	t.f, t.b = &frames[n], &frames[max(n-1, 0)]
	return t
}

// PhaseWords is what a lane does in a phase.
type PhaseWords struct {
	Says    string // one sentence about all clients
	Client  string // numbers of the followed client, without its name; "" for none
	Sends   string // what crosses the network, and how much of it for the followed client; "" if that is not known yet
	Skipped bool   // nothing happens, and Says says why
}

// Steps with messages, which package fl names.
const (
	stepSend    = "send"
	stepExtra   = "extra"
	stepFeature = "feature"
	stepAnswer  = "answer"
	stepTrain   = "train"
)

// PhaseHeadline is the headline of a phase, the same for all methods: its name and what happens.
func PhaseHeadline(p registry.Phase) string {
	return say.Textf("%s. %s", say.Message(p.Name()), say.Message([registry.Phases]string{
		"The server sends models to the clients.",
		"Each client tries them on samples that nobody else sees.",
		"What the clients have sent is compared.",
		"It is decided who belongs together.",
		"Each cluster gets one of the models.",
		"Each model moves the way its clients pull it."}[p]))
}

// Phase returns the words of a phase.
func (w *RoundWords) Phase(p registry.Phase) PhaseWords {
	r := w.facts()
	if r == nil || r.f.Round == 0 {
		return PhaseWords{Skipped: true, Says: say.Text("The start: no round yet.")}
	}
	t := r.text(p)
	says := r.fill(t.Says)
	if least := r.setting("rr"); p == registry.Update && !t.Skips && least != "" && least != "0" {
		says += say.Text(" Small clusters borrow updates.")
	}
	return PhaseWords{Says: says, Client: r.client(p, t), Sends: r.sends(p, t), Skipped: t.Skips}
}

// Rest returns what is told of the followed client at the end of a round, and the traffic so far.
func (w *RoundWords) Rest() (client, sends string) {
	r := w.facts()
	if r == nil {
		return "", ""
	}
	sends = say.Textf("sent so far, per client: %s down, %s up", whole(r.f.Down), whole(r.f.Up))
	if w.Client < 0 || w.Client >= len(r.f.Label) {
		return "", sends
	}
	return r.rest(), sends
}

// rest does it for the client.
func (w *roundFacts) rest() string {
	lane, f, i := w.lane, w.f, w.Client
	row := func(of []float32) string {
		numbers := make([]float64, lane.Models)
		for k := range numbers {
			numbers[k] = float64(of[i*lane.Models+k])
		}
		return w.byModel(numbers)
	}
	has := say.Textf("has %s", w.letter(int(f.Label[i])))
	lead, _ := w.lead()
	switch all := len(f.Label) * lane.Models; {
	case chart.OwnModels(lane):
		return say.Text("has a model of its own")
	case lane.Models == 1:
		return say.Textf("has %s, as all clients do", w.letter(0))
	case f.Round == 0:
	case len(f.Mixture) == all:
		return say.Textf("weights %s", row(f.Mixture))
	case i < len(f.Replies) && f.Replies[i] > 1:
		return say.Textf("placed by the mean of %d %s, %s", f.Replies[i], say.Message(w.trained("gradients")), has)
	case lane.Border:
		if second := w.second(); lead > 0 && second >= 0 {
			return say.Textf("%s; ahead of %s by %s times the noise", has, w.letter(second), times(lead))
		}
	case lane.Map >= trace.LossPair && lane.Map <= trace.LossPlane && len(f.Losses) == all:
		return say.Textf("losses %s, %s", row(f.Losses), has)
	}
	return has
}

// Common returns the model that all clients get beside their own in this round, −1 for none.
func (w *RoundWords) Common() int {
	r := w.facts()
	if r == nil || r.f.Round == 0 || !r.mixes() {
		return -1
	}
	k, _ := r.common()
	return k
}

// AllModels reports whether each participant got all models in this round.
func (w *RoundWords) AllModels() bool {
	r := w.facts()
	if r == nil || r.lane.Models < 2 || chart.OwnModels(r.lane) {
		return false
	}
	took := len(r.f.Label)
	for _, s := range r.f.State {
		if s == trace.Absent {
			took--
		}
	}
	down := math.Round((r.f.Down - r.b.Down) * float64(len(r.f.Label)))
	return down > 0 && down >= float64(took*r.lane.Models*r.lane.Size)
}

// first returns the first round up to the shown one with an event, 0 for none.
func (w *roundFacts) first(event trace.Events) int {
	m := &w.since[bits.TrailingZeros8(uint8(event))]
	for round := 1; !m.known && round <= w.f.Round; round++ {
		if w.View.Run.Tracks[w.View.Lane].Frames[round].Events.Has(event) {
			m.known, m.round = true, round
		}
	}
	m.known = true
	return m.round
}

// text returns the text of a phase that holds in this round.
func (w *roundFacts) text(p registry.Phase) *registry.PhaseText {
	if w.texts[p] == nil {
		w.texts[p] = w.find(p)
	}
	return w.texts[p]
}

// find does it anew.
func (w *roundFacts) find(p registry.Phase) *registry.PhaseText {
	f := w.f
	clusters := f.Events.Has(trace.Reclustered)
	stopped := w.first(trace.ClusteringStopped)
	switch newcomers := stopped > 0 && stopped < f.Round && !w.mixes(); {
	case w.first(trace.Diverged) > 0:
		return skips("Skipped: the models have diverged.")
	case p != registry.Broadcast && !clusters && w.replied() == 0:
		return skips("Skipped: no client replied in this round.")
	case stopped > 0 && p >= registry.Embed && p <= registry.Match && !clusters:
		return skips("Not any more: clients have been clustered for the last time.")
	case newcomers && p == registry.Embed:
		return &registry.PhaseText{Says: "Newcomers alone are compared, with the clusters that there are."}
	case newcomers && p == registry.Cluster:
		return &registry.PhaseText{Says: "Newcomers join the nearest cluster. The others stay where they are."}
	case newcomers && p == registry.Match:
		return &registry.PhaseText{Says: "Newcomers get the model of the cluster that they join."}
	}
	for _, list := range [][]*registry.PhaseText{w.Meta.Phases, w.Schema.Phases} {
		for _, t := range list {
			if t.Phase == p && w.Config.Chose(w.Lane, t.When) && w.holds(t.If) && w.canFill(t.Says) {
				if p == registry.Broadcast && !t.Skips && f.Down == w.b.Down {
					return skips("Skipped: nothing is sent to the clients in this round.")
				}
				return t
			}
		}
	}
	return skips("")
}

// skips is the text of a phase that is skipped.
func skips(says string) *registry.PhaseText { return &registry.PhaseText{Skips: true, Says: says} }

// holds reports whether conditions are true (see [registry.PhaseText.If]).
func (w *roundFacts) holds(conditions string) bool {
	for _, condition := range strings.Fields(conditions) {
		name, negated := strings.CutPrefix(condition, "!")
		if w.holdsOne(name) == negated {
			return false
		}
	}
	return true
}

func (w *roundFacts) holdsOne(condition string) bool {
	f := w.f
	if step, ok := strings.CutPrefix(condition, "note."); ok {
		return w.note(step) != nil
	}
	switch condition {
	case "first":
		return f.Round == 1
	case "clusters":
		return f.Events.Has(trace.Reclustered)
	case "before":
		round := w.first(trace.Reclustered)
		return round > 0 && round < f.Round
	case "due":
		period, err := strconv.Atoi(w.setting("est"))
		return err == nil && (f.Round-1)%max(period, 1) == 0
	case "grew":
		return f.Clusters > w.b.Clusters
	case "moved":
		return f.Events.Has(trace.Moved)
	case "stopped":
		return w.first(trace.ClusteringStopped) > 0
	case "single":
		return w.lane.Models == 1
	case "classes":
		return len((&w.View.Run.Tracks[w.View.Lane].Frames[0]).Confusion) > 0
	case "alone":
		_, taken := w.common()
		return taken == 1
	case "strangers":
		return w.strangers()
	case "mixes":
		return w.mixes()
	}
	return false
}

// strangers reports whether clients of several groups trained one model.
func (w *roundFacts) strangers() bool {
	f, h := w.f, w.View.Run.Header
	group := make([]int, w.lane.Models) // 1 + the group of each model's first client
	for i, k := range f.Label {
		if !h.HasTruth() || h.Lies(i) || w.state(i) != trace.Present {
			continue
		}
		g := 1 + w.View.Group(i)
		if group[k] > 0 && group[k] != g {
			return true
		}
		group[k] = g
	}
	return false
}

// mixes reports whether it is a round of CFL-GP in which gradients are averaged with earlier ones.
func (w *roundFacts) mixes() bool {
	stopped := w.first(trace.ClusteringStopped)
	return w.note("mix") != nil || w.periods() > 0 &&
		(stopped == 0 || stopped == w.f.Round && w.f.Events.Has(trace.Reclustered))
}

// periods returns how often a method that clusters every few rounds has done so, by its settings, with this round; 0 if
// it does not in this round.
func (w *roundFacts) periods() int {
	period, err := strconv.Atoi(w.setting("P"))
	if err != nil || period < 1 {
		return 0
	}
	from := 2 // the paper's t is the round − 1, and it clusters where t mod P = 1
	if !w.Config.Chose(w.Lane, "as=paper") {
		from = 1
	}
	if n := w.f.Round - from; n >= 0 && n%period == 0 {
		return n/period + 1
	}
	return 0
}

// common returns CFL-GP's common model of this round and how many gradients of it are averaged; −1 and 0 if these are
// unknown, or if clients differ in their number.
func (w *roundFacts) common() (k, taken int) {
	partial := w.f.Events.Has(trace.Partial)
	if n := w.note("mix"); n != nil {
		k, _ := n.Value("k")
		taken, _ := n.Value("taken")
		if partial {
			return int(k.Numbers[0]), 0
		}
		return int(k.Numbers[0]), int(taken.Numbers[0])
	}
	n, models := w.periods(), w.lane.Models
	if n == 0 || !w.Config.Chose(w.Lane, "as=paper") || !w.Config.Chose(w.Lane, "findk=given") {
		return -1, 0
	}
	if partial {
		return (n - 1) % models, 0
	}
	return (n - 1) % models, (n-1)/models + 1
}

// replied returns how many clients replied in the round.
func (w *roundFacts) replied() (n int) {
	for i := range w.f.Label {
		if w.state(i) == trace.Present {
			n++
		}
	}
	return n
}

// state returns what a client did in the round.
func (w *roundFacts) state(i int) trace.State {
	if i < len(w.f.State) {
		return w.f.State[i]
	}
	return trace.Present
}

// lead returns the followed client's lead over its noise, and how many clients have one below 1; 0 and −1 if unknown.
func (w *roundFacts) lead() (own float64, tossups int) {
	f := w.f
	if len(f.Lead) == 0 || len(f.Lead) != len(f.Label) || len(f.Noise) != len(f.Lead) {
		return 0, -1
	}
	for i, lead := range f.Lead {
		if w.state(i) != trace.Present {
			continue
		}
		if lead < f.Noise[i] {
			tossups++
		}
		if i == w.Client && f.Noise[i] > 0 {
			own = float64(lead) / float64(f.Noise[i])
		}
	}
	return own, tossups
}

// second returns the model with the least loss of the followed client after that which it has; −1 if its own has not the
// least.
func (w *roundFacts) second() int {
	f, columns := w.f, w.lane.Columns
	own, best := int(f.Label[w.Client]), -1
	if len(f.Losses) != len(f.Label)*columns {
		return -1
	}
	row := f.Losses[w.Client*columns : (w.Client+1)*columns]
	for k, l := range row {
		switch {
		case k == own:
		case l < row[own]:
			return -1
		case best < 0 || l < row[best]:
			best = k
		}
	}
	return best
}

// note returns the first note of a step, nil if there is none of the followed client.
func (w *roundFacts) note(step string) *trace.Note {
	d := w.Detail
	if d == nil || d.Round != w.f.Round {
		return nil
	}
	if n := slices.IndexFunc(d.Notes, func(n trace.Note) bool { return n.Step == step }); n >= 0 {
		return &d.Notes[n]
	}
	return nil
}

// setting returns the lane's value of a setting that it reads, else "".
func (w *roundFacts) setting(name string) string {
	text := w.Config.LaneValue(w.Lane, name)
	if !w.Config.Chose(w.Lane, name+"="+text) {
		return ""
	}
	return text
}

// canFill reports whether all slots of a text have values.
func (w *roundFacts) canFill(text string) bool {
	all := true
	formula.Text(text, func(name, kind string) ([]string, bool) {
		all = all && w.slot(name, kind) != ""
		return nil, false
	})
	return all
}

// fill translates a text and fills its slots.
func (w *roundFacts) fill(text string) string {
	return formula.Text(say.Text(text), func(name, kind string) ([]string, bool) {
		return []string{w.slot(name, kind)}, false
	})
}

// slot returns the value of a slot, "" for none.
func (w *roundFacts) slot(name, kind string) string {
	if step, value, ok := strings.Cut(name, "."); ok {
		n := w.note(step)
		if n == nil {
			return ""
		}
		v, ok := n.Value(value)
		if !ok || len(v.Numbers) == 0 {
			return ""
		}
		return w.noted(n, v, kind)
	}
	if kind == "setting" {
		return w.setting(name)
	}
	return w.ofRound(name, kind)
}

// ofRound returns the value of a slot of the round.
func (w *roundFacts) ofRound(name, kind string) string {
	number := func(n, least int) string {
		switch {
		case n < least:
			return ""
		case kind == "model":
			return w.letter(n)
		case kind == "word":
			return numeral(n)
		}
		return strconv.Itoa(n)
	}
	lead, tossups := w.lead()
	switch name {
	case "each":
		if w.f.Events.Has(trace.Partial) {
			return say.Text("Each participant")
		}
		return say.Text("Each client")
	case "clients":
		return number(w.replied(), 2)
	case "K":
		return number(w.lane.Models, 1)
	case "gradient", "gradients":
		return say.Text(w.trained(name))
	case "samples":
		return w.samples(w.Config.Value("b"))
	case "probe":
		if n := w.setting("probe"); n != "0" {
			return w.samples(n)
		}
		return w.samples(w.Config.Value("b"))
	case "found":
		return number(w.first(trace.Reclustered), 1)
	case "tossups":
		return number(tossups, 0)
	case "lead":
		if lead > 0 {
			return times(lead)
		}
	case "tossup":
		if lead > 0 && lead < 1 {
			return times(lead)
		}
	case "label":
		if f := w.f; w.Client >= 0 && w.Client < len(f.Label) {
			return number(int(f.Label[w.Client]), 0)
		}
	case "common":
		k, _ := w.common()
		return number(k, 0)
	case "taken":
		_, taken := w.common()
		return number(taken, 2)
	case "earlier":
		_, taken := w.common()
		return number(taken-1, 1)
	}
	return ""
}

// trained returns what clients send of their training: "gradient" or "gradients", with model averaging "update" or
// "updates".
func (w *roundFacts) trained(word string) string {
	if w.setting("avg") == "model" {
		return strings.Replace(word, "gradient", "update", 1)
	}
	return word
}

// samples names the samples of a client: "its 10 samples", or "its own samples" where their number depends on the client.
func (w *roundFacts) samples(n string) string {
	if count, err := strconv.Atoi(n); err == nil && w.Config.Endless() && count > 1 {
		return say.Textf("its %s samples", n)
	}
	return say.Text("its own samples")
}

// noted returns a noted value as text.
func (w *roundFacts) noted(n *trace.Note, v trace.Value, kind string) string {
	switch kind {
	case "model":
		return w.letters(v.Numbers)
	case "models":
		return w.byModel(v.Numbers)
	case "client":
		return chart.Client(int(v.Numbers[0]))
	case "keeps":
		if before, ok := n.Value("before"); ok && before.Numbers[0] == v.Numbers[0] {
			return say.Textf("keeps %s", w.letter(int(v.Numbers[0])))
		}
		return say.Textf("gets %s", w.letter(int(v.Numbers[0])))
	}
	return vector(v, kind)
}

// letters writes the letters of models, in their order.
func (w *roundFacts) letters(models []float64) string {
	var out []string
	for _, k := range w.View.ByAlias(w.lane.Models) {
		if slices.Contains(models, float64(k)) {
			out = append(out, w.letter(k))
		}
	}
	return strings.Join(out, say.Text(", "))
}

// byModel writes a number for each of the models, the first few by letter.
func (w *roundFacts) byModel(numbers []float64) string {
	const most = 4
	var b strings.Builder
	i := 0
	for _, k := range w.View.ByAlias(len(numbers)) {
		if len(numbers) > most && numbers[k] == 0 {
			continue // a model that is not used
		}
		if i > 0 {
			b.WriteString(" · ")
		}
		if i == most {
			b.WriteString("…")
			break
		}
		b.WriteString(w.letter(k) + " " + chart.Number(numbers[k]))
		i++
	}
	return b.String()
}

func (w *roundFacts) letter(k int) string {
	if chart.OwnModels(w.lane) {
		return say.Text("its model")
	}
	if w.Letter != nil {
		return w.Letter(k)
	}
	return w.View.Letter(k)
}

// vector writes numbers: one, or several in parentheses, of which it leaves out those beyond three.
func vector(v trace.Value, kind string) string {
	const most = 3
	numbers, more := v.Numbers, v.More || len(v.Numbers) > most
	if v.Last {
		numbers = numbers[max(0, len(numbers)-most):]
	}
	numbers = numbers[:min(len(numbers), most)]
	var parts []string
	if more && v.Last {
		parts = append(parts, "…")
	}
	for _, x := range numbers {
		switch kind {
		case "pull":
			if x = 0 - x; x > 0 {
				parts = append(parts, "+"+chart.Number(x))
				continue
			}
		case "fine":
			if abs := math.Abs(x); abs < 10 && abs >= 1e-3 {
				parts = append(parts, chart.Fixed(x, 4))
				continue
			}
		}
		parts = append(parts, chart.Number(x))
	}
	if more && !v.Last {
		parts = append(parts, "…")
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// usual are the numbers of a client in a phase without numbers of its own.
var usual = [registry.Phases]string{
	registry.Probe: "losses [losses.losses:models]|pulls [feature.k:model] by [feature.gradient:pull]" +
		"|pulls [train.k:model] by [train.gradient:pull]",
	registry.Cluster: "is in a cluster of [cluster.size]",
	registry.Match:   "[match.k:keeps]|[place.k:keeps]",
	registry.Update:  "[descend.k:model]: [descend.old:fine] → [descend.new:fine]|[move.k:model]: [move.old:fine] → [move.new:fine]",
}

// client returns the numbers of the followed client in a phase.
func (w *roundFacts) client(p registry.Phase, t *registry.PhaseText) string {
	f := w.f
	if w.Client < 0 || w.Client >= len(f.Label) || w.Detail == nil || w.first(trace.Diverged) > 0 {
		return ""
	}
	switch state := w.state(w.Client); {
	case state == trace.Absent:
		return say.Text("takes no part in this round")
	case state == trace.Dropped && p > registry.Broadcast:
		return say.Text("drops out of this round before it replies")
	case w.Detail.Client != w.Client:
		return ""
	case p == registry.Broadcast:
		return w.gets(t)
	}
	for _, text := range strings.Split(t.Client+"|"+usual[p], "|") {
		if text != "" && w.canFill(text) && (!t.Skips || t.Client != "") {
			return w.fill(text)
		}
	}
	if k := f.Label; p >= registry.Embed && p < registry.Update && !chart.OwnModels(w.lane) {
		if p < registry.Match {
			k = w.b.Label
		}
		if len(f.Mixture) == 0 {
			return say.Textf("has %s", w.letter(int(k[w.Client])))
		}
	}
	return ""
}

// gets says what the followed client gets.
func (w *roundFacts) gets(t *registry.PhaseText) string {
	what, floats := w.broadcast(t, true)
	switch {
	case floats == 0:
		return ""
	case what == "":
		return say.Textf("gets %s", say.Count(floats, "number"))
	}
	return say.Textf("gets %s: %s", what, say.Count(floats, "number"))
}

// broadcast names what the followed client is sent, with letters or the number of the models, and counts its numbers.
func (w *roundFacts) broadcast(t *registry.PhaseText, letters bool) (what string, floats int) {
	var parts []string
	var models []float64
	extra, size := 0, w.lane.Size
	w.messages(registry.Broadcast, func(n *trace.Note, count int) {
		floats += count
		if k, _ := n.Value("k"); n.Step == stepSend && count >= size {
			models = append(models, k.Numbers...)
			return
		}
		if extra += count; t.Sends != "" {
			parts = append(parts, w.fill(t.Sends))
			return
		}
		s, _ := w.Meta.StepOf(n.Step, w.Schema.Steps)
		parts = append(parts, say.Text(s.Sends))
	})
	if n := len(models); n > 0 {
		var text string
		switch {
		case letters && n < 6:
			text = w.letters(models)
		case n == 1:
			text = say.Text("one model")
		case say.Language() == "":
			text = numeral(n) + " models"
		default:
			text = say.Textf("%d models", n)
		}
		parts = append(parts, text)
		if floats-extra > n*size && t.Sends != "" {
			parts = append(parts, say.Text(t.Sends))
		}
	}
	return strings.Join(parts, say.Text(", ")), floats
}

// messages calls f with each message of the client of the detail that crosses the network in a phase, and its size.
func (w *roundFacts) messages(p registry.Phase, f func(n *trace.Note, floats int)) {
	d := w.Detail
	if d == nil || d.Round != w.f.Round {
		return
	}
	answers := 0
	for _, n := range d.Notes {
		if n.Step == stepAnswer {
			answers++
		}
	}
	for i := range d.Notes {
		n := &d.Notes[i]
		in := w.crosses(n.Step)
		if n.Step == stepAnswer {
			if answers--; answers > 0 {
				in = registry.Embed // the first of two answers is that by which clients are compared
			}
		}
		v, _ := n.Value("floats")
		if len(v.Numbers) > 0 && v.Numbers[0] > 0 && in == p {
			f(n, int(v.Numbers[0]))
		}
	}
}

// crosses returns the phase in which a step's message crosses the network.
func (w *roundFacts) crosses(step string) registry.Phase {
	if step == stepSend || step == stepExtra {
		return registry.Broadcast
	}
	for p := registry.Embed; p <= registry.Update; p++ {
		if slices.Contains(strings.Fields(w.text(p).Carries), step) {
			return p
		}
	}
	if step == stepTrain && (w.note("mix") == nil || w.note(stepFeature) != nil) { // else it serves both
		return registry.Update
	}
	return registry.Embed
}

// sends says what crosses the network in a phase, to and from the client of the detail: the followed one if it takes part.
func (w *roundFacts) sends(p registry.Phase, t *registry.PhaseText) string {
	if w.Detail == nil {
		return ""
	}
	if p == registry.Broadcast {
		what, floats := w.broadcast(t, false)
		return crossing("↓ ", what, floats)
	}
	floats, later := 0, 0
	var parts []string
	var models []float64 // whose gradients or updates are sent
	w.messages(p, func(n *trace.Note, count int) {
		floats += count
		what := w.fill(t.Sends)
		switch k, ok := n.Value("k"); {
		case what != "":
		case ok && (n.Step == stepTrain || n.Step == stepFeature):
			models = append(models, k.Numbers...)
			return
		default:
			s, _ := w.Meta.StepOf(n.Step, w.Schema.Steps)
			what = say.Text(s.Sends)
		}
		if !slices.Contains(parts, what) {
			parts = append(parts, what)
		}
	})
	if n := len(models); n > 0 {
		word := "gradients"
		if n == 1 {
			word = "gradient"
		}
		parts = append(parts, say.Textf("%s of %s", say.Message(w.trained(word)), w.letters(models)))
	}
	for q := p + 1; q < registry.Phases; q++ {
		w.messages(q, func(_ *trace.Note, count int) { later += count })
	}
	switch {
	case floats == 0 && !t.Skips && p > registry.Probe && w.state(w.Detail.Client) == trace.Dropped:
		return say.Text("nothing arrives from this client")
	case floats == 0 && t.Sends != "" && p == registry.Match:
		return "↓ " + say.Text(t.Sends)
	case floats == 0 && t.Sends != "" && p == registry.Cluster:
		return "↑ " + say.Text(t.Sends)
	case floats == 0 && later > 0 && p == registry.Probe:
		return say.Text("nothing is sent yet")
	}
	return crossing("↑ ", strings.Join(parts, say.Text(", ")), floats)
}

// crossing says what crosses the network, and its size.
func crossing(arrow, what string, floats int) string {
	if floats == 0 {
		return say.Text("nothing is sent")
	}
	return arrow + say.Textf("%s: %s", what, say.Count(floats, "number"))
}

// numeral returns a small number as a word in English, else its digits.
func numeral(n int) string {
	words := [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}
	if n >= 0 && n < len(words) && say.Language() == "" {
		return words[n]
	}
	return strconv.Itoa(n)
}

// times writes a ratio: 0.5, 2.2, 11.
func times(x float64) string {
	if x < 9.95 {
		return chart.Fixed(x, 1)
	}
	return chart.Fixed(x, 0)
}

// whole writes a mean number of floats: 69, 12.5.
func whole(x float64) string {
	if x >= 100 || x == math.Trunc(x) {
		return chart.Fixed(x, 0)
	}
	return chart.Fixed(x, 1)
}
