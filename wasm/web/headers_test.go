package web

import (
	"strings"
	"testing"
)

// TestHeadersAllowFrames: what lets the page live in frames of others, in isolated
// pages and without an origin of its own, and its workers share memory. That every
// answer has these headers, on both servers, is tested where the servers are.
func TestHeadersAllowFrames(t *testing.T) {
	for name, want := range map[string]string{
		"Cross-Origin-Embedder-Policy": "require-corp",
		"Cross-Origin-Resource-Policy": "cross-origin",
		"Document-Isolation-Policy":    "isolate-and-require-corp",
		"Access-Control-Allow-Origin":  "*",
		"Referrer-Policy":              "no-referrer",
		"X-Content-Type-Options":       "nosniff",

		"X-Permitted-Cross-Domain-Policies": "none",
		// Only over https, which the servers know.
		"Strict-Transport-Security": "",
		"X-Frame-Options":           "", // it would close every frame
		// It would cut off the page that opened this one, and Firefox 153 then loses
		// now and then what a service worker answers to whoever comes by a link.
		"Cross-Origin-Opener-Policy": "",
	} {
		if got := Headers[name]; got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	for _, want := range []string{"default-src 'none'", "frame-ancestors *",
		"script-src 'self' blob: 'wasm-unsafe-eval'", "worker-src 'self' blob:", "frame-src 'self'"} {
		if !strings.Contains(Headers["Content-Security-Policy"], want+";") {
			t.Errorf("the policy has no %s", want)
		}
	}
	if got := PolicyAt("http://h:80"); !strings.Contains(got, "; style-src 'self' http://h:80; ") ||
		PolicyAt("") != Policy {
		t.Errorf("at an address the policy of a page is %s", got)
	}
}
