//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"flockscope/sim/lab/plan"
	"flockscope/sim/trace"
)

// A record that was changed within what is possible, with fingerprints that agree with each
// other, is named by whoever plays the run again; a file that nobody changed is not.
func TestVerify(t *testing.T) {
	dir := t.TempDir()
	name, jsonl := filepath.Join(dir, "a.flock"), filepath.Join(dir, "a.jsonl")
	says(t, 0, sweepOf("-o", name)...)
	honest := exported(t, name)
	if out, errs := says(t, 0, "verify", name); out != "" || !strings.Contains(errs, "played 4 of 64 runs again (seed 1)") {
		t.Errorf("prints %q, says %q", out, errs)
	}
	if _, errs := says(t, 0, "verify", "-share", "1", "-workers", "2", name); !strings.Contains(errs, "played 64 of 64 runs") {
		t.Errorf("says %q", errs)
	}
	lines := strings.SplitAfter(honest, "\n")
	forge := func(line int, do func(l *plan.Lane)) string {
		r, err := plan.ParseRecord([]byte(lines[line]))
		if err != nil {
			t.Fatal(err)
		}
		do(&r.Lanes[0])
		sum, err := strconv.ParseUint(r.Lanes[0].Fingerprint, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		r.Fingerprint = trace.Result([]uint64{sum})
		text, err := r.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		return string(text) + "\n"
	}
	better := 0.999
	for _, tt := range []struct {
		do   func(l *plan.Lane)
		want string
	}{
		{func(l *plan.Lane) { l.NMI = &better }, "ifca: nmi is 0.999, played again "},
		{func(l *plan.Lane) { l.Fingerprint = "0123456789abcdef" }, `ifca: fingerprint is "0123456789abcdef", played again "`},
		{func(l *plan.Lane) { l.Accuracy = &better }, "ifca: accuracy is 0.999, played again nothing"},
		{func(l *plan.Lane) { l.Down++ }, "ifca: down is "},
	} {
		if err := os.WriteFile(jsonl, []byte(strings.Join(lines[:7], "")+forge(7, tt.do)+strings.Join(lines[8:], "")),
			0o600); err != nil {
			t.Fatal(err)
		}
		out, errs := says(t, exitFailed, "verify", "-share", "1", jsonl)
		if !strings.HasPrefix(out, "data=linreg&") || strings.Count(out, "record ") != 1 || !strings.Contains(out, tt.want) ||
			!strings.Contains(errs, "1 of them does not come out again") {
			t.Errorf("prints %q, says %q; want %q", out, errs, tt.want)
		}
	}
	// Two results of one cell are both played, the same one twice is played once, and who merges them
	// is told in what they differ.
	twice := lines[0] + lines[0] + forge(0, func(l *plan.Lane) { l.NMI = &better })
	if err := os.WriteFile(jsonl, []byte(twice), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, errs := says(t, exitFailed, "verify", jsonl); strings.Count(out, "record ") != 1 ||
		!strings.Contains(errs, "played 2 of 2 runs again") {
		t.Errorf("of two results of one cell it prints %q, says %q", out, errs)
	}
	if _, errs := says(t, exitFailed, "merge", "-o", filepath.Join(dir, "both.flock"), jsonl); !strings.Contains(errs,
		`in lane "ifca" nmi `) || !strings.Contains(errs, " and 0.999; ") {
		t.Errorf("of two results of one cell merge says %q", errs)
	}
	if err := os.WriteFile(jsonl, []byte(strings.Join(lines[:7], "")+forge(7, func(l *plan.Lane) { l.Down++ })+
		strings.Join(lines[8:], "")), 0o600); err != nil {
		t.Fatal(err)
	}
	// The same seed chooses the same runs, others others: some seed finds the forged one.
	found := 0
	for seed := range 40 {
		if code, _, _ := invoke(t, "verify", "-share", "0.1", "-seed", strconv.Itoa(seed), jsonl); code == exitFailed {
			found++
		}
	}
	if found == 0 || found > 15 { // 40 · 0.1 on average
		t.Errorf("of 40 seeds %d choose the forged run", found)
	}
	for want, args := range map[string][]string{
		"above 0 and at most 1": {"verify", "-share", "0", name},
		"got none":              {"verify"},
		"-workers":              {"verify", "-workers", "0", name},
	} {
		if _, errs := says(t, exitInput, args...); !strings.Contains(errs, want) {
			t.Errorf("flock %q says %q", args, errs)
		}
	}
	other := strings.Replace(lines[0], `"version":`, `"version":1`, 1)
	if err := os.WriteFile(jsonl, []byte(other), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, errs := says(t, exitFailed, "verify", jsonl); !strings.Contains(errs, "its cell is another than its query says") {
		t.Errorf("says %q", errs)
	}
}

// Results about files are verified with the files; budgets and networks, too.
func TestVerifyFiles(t *testing.T) {
	path := files(t, map[string]string{"good.csv": samples(true)})["good.csv"]
	name := filepath.Join(t.TempDir(), "a.flock")
	says(t, exitFailed, "sweep", "T=3&algos=ifca", "-data", path, "-vary", "K=2,9", "-seeds", "2", "-o", name)
	if _, errs := says(t, exitInput, "verify", name); !strings.Contains(errs, "with -data") {
		t.Errorf("says %q", errs)
	}
	if _, errs := says(t, 0, "verify", "-share", "1", "-data", path, name); !strings.Contains(errs,
		"2 cells failed and have no result to verify") || !strings.Contains(errs, "played 2 of 2 runs") {
		t.Errorf("says %q", errs)
	}
	budget := filepath.Join(t.TempDir(), "b.flock")
	says(t, 0, "sweep", "-floats", "60", "-vary", "algos=clove,ifca", "-seeds", "2", "-o", budget, "T=10&C=6")
	says(t, 0, "sweep", "-vary", "algos=local,fedavg", "-seeds", "1", "-o", budget, "data=digits&n=200&C=4&T=2")
	if _, errs := says(t, 0, "verify", "-share", "1", budget); !strings.Contains(errs, "played 6 of 6 runs") {
		t.Errorf("says %q", errs)
	}
}
