package experiment_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/testing/randquery"
	"flockscope/sim/trace"
)

// TestParse: the canonical text of valid queries.
func TestParse(t *testing.T) {
	tests := []struct{ name, query, want string }{
		{"nothing", "", "data=linreg&algos=cflgp,ifca"},
		{"a setting by an older name", "algos=fedproto&protomean=clients", "data=linreg&mean=clients&algos=fedproto"},
		{"a lane's setting by an older name", "fedproto.protomean=clients&algos=fedproto,fedem", "data=linreg&algos=fedproto,fedem&fedproto.mean=clients"},
		{"an older name's default", "algos=fedproto&protomean=samples", "data=linreg&mean=samples&algos=fedproto"},
		{"only spaces", "  \n", "data=linreg&algos=cflgp,ifca"},
		{"defaults are left out", "data=linreg&dphi=20&D=3&init=0.8&sigma=0.2&C=12&b=10&probe=10&T=200&K=3&lr=0.1&algos=cflgp,ifca&P=2&beta=mean&stop=0&sd=1&sm=1&sa=1", "data=linreg&algos=cflgp,ifca"},
		{"canonical order", "sa=2&sd=3&lr=0.2&K=4&C=15&dphi=5&algos=ifca,cflgp&sigma=1&T=10", "data=linreg&dphi=5&sigma=1&C=15&T=10&K=4&lr=0.2&algos=ifca,cflgp&sd=3&sa=2"},
		{"canonical values", "dphi=05.00&lr=2e-1&C=+15", "data=linreg&dphi=5&C=15&lr=0.2&algos=cflgp,ifca"},
		{"lanes keep their order", "algos=local,fedavg,clove,ifca", "data=linreg&algos=local,fedavg,clove,ifca"},
		{"spaces among lanes", "algos= ifca , clove ", "data=linreg&algos=ifca,clove"},
		{"a lane twice, with labels", "algos=cflgp,cflgp:nomem&cflgp:nomem.beta=1", "data=linreg&algos=cflgp,cflgp:nomem&cflgp:nomem.beta=1"},
		{"a lane's settings before the lanes", "cflgp:nomem.beta=1&algos=cflgp,cflgp:nomem", "data=linreg&algos=cflgp,cflgp:nomem&cflgp:nomem.beta=1"},
		{"a lane's setting that is everybody's", "algos=cflgp,ifca&ifca.K=3", "data=linreg&algos=cflgp,ifca"},
		{"a lane's default where everybody differs", "algos=cflgp,ifca&K=5&ifca.K=3", "data=linreg&K=5&algos=cflgp,ifca&ifca.K=3"},
		{"lanes' settings in the order of lanes and fields", "algos=ifca,clove&clove.lr=0.3&ifca.lr=0.2&ifca.K=2&clove.probe=50", "data=linreg&algos=ifca,clove&ifca.K=2&ifca.lr=0.2&clove.lr=0.3&clove.probe=50"},
		{"a workload's own defaults", "data=mix1d", "data=mix1d&algos=cflgp,ifca"},
		{"a workload's own defaults are left out", "data=mix1d&K=2&T=60&sigma=0.1&b=200&probe=200", "data=mix1d&algos=cflgp,ifca"},
		{"the common default is no default there", "data=mix1d&K=3&T=200&sigma=0.2&b=10&probe=10", "data=mix1d&sigma=0.2&b=10&probe=10&T=200&K=3&algos=cflgp,ifca"},
		{"the data decide the defaults, wherever they stand", "K=2&T=60&data=mix1d", "data=mix1d&algos=cflgp,ifca"},
		{"a list", "data=mix1d&star=-1,0,+1.50&theta0=", "data=mix1d&star=-1,0,1.5&theta0=&algos=cflgp,ifca"},
		{"escapes", "data=linreg&algos=cflgp%2Ccflgp%3Anomem&cflgp%3Anomem.beta=1", "data=linreg&algos=cflgp,cflgp:nomem&cflgp:nomem.beta=1"},
		{"a plus is a space", "algos=cflgp,+ifca", "data=linreg&algos=cflgp,ifca"},
		{"a whole link", "https://host.example/flockscope/?data=linreg&dphi=5#share", "data=linreg&dphi=5&algos=cflgp,ifca"},
		{"an old link", "https://host.example/#data=linreg&dphi=5", "data=linreg&dphi=5&algos=cflgp,ifca"},
		{"a link in front of a link", "?dphi=5", "data=linreg&dphi=5&algos=cflgp,ifca"},
		{"ampersands", "&&dphi=5&&", "data=linreg&dphi=5&algos=cflgp,ifca"},
		{"the page's keys", "v=1&data=linreg&lesson=lesson=3&t=40t=40&ph=2&view=map&sel=7&lane=1&embed=1&controls=dphi,play&hide=none&lanes=2&autoplay=0&loop=0&theme=dark&lang=de&motion=none&speed=2&keys=0&quiz=1&id=x&origin=y&engine=1&curve=ari&zoom=2&heat=own&dphi=5", "data=linreg&dphi=5&algos=cflgp,ifca"},
		{"the page's keys twice", "t=1&t=2&view=a&view=b", "data=linreg&algos=cflgp,ifca"},
		{"a file", "data=csv&b=5&lr=0.5", "data=csv&b=5&lr=0.5&algos=cflgp,ifca"},
		{"an empty lane setting hands it back", "algos=cflgp,ifca&ifca.K=", "data=linreg&algos=cflgp,ifca"},
		{"switches", "algos=cflgp,clove&stop=yes&sqrt=on", "data=linreg&sqrt=1&stop=1&algos=cflgp,clove"},
	}
	s := catalog.Schema()
	for _, tt := range tests {
		c, problems := s.Parse(tt.query)
		if got := c.String(); got != tt.want || len(problems) > 0 {
			t.Errorf("%s: Parse(%q) = %s with %v, want %s and no problems", tt.name, tt.query, got, problems, tt.want)
		}
		if again, problems := s.Parse(tt.want); again.String() != tt.want || len(problems) > 0 {
			t.Errorf("%s: Parse(%q) = %s with %v, want itself", tt.name, tt.want, again, problems)
		}
	}
}

// TestWarnings: unknown keys are ignored, with one warning each.
func TestWarnings(t *testing.T) {
	tests := []struct{ name, query, want, warning string }{
		{"unknown", "dphi=5&flavour=7", "data=linreg&dphi=5&algos=cflgp,ifca", "unknown setting flavour"},
		{"slip", "dhpi=5", "data=linreg&algos=cflgp,ifca", `unknown setting dhpi (did you mean "dphi"?)`},
		{"case", "k=5", "data=linreg&algos=cflgp,ifca", `unknown setting k (did you mean "K"?)`},
		{"lanes by another name", "algo=ifca", "data=linreg&algos=cflgp,ifca", "unknown setting algo (the setting is called algos)"},
		{"no such lane", "clove.K=2", "data=linreg&algos=cflgp,ifca", "unknown setting clove.K (there is no method clove here; the methods are cflgp, ifca)"},
		{"no such setting of a lane", "ifca.beta=1", "data=linreg&algos=cflgp,ifca", "unknown setting ifca.beta (the settings of ifca are K, lr, avg, tau, opt, keep, nd, quant, probe, divide, choose, mean, trim, bound, f, private, clip, gauss, rr)"},
		{"a setting that no lane may have", "ifca.C=3", "data=linreg&algos=cflgp,ifca", "unknown setting ifca.C (the settings of ifca are K, lr, avg, tau, opt, keep, nd, quant, probe, divide, choose, mean, trim, bound, f, private, clip, gauss, rr)"},
		{"without effect", "algos=fedavg&K=5", "data=linreg&algos=fedavg", "K has no effect with these methods and data=linreg"},
		{"of another workload", "data=linreg&star=1,2", "data=linreg&algos=cflgp,ifca", "star has no effect with these methods and data=linreg"},
		{"clients of a file", "data=csv&C=5", "data=csv&algos=cflgp,ifca", "C has no effect with these methods and data=csv"},
		{"unknown twice", "zzzz=1&zzzz=2", "data=linreg&algos=cflgp,ifca", "unknown setting zzzz"},
	}
	for _, tt := range tests {
		c, problems := catalog.Schema().Parse(tt.query)
		if len(problems) == 0 || !problems[0].Warning || problems[0].Error() != tt.warning || c.String() != tt.want ||
			experiment.First(problems) != nil {
			t.Errorf("%s: Parse(%q) = %s with %v, want %s with only warnings, the first %q", tt.name, tt.query, c,
				problems, tt.want, tt.warning)
		}
	}
}

// registered are the names of all workloads and algorithms.
func registered() (workloads, algorithms []string) {
	for _, w := range catalog.Schema().Workloads {
		workloads = append(workloads, w.Name)
	}
	for _, a := range catalog.Schema().Algorithms {
		algorithms = append(algorithms, a.Name)
	}
	return workloads, algorithms
}

// TestRefusals: bad values and bad combinations are refused with field, value,
// range and a hint, and the rest of the query stands.
func TestRefusals(t *testing.T) {
	tests := []struct{ name, query, want, refusal string }{
		{"too large", "dphi=900&C=15", "data=linreg&C=15&algos=cflgp,ifca", `dphi: got "900", want a number from 0 to 80`},
		{"not a number", "dphi=wide", "data=linreg&algos=cflgp,ifca", `dphi: got "wide", want a number from 0 to 80`},
		{"nothing", "C=", "data=linreg&algos=cflgp,ifca", `C: got "", want a whole number from 1 to 2000`},
		{"no clients", "C=0", "data=linreg&algos=cflgp,ifca", `C: got "0", want a whole number from 1 to 2000`},
		{"absurdly many", "C=1000000000", "data=linreg&algos=cflgp,ifca", `C: got "1000000000", want a whole number from 1 to 2000`},
		{"half a client", "C=12.6", "data=linreg&algos=cflgp,ifca", `C: got "12.6", want a whole number from 1 to 2000 (nearest is 13)`},
		{"no rounds", "T=0", "data=linreg&algos=cflgp,ifca", `T: got "0", want a whole number from 1 to 5000`},
		{"no batch", "b=0", "data=linreg&algos=cflgp,ifca", `b: got "0", want a whole number from 1 to 10000`},
		{"a probe below 0", "probe=-1", "data=linreg&algos=cflgp,ifca", `probe: got "-1", want a whole number from 0 to 100000`},
		{"a lane's probe below 0", "ifca.probe=-1", "data=linreg&algos=cflgp,ifca", `ifca.probe: got "-1", want a whole number from 0 to 100000`},
		{"clustering in every round", "P=1", "data=linreg&algos=cflgp,ifca", `P: got "1", want a whole number from 2 to 100`},
		{"a lane's P", "cflgp.P=1", "data=linreg&algos=cflgp,ifca", `cflgp.P: got "1", want a whole number from 2 to 100`},
		{"no models", "K=0", "data=linreg&algos=cflgp,ifca", `K: got "0", want a whole number from 1 to 64`},
		{"no rate", "lr=0", "data=linreg&algos=cflgp,ifca", `lr: got "0", want a number from 0.000001 to 10`},
		{"negative noise", "sigma=-0.1", "data=linreg&algos=cflgp,ifca", `sigma: got "-0.1", want a number from 0 to 5`},
		{"NaN", "lr=NaN", "data=linreg&algos=cflgp,ifca", `lr: got "NaN", want a number from 0.000001 to 10`},
		{"infinite", "sigma=Inf", "data=linreg&algos=cflgp,ifca", `sigma: got "Inf", want a number from 0 to 5`},
		{"seed", "sd=-1", "data=linreg&algos=cflgp,ifca", `sd: got "-1", want a whole number from 0 to 4294967295`},
		{"choice", "beta=maen", "data=linreg&algos=cflgp,ifca", `beta: got "maen", want one of mean, 1 (did you mean "mean"?)`},
		{"list", "data=mix1d&star=1,x", "data=mix1d&algos=cflgp,ifca", `star: got "1,x", want numbers from -10 to 10, separated by commas (number 2 is "x")`},

		{"unknown data", "data=lingreg&C=15", "data=linreg&C=15&algos=cflgp,ifca", `data: got "lingreg", want one of WORKLOADS (did you mean "linreg"?)`},
		{"unknown lane", "algos=icfa", "data=linreg&algos=cflgp,ifca", `algos: got "icfa", want one to four of ALGORITHMS, separated by commas (did you mean "ifca"?)`},
		{"no lane", "algos=", "data=linreg&algos=cflgp,ifca", `algos: got "", want one to four of ALGORITHMS, separated by commas (choose at least one method)`},
		{"five lanes", "algos=ifca,clove,cflgp,local,fedavg", "data=linreg&algos=cflgp,ifca", `algos: got "ifca,clove,cflgp,local,fedavg", want one to four of ALGORITHMS, separated by commas (at most four methods)`},
		{"a lane twice", "algos=ifca,ifca", "data=linreg&algos=cflgp,ifca", `algos: got "ifca,ifca", want one to four of ALGORITHMS, separated by commas (ifca is listed twice; label the two ifca,ifca:b)`},
		{"no label", "algos=ifca:,clove", "data=linreg&algos=cflgp,ifca", `algos: got "ifca:", want one to four of ALGORITHMS, separated by commas (a label is one to sixteen of a-z, 0-9 and -)`},
		{"a label with a point", "algos=ifca:a.b", "data=linreg&algos=cflgp,ifca", `algos: got "ifca:a.b", want one to four of ALGORITHMS, separated by commas (a label is one to sixteen of a-z, 0-9 and -)`},

		{"no pair", "dphi", "data=linreg&algos=cflgp,ifca", `query: got "dphi", want key=value with & between them`},
		{"no key", "=5", "data=linreg&algos=cflgp,ifca", `query: got "=5", want key=value with & between them`},
		{"bad escape", "dphi=%zz", "data=linreg&algos=cflgp,ifca", `query: got "dphi=%zz", want key=value with & between them`},
		{"twice", "C=15&C=18", "data=linreg&C=15&algos=cflgp,ifca", `C: got "18", want each setting once (it is set twice)`},

		{"more models than clients", "C=5&K=6", "data=linreg&C=5&algos=cflgp,ifca", `K: got "6", want at most C = 5 (more models than clients)`},
		{"a lane with more models than clients", "algos=ifca,clove&clove.K=13", "data=linreg&algos=ifca,clove", `clove.K: got "13", want at most C = 12 (more models than clients)`},
		{"more groups than clients", "D=5&C=4&K=2", "data=linreg&C=4&K=2&algos=cflgp,ifca", `D: got "5", want at most C = 4 (a group without clients cannot be found)`},
		{"more slopes than clients", "data=mix1d&star=1,2,3,4,5,6&C=5", "data=mix1d&C=5&algos=cflgp,ifca", `star: got "1,2,3,4,5,6", want one slope per group, at least 1 and at most C = 5`},
		{"no slopes", "data=mix1d&star=", "data=mix1d&algos=cflgp,ifca", `star: got "", want one slope per group, at least 1 and at most C = 12`},
		{"a share of liars that is nobody", "liars=0.03", "data=linreg&algos=cflgp,ifca", `liars: got "0.03", want a whole number below 12, a share below 1 that is a client or more, or numbers of clients (there are 12 clients, and at least one is honest)`},
		{"nobody to begin", "late=12", "data=linreg&algos=cflgp,ifca", `late: got "12", want fewer than C = 12 (some clients must take part from the start)`},
		{"fewer clients than latecomers", "late=5&C=5", "data=linreg&C=5&algos=cflgp,ifca", `late: got "5", want fewer than C = 5 (some clients must take part from the start)`},
		{"latecomers after the end", "late=3&join=201", "data=linreg&late=3&algos=cflgp,ifca", `join: got "201", want at most T = 200 (latecomers would never join)`},
		{"a line beyond upright", "dphi=30&D=8", "data=linreg&D=8&algos=cflgp,ifca", `dphi: got "30", want less than 25.4 with D = 8 (the outermost line would be at 105°)`},
		{"too many samples", "C=2000&T=5000&b=10000", "data=linreg&b=10000&algos=cflgp,ifca", `T: got "5000", want fewer rounds, clients or samples (C × T × samples = 100 000 000 000, the limit is 400 000 000)`},
		{"a lane's probe is too much", "T=1000&ifca.probe=100000", "data=linreg&algos=cflgp,ifca&ifca.probe=100000", `T: got "1000", want fewer rounds, clients or samples (C × T × samples = 1 200 000 000, the limit is 400 000 000)`},
		{"too many epochs", "avg=model&tau=101", "data=linreg&avg=model&algos=cflgp,ifca", `tau: got "101", want a whole number from 1 to 100`},
		{"no epoch", "avg=model&ifca.tau=0", "data=linreg&avg=model&algos=cflgp,ifca", `ifca.tau: got "0", want a whole number from 1 to 100`},
		{"what clients send", "avg=modle", "data=linreg&algos=cflgp,ifca", `avg: got "modle", want one of gradient, model (did you mean "model"?)`},
		{"an option nobody chose", "opt=adm", "data=linreg&algos=cflgp,ifca", `opt: got "adm", want one of sgd, momentum, adam (did you mean "adam"?)`},
		{"an option of a lane that nobody chose", "ifca.keep=new", "data=linreg&algos=cflgp,ifca", `ifca.keep: got "new", want one of fresh, kept`},
		{"digits", "nd=9", "data=linreg&algos=cflgp,ifca", `nd: got "9", want a whole number from -1 to 8`},
		{"no compression", "cr=0", "data=linreg&algos=cflgp,ifca", `cr: got "0", want a whole number from 1 to 100000`},
		{"too many frames", "C=2000&T=2500&b=1&probe=2", "data=linreg&C=2000&b=1&probe=2&algos=cflgp,ifca", `T: got "2500", want fewer rounds, clients or methods (C × T × methods = 10 000 000, the limit is 4 000 000)`},
	}
	workloads, algorithms := registered()
	names := strings.NewReplacer("WORKLOADS", strings.Join(workloads, ", "), "ALGORITHMS",
		strings.Join(algorithms, ", "))
	for _, tt := range tests {
		c, problems := catalog.Schema().Parse(tt.query)
		first := experiment.First(problems)
		if refusal := names.Replace(tt.refusal); first == nil || first.Error() != refusal {
			t.Errorf("%s: Parse(%q) refuses %v, want %s", tt.name, tt.query, first, refusal)
			continue
		}
		if got := c.String(); got != tt.want {
			t.Errorf("%s: Parse(%q) = %s, want %s", tt.name, tt.query, got, tt.want)
		}
		var e *param.Error
		if !errors.As(first, &e) || e.Field == "" || e.Want == "" {
			t.Errorf("%s: Parse(%q) refuses with %#v, want a *param.Error with a field and a range", tt.name,
				tt.query, first)
		}
	}
}

// TestEveryFieldIsGuarded: each end of each range is taken, and what lies just
// beyond is refused by the field's name, for the experiment and for a lane.
func TestEveryFieldIsGuarded(t *testing.T) {
	s := catalog.Schema()
	for _, f := range s.Fields() {
		var bad []string
		switch f.Kind {
		case param.Int:
			bad = []string{param.FormatFloat(f.Min - 1), param.FormatFloat(f.Max + 1), "1.5", "x", "", "NaN", "0x1"}
		case param.Float:
			bad = []string{param.FormatFloat(math.Nextafter(f.Min, math.Inf(-1))),
				param.FormatFloat(math.Nextafter(f.Max, math.Inf(1))), "x", "", "NaN", "Inf", "-Inf"}
		case param.Numbers:
			bad = []string{param.FormatFloat(math.Nextafter(f.Min, math.Inf(-1))), param.FormatFloat(f.Max + 1), "1,,2",
				"x", strings.Repeat("1,", max(f.MaxCount, 8)) + "1"}
		case param.Text:
			bad = []string{"a/b", "é:label", strings.Repeat("1", f.MaxCount+1)}
		default:
			bad = []string{"x", "", "2"}
		}
		for _, text := range bad {
			if f.Kind == param.Choice && slices.ContainsFunc(f.Options, func(o param.Option) bool {
				return o.Name == text
			}) {
				continue
			}
			_, problems := s.Parse(f.Name + "=" + text)
			var e *param.Error
			if err := experiment.First(problems); !errors.As(err, &e) || e.Field != f.Name {
				t.Errorf("Parse(%s=%s): %v, want a refusal of %s", f.Name, text, problems, f.Name)
			}
		}
		for _, a := range s.Algorithms {
			declared := false
			for g := range param.All(a.Fields) {
				declared = declared || g.Name == f.Name
			}
			if !declared {
				continue
			}
			for _, text := range bad {
				if text == "" { // hands the setting back
					continue
				}
				key := a.Name + ":x." + f.Name
				_, problems := s.Parse(fmt.Sprintf("algos=%s:x&%s=%s", a.Name, key, text))
				var e *param.Error
				if err := experiment.First(problems); !errors.As(err, &e) || e.Field != key {
					t.Errorf("Parse(%s=%s): %v, want a refusal of %s", key, text, problems, key)
				}
			}
		}
	}
}

// TestRoundTrip: Parse reads what String wrote, without a warning, and a setting given by With is a
// setting given in the query.
func TestRoundTrip(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	s := catalog.Schema()
	different := map[string]bool{}
	for range 1000 {
		query := randquery.Query(r, catalog.Schema())
		c, _ := s.Parse(query)
		text := c.String()
		different[text] = true
		again, problems := s.Parse(text)
		if again.String() != text || len(problems) > 0 {
			t.Fatalf("seed %d: Parse(%q) is %s, which parses to %s with %v", seed, query, text, again, problems)
		}
		for lane := range c.Lanes() {
			for _, f := range c.LaneFields(lane) {
				if got, want := again.LaneValue(lane, f.Name), c.LaneValue(lane, f.Name); got != want {
					t.Fatalf("seed %d: %s: lane %d has %s = %s, and %s after String", seed, query, lane, f.Name,
						want, got)
				}
			}
		}
		for _, f := range c.Active() {
			if got, want := again.Value(f.Name), c.Value(f.Name); got != want && c.Reads(f.Name) {
				// A setting that every lane overrides is still written.
				t.Fatalf("seed %d: %s: %s = %s, and %s after String", seed, query, f.Name, want, got)
			}
		}
	}
	if len(different) < 800 {
		t.Errorf("seed %d: 1000 random queries are %d experiments: the test proves little", seed, len(different))
	}
}

// TestDefaultThatIsLimited: a value that is the usual default stays in the link where other settings limit the default.
func TestDefaultThatIsLimited(t *testing.T) {
	const query = "data=words&n=20&C=12&algos=cflgp,ifca"
	if c, problems := catalog.Schema().Parse(query); c.String() != query || len(problems) > 0 {
		t.Errorf("%s is written %s, with %v", query, c, problems)
	}
}

// TestWithIsParse: setting a key is the same as having it in the query, and a
// refused one changes nothing.
func TestWithIsParse(t *testing.T) {
	const seed = 2
	r := rand.New(rand.NewPCG(seed, seed))
	s := catalog.Schema()
	for range 500 {
		base, _ := s.Parse(randquery.Query(r, catalog.Schema()))
		before := base.String()
		fields := s.Fields()
		f := fields[r.IntN(len(fields))]
		text := []string{f.Default, "1", "2", "7", "0.5", "mean", "60", "x", ""}[r.IntN(9)]
		next, err := base.With(f.Name, text)
		if base.String() != before {
			t.Fatalf("seed %d: With(%s, %q) changed %s to %s", seed, f.Name, text, before, base)
		}
		if err != nil {
			if next.String() != before {
				t.Fatalf("seed %d: %s: With(%s, %q) fails with %v and gives %s", seed, before, f.Name, text, err, next)
			}
			continue
		}
		if again, problems := s.Parse(next.String()); again.String() != next.String() || len(problems) > 0 {
			t.Fatalf("seed %d: %s: With(%s, %q) = %s, which parses to %s with %v", seed, before, f.Name, text, next,
				again, problems)
		}
	}
}

// TestSwitchingBackLosesNothing: settings that the present data and lanes do
// not read are kept.
func TestSwitchingBackLosesNothing(t *testing.T) {
	c, _ := catalog.Schema().Parse("data=linreg&dphi=5&K=4&algos=cflgp,ifca&cflgp.beta=1")
	want := c.String()
	for _, step := range [][2]string{{"data", "mix1d"}, {"star", "1,2,3"}, {"algos", "fedavg,cflgp"},
		{"data", "linreg"}, {"algos", "cflgp,ifca"}} {
		var err error
		if c, err = c.With(step[0], step[1]); err != nil {
			t.Fatalf("With(%s, %s): %v", step[0], step[1], err)
		}
	}
	if got := c.String(); got != want {
		t.Errorf("after switching there and back: %s, want %s", got, want)
	}
}

func TestWith(t *testing.T) {
	base, _ := catalog.Schema().Parse("K=5&algos=cflgp,cflgp:b&cflgp:b.K=2")
	tests := []struct{ name, key, text, want string }{
		{"a setting", "dphi", "5", "data=linreg&dphi=5&K=5&algos=cflgp,cflgp:b&cflgp:b.K=2"},
		{"back to the default", "K", "3", "data=linreg&algos=cflgp,cflgp:b&cflgp:b.K=2"},
		{"everybody to the lane's own", "K", "2", "data=linreg&K=2&algos=cflgp,cflgp:b"},
		{"a lane's setting", "cflgp.K", "4", "data=linreg&K=5&algos=cflgp,cflgp:b&cflgp.K=4&cflgp:b.K=2"},
		{"handed back", "cflgp:b.K", "", "data=linreg&K=5&algos=cflgp,cflgp:b"},
		{"by an older name", "protomean", "clients", "data=linreg&K=5&mean=clients&algos=cflgp,cflgp:b&cflgp:b.K=2"},
		{"a lane's by an older name", "cflgp:b.protomean", "clients", "data=linreg&K=5&algos=cflgp,cflgp:b&cflgp:b.K=2&cflgp:b.mean=clients"},
		{"a lane leaves", "algos", "cflgp", "data=linreg&K=5&algos=cflgp"},
		{"lanes swap and keep their settings", "algos", "cflgp:b,cflgp", "data=linreg&K=5&algos=cflgp:b,cflgp&cflgp:b.K=2"},
	}
	for _, tt := range tests {
		c, err := base.With(tt.key, tt.text)
		if err != nil || c.String() != tt.want {
			t.Errorf("%s: With(%s, %q) = %s, %v, want %s", tt.name, tt.key, tt.text, c, err, tt.want)
		}
	}
	for _, key := range []string{"protomean", "cflgp:b.protomean"} {
		if f, ok := base.Field(key); !ok || f.Name != "mean" || base.Text(key) != "paper" {
			t.Errorf("Field(%s) is %v and its text %q, want mean and paper", key, f, base.Text(key))
		}
	}
	for _, bad := range [][2]string{{"dphi", "900"}, {"K", "13"}, {"nonsense", "1"}, {"clove.K", "1"},
		{"data", "mnist"}, {"algos", "x"}, {"t", "3"}} {
		if c, err := base.With(bad[0], bad[1]); err == nil || c.String() != base.String() {
			t.Errorf("With(%s, %q) = %s, %v, want an error and no change", bad[0], bad[1], c, err)
		}
	}
}

// hostile are queries that only an attacker writes.
var hostile = []string{
	strings.Repeat("a", 1<<20), strings.Repeat("&", 16000), strings.Repeat("=", 16000), strings.Repeat("a=1&", 4000),
	strings.Repeat("C=1&", 4000), "algos=" + strings.Repeat("ifca,", 3000), "data=" + strings.Repeat("é", 8000),
	strings.Repeat("x", 8000) + "=1", strings.Repeat("x", 8000) + ".K=1", "star=" +
		strings.Repeat("1,", 8000), "star=1," + strings.Repeat("z", 16000),
	"dphi=" + strings.Repeat("9", 16000), "dphi=0." + strings.Repeat("0", 16000) + "1", "C=%00", "%00=1", "\x00\xff\xfe", "C=\u202e12", "é=1",
	strings.Repeat("é", 30) + "=1", "a%0Ab=1", "C=1%0A2", "C=%1b[31m", "?", "#", "?#", "#?", "??C=15", "://?", "C=15#C=16", "C=15?C=16", "data=linreg=mix1d",
	"cflgp.=1", ".K=1", "..=1", "algos=:", "algos=:a", "algos=ifca:a:b", "ifca.K.K=1", "-1=-1", "t=\xff", "K=3;C=4",
}

// checkQuery fails unless Parse survives the query with a valid experiment and
// short, printable messages.
func checkQuery(t *testing.T, query string) {
	t.Helper()
	shown := query
	if len(shown) > 80 {
		shown = shown[:80] + "…"
	}
	s := catalog.Schema()
	c, problems := s.Parse(query)
	text := c.String()
	if again, problems := s.Parse(text); again.String() != text || len(problems) > 0 {
		t.Errorf("Parse(%q) = %s, which parses to %s with %v", shown, text, again, problems)
	}
	for _, p := range problems {
		message := p.Error()
		if len(message) > 400 {
			t.Errorf("Parse(%q): a message of %d bytes: %.100s…", shown, len(message), message)
		} else if !utf8.ValidString(message) || strings.ContainsFunc(message, unicode.IsControl) {
			t.Errorf("Parse(%q): the message %q, want printable text on one line", shown, message)
		}
	}
	if c.NeedsFile() || c.Reads("n") && c.Values(-1).Int("n") > 20_000 {
		return
	}
	data, plans, err := catalog.Build(c, nil)
	var refused *param.Error
	if errors.As(err, &refused) && c.Reads(refused.Field[strings.LastIndexByte(refused.Field, '.')+1:]) {
		return // how samples are shared out shows when they are, and what a lane needs when it is built
	}
	if err != nil || len(plans) != len(c.Lanes()) {
		t.Errorf("Parse(%q) = %s, which cannot be built: %v", shown, text, err)
		return
	}
	for i, p := range plans {
		if p.Models < 1 || p.Models > data.Clients()+1 {
			t.Errorf("Parse(%q) = %s: lane %d has %d models for %d clients, want one more at most", shown, text, i,
				p.Models, data.Clients())
		}
	}
}

func TestHostileQueries(t *testing.T) {
	for _, query := range hostile {
		checkQuery(t, query)
	}
}

// silent is a sink that looks at nothing.
type silent struct{}

func (silent) Begin(*trace.Header)     {}
func (silent) Frame(int, *trace.Frame) {}
func (silent) Round(int)               {}
func (silent) End(int, *trace.Summary) {}

// began is a sink that notes whether a run began.
type began struct {
	silent
	yes bool
}

func (b *began) Begin(*trace.Header) { b.yes = true }

// TestWhateverParsesRuns: the engine plays every experiment that Parse returns, or
// refuses it by the name of a setting before it begins: whether samples can be
// shared out as wished shows only when they are.
func TestWhateverParsesRuns(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, seed))
	played := 0
	for range 150 {
		query := randquery.Query(r, catalog.Schema())
		c, _ := catalog.Schema().Parse(query)
		for _, small := range [][2]string{{"join", "2"}, {"T", "2"}, {"b", "5"}, {"probe", "5"}, {"n", "300"},
			{"exam", "3"}, {"hidden", "3"}, {"code", "3"}, {"tau", "2"}} {
			if next, err := c.With(small[0], small[1]); err == nil {
				c = next
			}
			for _, lane := range c.Lanes() {
				if next, err := c.With(lane.ID()+"."+small[0], ""); err == nil {
					c = next
				}
			}
		}
		v := c.Values(-1)
		if network := c.Reads("net"); c.NeedsFile() || v.Int("C") > 300 ||
			network && (v.Int("C") > 20 || v.Text("net") == "cnn") {
			continue
		}
		var sink began
		err := engine.Run(context.Background(), c, nil, &sink)
		var refused *param.Error
		switch {
		case err == nil:
			played++
		case sink.yes || !errors.As(err, &refused):
			t.Errorf("seed %d: Run(%v), which began: %v: %v", seed, c, sink.yes, err)
		case !c.Reads(refused.Field[strings.LastIndexByte(refused.Field, '.')+1:]) || refused.Want == "":
			t.Errorf("seed %d: Run(%v): %v, want a setting that is read, and what it takes", seed, c, err)
		}
	}
	if played < 40 {
		t.Errorf("seed %d: %d of 150 were played: the test proves little", seed, played)
	}
}

func FuzzParse(f *testing.F) {
	for _, query := range hostile {
		if len(query) < 1<<16 {
			f.Add(query)
		}
	}
	const seed = 4
	r := rand.New(rand.NewPCG(seed, seed))
	for range 20 {
		f.Add(randquery.Query(r, catalog.Schema()))
	}
	f.Fuzz(checkQuery)
}

// TestInline: the layers of a model can stand in the place of its name, and do so in canonical texts.
func TestInline(t *testing.T) {
	s := catalog.Schema()
	for _, tt := range []struct{ query, text, net, layers string }{
		{"data=digits&net=conv16-relu-pool", "net=conv16-relu-pool", "own", "conv16-relu-pool"},
		{"data=digits&net=own&layers=Conv8-RELU", "net=conv8-relu", "own", "conv8-relu"},
		{"data=digits&net=own&layers=gap", "net=own&layers=gap", "own", "gap"},
		{"data=digits&net=own", "net=own", "own", "dense200-relu"},
		{"data=digits&net=cnn", "net=cnn", "cnn", "dense200-relu"},
	} {
		c, problems := s.Parse(tt.query)
		again, more := s.Parse(c.String())
		if experiment.First(problems) != nil || len(more) > 0 || again.String() != c.String() ||
			!strings.Contains("&"+c.String()+"&", "&"+tt.text+"&") ||
			strings.Contains(c.String(), "layers=") != strings.Contains(tt.text, "layers=") {
			t.Errorf("%s: %v, canonical %s, and again %s; want %s", tt.query, problems, c, again, tt.text)
		}
		for _, c := range []experiment.Config{c, again} {
			if c.Value("net") != tt.net || c.Value("layers") != tt.layers {
				t.Errorf("%s: net %s, layers %s", tt.query, c.Value("net"), c.Value("layers"))
			}
		}
	}
	if _, problems := s.Parse("data=digits&net=resnet9"); experiment.First(problems) == nil ||
		!strings.Contains(experiment.First(problems).Error(), "resnet8") {
		t.Errorf("net=resnet9: %v, want a hint at resnet8", problems)
	}
}

// TestReseeded: seeds go on from the largest to 0, and no step changes nothing.
func TestReseeded(t *testing.T) {
	c, _ := catalog.Schema().Parse("sd=4294967295&sa=7")
	for n, want := range map[int]string{0: "4294967295 7", 1: "0 8", 2: "1 9"} {
		next := c.Reseeded(n)
		if got := next.Value("sd") + " " + next.Value("sa"); got != want {
			t.Errorf("%d seeds on: %s, want %s", n, got, want)
		}
	}
}
