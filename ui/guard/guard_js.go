package guard

import (
	"fmt"
	"runtime"
	"syscall/js"
)

// OnPanic, unless it is nil, is called with a sentence about each recovered panic.
var OnPanic func(problem string)

// FuncOf is [js.FuncOf] for a function whose panics end that one call, not the program.
// They are logged to the console with a stack trace, and OnPanic is called.
func FuncOf(f func(this js.Value, args []js.Value) any) js.Func {
	return js.FuncOf(func(this js.Value, args []js.Value) (result any) {
		Do(func() { result = f(this, args) })
		return result
	})
}

// Do calls f as FuncOf does: for callbacks that a library makes.
func Do(f func()) {
	defer func() {
		if problem := recover(); problem != nil {
			report(problem)
		}
	}()
	f()
}

// report must not panic itself, whatever it is about.
func report(problem any) {
	defer func() { _ = recover() }()
	stack := make([]byte, 8<<10)
	stack = stack[:runtime.Stack(stack, false)]
	text := fmt.Sprint(problem) // which catches a panic of the value's own Error method
	js.Global().Get("console").Call("error", "Flockscope caught a panic and goes on: "+text+"\n"+string(stack))
	if OnPanic != nil {
		OnPanic("an internal error ended what was under way: " + text)
	}
}

// Other is the type of a value that syscall/js does not know, such as a BigInt: its own
// Type panics, and so do all methods that call it.
const Other js.Type = -1

// TypeOf returns the type of any value.
func TypeOf(v js.Value) (t js.Type) {
	defer func() {
		if recover() != nil {
			t = Other
		}
	}()
	return v.Type()
}

// Text returns a string of at most longest UTF-16 units, and false for all other values.
// A longer one is not copied: a string from outside may be as long as all memory.
func Text(v js.Value, longest int) (text string, ok bool) {
	if TypeOf(v) != js.TypeString {
		return "", false
	}
	if object := js.Global().Get("Object").Invoke(v); object.Length() > longest {
		return "", false
	}
	return v.String(), true
}

// IsPlain reports whether a value is a plain object, as {} is: not an array, which may have
// as many keys as bytes, and not an object of the browser's.
func IsPlain(v js.Value) bool {
	if TypeOf(v) != js.TypeObject {
		return false
	}
	object := js.Global().Get("Object")
	return object.Call("getPrototypeOf", v).Equal(object.Get("prototype"))
}
