package files

import (
	"encoding/json"
	"testing"
)

func TestQuote(t *testing.T) {
	for _, text := range []string{"", "plain", `a "b" \c`, "line\nbreak\ttab\x00", "Δφ 20° — ünï 日本"} {
		var back string
		if err := json.Unmarshal([]byte(quote(text)), &back); err != nil || back != text {
			t.Errorf("%q is written %s and read %q, %v", text, quote(text), back, err)
		}
	}
}
