//go:build !js

package kernel

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// compiler is what kernel.wasm was built with; others may give other bytes.
const compiler = "clang version 14.0.6"

// TestModuleIsOfSources: build.sh has made kernel.wasm of the sources as they are. This
// needs no compiler, and takes build.sh's word for it; TestModuleIsCurrent does not.
func TestModuleIsOfSources(t *testing.T) {
	sums, err := os.ReadFile("kernel.sum")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(sums)) {
		want, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(content)); got != want {
			t.Errorf("%s has changed since kernel.wasm was built; run make kernel", name)
		}
		seen++
	}
	sources, _ := filepath.Glob("*.c")
	if seen != len(sources)+2 {
		t.Errorf("kernel.sum is about %d files, want build.sh, kernel.wasm and the sources %v", seen, sources)
	}
}

// TestModuleIsCurrent: kernel.wasm is what build.sh makes of the C files.
func TestModuleIsCurrent(t *testing.T) {
	for _, tool := range []string{"clang", "wasm-ld"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("cannot rebuild kernel.wasm: %v", err)
		}
	}
	version, err := exec.Command("clang", "--version").Output()
	if err != nil || !bytes.Contains(version, []byte(compiler)) {
		t.Skipf("kernel.wasm was built with %s, which is not the one here (%v)", compiler, err)
	}
	name := filepath.Join(t.TempDir(), "kernel.wasm")
	if out, err := exec.Command("./build.sh", name).CombinedOutput(); err != nil {
		t.Fatalf("build.sh: %v\n%s", err, out)
	}
	got, err := os.ReadFile("kernel.wasm")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("kernel.wasm (%d bytes) is not what the C files give (%d bytes); run make kernel", len(got), len(want))
	}
}

// TestModuleIsHarmless: the module lives in Go's memory, where nothing belongs
// to it. It must have no static data and no stack, must not grow the memory,
// and may import nothing else.
func TestModuleIsHarmless(t *testing.T) {
	m := readModule(t)
	for id, name := range map[byte]string{5: "memory", 8: "start", 9: "element", 11: "data", 12: "data count"} {
		if _, ok := m.sections[id]; ok {
			t.Errorf("kernel.wasm has a %s section", name)
		}
	}
	r := reader{t, m.sections[2]}
	if n := r.uint(); n != 1 {
		t.Fatalf("kernel.wasm imports %d things, want 1", n)
	}
	if module, field, kind := r.name(), r.name(), r.byte(); module != "env" || field != "memory" || kind != 2 {
		t.Errorf("kernel.wasm imports %s.%s of kind %d, want env.memory of kind 2, a memory", module, field, kind)
	}
	code := reader{t, m.sections[10]}
	for f := range code.uint() {
		body := reader{t, code.take(code.uint())}
		for range body.uint() { // groups of locals
			body.uint()
			body.byte()
		}
		for len(body.bytes) > 0 {
			if bad := body.instruction(); bad != "" {
				t.Errorf("kernel.wasm, function %d: %s", f, bad)
			}
		}
	}
}

// TestModuleIsComplete: it exports everything that Go imports; one name short,
// and browsers would use the portable loops.
func TestModuleIsComplete(t *testing.T) {
	m := readModule(t)
	var exports []string
	r := reader{t, m.sections[7]}
	for range r.uint() {
		exports = append(exports, r.name())
		r.byte()
		r.uint()
	}
	files, err := filepath.Glob("*_js*.go")
	if err != nil {
		t.Fatal(err)
	}
	imports := 0
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, match := range regexp.MustCompile(`(?m)^//go:wasmimport kernel (\w+)$`).FindAllSubmatch(source, -1) {
			imports++
			if !slices.Contains(exports, string(match[1])) {
				t.Errorf("%s imports %s; kernel.wasm exports only %s", name, match[1], strings.Join(exports, ", "))
			}
		}
	}
	if imports == 0 {
		t.Error("Go imports nothing of kernel.wasm")
	}
}

// A module is a WebAssembly binary, section by section.
type module struct{ sections map[byte][]byte }

func readModule(t *testing.T) module {
	t.Helper()
	content, err := os.ReadFile("kernel.wasm")
	if err != nil {
		t.Fatal(err)
	}
	body, ok := bytes.CutPrefix(content, []byte("\x00asm\x01\x00\x00\x00"))
	if !ok {
		t.Fatal("kernel.wasm is not a WebAssembly module")
	}
	m := module{map[byte][]byte{}}
	for r := (reader{t, body}); len(r.bytes) > 0; {
		id := r.byte()
		m.sections[id] = r.take(r.uint())
	}
	return m
}

// reader reads the encodings of a WebAssembly binary.
type reader struct {
	t     *testing.T
	bytes []byte
}

func (r *reader) take(n int) []byte {
	if n > len(r.bytes) {
		r.t.Fatal("kernel.wasm is cut off")
	}
	taken := r.bytes[:n]
	r.bytes = r.bytes[n:]
	return taken
}

func (r *reader) byte() byte   { return r.take(1)[0] }
func (r *reader) name() string { return string(r.take(r.uint())) }

// int passes over a variable-length integer, which may be negative.
func (r *reader) int() {
	for r.byte()&0x80 != 0 {
	}
}

// uint reads a variable-length integer.
func (r *reader) uint() int {
	v, n := binary.Uvarint(r.bytes)
	if n <= 0 {
		r.t.Fatal("kernel.wasm has a broken number")
	}
	r.bytes = r.bytes[n:]
	return int(v)
}

// instruction reads one with its operands and returns what is wrong with it.
func (r *reader) instruction() string {
	switch op := r.byte(); {
	case op >= 0x02 && op <= 0x04: // block, loop, if
		r.byte()
	case op <= 0x01, op == 0x05, op == 0x0b, op == 0x0f, op == 0x1a, op == 0x1b: // control, drop, select
	case op == 0x0c, op == 0x0d, op == 0x10, op >= 0x20 && op <= 0x22: // br, br_if, call, locals
		r.uint()
	case op == 0x23, op == 0x24:
		return "uses a global, as a stack would"
	case op >= 0x28 && op <= 0x3e: // loads and stores
		r.uint()
		r.uint()
	case op == 0x3f, op == 0x40:
		return "asks for memory"
	case op == 0x41, op == 0x42:
		r.int()
	case op == 0x43:
		r.take(4)
	case op == 0x44:
		r.take(8)
	case op >= 0x45 && op <= 0xc4: // arithmetic
	case op == 0xfd:
		return r.vectorInstruction()
	default:
		return fmt.Sprintf("has an unexpected instruction %#x", op)
	}
	return ""
}

func (r *reader) vectorInstruction() string {
	switch op := r.uint(); {
	case op <= 11, op == 92, op == 93: // loads and stores
		r.uint()
		r.uint()
	case op == 12, op == 13: // constant, shuffle
		r.take(16)
	case op >= 21 && op <= 34: // lanes
		r.byte()
	case op >= 84 && op <= 91: // loads and stores of lanes
		r.uint()
		r.uint()
		r.byte()
	case op > 0xff:
		return fmt.Sprintf("has the relaxed vector instruction %#x, whose bits differ between machines", op)
	}
	return ""
}
