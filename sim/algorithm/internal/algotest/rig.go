// Package algotest lets tests play a server against hand-made clients (rig.go), and a device on a
// hand-made client (desk.go).
package algotest

import (
	"strings"
	"testing"

	"flockscope/clusterer"
	"flockscope/sim/algorithm/internal/method"
	"flockscope/sim/fl"
	"flockscope/sim/model"
	"flockscope/sim/param"
)

// Rig is a server with fake clients: the function answer writes the replies to the tasks of a round.
type Rig struct {
	Server  fl.Algorithm
	Device  fl.Device
	Round   *fl.Round
	Bank    fl.Bank
	Traffic fl.Traffic
	Label   []int
	Answer  func(i int, task *fl.Task, reply *fl.Reply)
	Sends   int
	next    int // next client to reply
}

// Defaults sets all fields, also those of options, to their defaults.
func Defaults(v param.Given, fields []param.Field) {
	for _, f := range fields {
		v[f.Name] = f.Default
		for _, o := range f.Options {
			Defaults(v, o.Fields)
		}
	}
}

// Set overrides values by "key=value" words.
func Set(v param.Given, words []string) {
	for _, word := range words {
		key, text, _ := strings.Cut(word, "=")
		v[key] = text
	}
}

// NewRig makes the server of an algorithm from "key=value" words on top of its defaults; T is 200 unless given. If
// samples is nil, every client has one sample.
func NewRig(t testing.TB, name string, clients, size int, samples []int, words ...string) *Rig {
	t.Helper()
	entry, ok := method.Registry.Lookup(name)
	if !ok {
		t.Fatalf("no algorithm %s", name)
	}
	v := param.Given{"T": "200", "sm": "1"}
	Defaults(v, method.Training()) // read whether or not the algorithm declares them
	Defaults(v, entry.Fields)
	Set(v, words)
	plan := entry.Make(v.Values(), clients)
	if samples == nil {
		samples = make([]int, clients)
		for i := range samples {
			samples[i] = 1
		}
	}
	r := &Rig{Server: plan.Algorithm, Device: plan.Device, Bank: fl.NewBank(plan.Models, size),
		Label: make([]int, clients)}
	x := fl.NewExchange(clients, &r.Bank)
	plan.Algorithm.Start(
		&fl.Env{Exchange: x, Clients: clients, Models: plan.Models, Size: size,
			Head: model.Segment{Name: "head", Lo: size / 2, Hi: size}, Samples: samples, Seed: 1},
		r.Label,
	)
	r.Round = fl.NewRound(x, &r.Traffic, r.Label, method.ProtocolOf(v.Values()).Step(), r)
	r.Round.SetRule(method.ProtocolOf(v.Values()).Mean)
	r.Round.Local = plan.Local
	r.Round.Meter, _ = plan.Algorithm.(fl.Meter)
	return r
}

func (r *Rig) Send() {
	r.Sends++
	r.next = 0
}

func (r *Rig) Next() (i int, ok bool) {
	x := r.Round.Exchange
	i = r.next
	if r.next++; i >= len(x.Tasks) {
		return 0, false
	}
	if !x.Tasks[i].Empty() {
		r.Answer(i, &x.Tasks[i], &x.Replies[i])
	}
	return i, true
}

func (r *Rig) Prefetch(func() bool, bool) {}

func (r *Rig) Play(t int) {
	r.Round.Begin(t)
	r.Server.Round(r.Round)
}

// Embedding returns a copy of the data that the server clustered.
func (r *Rig) Embedding() *clusterer.Matrix {
	m := r.Server.(fl.Embedder).Embedding()
	return &clusterer.Matrix{Rows: m.Rows, Cols: m.Cols, Data: append([]float64(nil), m.Data...)}
}

// UpdateBuffer returns the buffer for a client's n-th update.
func UpdateBuffer(reply *fl.Reply, n, size int) []float32 {
	for len(reply.Updates) <= n {
		reply.Updates = append(reply.Updates, nil)
	}
	if reply.Updates[n] == nil {
		reply.Updates[n] = make([]float32, size)
	}
	return reply.Updates[n]
}

// PlayWith plays round t with these participants, some of which drop out.
func (r *Rig) PlayWith(t int, participants []int, dropped ...int) {
	lost := make([]bool, len(r.Label))
	for _, i := range dropped {
		lost[i] = true
	}
	r.Round.Begin(t)
	r.Round.SetParticipants(participants, lost)
	r.Server.Round(r.Round)
}
