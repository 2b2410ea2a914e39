package engine_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/trace"
	"flockscope/sim/workload"
)

// algorithms are the names of all algorithms, from the registry.
func algorithms() []string {
	var names []string
	for _, a := range catalog.Algorithms() {
		names = append(names, a.Name)
	}
	return names
}

// everyWorkload has a short run on every workload.
func everyWorkload(t testing.TB) map[string]*workload.File {
	return map[string]*workload.File{
		"data=linreg&T=30":            nil,
		"data=linreg&T=25&D=2&C=7":    nil,
		"data=linreg&T=10&C=50":       nil,
		"data=mix1d&T=20&C=9&b=30":    nil,
		"data=csv&T=20&b=5&probe=9":   table(t, 1, 8, 30, 1, true),
		"data=csv&T=20&b=50&probe=90": table(t, 2, 5, 30, 1, false), // more than there are
	}
}

// TestEveryRunIsSound: no NaN, no frame that contradicts itself, for every
// algorithm on every workload, together and in odd corners.
func TestEveryRunIsSound(t *testing.T) {
	corners := []string{
		"data=linreg&C=1&D=1&K=1&T=3",
		"data=linreg&T=1",
		"data=linreg&T=2&b=1&probe=2",
		"data=linreg&dphi=0&sigma=0&T=30",                 // nobody differs
		"data=linreg&dphi=0&sigma=0&init=0&T=30",          // and every model is right
		"data=linreg&D=1&sigma=0&init=0&dphi=0&K=12&T=12", // a model for everyone
		"data=linreg&D=8&C=8&K=8&T=12",
		"data=linreg&D=2&dphi=80&sigma=5&T=20",
		"data=linreg&sigma=5&b=1&probe=2&T=40&lr=1",
		"data=linreg&C=100&K=64&T=6&init=10",
		"data=linreg&P=100&T=102",
		"data=mix1d&star=1&theta0=1&K=1&sigma=0&T=20",
		"data=mix1d&star=1,1&theta0=1,1&sigma=0&T=20",
		"data=mix1d&star=-10,10&theta0=10,-10&sigma=5&T=20&b=1&probe=2",
		"data=mix1d&star=0,0,0,0,0,0,0,0&theta0=&init=0&K=8&sigma=0&T=20",
	}
	queries := everyWorkload(t)
	for _, corner := range corners {
		queries[corner] = nil
	}
	queries["data=csv&K=1&T=5"] = table(t, 2, 2, 1, 1, false)
	queries["data=csv&K=3&T=30&lr=0.000001&scale=none"] = table(t, 3, 3, 10, 9e5, true) // no rate is small enough
	for query, file := range queries {
		for _, lanes := range []string{"cflgp,ifca,clove,fedavg",
			"local,clove:s,cflgp:one,ifca:all&clove:s.sqrt=1&cflgp:one.beta=1&cflgp:one.stop=1&ifca:all.divide=all"} {
			query := query + "&algos=" + lanes
			r := record(t, query, file)
			checkFrames(t, query, r)
			for i, s := range r.summaries {
				if huge := strings.Contains(query, "lr=0.000001"); (s.Diverged >= 0) != huge {
					t.Errorf("%s: lane %d diverged in round %d: %s", query, i, s.Diverged, s.Cause)
				}
			}
		}
	}
}

// TestEverySeed: the same seeds give the same bits, another seed others, and a
// seed that an algorithm does not read none.
func TestEverySeed(t *testing.T) {
	stochastic := 0
	for _, a := range catalog.Algorithms() {
		name := a.Name
		base := "data=linreg&T=20&algos=" + name
		first := record(t, base, nil).fingerprints()[0]
		if again := record(t, base+"&sd=1&sm=1&sa=1", nil).fingerprints()[0]; again != first {
			t.Errorf("%s: fingerprint %016x and then %016x", base, first, again)
		}
		tests := []struct {
			seed  string
			reads bool
		}{
			{"sd=2", true}, {"sm=2", true}, {"sd=4294967295", true}, {"sd=0", true},
			{"sa=2", a.Stochastic},
		}
		for _, tt := range tests {
			got := record(t, base+"&"+tt.seed, nil).fingerprints()[0]
			if tt.seed == "sa=2" && tt.reads {
				if got != first {
					stochastic++
				}
				continue // k-means finds the same clusters from most starts
			}
			if (got != first) != tt.reads {
				t.Errorf("%s: with %s the fingerprint goes from %016x to %016x, want a change: %v", base, tt.seed,
					first, got,
					tt.reads)
			}
		}
	}
	if stochastic == 0 {
		t.Error("the algorithm seed changes no method")
	}
}

// TestEveryScheduling: the number of processors changes no bit.
func TestEveryScheduling(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for query, file := range everyWorkload(t) {
		for _, lanes := range []string{"cflgp,ifca,clove,fedavg", "local,cflgp"} {
			query := query + "&algos=" + lanes
			var first []uint64
			for _, procs := range []int{1, 8, 2, 8} {
				runtime.GOMAXPROCS(procs)
				got := record(t, query, file).fingerprints()
				if first == nil {
					first = got
				}
				if !slices.Equal(got, first) {
					t.Errorf("%s: fingerprints %x with 1 processor, %x with %d", query, first, got, procs)
				}
			}
		}
	}
}

// TestEveryLaneIsItsOwn: a lane has the same bits alone and beside others, in
// any order, even if these draw more samples or run away.
func TestEveryLaneIsItsOwn(t *testing.T) {
	own := map[string]string{"ifca:big": "&ifca:big.probe=777", "fedavg:wild": "&fedavg:wild.lr=10"}
	for query, file := range everyWorkload(t) {
		alone := map[string]uint64{}
		sets := []string{"cflgp,ifca,clove,fedavg", "fedavg,clove,ifca,cflgp", "local,cflgp", "clove,local,ifca",
			"ifca:big,cflgp,clove,fedavg", "clove,ifca:big,ifca", "fedavg:wild,local,ifca,clove"}
		for few := range slices.Chunk(algorithms(), experiment.MaxLanes) {
			sets = append(sets, strings.Join(few, ","))
		}
		for _, lanes := range sets {
			beside := query + "&algos=" + lanes
			for id, words := range own {
				if strings.Contains(lanes, id) {
					beside += words
				}
			}
			r := record(t, beside, file)
			for i, lane := range r.header.Lanes {
				if _, ok := alone[lane.ID]; !ok {
					alone[lane.ID] = record(t, query+"&algos="+lane.ID+own[lane.ID], file).fingerprints()[0]
				}
				if got := r.summaries[i].Fingerprint; got != alone[lane.ID] {
					t.Errorf("%s: lane %s has fingerprint %016x among %s, and %016x alone", query, lane.ID, got, lanes,
						alone[lane.ID])
				}
			}
		}
		for _, name := range algorithms() {
			if _, ok := alone[name]; !ok {
				t.Errorf("%s is in none of the tested lanes", name)
			}
		}
	}
}

// TestOneModelIsFedAvg: with K = 1 every method trains FedAvg's model, bit for
// bit, as long as clients count by the same rule. By their papers IFCA and CFL-GP count
// clients, so where these have unequally many samples their model is another.
func TestOneModelIsFedAvg(t *testing.T) {
	for query, file := range map[string]*workload.File{
		"data=linreg&T=50": nil, "data=linreg&T=50&C=37&b=3&lr=0.3&dphi=40": nil, "data=mix1d&T=50&theta0=2": nil,
		"data=csv&T=50&b=4": table(t, 4, 9, 40, 1, true),
	} {
		for _, mean := range []string{"paper", "samples", "clients"} {
			r := record(t, query+"&K=1&algos=fedavg,clove,cflgp,ifca&mean="+mean, file)
			for lane := 1; lane < 4; lane++ {
				same := true
				for n, want := range r.lanes[0] {
					got := r.lanes[lane][n]
					same = same && slices.Equal(got.Models, want.Models) && slices.Equal(got.Label, want.Label)
				}
				if want := file == nil || mean != "paper" || lane == 1; same != want {
					t.Errorf("%s, mean=%s: %s with one model trains FedAvg's: %v, want %v",
						query, mean, r.header.Lanes[lane].ID, same, want)
				}
			}
		}
	}
}

// TestEveryDivergence: a rate of 10 is caught, with round, cause and a way out,
// and leaves no number in a frame that is not finite.
func TestEveryDivergence(t *testing.T) {
	hint := regexp.MustCompile(
		`^the models diverged in round (\d+): learning rate 10 is above 2/L = [0-9.e+-]+; (?:try ([0-9.e+-]+)|scale the data down)$`)
	files := map[string]*workload.File{
		"data=linreg&T=60":      nil,
		"data=mix1d&T=60":       nil,
		"data=csv&T=60":         table(t, 5, 8, 30, 3, true),
		"data=csv&T=60&probe=3": table(t, 6, 8, 30, 9e5, true), // as large as a file may hold
	}
	for query, file := range files {
		for _, name := range algorithms() {
			query := query + "&lr=10&algos=" + name
			r := record(t, query, file)
			checkFrames(t, query, r)
			s, frames := r.summaries[0], r.lanes[0]
			if s.Diverged < 1 || s.Diverged > 60 || s.Settled != -1 {
				t.Errorf("%s: diverged in round %d, settled in %d, want a round, and never", query, s.Diverged,
					s.Settled)
				continue
			}
			parts := hint.FindStringSubmatch(s.Cause.String())
			if parts == nil || parts[1] != fmt.Sprint(s.Diverged) {
				t.Errorf("%s: diverged in round %d: %q, want that round, the rate, the limit and a way out", query,
					s.Diverged,
					s.Cause)
				continue
			}
			for n := range frames {
				if got, want := frames[n].Events.Has(trace.Diverged), n == s.Diverged; got != want {
					t.Errorf("%s: round %d has the event: %v, want %v", query, n, got, want)
				}
				if n >= s.Diverged &&
					(!slices.Equal(frames[n].Models, frames[s.Diverged-1].Models) ||
						!slices.Equal(frames[n].Label, frames[s.Diverged-1].Label)) {
					t.Errorf("%s: diverged in round %d and moves in round %d", query, s.Diverged, n)
				}
			}
			// What the message says to try must be possible, and help. Where
			// no rate is small enough it must not name one.
			if parts[2] == "" {
				if !strings.Contains(query, "probe=3") {
					t.Errorf("%s: %q, want a rate to try", query, s.Cause)
				}
				continue
			}
			c, err := parse(t, query).With("lr", parts[2])
			if err != nil {
				t.Errorf("%s: the message says to try a rate of %s: %v", query, parts[2], err)
				continue
			}
			var o outcomes
			if err := engine.Run(context.Background(), c, file, &o); err != nil || o.lanes[0].summary.Diverged >= 0 {
				t.Errorf("%s: the message says to try a rate of %s: %v, diverged in round %d", query, parts[2], err,
					o.lanes[0].summary.Diverged)
			}
		}
	}
}

// TestDivergenceStaysInItsLane.
func TestDivergenceStaysInItsLane(t *testing.T) {
	r := record(t, "data=linreg&T=40&algos=cflgp,cflgp:wild,ifca&cflgp:wild.lr=10", nil)
	for i, want := range []bool{false, true, false} {
		if got := r.summaries[i].Diverged >= 0; got != want {
			t.Errorf("lane %s diverged: %v, want %v", r.header.Lanes[i].ID, got, want)
		}
	}
}

// goroutines waits until no more than n goroutines are left, for at most two
// seconds, and returns how many there are.
func goroutines(n int) int {
	for range 200 {
		if runtime.NumGoroutine() <= n {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return runtime.NumGoroutine()
}

// TestEveryCancel: a cancelled context ends a run within a round, and all its
// goroutines with it.
func TestEveryCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, name := range algorithms() {
		c := parse(t, "data=linreg&T=1000&C=50&algos=fedavg,"+strings.TrimPrefix(name+":b", "fedavg,"))
		for _, at := range []int{-1, 0, 1, 7} {
			ctx, cancel := context.WithCancel(context.Background())
			if at < 0 {
				cancel()
			}
			r := &recording{onRound: func(t int) {
				if t == at {
					cancel()
				}
			}}
			err := engine.Run(ctx, c, nil, r)
			cancel()
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%v cancelled after round %d: %v, want %v", c, at, err, context.Canceled)
			}
			if last := len(r.rounds) - 1; last > max(at, 0) {
				t.Errorf("%v cancelled after round %d plays to round %d", c, at, last)
			}
			if r.summaries[0] != nil {
				t.Errorf("%v cancelled after round %d has a summary", c, at)
			}
			if got := goroutines(before); got > before {
				t.Errorf("%v cancelled after round %d leaves %d goroutines, %d before", c, at, got, before)
			}
		}
	}
	record(t, "data=linreg&T=5&C=50&algos=cflgp,ifca,clove,local", nil)
	if err := engine.Run(context.Background(), parse(t, "data=csv"), nil, new(recording)); !errors.Is(err,
		workload.ErrNoFile) {
		t.Errorf("Run(data=csv) without a file: %v, want %v", err, workload.ErrNoFile)
	}
	if got := goroutines(before); got > before {
		t.Errorf("%d goroutines are left, %d before", got, before)
	}
}

// TestCancelFromOutside: as the page does it, while a round is under way.
func TestCancelFromOutside(t *testing.T) {
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	start := time.Now()
	err := engine.Run(ctx, parse(t, "data=linreg&C=300&T=1000&b=1000"), nil, &recording{onRound: func(int) {
		time.Sleep(0) // under js the timer needs the thread
		runtime.Gosched()
	}})
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 10*time.Second {
		t.Errorf("Run past its deadline: %v after %v, want %v soon", err, time.Since(start), context.DeadlineExceeded)
	}
	if got := goroutines(before); got > before {
		t.Errorf("%d goroutines are left, %d before", got, before)
	}
}

// TestFileThatDoesNotFit: what the configuration could not know is refused by
// name when the file is there, before anything runs.
func TestFileThatDoesNotFit(t *testing.T) {
	small := table(t, 7, 3, 10, 1, true)
	tests := []struct {
		name, query, field string
		file               *workload.File
	}{
		{"more models than clients", "data=csv&K=4&algos=fedavg,cflgp", "K", small},
		{"a lane's own K", "data=csv&K=2&algos=cflgp,ifca&ifca.K=4", "ifca.K", small},
		{"too many frames", "data=csv&T=5000&algos=fedavg,local,ifca,clove", "T", table(t, 8, 300, 10, 1, true)},
	}
	for _, tt := range tests {
		// Cancelled, so that a run that should not start ends soon.
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r := new(recording)
		err := engine.Run(ctx, parse(t, tt.query), tt.file, r)
		var refused *param.Error
		if !errors.As(err, &refused) || refused.Field != tt.field || r.header != nil {
			t.Errorf("%s: Run(%s) with %d clients: %v, want a refusal of %s before it begins", tt.name, tt.query,
				len(tt.file.Table.Clients), err, tt.field)
		}
	}
}

// TestIdenticalStart: from identical models on one side of all optima, IFCA
// stays with model 0 for ever, the lowest index, and scores 0; CLoVE tells the
// groups apart all the same (spec 15, test j). Between the optima IFCA too begins
// with model 0, but the first step leaves some clients better off with another.
func TestIdenticalStart(t *testing.T) {
	for _, tt := range []struct {
		name, query string
		stuck       bool
	}{
		{"below", "data=mix1d&theta0=0,0", true},
		{"above", "data=mix1d&theta0=3.3,3.3", true},
		{"three models", "data=mix1d&theta0=0,0,0&K=3", true},
		{"paper's Option I", "data=mix1d&theta0=0,0&ifca.divide=all", true},
		{"between", "data=mix1d&theta0=1,1&star=0,2", false},
		{"between, linreg", "data=linreg&init=0&dphi=40&probe=100&b=50", false},
	} {
		for seed := 1; seed <= 5; seed++ {
			query := fmt.Sprintf("%s&T=40&algos=ifca,clove&sd=%d&sa=%d", tt.query, seed, seed)
			r := record(t, query, nil)
			for n, f := range r.lanes[0] {
				if (tt.stuck || n <= 1) && (f.ARI != 0 || f.Clusters != 1 || f.Label[0] != 0) {
					t.Errorf("%s: %s: IFCA in round %d has ARI %v and labels %v, want 0 and all on model 0", tt.name,
						query, n, f.ARI,
						f.Label)
					break
				}
			}
			if stuck := r.summaries[0].ARI == 0; stuck != tt.stuck {
				t.Errorf("%s: %s: IFCA ends at ARI %v, stuck: %v, want %v", tt.name, query, r.summaries[0].ARI, stuck,
					tt.stuck)
			}
			if got := r.summaries[1].ARI; got < 0.5 {
				t.Errorf("%s: %s: CLoVE ends at ARI %v, want more than 0.5", tt.name, query, got)
			}
		}
	}
}

// TestLossesOfAFrame: round 0 shows expected losses; later rounds those of the
// models before the update on a sample of the size asked for.
func TestLossesOfAFrame(t *testing.T) {
	r := record(t, "data=linreg&T=3&C=6&probe=100000&algos=fedavg,local", nil)
	for lane, name := range []string{"fedavg", "local"} {
		frames := r.lanes[lane]
		for n := 1; n <= 3; n++ {
			mean := 0.0
			for _, l := range frames[n].Losses {
				mean += float64(l) / 6
			}
			// 100000 samples: the mean is good to a percent.
			if want := frames[n-1].Loss; mean < 0.99*want || mean > 1.01*want {
				t.Errorf("%s: round %d shows losses of %v in the mean, want %v, the expected loss before it", name, n,
					mean, want)
			}
		}
		mean := 0.0
		for _, l := range frames[0].Losses {
			mean += float64(l) / 6
		}
		if want := frames[0].Loss; mean < want*(1-1e-6) || mean > want*(1+1e-6) {
			t.Errorf("%s: round 0 shows losses of %v in the mean, want %v", name, mean, want)
		}
	}
}

// TestHeader of a run with labelled lanes.
func TestHeader(t *testing.T) {
	r := record(t, "data=linreg&T=2&C=7&D=2&K=3&algos=cflgp:nomem,ifca,clove,local&clove.K=2", nil)
	h := r.header
	if h.Query != "data=linreg&D=2&C=7&T=2&algos=cflgp:nomem,ifca,clove,local&clove.K=2" || h.Clients != 7 ||
		h.Rounds != 2 ||
		h.Groups != 2 ||
		len(h.Group) != 7 {
		t.Errorf("header %+v", h)
	}
	want := []trace.Lane{
		{ID: "cflgp:nomem", Algorithm: "cflgp", Title: "CFL-GP · nomem", Models: 3, Size: 2, FrameParams: 2,
			Columns: 3, Map: trace.GradientPlane, Probe: 10},
		{ID: "ifca", Algorithm: "ifca", Title: "IFCA", Models: 3, Size: 2, FrameParams: 2, Columns: 3,
			Map: trace.LossTriangle, Border: true, Probe: 10},
		{ID: "clove", Algorithm: "clove", Title: "CLoVE", Models: 2, Size: 2, FrameParams: 2, Columns: 2,
			Map: trace.LossPair, Probe: 10},
		{ID: "local", Algorithm: "local", Title: "Local only", Models: 7, Size: 2, FrameParams: 2,
			Columns: 1, Map: trace.NoMap, Probe: 10},
	}
	if !slices.Equal(h.Lanes, want) {
		t.Errorf("lanes %+v, want %+v", h.Lanes, want)
	}
	if !slices.Equal(r.rounds, []int{0, 1, 2}) {
		t.Errorf("rounds %v, want [0 1 2]", r.rounds)
	}
}

// TestEvidenceOfEveryAlgorithm: methods that compare clients have an embedding.
func TestEvidenceOfEveryAlgorithm(t *testing.T) {
	for _, name := range algorithms() {
		r := record(t, "data=linreg&T=4&algos="+name, nil)
		shows := r.header.Lanes[0].Map != trace.NoMap
		_, plans, err := catalog.Build(parse(t, "data=linreg&algos="+name), nil)
		if err != nil {
			t.Fatal(err)
		}
		_, embeds := plans[0].Algorithm.(fl.Embedder)
		if shows != embeds || shows != (plans[0].Evidence != fl.NoEvidence) || shows != (len(r.lanes[0][4].XY) > 0) {
			t.Errorf("%s: map %v, embeds %v, evidence %v, %d coordinates", name, shows, embeds, plans[0].Evidence,
				len(r.lanes[0][4].XY))
		}
	}
}
