package pack

import (
	"fmt"
	"runtime"

	"flockscope/wasm/pack/slim"
)

// Program is a program that Go has compiled for WebAssembly, as it travels.
type Program struct {
	Slim   []byte // a WebAssembly module that does the same
	Packed []byte // that module in this package's format
	Names  []byte // of its functions, a line each, for traces of crashes; see [slim.Names]
}

// NewProgram makes a program smaller, after its compilation with -ldflags=-s -w. Its
// error says that this version of Go writes programs otherwise than this package reads.
func NewProgram(compiled []byte) (p Program, err error) {
	if p.Names, err = slim.Names(compiled); err == nil {
		p.Slim, err = slim.Program(compiled)
	}
	if err == nil {
		p.Packed, err = Pack(p.Slim)
	}
	if err != nil {
		return Program{}, fmt.Errorf("a program that %s compiled is not as wasm/pack expects: %w; "+
			"wasm/pack/FORMAT.md says what it expects and how to build without it", runtime.Version(), err)
	}
	return p, nil
}
