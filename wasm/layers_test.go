package wasm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A rule says what the packages of one layer must not reach, be it directly or
// through packages outside the standard library. What the standard library
// itself is made of does not matter: compiled for the browser, even its os
// package is built on syscall/js.
//
// Patterns are import paths; a path also stands for everything below it.
type rule struct {
	why    string
	layer  []string // the packages it binds
	except []string // those that it spares
	never  []string // what they must not reach, or
	only   []string // if set: all that they may reach beside the standard library
	direct bool     // only what they import themselves counts
}

var browserSide = []string{"syscall/js", "github.com/vugu", "honnef.co/go/js/dom"}

// vugu is what the page is rendered with.
var vugu = []string{"github.com/vugu", "honnef.co/go/js/dom"}

// figures are what the page draws, each kind of thing in a package of its own.
var figures = []string{
	"flockscope/ui/chart/clientmap", "flockscope/ui/chart/lane", "flockscope/ui/chart/progress",
	"flockscope/ui/chart/samples", "flockscope/ui/chart/stage", "flockscope/ui/chart/sweeps",
}

var rules = []rule{
	{
		why:   "the clustering library stands alone",
		layer: []string{"flockscope/clusterer"},
		only:  []string{"flockscope/clusterer"},
	}, {
		why:   "the clustering library computes and does nothing else",
		layer: []string{"flockscope/clusterer"},
		never: []string{"syscall/js", "net/http"},
	}, {
		why:   "the simulation runs anywhere and knows no page",
		layer: []string{"flockscope/sim"},
		never: append([]string{"flockscope/ui", "flockscope/wasm"}, browserSide...),
	}, {
		why:    "a simulation knows nothing of plans, records and reports",
		layer:  []string{"flockscope/sim"},
		except: []string{"flockscope/sim/lab", "flockscope/sim/cmd"},
		never:  []string{"flockscope/sim/lab"},
	}, {
		why:    "commands parse and print; what others may need is below them",
		layer:  []string{"flockscope/sim"},
		except: []string{"flockscope/sim/cmd"},
		never:  []string{"flockscope/sim/cmd"},
	}, {
		why:    "the simulation needs no network; the laboratory does for sweeps on many computers, and a store for their results",
		layer:  []string{"flockscope/sim"},
		except: []string{"flockscope/sim/cmd/flock", "flockscope/sim/lab/cluster", "flockscope/sim/lab/results"},
		never:  []string{"net/http", "go.etcd.io/bbolt", "github.com/nats-io"},
	}, {
		why:   "the simulation depends on its settings alone, not on the clock or the machine",
		layer: []string{"flockscope/sim"},
		except: []string{
			"flockscope/sim/cmd", "flockscope/sim/lab/cluster", "flockscope/sim/lab/datafiles", "flockscope/sim/lab/results",
		},
		never:  []string{"os", "time"},
		direct: true,
	}, {
		why:   "a plan is a text, and its records are lines; the page has both",
		layer: []string{"flockscope/sim/lab/plan", "flockscope/sim/lab/sweep"},
		only: []string{
			"flockscope/sim/experiment", "flockscope/sim/lab/plan", "flockscope/sim/lab/sweep", "flockscope/sim/param",
			"flockscope/sim/registry", "flockscope/sim/say", "flockscope/sim/trace", "flockscope/sim/version",
		},
	}, {
		why:   "the page makes plans and keeps records; the rest of the laboratory is the command's",
		layer: []string{"flockscope/ui", "flockscope/wasm/app", "flockscope/wasm/engine", "flockscope/wasm/fileengine"},
		never: []string{
			"flockscope/sim/lab/cluster", "flockscope/sim/lab/datafiles", "flockscope/sim/lab/papers",
			"flockscope/sim/lab/report", "flockscope/sim/lab/results", "flockscope/sim/lab/theorems",
			"flockscope/sim/lab/tune",
		},
	}, {
		why: "these stand alone",
		layer: []string{
			"flockscope/sim/exact", "flockscope/sim/licences", "flockscope/sim/param",
			"flockscope/sim/say", "flockscope/sim/textfile", "flockscope/sim/trace", "flockscope/sim/version",
			"flockscope/sim/wire",
		},
		only: []string{"flockscope/sim/exact", "flockscope/sim/say", "flockscope/sim/textfile"},
	}, {
		why: "an experiment is a text: it can be read without anything that plays it",
		layer: []string{
			"flockscope/sim/experiment", "flockscope/sim/registry", "flockscope/sim/lab/sweep", "flockscope/sim/lesson",
		},
		only: []string{
			"flockscope/sim/exact", "flockscope/sim/experiment", "flockscope/sim/registry", "flockscope/sim/param",
			"flockscope/sim/say", "flockscope/sim/trace",
		},
	}, {
		why:   "a course is texts and the files of the site",
		layer: []string{"flockscope/sim/course"},
		only: []string{
			"flockscope/sim/exact", "flockscope/sim/experiment", "flockscope/sim/lesson", "flockscope/sim/param",
			"flockscope/sim/registry", "flockscope/sim/say", "flockscope/sim/trace",
		},
	}, {
		why:   "a verdict follows from what a run has recorded",
		layer: []string{"flockscope/sim/verdict"},
		only: []string{
			"flockscope/clusterer", "flockscope/sim/exact", "flockscope/sim/param", "flockscope/sim/registry",
			"flockscope/sim/say", "flockscope/sim/trace",
		},
	}, {
		why:   "pictures are lists of marks, whatever they show",
		layer: []string{"flockscope/sim/draw"},
		only:  []string{"flockscope/sim/draw/scene", "flockscope/sim/say"},
	}, {
		why:   "numbers and models know no experiment",
		layer: []string{"flockscope/sim/kernel", "flockscope/sim/model", "flockscope/sim/rng"},
		only: []string{
			"flockscope/clusterer", "flockscope/sim/exact", "flockscope/sim/kernel", "flockscope/sim/param",
			"flockscope/sim/registry", "flockscope/sim/rng", "flockscope/sim/say",
		},
	}, {
		why: "what clients hold does not depend on the method",
		layer: []string{
			"flockscope/sim/dataset", "flockscope/sim/ingest", "flockscope/sim/partition", "flockscope/sim/userfiles",
			"flockscope/sim/workload",
		},
		only: []string{
			"flockscope/clusterer", "flockscope/sim/dataset", "flockscope/sim/say", "flockscope/sim/exact",
			"flockscope/sim/ingest", "flockscope/sim/kernel", "flockscope/sim/model", "flockscope/sim/param", "flockscope/sim/partition",
			"flockscope/sim/registry", "flockscope/sim/rng", "flockscope/sim/textfile", "flockscope/sim/theory", "flockscope/sim/trace",
			"flockscope/sim/workload",
		},
	}, {
		why:   "theorems are functions of numbers",
		layer: []string{"flockscope/sim/theory"},
		only:  []string{"flockscope/clusterer", "flockscope/sim/exact", "flockscope/sim/kernel", "flockscope/sim/rng"},
	}, {
		why:   "synthetic sets and how they are distributed know no file",
		layer: []string{"flockscope/sim/dataset", "flockscope/sim/partition"},
		never: []string{"flockscope/sim/ingest", "flockscope/sim/textfile"},
	}, {
		why:   "a method depends neither on what clients hold nor on who plays its rounds",
		layer: []string{"flockscope/sim/fl", "flockscope/sim/algorithm"},
		only: []string{
			"flockscope/clusterer", "flockscope/sim/algorithm", "flockscope/sim/exact", "flockscope/sim/fl",
			"flockscope/sim/kernel", "flockscope/sim/model", "flockscope/sim/param", "flockscope/sim/registry",
			"flockscope/sim/rng", "flockscope/sim/say", "flockscope/sim/trace",
		},
	}, {
		why:   "small functions of numbers know no client",
		layer: []string{"flockscope/sim/algorithm/internal/numeric"},
		only:  []string{"flockscope/clusterer", "flockscope/sim/exact", "flockscope/sim/kernel"},
	}, {
		why:    "the page shows what the engine sends and computes nothing itself",
		layer:  []string{"flockscope/ui"},
		except: []string{"flockscope/ui/testing"},
		only: append([]string{
			"flockscope/ui", "flockscope/clusterer", "flockscope/sim/draw/scene", "flockscope/sim/say",
			"flockscope/sim/experiment", "flockscope/sim/lesson", "flockscope/sim/param", "flockscope/sim/lab/plan",
			"flockscope/sim/registry", "flockscope/sim/lab/sweep", "flockscope/sim/textfile", "flockscope/sim/trace",
			"flockscope/sim/exact", "flockscope/sim/runfile", "flockscope/sim/verdict", "flockscope/sim/version",
			"flockscope/sim/wire",
		}, vugu...),
	}, {
		why:    "net/http would add megabytes to the page; its tests stand in for engines elsewhere",
		layer:  []string{"flockscope/ui"},
		except: []string{"flockscope/ui/testing"},
		never:  []string{"net/http", "flockscope/ui/testing"},
	}, {
		why:    "what the page knows and does is tested without a browser",
		layer:  []string{"flockscope/ui"},
		except: []string{"flockscope/ui/browser", "flockscope/ui/guard", "flockscope/ui/shell"},
		never:  browserSide,
	}, {
		why:    "one package of the page talks with the browser; components only say what it looks like",
		layer:  []string{"flockscope/ui/shell"},
		never:  []string{"syscall/js", "honnef.co/go/js/dom"},
		direct: true,
	}, {
		why:   "the ground floor knows nothing of the page",
		layer: []string{"flockscope/ui/formula", "flockscope/ui/guard", "flockscope/ui/host"},
		only:  []string{"flockscope/sim/say"},
	}, {
		why:   "explanations are texts",
		layer: []string{"flockscope/ui/guide"},
		only:  []string{"flockscope/sim/registry", "flockscope/sim/param", "flockscope/sim/say"},
	}, {
		why:   "figures are drawn for the page, and know none",
		layer: []string{"flockscope/ui/chart"},
		never: []string{
			"flockscope/ui/browser", "flockscope/ui/shell", "flockscope/ui/page", "flockscope/ui/files", "flockscope/ui/jobs",
			"flockscope/ui/host", "flockscope/ui/guide", "flockscope/ui/guard",
		},
	}, {
		why:   "jobs are told what they need of the page, and what files are exported as follows from a run",
		layer: []string{"flockscope/ui/files", "flockscope/ui/jobs"},
		never: []string{"flockscope/ui/browser", "flockscope/ui/shell", "flockscope/ui/page"},
	}, {
		why:   "the state of the page knows neither its components on screen nor the browser",
		layer: []string{"flockscope/ui/page"},
		never: []string{"flockscope/ui/browser", "flockscope/ui/shell"},
	}, {
		why:   "components on screen read the state and send messages; the browser is above them",
		layer: []string{"flockscope/ui/shell"},
		never: []string{"flockscope/ui/browser", "flockscope/ui/guard"},
	}, {
		why:   "what figures share knows runs and no figure; which models fit which groups is an assignment problem",
		layer: []string{"flockscope/ui/chart"},
		except: append([]string{
			"flockscope/ui/chart/figures", "flockscope/ui/chart/layout",
		}, figures...),
		only: []string{
			"flockscope/clusterer", "flockscope/sim/registry", "flockscope/sim/say", "flockscope/sim/trace",
			"flockscope/sim/verdict", "flockscope/ui/chart/layout", "flockscope/sim/draw/scene",
		},
		direct: true,
	}, {
		why:   "where things have room does not depend on what they are",
		layer: []string{"flockscope/ui/chart/layout"},
		only:  []string{"flockscope/sim/say", "flockscope/sim/draw/scene"},
	}, {
		why:    "figures know runs, and no page",
		layer:  []string{"flockscope/ui/chart"},
		except: []string{"flockscope/ui/chart/sweeps"},
		only: []string{
			"flockscope/clusterer", "flockscope/sim/registry", "flockscope/sim/say", "flockscope/sim/trace",
			"flockscope/sim/verdict", "flockscope/ui/chart", "flockscope/sim/draw/scene",
		},
		direct: true,
	}, {
		why:   "figures of sweeps know sweeps, and no page",
		layer: []string{"flockscope/ui/chart/sweeps"},
		only: []string{
			"flockscope/sim/say", "flockscope/sim/lab/sweep", "flockscope/sim/trace", "flockscope/ui/chart",
			"flockscope/sim/draw/scene",
		},
		direct: true,
	}, {
		why:    "figures do not know each other; the stage alone is made of others",
		layer:  figures,
		except: []string{"flockscope/ui/chart/stage"},
		never:  append([]string{"flockscope/ui/chart/figures"}, figures...),
		direct: true,
	}, {
		why:    "only tests import helpers of tests",
		layer:  []string{"flockscope"},
		except: []string{"flockscope/sim/testing", "flockscope/ui/testing"},
		never:  []string{"flockscope/sim/testing", "flockscope/ui/testing", "flockscope/sim/algorithm/internal/algotest"},
	}, {
		why: "a first visit goes without the readers of files, of 80 KB; another program has them",
		layer: []string{
			"flockscope/sim/workload", "flockscope/sim/catalog", "flockscope/sim/engine", "flockscope/wasm/app",
		},
		never: []string{
			"flockscope/sim/ingest", "flockscope/sim/textfile/packed", "flockscope/sim/userfiles",
			"flockscope/wasm/engine/reader", "compress",
		},
	}, {
		why:   "an engine that reads files is no page",
		layer: []string{"flockscope/wasm/engine", "flockscope/wasm/fileengine"},
		never: append([]string{"flockscope/ui/page", "flockscope/ui/chart", "flockscope/ui/shell"}, vugu...),
	}, {
		why:   "net/http would add megabytes to the program; the browser fetches",
		layer: []string{"flockscope/wasm/app", "flockscope/wasm/arena", "flockscope/wasm/fileengine"},
		never: []string{"net/http", "go.etcd.io/bbolt", "github.com/nats-io", "flockscope/sim/cmd"},
	}, {
		why:    "documentation becomes pages when the site is built, and at no other time",
		layer:  []string{"flockscope"},
		except: []string{"flockscope/wasm/build"},
		never:  []string{"github.com/yuin/goldmark"},
	}, {
		why:    "the Worker starts anew for every request, so it holds no algorithm and no page",
		layer:  []string{"flockscope/wasm/edge", "flockscope/wasm/web", "flockscope/wasm/raster"},
		except: []string{"flockscope/wasm/edge/build", "flockscope/wasm/web/schema"},
		never: []string{
			"flockscope/clusterer", "github.com/vugu", "honnef.co/go/js/dom",
			"flockscope/sim/engine", "flockscope/sim/algorithm", "flockscope/sim/workload",
			"flockscope/sim/model", "flockscope/sim/fl", "flockscope/sim/catalog", "flockscope/sim/kernel",
			"github.com/andybalholm/brotli", "go.etcd.io/bbolt",
		},
	},
}

func TestLayers(t *testing.T) {
	exists := map[string]bool{} // packages, and the folders above them
	for _, target := range []string{"native", "js"} {
		t.Run(target, func(t *testing.T) {
			packages := list(t, target)
			for _, p := range packages.ours() {
				for name := p.ImportPath; name != "."; name = path.Dir(name) {
					exists[name] = true
				}
			}
			for _, r := range rules {
				for _, p := range packages.ours() {
					if !matches(p.ImportPath, r.layer) || matches(p.ImportPath, r.except) {
						continue
					}
					for _, chain := range packages.broken(r, p) {
						t.Errorf("%s: %s", chain, r.why)
					}
				}
			}
		})
	}
	for _, r := range rules {
		for _, pattern := range slices.Concat(r.layer, r.except) {
			if !exists[pattern] {
				t.Errorf("a rule names %s, and there is no such package: %s", pattern, r.why)
			}
		}
	}
}

// matches reports whether a path is one of the patterns or below one.
func matches(path string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		return path == pattern || strings.HasPrefix(path, pattern+"/")
	})
}

// A listed package is what go list says of one.
type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
	Error      *struct{ Err string }
}

type packageSet map[string]listed

// list returns all packages of Flockscope, as compiled for a target, with all
// that they import.
func list(t *testing.T, target string) packageSet {
	t.Helper()
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Imports,Error", "flockscope/...")
	if target == "js" {
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	packages := packageSet{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		packages[p.ImportPath] = p
	}
}

// ours returns the packages of Flockscope, sorted.
func (s packageSet) ours() []listed {
	var list []listed
	for _, p := range s {
		if matches(p.ImportPath, []string{"flockscope"}) {
			list = append(list, p)
		}
	}
	slices.SortFunc(list, func(a, b listed) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return list
}

// broken returns the chains of imports by which a package breaks a rule.
func (s packageSet) broken(r rule, start listed) []string {
	var chains []string
	seen := map[string]bool{start.ImportPath: true}
	var walk func(p listed, chain string)
	walk = func(p listed, chain string) {
		for _, name := range p.Imports {
			if seen[name] {
				continue
			}
			seen[name] = true
			imported := s[name]
			if matches(name, r.never) || r.only != nil && !imported.Standard && !matches(name, r.only) {
				chains = append(chains, chain+" imports "+name)
			} else if !imported.Standard && !r.direct {
				walk(imported, chain+" imports "+name)
			}
		}
	}
	walk(start, start.ImportPath)
	return chains
}

// The rules above hold nothing if broken finds nothing.
func TestBroken(t *testing.T) {
	packages := packageSet{
		"a":     {ImportPath: "a", Imports: []string{"fmt", "b", "c/d"}},
		"b":     {ImportPath: "b", Imports: []string{"bad"}},
		"c/d":   {ImportPath: "c/d", Imports: []string{"os"}},
		"bad":   {ImportPath: "bad"},
		"fmt":   {ImportPath: "fmt", Standard: true, Imports: []string{"inner"}},
		"os":    {ImportPath: "os", Standard: true},
		"inner": {ImportPath: "inner", Standard: true},
	}
	tests := []struct {
		name string
		rule rule
		want []string
	}{
		{"clean", rule{never: []string{"x"}}, nil},
		{"reached through another", rule{never: []string{"bad"}}, []string{"a imports b imports bad"}},
		{"direct does not look further", rule{never: []string{"bad"}, direct: true}, nil},
		{"direct", rule{never: []string{"b"}, direct: true}, []string{"a imports b"}},
		{"below a pattern", rule{never: []string{"c"}}, []string{"a imports c/d"}},
		{"inside the standard library", rule{never: []string{"inner"}}, nil},
		{"of the standard library", rule{never: []string{"os"}}, []string{"a imports c/d imports os"}},
		{"only", rule{only: []string{"b", "c"}}, []string{"a imports b imports bad"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := packages.broken(tt.rule, packages["a"]); !slices.Equal(got, tt.want) {
				t.Errorf("broken(%+v) = %q, want %q", tt.rule, got, tt.want)
			}
		})
	}
}

// A function that JavaScript calls is made by package guard, where a panic ends the call
// alone: one made by syscall/js ends the program. And a value's type is asked for there,
// since Value.Type panics on a BigInt.
func TestCallbacksAreGuarded(t *testing.T) {
	guarded, calls := 0, map[string]string{
		"js.FuncOf(":     "guard.FuncOf",
		".Type() == js.": "guard.TypeOf", ".Type() != js.": "guard.TypeOf",
	}
	err := filepath.WalkDir("..", func(name string, entry fs.DirEntry, err error) error {
		ours := strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") &&
			!strings.Contains(name, "ui/guard/")
		if err != nil || entry.IsDir() || !ours {
			return err
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		guarded += bytes.Count(source, []byte("guard.FuncOf("))
		for call, instead := range calls {
			if bytes.Contains(source, []byte(call)) {
				t.Errorf("%s has %s…; use %s", name, call, instead)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if guarded == 0 {
		t.Error("nothing calls guard.FuncOf: the test looks in the wrong place")
	}
}

// foreign are the words of federated learning, which the clustering library
// must not know. It speaks of points.
var foreign = []string{"client", "clients", "round", "rounds", "model", "models"}

func TestClustererSpeaksOfPoints(t *testing.T) {
	const dir = "../clusterer"
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatalf("there is no Go file in %s", dir)
	}
	for _, name := range names {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range foreignWords(source) {
			t.Errorf("%s:%s", name, found)
		}
	}
}

// foreignWords returns where Go source uses a foreign word, in a comment, a
// string or an identifier, where it may be a part: pointsPerClient.
func foreignWords(source []byte) []string {
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, source, nil, scanner.ScanComments)
	var found, last []string
	for {
		pos, kind, text := s.Scan()
		if kind == token.EOF {
			return found
		}
		// math.Round is another word.
		if slices.Equal(last, []string{"math", "."}) && strings.HasPrefix(text, "Round") {
			text = ""
		}
		for _, word := range words(text) {
			if slices.Contains(foreign, word) {
				found = append(found, fmt.Sprintf("%d: %q is a word of federated learning", file.Line(pos), word))
			}
		}
		if kind == token.PERIOD {
			text = "."
		}
		last = append(last, text)
		last = last[max(0, len(last)-2):]
	}
}

var wordPattern = regexp.MustCompile(`[A-Z]+[a-z]*|[a-z]+`)

// words returns the words of a text in lower case: parts of camelCase too.
func words(text string) []string {
	list := wordPattern.FindAllString(text, -1)
	for i, word := range list {
		list[i] = strings.ToLower(word)
	}
	return list
}

func TestForeignWords(t *testing.T) {
	tests := []struct {
		name, source string
		want         int
	}{
		{"comment", "package p // a Client here", 1},
		{"identifier", "package p; var pointsPerClient int", 1},
		{"constant", "package p; const MAX_ROUNDS = 3", 1},
		{"string", "package p; var s = \"the model\"", 1},
		{"math.Round", "package p; var x = math.Round(2.5)", 0},
		{"part of a word", "package p // rounding around remodelled", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := foreignWords([]byte(tt.source)); len(got) != tt.want {
				t.Errorf("foreignWords(%q) = %q, want %d", tt.source, got, tt.want)
			}
		})
	}
}
