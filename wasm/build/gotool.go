package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"flockscope/wasm/pack"
)

// programFile is where the program is, packed; see package pack.
const programFile = "flockscope.pack"

// compileProgram compiles wasm/app, the one program that is page and engine.
func compileProgram(root string) (pack.Program, error) {
	dir, err := os.MkdirTemp("", "flockscope-build-")
	if err != nil {
		return pack.Program{}, err
	}
	defer os.RemoveAll(dir)
	scheduler, err := schedulerFlags(dir)
	if err != nil {
		return pack.Program{}, err
	}
	out := filepath.Join(dir, "flockscope.wasm")
	cmd := exec.Command("go", slices.Concat([]string{"build", "-o", out}, buildFlags(), scheduler,
		[]string{"./wasm/app"})...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return pack.Program{}, fmt.Errorf("compiling ./wasm/app: %w", err)
	}
	program, err := os.ReadFile(out)
	if err != nil {
		return pack.Program{}, err
	}
	return pack.NewProgram(program)
}

// inlined are the packages in which small functions are copied into the loops
// that call them: those that compute and draw, and what they lean on, down to the
// scheduler, which a round of many clients keeps busy. Everywhere else, where
// nobody would notice, calls stay calls: that makes the compressed program a tenth
// smaller. HCFL is left out: 8 KB less, and its runs take 2 to 5 % longer. So is the
// format of rounds: 5 KB less, with no measurable change in run time.
var inlined = []string{
	"flockscope/clusterer",
	"flockscope/sim/algorithm", "flockscope/sim/algorithm/internal/...",
	"flockscope/sim/dataset", "flockscope/sim/engine/...", "flockscope/sim/exact",
	"flockscope/sim/fl", "flockscope/sim/kernel", "flockscope/sim/model", "flockscope/sim/rng",
	"flockscope/sim/wire", "flockscope/sim/workload",
	"flockscope/ui/chart/...",
	"flockscope/sim/draw/scene",

	"cmp", "math/...", "slices", "sort", "sync/...", "unicode/utf8",
	"internal/abi", "internal/bytealg", "internal/goarch", "internal/runtime/...", "runtime",
}

// buildFlags returns the flags of go build that make the program small.
func buildFlags() []string {
	flags := []string{
		// The same source gives the same bytes wherever it is built.
		"-trimpath", "-buildvcs=false",
		// Names and line tables that only a debugger reads stay out.
		"-ldflags=-s -w",
		// Vugu and its vjson have variants without encoding/json, made for
		// TinyGo and good for Go as well. Of what they leave out, the tracking
		// of changes between renderings, the page uses nothing.
		"-tags=tinygo",
		"-gcflags=all=-l",
	}
	for _, path := range inlined {
		flags = append(flags, "-gcflags="+path+"=") // the last match counts
	}
	return flags
}

// wasmExec returns the script that runs Go programs in a browser. It must be
// the one of the compiler in use, so it is taken from there.
func wasmExec() ([]byte, error) {
	goroot, err := goOutput("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(goroot, "lib", "wasm", "wasm_exec.js"))
}

// moduleDir returns the directory of a module at its pinned version.
func moduleDir(path string) (string, error) {
	dir, err := goOutput("list", "-m", "-f", "{{.Dir}}", path)
	if err == nil && dir == "" {
		err = fmt.Errorf("module %s is not downloaded; run: go mod download %s", path, path)
	}
	return dir, err
}

// goOutput runs the go command and returns what it prints, trimmed.
func goOutput(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, &stderr)
	}
	return strings.TrimSpace(string(out)), nil
}
