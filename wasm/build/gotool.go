package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"flockscope/wasm/pack"
)

// A program is a command that the site has, compiled for the browser.
type program struct {
	command string // its folder
	file    string // its path in the site, packed or plain; see package pack
	names   string // the names of its functions, for reading the trace of a crash; see [pack.Program]
}

// pageProgram is page and engine. fileProgram is loaded once the user has files: an engine that reads them. arenaProgram
// answers what the arena's page asks.
var (
	pageProgram  = program{"./wasm/app", "flockscope.pack", "names.txt"}
	fileProgram  = program{"./wasm/fileengine", "flockscope-files.pack", "names-files.txt"}
	arenaProgram = program{"./wasm/arena", arenaDir + "program.pack", arenaDir + "names.txt"}
)

// addPrograms compiles the programs, and packs them unless plain is set. If package pack does not support this version
// of Go, they are plain as well, and unpacked says why.
func addPrograms(site files, root string, plain bool) (unpacked, err error) {
	for _, p := range []program{pageProgram, fileProgram, arenaProgram} {
		compiled, err := p.compile(root, runtime.Version())
		switch {
		case err != nil:
			return nil, err
		case plain:
			site[p.file] = compiled
		default:
			unpacked = cmp.Or(unpacked, p.addPacked(site, compiled, runtime.Version()))
		}
	}
	return unpacked, nil
}

// addPacked adds a compiled program, packed if possible. version is the version of Go that compiled it.
func (p program) addPacked(site files, compiled []byte, version string) (unpacked error) {
	packed, unpacked := pack.NewProgram(compiled, version)
	site[p.file] = packed.Packed
	if packed.Names != nil {
		site[p.names] = packed.Names
	}
	return unpacked
}

// packedShare is the size of a packed program as a share of the plain one, both with brotli.
const packedShare = 0.56

// warning says in one line why the program is not packed, and what that costs.
func warning(unpacked error, site files) string {
	plain := sentBytes(site, pageProgram.file, ".br")
	return fmt.Sprintf("warning: %v; so it is not packed, and a first visit loads %d bytes more (%d with brotli); "+
		"see wasm/pack/FORMAT.md", unpacked, int(float64(plain)*(1-packedShare)), plain)
}

// compile returns the program compiled by a version of Go.
func (p program) compile(root, version string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "flockscope-build-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var scheduler []string
	if pack.Knows(version) {
		if scheduler, err = schedulerFlags(dir); err != nil {
			return nil, err
		}
	}
	out := filepath.Join(dir, "flockscope.wasm")
	cmd := exec.Command("go", slices.Concat([]string{"build", "-o", out}, buildFlags(), scheduler,
		[]string{p.command})...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("compiling %s: %w", p.command, err)
	}
	return os.ReadFile(out)
}

// inlined are the packages in which small functions are inlined: those that compute and
// draw, and what they call, down to the scheduler, which a round of many clients uses
// much. Without inlining elsewhere, the compressed program is a tenth smaller. HCFL is
// left out: 8 KB less, and its runs take 2 to 5 % longer. So is the format of rounds:
// 5 KB less, with no measurable change in run time.
var inlined = []string{
	"flockscope/clusterer",
	"flockscope/sim/algorithm", "flockscope/sim/algorithm/cflgp", "flockscope/sim/algorithm/internal/...",
	"flockscope/sim/dataset", "flockscope/sim/engine/...", "flockscope/sim/exact",
	"flockscope/sim/fl", "flockscope/sim/kernel", "flockscope/sim/model", "flockscope/sim/rng",
	"flockscope/sim/wire", "flockscope/sim/workload",
	"flockscope/sim/lab/arena", "flockscope/sim/lab/stats", // which only the arena's page has
	"flockscope/ui/chart/...",
	"flockscope/sim/draw/scene",

	"cmp", "math/...", "slices", "sort", "sync/...", "unicode/utf8",
	"internal/abi", "internal/bytealg", "internal/goarch", "internal/runtime/...", "runtime",
}

// buildFlags returns the flags of go build that make the program small.
func buildFlags() []string {
	flags := []string{
		// reproducible: the same source gives the same bytes in any folder
		"-trimpath", "-buildvcs=false",
		// without names and line tables for debuggers
		"-ldflags=-s -w",
		// Vugu without encoding/json; see VUGU.md
		"-tags=tinygo",
		"-gcflags=all=-l",
	}
	for _, path := range inlined {
		flags = append(flags, "-gcflags="+path+"=") // the last matching flag counts
	}
	return flags
}

// wasmExec returns the script that runs Go programs in a browser, of the Go version that compiles.
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
