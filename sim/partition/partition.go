// Package partition says who holds what and how they see it. Three layers
// compose, and a fourth spoils labels:
//
//   - a split: which samples a client holds;
//   - a shift: how the client sees them;
//   - a concept: what their labels mean to it;
//   - noise: wrong labels, in training only.
//
// Each layer is a registry with one file an entry. A layer may plant groups;
// the group of a client is then the combination of what all layers made of it.
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

// Partition is a set in the hands of clients. It never changes, and its methods
// may be called by all clients at once.
type Partition struct {
	Set        *dataset.Set
	Clients    []Client
	Groups     int           // planted groups; 0 when no layer planted any
	GroupNames []say.Message // short words for each group
	Why        say.Message   // says why, when there are no groups
	Even       bool          // all clients hold the same mixture of classes, but for chance

	noise  Noise
	seed   uint64
	worlds []world
}

// Client is what one client holds.
type Client struct {
	Group       int     // planted group, −1 if there are none
	Train, Test []int32 // samples, in random order; none in both
	View        View    // how it sees them; nil: as they are
	Relabel     []uint8 // what each class is called there; nil: as in the set
	Owner       string  // who the client is, where the set knows; else empty
}

// Build deals set to clients. v holds the settings of [Fields]. An error is a
// *param.Error.
func Build(v param.Values, set *dataset.Set, clients int, seed uint64) (*Partition, error) {
	b := builder{v: v, set: set, clients: clients, seed: seed}
	if err := b.check(); err != nil {
		return nil, err
	}
	if err := b.layers(); err != nil {
		return nil, err
	}
	p := b.people()
	if err := b.deal(p); err != nil {
		return nil, err
	}
	b.compare(p)
	return p, nil
}

// builder is a partition on its way.
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

// check refuses what no layer could do.
func (b *builder) check() error {
	if b.v.Text("test") == "set" && b.set.Train == b.set.Len() {
		return &param.Error{Field: "test", Got: "set", Want: "share",
			Hint:   say.Messagef("%s has no samples set apart for testing", b.set.Name),
			Offers: []param.Offer{{Key: "test", Value: "share"}}}
	}
	// Each client needs two samples: one to learn from, one to be tested on.
	most := b.set.Len() / 2
	if b.v.Text("test") == "set" {
		most = min(b.set.Train, b.set.Len()-b.set.Train)
	}
	if b.clients > most {
		return &param.Error{Field: "C", Got: strconv.Itoa(b.clients), Want: say.Messagef("at most %d", most),
			Hint:   say.Messagef("%s has %d samples", b.set.Name, b.set.Len()),
			Offers: []param.Offer{{Key: "C", Value: strconv.Itoa(most)}}}
	}
	return nil
}

// layers makes the layers and the plan of who is what.
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
	if s, ok := b.split.(Roomy); ok {
		b.plan = newPlan(b.clients, s.Room(), b.shift.Kinds, b.concept.Kinds)
		return b.fit(s.Room())
	}
	b.plan = newPlan(b.clients, evenly(len(b.split.Groups())), b.shift.Kinds, b.concept.Kinds)
	return nil
}

// fit refuses more clients in a deal than there is room for in their groups.
func (b *builder) fit(room []int) error {
	all := 0
	for _, n := range room {
		all += n
	}
	for _, members := range b.turns() {
		count := make([]int, len(room))
		for _, i := range members {
			g := b.plan.split[i]
			if count[g]++; count[g] > room[g] {
				return &param.Error{Field: "C", Got: strconv.Itoa(b.clients), Want: "no more clients than writers",
					Hint: say.Messagef("%d writers of %s have samples to train on and to be tested on", all,
						b.set.Name),
					Offers: []param.Offer{{Key: "C", Value: strconv.Itoa(all)}}}
			}
		}
	}
	return nil
}

// people returns the partition before anybody holds anything.
func (b *builder) people() *Partition {
	noise, _ := Noises.Lookup(b.v.Text("noise"))
	p := &Partition{Set: b.set, Clients: make([]Client, b.clients), noise: noise.Make(b.v), seed: b.seed}
	groups := [3][]say.Message{b.split.Groups(), b.shift.Groups, b.concept.Groups}
	// One group that everybody is in sets nobody apart.
	if max(1, len(groups[0]))*max(1, len(groups[1]))*max(1, len(groups[2])) > 1 {
		p.Groups = len(b.plan.of)
		for _, of := range b.plan.of {
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
		b.explore(p, i)
	}
	return p
}

// compare says whether clients hold the same mixture of classes and, where no groups
// are planted, whether they differ at all.
func (b *builder) compare(p *Partition) {
	p.Even = b.sharesAlike(p)
	switch {
	case p.Groups > 0:
	case p.Even && p.seesAlike():
		p.Why = noneDiffers
	default:
		p.Why = nonePlanted
	}
}

// sharesAlike reports whether all clients hold the same mixture of classes. Neighbours
// in the set may be of any mixture, for all that a split knows of it: they are counted.
func (b *builder) sharesAlike(p *Partition) bool {
	switch b.v.Text("split") {
	case "unequal":
		return true
	case "classes":
		return b.v.Int("per") == b.set.Classes
	case "even":
		return b.v.Text("order") == "shuffled" || b.set.Classes == 0 || byChance(p.counts())
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

// Why there are no groups.
const (
	noneDiffers say.Message = "Clients do not differ here, so no clustering is right or wrong."
	nonePlanted say.Message = "Clients differ here, but in no planted groups, so no clustering is right or wrong."
)

// seesAlike reports whether all clients see their samples in one way.
func (p *Partition) seesAlike() bool {
	for i := range p.Clients {
		if p.Clients[i].Sees() != p.Clients[0].Sees() {
			return false
		}
	}
	return true
}

// Sees says in short words how a client sees its samples, "" for as they are.
func (c *Client) Sees() say.Message {
	if c.View == nil {
		return ""
	}
	return c.View.Words()
}

// turns returns the clients of each deal. There is one deal, unless groups that
// see or name samples differently may each draw on all of them.
func (b *builder) turns() [][]int {
	if !b.v.Switch("reuse") {
		return [][]int{upTo(b.clients)}
	}
	n := max(1, len(b.concept.Groups))
	out := make([][]int, n*max(1, len(b.shift.Groups)))
	for i := range b.clients {
		turn := b.plan.shift[i]*n + b.plan.concept[i]
		out[turn] = append(out[turn], i)
	}
	return out
}

// deal puts samples into the clients' hands.
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
	for turn, members := range b.turns() {
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
			if err := b.hold(p, i, hands[j], own); err != nil {
				return err
			}
		}
		if own {
			b.follow(p, turn, members, all[b.set.Train:])
		}
	}
	for i := range p.Clients {
		if len(p.Clients[i].Test) == 0 {
			return &param.Error{Field: "C", Got: strconv.Itoa(b.clients), Want: "fewer clients",
				Hint: say.Messagef("a client has no samples left for testing; or set %s", "test=share"), Offers: []param.Offer{{Key: "test", Value: "share"}}}
		}
	}
	return nil
}

// hold gives a client what it was dealt, in random order and at most as much
// as was asked for; unless the set has tests of its own, the last part of it is
// for testing.
func (b *builder) hold(p *Partition, i int, hand []int32, own bool) error {
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
