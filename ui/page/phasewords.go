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
// [name:setting] and [name:ordinal] are settings of the lane, and [step.value:kind] is what was noted of the followed
// client. Kinds are model (letters), models (a number for each letter), pull (a vector, turned round), client, word,
// ordinal and keeps (whether a client keeps its model).
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

	memo *wordsMemo // what the present call of a method has found out
}

// wordsMemo keeps what takes time to find out while words are made.
type wordsMemo struct {
	since [8]struct {
		known bool
		round int
	}
	texts [registry.Phases]*registry.PhaseText
}

// call returns w with a memo of its own.
func (w *RoundWords) call() *RoundWords {
	c := *w
	c.memo = new(wordsMemo)
	return &c
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
		"What clients send becomes a place on the server’s map.",
		"Clients that lie near each other become a cluster.",
		"Each cluster gets one of the models.",
		"Each model moves the way its clients pull it."}[p]))
}

// Phase returns the words of a phase.
func (w *RoundWords) Phase(p registry.Phase) PhaseWords {
	if f := w.frame(); f == nil || f.Round == 0 {
		return PhaseWords{Skipped: true, Says: say.Text("The start: no round yet.")}
	}
	w = w.call()
	t := w.text(p)
	out := PhaseWords{Skipped: t.Skips, Says: w.fill(t.Says)}
	if p == registry.Update && !t.Skips && w.Config.Chose(w.Lane, "private=noise") && w.setting("rr") != "0" &&
		w.setting("rr") != "" {
		out.Says += say.Text(" Small clusters borrow updates.")
	}
	out.Client = w.client(p, t)
	out.Sends = w.sends(p, t)
	return out
}

// Rest returns what is told of the followed client at the end of a round, and the traffic so far.
func (w *RoundWords) Rest() (client, sends string) {
	f := w.frame()
	if f == nil {
		return "", ""
	}
	w = w.call()
	sends = say.Textf("sent so far, per client: %s down, %s up", whole(f.Down), whole(f.Up))
	lane, i := w.View.LaneHeader(), w.Client
	if i < 0 || i >= len(f.Label) {
		return "", sends
	}
	has := say.Textf("has %s", w.letter(int(f.Label[i])))
	lead, _ := w.lead()
	switch {
	case chart.OwnModels(lane):
		return say.Text("has a model of its own"), sends
	case lane.Models == 1:
		return say.Textf("has %s, as all clients do", w.letter(0)), sends
	case f.Round == 0:
	case len(f.Mixture) == len(f.Label)*lane.Models:
		row := make([]float64, lane.Models)
		for k := range row {
			row[k] = float64(f.Mixture[i*lane.Models+k])
		}
		return say.Textf("weights %s", w.byModel(row)), sends
	case i < len(f.Replies) && f.Replies[i] > 1:
		return say.Textf("placed by the mean of %d %s, %s", f.Replies[i], say.Message(w.trained("gradients")), has), sends
	case lane.Border && lead > 0 && w.second() >= 0:
		return say.Textf("%s; ahead of %s by %s times the noise", has, w.letter(w.second()), times(lead)), sends
	}
	if m := lane.Map; m >= trace.LossPair && m <= trace.LossPlane && !lane.Border && f.Round > 0 &&
		len(f.Losses) == len(f.Label)*lane.Models {
		row := make([]float64, lane.Models)
		for k := range row {
			row[k] = float64(f.Losses[i*lane.Models+k])
		}
		return say.Textf("losses %s, %s", w.byModel(row), has), sends
	}
	return has, sends
}

// Common returns the model that all clients get beside their own in this round, −1 for none.
func (w *RoundWords) Common() int {
	if f := w.frame(); f == nil || f.Round == 0 {
		return -1
	}
	if w = w.call(); !w.mixes() {
		return -1
	}
	k, _ := w.common()
	return k
}

// AllModels reports whether each participant got all models in this round.
func (w *RoundWords) AllModels() bool {
	lane, f := w.View.LaneHeader(), w.frame()
	if f == nil || f.Round == 0 || lane.Models < 2 || chart.OwnModels(lane) {
		return false
	}
	took := len(f.Label)
	if f.Events.Has(trace.Partial) {
		took = 0
		for _, s := range f.State {
			if s != trace.Absent {
				took++
			}
		}
	}
	down := (f.Down - w.before().Down) * float64(len(f.Label))
	return took > 0 && math.Round(down) >= float64(took*lane.Models*lane.Size)
}

// frame is the frame after the round, and before the one before that.
func (w *RoundWords) frame() *trace.Frame { return w.at(w.View.Round) }

func (w *RoundWords) before() *trace.Frame { return w.at(w.frame().Round - 1) }

// at returns the frame of a round, the newest one if the run has not reached it. A figure's moment inside a round does
// not change it.
func (w *RoundWords) at(round int) *trace.Frame {
	if w.View.LaneHeader() == nil || len(w.frames()) == 0 {
		return nil
	}
	return &w.frames()[min(max(round, 0), len(w.frames())-1)]
}

func (w *RoundWords) frames() []trace.Frame { return w.View.Run.Tracks[w.View.Lane].Frames }

// since returns the first round up to the shown one with an event, 0 for none.
func (w *RoundWords) since(event trace.Events) int {
	m := &w.memo.since[bits.TrailingZeros8(uint8(event))]
	for round := 1; !m.known && round <= w.frame().Round; round++ {
		if w.at(round).Events.Has(event) {
			m.known, m.round = true, round
		}
	}
	m.known = true
	return m.round
}

// text returns the text of a phase that holds in this round.
func (w *RoundWords) text(p registry.Phase) *registry.PhaseText {
	if w.memo.texts[p] == nil {
		w.memo.texts[p] = w.find(p)
	}
	return w.memo.texts[p]
}

// find does it anew.
func (w *RoundWords) find(p registry.Phase) *registry.PhaseText {
	f := w.frame()
	clusters := f.Events.Has(trace.Reclustered)
	stopped := w.since(trace.ClusteringStopped)
	phase := func(skips bool, says string) *registry.PhaseText {
		return &registry.PhaseText{Phase: p, Skips: skips, Says: says}
	}
	switch {
	case w.since(trace.Diverged) > 0:
		return phase(true, "Skipped: the models have diverged.")
	case p != registry.Broadcast && !clusters && w.replied() == 0:
		return phase(true, "Skipped: no client replied in this round.")
	case stopped > 0 && p >= registry.Embed && p <= registry.Match && !clusters:
		return phase(true, "Not any more: clients have been clustered for the last time.")
	case stopped > 0 && stopped < f.Round && p == registry.Embed && !w.mixes():
		return phase(false, "Newcomers alone are compared, with the clusters that there are.")
	case stopped > 0 && stopped < f.Round && p == registry.Cluster && !w.mixes():
		return phase(false, "Newcomers join the nearest cluster. The others stay where they are.")
	case stopped > 0 && stopped < f.Round && p == registry.Match && !w.mixes():
		return phase(false, "Newcomers get the model of the cluster that they join.")
	}
	for _, list := range [][]*registry.PhaseText{w.Meta.Phases, w.Schema.Phases} {
		for _, t := range list {
			if t.Phase == p && w.Config.Chose(w.Lane, t.When) && w.holds(t.If) && w.canFill(t.Says) {
				if p == registry.Broadcast && !t.Skips && f.Down == w.before().Down {
					return phase(true, "Skipped: nothing is sent to the clients in this round.")
				}
				return t
			}
		}
	}
	return phase(true, "")
}

// holds reports whether conditions are true (see [registry.PhaseText.If]).
func (w *RoundWords) holds(conditions string) bool {
	for condition := range strings.FieldsSeq(conditions) {
		name, negated := strings.CutPrefix(condition, "!")
		if w.holdsOne(name) == negated {
			return false
		}
	}
	return true
}

func (w *RoundWords) holdsOne(condition string) bool {
	f, b := w.frame(), w.before()
	if step, ok := strings.CutPrefix(condition, "note."); ok {
		return w.note(step) != nil
	}
	switch condition {
	case "first":
		return f.Round == 1
	case "clusters":
		return f.Events.Has(trace.Reclustered)
	case "before":
		round := w.since(trace.Reclustered)
		return round > 0 && round < f.Round
	case "due":
		period, err := strconv.Atoi(w.setting("est"))
		return err == nil && (f.Round-1)%max(period, 1) == 0
	case "grew":
		return f.Clusters > b.Clusters
	case "moved":
		return f.Events.Has(trace.Moved)
	case "stopped":
		return w.since(trace.ClusteringStopped) > 0
	case "single":
		return w.View.LaneHeader().Models == 1
	case "classes":
		return len(w.at(0).Confusion) > 0
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
func (w *RoundWords) strangers() bool {
	f, h := w.frame(), w.View.Run.Header
	group := map[uint16]int{}
	for i, k := range f.Label {
		if !h.HasTruth() || f.Events.Has(trace.Partial) && f.State[i] != trace.Present {
			continue
		}
		g := w.View.Group(i)
		if other, ok := group[k]; ok && other != g {
			return true
		}
		group[k] = g
	}
	return false
}

// mixes reports whether it is a round of CFL-GP in which gradients are averaged with earlier ones.
func (w *RoundWords) mixes() bool {
	stopped := w.since(trace.ClusteringStopped)
	return w.note("mix") != nil || w.periods() > 0 &&
		(stopped == 0 || stopped == w.frame().Round && w.frame().Events.Has(trace.Reclustered))
}

// periods returns how often a method that clusters every few rounds has done so, by its settings, with this round; 0 if
// it does not in this round.
func (w *RoundWords) periods() int {
	period, err := strconv.Atoi(w.setting("P"))
	if err != nil || period < 1 {
		return 0
	}
	from := 2 // the paper's t is the round − 1, and it clusters where t mod P = 1
	if !w.Config.Chose(w.Lane, "as=paper") {
		from = 1
	}
	if n := w.frame().Round - from; n >= 0 && n%period == 0 {
		return n/period + 1
	}
	return 0
}

// common returns CFL-GP's common model of this round and how many gradients of it are averaged; −1 and 0 if these are
// unknown, or if clients differ in their number.
func (w *RoundWords) common() (k, taken int) {
	partial := w.frame().Events.Has(trace.Partial)
	if n := w.note("mix"); n != nil {
		k, _ := n.Value("k")
		taken, _ := n.Value("taken")
		if partial {
			return int(k.Numbers[0]), 0
		}
		return int(k.Numbers[0]), int(taken.Numbers[0])
	}
	n, models := w.periods(), w.View.LaneHeader().Models
	if n == 0 || !w.Config.Chose(w.Lane, "as=paper") || !w.Config.Chose(w.Lane, "findk=given") {
		return -1, 0
	}
	if partial {
		return (n - 1) % models, 0
	}
	return (n - 1) % models, (n-1)/models + 1
}

// replied returns how many clients replied in the round.
func (w *RoundWords) replied() int {
	f := w.frame()
	if !f.Events.Has(trace.Partial) {
		return len(f.Label)
	}
	n := 0
	for _, s := range f.State {
		if s == trace.Present {
			n++
		}
	}
	return n
}

// lead returns the followed client's lead over its noise, and how many clients have one below 1; 0 and −1 if unknown.
func (w *RoundWords) lead() (own float64, tossups int) {
	f := w.frame()
	if len(f.Lead) == 0 || len(f.Lead) != len(f.Label) || len(f.Noise) != len(f.Lead) {
		return 0, -1
	}
	for i, lead := range f.Lead {
		if f.Events.Has(trace.Partial) && f.State[i] != trace.Present {
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
func (w *RoundWords) second() int {
	f, columns := w.frame(), w.View.LaneHeader().Columns
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
func (w *RoundWords) note(step string) *trace.Note {
	d := w.Detail
	if d == nil || d.Round != w.frame().Round {
		return nil
	}
	if n := slices.IndexFunc(d.Notes, func(n trace.Note) bool { return n.Step == step }); n >= 0 {
		return &d.Notes[n]
	}
	return nil
}

// setting returns the lane's value of a setting that it reads, else "".
func (w *RoundWords) setting(name string) string {
	text := w.Config.LaneValue(w.Lane, name)
	if !w.Config.Chose(w.Lane, name+"="+text) {
		return ""
	}
	return text
}

// canFill reports whether all slots of a text have values.
func (w *RoundWords) canFill(text string) bool {
	all := true
	formula.Text(text, func(name, kind string) ([]string, bool) {
		all = all && w.slot(name, kind) != ""
		return nil, false
	})
	return all
}

// fill translates a text and fills its slots.
func (w *RoundWords) fill(text string) string {
	return formula.Text(say.Text(text), func(name, kind string) ([]string, bool) {
		return []string{w.slot(name, kind)}, false
	})
}

// slot returns the value of a slot, "" for none.
func (w *RoundWords) slot(name, kind string) string {
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
	if kind == "setting" || kind == "ordinal" {
		text := w.setting(name)
		if n, err := strconv.Atoi(text); err == nil && kind == "ordinal" {
			return ordinal(n)
		}
		return text
	}
	return w.ofRound(name, kind)
}

// ofRound returns the value of a slot of the round.
func (w *RoundWords) ofRound(name, kind string) string {
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
		if w.frame().Events.Has(trace.Partial) {
			return say.Text("Each participant")
		}
		return say.Text("Each client")
	case "clients":
		return number(w.replied(), 2)
	case "K":
		return number(w.View.LaneHeader().Models, 1)
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
		return number(w.since(trace.Reclustered), 1)
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
		if f := w.frame(); w.Client >= 0 && w.Client < len(f.Label) {
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
func (w *RoundWords) trained(word string) string {
	if w.setting("avg") == "model" {
		return strings.Replace(word, "gradient", "update", 1)
	}
	return word
}

// samples names the samples of a client: "its 10 samples", or "its own samples" where their number depends on the client.
func (w *RoundWords) samples(n string) string {
	if count, err := strconv.Atoi(n); err == nil && w.Config.Endless() && count > 1 {
		return say.Textf("its %s samples", n)
	}
	return say.Text("its own samples")
}

// noted returns a noted value as text.
func (w *RoundWords) noted(n *trace.Note, v trace.Value, kind string) string {
	switch kind {
	case "model":
		ks := w.sorted(v.Numbers)
		letters := make([]string, len(ks))
		for i, k := range ks {
			letters[i] = w.letter(k)
		}
		return strings.Join(letters, say.Text(", "))
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
	return vector(v, kind == "pull")
}

// sorted returns models in the order of their letters.
func (w *RoundWords) sorted(models []float64) []int {
	out := make([]int, len(models))
	for i, k := range models {
		out[i] = int(k)
	}
	slices.SortFunc(out, func(a, b int) int { return w.View.AliasOf(a) - w.View.AliasOf(b) })
	return out
}

// byModel writes a number for each of the models, the first few by letter.
func (w *RoundWords) byModel(numbers []float64) string {
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

func (w *RoundWords) letter(k int) string {
	if chart.OwnModels(w.View.LaneHeader()) {
		return say.Text("its model")
	}
	if w.Letter != nil {
		return w.Letter(k)
	}
	return w.View.Letter(k)
}

// vector writes numbers: one, or several in parentheses, of which it leaves out those beyond three.
func vector(v trace.Value, turned bool) string {
	numbers := v.Numbers
	most := 3
	cut := len(numbers) > most
	switch {
	case cut && v.Last:
		numbers = numbers[len(numbers)-most:]
	case cut:
		numbers = numbers[:most]
	}
	parts := make([]string, len(numbers))
	for i, x := range numbers {
		if turned {
			x = 0 - x
		}
		parts[i] = chart.Number(x)
		if turned && x > 0 {
			parts[i] = "+" + parts[i]
		}
	}
	switch more := cut || v.More; {
	case more && v.Last:
		parts = slices.Insert(parts, 0, "…")
	case more:
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
	registry.Update:  "[descend.k:model]: [descend.old] → [descend.new]|[move.k:model]: [move.old] → [move.new]",
}

// client returns the numbers of the followed client in a phase.
func (w *RoundWords) client(p registry.Phase, t *registry.PhaseText) string {
	f := w.frame()
	if w.Client < 0 || w.Client >= len(f.Label) || w.Detail == nil || w.since(trace.Diverged) > 0 {
		return ""
	}
	if f.Events.Has(trace.Partial) && f.State[w.Client] != trace.Present {
		if f.State[w.Client] == trace.Absent {
			return say.Text("takes no part in this round")
		}
		if p > registry.Broadcast {
			return say.Text("drops out of this round before it replies")
		}
	}
	switch {
	case w.Detail.Client != w.Client:
		return ""
	case p == registry.Broadcast:
		return w.gets(t)
	}
	for text := range strings.SplitSeq(t.Client+"|"+usual[p], "|") {
		if text != "" && w.canFill(text) && (!t.Skips || t.Client != "") {
			return w.fill(text)
		}
	}
	if k := f.Label; p >= registry.Embed && p < registry.Update && !chart.OwnModels(w.View.LaneHeader()) {
		if p < registry.Match {
			k = w.before().Label
		}
		if len(f.Mixture) == 0 {
			return say.Textf("has %s", w.letter(int(k[w.Client])))
		}
	}
	return ""
}

// gets says what the followed client gets.
func (w *RoundWords) gets(t *registry.PhaseText) string {
	what, floats := w.broadcast(t, func(models []float64) string {
		if len(models) > 5 {
			return ""
		}
		var letters []string
		for _, k := range w.sorted(models) {
			letters = append(letters, w.letter(k))
		}
		return strings.Join(letters, say.Text(", "))
	})
	switch {
	case floats == 0:
		return ""
	case what == "":
		return say.Textf("gets %s", say.Count(floats, "number"))
	}
	return say.Textf("gets %s: %s", what, say.Count(floats, "number"))
}

// broadcast names what the followed client is sent, and counts its numbers. name names models; if it returns "", they
// are counted.
func (w *RoundWords) broadcast(t *registry.PhaseText, name func(models []float64) string) (what string, floats int) {
	var parts []string
	var models []float64
	extra, size := 0, w.View.LaneHeader().Size
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
		text := name(models)
		switch {
		case text != "":
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
func (w *RoundWords) messages(p registry.Phase, f func(n *trace.Note, floats int)) {
	d := w.Detail
	if d == nil || d.Round != w.frame().Round {
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
func (w *RoundWords) crosses(step string) registry.Phase {
	if step == stepSend || step == stepExtra {
		return registry.Broadcast
	}
	for p := registry.Embed; p <= registry.Update; p++ {
		for s := range strings.FieldsSeq(w.text(p).Carries) {
			if s == step {
				return p
			}
		}
	}
	if step == stepTrain && (w.note("mix") == nil || w.note(stepFeature) != nil) { // else it serves both
		return registry.Update
	}
	return registry.Embed
}

// sends says what crosses the network in a phase, to and from the client of the detail: the followed one if it takes part.
func (w *RoundWords) sends(p registry.Phase, t *registry.PhaseText) string {
	if w.Detail == nil {
		return ""
	}
	if p == registry.Broadcast {
		what, floats := w.broadcast(t, func([]float64) string { return "" })
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
		word, letters := w.trained("gradient"), make([]string, n)
		if n > 1 {
			word = w.trained("gradients")
		}
		for i, k := range w.sorted(models) {
			letters[i] = w.letter(k)
		}
		parts = append(parts, say.Textf("%s of %s", say.Message(word), strings.Join(letters, say.Text(", "))))
	}
	for q := p + 1; q < registry.Phases; q++ {
		w.messages(q, func(_ *trace.Note, count int) { later += count })
	}
	f, of := w.frame(), w.Detail.Client
	switch {
	case floats == 0 && !t.Skips && p > registry.Probe && f.Events.Has(trace.Partial) && of < len(f.State) &&
		f.State[of] == trace.Dropped:
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

// ordinal returns an English ordinal, and the number alone in other languages.
func ordinal(n int) string {
	words := [...]string{"", "single", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	switch {
	case say.Language() != "":
		return strconv.Itoa(n)
	case n > 0 && n < len(words):
		return words[n]
	}
	end := "th"
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return strconv.Itoa(n) + end
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
