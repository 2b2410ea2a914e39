package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	"flockscope/sim/fl"
	"flockscope/sim/param"
	"flockscope/sim/registry"
	"flockscope/ui/guide"
)

// Known is what the tests know of a method.
type Known struct {
	// Floor is the least mean ARI over ten seeds on an easy case (TestEveryFloor), with room below what other
	// seeds came to. 0.52 is the ARI of two of three groups in one cluster.
	Floor float64
	// Zero says why the ARI is exactly 0 there instead.
	Zero string
	// Begins says how its models begin, where labels and start models alone do not tell (TestTrainingByHand).
	Begins string
	// Splits: new clusters go on from the model that their clients had.
	Splits bool
	// Breaks are the laws (TestLaws) that do not hold for it by definition, and why; with " on digits" behind
	// it, a law that it can break on these data, where groups are less clear.
	Breaks map[string]string
}

// Methods has one line for every method that is no draft.
var Methods = map[string]Known{
	"fedavg":    {Zero: noClusters},
	"local":     {Zero: noClusters},
	"perfedavg": {Zero: noClusters},
	"fedproto":  {Zero: noClusters},
	"fedala": {Zero: noClusters,
		Breaks: map[string]string{permuted: drawsSamples, twice: drawsSamples, halved: drawsSamples}},
	"fedpac": {Zero: noClusters, Breaks: map[string]string{twice: fewerErrors}},

	"ifca": {Floor: 0.8},               // now and then two groups stay in one cluster
	"cfl":  {Floor: 0.3, Splits: true}, // splits at the wrong place, or not at all
	"cflgp": {Floor: 0.99,
		Breaks: map[string]string{permuted: drawsLabels, twice: drawsLabels, halved: drawsLabels}},
	"clove": {Floor: 0.99,
		Breaks: map[string]string{permuted + digits: startsAmong, twice + digits: startsAmong, halved: countsCopies}},
	"fedclust": {Floor: 0.9},
	"fesem": {Floor: 0.4, Begins: "as means of trained models", // more often than not
		Breaks: map[string]string{permuted + digits: startsAmong, twice + digits: startsAmong,
			halved + digits: countsCopies}},
	"flexcfl": {Floor: 0.3, Begins: "as means of the first updates", // decided once, by directions in a plane
		Breaks: map[string]string{halved: countsCopies}},
	"icfl": {Zero: rankOne, Begins: copies,
		Breaks: map[string]string{permuted + digits: startsAmong, halved + digits: countsCopies}},
	"ocfl": {Floor: 0.5, Splits: true, // too early: gradients of lines are noisy
		Breaks: map[string]string{halved: countsCopies}},
	"kfed":   {Floor: 0.99, Breaks: map[string]string{permuted + digits: startsFirst}},
	"pacfl":  {Floor: 0.99},
	"stocfl": {Floor: 0.3, Begins: copies}, // nearly always

	"fedem":    {Floor: 0.8},
	"fedgmm":   {Floor: 0.8},
	"fedrc":    {Floor: 0.8},
	"fedsoft":  {Floor: 0.7},
	"hcfl":     {Floor: 0.8},
	"hcflplus": {Floor: 0.5, Breaks: map[string]string{halved + digits: countsCopies}}, // as often as not
}

// The laws, and the data on which a method may break one.
const (
	permuted = "permuted clients"
	twice    = "every client twice"
	halved   = "clients split in two"
	digits   = " on digits"
)

// Why a method scores 0, or a law does not hold for it, and how models begin.
const (
	copies     = "as copies of another one, in a later round"
	noClusters = "it has one model for all, or one for each"
	rankOne    = "it never splits here: groups that pull in opposite directions along one line have cosines 1 and −1, " +
		"of rank one, and so a connectivity of 1"
	drawsLabels  = "every client draws its first label, by its number"
	drawsSamples = "the device draws samples, by the client's number"
	startsAmong  = "k-means starts at clients that are drawn by their place, and finds one of several clusterings that " +
		"are about as good"
	countsCopies = "clients are compared one by one, whatever they hold: two halves are two clients"
	startsFirst  = "the server's k-means starts at the first client's centres"
	fewerErrors  = "heads are mixed for the least error: of two copies each has the error of one, of their mean half of " +
		"that"
)

// CountingRules are the values of Counts, and what mean= calls each.
var CountingRules = map[string]string{"samples": "samples", "clients": "clients", "samples of the class": "samples",
	"samples × weight of the model": "weight"}

// An expectation is something that tests want of every method in the registry.
type expectation struct {
	what, why string
	// draft: it is wanted of drafts, too.
	draft bool
	// missing returns what to write, and in which file; "" if nothing. {file} stands for the file of the
	// method's registration and {name} for its name.
	missing func(m *entry) string
	// test is the test that looks, where that is another one: its package and its name.
	test string
}

// entry is a method as the table sees it.
type entry struct {
	registry.Entry[fl.Maker]
	reads []string // names of its settings
}

// expectations is all that is expected of a method. New ones belong here.
var expectations = []expectation{
	{what: "it cites a paper", why: "menus, help and exports name it", draft: true,
		missing: func(m *entry) string {
			if p := m.Paper; p.Authors == "" || p.Venue == "" || p.Year < 2000 || !strings.HasPrefix(p.URL, "https://") {
				return `Paper: registry.Citation{Authors: "…", Title: "…", Venue: "…", Year: 2026, URL: "https://…"} in {file}`
			}
			return ""
		}},
	{what: "it has a family of methods", why: "menus list methods by it", draft: true,
		missing: func(m *entry) string {
			if m.Family < registry.OneModel || m.Family > registry.PersonalModels {
				return "Family: registry.OneModel, HardClusters, SoftClusters or PersonalModels in {file}"
			}
			return ""
		}},
	{what: "it says whether it puts clients together", why: "without clusters there is no ARI", draft: true,
		missing: func(m *entry) string {
			c, _ := catalog.Schema().Parse("C=6&algos=" + m.Name)
			plan := m.Make(c.Values(0), 6)
			_, own := plan.Device.(fl.Personal)
			switch own := plan.Personal || own && plan.Models == 1; {
			case own && (!m.Unclustered || m.Family != registry.PersonalModels):
				return "Unclustered: true and Family: registry.PersonalModels in {file}, since every client has a model of its own"
			case !own && (m.Unclustered || m.Family == registry.PersonalModels):
				return "in {file} no Unclustered and another Family than PersonalModels, " +
					"or Personal: true in the plan if model i belongs to client i alone"
			}
			return ""
		}},
	{what: "it has the settings of training", why: "each method can be compared under each protocol", draft: true,
		missing: func(m *entry) string {
			want := []string{"lr", "avg", "nd"}
			if m.Sends == "nothing" {
				want = want[:2]
			}
			at := slices.Index(m.reads, "lr")
			if at < 0 || at > 1 || at+len(want) > len(m.reads) || !slices.Equal(m.reads[at:at+len(want)], want) {
				return "Fields: method.Training(own settings…) in {file}; method.TrainingWithoutMean(…) if it averages nothing, " +
					"method.LocalTraining() if clients send nothing"
			}
			return ""
		}},
	{what: "it reads only settings that it has", why: "a query cannot set others", draft: true,
		missing: func(m *entry) string {
			c, _ := catalog.Schema().Parse("C=6&algos=" + m.Name)
			has := map[string]bool{}
			for f := range param.All(m.Fields) {
				has[f.Name] = true
			}
			unknown := ""
			m.Make(func(name string) (string, bool) {
				if f, ok := catalog.Schema().Field(name); ok && f.PerLane && !has[name] && name != "probe" {
					unknown = name
				}
				return c.Values(0)(name)
			}, 6)
			if unknown != "" {
				return "the setting " + unknown + " into Fields in {file}"
			}
			return ""
		}},
	{what: "its own settings are explained", why: "they stand in menus and help", draft: true,
		missing: func(m *entry) string {
			for _, f := range m.Fields {
				if f.Doc == "" || f.Label == "" || !f.PerLane {
					return `Label: "…", Doc: "…", PerLane: true for the setting ` + f.Name + " in {file}"
				}
			}
			return ""
		}},
	{what: "its steps have code and a sentence", why: "the view of a round shows both", draft: true,
		missing: func(m *entry) string {
			for _, s := range m.Steps {
				if s.Name == "" || s.Code == "" || !strings.HasSuffix(s.Says, ".") {
					return fmt.Sprintf(`Name: "…", Code: "…", Says: "Who does what.", for the step %q beside {file}`, s.Name)
				}
			}
			return ""
		}},
	{what: "it says in plain words what it does in each phase", why: "the stage shows all phases of all methods",
		missing: func(m *entry) string {
			for p := range registry.Phases {
				if !slices.ContainsFunc(m.Phases, func(t *registry.PhaseText) bool { return t.Phase == p }) {
					return fmt.Sprintf(`{Phase: registry.%s, Says: "[each] …."}, or Skips: true and the reason, to Phases beside {file}; `+
						"shared ones are in sim/algorithm/internal/method/phases.go", p.Name())
				}
			}
			return ""
		}},
	{what: "it says what clients are told apart by and what they send", why: "the table of methods has both",
		missing: func(m *entry) string {
			if m.By == "" || m.Sends == "" {
				return `By: "cosines of updates; finds K", Sends: "an update", or what is so, in {file}`
			}
			return ""
		}},
	{what: "a method that compares softly is a soft one", why: "the table of methods and menus agree",
		missing: func(m *entry) string {
			if strings.HasSuffix(m.By, "soft") && m.Family != registry.SoftClusters {
				return `Family: registry.SoftClusters in {file}, or By without "soft"`
			}
			return ""
		}},
	{what: "it says what clients count by", why: "papers differ, and mean= changes it",
		missing: func(m *entry) string {
			switch averages := slices.Contains(m.reads, "mean"); {
			case averages && CountingRules[m.Counts] == "":
				return `Counts: "samples", "clients" or "samples × weight of the model", as in the paper, in {file}, ` +
					"and the same in its call of method.Counts; or method.TrainingWithoutMean in place of method.Training " +
					"if it averages nothing"
			case !averages && m.Counts != "":
				return "Fields: method.Training(…) in {file}, which has the setting mean; or no Counts if it averages nothing"
			}
			return ""
		}},
	{what: "the guide explains it", why: "the help has an idea of three sentences, what it assumes, when it fails",
		missing: func(m *entry) string {
			for file, stop := range map[string]string{"guide.txt": `\.( |$)`, "guide.zh.txt": `。`} {
				var has []string
				texts := guide.Parse(read("assets/" + file))
				texts.Each(m.Name, func(heading, text string) {
					n := len(regexp.MustCompile(stop).FindAllString(text, -1))
					if n > 0 && (heading != "Idea" || n == 3) {
						has = append(has, heading)
					}
				})
				if !slices.Equal(has, []string{"Idea", "Assumes", "Fails when"}) {
					return "“= {name}” and below it “idea: three sentences”, “assumes: …” and “fails: …” in assets/" + file
				}
			}
			return ""
		}},
	{what: "a golden link shows it", why: "what a link shows must never change",
		missing: func(m *entry) string {
			algos := regexp.MustCompile(`algos=[^&\s]*\b` + m.Name + `\b`)
			if !algos.MatchString(read("sim/engine/testdata/links.txt")) {
				return `"algos={name}&T=30", to goldenQueries in sim/engine/links_test.go, and run ` +
					"go test ./sim/engine -run 'TestGoldenLinks$' -update"
			}
			return ""
		}},
	{what: "a second program agrees with it", why: "the method is the paper's",
		missing: func(m *entry) string {
			for _, file := range []string{m.Name + ".py", "testdata/" + m.Name + ".json"} {
				if read("sim/algorithm/reference/"+file) == "" {
					return "{name}.py in sim/algorithm/reference (README.md there says how), and run its check.py -write {name}"
				}
			}
			return ""
		}},
	{what: "tests know how well it clusters", why: "a mistake that makes it worse is noticed",
		missing: func(m *entry) string {
			if k, ok := Methods[m.Name]; !ok || (k.Floor == 0) == (k.Zero == "") {
				return `"{name}": {Floor: 0.9}, or {Zero: "why"}, to Methods in sim/engine/methods_test.go; ` +
					"TestEveryFloor says what it comes to"
			}
			return ""
		}},

	{what: "it keeps the laws", draft: true, why: "results do not depend on the order of clients, on copies or names",
		test: "sim/engine TestLaws"},
	{what: "clients train by every protocol", why: "what is compared is the method, not how clients train",
		test: "sim/engine TestTrainingByHand"},
	{what: "it says how much memory it needs", draft: true, why: "a browser refuses a run that does not fit",
		test: "sim/engine TestEstimateCovers"},
	{what: "its texts are there in Chinese", why: "the page speaks Chinese", test: "ui/shell TestChineseTexts"},
	{what: "its formulas are well formed and their signs explained", draft: true, why: "the view of a round shows them",
		test: "ui/formula TestFormulasOfAlgorithms"},
	{what: "every sentence of a round has its numbers", draft: true, why: "the view of a round shows them",
		test: "ui/shell TestStepsAreTold"},
	{what: "every sentence of a phase holds, and its numbers are those of the round", draft: true, why: "the stage shows them",
		test: "ui/page TestPhaseWords"},
	{what: "generated files have it", why: "README, tables of methods and settings, the server's schema",
		test: "sim/cmd/flock TestDocsAreCurrent"},
}

// TestMethods holds every method to the table, and says what to write.
func TestMethods(t *testing.T) {
	finished := map[string]bool{}
	for _, a := range catalog.Algorithms() {
		m := &entry{Entry: a}
		for _, f := range a.Fields {
			m.reads = append(m.reads, f.Name)
		}
		finished[a.Name] = !a.Draft
		for _, e := range expectations {
			if e.missing == nil || a.Draft && !e.draft {
				continue
			}
			if line := e.missing(m); line != "" {
				line = strings.NewReplacer("{file}", registration(a.Name), "{name}", a.Name).Replace(line)
				t.Errorf("%s: %s (%s). Write %s.", a.Name, e.what, e.why, line)
			}
		}
	}
	for name := range Methods {
		if !finished[name] {
			t.Errorf("%s is in Methods of sim/engine/methods_test.go and no finished method. Remove its line.", name)
		}
	}
}

// TestExpectations: the other tests that the table names exist.
func TestExpectations(t *testing.T) {
	for _, e := range expectations {
		if e.test == "" {
			continue
		}
		folder, name, _ := strings.Cut(e.test, " ")
		files, _ := filepath.Glob("../../" + folder + "/*_test.go")
		if !slices.ContainsFunc(files, func(file string) bool {
			return strings.Contains(read(strings.TrimPrefix(file, "../../")), "func "+name+"(t *testing.T)")
		}) {
			t.Errorf("%s has no test %s, which is to see that %s", folder, name, e.what)
		}
	}
}

// read returns a file of the project, "" if there is none.
func read(path string) string {
	text, _ := os.ReadFile("../../" + path)
	return string(text)
}

// registration returns the file that registers a method.
func registration(name string) string {
	for _, pattern := range []string{"*.go", "*/*.go"} {
		files, _ := filepath.Glob("../algorithm/" + pattern)
		for _, file := range files {
			path := strings.TrimPrefix(filepath.ToSlash(file), "../")
			if regexp.MustCompile(`\bName:\s+"` + name + `"`).MatchString(read("sim/" + path)) {
				return "sim/" + path
			}
		}
	}
	return "its registration"
}
