//go:build unix

package main

import (
	"io"
	"os/exec"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
)

// The command that the page prints is the plan, whatever is varied.
func TestPageCommand(t *testing.T) {
	for _, text := range []string{
		"query T=5&algos=ifca\nvary dphi=5:15:5\nseeds 3",
		"query T=5&C=12\nvary K=2,3\nvary b=20,40\nseeds 7\nfloats 1000",
		"query T=5&C=12\nvary algos=ifca;ifca:five&ifca:five.K=5;clove,cflgp\nseeds 2",
		"query T=5&C=12\nvary data=linreg,mixreg\nvary algos=ifca,clove\nseeds 2",
		"query T=5&algos=ifca:a,cflgp&ifca:a.K=4\nvary ifca:a.lr=0.1,0.2\nseeds 1",
		"query sd=7&T=5&algos=ifca\nvary dphi=5\nseeds 1",
	} {
		d, err := plan.ParseDraft(text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := d.Plan(catalog.Schema().Parse)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		command := p.Command("a file's name.flock")
		out, err := exec.Command("sh", "-c", `printf '%s\n' `+command).Output()
		if err != nil {
			t.Fatal(err)
		}
		args := strings.Split(strings.TrimSpace(string(out)), "\n")
		if args[0] != "flock" || args[1] != "sweep" || args[3] != "a file's name.flock" {
			t.Fatalf("the command is %s", command)
		}
		fs := newFlags("sweep")
		var flags sweepFlags
		flags.add(fs)
		base, file, err := parseArgs(fs, args[2:], io.Discard)
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		flags.out = ""
		back, err := flags.makePlan(fs, map[string]bool{"seeds": true}, base, file)
		if err != nil || back.String() != p.String() {
			t.Errorf("%s is the plan\n%v, %v, want\n%v", command, back, err, p)
		}
		for _, n := range []int{0, p.Cells() - 1} {
			want, errWant := p.Cell(n)
			got, errGot := back.Cell(n)
			if (errWant == nil) != (errGot == nil) || got.ID != want.ID {
				t.Errorf("%s: cell %d is %s, want %s", command, n, got.ID, want.ID)
			}
		}
	}
}
