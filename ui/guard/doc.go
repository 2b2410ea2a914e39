// Package guard keeps the program alive whatever values the surrounding page or the
// browser passes to it. Its functions exist only where Go is compiled for the browser
// (guard_js.go); no other package calls syscall/js's FuncOf.
package guard
