package theorems

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"flockscope/sim/lab/report"
	"flockscope/sim/theory"
	"flockscope/sim/trace"
)

// oneShot is CLoVE's Theorem 4.1 with Lemma A.1.
func (b *Book) oneShot(context.Context) ([]report.Part, error) {
	table := &report.Table{Names: 3, Caption: "5 groups, 20 inputs, 20 orthonormal models, σ = 0.05; new samples in every round",
		Head: []string{"Δ", "samples", "clients", "distance of groups", "Lemma A.1: at least", "least margin of a client", "asked, without c′", "condition holds", "right in one shot"}}
	for _, row := range []struct {
		delta   float64
		samples int
		clients int
	}{{1, 1000, 100}, {1, 1000, 25}, {1, 200, 25}, {1, 50, 25}, {1, 10, 25}, {0.5, 1000, 25}, {0.5, 200, 25},
		{0.25, 1000, 25}, {0.25, 200, 25}} {
		var mean theory.Shot
		holds, right := 0, 0
		for seed := 1; seed <= b.Seeds; seed++ {
			m := theory.Mixture{Clients: row.clients, Groups: 5, Inputs: 20, Samples: row.samples, Delta: row.delta,
				Sigma: 0.05, Rate: theory.LearningRate(row.delta), Spread: spread(row.delta), Seed: uint64(seed)}
			first, _, _ := m.Play(1)
			n := float64(b.Seeds)
			mean.Separation += first.Separation / n
			mean.Margin += first.Margin / n
			mean.Asked += first.Asked / n
			if mean.Promised = first.Promised; first.Margin >= first.Asked {
				holds++
			}
			if first.Misplaced == 0 {
				right++
			}
		}
		table.Rows = append(table.Rows, []report.Cell{word(number(row.delta)), word(strconv.Itoa(row.samples)),
			word(strconv.Itoa(row.clients)),
			value(mean.Separation), value(mean.Promised), value(mean.Margin), value(mean.Asked),
			word(fmt.Sprintf("%d of %d", holds, b.Seeds)), word(fmt.Sprintf("%d of %d", right, b.Seeds))})
	}
	return []report.Part{{Heading: "CLoVE: one round of k-means is right (Theorem 4.1)", Text: []string{
		"In the first round of the analysis clients report the square roots of their losses on as many orthonormal models as there " +
			"are inputs. Lemma A.1 says how far groups are apart then; Theorem A.9 that each client is nearer to its own centre by " +
			"(c′K/m_i + c′K/m_j)·‖A − C‖, with a large constant c′, from which it follows that k-means is right if it starts from " +
			"suitable centres. The theorem is for d·K⁴·polylog(M) far below n·M (7), M clients with n samples each; d·K⁴ is 12 500 here. The " +
			"table has the condition with c′ = 1. The lemma holds. With 25 clients the condition fails, also with hundreds of samples per " +
			"client and groups far apart, where k-means is right in every run: it is enough, and by far not needed. With 100 clients it holds in most runs."},
		Table: table}}, nil
}

// spread returns by how far groups step from a common vector so that two of them are about Δ apart.
func spread(delta float64) float64 {
	half := delta * 1.05 / math.Sqrt2
	return half / math.Sqrt(1-float64(half*half))
}

// decay is CLoVE's Theorem 4.2.
func (b *Book) decay(ctx context.Context) ([]report.Part, error) {
	table := &report.Table{Names: 1, Caption: "Error ‖θ − θ*‖ of the worst model, and what a factor of Δ/12 in each round makes of the first",
		Head: []string{"round", "Δ = 1, 200 samples", "promised", "Δ = 1, 1000 samples", "Δ = 0.5, 200 samples", "promised"}}
	var columns [][]float64
	for _, row := range []struct {
		delta   float64
		samples int
	}{{1, 200}, {1, 1000}, {0.5, 200}} {
		mean := make([]float64, 8)
		for seed := 1; seed <= b.Seeds; seed++ {
			m := theory.Mixture{Clients: 25, Groups: 5, Inputs: 20, Samples: row.samples, Delta: row.delta, Sigma: 0.05,
				Rate: theory.LearningRate(row.delta), Spread: spread(row.delta), Seed: uint64(seed)}
			_, errors, _ := m.Play(len(mean))
			for t, e := range errors {
				mean[t] += e / float64(b.Seeds)
			}
		}
		columns = append(columns, mean)
	}
	for t := range 8 {
		fall := func(first, delta float64) report.Cell {
			return value(first * math.Pow(theory.Decay(theory.LearningRate(delta)), float64(t)))
		}
		table.Rows = append(table.Rows, []report.Cell{word(strconv.Itoa(t + 1)), value(columns[0][t]),
			fall(columns[0][0], 1),
			value(columns[1][t]), value(columns[2][t]), fall(columns[2][0], 0.5)})
	}
	const query = "data=mixreg&sigma=0.01&algos=clove&sqrt=1&avg=gradient&lr=0.4&T=12"
	runs, err := b.play(ctx, query)
	if err != nil {
		return nil, err
	}
	engine := &report.Table{Names: 1, Caption: "CLoVE with K models and minibatches of 100 of each client's own 1000 samples, learning rate 0.4: the same, where a step shrinks errors to |1 − 2·0.4| = 0.2",
		Head: []string{"round", "error", "promised", "misplaced"}}
	for _, t := range []int{0, 1, 2, 3, 4, 6, 8, 12} {
		engine.Rows = append(engine.Rows, []report.Cell{word(strconv.Itoa(t)), from(query, at(runs, t, distance)),
			from(query, at(runs, t, func(f *trace.Frame) float64 { return float64(f.Theory.Promise) })),
			from(query, at(runs, t, misplaced))})
	}
	return []report.Part{{Heading: "CLoVE: models converge exponentially (Theorem 4.2)", Text: []string{
		"With the clusters right, a step at the rate η = ½(1 − Δ/12) of Lemma A.13 leaves |1 − 2η| = Δ/12 of an error, plus what " +
			"samples add. Theorem 4.2 states the first part alone: errors of Δ/c₁ᵀ after T rounds; its proof holds for T far below 1/δ, δ the chance that a round fails, and " +
			"while errors are far above what samples add (Corollary A.14). Errors do fall fast, " +
			"by less than promised since finite samples distort the step, and stop where the noise of the samples keeps them, at " +
			"about σ·√(d/mn), m clients in a cluster with n samples each in a step."}, Table: table}, {Table: engine}}, nil
}
