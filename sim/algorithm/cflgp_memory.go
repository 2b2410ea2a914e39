package algorithm

import (
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/kernel"
)

// memory is what CFL-GP keeps of its clients: g_{c,k}, the mean of the gradients
// of client c on model k so far, in C × K blocks of d̂ numbers. Read as a matrix
// with a row a client, it is Gᵀ of the paper, and all zero at the start.
//
// Where its rows are long, features come from the inner products of rows. These
// are sums over the blocks, and one round changes the blocks of one model alone,
// so the products of the others are kept: the work is C²·d̂ a round, not C²·K·d̂.
// Where rows are no longer than columns, Gᵀ itself is the smaller thing to keep.
type memory struct {
	clients, models, width int

	flat clusterer.Matrix // Gᵀ, if it is short

	blocks [][]float32      // K × C otherwise
	grams  []float64        // K × C × C: inner products by model
	gram   clusterer.Matrix // their sum

	spectral clusterer.Spectral
}

func newMemory(clients, models, width int) *memory {
	m := &memory{clients: clients, models: models, width: width}
	if m.short() {
		m.flat.Reshape(clients, models*width)
		clear(m.flat.Data)
		return m
	}
	m.blocks = make([][]float32, models*clients)
	all := make([]float32, models*clients*width)
	for i := range m.blocks {
		m.blocks[i] = all[i*width : (i+1)*width : (i+1)*width]
	}
	m.grams = make([]float64, models*clients*clients)
	m.gram.Reshape(clients, clients)
	m.spectral.Length = models * width
	return m
}

// few is a length of rows that is short whatever the number of clients.
const few = 64

// short reports that rows of Gᵀ are few, or no longer than its columns.
func (m *memory) short() bool { return m.models*m.width <= max(m.clients, few) }

// mix is g_{c,k} ← (1−β) g_{c,k} + β g.
func (m *memory) mix(client, model int, beta float64, g []float32) {
	if !m.short() {
		kernel.Lerp(m.blocks[model*m.clients+client], float32(beta), g)
		return
	}
	block := m.flat.Row(client)[model*m.width : (model+1)*m.width]
	for j, v := range g {
		block[j] = float64((1-beta)*block[j]) + float64(beta*float64(v))
	}
}

// block returns a copy of a client's block of a model.
func (m *memory) block(client, model int) []float32 {
	if !m.short() {
		return slices.Clone(m.blocks[model*m.clients+client])
	}
	var out []float32
	for _, v := range m.flat.Row(client)[model*m.width : (model+1)*m.width] {
		out = append(out, float32(v))
	}
	return out
}

// mixed brings the inner products up to date after all of a model's blocks have
// changed.
func (m *memory) mixed(model int) {
	if c := m.clients; !m.short() {
		kernel.Gram(m.grams[model*c*c:(model+1)*c*c], m.blocks[model*c:(model+1)*c])
	}
}

// features writes the s leading left singular features of G, a row a client.
func (m *memory) features(dst *clusterer.Matrix, s int) {
	if m.short() {
		m.spectral.Fit(dst, &m.flat, s)
		return
	}
	clear(m.gram.Data)
	for k := range m.models {
		for j, v := range m.grams[k*len(m.gram.Data) : (k+1)*len(m.gram.Data)] {
			m.gram.Data[j] += v
		}
	}
	m.spectral.FitGram(dst, &m.gram, s)
}
