package pack

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// module returns a module of functions with these bodies, each without its length,
// and some bytes after them.
func module(bodies ...string) []byte {
	code := binary.AppendUvarint(nil, uint64(len(bodies)))
	for _, body := range bodies {
		code = binary.AppendUvarint(code, uint64(len(body)))
		code = append(code, body...)
	}
	out := []byte(wasmHeader + "\x01\x04\x01\x60\x00\x00") // and one type
	out = binary.AppendUvarint(append(out, 10), uint64(len(code)))
	return append(append(out, code...), "\x00\x03\x02hi"...)
}

// A body begins with the number of its groups of locals and ends with 0x0b.
var bodies = map[string]string{
	"empty":            "\x00\x0b",
	"locals":           "\x02\x03\x7f\x80\x01\x7e\x20\x00\x20\x17\x20\x18\x21\xff\x7f\x22\x01\x1a\x0b",
	"globals":          "\x00\x23\x00\x24\x01\x23\x08\x24\xff\x01\x0b",
	"blocks":           "\x00\x02\x40\x03\x7e\x04\x40\x0c\x00\x05\x0d\x02\x0b\x0b\x0b\x0b",
	"deep branch":      "\x00" + repeat("\x02\x40", 9) + "\x0c\x00\x0c\x08" + repeat("\x0b", 10),
	"br_table":         "\x00\x02\x40\x02\x40\x02\x40\x0e\x05\x00\x00\x01\x02\x02\x02\x41\x02\x21\x00\x0c\x01\x0b\x41\x03\x21\x00\x0b\x0b\x0b",
	"other br_table":   "\x00\x02\x40\x02\x40\x0e\x02\x01\x00\x01\x0e\x00\x00\x0e\x00\x01\x0b\x0b\x0b",
	"calls":            "\x00\x10\x3f\x10\xc0\x00\x10\xff\xff\x03\x11\x80\x01\x00\x0b",
	"return addresses": "\x00\x42\x80\x80\x80\x80\x01\x42\x81\x80\x80\x80\x01\x42\xff\xff\x83\x80\x01\x0b",
	"numbers":          "\x00\x41\x00\x41\x7f\x41\x80\x80\x80\x80\x78\x42\x7f\x42\x80\x20\x42\xff\xff\xff\xff\x0f\x42\x80\x80\x80\x80\x10\x42\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f\x0b",
	"fractions":        "\x00\x43abcd\x44abcdefgh\x92\x0b",
	"fields":           "\x00\x20\x00\xa7\x29\x03\x10\x20\x02\x37\x03\x88\x08\x0b",
	"stack":            "\x00\x20\x01\x20\x01\x29\x03\x08\x37\x03\x08\x23\x00\x28\x02\x04\x20\x01\x29\x03\x08\x20\x01\x2d\x00\xff\xff\x03\x0b",
	"memory":           "\x00\x3f\x00\x40\x00\xfc\x0a\x00\x00\xfc\x0b\x00\xfc\x07\xfc\x00\x0b",
	"nothing much":     "\x00\x00\x01\x0f\x1b\x45\xc4\x0b",
}

func repeat(s string, n int) string { return string(bytes.Repeat([]byte(s), n)) }

func TestRoundTrip(t *testing.T) {
	check := func(t *testing.T, module []byte) {
		packed, err := Pack(module)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Unpack(packed); err != nil || !bytes.Equal(got, module) {
			t.Errorf("%x comes back as %x (%v)", module, got, err)
		}
	}
	var all []string
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) { check(t, module(body)) })
		all = append(all, body)
	}
	t.Run("all", func(t *testing.T) { check(t, module(all...)) })
	t.Run("none", func(t *testing.T) { check(t, module()) })
	t.Run("more locations than ranks", func(t *testing.T) {
		body := []byte{0}
		r := rand.New(rand.NewPCG(1, 2))
		for range 3000 {
			body = append(body, 0x20, 1, 0x29, 3)
			body = binary.AppendUvarint(body, 8*r.Uint64N(300))
			body = append(body, 0x20, 1, 0x20, 2, 0x37, 3)
			body = binary.AppendUvarint(body, 4*r.Uint64N(600))
		}
		check(t, module(string(append(body, 0x0b))))
	})
}

func TestPackRefuses(t *testing.T) {
	tests := map[string][]byte{
		"nothing":           nil,
		"no module":         []byte("no module at all"),
		"no functions":      []byte(wasmHeader),
		"section too long":  []byte(wasmHeader + "\x0a\x05\x01"),
		"vectors":           module("\x00\xfd\x0c\x0b"),
		"unknown opcode":    module("\x00\x06\x0b"),
		"unknown, two byte": module("\x00\xfc\x08\x00\x00\x0b"),
		"alignment":         module("\x00\x20\x00\x29\x00\x00\x0b"),
		"long number":       module("\x00\x41\x80\x00\x0b"),
		"long label":        module("\x00\x02\x40\x0c\x80\x00\x0b\x0b"),
		"ends early":        module("\x00\x0b\x0b"),
		"does not end":      module("\x00\x01"),
		"table too long":    module("\x00\x0e\xff\xff\xff\xff\x0f\x0b"),
	}
	for name, bad := range tests {
		t.Run(name, func(t *testing.T) {
			if got, err := Pack(bad); !errors.Is(err, errModule) {
				t.Errorf("Pack(%x) = %x, %v, want %v", bad, got, err, errModule)
			}
		})
	}
}

// What is torn off is refused; what is damaged is refused or unpacks to something
// else, but never ends the program or takes for ever.
func TestUnpackDamaged(t *testing.T) {
	var all []string
	for _, body := range bodies {
		all = append(all, body)
	}
	good := module(all...)
	packed, err := Pack(good)
	if err != nil {
		t.Fatal(err)
	}
	for n := range packed {
		if _, err := Unpack(packed[:n]); !errors.Is(err, errPacked) {
			t.Errorf("torn off after %d of %d bytes: %v, want %v", n, len(packed), err, errPacked)
		}
	}
	if _, err := Unpack(append(packed[:len(packed):len(packed)], 0)); !errors.Is(err, errPacked) {
		t.Errorf("with a byte more: %v, want %v", err, errPacked)
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 5000 {
		bad := bytes.Clone(packed)
		for range 1 + r.IntN(3) {
			bad[r.IntN(len(bad))] = byte(r.Uint32())
		}
		if got, err := Unpack(bad); err != nil && (got != nil || !errors.Is(err, errPacked)) {
			t.Fatalf("Unpack(%x) = %x, %v, want %v alone", bad, got, err, errPacked)
		}
	}
}

// A program comes back the same, from Go and from the script of the page, as the
// compiler made it and as it travels.
func TestProgram(t *testing.T) {
	if runtime.GOOS == "js" {
		t.Skip("needs to start programs")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "hard.wasm")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, "flockscope/wasm/pack/slim/testdata/hard")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	compiled, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	shrunk, err := NewProgram(compiled, runtime.Version())
	if err != nil {
		t.Fatal(err)
	}
	small := shrunk.Slim
	if len(small) > len(compiled)*9/10 || len(shrunk.Packed) > len(small)*6/10 || len(shrunk.Names) == 0 {
		t.Errorf("%d bytes become %d, and packed %d", len(compiled), len(small), len(shrunk.Packed))
	}
	foreign := bytes.Replace(compiled, []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8},
		[]byte{0xf2, 0xff, 0xff, 0xff, 0, 0, 1, 8}, 1)
	for name, other := range map[string]struct {
		program       []byte
		version, want string
	}{
		"another version":  {compiled, "go1.27.1", "it knows go1.26"},
		"a longer version": {compiled, "go1.260", "it knows go1.26"},
		"other tables":     {foreign, runtime.Version(), "the program has not one pclntab"},
	} {
		p, err := NewProgram(other.program, other.version)
		if err == nil || !strings.HasPrefix(err.Error(), "wasm/pack cannot pack what "+other.version+" compiles: "+other.want) {
			t.Errorf("%s: NewProgram says %v, want %q in it", name, err, other.want)
		}
		if !bytes.Equal(p.Packed, other.program) || !bytes.Equal(p.Slim, other.program) {
			t.Errorf("%s: the program is not as it was compiled", name)
		}
		if got, err := script(t, p.Packed); err != "" || !bytes.Equal(got, other.program) {
			t.Errorf("%s: of %d bytes the script makes other %d (%s)", name, len(other.program), len(got), err)
		}
		if got, err := Unpack(p.Packed); err != nil || !bytes.Equal(got, other.program) {
			t.Errorf("%s: of %d bytes Unpack makes other %d (%v)", name, len(other.program), len(got), err)
		}
	}
	for name, program := range map[string][]byte{"compiled": compiled, "slim": small,
		"small": module(bodies["br_table"], bodies["stack"])} {
		t.Run(name, func(t *testing.T) {
			packed, err := Pack(program)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := Unpack(packed); err != nil || !bytes.Equal(got, program) {
				t.Errorf("%d bytes come back as other %d (%v)", len(program), len(got), err)
			}
			if got, err := script(t, packed); err != "" || !bytes.Equal(got, program) {
				t.Errorf("%d bytes come back from the script as other %d (%s)", len(program), len(got), err)
			}
			middle := bytes.Clone(packed)
			clear(middle[len(middle)*3/5 : len(middle)*4/5]) // of the instructions
			for _, bad := range [][]byte{nil, []byte("<html>not a program"), packed[:len(packed)-1],
				packed[:len(packed)/2], middle} {
				if got, err := script(t, bad); err != "Error: it is damaged" {
					t.Errorf("%d damaged bytes come back from the script as %d (%q)", len(bad), len(got), err)
				}
			}
		})
	}
}

// script unpacks with assets/unpack.js under node, and returns what was thrown.
func script(t *testing.T, packed []byte) (module []byte, thrown string) {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("needs node")
	}
	const run = `require(process.argv[1]);
		let module;
		try {
			module = flockscopeUnpack(new Uint8Array(require("fs").readFileSync(0)));
		} catch (error) {
			process.stderr.write(String(error));
			process.exit();
		}
		require("fs").writeSync(1, "");
		require("fs").writeFileSync("/dev/stdout", module);`
	path, err := filepath.Abs("../../assets/unpack.js")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", run, path)
	var out, problem bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(packed), &out, &problem
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, &problem)
	}
	return out.Bytes(), problem.String()
}
