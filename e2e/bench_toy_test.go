package e2e

import (
	"maps"
	"slices"
	"strings"
)

// benchToy measures runs of models with a few parameters, and clustering beside
// scikit-learn, NumPy and SciPy where Debian's packages of these are installed.
func benchToy(b *bench) {
	const turns, each = 3, "100ms"
	took := map[string]map[string]spread{} // by benchmark and venue, in ms
	venues := b.venues("sim/engine", nil)
	for range turns {
		for _, v := range venues {
			for name, f := range v.bench("^BenchmarkRun$", each) {
				if took[name] == nil {
					took[name] = map[string]spread{}
				}
				took[name][v.name] = append(took[name][v.name], f["ns/op"]/1e6)
			}
		}
	}
	header := []string{"200 rounds of CFL-GP and IFCA on lines, ms"}
	for _, v := range venues {
		header = append(header, v.name)
	}
	var rows [][]string
	for _, name := range slices.Sorted(maps.Keys(took)) {
		row := []string{strings.TrimPrefix(name, "Run/")}
		for _, v := range venues {
			row = append(row, took[name][v.name].round())
		}
		rows = append(rows, row)
	}
	b.table(header, rows)

	rows = nil
	found := b.native("clusterer").bench("^BenchmarkAgainstPeer$", each)
	for _, name := range slices.Sorted(maps.Keys(found)) {
		f := found[name]
		rows = append(rows, []string{strings.TrimPrefix(name, "AgainstPeer/"), number(f["ns/op"] / 1e3),
			number(f["x-faster"])})
	}
	if rows == nil {
		b.note("Without scikit-learn: /usr/bin/python3 has none (Debian's python3-sklearn).")
		return
	}
	b.table([]string{"clustering, native", "µs", "times as fast as scikit-learn, NumPy or SciPy"}, rows)
}
