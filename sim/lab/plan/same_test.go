package plan_test

import (
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lab/plan"
	"flockscope/sim/testing/randquery"
)

// A plan, its text, and each of its cells as a link name the same cells, whatever was
// given and whatever is varied: also settings that only some of the cells read.
func TestSameCells(t *testing.T) {
	tries := 400
	if !testing.Short() {
		tries = 5_000
	}
	schema := catalog.Schema()
	plans, cells, unfit := 0, 0, 0
	for seed := range uint64(tries) {
		r := rand.New(rand.NewPCG(seed, 15))
		base, _ := schema.Parse(randquery.Query(r, schema))
		axes, err := plan.ParseAxes(base, randquery.Axes(r, schema))
		if err != nil {
			continue
		}
		p, err := plan.New(base, axes, 1+r.IntN(3), float64(r.IntN(2)*1000), "")
		if err != nil {
			continue
		}
		plans++
		again, err := read(t, p.String())
		if err != nil {
			t.Fatalf("seed %d: the plan cannot be read again: %v\n%s", seed, err, p)
		}
		if again.String() != p.String() || again.Cells() != p.Cells() {
			t.Fatalf("seed %d: read again it is\n%s, it was\n%s", seed, again, p)
		}
		if typed := typed(t, p); typed.String() != p.String() {
			t.Fatalf("seed %d: the command makes\n%s, of\n%s", seed, typed, p)
		}
		for n := 0; n < p.Cells(); n += 1 + p.Cells()/20 {
			want, err := p.Cell(n)
			got, errAgain := again.Cell(n)
			switch {
			case err != nil && errAgain != nil:
				unfit++
				continue
			case err != nil || errAgain != nil:
				t.Fatalf("seed %d: cell %d is %v, and read again %v\n%s", seed, n, err, errAgain, p)
			case got.ID != want.ID:
				t.Fatalf("seed %d: cell %d is\n%s, and read again\n%s\n%s", seed, n, want.Query, got.Query, p)
			}
			cells++
			if err := got.Read(schema.Parse); err != nil {
				t.Fatalf("seed %d: the link %s: %v", seed, want.Query, err)
			}
			if alone := must(t, "query "+want.Query); alone.At(alone.Base, 0).Query != want.Query {
				t.Fatalf("seed %d: %s is %s as a plan of its own", seed, want.Query, alone.At(alone.Base, 0).Query)
			}
		}
		if strings.Count(p.String(), "\n") < 3 {
			t.Fatalf("seed %d: the plan varies nothing:\n%s", seed, p)
		}
	}
	if plans < tries/8 || cells < tries || unfit < tries/100 {
		t.Errorf("of %d tries there are only %d plans with %d cells, and %d cells whose settings do not go together", tries, plans,
			cells, unfit)
	}
}

// typed returns the plan that the command of a plan makes in a shell; the plan itself
// where there is no shell.
func typed(t *testing.T, p *plan.Plan) *plan.Plan {
	t.Helper()
	sh, err := exec.LookPath("sh")
	if err != nil {
		return p
	}
	out, err := exec.Command(sh, "-c", `flock() { printf '%s\n' "$@"; }; `+p.Command("it's here.flock")).Output()
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if words[0] != "sweep" || words[1] != "-o" || words[2] != "it's here.flock" {
		t.Fatalf("the command is %q", words)
	}
	d := &plan.Draft{Query: words[len(words)-1]}
	for rest := words[3 : len(words)-1]; len(rest) > 1; rest = rest[2:] {
		switch rest[0] {
		case "-vary":
			d.Vary = append(d.Vary, rest[1])
		case "-seeds":
			d.Seeds, err = plan.ParseSeeds(rest[1])
		case "-floats":
			d.Floats, err = plan.ParseFloats(rest[1])
		default:
			t.Fatalf("the command has %q", rest[0])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	made, err := d.Plan(catalog.Schema().Parse)
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	return made
}
