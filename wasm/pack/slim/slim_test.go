package slim

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// Whatever a memory holds, it comes back from few segments, but for zeroes at
// its end.
func TestMemoryRoundTrip(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 0))
		memory := make([]byte, r.IntN(5000))
		for range r.IntN(40) {
			if len(memory) > 0 {
				memory[r.IntN(len(memory))] = byte(1 + r.IntN(255))
			}
		}
		got, err := readMemory(appendMemory(nil, memory))
		if want := bytes.TrimRight(memory, "\x00"); err != nil || !bytes.Equal(got, want) {
			t.Fatalf("seed %d: %d bytes came back as %d (%v)", seed, len(want), len(got), err)
		}
		for i, s := range split(memory) {
			if i > 0 && s.from-split(memory)[i-1].to < minGap {
				t.Fatalf("seed %d: segment %d begins %d bytes after the one before, want at least %d", seed, i,
					s.from-split(memory)[i-1].to, minGap)
			}
		}
	}
}

func TestRewriteMemoryRefuses(t *testing.T) {
	keep := func([]byte) error { return nil }
	for _, bad := range []string{"", "\x00asm", "no module at all", wasmHeader + "\x0b", wasmHeader + "\x0b\x05\x01",
		wasmHeader + "\x0b\x02\x01\x07"} {
		if _, err := rewriteMemory([]byte(bad), keep); !errors.Is(err, errModule) {
			t.Errorf("rewriteMemory(%q) = %v, want %v", bad, err, errModule)
		}
	}
	if _, err := findPclntab(make([]byte, 1000)); err == nil {
		t.Error("a pclntab was found where there is none")
	}
}

// A program does the same after what only a crash reads has been dropped.
func TestRewrittenProgramRuns(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	if runtime.GOOS == "js" {
		t.Skip("needs to start programs")
	}
	path := filepath.Join(t.TempDir(), "hard.wasm")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, "./testdata/hard")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	runner := filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec_node.js")
	run := func(args ...string) string {
		cmd := exec.Command(node, append([]string{"--stack-size=4000", runner, path}, args...)...)
		cmd.Env = append(os.Environ(), "GOTRACEBACK=system")
		out, err := cmd.CombinedOutput()
		if (err == nil) != (len(args) == 0) {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	want := run()
	if !strings.Contains(want, "caught: runtime error: integer divide by zero") {
		t.Fatalf("the program printed %q", want)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	small, err := Program(program)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, small, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := run(); got != want {
		t.Errorf("rewritten, the program prints\n%s\nwant\n%s", got, want)
	}
	names, err := Names(program)
	if err != nil {
		t.Fatal(err)
	}
	trace, named := run("crash"), false
	for _, place := range regexp.MustCompile(`pc=0x([0-9a-f]+)[0-9a-f]{4}\b`).FindAllStringSubmatch(trace, -1) {
		named = named || strings.Contains(string(names), "\n"+place[1]+" main.crash\n")
	}
	if !named || strings.Contains(trace, "main.crash") {
		t.Errorf("the trace of a crash is\n%s\nwant one without names and with an address in main.crash", trace)
	}
}

// A module that has a start function already, or imports something other than
// functions, is none that Go's linker writes.
func TestAddStartRefuses(t *testing.T) {
	for _, bad := range []string{"\x08\x01\x00", "\x02\x06\x01\x01m\x01n\x02", "\x01\x00"} {
		if _, err := addStart([]byte(wasmHeader+bad), nil); !errors.Is(err, errModule) {
			t.Errorf("addStart(%q) = %v, want %v", bad, err, errModule)
		}
	}
}
