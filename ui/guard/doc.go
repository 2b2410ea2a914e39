// Package guard keeps the program alive whatever the page around it, or the browser,
// hands to it. Its functions exist only where Go is compiled for the browser
// (guard_js.go); no other package calls syscall/js's FuncOf.
package guard
