package guard

import (
	"strings"
	"syscall/js"
	"testing"
)

func bigInt() js.Value { return js.Global().Get("BigInt").Invoke("12345678901234567890") }

// A panic ends its call and nothing else, and is told.
func TestFuncOf(t *testing.T) {
	var told []string
	OnPanic = func(problem string) { told = append(told, problem) }
	defer func() { OnPanic = nil }()
	console := js.Global().Get("console")
	original := console.Get("error")
	lines := 0
	quiet := js.FuncOf(func(js.Value, []js.Value) any { lines++; return nil })
	defer quiet.Release()
	console.Set("error", quiet)
	defer console.Set("error", original)

	throws := js.Global().Get("Function").New("throw 1n")
	for name, body := range map[string]func(args []js.Value){
		"panic":             func([]js.Value) { panic("broken") },
		"type of a BigInt":  func(args []js.Value) { args[0].Type() },
		"member of nothing": func([]js.Value) { js.Undefined().Get("x") },
		"missing argument":  func(args []js.Value) { _ = args[1] },
		"division by zero":  func(args []js.Value) { n := len(args) - 1; _ = 1 / n },
		"thrown BigInt":     func([]js.Value) { throws.Invoke() },
	} {
		told, lines = nil, 0
		f := FuncOf(func(_ js.Value, args []js.Value) any { body(args); return 1 })
		if got := f.Invoke(bigInt()); !got.IsNull() {
			t.Errorf("%s: the call returns %v, want null", name, got)
		}
		if len(told) != 1 || !strings.HasPrefix(told[0], "an internal error") || lines != 1 {
			t.Errorf("%s: told %q and %d lines on the console, want one each", name, told, lines)
		}
		f.Release()
	}
	OnPanic = func(string) { panic("again") }
	f := FuncOf(func(js.Value, []js.Value) any { panic("broken") })
	defer f.Release()
	f.Invoke() // ends
	sum := FuncOf(func(_ js.Value, args []js.Value) any { return args[0].Int() + args[1].Int() })
	defer sum.Release()
	if got := sum.Invoke(2, 3).Int(); got != 5 {
		t.Errorf("a sound call returns %d, want 5", got)
	}
}

// values are one of each kind that JavaScript has.
func values() map[string]js.Value {
	eval := func(expression string) js.Value {
		return js.Global().Get("Function").New("return " + expression).Invoke()
	}
	out := map[string]js.Value{}
	for _, expression := range []string{
		"undefined", "null", "true", "0", "-0", "NaN", "Infinity", "1n", "-(2n ** 70n)", "''", "'text'", "'\\ud800'", "Symbol('s')",
		"() => 1", "({})", "[]", "[1n]", "new Map([[1, 2]])", "new Set()", "new Date()", "/x/", "new Uint8Array(3)",
		"new ArrayBuffer(3)", "Object.create(null)", "Object(1n)", "new String('x')", "new Error('e')",
		"(x => x.x = x)({})", "globalThis", "new (class Own {})()",
	} {
		out[expression] = eval(expression)
	}
	return out
}

func TestTypeOf(t *testing.T) {
	wants := map[string]js.Type{"undefined": js.TypeUndefined, "null": js.TypeNull, "true": js.TypeBoolean,
		"0": js.TypeNumber, "-0": js.TypeNumber,
		"NaN": js.TypeNumber, "Infinity": js.TypeNumber, "1n": Other, "-(2n ** 70n)": Other, "''": js.TypeString, "'text'": js.TypeString,
		"'\\ud800'": js.TypeString, "Symbol('s')": js.TypeSymbol, "() => 1": js.TypeFunction}
	plain := map[string]bool{"({})": true, "(x => x.x = x)({})": true}
	for expression, v := range values() {
		want, ok := wants[expression]
		if !ok {
			want = js.TypeObject
		}
		if got := TypeOf(v); got != want {
			t.Errorf("TypeOf(%s) = %d, want %d", expression, got, want)
		}
		if _, ok := Text(v, 100); ok != (want == js.TypeString) {
			t.Errorf("Text(%s) is %v", expression, ok)
		}
		if got := IsPlain(v); got != plain[expression] {
			t.Errorf("IsPlain(%s) = %v", expression, got)
		}
	}
}

func TestTextIsBounded(t *testing.T) {
	long := js.Global().Get("String").New("x").Call("repeat", 1000)
	if _, ok := Text(long, 999); ok {
		t.Error("Text takes 1000 units where 999 are allowed")
	}
	if text, ok := Text(long, 1000); !ok || len(text) != 1000 {
		t.Errorf("Text takes %d of 1000 units", len(text))
	}
}
