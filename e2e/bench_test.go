package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// parts are what TestBench measures, each on its own.
var parts = []struct {
	name, title string
	run         func(b *bench)
}{
	{"step", "One step of training", benchStep},
	{"networks", "One step of networks of many layers", benchNetworks},
	{"layers", "One layer forward and back", benchLayers},
	{"kernel", "Products of matrices", benchKernel},
	{"rounds", "Rounds a second", benchRounds},
	{"growth", "How time and memory grow", benchGrowth},
	{"page", "What a person feels", benchPage},
	{"frames", "How evenly frames come", benchFrameScenes},
	{"sweep", "Runs of a sweep a second", benchSweep},
	{"toy", "Small models and clustering", benchToy},
}

// TestBench measures how fast everything is, beside TensorFlow.js, PyTorch and
// scikit-learn where these are to be had. It prints tables and writes them to
// .build/bench, one file a part. It asserts nothing about speed, since a machine
// may have other things to do; what is compared is measured in turns.
//
//	FLOCKSCOPE_BENCH=all go test -run '^TestBench$' -v
//	FLOCKSCOPE_BENCH=step,kernel go test -run '^TestBench$' -v
func TestBench(t *testing.T) {
	wish := os.Getenv("FLOCKSCOPE_BENCH")
	if wish == "" {
		t.Skip("FLOCKSCOPE_BENCH is not set")
	}
	chosen := map[string]bool{}
	for name := range strings.SplitSeq(wish, ",") {
		chosen[name] = true
	}
	for _, part := range parts {
		if !chosen["all"] && !chosen[part.name] {
			continue
		}
		delete(chosen, part.name)
		t.Run(part.name, func(t *testing.T) {
			b := &bench{t: t}
			begin, load := time.Now(), loadAverage()
			fmt.Fprintf(&b.text, "\n### %s\n", part.title)
			part.run(b)
			b.note("Load of the machine before: %s, after: %s. %s, %.0f s.",
				load, loadAverage(), time.Now().Format("2006-01-02 15:04"), time.Since(begin).Seconds())
			b.publish(part.name)
		})
	}
	delete(chosen, "all")
	for name := range chosen {
		t.Errorf("nothing is called %q", name)
	}
}

// A bench is one part under way, and the text that comes of it.
type bench struct {
	t    *testing.T
	text strings.Builder
}

// note adds a paragraph.
func (b *bench) note(format string, args ...any) {
	fmt.Fprintf(&b.text, "\n"+format+"\n", args...)
}

// table adds a table. The first column is text, the others are numbers.
func (b *bench) table(header []string, rows [][]string) {
	b.text.WriteString("\n| " + strings.Join(header, " | ") + " |\n|---|" +
		strings.Repeat("---:|", len(header)-1) + "\n")
	for _, row := range rows {
		b.text.WriteString("| " + strings.Join(row, " | ") + " |\n")
	}
}

// publish prints the text and writes it to a file. It prints by itself because
// the tests' own log puts a file name before each text.
func (b *bench) publish(name string) {
	fmt.Print(b.text.String())
	file := filepath.Join(benchDir(b.t), name+".md")
	if err := os.WriteFile(file, []byte(strings.TrimLeft(b.text.String(), "\n")), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// benchDir returns the directory for what comes of benchmarks and for what they
// need, absolute.
func benchDir(t *testing.T) string {
	dir := filepath.Join(root, ".build", "bench")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// loadAverage returns how many processes wanted to run over the last one, five
// and fifteen minutes.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 3 {
		return "unknown"
	}
	return strings.Join(fields[:3], " ")
}
