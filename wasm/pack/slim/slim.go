// Package slim makes programs smaller that Go has compiled for WebAssembly, for sending:
// it drops what only the trace of a crash shows, has the program compute what follows
// from the rest, and writes its initial memory so that it compresses better. The program
// behaves the same.
//
//	slim.go     the sections of a module
//	pclntab.go  the tables of functions: index.go, lines.go and names.go make them smaller
//	memory.go   the memory that a program begins with
//	start.go    the function that computes the rest when the program starts
package slim

// Program returns a smaller program that does the same.
func Program(program []byte) ([]byte, error) {
	var x index
	program, err := rewriteMemory(program, func(memory []byte) error {
		at, err := findPclntab(memory)
		if err != nil {
			return err
		}
		module, err := findModule(memory, at)
		if err != nil {
			return err
		}
		dropLines(memory[at:])
		dropNames(memory[at:])
		x, err = dropIndex(memory, module, at)
		return err
	})
	if err != nil {
		return nil, err
	}
	return addStart(program, x.restore())
}
