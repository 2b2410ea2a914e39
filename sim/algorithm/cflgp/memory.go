package cflgp

import (
	"math"
	"slices"

	"flockscope/clusterer"
	"flockscope/sim/kernel"
)

// memory is what CFL-GP keeps of its clients: g_{c,k}, the mean of the gradients of client c on model k so far, in C ×
// K blocks of d̂ numbers. As a matrix with one row per client it is Gᵀ of the paper, and all zero at the start.
//
// Where its rows are long, features come from the inner products of rows. These are sums over the blocks, and one round
// changes the blocks of one model alone, so the products of the others are kept: the work is C²·d̂ per round, not
// C²·K·d̂. Where rows are no longer than columns, Gᵀ itself is smaller, and is kept instead.
type memory struct {
	clients, models, width int
	unit                   bool // features are those of rows of length 1

	known    []bool   // clients with gradients in the memory; set by callers
	counts   []int    // K × C: gradients in each block
	averaged []uint16 // gradients in all blocks of each client

	flat clusterer.Matrix // Gᵀ; used if its rows are short

	// For short rows: the newest gradient of each client minus the mean that it went into, and the index of its block.
	newest      clusterer.Matrix
	newestBlock []int
	directions  clusterer.Matrix // V, see alone
	change      clusterer.Matrix // clients × features
	squares     []float64

	blocks [][]float32      // K × C blocks; used if rows are long
	grams  []float64        // K × C × C: inner products by model
	gram   clusterer.Matrix // sum of the matrices in grams
	scaled clusterer.Matrix // Gᵀ with rows of length 1

	spectral clusterer.Spectral

	indices []int            // indices of the known clients
	rows    clusterer.Matrix // rows of the known clients; unused if all are known
}

func newMemory(clients, models, width int) *memory {
	m := &memory{clients: clients, models: models, width: width, known: make([]bool, clients),
		counts: make([]int, models*clients), averaged: make([]uint16, clients),
		squares: make([]float64, max(models, clients)), indices: make([]int, 0, clients)}
	if m.short() {
		m.flat.Reshape(clients, models*width)
		clear(m.flat.Data)
		m.newest.Reshape(clients, width)
		clear(m.newest.Data)
		m.newestBlock = make([]int, clients)
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

// few is a length up to which rows count as short, whatever the number of clients.
const few = 64

// short reports whether rows of Gᵀ are short, or no longer than its columns.
func (m *memory) short() bool { return m.models*m.width <= max(m.clients, few) }

// count returns the number of gradients in a client's block of a model.
func (m *memory) count(client, model int) int { return m.counts[model*m.clients+client] }

// mix is g_{c,k} ← (1−β) g_{c,k} + β g.
func (m *memory) mix(client, model int, beta float64, g []float32) {
	m.counts[model*m.clients+client]++
	if m.averaged[client] < math.MaxUint16 {
		m.averaged[client]++
	}
	if !m.short() {
		kernel.Lerp(m.blocks[model*m.clients+client], float32(beta), g)
		return
	}
	block, newest := m.flat.Row(client)[model*m.width:(model+1)*m.width], m.newest.Row(client)
	m.newestBlock[client] = model
	for j, v := range g {
		block[j] = float64((1-beta)*block[j]) + float64(beta*float64(v))
		newest[j] = float64(v) - block[j]
	}
}

// alone returns by how much the features that the last call of features set would change if the newest gradient of a
// client stood in the place of the mean; nil if rows are long, since that would take as long as the features did, or
// scaled, since then they depend on the mean's length, too.
//
// With A = Gᵀ and features R = A·V, whose columns have squared lengths σ², the directions are V = Aᵀ·R·σ⁻². Only those
// of blocks with a newest gradient are computed.
func (m *memory) alone(features *clusterer.Matrix) *clusterer.Matrix {
	if !m.short() || m.unit {
		return nil
	}
	cols := features.Cols
	m.change.Reshape(m.clients, cols)
	m.directions.Reshape(m.flat.Cols, cols)
	clear(m.change.Data)
	for s := range m.squares {
		m.squares[s] = 0
	}
	for at := 0; at < len(features.Data); at += cols {
		for s, r := range features.Data[at : at+cols] {
			m.squares[s] += float64(r * r)
		}
	}
	for k := range m.models {
		if slices.Contains(m.newestBlock, k) {
			m.direct(features, k)
		}
	}
	for i, k := range m.newestBlock {
		row := m.change.Data[i*cols : (i+1)*cols]
		for j, d := range m.newest.Data[i*m.width : (i+1)*m.width] {
			at := (k*m.width + j) * cols
			for s, v := range m.directions.Data[at : at+cols] {
				row[s] += float64(d * v)
			}
		}
	}
	return &m.change
}

// direct sets the rows of V that belong to a block.
func (m *memory) direct(features *clusterer.Matrix, block int) {
	cols := features.Cols
	for j := block * m.width; j < (block+1)*m.width; j++ {
		v := m.directions.Data[j*cols : (j+1)*cols]
		clear(v)
		for i := range m.clients {
			x := m.flat.Data[i*m.flat.Cols+j]
			for s, r := range features.Data[i*cols : (i+1)*cols] {
				v[s] += float64(x * r)
			}
		}
		for s, square := range m.squares[:cols] {
			if square > 0 {
				v[s] /= square
			}
		}
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

// update computes the inner products of a model's blocks again, after they have changed.
func (m *memory) update(model int) {
	if c := m.clients; !m.short() {
		kernel.Gram(m.grams[model*c*c:(model+1)*c*c], m.blocks[model*c:(model+1)*c])
	}
}

// features sets dst, one row per client, to the s leading left singular features of G.
func (m *memory) features(dst *clusterer.Matrix, s int) {
	if m.short() {
		flat := &m.flat
		if m.unit {
			flat = m.scaledRows()
		}
		m.spectral.Fit(dst, flat, s)
		return
	}
	clear(m.gram.Data)
	for k := range m.models {
		for j, v := range m.grams[k*len(m.gram.Data) : (k+1)*len(m.gram.Data)] {
			m.gram.Data[j] += v
		}
	}
	if m.unit {
		m.scaleGram()
	}
	m.spectral.FitGram(dst, &m.gram, s)
}

// scaledRows returns Gᵀ with rows of length 1. A row of zeros stays.
func (m *memory) scaledRows() *clusterer.Matrix {
	m.scaled.Reshape(m.flat.Rows, m.flat.Cols)
	for i := range m.flat.Rows {
		square := 0.0
		for _, v := range m.flat.Row(i) {
			square += float64(v * v)
		}
		row := m.scaled.Row(i)
		for j, v := range m.flat.Row(i) {
			if row[j] = v; square > 0 {
				row[j] /= math.Sqrt(square)
			}
		}
	}
	return &m.scaled
}

// scaleGram makes the inner products those of rows of length 1: cosines.
func (m *memory) scaleGram() {
	c := m.clients
	for i := range c {
		m.squares[i] = math.Sqrt(m.gram.Data[i*c+i])
	}
	for i := range c {
		for j := range c {
			if length := m.squares[i] * m.squares[j]; length > 0 {
				m.gram.Data[i*c+j] /= length
			}
		}
	}
}

// knownRows returns the rows of the known clients and the indices of these clients. Both are valid until the next call.
func (m *memory) knownRows(all *clusterer.Matrix) (rows *clusterer.Matrix, clients []int) {
	m.indices = m.indices[:0]
	for i, known := range m.known {
		if known {
			m.indices = append(m.indices, i)
		}
	}
	if len(m.indices) == m.clients {
		return all, m.indices
	}
	m.rows.Reshape(len(m.indices), all.Cols)
	for n, i := range m.indices {
		copy(m.rows.Row(n), all.Row(i))
	}
	return &m.rows, m.indices
}
