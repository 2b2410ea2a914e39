package kernel

import (
	"os"
	"testing"
)

// TestName: under node the module is there, unless it is left out on purpose.
func TestName(t *testing.T) {
	want := "simd"
	if os.Getenv("FLOCKSCOPE_SIMD") == "0" {
		want = "portable"
	}
	if Name() != want || Available() != (want == "simd") {
		t.Errorf("Name(), Available() = %s, %v, want %s", Name(), Available(), want)
	}
}
