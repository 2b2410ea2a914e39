package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// benchKernel measures the products of matrices of sim/kernel, each beside the
// most that multiplying and then adding vectors gives at the same place.
func benchKernel(b *bench) {
	const turns, each = 5, "100ms"
	venues := b.venues("sim/kernel", b.benches(""))
	speed := map[string][]map[string]figure{} // by venue and turn
	for i := range turns + 1 {
		for _, v := range venues {
			if got := v.bench("^Benchmark(Peak|Product|Picture)$", each); i > 0 {
				speed[v.name] = append(speed[v.name], got)
			}
		}
	}
	header := []string{"product, rows × sums × columns"}
	var names []string
	for _, v := range venues {
		header = append(header, v.name+", GFLOP/s", "of the peak")
		names = slices.AppendSeq(names, maps.Keys(speed[v.name][0]))
	}
	slices.Sort(names)
	var rows [][]string
	for _, name := range slices.Compact(names) {
		title := strings.TrimPrefix(name, "Product/")
		if shape, ok := strings.CutPrefix(name, "Picture/"); ok {
			title = shape + " of pictures"
		}
		row := []string{title}
		for _, v := range venues {
			var got, share spread
			for _, turn := range speed[v.name] {
				const unit = "GFLOP/s"
				v, ok := turn[name][unit]
				if ok {
					got = append(got, v)
				}
				if peak := turn["Peak"][unit]; ok && peak > 0 {
					share = append(share, v/peak)
				}
			}
			row = append(row, got.round(), share.percent())
		}
		rows = append(rows, row)
	}
	b.table(header, rows)
	b.note("TN and NT are products with the first or the second matrix transposed. Natively products have vectors of 16 numbers with AVX-512, else of 8, elsewhere of 4; on one core. Of pictures two thirds are 0, of which most is left out, but counted. Rates are those of the least disturbed 4 ms.")
}

// round prints the median.
func (s spread) round() string {
	if len(s) == 0 {
		return ""
	}
	return number(s.median())
}

// percent prints the median of shares.
func (s spread) percent() string {
	if len(s) == 0 {
		return ""
	}
	return fmt.Sprintf("%.0f %%", 100*s.median())
}
