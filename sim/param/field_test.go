package param

import (
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var (
	fieldInt    = Field{Name: "K", Kind: Int, Min: 1, Max: 64}
	fieldBig    = Field{Name: "sd", Kind: Int, Min: 0, Max: 4294967295}
	fieldFloat  = Field{Name: "lr", Kind: Float, Min: 1e-6, Max: 10}
	fieldSigned = Field{Name: "x", Kind: Float, Min: -1e300, Max: 1e300}
	fieldSwitch = Field{Name: "stop", Kind: Switch}
	fieldChoice = Field{Name: "beta", Kind: Choice, Options: []Option{{Name: "mean"}, {Name: "newest"}, {Name: "1"}}}
	fieldList   = Field{Name: "star", Kind: Numbers, Min: -10, Max: 10}
)

func TestCanonical(t *testing.T) {
	tests := []struct {
		name  string
		field Field
		text  string
		want  string
	}{
		{"int", fieldInt, "12", "12"},
		{"least int", fieldInt, "1", "1"},
		{"largest int", fieldInt, "64", "64"},
		{"int with spaces", fieldInt, " 12\t", "12"},
		{"int with zeros in front", fieldInt, "007", "7"},
		{"int with a plus", fieldInt, "+5", "5"},
		{"int -0", fieldBig, "-0", "0"},
		{"32 bits", fieldBig, "4294967295", "4294967295"},

		{"float", fieldFloat, "0.1", "0.1"},
		{"float, more digits than it has", fieldFloat, "0.1000000000000000055511151231257827", "0.1"},
		{"float, zeros at the end", fieldFloat, "1.500", "1.5"},
		{"float, whole", fieldFloat, "3.0", "3"},
		{"float, bare point", fieldFloat, ".5", "0.5"},
		{"float, point at the end", fieldFloat, "5.", "5"},
		{"float, plus", fieldFloat, "+.25", "0.25"},
		{"float, exponent", fieldFloat, "1e-3", "0.001"},
		{"float, capital exponent", fieldFloat, "25E-2", "0.25"},
		{"float, smallest", fieldFloat, "1e-6", "0.000001"},
		{"float, largest", fieldFloat, "10", "10"},
		{"float -0", fieldSigned, "-0", "0"},
		{"float -0.0e5", fieldSigned, "-0.0e5", "0"},
		{"float below the smallest", fieldSigned, "1e-400", "0"},
		{"float below what stays short", fieldSigned, "0.0000001", "1e-07"},
		{"float at what stays short", fieldSigned, "1e14", "100000000000000"},
		{"float, huge", fieldSigned, "1e20", "1e+20"},
		{"float, all digits", fieldSigned, "0.30000000000000004", "0.30000000000000004"},

		{"switch 0", fieldSwitch, "0", "0"},
		{"switch 1", fieldSwitch, "1", "1"},
		{"switch true", fieldSwitch, "true", "1"},
		{"switch On", fieldSwitch, "On", "1"},
		{"switch YES", fieldSwitch, " YES ", "1"},
		{"switch off", fieldSwitch, "off", "0"},
		{"switch False", fieldSwitch, "False", "0"},
		{"switch no", fieldSwitch, "no", "0"},

		{"choice", fieldChoice, "newest", "newest"},
		{"choice with spaces", fieldChoice, " mean ", "mean"},
		{"choice that is a digit", fieldChoice, "1", "1"},

		{"no numbers", fieldList, "", ""},
		{"no numbers, spaces", fieldList, "  ", ""},
		{"one number", fieldList, "1.0", "1"},
		{"numbers", fieldList, " 1 , -0,+2.50 ", "1,0,2.5"},
		{"most numbers", fieldList, "1,2,3,4,5,6,7,8", "1,2,3,4,5,6,7,8"},
		{"order kept, repeats kept", fieldList, "3,1,3", "3,1,3"},
	}
	for _, tt := range tests {
		got, err := tt.field.Canonical(tt.text)
		if err != nil || got != tt.want {
			t.Errorf("%s: Canonical(%q) = %q, %v, want %q", tt.name, tt.text, got, err, tt.want)
			continue
		}
		if again, err := tt.field.Canonical(got); err != nil || again != got {
			t.Errorf("%s: Canonical(%q) = %q, %v, want it unchanged", tt.name, got, again, err)
		}
	}
}

func TestCanonicalRefuses(t *testing.T) {
	tests := []struct {
		name  string
		field Field
		text  string
		want  string // the whole message
	}{
		{"int, empty", fieldInt, "", `K: got "", want a whole number from 1 to 64`},
		{"int, word", fieldInt, "three", `K: got "three", want a whole number from 1 to 64`},
		{"int, too small", fieldInt, "0", `K: got "0", want a whole number from 1 to 64`},
		{"int, negative", fieldInt, "-3", `K: got "-3", want a whole number from 1 to 64`},
		{"int, too large", fieldInt, "65", `K: got "65", want a whole number from 1 to 64`},
		{"int, beyond 64 bits", fieldInt, "99999999999999999999", `K: got "99999999999999999999", want a whole number from 1 to 64`},
		{"int, fraction", fieldInt, "2.6", `K: got "2.6", want a whole number from 1 to 64 (nearest is 3)`},
		{"int, fraction far out", fieldInt, "99.5", `K: got "99.5", want a whole number from 1 to 64`},
		{"int, exponent", fieldInt, "1e1", `K: got "1e1", want a whole number from 1 to 64`},
		{"int, hex", fieldInt, "0x10", `K: got "0x10", want a whole number from 1 to 64`},
		{"int, underscore", fieldInt, "1_0", `K: got "1_0", want a whole number from 1 to 64`},
		{"int, two numbers", fieldInt, "1 2", `K: got "1 2", want a whole number from 1 to 64`},
		{"int, other digits", fieldInt, "٣", `K: got "٣", want a whole number from 1 to 64`},

		{"float, empty", fieldFloat, "", `lr: got "", want a number from 0.000001 to 10`},
		{"float, word", fieldFloat, "fast", `lr: got "fast", want a number from 0.000001 to 10`},
		{"float, too small", fieldFloat, "0", `lr: got "0", want a number from 0.000001 to 10`},
		{"float, too large", fieldFloat, "10.000001", `lr: got "10.000001", want a number from 0.000001 to 10`},
		{"float, NaN", fieldFloat, "NaN", `lr: got "NaN", want a number from 0.000001 to 10`},
		{"float, Inf", fieldFloat, "Inf", `lr: got "Inf", want a number from 0.000001 to 10`},
		{"float, -infinity", fieldSigned, "-infinity", `x: got "-infinity", want a number from -1e+300 to 1e+300`},
		{"float, overflow", fieldSigned, "1e999", `x: got "1e999", want a number from -1e+300 to 1e+300`},
		{"float, hex", fieldFloat, "0x1p-3", `lr: got "0x1p-3", want a number from 0.000001 to 10`},
		{"float, underscore", fieldFloat, "1_0.5", `lr: got "1_0.5", want a number from 0.000001 to 10`},
		{"float, comma", fieldFloat, "0,1", `lr: got "0,1", want a number from 0.000001 to 10`},

		{"switch, 2", fieldSwitch, "2", `stop: got "2", want 0 or 1`},
		{"switch, empty", fieldSwitch, "", `stop: got "", want 0 or 1`},

		{"choice, slip", fieldChoice, "maen", `beta: got "maen", want one of mean, newest, 1 (did you mean "mean"?)`},
		{"choice, nothing like it", fieldChoice, "average", `beta: got "average", want one of mean, newest, 1`},
		{"choice, empty", fieldChoice, "", `beta: got "", want one of mean, newest, 1`},

		{"list, word", fieldList, "1,two", `star: got "1,two", want numbers from -10 to 10, separated by commas (number 2 is "two")`},
		{"list, fraction among whole numbers", Field{Name: "w", Kind: Numbers, Min: 1, Max: 9, Whole: true}, "3,2.5", `w: got "3,2.5", want whole numbers from 1 to 9, separated by commas (number 2 is "2.5")`},
		{"list, empty where one is needed", Field{Name: "w", Kind: Numbers, Min: 1, Max: 9, MinCount: 1, Default: "4"}, " ", `w: got " ", want numbers from 1 to 9, separated by commas (such as 4)`},
		{"list, too few", Field{Name: "w", Kind: Numbers, Min: 1, Max: 9, MinCount: 3}, "1,2", `w: got "1,2", want numbers from 1 to 9, separated by commas (2 are too few)`},
		{"list, hole", fieldList, "1,,2", `star: got "1,,2", want numbers from -10 to 10, separated by commas (number 2 is "")`},
		{"list, comma at the end", fieldList, "1,2,", `star: got "1,2,", want numbers from -10 to 10, separated by commas (number 3 is "")`},
		{"list, out of range", fieldList, "1,-11", `star: got "1,-11", want numbers from -10 to 10, separated by commas (number 2 is "-11")`},
		{"list, NaN", fieldList, "nan", `star: got "nan", want numbers from -10 to 10, separated by commas (number 1 is "nan")`},
		{"list, too long", fieldList, "1,2,3,4,5,6,7,8,9", `star: got "1,2,3,4,5,6,7,8,9", want numbers from -10 to 10, separated by commas (9 numbers are too many)`},
		{"list, semicolons", fieldList, "1;2", `star: got "1;2", want numbers from -10 to 10, separated by commas (number 1 is "1;2")`},
	}
	for _, tt := range tests {
		got, err := tt.field.Canonical(tt.text)
		if got != "" || err == nil || err.Error() != tt.want {
			t.Errorf("%s: Canonical(%q) = %q, %v, want the error %s", tt.name, tt.text, got, err, tt.want)
			continue
		}
		var e *Error
		if !errors.As(err, &e) || e.Field != tt.field.Name || e.Got != tt.text {
			t.Errorf("%s: Canonical(%q) gives %#v, want a *Error with field and text", tt.name, tt.text, err)
		}
	}
}

// TestErrorIsOneShortLine: whatever the text, a message is one line of bounded
// length, and none of the text's control characters reach the terminal.
func TestErrorIsOneShortLine(t *testing.T) {
	const megabyte = 1 << 20
	tests := []struct {
		name  string
		field Field
		text  string
	}{
		{"long int", fieldInt, strings.Repeat("9", megabyte)},
		{"long float", fieldFloat, strings.Repeat("é", megabyte)},
		{"long choice", fieldChoice, strings.Repeat("mean", megabyte)},
		{"long list", fieldList, "1," + strings.Repeat("x", megabyte)},
		{"line break", fieldInt, "1\n2"},
		{"carriage return", fieldFloat, "1\r2"},
		{"escape sequence", fieldChoice, "\x1b[31mmean"},
		{"broken UTF-8", fieldChoice, "\xff\xfe"},
	}
	for _, tt := range tests {
		_, err := tt.field.Canonical(tt.text)
		if err == nil {
			t.Errorf("%s: accepted", tt.name)
			continue
		}
		text := err.Error()
		if len(text) > 300 {
			t.Errorf("%s: the message has %d bytes, want 300 at most", tt.name, len(text))
			continue
		}
		if !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			t.Errorf("%s: the message %q, want printable text on one line", tt.name, text)
		}
	}
}

// TestFormatFloatRoundTrips: every finite number comes back from its text, and
// its text from it.
func TestFormatFloatRoundTrips(t *testing.T) {
	const seed = 1
	r := rand.New(rand.NewPCG(seed, seed))
	for i := range 100_000 {
		v := math.Float64frombits(r.Uint64())
		if i%2 == 0 {
			v = math.Round(r.NormFloat64()*1e6) / 1e4
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		text := FormatFloat(v)
		back, err := strconv.ParseFloat(text, 64)
		if err != nil || back != v {
			t.Fatalf("seed %d: FormatFloat(%v) = %q, which reads as %v, %v", seed, v, text, back, err)
		}
		if again := FormatFloat(back); again != text {
			t.Fatalf("seed %d: FormatFloat(%v) = %q and then %q, want one text", seed, v, text, again)
		}
	}
	for _, tt := range []struct {
		v    float64
		want string
	}{{0, "0"}, {math.Copysign(0, -1), "0"}, {1e-6, "0.000001"}, {9.9e-7, "9.9e-07"}, {1e15, "1e+15"},
		{999999999999999, "999999999999999"}, {-0.5, "-0.5"}} {
		if got := FormatFloat(tt.v); got != tt.want {
			t.Errorf("FormatFloat(%v) = %q, want %q", tt.v, got, tt.want)
		}
	}
}

func TestRange(t *testing.T) {
	tests := []struct {
		name      string
		field     Field
		low, high float64
	}{
		{"whole range", Field{Min: 2, Max: 9}, 2, 9},
		{"part", Field{Min: 1, Max: 2000, Low: 3, High: 96}, 3, 96},
		{"from zero", Field{Min: 0, Max: 80, High: 45}, 0, 45},
	}
	for _, tt := range tests {
		if low, high := tt.field.Range(); low != tt.low || high != tt.high {
			t.Errorf("%s: Range() = %v, %v, want %v, %v", tt.name, low, high, tt.low, tt.high)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, text := range []string{"", "1", "-0", "1e5", "NaN", "0x1p4", "1_0", "mean", "1,2", ",", "yes", " 7 ",
		"1e-400", "\x00"} {
		f.Add(text)
	}
	fields := []Field{fieldInt, fieldBig, fieldFloat, fieldSigned, fieldSwitch, fieldChoice, fieldList}
	f.Fuzz(func(t *testing.T, text string) {
		for i := range fields {
			got, err := fields[i].Canonical(text)
			if err != nil {
				_ = err.Error()
				continue
			}
			if again, err := fields[i].Canonical(got); err != nil || again != got {
				t.Errorf("%s: Canonical(%q) = %q, whose own is %q, %v", fields[i].Name, text, got, again, err)
			}
			v := Given{fields[i].Name: got}.Values()
			switch fields[i].Kind { // none may panic on canonical text
			case Int:
				v.Int(fields[i].Name)
			case Float:
				v.Float(fields[i].Name)
			case Numbers:
				v.Numbers(fields[i].Name)
			}
		}
	})
}
