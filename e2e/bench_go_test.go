package e2e

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// program compiles the tests of a package, such as "sim/model", into a program
// of their own, native or for browsers, and returns its file.
func (b *bench) program(pkg string, browser bool) string {
	b.t.Helper()
	file := filepath.Join(benchDir(b.t), path.Base(pkg)+".test")
	build := exec.Command("go", "test", "-c", "-ldflags=-s -w")
	build.Env = os.Environ()
	if browser {
		file += ".wasm"
		build.Env = append(build.Env, "GOOS=js", "GOARCH=wasm")
	}
	build.Args = append(build.Args, "-o", file, "./"+pkg)
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		b.t.Fatalf("compiling the tests of %s: %v\n%s", pkg, err, out)
	}
	return file
}

// A venue is somewhere that the Go benchmarks of a package run.
type venue struct {
	name string
	run  func(argv []string) string
}

// venues returns the machine itself, node and the browsers, as far as they are
// here.
func (b *bench) venues(pkg string, tabs []tab) []venue {
	b.t.Helper()
	list := []venue{b.native(pkg)}
	program := b.program(pkg, true)
	if _, err := exec.LookPath("node"); err != nil {
		b.note("Without node, which is not installed.")
	} else {
		// Every process compiles anew, at first without optimising: only the last
		// of three times counts.
		list = append(list, venue{"node", b.command(pkg, filepath.Join(root, "wasm", "node", "run_test.sh"), program,
			"-test.count=3")})
	}
	for _, p := range tabs {
		list = append(list, venue{p.title(), func(argv []string) string {
			return p.goTest(path.Base(pkg), true, argv)
		}})
	}
	return list
}

// native is the machine itself.
func (b *bench) native(pkg string) venue {
	b.t.Helper()
	return venue{"native", b.command(pkg, b.program(pkg, false))}
}

// command returns a function that starts a command in the directory of a package,
// with more arguments, and returns what it prints.
func (b *bench) command(pkg string, words ...string) func(argv []string) string {
	return func(argv []string) string {
		b.t.Helper()
		cmd := exec.Command(words[0], slices.Concat(words[1:], argv)...)
		cmd.Dir = filepath.Join(root, pkg)
		out, err := cmd.CombinedOutput()
		if err != nil {
			b.t.Fatalf("%s: %v\n%s", strings.Join(cmd.Args, " "), err, out)
		}
		return string(out)
	}
}

// A figure is what one benchmark measured, by unit.
type figure map[string]float64

// bench runs the benchmarks that match a pattern, each for so long ("40ms") or
// so often ("100x"), and returns their figures by name. Of one that ran several
// times it is the last.
func (v venue) bench(pattern, each string) map[string]figure {
	return figures(v.run(benchWords(pattern, each)))
}

// benchWords are the arguments of a test program that is to run benchmarks.
func benchWords(pattern, each string) []string {
	return []string{"-test.run=^$", "-test.bench=" + pattern, "-test.benchtime=" + each, "-test.cpu=1"}
}

// figures reads what benchmarks print.
func figures(text string) map[string]figure {
	found := map[string]figure{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		f := figure{}
		for i := 2; i+1 < len(fields); i += 2 {
			if value, err := strconv.ParseFloat(fields[i], 64); err == nil {
				f[fields[i+1]] = value
			}
		}
		found[strings.TrimPrefix(fields[0], "Benchmark")] = f
	}
	return found
}
