package main

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/lesson"
	"flockscope/sim/testing/randquery"
)

// Settings that go together by themselves and not with the data, or with a method.
var refusedTogether = []string{
	"data=both&net=linear&algos=cfl",
	"data=digits&net=linear",
	"data=wireless&guests=31",
	"data=wireless&dtheta=70&D=8",
	"data=words&net=cnn",
	"data=words&shift=rotations",
	"data=both&C=1&K=1",
	"data=digits&n=20&C=12&K=2",
	"data=digits&split=classes&per=3",
	"data=garments&split=writers",
	"data=digits&split=dirichlet&alpha=0.01&C=64&n=400",
	"data=linrep&through=20",
	"data=linreg&algos=hcfl&hcfl.weigh=labels",
	"data=csv",
	"data=samples",
}

// ended is a context that is done: a run is refused, or stops before its first round.
func ended() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// verdicts returns the exit codes of check and of run, and what check says.
func verdicts(query string) (check, run int, why string) {
	var errs bytes.Buffer
	check = flock(context.Background(), []string{"check", query}, io.Discard, &errs)
	run = flock(ended(), []string{"run", query}, io.Discard, io.Discard)
	return check, run, errs.String()
}

// Check refuses what run refuses, with the same words.
func TestCheckRefuses(t *testing.T) {
	for _, query := range refusedTogether {
		check, run, why := verdicts(query)
		if check != exitInput || run != exitInput {
			t.Errorf("%s: check ends with %d and run with %d, want %d", query, check, run, exitInput)
		}
		var errs bytes.Buffer
		if flock(context.Background(), []string{"run", query}, io.Discard, &errs); errs.String() != why {
			t.Errorf("%s: check says %q, run says %q", query, why, &errs)
		}
	}
}

// Whatever the settings: check accepts exactly what run accepts.
func TestCheckIsRun(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	accepted, refused, queries := 0, 0, 1200
	if testing.Short() {
		queries = 400
	}
	for i := range queries {
		query := randquery.Small(r, catalog.Schema())
		check, run, why := verdicts(query)
		switch {
		case check == exitOK && run == exitStopped:
			accepted++
		case check == exitInput && run == exitInput:
			refused++
		default:
			t.Fatalf("query %d: check ends with %d (%s), run with %d: %s", i, check, why, run, query)
		}
	}
	if min(accepted, refused) < queries/5 {
		t.Errorf("%d queries are accepted and %d refused: the test proves little", accepted, refused)
	}
}

// What check accepts does run: nothing is refused later, and nothing panics.
func TestCheckedRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	runs := 150
	if testing.Short() {
		runs = 25
	}
	for runs > 0 {
		query := randquery.Small(r, catalog.Schema())
		if check, _, _ := verdicts(query); check != exitOK {
			continue
		}
		runs--
		var errs bytes.Buffer
		if code := flock(context.Background(), []string{"run", query}, io.Discard, &errs); code != exitOK {
			t.Errorf("run ends with %d (%s): %s", code, &errs, query)
		}
	}
}

// Every lesson is accepted, and so is what its steps ask for.
func TestLessonsAreAccepted(t *testing.T) {
	for _, l := range lesson.All() {
		for _, with := range append([]lesson.Step{{}}, l.Steps...) {
			c, problems := catalog.Schema().Parse(l.Query)
			for setting := range strings.SplitSeq(with.Solution, "&") {
				if key, value, ok := strings.Cut(setting, "="); ok {
					var err error
					if c, err = c.With(key, value); err != nil {
						t.Errorf("lesson %d with %s: %v", l.Number, with.Solution, err)
					}
				}
			}
			if err := catalog.Check(c, nil); err != nil || len(problems) > 0 {
				t.Errorf("lesson %d with %q: %v, %v", l.Number, with.Solution, err, problems)
			}
		}
	}
}
