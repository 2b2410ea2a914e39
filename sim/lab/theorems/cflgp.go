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

// The run of section 5.1: 12 clients, minibatches of 10, K = 3, P = 2.
const (
	clients, models, period, batch, gapDegrees, noise = 12, 3, 2, 10, 20, 0.2
	delta                                             = 0.1 // δ: theorems hold with a probability of 0.9
)

// bound is (18) of a frame with either gap; infinite before all models were sent.
func bound(gap func(t *trace.Theory) float32) func(f *trace.Frame) float64 {
	return func(f *trace.Frame) float64 {
		if gap(&f.Theory) == 0 {
			return math.Inf(1)
		}
		return theory.MisplacedBound(models, float64(f.Theory.Noise), float64(gap(&f.Theory)))
	}
}

var (
	boundOfRows   = bound(func(t *trace.Theory) float32 { return t.Gap })
	boundOfBlocks = bound(func(t *trace.Theory) float32 { return t.BlockGap })
)

// misplaced is CFL-GP's Lemma 1 and the bound (18).
func (b *Book) misplaced(ctx context.Context) ([]report.Part, error) {
	const query = "data=linreg&algos=cflgp&T=2000"
	runs, err := b.play(ctx, query)
	if err != nil {
		return nil, err
	}
	table := &report.Table{Names: 1, Caption: "12 clients, 20°, minibatches of 10, K = 3, P = 2. Bounds are on the number of misplaced clients",
		Head: []string{"round t", "‖E‖", "Δg of rows (20)", "bound (18)", "with Δg of Assumption 3", "misplaced", "runs that are right"}}
	rounds := []int{7, 13, 25, 49, 99, 199, 399, 799, 1999}
	for _, t := range rounds {
		right := at(runs, t, func(f *trace.Frame) float64 {
			if f.Misplaced == 0 {
				return float64(b.Seeds)
			}
			return 0
		})
		table.Rows = append(table.Rows, []report.Cell{word(strconv.Itoa(t)),
			from(query, at(runs, t, func(f *trace.Frame) float64 { return float64(f.Theory.Noise) })),
			from(query, at(runs, t, func(f *trace.Frame) float64 { return float64(f.Theory.Gap) })),
			from(query, at(runs, t, boundOfRows)), from(query, at(runs, t, boundOfBlocks)),
			from(query, at(runs, t, misplaced)),
			word(fmt.Sprintf("%.0f of %d", right, b.Seeds))})
	}
	picture, err := curves("CFL-GP at 20°: bound (18) and misplaced clients", "log10(1 + clients)", 1, rounds[:7],
		[]string{"bound (18)", "all clients", "misplaced"}, func(series, t int) float64 {
			return [...]float64{at(runs, t, boundOfRows), clients, at(runs, t, misplaced)}[series]
		})
	if err != nil {
		return nil, err
	}
	parts := []report.Part{{Heading: "CFL-GP: how many clients are misplaced (Lemma 1, equation 18)", Text: []string{
		"Lemma 1 says that the share of misplaced clients falls as 1/t; its proof bounds their number by 128·K·‖E‖²/Δg² (18), with " +
			"the gradient noise E in what the server remembers and the gap Δg between groups. In these runs, round by round, E is " +
			"what is remembered less the gradients of the expected loss at the same models. The proof needs only the distance of " +
			"entire rows (20); Assumption 3 takes the least distance of blocks of single models, which is smaller, so that the bound " +
			"is three to four times as large.",
		"The bound falls as 1/t, as the lemma says, and it is vacuous for some two hundred rounds after the clustering has become " +
			"right. It cannot tell when to stop clustering."}, Table: table, Picture: picture}}

	angles := &report.Table{Names: 1, Caption: "Rounds until the clustering stays right, and until (18) says something: means; 2000 rounds",
		Head: []string{"Δφ", "right from round", "runs", "bound below 12 from round", "runs", "bound below 1 from round", "runs"}}
	for _, degrees := range []int{5, 10, 20, 40} {
		query := fmt.Sprintf("data=linreg&dphi=%d&algos=cflgp&T=2000", degrees)
		runs, err := b.play(ctx, query)
		if err != nil {
			return nil, err
		}
		row := []report.Cell{word(strconv.Itoa(degrees) + "°")}
		for _, holds := range []func(f *trace.Frame) bool{
			func(f *trace.Frame) bool { return f.Misplaced == 0 },
			func(f *trace.Frame) bool { return boundOfRows(f) < clients },
			func(f *trace.Frame) bool { return boundOfRows(f) < 1 },
		} {
			sum, n := 0.0, 0
			for _, frames := range runs {
				if t := since(frames, holds); t >= 0 {
					sum, n = sum+float64(t), n+1
				}
			}
			row = append(row, from(query, sum/float64(n)), word(fmt.Sprintf("%d of %d", n, b.Seeds)))
		}
		angles.Rows = append(angles.Rows, row)
	}
	return append(parts, report.Part{Table: angles}), nil
}

// setting returns the constants of the run at 20°, with the gap as measured and the noise of gradients at their largest
// over models in the range where they start, and at their best.
func setting(gap float64) (s theory.Setting, least float64) {
	s = theory.Setting{Clients: clients, Models: models, Period: period, Batch: batch, Size: 2, Smallest: 1.0 / 3,
		Convexity: math.Inf(1), Norm: 0.8, Gap: gap}
	squares := 0.0
	for _, l := range theory.Lines(3, gapDegrees, noise) {
		convexity, smoothness := l.Curvature()
		s.Convexity, s.Smoothness = min(s.Convexity, convexity), max(s.Smoothness, smoothness)
		squares = max(squares, l.Noise(-s.Norm, 0), l.Noise(s.Norm, 0))
		least = max(least, math.Sqrt(l.Noise(l.Slope, 0)))
	}
	s.Noise = math.Sqrt(squares)
	return s, least
}

// errorRate is Theorem 1.
func (b *Book) errorRate(ctx context.Context) ([]report.Part, error) {
	const query, end = "data=linreg&algos=cflgp&T=2000", 1999
	runs, err := b.play(ctx, query)
	if err != nil {
		return nil, err
	}
	s, least := setting(at(runs, end, func(f *trace.Frame) float64 { return float64(f.Theory.Gap) }))
	lambda := theory.Lambda(0)
	measured := at(runs, end, func(f *trace.Frame) float64 { return float64(f.Theory.Noise) })
	rate, contraction := s.MeasuredRate(delta, measured), s.Contraction()
	table := &report.Table{Names: 1, Head: []string{"quantity", "value"}, Caption: "Theorem 1, Remark 3 and Proposition 1 at 20°, δ = 0.1"}
	add := func(what string, cell report.Cell) { table.Rows = append(table.Rows, []report.Cell{word(what), cell}) }
	add("Assumption 1 wants C ≤ Kd and C ≥ (log Kd)^1.5", word(fmt.Sprintf("12 ≤ 6: %s", map[bool]string{true: "holds", false: "does not hold"}[s.AssumesEnough()])))
	add("μ and L, least and largest curvature of the risk", word(number(s.Convexity)+" and "+number(s.Smoothness)))
	add("v, noise of the gradient of one sample: of the start models, and at the best model", word(number(s.Noise)+" and "+number(least)))
	add("factor of (4) in a round", value(contraction))
	add("λ, at least", value(lambda))
	add("Theorem 1 says something from round", value(s.FirstRound(delta, lambda)))
	add("Proposition 1: clustering may end after round", value(s.LastClustering(delta, lambda)))
	add("share of misplaced clients by Lemma 1 with (73) in round 1999", value(s.MisplacedShare(end, delta, 0)))
	add("ε of (57) with ‖E‖ as it was in round 1999", from(query, rate))
	add("error that (4) then allows in the end, ε/(1 − factor)", value(rate/(1-contraction)))
	add("the same with Remark 3's optimal ε", value(s.OptimalRate(delta)/(1-contraction)))
	add("distance of two groups' best models", value(theory.Lines(3, gapDegrees, noise)[0].Distance(0, 0)))
	add("measured: error in round 1999, mean", from(query, at(runs, end, distance)))
	return []report.Part{{Heading: "CFL-GP: error of the models (Theorem 1)", Text: []string{
		"Theorem 1 bounds the error of a group's model, ‖θ − θ*‖, by a factor of its value in the round before plus ε. Its " +
			"constant λ is at least 294 913, so it says nothing for longer than anybody will train. Its first assumption wants no " +
			"more clients than numbers in a client's memory, which does not hold for the paper's own linear regression, with " +
			"2 parameters, 3 models and 12 clients. With ‖E‖ as it was, (57), from which the theorem follows, speaks once (18) is " +
			"below a group's four clients; what it allows is then far more than the distance of the groups themselves. The models " +
			"do converge: the proof that they must is loose. The theorem is about steps of 2/(C(μ+L)) on the sum of gradients, 0.25 on " +
			"the mean of a group's; the run has 0.1. Norms of models, which it bounds by ω, count as 0.8, the range of the start models."}, Table: table}}, nil
}

// optimal is Remark 3: ε goes with 1/√(bC).
func (b *Book) optimal(ctx context.Context) ([]report.Part, error) {
	table := &report.Table{Names: 2, Caption: "Error ‖θ − θ*‖ of the worst group's model, mean of rounds 1000 to 1500 of all seeds",
		Head: []string{"C", "b", "error", "error · √(bC)", "runs that are right"}}
	for _, row := range [][2]int{{6, 10}, {12, 10}, {24, 10}, {48, 10}, {12, 40}, {12, 160}} {
		query := fmt.Sprintf("data=linreg&C=%d&b=%d&algos=cflgp&T=1500", row[0], row[1])
		runs, err := b.play(ctx, query)
		if err != nil {
			return nil, err
		}
		sum, right := 0.0, 0
		for _, frames := range runs {
			for t := 1001; t <= 1500; t++ {
				sum += distance(&frames[t]) / float64(500*len(runs))
			}
			if frames[1500].Misplaced == 0 {
				right++
			}
		}
		table.Rows = append(table.Rows, []report.Cell{word(strconv.Itoa(row[0])), word(strconv.Itoa(row[1])),
			from(query, sum),
			value(sum * math.Sqrt(float64(row[0]*row[1]))), word(fmt.Sprintf("%d of %d", right, b.Seeds))})
	}
	return []report.Part{{Heading: "CFL-GP: the order of the error (Remark 3)", Text: []string{
		"With the right clusters, what is left of the error goes with 1/√(bC), as Remark 3 says: the last but one column is " +
			"nearly the same in all rows, while the error itself differs by a factor of more than five. The order is right where the " +
			"constants say nothing."}, Table: table}}, nil
}

// schedule is Proposition 1.
func (b *Book) schedule(ctx context.Context) ([]report.Part, error) {
	s, _ := setting(1)
	convexity, smoothness := s.Convexity, s.Smoothness
	table := &report.Table{Names: 1, Caption: "Error after the last clustering round, T_cl = 50; – if a run has diverged",
		Head: []string{"learning rate", "round 50", "round 100", "round 300", "round 1000", "round 2000", "runs that diverge"}}
	for _, row := range []struct{ name, settings string }{
		{"0.1, constant", "lr=0.1"},
		{"0.1 / (t − T_cl + 1)", "lr=0.1&fall=1/t"},
		{"0.7 / (t − T_cl + 1)", "lr=0.7&fall=1/t"},
		{"Proposition 1: 1/(μ·(t − T_cl + 1)), 1/μ = " + number(1/convexity), "lr=" + number(1/convexity) + "&fall=1/t"},
	} {
		query := "data=linreg&algos=cflgp&T=2000&tcl=50&" + row.settings
		runs, err := b.play(ctx, query)
		if err != nil {
			return nil, err
		}
		cells, diverged := []report.Cell{word(row.name)}, 0
		for _, t := range []int{50, 100, 300, 1000, 2000} {
			cells = append(cells, from(query, at(runs, t, distance)))
		}
		for _, frames := range runs {
			if len(frames) <= 2000 {
				diverged++
			}
		}
		table.Rows = append(table.Rows, append(cells, word(fmt.Sprintf("%d of %d", diverged, b.Seeds))))
	}
	return []report.Part{{Heading: "CFL-GP: the schedule of Proposition 1", Text: []string{fmt.Sprintf(
		"Proposition 1 sets the learning rate to 1/μ until the last clustering round T_cl and lets it fall as 1/t from then on "+
			"(the setting fall). Gradient descent diverges above 2/L = %s, and 1/μ = %s here: as printed, the schedule diverges on "+
			"the paper's own linear regression. The theorem that it rests on (Rakhlin and others, 2012) projects models onto a "+
			"bounded set, which Algorithm 1 does not. Stable rates that fall as 1/t gain nothing in 2000 rounds: 0.1 becomes too small "+
			"at once, since the least curvature is %s, and 0.7 comes to what 0.1 reaches without falling.", number(2/smoothness), number(1/convexity), number(convexity))}, Table: table}}, nil
}
