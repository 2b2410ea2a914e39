package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"flockscope/sim/catalog"
)

// files writes the texts into a directory of the test's and returns their paths.
func files(t *testing.T, texts map[string]string) map[string]string {
	t.Helper()
	dir, paths := t.TempDir(), map[string]string{}
	for name, text := range texts {
		paths[name] = filepath.Join(dir, name)
		if err := os.WriteFile(paths[name], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths
}

// samples are rows of four clients in two groups.
func samples(groups bool) string {
	var b strings.Builder
	b.WriteString("client,x,y")
	if groups {
		b.WriteString(",group")
	}
	b.WriteByte('\n')
	for i := range 40 {
		x := float64(i%10) / 10
		fmt.Fprintf(&b, "c%d,%v,%v", i%4, x, x*float64(1-i%2*2))
		if groups {
			fmt.Fprintf(&b, ",g%d", i%2)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// methodNames are the algorithms as a message lists them.
func methodNames() string {
	var names []string
	for _, a := range catalog.Algorithms() {
		names = append(names, a.Name)
	}
	return strings.Join(names, ", ")
}

// TestFlock is one command line a row. "@name" stands for the path of a file.
func TestFlock(t *testing.T) {
	paths := files(t, map[string]string{
		"good.csv": samples(true), "three.csv": "label,a\n1,2\n2,3\n1,4\n", "plain.csv": samples(false), "broken.csv": "client,x,y\na,1,2\nb,three,4\n",
		"short.csv": "a,1,2\nb,3\n", "lone.csv": "a,1,2\n", "empty.csv": "", "a,b.csv": "label,u,v\n1,1,2\n2,2,3\n1,3,4\n2,1,1\n",
		"numbers.csv": "u,v,y\n1,2,0.5\n2,3,1.5\n3,4,2.5\n4,5,3.5\n5,6,4.5\n6,7,5.5\n7,8,6.5\n8,9,7.5\n",
	})
	tests := []struct {
		name string
		args []string
		code int
		out  string // exact; "*" for anything
		errs string // exact, without the line end
	}{
		{"nothing", nil, 2, "", "flock: expected one of " + commandNames() + "; for example flock run 'data=linreg&algos=cflgp,ifca'"},
		{"no such command", []string{"fly"}, 2, "", "flock: expected one of " + commandNames() + "; for example flock run 'data=linreg&algos=cflgp,ifca'"},

		{"help", []string{"help"}, 0, usage(), ""},
		{"help on a command", []string{"list", "-h"}, 0, "flock list\nalgorithms, workloads and their settings\n", ""},

		{"check", []string{"check", "sa=2&dphi=5.0"}, 0, "data=linreg&dphi=5&algos=cflgp,ifca&sa=2\n", ""},
		{"check nothing", []string{"check"}, 0, "data=linreg&algos=cflgp,ifca\n", ""},
		{"check a link", []string{"check", "https://host/?dphi=5&t=3#x"}, 0, "data=linreg&dphi=5&algos=cflgp,ifca\n", ""},
		{"check a lesson", []string{"check", "https://host/?dphi=5&lesson=3#x"}, 0, "data=linreg&dphi=5&algos=cflgp,cflgp:forget,clove&cflgp:forget.beta=1\n", ""},
		{"flags", []string{"check", "-dphi", "5", "-K=4"}, 0, "data=linreg&dphi=5&K=4&algos=cflgp,ifca\n", ""},
		{"two dashes", []string{"check", "--dphi", "5"}, 0, "data=linreg&dphi=5&algos=cflgp,ifca\n", ""},
		{"flags after the query", []string{"check", "dphi=7&K=4", "-dphi", "5"}, 0, "data=linreg&dphi=5&K=4&algos=cflgp,ifca\n", ""},
		{"flags before the query", []string{"check", "-dphi", "5", "dphi=7&K=4"}, 0, "data=linreg&dphi=5&K=4&algos=cflgp,ifca\n", ""},
		{"a flag for the lanes", []string{"check", "-algos", "clove"}, 0, "data=linreg&algos=clove\n", ""},
		{"flags that only go together", []string{"check", "-C", "2", "-D", "2", "-K", "2"}, 0, "data=linreg&D=2&C=2&K=2&algos=cflgp,ifca\n", ""},
		{"flags that mend the query", []string{"check", "C=20&K=15", "-K", "4", "-C", "5"}, 0, "data=linreg&C=5&K=4&algos=cflgp,ifca\n", ""},
		{"unknown keys warn", []string{"check", "-lenient", "dphi=5&flavour=1"}, 0, "data=linreg&dphi=5&algos=cflgp,ifca\n", "flock: warning: unknown setting flavour"},
		{"settings without effect warn", []string{"check", "algos=fedavg&K=5"}, 0, "data=linreg&algos=fedavg\n", "flock: warning: K has no effect with these methods and data=linreg"},
		{"a flag without effect warns", []string{"check", "-K", "5", "algos=fedavg"}, 0, "data=linreg&algos=fedavg\n", "flock: warning: K has no effect with these methods and data=linreg"},
		{"a flag takes the effect away", []string{"check", "-algos", "fedavg", "algos=ifca&K=5"}, 0, "data=linreg&algos=fedavg\n", "flock: warning: K has no effect with these methods and data=linreg"},
		{"a flag gives it back", []string{"check", "-algos", "ifca", "algos=fedavg&K=5"}, 0, "data=linreg&K=5&algos=ifca\n", ""},
		{"a file with a comma in its name", []string{"check", "-data", "@a,b.csv", "C=2&K=2"}, 0, "data=samples&shift=none&C=2&K=2&lr=0.5&avg=model&tau=10&algos=cflgp,ifca\n", "flock: note: Defaults that fit this file: avg=model, tau=10, lr=0.5."},
		{"two files, one at a time", []string{"check", "-data", "@a,b.csv", "-data", "@a,b.csv", "C=2&K=2"}, 0, "data=samples&shift=none&C=2&K=2&lr=0.5&avg=model&tau=10&algos=cflgp,ifca\n", "flock: note: Defaults that fit this file: avg=model, tau=10, lr=0.5."},
		{"a file of numbers to predict", []string{"check", "-data", "@numbers.csv", "C=4"}, 0, "data=samples&shift=none&net=linear&C=4&lr=0.2&avg=model&tau=10&algos=cflgp,ifca\n", "flock: note: Defaults that fit this file: avg=model, tau=10, lr=0.2."},
		{"a file and a link about files", []string{"check", "-data", "@numbers.csv", "https://host/?data=samples&shift=none&net=linear&C=4"}, 0, "data=samples&shift=none&net=linear&C=4&algos=cflgp,ifca\n", ""},
		{"a file and an optimiser", []string{"check", "-data", "@numbers.csv", "-avg", "model", "-opt", "adam", "C=4"}, 0, "data=samples&shift=none&net=linear&C=4&avg=model&opt=adam&algos=cflgp,ifca\n", ""},
		{"a file and a link", []string{"check", "-data", "@numbers.csv", "https://host/?C=4&t=3"}, 0, "data=samples&shift=none&net=linear&C=4&lr=0.2&avg=model&tau=10&algos=cflgp,ifca\n", "flock: note: Defaults that fit this file: avg=model, tau=10, lr=0.2."},
		{"a file makes it csv", []string{"check", "-data", "@good.csv", "K=2"}, 0, "data=csv&K=2&algos=cflgp,ifca\n", ""},

		{"bad value", []string{"check", "dphi=900"}, 2, "", `flock: dphi: got "900", want a number from 0 to 80`},
		{"bad lane", []string{"run", "algos=icfa"}, 2, "", `flock: algos: got "icfa", want one to four of ` + methodNames() + `, separated by commas (did you mean "ifca"?)`},
		{"bad combination", []string{"run", "C=5&K=6"}, 2, "", `flock: K: got "6", want at most C = 5 (more models than clients)`},
		{"bad flag value", []string{"run", "-K", "0"}, 2, "", `flock: K: got "0", want a whole number from 1 to 64`},
		{"bad combination by flag", []string{"run", "-K", "13"}, 2, "", `flock: K: got "13", want at most C = 12 (more models than clients)`},
		{"unknown flag", []string{"run", "-flavour", "1"}, 2, "", "flock: unknown flag -flavour"},
		{"flag without value", []string{"run", "-K"}, 2, "", "flock: flag needs an argument: -K"},
		{"query without quotes", []string{"run", "data=linreg", "dphi=5"}, 2, "", `flock: got a second query "dphi=5"; put the first in quotes, since & means something to the shell`},
		{"line break in a value", []string{"run", "K=1%0A2"}, 2, "", `flock: K: got "1\n2", want a whole number from 1 to 64`},
		{"csv without a file", []string{"run", "data=csv"}, 2, "", "flock: data=csv needs a file of rows client,x,y: drop one on the page, or give -data FILE on the command line"},
		{"file and other data", []string{"run", "-data", "@good.csv", "data=linreg"}, 2, "", `flock: data: got "linreg", want csv, or no data= at all (-data brings 40 rows of 4 clients in 2 groups)`},
		{"no such file", []string{"run", "-data", "@nowhere.csv"}, 2, "", "flock: open @nowhere.csv: no such file or directory"},
		{"broken file", []string{"run", "-data", "@broken.csv"}, 2, "", `flock: broken.csv: line 3: column "x": expected a number, found "three"; correct it, remove the row, or ignore the column, as in cols=2:ignore`},
		{"short row", []string{"run", "-data", "@short.csv"}, 2, "", `flock: short.csv: line 2: expected 3 values as in most rows, separated by commas, found 2`},
		{"one client", []string{"run", "-data", "@lone.csv"}, 2, "", `flock: lone.csv: all rows belong to client "a"; at least two clients are needed`},
		{"too few samples", []string{"run", "-data", "@three.csv"}, 2, "", `flock: three.csv: expected 4 samples at least, two for each of two clients, found 3`},
		{"a folder without a data set", []string{"run", "-data", "@."}, 2, "", `flock: 001: the folder holds none of the files that were looked for: train-images-idx3-ubyte, train-labels-idx1-ubyte, t10k-images-idx3-ubyte, t10k-labels-idx1-ubyte (MNIST or Fashion-MNIST); data_batch_1.bin, data_batch_2.bin, data_batch_3.bin, data_batch_4.bin, data_batch_5.bin, test_batch.bin (CIFAR-10); train_*.bin, test_*.bin (CIFAR-10); train-images-idx3-ubyte, train-labels-idx1-ubyte, test-images-idx3-ubyte, test-labels-idx1-ubyte, writers.csv (FEMNIST); books_train.svmlight, books_test.svmlight, dvd_train.svmlight, dvd_test.svmlight, electronics_train.svmlight, electronics_test.svmlight, kitchen_train.svmlight, kitchen_test.svmlight (Amazon); train_*.csv, test_*.csv (AG News or other tables); train.bin, test.bin (CIFAR-100); train.csv, test.csv (AG News or other tables), each also with .gz; nor folders train and test with files in them, nor PNG or JPEG pictures; name other files one by one, with commas between them`},
		{"empty file", []string{"run", "-data", "@empty.csv"}, 2, "", "flock: empty.csv: the file is empty; expected a table (CSV, TSV, ARFF, JSON), IDX images and labels, CIFAR binary batches, PNG or JPEG pictures in a zip archive, NumPy arrays, svmlight or LEAF JSON files"},
		{"more models than the file's clients", []string{"run", "-data", "@good.csv", "K=5"}, 2, "", `flock: K: got "5", want at most the 4 clients of the file (more models than clients)`},
		{"as many latecomers as the file's clients", []string{"run", "-data", "@good.csv", "K=2&late=4"}, 2, "", `flock: late: got "4", want fewer than the 4 clients of the file (some clients must take part from the start)`},
		{"list with a flag", []string{"list", "-a"}, 2, "", "flock: flag provided but not defined: -a"},
		{"list with arguments", []string{"list", "all"}, 2, "", `flock: list takes no arguments, got "all"`},
		{"schema with arguments", []string{"schema", "all"}, 2, "", `flock: schema takes no arguments, got "all"`},

		{"a run", []string{"run", "T=1&algos=fedavg"}, 0, "*", ""},
		{"a run of a file", []string{"run", "-data", "@good.csv", "T=2&K=2"}, 0, "*", ""},
		{"a run of a file, named twice", []string{"run", "-data", "@good.csv", "data=csv&T=2&K=2"}, 0, "*", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args, want := slices.Clone(tt.args), tt.errs
			for i, arg := range args {
				if name, ok := strings.CutPrefix(arg, "@"); ok {
					if args[i] = paths[name]; args[i] == "" {
						args[i] = filepath.Join(filepath.Dir(paths["good.csv"]), name)
					}
					want = strings.ReplaceAll(want, arg, args[i])
				}
			}
			var out, errs bytes.Buffer
			code := flock(context.Background(), args, &out, &errs)
			if code != tt.code {
				t.Errorf("flock %q ends with %d, want %d", args, code, tt.code)
			}
			got := strings.TrimSuffix(errs.String(), "\n")
			got = strings.Replace(got, "No such file", "no such file", 1)        // node's word for it
			if strings.Contains(want, "got \"/") || strings.Contains(got, "/") { // a long path is cut
				want, got = cutPath(want), cutPath(got)
			}
			if got != want {
				t.Errorf("flock %q says\n%s\nwant\n%s", args, got, want)
			}
			if strings.ContainsFunc(got, unicode.IsControl) {
				t.Errorf("flock %q says %q, want one line", args, got)
			}
			if tt.out != "*" && out.String() != tt.out {
				t.Errorf("flock %q prints %q, want %q", args, out.String(), tt.out)
			}
		})
	}
}

// cutPath shortens the path in a message of [param.Error], which is cut after
// 40 signs.
func cutPath(s string) string {
	head, rest, ok := strings.Cut(s, "got \"")
	path, tail, ok2 := strings.Cut(rest, "\", want")
	if !ok || !ok2 {
		return s
	}
	return head + fmt.Sprintf("got %.10q, want", path) + tail
}

// line is what every line of a run may hold.
type line map[string]any

// runLines runs a command line that must succeed and returns its lines.
func runLines(t *testing.T, args ...string) []line {
	t.Helper()
	var out, errs bytes.Buffer
	if code := flock(context.Background(), append([]string{"run"}, args...), &out, &errs); code != 0 ||
		strings.Count(errs.String(), "\n") != strings.Count(errs.String(), "flock: note: ") {
		t.Fatalf("flock run %q ends with %d and says %s", args, code, errs.String())
	}
	var lines []line
	for text := range strings.Lines(out.String()) {
		var l line
		if err := json.Unmarshal([]byte(text), &l); err != nil {
			t.Fatalf("flock run %q prints %q: %v", args, text, err)
		}
		if strings.Contains(text, `\u`) {
			t.Errorf("flock run %q prints %q, want characters as they are", args, text)
		}
		lines = append(lines, l)
	}
	return lines
}

func wantKeys(t *testing.T, what string, l map[string]any, keys ...string) {
	t.Helper()
	for _, k := range keys {
		if _, ok := l[k]; !ok {
			t.Errorf("%s %v has no %q", what, l, k)
		}
	}
}

// judging are the keys of what judges a clustering; the last three stand in summaries
// alone.
var judging = []string{"ari", "misplaced", "nmi", "purity", "settled", "found", "price"}

// Each command explains its flags, and those of settings do not hide them.
func TestHelpOnCommands(t *testing.T) {
	help := func(name string) string {
		var out, errs bytes.Buffer
		if code := flock(context.Background(), []string{name, "-h"}, &out, &errs); code != exitOK || errs.Len() > 0 {
			t.Errorf("flock %s -h ends with %d and says %q", name, code, &errs)
		}
		return out.String()
	}
	for _, c := range commands {
		if c.name == "serve" || c.name == "class" { // another program answers
			continue
		}
		head := strings.TrimSpace("flock "+c.name+" "+c.args) + "\n" + c.doc + "\n"
		if text := help(c.name); !strings.HasPrefix(text, head) || strings.Contains(text, "  -dphi") {
			t.Errorf("flock %s -h prints %.300q", c.name, text)
		}
	}
	for name, flag := range map[string]string{"sweep": "  -vary", "run": "  -why", "work": "  -nats", "theory": "  -seeds"} {
		if !strings.Contains(help(name), flag) {
			t.Errorf("flock %s -h lacks%s", name, flag)
		}
	}
}

// TestRunLines: a line a lane and round, rounds from 1, then a summary a lane, and the
// result of them all.
func TestRunLines(t *testing.T) {
	paths := files(t, map[string]string{"good.csv": samples(true), "plain.csv": samples(false)})
	tests := []struct {
		name    string
		args    []string
		lanes   []string
		rounds  int
		clients int
		groups  bool
	}{
		{"linreg", []string{"T=5&C=7&D=2"}, []string{"cflgp", "ifca"}, 5, 7, true},
		{"labels", []string{"T=3&algos=clove:a,clove:b,local,fedavg"}, []string{"clove:a", "clove:b", "local", "fedavg"}, 3, 12, true},
		{"file", []string{"-data", paths["good.csv"], "T=4&K=2"}, []string{"cflgp", "ifca"}, 4, 4, true},
		{"file without groups", []string{"-data", paths["plain.csv"], "T=4&K=2&algos=clove"}, []string{"clove"}, 4, 4, false},
	}
	for _, tt := range tests {
		lines := runLines(t, tt.args...)
		if want := (tt.rounds+1)*len(tt.lanes) + 1; len(lines) != want {
			t.Errorf("%s: %d lines, want %d", tt.name, len(lines), want)
			continue
		}
		end := lines[len(lines)-1]
		lines = lines[:len(lines)-1]
		if result, _ := end["result"].(string); len(end) != 2 || len(result) != len("0123-4567") || end["query"] == "" {
			t.Errorf("%s: the last line is %v, want a query and a result", tt.name, end)
		}
		last := map[string]line{}
		for i, l := range lines {
			lane, round := tt.lanes[i%len(tt.lanes)], i/len(tt.lanes)+1
			if l["lane"] != lane {
				t.Errorf("%s: line %d is of lane %v, want %s", tt.name, i+1, l["lane"], lane)
			}
			if round <= tt.rounds {
				wantKeys(t, tt.name+": round", l, "lane", "round", "ari", "misplaced", "loss", "clusters", "assign",
					"down", "up")
				if l["round"] != float64(round) || len(l["assign"].([]any)) != tt.clients {
					t.Errorf("%s: line %d is round %v of %d clients, want %d of %d", tt.name, i+1, l["round"],
						len(l["assign"].([]any)), round, tt.clients)
				}
				for _, key := range judging[:4] {
					if judged := tt.groups && lane != "local"; (l[key] != nil) != judged {
						t.Errorf("%s: line %d, of %s, has %s %v with groups %v", tt.name, i+1, lane, key, l[key],
							tt.groups)
					}
				}
				last[lane] = l
				continue
			}
			if len(l) != 2 {
				t.Errorf("%s: line %d = %v, want lane and summary", tt.name, i+1, l)
			}
			s, _ := l["summary"].(map[string]any)
			wantKeys(t, tt.name+": summary", s, "ari", "settled", "fingerprint", "misplaced", "loss", "clusters",
				"down", "up")
			if print, _ := s["fingerprint"].(string); len(print) != 16 ||
				strings.Trim(print, "0123456789abcdef") != "" {
				t.Errorf("%s: fingerprint %v, want 16 hexadecimal digits", tt.name, s["fingerprint"])
			}
			for _, key := range []string{"ari", "misplaced", "loss", "worst", "clusters", "down", "up"} {
				if s[key] != last[lane][key] {
					t.Errorf("%s: the summary of %s has %s = %v, the last round %v", tt.name, lane, key, s[key],
						last[lane][key])
				}
			}
			for _, key := range judging {
				if (!tt.groups || lane == "local") && s[key] != nil {
					t.Errorf("%s: the summary of %s has %s %v, want null", tt.name, lane, key, s[key])
				}
			}
		}
	}
}

// TestRunSummary: settled and diverged as numbers, or null and absent.
func TestRunSummary(t *testing.T) {
	tests := []struct {
		name, query       string
		settled, diverged bool
	}{
		{"settles", "dphi=40&T=60&algos=cflgp", true, false},
		{"never", "T=10&algos=fedavg", false, false},
		{"diverges", "T=60&lr=10&algos=fedavg", false, true},
	}
	for _, tt := range tests {
		lines := runLines(t, tt.query)
		s := lines[len(lines)-2]["summary"].(map[string]any)
		if (s["settled"] != nil) != tt.settled || (s["diverged"] != nil) != tt.diverged ||
			(s["cause"] != nil) != tt.diverged {
			t.Errorf("%s: summary %v, want settled: %v, diverged and a cause: %v", tt.name, s, tt.settled, tt.diverged)
		}
		if !tt.diverged {
			continue
		}
		var at []float64
		for _, l := range lines {
			if l["diverged"] == true {
				at = append(at, l["round"].(float64))
			}
			if loss, ok := l["loss"].(float64); ok && (math.IsNaN(loss) || math.IsInf(loss, 0)) {
				t.Errorf("%s: loss %v", tt.name, loss)
			}
		}
		if !slices.Equal(at, []float64{s["diverged"].(float64)}) {
			t.Errorf("%s: rounds %v are marked, the summary says %v", tt.name, at, s["diverged"])
		}
	}
}

// TestRunIsRepeatable: the same output, byte for byte, whether by query or flags.
func TestRunIsRepeatable(t *testing.T) {
	run := func(args ...string) string {
		var out, errs bytes.Buffer
		if code := flock(context.Background(), append([]string{"run"}, args...), &out, &errs); code != 0 {
			t.Fatalf("flock run %q: %s", args, errs.String())
		}
		return out.String()
	}
	first := run("dphi=5&T=20&sd=3&algos=cflgp,clove")
	for _, args := range [][]string{{"dphi=5&T=20&sd=3&algos=cflgp,clove"},
		{"-dphi", "5", "-T", "20", "-sd", "3", "-algos", "cflgp,clove"}, {"algos=cflgp,clove&T=20", "-sd=3", "-dphi=5.0"}} {
		if got := run(args...); got != first {
			t.Errorf("flock run %q prints something other than before", args)
		}
	}
}

func TestList(t *testing.T) {
	var out, errs bytes.Buffer
	if code := flock(context.Background(), []string{"list"}, &out, &errs); code != 0 || errs.Len() > 0 {
		t.Fatalf("flock list ends with %d and says %s", code, errs.String())
	}
	s := catalog.Schema()
	var names []string
	for _, a := range s.Algorithms {
		names = append(names, a.Name, a.Title, a.Doc, a.Paper.Title)
	}
	for _, w := range s.Workloads {
		names = append(names, w.Name, w.Title, w.Doc)
	}
	for _, f := range s.Fields() {
		names = append(names, f.Name+" = ")
	}
	for _, name := range names {
		if !strings.Contains(out.String(), name) {
			t.Errorf("flock list does not mention %q", name)
		}
	}
}

// What a run falls back on is what the list says of its workload, and the table of
// settings names the exceptions.
func TestListedDefaults(t *testing.T) {
	var out, errs bytes.Buffer
	flock(context.Background(), []string{"list"}, &out, &errs)
	_, workloads, _ := strings.Cut(out.String(), "\nWorkloads (data=)\n")
	for _, w := range catalog.Schema().Workloads {
		_, of, found := strings.Cut(workloads, "  "+w.Name+strings.Repeat(" ", max(0, 8-len(w.Name)))+" "+w.Title)
		if !found {
			t.Fatalf("flock list does not describe %s", w.Name)
		}
		if next := regexp.MustCompile(`\n  \w`).FindStringIndex(of); next != nil {
			of = of[:next[0]]
		}
		for name, value := range w.Defaults {
			if !strings.Contains(of, " "+name+" = "+value) {
				t.Errorf("flock list does not say that %s has %s = %s", w.Name, name, value)
			}
		}
	}
	s := catalog.Schema()
	shift, _ := s.Field("shift")
	if got, want := defaults(s, shift), "none; rotations with digits, shapes, garments, both, samples"; got != want {
		t.Errorf("the table says of the defaults of shift %q, want %q", got, want)
	}
}

func TestSchema(t *testing.T) {
	var out, errs bytes.Buffer
	if code := flock(context.Background(), []string{"schema"}, &out, &errs); code != 0 || errs.Len() > 0 {
		t.Fatalf("flock schema ends with %d and says %s", code, errs.String())
	}
	var s struct {
		Common, Seeds         []struct{ Name, Default string }
		Workloads, Algorithms []struct {
			Name   string
			Fields []struct{ Name string }
		}
	}
	if err := json.Unmarshal(out.Bytes(), &s); err != nil {
		t.Fatalf("flock schema: %v", err)
	}
	if len(s.Workloads) != len(catalog.Schema().Workloads) || len(s.Algorithms) != len(catalog.Schema().Algorithms) ||
		len(s.Seeds) != 3 {
		t.Errorf("flock schema has %d workloads, %d algorithms and %d seeds", len(s.Workloads), len(s.Algorithms),
			len(s.Seeds))
	}
}

// TestInterrupted: Ctrl-C ends a run with 130, one line, and whole lines before.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r, w := io.Pipe()
	go func() { // as soon as something is printed
		buffer := make([]byte, 1<<16)
		for first := true; ; first = false {
			if _, err := r.Read(buffer); err != nil {
				return
			}
			if first {
				cancel()
			}
		}
	}()
	var errs bytes.Buffer
	start := time.Now()
	if code := flock(ctx, []string{"run", "T=5000&C=100"}, w, &errs); code != 130 ||
		errs.String() != "flock: stopped\n" {
		t.Errorf("an interrupted run ends with %d and says %q, want 130 and that it stopped", code, errs.String())
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("an interrupted run ends after %v", d)
	}
	w.Close()
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, fmt.Errorf("no space left on device") }

// TestFailureIsNotBadInput: what the caller cannot mend ends with 1.
func TestFailureIsNotBadInput(t *testing.T) {
	for _, args := range [][]string{{"run", "T=2"}, {"check", "T=2"}, {"list"}, {"schema"}} {
		var errs bytes.Buffer
		if code := flock(context.Background(), args, full{}, &errs); code != 1 ||
			errs.String() != "flock: no space left on device\n" {
			t.Errorf("flock %q to a full disk ends with %d and says %q, want 1 and the reason", args, code,
				errs.String())
		}
	}
}
