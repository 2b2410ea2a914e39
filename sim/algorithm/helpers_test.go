package algorithm

import (
	"strings"
	"testing"

	"flockscope/clusterer"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/param"
)

// rig is one server with hand-made clients: answer fills the replies to the
// tasks of a round.
type rig struct {
	server  fl.Server
	device  fl.Device
	round   *fl.Round
	bank    fl.Bank
	traffic fl.Traffic
	label   []int
	answer  func(i int, task *fl.Task, reply *fl.Reply)
	sends   int
	next    int // client
}

// defaults sets all fields, also those of options, to their defaults.
func defaults(v param.Given, fields []param.Field) {
	for _, f := range fields {
		v[f.Name] = f.Default
		for _, o := range f.Options {
			defaults(v, o.Fields)
		}
	}
}

// set overrides values by "key=value" words.
func set(v param.Given, words []string) {
	for _, word := range words {
		key, text, _ := strings.Cut(word, "=")
		v[key] = text
	}
}

// newRig makes the server of an algorithm from "key=value" words on top of its
// defaults; T is 200 unless given. samples may be nil for one each.
func newRig(t testing.TB, name string, clients, size int, samples []int, words ...string) *rig {
	t.Helper()
	entry, ok := Registry.Lookup(name)
	if !ok {
		t.Fatalf("no algorithm %s", name)
	}
	v := param.Given{"T": "200", "sm": "1"}
	defaults(v, entry.Fields)
	set(v, words)
	plan := entry.Make(v.Values(), clients)
	if samples == nil {
		samples = make([]int, clients)
		for i := range samples {
			samples[i] = 1
		}
	}
	r := &rig{server: plan.Server, device: plan.Device, bank: fl.NewBank(plan.Models, size), label: make([]int, clients)}
	x := fl.NewExchange(clients, &r.bank)
	plan.Server.Start(&fl.Env{Exchange: x, Clients: clients, Models: plan.Models, Size: size, Head: model.Segment{Name: "head", Lo: size / 2, Hi: size}, Samples: samples, Seed: 1}, r.label)
	r.round = fl.NewRound(x, &r.traffic, r.label, ProtocolOf(v.Values()).Step(), r)
	r.round.Local = plan.Local
	r.round.Meter, _ = plan.Server.(fl.Meter)
	return r
}

func (r *rig) Send() {
	r.sends++
	r.next = 0
}

func (r *rig) Next() (i int, ok bool) {
	x := r.round.Exchange
	i = r.next
	if r.next++; i >= len(x.Tasks) {
		return 0, false
	}
	if !x.Tasks[i].Empty() {
		r.answer(i, &x.Tasks[i], &x.Replies[i])
	}
	return i, true
}

func (r *rig) Prefetch(func() bool, bool) {}

func (r *rig) play(t int) {
	r.round.Begin(t)
	r.server.Round(r.round)
}

// embedding returns a copy of what the server clustered.
func (r *rig) embedding() *clusterer.Matrix {
	m := r.server.(fl.Embedder).Embedding()
	return &clusterer.Matrix{Rows: m.Rows, Cols: m.Cols, Data: append([]float64(nil), m.Data...)}
}

// roomFor returns where a client writes its n-th update.
func roomFor(reply *fl.Reply, n, size int) []float32 {
	for len(reply.Updates) <= n {
		reply.Updates = append(reply.Updates, nil)
	}
	if reply.Updates[n] == nil {
		reply.Updates[n] = make([]float32, size)
	}
	return reply.Updates[n]
}
