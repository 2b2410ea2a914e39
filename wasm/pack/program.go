package pack

import (
	"fmt"
	"strings"

	"flockscope/wasm/pack/slim"
)

// Program is a WebAssembly program compiled by Go, in the form in which it is sent.
type Program struct {
	Slim   []byte // an equivalent, smaller WebAssembly module
	Packed []byte // Slim in this package's format, or Slim itself if it cannot be packed
	// names of its functions, one per line, for traces of crashes; see [slim.Names]; nil if traces have names
	Names []byte
}

// goVersion is the version of Go whose programs this package reads: it relies on what
// FORMAT.md lists, which the next version may change.
const goVersion = "go1.26"

// Knows reports whether this package supports programs compiled by a version of Go ([runtime.Version]).
func Knows(version string) bool {
	return version == goVersion || strings.HasPrefix(version, goVersion+".")
}

// NewProgram makes a program smaller that was compiled with -ldflags=-s -w. If this package does not support its
// version of Go, or the program is not as expected, the error says so, and the program is the compiled one.
func NewProgram(compiled []byte, version string) (Program, error) {
	p, err := newProgram(compiled, version)
	if err != nil {
		return Program{Slim: compiled, Packed: compiled}, fmt.Errorf("wasm/pack cannot pack what %s compiles: %w", version, err)
	}
	return p, nil
}

func newProgram(compiled []byte, version string) (p Program, err error) {
	if !Knows(version) {
		return p, fmt.Errorf("it knows %s", goVersion)
	}
	if p.Names, err = slim.Names(compiled); err != nil {
		return p, err
	}
	if p.Slim, err = slim.Program(compiled); err != nil {
		return p, err
	}
	p.Packed, err = Pack(p.Slim)
	return p, err
}
