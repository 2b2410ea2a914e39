// Package partition distributes a sample set to clients. Three layers compose, and a fourth adds
// label noise:
//
//   - a split: which samples a client holds;
//   - a shift: how the client sees them;
//   - a concept: what their labels mean to it;
//   - noise: wrong labels, in training only.
//
// Each layer is a registry with one file per entry. A layer may plant groups; the group of a client
// is the combination of its groups in all layers.
package partition

import (
	"math"
	"slices"
	"strconv"

	"flockscope/sim/dataset"
	"flockscope/sim/param"
	"flockscope/sim/rng"
	"flockscope/sim/say"
)

// Partition is a set that is distributed to clients. What it returns never changes, and its methods may be
// called concurrently.
type Partition struct {
	Set         *dataset.Set
	Clients     []Client
	Groups      int           // planted groups; 0 when no layer planted any
	GroupNames  []say.Message // short words for each group
	NoGroupsWhy say.Message   // why there are no groups
	Even        bool          // all clients hold the same mixture of classes, up to chance
	HeldBack    bool          // Test are training samples that are held back

	noise     Noise
	seed      uint64
	worlds    []combination
	keptBytes int64
}

// Client is what one client holds.
type Client struct {
	Group       int     // planted group, −1 if there are none
	Train, Test []int32 // samples, in random order and disjoint
	View        View    // view of the samples; nil if unchanged
	Relabel     []uint8 // label of each class at this client; nil if unchanged
	Owner       string  // name of the client in the set; empty if unknown
	kept        *kept   // images that are slow to make; nil for none
}

// Build distributes a set to clients. v holds the settings of [Fields]. An error is a *param.Error.
func Build(v param.Values, set *dataset.Set, clients int, seed uint64) (*Partition, error) {
	b := builder{v: v, set: set, clients: clients, seed: seed}
	if err := b.check(); err != nil {
		return nil, err
	}
	if err := b.layers(); err != nil {
		return nil, err
	}
	p := b.newPartition()
	if err := b.deal(p); err != nil {
		return nil, err
	}
	if v.Switch("holdback") {
		if err := p.holdBack(clients); err != nil {
			return nil, err
		}
	}
	b.compare(p)
	p.keep(keepLimit())
	return p, nil
}

// holdBack puts a part of each client's training samples in the place of its test samples.
func (p *Partition) holdBack(clients int) error {
	p.HeldBack = true
	for i := range p.Clients {
		c := &p.Clients[i]
		n := len(c.Train)
		if n < 2 {
			return &param.Error{Field: "C", Got: strconv.Itoa(clients), Want: "fewer clients",
				Hint: "a client has a single training sample, and none to hold back"}
		}
		train := max(1, min(n-1, int(math.Round(trainedShare*float64(n)))))
		c.Train, c.Test = c.Train[:train:train], c.Train[train:]
	}
	return nil
}

// trainedShare is the share of the training samples that is not held back.
const trainedShare = 0.7

// builder builds a partition.
type builder struct {
	v       param.Values
	set     *dataset.Set
	clients int
	seed    uint64

	split    Split
	byWriter bool
	shift    Shift
	concept  Concept
	plan     *plan
}

// check returns an error if there are too few samples for any split.
func (b *builder) check() error {
	if b.v.Text("test") == "set" && b.set.Train == b.set.Len() {
		return &param.Error{Field: "test", Got: "set", Want: "share",
			Hint:        say.Messagef("%s has no test split", b.set.Name),
			Suggestions: []param.Suggestion{{Key: "test", Value: "share"}}}
	}
	// Each client needs two samples: one for training, one for testing.
	most := b.set.Len() / 2
	if b.v.Text("test") == "set" {
		most = min(b.set.Train, b.set.Len()-b.set.Train)
	}
	if b.clients > most {
		return &param.Error{Field: "C", Got: strconv.Itoa(b.clients), Want: say.Messagef("at most %d", most),
			Hint:        say.Messagef("%s has %d samples", b.set.Name, b.set.Len()),
			Suggestions: []param.Suggestion{{Key: "C", Value: strconv.Itoa(most)}}}
	}
	return nil
}

// layers makes the layers and the plan of groups.
func (b *builder) layers() (err error) {
	split, _ := Splits.Lookup(b.v.Text("split"))
	shift, _ := Shifts.Lookup(b.v.Text("shift"))
	concept, _ := Concepts.Lookup(b.v.Text("concept"))
	b.byWriter = split.Make.ByWriter
	if b.split, err = split.Make.Make(b.v, b.set, b.seed); err != nil {
		return err
	}
	if b.shift, err = shift.Make(b.v, b.set, b.seed); err != nil {
		return err
	}
	if b.concept, err = concept.Make(b.v, b.set, b.seed); err != nil {
		return err
	}
	if b.v.Text("noise") != "none" {
		if err := needClasses(b.v, "noise", b.set, "none, or a set with classes"); err != nil {
			return err
		}
	}
	if s, ok := b.split.(Limited); ok {
		b.plan = newPlan(b.clients, s.Capacity(), b.shift.Kinds, b.concept.Kinds)
		return b.checkCapacity(s.Capacity())
	}
	b.plan = newPlan(b.clients, evenly(len(b.split.Groups())), b.shift.Kinds, b.concept.Kinds)
	return nil
}

// checkCapacity returns an error if a deal has more clients than a group has writers.
func (b *builder) checkCapacity(room []int) error {
	all := 0
	for _, n := range room {
		all += n
	}
	for _, members := range b.deals() {
		count := make([]int, len(room))
		for _, i := range members {
			g := b.plan.split[i]
			if count[g]++; count[g] > room[g] {
				return &param.Error{Field: "C", Got: strconv.Itoa(b.clients), Want: "no more clients than writers",
					Hint: say.Messagef("%d writers of %s have samples to train on and to be tested on", all,
						b.set.Name),
					Suggestions: []param.Suggestion{{Key: "C", Value: strconv.Itoa(all)}}}
			}
		}
	}
	return nil
}

// newPartition returns the partition without samples.
func (b *builder) newPartition() *Partition {
	noise, _ := Noises.Lookup(b.v.Text("noise"))
	p := &Partition{Set: b.set, Clients: make([]Client, b.clients), noise: noise.Make(b.v), seed: b.seed}
	groups := [3][]say.Message{b.split.Groups(), b.shift.Groups, b.concept.Groups}
	// A single group is not a grouping.
	if max(1, len(groups[0]))*max(1, len(groups[1]))*max(1, len(groups[2])) > 1 {
		p.Groups = len(b.plan.combinations)
		for _, of := range b.plan.combinations {
			var words []say.Message
			for layer, g := range of {
				if len(groups[layer]) > 0 {
					words = append(words, groups[layer][g])
				}
			}
			p.GroupNames = append(p.GroupNames, say.JoinMessage(words, ", "))
		}
	}
	for i := range p.Clients {
		c := &p.Clients[i]
		c.Group = -1
		if p.Groups > 0 {
			c.Group = b.plan.group[i]
		}
		c.View = b.shift.View(b.plan.view[i], i)
		c.Relabel = b.concept.Relabel[b.plan.naming[i]]
		b.noteCombination(p, i)
	}
	return p
}

// compare sets whether clients hold the same mixture of classes and, without planted groups,
// whether they differ at all.
func (b *builder) compare(p *Partition) {
	p.Even = b.sameMixture(p)
	switch {
	case p.Groups > 0:
	case p.Even && p.sameViews():
		p.NoGroupsWhy = noneDiffers
	default:
		p.NoGroupsWhy = nonePlanted
	}
}

// sameMixture reports whether all clients hold the same mixture of classes. Consecutive samples of
// a set may have any mixture: they are counted.
func (b *builder) sameMixture(p *Partition) bool {
	switch b.v.Text("split") {
	case "unequal":
		return true
	case "classes":
		return b.v.Int("per") == b.set.Classes
	case "even":
		return b.v.Text("order") == "shuffled" || b.set.Classes == 0 || sameUpToChance(p.counts())
	}
	return false
}

// counts returns how many samples of each class every client trains on.
func (p *Partition) counts() [][]int {
	counts := make([][]int, len(p.Clients))
	for i := range p.Clients {
		counts[i] = make([]int, p.Set.Classes)
		for _, sample := range p.Clients[i].Train {
			counts[i][p.Set.Label[sample]]++
		}
	}
	return counts
}

// Reasons why there are no groups.
const (
	noneDiffers say.Message = "Clients do not differ here, so no clustering is right or wrong."
	nonePlanted say.Message = "Clients differ here, but in no planted groups, so no clustering is right or wrong."
)

// sameViews reports whether all clients have the same view.
func (p *Partition) sameViews() bool {
	for i := range p.Clients {
		if p.Clients[i].ViewName() != p.Clients[0].ViewName() {
			return false
		}
	}
	return true
}

// ViewName names the view of a client, "" for unchanged samples.
func (c *Client) ViewName() say.Message {
	if c.View == nil {
		return ""
	}
	return c.View.Words()
}

// deals returns the clients of each deal. There is one deal, unless groups with different views or
// labels may hold the same samples.
func (b *builder) deals() [][]int {
	if !b.v.Switch("reuse") {
		return [][]int{indices(b.clients)}
	}
	n := max(1, len(b.concept.Groups))
	out := make([][]int, n*max(1, len(b.shift.Groups)))
	for i := range b.clients {
		turn := b.plan.shift[i]*n + b.plan.concept[i]
		out[turn] = append(out[turn], i)
	}
	return out
}

// deal assigns samples to clients.
func (b *builder) deal(p *Partition) error {
	own := b.v.Text("test") == "set"
	all := make([]int32, b.set.Len())
	for i := range all {
		all[i] = int32(i)
	}
	pool := all
	if own {
		pool = all[:b.set.Train]
	}
	for turn, members := range b.deals() {
		if len(members) == 0 {
			continue
		}
		d := &Deal{Set: b.set, Pool: pool, Turn: turn, Seed: b.seed}
		for _, i := range members {
			d.Group = append(d.Group, b.plan.split[i])
		}
		hands, err := b.split.Deal(d)
		if err != nil {
			return err
		}
		for j, i := range members {
			if err := b.assign(p, i, hands[j], own); err != nil {
				return err
			}
		}
		if own {
			b.assignTests(p, turn, members, all[b.set.Train:])
		}
	}
	for i := range p.Clients {
		if len(p.Clients[i].Test) == 0 {
			return &param.Error{Field: "C", Got: strconv.Itoa(b.clients), Want: "fewer clients",
				Hint: say.Messagef("a client has no samples left for testing; or set %s", "test=share"), Suggestions: []param.Suggestion{{Key: "test", Value: "share"}}}
		}
	}
	return nil
}

// assign gives a client its samples, in random order and limited by the setting each. Unless the
// set has a test split, the last part of them is for testing.
func (b *builder) assign(p *Partition, i int, hand []int32, own bool) error {
	share, least, each := b.v.Float("share"), 2, b.v.Int("each")
	if own {
		share, least = 1, 1
	}
	if len(hand) < least {
		hint := say.Messagef("a client gets only %d of the samples of %s", len(hand), b.set.Name)
		if b.v.Text("split") == "unequal" && b.set.Len() >= 2*least*b.clients {
			return &param.Error{Field: "ratio", Got: b.v.Text("ratio"), Want: "less", Hint: hint}
		}
		return &param.Error{Field: "C", Got: strconv.Itoa(b.clients), Want: "fewer clients", Hint: hint}
	}
	hand = slices.Clone(hand)
	var s rng.Stream
	s.Reset(b.seed, handOrder, i, 0)
	shuffle(hand, &s)
	if each > 0 {
		hand = hand[:min(len(hand), max(least, int(math.Round(float64(each)/share))))]
	}
	train := len(hand)
	if !own {
		train = max(1, min(len(hand)-1, int(math.Round(share*float64(len(hand))))))
	}
	c := &p.Clients[i]
	c.Train, c.Test = hand[:train:train], hand[train:]
	if b.byWriter && !b.set.Domains {
		c.Owner = b.set.Writers[b.set.Writer[hand[0]]]
	}
	return nil
}
