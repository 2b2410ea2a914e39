package say_test

import (
	"math"
	"testing"

	"flockscope/sim/say"
)

// Numbers for people have no exponents and no sixteen digits.
func TestNumber(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", -1: "-1", 999: "999", 1000: "1 000", 12345.678: "12 346", -1234567: "-1 234 567",
		1.0000814826935432e+06: "1 000 081", 0.1 + 0.2: "0.3", 3.14159265: "3.142", 0.00001: "0.00001",
		1.5e-5: "0.000015", 999.96: "1 000", 99.995: "100", 1e9: "1 000 000 000", 4294967295: "4 294 967 295", 1e15: "1e15",
		-1e300: "-1e300", 1.23456e-9: "1.235e-9", 2.5e-12: "2.5e-12", math.Inf(1): "+Inf",
	} {
		if got := say.Number(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
	if a, b, c := say.Figures(0.0123, 1), say.Figures(95.4, 1), say.Figures(1234.5, 2); a != "0.01" || b != "95" ||
		c != "1 234" {
		t.Errorf("with one digit or two: %q, %q and %q", a, b, c)
	}
	if got := say.Number(math.NaN()); got != "NaN" {
		t.Errorf("NaN is %q", got)
	}
	for n, want := range map[int]string{0: "0 records", 1: "1 record", 2: "2 records", 14100: "14 100 records",
		math.MinInt64: "-9 223 372 036 854 775 808 records"} {
		if got := say.Amount(n, "record"); got != want {
			t.Errorf("%d records are %q, want %q", n, got, want)
		}
	}
	if say.Either(1, "is", "are") != "is" || say.Either(0, "is", "are") != "are" {
		t.Error("one is, none are")
	}
}
