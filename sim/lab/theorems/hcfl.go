package theorems

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"flockscope/sim/lab/report"
	"flockscope/sim/theory"
)

// unequal is HCFL's Theorem B.12 and Remark B.13.
func (b *Book) unequal(ctx context.Context) ([]report.Part, error) {
	const rounds = 1000
	share := func(samples int) string { return number(float64(samples) / 3000) }
	table := &report.Table{Names: 1, Caption: "d = 20 inputs, c = 3 directions, 3000 samples, σ = 0.2, η = 0.5, B started by the method of moments; medians",
		Head: []string{"shares of the groups", "smallest / largest", "dist at the start", "dist < 0.1 from round", "runs within 1000", "dist after 100", "B.12: dist after 100", "B.12: in the end"}}
	for _, shares := range [][3]int{{1000, 1000, 1000}, {1200, 1000, 800}, {1800, 900, 300}, {2700, 150, 150}} {
		var start, first, later, bound, limit []float64
		reached := 0
		for seed := 1; seed <= b.Seeds; seed++ {
			r := theory.Representation{Inputs: 20, Width: 3, Samples: shares[:], Sigma: 0.2, Rate: 0.5,
				Seed: uint64(seed)}
			distances, s := r.Play(rounds, true)
			t := slices.IndexFunc(distances, func(d float64) bool { return d < 0.1 })
			if t >= 0 {
				reached++
				first = append(first, float64(t))
			} else {
				first = append(first, math.Inf(1))
			}
			promised := distances[0]
			for range 100 {
				promised = min(s.Next(promised), 1)
			}
			start, later = append(start, distances[0]), append(later, distances[100])
			bound, limit = append(bound, promised), append(limit, s.Limit())
		}
		table.Rows = append(table.Rows, []report.Cell{
			word(fmt.Sprintf("%s, %s, %s", share(shares[0]), share(shares[1]), share(shares[2]))),
			value(float64(shares[2]) / float64(shares[0])), value(median(start)), value(median(first)),
			word(fmt.Sprintf("%d of %d", reached, b.Seeds)),
			value(median(later)), value(median(bound)), value(median(limit))})
	}
	engine := &report.Table{Names: 1, Caption: "CFL-GP with a common B, 30 clients, 10 inputs, 3 directions, learning rate 0.05: dist(B, B*), means",
		Head: []string{"smallest group / largest", "round 0", "round 100", "round 500", "round 2000", "misplaced at the end"}}
	for _, even := range []string{"1", "0.17", "0.06"} {
		query := "data=linrep&C=30&algos=cflgp&trunk=common&T=2000&even=" + even
		runs, err := b.play(ctx, query)
		if err != nil {
			return nil, err
		}
		row := []report.Cell{word(even)}
		for _, t := range []int{0, 100, 500, 2000} {
			row = append(row, from(query, at(runs, t, distance)))
		}
		engine.Rows = append(engine.Rows, append(row, from(query, at(runs, 2000, misplaced))))
	}
	for _, t := range table.Rows {
		if t[3].Text == "none" {
			t[3].Text = "not by " + strconv.Itoa(rounds)
		}
	}
	return []report.Part{{Heading: "HCFL: unequal groups (Theorem B.12, Remark B.13)", Text: []string{
		"Theorem B.12 bounds dist(B, B*), the sine of the largest angle between the common representation and the true one, from " +
			"round to round. Remark B.13 reads it so: HCFL+ converges faster the more equal the groups are. The table plays the " +
			"algorithm that the theorem is about, with known groups and the same B* and weights for all shares of a seed. The " +
			"remark holds where shares differ much. The theorem itself says less: with small steps its bound ends at 0.07/(r − 0.535), r the size of the " +
			"smallest group divided by that of the largest. That is 0.15 with equal groups, however long one trains, and no more " +
			"than the trivial 1 with r ≤ 0.605, where most runs of two rows here converge. σ̄ is divided by √K here, as the proof needs " +
			"in (165) and (170); Assumption 2 prints it without. Whether 3000 samples are enough for the theorem is unknown, as its constant C is not given.",
		"How fast it goes depends even more on how different the groups' weights are, σ̄ in the theorem: rounds differ between " +
			"seeds by factors of ten."}, Table: table}, {Text: []string{
		"The same in a run, where groups have to be found, heads take gradient steps, and B has no orthonormal columns."}, Table: engine}}, nil
}
