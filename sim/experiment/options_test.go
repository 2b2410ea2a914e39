package experiment_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
	"flockscope/sim/param"
	"flockscope/sim/registry"
)

// TestOptionFields: the fields of an option are read while it is chosen, by the experiment or by a
// lane for itself, and is written then and only then.
func TestOptionFields(t *testing.T) {
	tests := []struct{ name, query, want string }{
		{"an option and its setting", "avg=model&tau=5", "data=linreg&avg=model&tau=5&algos=cflgp,ifca"},
		{"the default of its setting", "avg=model&tau=1&opt=sgd", "data=linreg&avg=model&algos=cflgp,ifca"},
		{"an option of an option", "avg=model&opt=adam&keep=kept", "data=linreg&avg=model&opt=adam&keep=kept&algos=cflgp,ifca"},
		{"another that shares its setting", "avg=model&opt=momentum&keep=kept", "data=linreg&avg=model&opt=momentum&keep=kept&algos=cflgp,ifca"},
		{"a lane's own option", "algos=cflgp,ifca&ifca.avg=model&ifca.tau=5", "data=linreg&algos=cflgp,ifca&ifca.avg=model&ifca.tau=5"},
		{"a lane's own option of an option", "ifca.avg=model&ifca.opt=adam&ifca.keep=kept", "data=linreg&algos=cflgp,ifca&ifca.avg=model&ifca.opt=adam&ifca.keep=kept"},
		{"a lane's option, everybody's setting", "ifca.avg=model&tau=5", "data=linreg&tau=5&algos=cflgp,ifca&ifca.avg=model"},
		{"everybody's option, a lane's setting", "avg=model&ifca.tau=5", "data=linreg&avg=model&algos=cflgp,ifca&ifca.tau=5"},
		{"a lane that does not follow", "avg=model&tau=5&ifca.avg=gradient", "data=linreg&avg=model&tau=5&algos=cflgp,ifca&ifca.avg=gradient"},
		{"two lanes, two ways", "algos=clove,clove:b&clove.avg=model&clove.opt=adam&clove:b.avg=model&clove:b.tau=7", "data=linreg&algos=clove,clove:b&clove.avg=model&clove.opt=adam&clove:b.avg=model&clove:b.tau=7"},
		{"a workload's option", "data=digits&shift=rotations&angles=0,90", "data=digits&angles=0,90&algos=cflgp,ifca"},
		{"a workload's option and its option", "data=digits&shift=none&split=classes&per=5&pick=random", "data=digits&split=classes&per=5&pick=random&shift=none&algos=cflgp,ifca"},
		{"a model's setting", "data=digits&net=autoencoder&code=8", "data=digits&net=autoencoder&code=8&algos=cflgp,ifca"},
		{"what a model does as a rule", "data=digits&net=autoencoder&avg=model&lr=0.001", "data=digits&net=autoencoder&algos=cflgp,ifca"},
		{"what other models do as a rule", "data=digits&net=autoencoder&avg=gradient&lr=0.1", "data=digits&net=autoencoder&lr=0.1&avg=gradient&algos=cflgp,ifca"},
		{"a rule and a lane", "data=digits&net=autoencoder&ifca.lr=0.1", "data=digits&net=autoencoder&algos=cflgp,ifca&ifca.lr=0.1"},
	}
	s := catalog.Schema()
	for _, tt := range tests {
		words := strings.Split(tt.query, "&")
		permute(words, func(words []string) {
			query := strings.Join(words, "&")
			c, problems := s.Parse(query)
			if got := c.String(); got != tt.want || len(problems) > 0 {
				t.Errorf("%s: Parse(%q) = %s with %v, want %s and no problems", tt.name, query, got, problems, tt.want)
			}
		})
		if c, problems := s.Parse(tt.want); c.String() != tt.want || len(problems) > 0 {
			t.Errorf("%s: Parse(%q) = %s with %v, want itself", tt.name, tt.want, c, problems)
		}
	}
}

// permute calls f with every order of words.
func permute(words []string, f func([]string)) {
	var place func(n int)
	place = func(n int) {
		if n == len(words) {
			f(words)
			return
		}
		for i := n; i < len(words); i++ {
			words[n], words[i] = words[i], words[n]
			place(n + 1)
			words[n], words[i] = words[i], words[n]
		}
	}
	place(0)
}

// TestOptionFieldsWithoutEffect: the settings of an option that is not chosen are kept aside, with
// a word.
func TestOptionFieldsWithoutEffect(t *testing.T) {
	const plain = "data=linreg&algos=cflgp,ifca"
	tests := []struct {
		name, query, want string
		without           []string
	}{
		{"no option", "tau=5", plain, []string{"tau"}},
		{"the other option", "avg=gradient&tau=5&opt=adam", plain, []string{"tau", "opt"}},
		{"an option of no option", "keep=kept&opt=adam", plain, []string{"keep", "opt"}},
		{"an option that brings nothing", "avg=model&opt=sgd&keep=kept", "data=linreg&avg=model&algos=cflgp,ifca", []string{"keep"}},
		{"every lane does it otherwise", "avg=model&tau=5&cflgp.avg=gradient&ifca.avg=gradient", "data=linreg&avg=model&algos=cflgp,ifca&cflgp.avg=gradient&ifca.avg=gradient", []string{"tau"}},
		{"a workload's", "data=digits&shift=none&angles=0,90", "data=digits&shift=none&algos=cflgp,ifca", []string{"angles"}},
		{"a model's", "data=digits&net=softmax&hidden=5", "data=digits&net=softmax&algos=cflgp,ifca", []string{"hidden"}},
	}
	for _, tt := range tests {
		c, problems := catalog.Schema().Parse(tt.query)
		var want, got []string
		for _, name := range tt.without {
			want = append(want, name+" has no effect with these methods and data="+c.Workload())
		}
		for _, p := range problems {
			got = append(got, p.Error())
			if !p.Warning {
				t.Errorf("%s: Parse(%q) refuses %v", tt.name, tt.query, p)
			}
		}
		if c.String() != tt.want || !slices.Equal(got, want) {
			t.Errorf("%s: Parse(%q) = %s with %q, want %s with %q", tt.name, tt.query, c, got, tt.want, want)
		}
		for _, name := range tt.without {
			if c.Reads(name) {
				t.Errorf("%s: %s reads %s", tt.name, c, name)
			}
		}
	}
}

// TestReadsOptionFields: Reads, Active and LaneFields agree on what is read.
func TestReadsOptionFields(t *testing.T) {
	of := func(query string) (active []string, lanes [][]string, c experiment.Config) {
		c, problems := catalog.Schema().Parse(query)
		if len(problems) > 0 {
			t.Fatalf("Parse(%q): %v", query, problems)
		}
		for _, f := range c.Active() {
			active = append(active, f.Name)
		}
		for i := range c.Lanes() {
			var names []string
			for _, f := range c.LaneFields(i) {
				names = append(names, f.Name)
			}
			lanes = append(lanes, names)
		}
		return active, lanes, c
	}
	for _, tt := range []struct {
		query   string
		reads   []string // of these settings
		ofLanes []string
	}{
		{"algos=fedavg,local", nil, []string{"told,lr,avg,nd,quant,mean,private", "lr,avg"}},
		{"algos=fedavg,local&avg=model", []string{"tau", "opt"}, []string{"told,lr,avg,tau,opt,nd,quant,mean,private", "lr,avg,tau,opt"}},
		{"algos=fedavg,local&local.avg=model&local.opt=momentum", []string{"tau", "opt", "keep"}, []string{"told,lr,avg,nd,quant,mean,private", "lr,avg,tau,opt,keep"}},
		{"algos=fedavg,local&avg=model&opt=adam&fedavg.opt=sgd", []string{"tau", "opt", "keep"}, []string{"told,lr,avg,tau,opt,nd,quant,mean,private", "lr,avg,tau,opt,keep"}},
		{"algos=fedavg,local&avg=model&opt=adam&fedavg.opt=sgd&local.avg=gradient", []string{"tau", "opt"}, []string{"told,lr,avg,tau,opt,nd,quant,mean,private", "lr,avg"}},
	} {
		active, lanes, c := of(tt.query)
		for i, want := range tt.ofLanes {
			if got := strings.Join(lanes[i], ","); got != want {
				t.Errorf("%s: lane %d has %s, want %s", tt.query, i, got, want)
			}
		}
		for _, name := range []string{"tau", "opt", "keep"} {
			want := slices.Contains(tt.reads, name)
			if got := slices.Contains(active, name); got != want || c.Reads(name) != want {
				t.Errorf("%s: %s is active: %v, and read: %v, want %v", tt.query, name, got, c.Reads(name), want)
			}
		}
	}
}

// TestSwitchingOptionsLosesNothing: the fields of an option are there again when it is chosen
// again.
func TestSwitchingOptionsLosesNothing(t *testing.T) {
	c, _ := catalog.Schema().Parse("avg=model&tau=5&opt=adam&keep=kept&algos=cflgp,ifca&ifca.tau=7&ifca.opt=momentum")
	want := c.String()
	for _, step := range []struct{ key, text, want string }{
		{"avg", "gradient", "data=linreg&algos=cflgp,ifca"},
		{"ifca.avg", "model", "data=linreg&tau=5&opt=adam&keep=kept&algos=cflgp,ifca&ifca.avg=model&ifca.tau=7&ifca.opt=momentum"},
		{"ifca.avg", "", "data=linreg&algos=cflgp,ifca"},
		{"avg", "model", want},
		{"opt", "sgd", "data=linreg&avg=model&tau=5&keep=kept&algos=cflgp,ifca&ifca.tau=7&ifca.opt=momentum"},
		{"opt", "adam", want},
	} {
		next, err := c.With(step.key, step.text)
		if err != nil || next.String() != step.want {
			t.Errorf("%s: With(%s, %s) = %s, %v, want %s", c, step.key, step.text, next, err, step.want)
		}
		c = next
	}
}

// schema is a small one, not sealed: one workload, one algorithm with the given
// settings.
func schema(data, algorithm []param.Field) *experiment.Schema {
	meta := func(name string, fields []param.Field) registry.Meta {
		return registry.Meta{Name: name, Title: name, Doc: name, Fields: fields}
	}
	return &experiment.Schema{Data: "d", Lanes: "a", Common: catalog.Schema().Common,
		Workloads: []experiment.Workload{{Meta: meta("d", data)}}, Algorithms: []registry.Meta{meta("a", algorithm)}}
}

// choice is a choice between nothing and what brings along some fields.
func choice(name string, fields ...param.Field) param.Field {
	return param.Field{Name: name, Kind: param.Choice, Default: "no",
		Options: []param.Option{{Name: "no"}, {Name: "yes", Fields: fields}}}
}

// leading is a choice that sets a default of another field.
func leading(name, other, text string) param.Field {
	f := choice(name)
	f.Options[1].Defaults = map[string]string{other: text}
	return f
}

// number is a whole number from 0 to 9.
func number(name, fallback string) param.Field {
	return param.Field{Name: name, Kind: param.Int, Max: 9, Default: fallback}
}

// TestSealFindsClashes: in fields, in those of an option, and in those of an
// option of an option.
func TestSealFindsClashes(t *testing.T) {
	wider := number("n", "1")
	wider.Max = 10
	tests := []struct {
		name            string
		data, algorithm []param.Field
		want            string // of the panic; empty for none
	}{
		{"nothing", nil, nil, ""},
		{"one field twice", []param.Field{number("n", "1")}, []param.Field{number("n", "1")}, ""},
		{"one field in two options", []param.Field{choice("c", number("n", "1")), choice("e", number("n", "1"))}, nil, ""},
		{"one field with and without an option", []param.Field{number("n", "1")}, []param.Field{choice("c", number("n", "1"))}, ""},
		{"another range", []param.Field{number("n", "1")}, []param.Field{wider}, "two different fields are called n"},
		{"another range in an option", []param.Field{number("n", "1")}, []param.Field{choice("c", wider)}, "two different fields are called n"},
		{"another default in two options", []param.Field{choice("c", number("n", "1"))}, []param.Field{choice("e", number("n", "2"))}, "two different fields are called n"},
		{"another kind deep down", []param.Field{choice("c", choice("e", number("n", "1")))}, []param.Field{{Name: "n", Kind: param.Switch, Default: "1"}}, "two different fields are called n"},
		{"a choice that lacks an option", []param.Field{choice("c")}, []param.Field{{Name: "c", Kind: param.Choice, Default: "no", Options: []param.Option{{Name: "no"}}}}, "two different fields are called c"},
		{"a key of the page in an option", []param.Field{choice("c", number("view", "1"))}, nil, "view is another key already"},
		{"the key of the lanes in an option", nil, []param.Field{choice("c", number("algos", "1"))}, "algos is another key already"},
		{"a default out of range", []param.Field{number("n", "10")}, nil, "the default of n is not canonical"},
		{"a default out of range deep down", nil, []param.Field{choice("c", choice("e", number("n", "10")))}, "the default of n is not canonical"},
		{"a default that is not canonical", nil, []param.Field{choice("c", number("n", "01"))}, "the default of n is not canonical"},
		{"a choice's default", []param.Field{leading("c", "n", "2"), number("n", "1")}, nil, ""},
		{"a choice's default of nothing", []param.Field{leading("c", "n", "2")}, nil, "c=yes sets a default for n, which no one reads"},
		{"a choice's default out of range", []param.Field{leading("c", "n", "10"), number("n", "1")}, nil, "c=yes sets a default for n that is not canonical"},
		{"choices that lead each other", []param.Field{leading("c", "e", "yes"), leading("e", "c", "yes")}, nil, "whose options set defaults, too"},
	}
	for _, tt := range tests {
		got := ""
		func() {
			defer func() {
				if r := recover(); r != nil {
					got = fmt.Sprint(r)
				}
			}()
			schema(tt.data, tt.algorithm).Seal()
		}()
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: Seal panics with %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestSealListsOptionFields: each once, behind its choice, and a workload may set
// their defaults.
func TestSealListsOptionFields(t *testing.T) {
	s := schema([]param.Field{choice("c", number("q", "1"), choice("e", number("m", "2"))), number("z", "3")},
		[]param.Field{choice("f", number("q", "1"))})
	s.Workloads[0].Defaults = map[string]string{"m": "7", "c": "yes"}
	s.Seal()
	var got []string
	for _, f := range s.Fields() {
		got = append(got, f.Name)
	}
	want := []string{"c", "q", "e", "m", "z"}
	for f := range param.All(s.Common) {
		want = append(want, f.Name)
	}
	if want = append(want, "f"); !slices.Equal(got, want) {
		t.Errorf("Fields() = %v, want %v", got, want)
	}
	c, problems := s.Parse("e=yes")
	if c.Value("m") != "7" || !c.Reads("m") || len(problems) > 0 {
		t.Errorf("Parse(e=yes): m = %s, read: %v, with %v, want 7, true and nothing", c.Value("m"), c.Reads("m"),
			problems)
	}
	if got := c.String(); got != "data=d&e=yes&algos=a" {
		t.Errorf("Parse(e=yes) = %s", got)
	}
}

// Methods that find the number of clusters have a bound on it.
func TestFinds(t *testing.T) {
	for query, want := range map[string]bool{
		"algos=cfl": true, "algos=stocfl": true, "algos=pacfl": true, "algos=fedclust": true, "algos=icfl": true, "algos=hcflplus": true,
		"algos=cflgp&findk=gap": true, "algos=cflgp": false, "algos=ifca": false, "algos=clove&bestk=silhouette": true,
		"algos=clove": false, "algos=hcfl&adapt=fixed": false, "algos=fedavg": false, "algos=local": false,
	} {
		c, problems := catalog.Schema().Parse(query)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", query, problems)
		}
		if got := c.FindsK(0); got != want {
			t.Errorf("%s: Finds = %t, want %t", query, got, want)
		}
	}
}

// TestLaneDefaults: what an algorithm's option makes of the default of another setting
// holds for lanes of that algorithm, comes after whatever was set, and is no part of the
// canonical text; a value that was set stays there even if it is other lanes' default.
func TestLaneDefaults(t *testing.T) {
	for _, tt := range []struct {
		query, canonical string
		values           []string // of probe or mu, lane by lane
	}{
		{"data=digits&algos=ifca,fedavg", "data=digits&algos=ifca,fedavg", []string{"64", "64"}},
		{"data=digits&avg=model&algos=ifca,fedavg", "data=digits&avg=model&algos=ifca,fedavg", []string{"0", "64"}},
		{"data=digits&avg=model&probe=64&algos=ifca,fedavg", "data=digits&probe=64&avg=model&algos=ifca,fedavg", []string{"64", "64"}},
		{"data=digits&avg=model&probe=64&algos=fedavg", "data=digits&avg=model&algos=fedavg", []string{"64"}},
		{"data=digits&avg=model&algos=clove,clove:g&clove:g.avg=gradient", "data=digits&avg=model&algos=clove,clove:g&clove:g.avg=gradient", []string{"0", "64"}},
		{"data=digits&algos=clove,clove:m&clove:m.avg=model", "data=digits&algos=clove,clove:m&clove:m.avg=model", []string{"64", "0"}},
		{"data=digits&avg=model&algos=ifca,ifca:b&ifca.probe=0&ifca:b.probe=64", "data=digits&avg=model&algos=ifca,ifca:b&ifca:b.probe=64", []string{"0", "64"}},
		{"data=digits&net=autoencoder&algos=clove", "data=digits&net=autoencoder&algos=clove", []string{"0"}},
		{"data=wireless&algos=ifca", "data=wireless&algos=ifca", []string{"0"}},
		{"data=wireless&algos=ifca&probe=25", "data=wireless&probe=25&algos=ifca", []string{"25"}},
		{"algos=hcflplus,hcflplus:e&hcflplus:e.base=fedem", "data=linreg&algos=hcflplus,hcflplus:e&hcflplus:e.base=fedem", []string{"0.4", "0"}},
		{"algos=hcflplus,hcflplus:e&hcflplus:e.base=fedem&mu=0.4", "data=linreg&mu=0.4&algos=hcflplus,hcflplus:e&hcflplus:e.base=fedem", []string{"0.4", "0.4"}},
	} {
		c, problems := catalog.Schema().Parse(tt.query)
		if len(problems) > 0 {
			t.Errorf("%s: %v", tt.query, problems)
		}
		if got := c.String(); got != tt.canonical {
			t.Errorf("%s: canonical %s, want %s", tt.query, got, tt.canonical)
		}
		again, _ := catalog.Schema().Parse(c.String())
		name := "probe"
		if strings.Contains(tt.query, "hcflplus") {
			name = "mu"
		}
		for i, want := range tt.values {
			if got, then := c.LaneValue(i, name), again.LaneValue(i, name); got != want || then != want {
				t.Errorf("%s: lane %d reads %s = %s, and %s by the canonical text, want %s", tt.query, i, name, got,
					then, want)
			}
		}
	}
}
