package slim

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
)

// dropNames removes the names of functions, a fortieth of the compressed program, which
// only the trace of a crash shows. Started with GOTRACEBACK=system, the program shows
// addresses instead, and Names lists what is there.
//
// What the runtime itself reads of a name stays: whether it begins with "runtime."
// (isSystemGoroutine in runtime/traceback.go); whether it is one of two stubs
// (argMapInternal in runtime/stkframe.go); and, for an error, the parts of the name of a
// method of a pointer (panicwrap in runtime/error.go).
func dropNames(table []byte) {
	names := nameTable(table)
	left := []byte{0} // the offset 0 stands for no name
	at := map[string]int{}
	for f := range functions(table) {
		name := shortName(nameAt(names, uint32At(f, nameField)))
		if at[name] == 0 {
			at[name] = len(left)
			left = append(append(left, name...), 0)
		}
		binary.LittleEndian.PutUint32(f[nameField:], uint32(at[name]))
	}
	clear(names[copy(names, left):])
}

// shortName returns the remaining part of a function's name.
func shortName(name string) string {
	switch {
	case name == "reflect.makeFuncStub", name == "reflect.methodValueCall":
		return name
	case strings.HasPrefix(name, "runtime."):
		return "runtime.?"
	}
	return "?.(*?).?"
}

// nameTable returns the names of functions, each of which ends with a zero.
func nameTable(table []byte) []byte { return table[uint64At(table, 32):uint64At(table, 40)] }

func nameAt(names []byte, at int) string {
	name, _, _ := bytes.Cut(names[at:], []byte{0})
	return string(name)
}

// Names returns the names of a program's functions, one per line: the addresses of the
// function in hexadecimal, without the last four digits, and its name. A trace with
// pc=0x1a2b0007 is in the function 1a2b.
func Names(program []byte) ([]byte, error) {
	var lines []byte
	_, err := rewriteMemory(program, func(memory []byte) error {
		at, err := findPclntab(memory)
		if err != nil {
			return err
		}
		for f := range functions(memory[at:]) {
			lines = fmt.Appendf(lines, "%x %s\n", uint32At(f, entryField),
				nameAt(nameTable(memory[at:]), uint32At(f, nameField)))
		}
		return nil
	})
	return lines, err
}
