package page_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"flockscope/sim/catalog"
	"flockscope/sim/engine"
	"flockscope/sim/experiment"
	"flockscope/sim/registry"
	"flockscope/sim/say"
	"flockscope/sim/trace"
	"flockscope/ui/chart"
	"flockscope/ui/formula"
	. "flockscope/ui/page"
)

// played is a run of one lane that the engine played.
type played struct {
	*trace.Run
	Config experiment.Config
	schema *experiment.Schema
	meta   *registry.Meta
}

func (p *played) Begin(h *trace.Header) { c := *h; p.Run = trace.NewRun(&c) }
func (p *played) Round(int)             {}
func (p *played) End(lane int, s *trace.Summary) {
	c := *s
	p.Tracks[lane].Summary = &c
}
func (p *played) Frame(lane int, f *trace.Frame) {
	var c trace.Frame
	if _, err := trace.DecodeFrame(&c, trace.AppendFrame(nil, f)); err != nil {
		panic(err)
	}
	p.Tracks[lane].Frames = append(p.Tracks[lane].Frames, c)
}

// play plays a run of one lane.
func play(t *testing.T, query string) *played {
	t.Helper()
	p := &played{schema: catalog.Schema()}
	c, problems := p.schema.Parse(query)
	if len(problems) > 0 {
		t.Fatalf("%s: %v", query, problems)
	}
	p.Config = c
	if err := engine.Run(context.Background(), c, nil, p); err != nil {
		t.Fatal(err)
	}
	for i := range p.schema.Algorithms {
		if m := &p.schema.Algorithms[i]; m.Name == c.Lanes()[0].Algorithm {
			p.meta = m
		}
	}
	return p
}

// words returns the words of a round for a client.
func (p *played) words(t *testing.T, round, client int) *RoundWords {
	t.Helper()
	d, err := engine.Explain(context.Background(), p.Config, nil, 0, round, client, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &RoundWords{View: &chart.View{Run: p.Run, Round: round}, Meta: p.meta, Schema: p.schema, Config: p.Config,
		Detail: d, Client: client}
}

// asked are settings whose rounds differ in what happens, each with the methods that are played with them; "" for all.
var asked = []struct{ methods, query string }{
	{"", "T=6&C=5&dphi=40"},
	{"", "T=5&C=5&dphi=40&rho=0.6&drop=0.3&sa=3"},
	{"", "T=4&C=4&avg=model"}, {"ifca,cflgp,cfl,fesem", "T=4&C=4&private=noise&rr=2"},
	{"ifca,cflgp,clove,fesem,fedem,fedsoft,fedgmm,fedrc,hcfl,kfed,flexcfl", "T=3&C=4&K=1"},
	{"cflgp", "T=9&C=5&as=released&P=3"}, {"cflgp", "T=6&C=5&beta=1"}, {"cflgp", "T=4&C=4&fold=sum&lr=0.01"},
	{"cflgp", "T=12&C=6&findk=silhouette&solo=5&most=4&dphi=40"}, {"cflgp", "T=8&C=5&tcl=4"},
	{"cflgp", "T=12&C=6&stop=1&dphi=40&late=2&join=9"}, {"cflgp", "T=12&C=6&late=2&join=7&meet=once"},
	{"ifca", "T=3&C=5&choose=accuracy"}, {"ifca", "T=3&C=5&divide=all"},
	{"clove", "T=4&C=5&sqrt=1&by=ward"}, {"clove", "T=4&C=5&match=0&first=random"}, {"clove", "T=4&C=5&bestk=silhouette"},
	{"clove", "T=14&C=6&dphi=60&settle=stable&calm=2&late=2&join=10"},
	{"cfl", "T=12&C=6&dphi=60&eps=scaled&rel1=0.9&rel2=0.5&warm=0"}, {"fesem", "T=4&C=5&centers=released"},
	{"fesem", "T=6&C=5&K=4&rho=0.3"}, {"flexcfl", "T=3&C=5&between=0.1"}, {"flexcfl", "T=6&C=6&late=2&join=4"},
	{"kfed,pacfl,fedclust,stocfl,ocfl,icfl", "T=9&C=6&dphi=60&late=2&join=6"}, {"stocfl", "T=3&C=5&tie=0"},
	{"stocfl", "T=17&C=20&rho=0.15&like=0.5&dphi=60"},
	{"cfl", "T=8&C=9&dphi=60&eps=scaled&rel1=0.7&rel2=0.5&warm=0&rho=0.2&most=4"}, {"hcfl", "T=2&C=5&weigh=near"},
	{"fedsoft", "T=4&C=5&est=3&draws=2"}, {"icfl", "data=linrep&T=10&C=6&alpha0=0.3"},
	{"icfl", "data=linrep&T=24&C=9&alpha0=0.3&late=2&join=22"}, {"clove", "T=2&C=5&first=random&avg=model"},
	{"hcfl", "T=4&C=5&weigh=loss&adapt=merge&after=1"}, {"hcfl", "T=4&C=5&weigh=member&adapt=merge"},
	{"hcfl", "T=5&C=5&weigh=near&adapt=split&dist=anchor"}, {"hcfl", "T=4&C=5&weigh=count&form=joint&adapt=remove&spare=1"},
	{"hcfl", "T=4&C=5&weigh=sample&adapt=both&dist=update"}, {"hcfl", "T=4&C=5&weigh=member&adapt=split&dist=update"},
	{"fedgmm", "T=4&C=5&rho=0.6&drop=0.3"}, {"cflgp,clove", "T=4&C=6&by=kmedians"}, {"cflgp,clove", "T=4&C=6&by=trimmed"},
	{"hcfl", "T=4&C=5&weigh=member&adapt=norms"}, {"fedavg", "T=3&C=4&told=groups"},
}

// pictures are more settings, of networks.
var pictures = []struct{ methods, query string }{
	{"", "data=digits&n=40&net=softmax&exam=5&T=2&C=4"},
	{"fedproto", "data=digits&n=40&exam=5&T=2&C=4&net=mlp&proto=0"},
	{"fedproto,fedpac,cflgp", "data=digits&n=40&exam=5&T=2&C=4&net=mlp"},
	{"hcfl", "data=digits&n=40&exam=5&T=2&C=4&K=2&net=softmax&form=ratio&weigh=labels&adapt=both&dist=concept"},
	{"ifca", "data=digits&n=40&exam=5&T=2&C=4&net=softmax&choose=accuracy"},
	{"hcfl", "data=digits&n=40&exam=5&T=2&C=4&K=2&net=softmax&form=ratio"},
	{"hcflplus", "data=digits&n=40&exam=5&T=2&C=4&K=2&net=mlp&base=fedem"},
}

// Every method says what it does in every phase of every round, in both languages, and all numbers are there. What
// crosses the network adds up to the traffic of the round.
func TestPhaseWords(t *testing.T) {
	all := asked
	if !testing.Short() {
		all = slices.Concat(asked, pictures)
	}
	for _, of := range all {
		for _, m := range catalog.Schema().Algorithms {
			if of.methods != "" && !slices.Contains(strings.Split(of.methods, ","), m.Name) {
				continue
			}
			p := play(t, of.query+"&algos="+m.Name)
			for round := 1; round <= p.Header.Rounds; round++ {
				down, up := 0, 0
				for client := range p.Header.Clients {
					w := p.words(t, round, client)
					own := w.Detail.Client == client // it takes part
					for phase := range registry.Phases {
						where := fmt.Sprintf("%s, %s, round %d, client %d, %s", m.Name, of.query, round, client, phase.Name())
						got := w.Phase(phase)
						checkPhase(t, where, got, 110, 75)
						if !strings.HasSuffix(got.Says, ".") {
							t.Errorf("%s: %q is no sentence", where, got.Says)
						}
						if commonSays(p.schema, got.Says) && !m.Draft {
							t.Errorf("%s has no text of its own: %q", where, got.Says)
						}
						switch n := floats(got.Sends); {
						case got.Sends == "":
							t.Errorf("%s: nothing is told of the network", where)
						case got.Skipped && n > 0:
							t.Errorf("%s is skipped: %q, and sends %q", where, got.Says, got.Sends)
						case phase == registry.Broadcast && own:
							down += n
						case own:
							up += n
						}
						early := *w
						early.Detail = nil
						before := early.Phase(phase)
						if before.Says == "" || before.Client != "" || before.Sends != "" ||
							strings.ContainsAny(before.Says, "[]") {
							t.Errorf("%s, without the detail: %+v", where, before)
						}
					}
				}
				f, before := &p.Tracks[0].Frames[round], &p.Tracks[0].Frames[round-1]
				c := float64(p.Header.Clients)
				if got, want := float64(down), math.Round((f.Down-before.Down)*c); got != want {
					t.Errorf("%s, %s, round %d: %v numbers are sent down, %v were counted", m.Name, of.query, round, got, want)
				}
				if got, want := float64(up), math.Round((f.Up-before.Up)*c); got != want {
					t.Errorf("%s, %s, round %d: %v numbers are sent up, %v were counted", m.Name, of.query, round, got, want)
				}
			}
		}
	}
}

// The same in Chinese: nothing is English, and nothing is too long.
func TestPhaseWordsInChinese(t *testing.T) {
	text, err := os.ReadFile("../../assets/zh.txt")
	if err != nil {
		t.Fatal(err)
	}
	say.Use("zh-Hans", say.ReadTable(string(text)))
	defer say.Use("", nil)
	english := regexp.MustCompile(`[a-z]{3,}`)
	names := strings.NewReplacer("k-means", "")
	for _, of := range asked {
		for _, m := range catalog.Schema().Finished().Algorithms {
			if of.methods != "" && !slices.Contains(strings.Split(of.methods, ","), m.Name) {
				continue
			}
			p := play(t, of.query+"&algos="+m.Name)
			for round := 1; round <= p.Header.Rounds; round += 1 + round/3 {
				w := p.words(t, round, round%p.Header.Clients)
				rest, sent := w.Rest()
				texts := []string{rest, sent}
				for phase := range registry.Phases {
					got := w.Phase(phase)
					checkPhase(t, fmt.Sprintf("%s, %s, round %d, %s", m.Name, of.query, round, phase.Name()), got, 64, 70)
					texts = append(texts, got.Says, got.Client, got.Sends, PhaseHeadline(phase))
				}
				for _, text := range texts {
					if english.MatchString(names.Replace(text)) {
						t.Errorf("%s, %s: %q is English", m.Name, of.query, text)
					}
				}
			}
		}
	}
}

// checkPhase checks the form of words.
func checkPhase(t *testing.T, where string, got PhaseWords, says, client int) {
	t.Helper()
	for _, text := range []string{got.Says, got.Client, got.Sends} {
		if strings.ContainsAny(text, "[]|") || strings.Contains(text, "NaN") || strings.Contains(text, "–") ||
			strings.Contains(text, "  ") || strings.Contains(text, "%!") || strings.Contains(text, "()") ||
			strings.HasPrefix(text, " ") || strings.Contains(text, ": :") {
			t.Errorf("%s: %q", where, text)
		}
	}
	if n := utf8.RuneCountInString(got.Says); n == 0 || n > says {
		t.Errorf("%s: %d letters, at most %d fit: %q", where, n, says, got.Says)
	}
	if n := utf8.RuneCountInString(got.Client); n > client {
		t.Errorf("%s: %d letters, at most %d fit: %q", where, n, client, got.Client)
	}
	if n := utf8.RuneCountInString(got.Sends); n > 48 {
		t.Errorf("%s: %d letters, at most 48 fit: %q", where, n, got.Sends)
	}
}

var count = regexp.MustCompile(`(\d+) numbers?$`)

// floats reads a number of floats from what is told of the network.
func floats(sends string) int {
	m := count.FindStringSubmatch(sends)
	if m == nil {
		return 0
	}
	n, _ := strconv.Atoi(m[1])
	return n
}

// commonSays reports whether a sentence is one of the common texts.
func commonSays(s *experiment.Schema, says string) bool {
	return slices.ContainsFunc(s.Phases, func(t *registry.PhaseText) bool {
		return strings.HasSuffix(says, strings.TrimPrefix(t.Says, "[each]"))
	})
}

// Numbers of the followed client are those of the frame.
func TestPhaseNumbers(t *testing.T) {
	for _, query := range []string{"algos=ifca&T=8&C=6&dphi=40", "algos=clove&T=8&C=6&dphi=40", "algos=cflgp&T=8&C=6&dphi=40",
		"algos=fesem&T=8&C=6&dphi=40", "algos=fedavg&T=8&C=6", "algos=cfl&T=5&C=6",
		"algos=ocfl&T=5&C=6&dphi=40"} {
		p := play(t, query)
		v := &chart.View{Run: p.Run}
		models := p.Header.Lanes[0].Models
		for round := 1; round <= p.Header.Rounds; round++ {
			f, before := &p.Tracks[0].Frames[round], &p.Tracks[0].Frames[round-1]
			for client := range p.Header.Clients {
				w := p.words(t, round, client)
				where := fmt.Sprintf("%s, round %d, client %d", query, round, client)
				want := func(phase registry.Phase, part string) {
					t.Helper()
					if got := w.Phase(phase).Client; !strings.Contains(got, part) {
						t.Errorf("%s, %s: %q, want %q in it", where, phase.Name(), got, part)
					}
				}
				if p.meta.Name == "ifca" {
					tossups := 0
					for i, lead := range f.Lead {
						if lead < f.Noise[i] {
							tossups++
						}
					}
					says := fmt.Sprintf(" %d of %d leads are smaller than their noise.", tossups, p.Header.Clients)
					if got := w.Phase(registry.Cluster).Says; len(f.Lead) == 0 || !strings.HasSuffix(got, says) {
						t.Errorf("%s: %q, want %q in it", where, got, says)
					}
				}
				if p.meta.Name == "ifca" || p.meta.Name == "clove" {
					row := f.Losses[client*models : (client+1)*models]
					var losses []string
					for _, k := range v.ByAlias(models) {
						losses = append(losses, v.Letter(k)+" "+chart.Number(float64(row[k])))
					}
					want(registry.Probe, "losses "+strings.Join(losses, " · "))
					want(registry.Broadcast, fmt.Sprintf("gets A, B, C: %d numbers", 2*models))
				} else {
					want(registry.Broadcast, v.Letter(int(before.Label[client])))
				}
				given := f.Label[client]
				chosen := registry.Match
				if p.meta.Name == "ifca" {
					chosen = registry.Cluster
				}
				want(chosen, v.Letter(int(given)))
				trained := given // the model that its update moves
				if p.meta.Name == "cflgp" {
					trained = before.Label[client]
				}
				fine := func(x float32) string { // small steps show
					if abs := math.Abs(float64(x)); abs < 1e-3 || abs >= 10 {
						return chart.Number(float64(x))
					}
					return chart.Fixed(float64(x), 4)
				}
				line := func(of []float32) string {
					return "(" + fine(of[2*trained]) + ", " + fine(of[2*trained+1]) + ")"
				}
				to := line(f.Models)
				got := w.Phase(registry.Update).Client
				if !strings.HasSuffix(got, "→ "+to) || !strings.HasPrefix(got, v.Letter(int(trained))) {
					t.Errorf("%s: %q, want model %s to end at %s", where, got, v.Letter(int(trained)), to)
				}
				copies := p.meta.Name == "fesem" || p.meta.Name == "ocfl" // models may begin as copies of others
				if from := line(before.Models); !copies && !strings.Contains(got, from) {
					t.Errorf("%s: %q, want it to begin at %s", where, got, from)
				}
			}
		}
	}
}

// What is known of CFL-GP's common model without the detail is what was noted.
func TestCommonModel(t *testing.T) {
	p := play(t, "algos=cflgp&T=26&C=6&P=2&dphi=40")
	for round := 1; round <= 26; round++ {
		w := p.words(t, round, 3)
		early := *w
		early.Detail = nil
		if w.Common() != early.Common() {
			t.Errorf("round %d: the common model is %d, by settings alone %d", round, w.Common(), early.Common())
		}
		for phase := range registry.Phases {
			if got, want := early.Phase(phase).Says, w.Phase(phase).Says; got != want {
				t.Errorf("round %d: without the detail %q, with it %q", round, got, want)
			}
		}
		if all := w.AllModels(); all {
			t.Errorf("round %d: every client got all models", round)
		}
	}
	// As in the paper: rounds 2, 4, … cluster; models A, B, C are common in turn; 13 rounds make 4 full turns.
	w := p.words(t, 26, 3)
	v := w.View
	if got, want := w.Phase(registry.Embed).Says, "The server averages it with 4 from before at the same model: the mean of 5 is steadier than one."; got != want {
		t.Errorf("round 26: %q, want %q", got, want)
	}
	if got, want := w.Phase(registry.Broadcast).Says, fmt.Sprintf("Each client gets its model, and all get %s as well, "+
		"the common model of this round.", v.Letter(0)); got != want {
		t.Errorf("round 26: %q, want %q", got, want)
	}
	if !play(t, "algos=ifca&T=2&C=6").words(t, 1, 0).AllModels() {
		t.Error("IFCA sends all models to all clients")
	}
}

// Words of rounds in which something is missing.
func TestPhaseWordsOfOddRounds(t *testing.T) {
	p := play(t, "algos=ifca&T=3&C=4&rho=0.5")
	f := &p.Tracks[0].Frames[2]
	w := p.words(t, 2, 0)
	for i := range f.State {
		f.State[i] = trace.Dropped
	}
	f.Events &^= trace.Reclustered
	if got := w.Phase(registry.Update); !got.Skipped || got.Says != "Skipped: no client replied in this round." {
		t.Errorf("without replies: %+v", got)
	}
	if got := w.Phase(registry.Cluster).Client; got != "drops out of this round before it replies" {
		t.Errorf("a client that drops out: %q", got)
	}
	f.State[0] = trace.Absent
	f.State[1] = trace.Present
	if got := w.Phase(registry.Probe).Client; got != "takes no part in this round" {
		t.Errorf("an absent client: %q", got)
	}
	if got := w.Phase(registry.Broadcast).Says; got != "Each participant gets all three models: three times the traffic of one." {
		t.Errorf("%q", got)
	}
	f.Events |= trace.Diverged
	for phase := range registry.Phases {
		if got := w.Phase(phase); !got.Skipped || got.Says != "Skipped: the models have diverged." || got.Client != "" {
			t.Errorf("diverged: %+v", got)
		}
	}
	if got := (&RoundWords{View: &chart.View{Run: p.Run}, Meta: p.meta, Schema: p.schema, Config: p.Config}).
		Phase(registry.Probe); !got.Skipped || got.Says != "The start: no round yet." {
		t.Errorf("at the start: %+v", got)
	}

	// Leads, their noise and replies are notes of frames.
	p = play(t, "algos=ifca&T=2&C=4&dphi=40")
	f = &p.Tracks[0].Frames[1]
	w = p.words(t, 1, 2)
	f.Lead, f.Noise = []float32{2, 1, 0.5, 3}, []float32{1, 4, 1, 0.1}
	takes := "takes " + w.View.Letter(int(f.Label[2]))
	if got := w.Phase(registry.Cluster); got.Says != "Each client decides alone: it takes the least loss. 2 of 4 leads are smaller "+
		"than their noise." || got.Client != takes+": its lead is 0.5 times its noise, a toss-up" {
		t.Errorf("%+v", got)
	}
	w.Client = 0
	w.Detail = p.words(t, 1, 0).Detail
	if got := w.Phase(registry.Cluster).Client; !strings.HasSuffix(got, ": its lead is 2.0 times its noise") {
		t.Errorf("%q", got)
	}
	if got, sent := w.Rest(); !strings.Contains(got, "; ahead of ") || !strings.HasSuffix(got, " by 2.0 times the noise") ||
		sent != "sent so far, per client: 6 down, 2 up" {
		t.Errorf("at rest: %q, %q", got, sent)
	}
	f.Lead, f.Replies = nil, []uint16{13, 13, 13, 13}
	if got, _ := w.Rest(); got != "placed by the mean of 13 gradients, has "+w.View.Letter(int(f.Label[0])) {
		t.Errorf("at rest: %q", got)
	}

	// A draft has the common texts.
	draft := *p.meta
	draft.Phases = nil
	w.Meta = &draft
	for phase := range registry.Phases {
		got := w.Phase(phase)
		checkPhase(t, "a draft", got, 110, 75)
		if !commonSays(p.schema, got.Says) {
			t.Errorf("a draft: %q", got.Says)
		}
	}
}

// Conditions and slots of all texts are known names: one with a mistake in it would never hold.
func TestPhaseTextNames(t *testing.T) {
	known := strings.Fields("first clusters before due grew moved stopped single classes strangers mixes alone")
	round := strings.Fields("each clients K gradient gradients samples probe found tossups lead tossup label common taken earlier")
	kinds := strings.Fields("model models pull client word keeps setting")
	schema := catalog.Schema()
	for _, m := range append([]registry.Meta{{Name: "common", Phases: schema.Phases}}, schema.Algorithms...) {
		step := func(name string) bool { // of some method, since methods share texts
			return slices.ContainsFunc(schema.Algorithms, func(m registry.Meta) bool {
				_, ok := m.StepOf(name, schema.Steps)
				return ok
			})
		}
		for _, p := range m.Phases {
			where := fmt.Sprintf("%s, %s, %q", m.Name, p.Phase.Name(), p.Says)
			for condition := range strings.FieldsSeq(p.If) {
				name := strings.TrimPrefix(condition, "!")
				if note, ok := strings.CutPrefix(name, "note."); !slices.Contains(known, name) && !(ok && step(note)) {
					t.Errorf("%s has an unknown condition, %q", where, condition)
				}
			}
			for name := range strings.FieldsSeq(p.Carries) {
				if !step(name) {
					t.Errorf("%s carries an unknown step, %q", where, name)
				}
			}
			if name, _, ok := strings.Cut(p.When, "="); ok {
				if _, known := schema.Field(name); !known {
					t.Errorf("%s depends on an unknown setting, %q", where, name)
				}
			}
			formula.Text(p.Says+p.Client+p.Sends, func(name, kind string) ([]string, bool) {
				of, _, noted := strings.Cut(name, ".")
				_, setting := schema.Field(name)
				if kind != "" && !slices.Contains(kinds, kind) || noted && !step(of) ||
					!noted && !slices.Contains(round, name) && !(setting && kind == "setting") {
					t.Errorf("%s has an unknown slot, [%s:%s]", where, name, kind)
				}
				return nil, false
			})
		}
	}
}

// Every text holds in some round of some run, so that none is there in vain.
func TestPhaseTextsAreSaid(t *testing.T) {
	if testing.Short() {
		t.Skip("plays many runs")
	}
	said := map[string][]string{} // by method and phase
	for _, of := range slices.Concat(asked, pictures) {
		for _, m := range catalog.Schema().Algorithms {
			if of.methods != "" && !slices.Contains(strings.Split(of.methods, ","), m.Name) {
				continue
			}
			p := play(t, of.query+"&algos="+m.Name)
			for round := 1; round <= p.Header.Rounds; round++ {
				for _, w := range []*RoundWords{p.words(t, round, round%p.Header.Clients)} {
					for phase := range registry.Phases {
						key := m.Name + phase.Name()
						said[key] = append(said[key], w.Phase(phase).Says)
						early := *w
						early.Detail = nil
						said[key] = append(said[key], early.Phase(phase).Says)
					}
				}
			}
		}
	}
	slot := regexp.MustCompile(`\\\[[^]]*\\\]`)
	for _, m := range catalog.Schema().Finished().Algorithms {
		for _, p := range m.Phases {
			form := regexp.MustCompile("^" + slot.ReplaceAllString(regexp.QuoteMeta(p.Says), ".+"))
			if !slices.ContainsFunc(said[m.Name+p.Phase.Name()], form.MatchString) {
				t.Errorf("%s, %s never says %q", m.Name, p.Phase.Name(), p.Says)
			}
		}
	}
}
