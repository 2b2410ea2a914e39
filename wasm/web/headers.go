package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// Policy is the Content-Security-Policy of every answer but pages; see PolicyAt. Compiling WebAssembly
// needs 'wasm-unsafe-eval'; blob: in script-src and worker-src is for the
// worker that is made from a blob inside a sandboxed frame; frame-ancestors *
// invites other pages to embed this one.
const Policy = "default-src 'none'; " +
	"script-src 'self' blob: 'wasm-unsafe-eval'; " +
	"worker-src 'self' blob:; " +
	"style-src 'self'; " +
	"img-src 'self' data: blob:; " +
	"font-src 'self'; " +
	"frame-src 'self'; " + // the preview of a frame
	"connect-src 'self' https:; " + // a page fetches from elsewhere what its user types the address of
	"manifest-src 'self'; " +
	"frame-ancestors *; " +
	"base-uri 'none'; " +
	"form-action 'none'; " +
	"object-src 'none'"

// PolicyAt is the policy of a page of the server at an address, "" if that is not known.
// In a sandboxed frame, which has no origin, WebKit has 'self' match nothing, so the
// address stands beside it. One that begins with http: stands for https:, too.
func PolicyAt(origin string) string {
	if origin == "" {
		return Policy
	}
	return strings.ReplaceAll(Policy, "'self'", "'self' "+origin)
}

// Headers go with every answer. Two of them let the page load inside pages that are
// cross-origin isolated, Cross-Origin-Embedder-Policy and -Resource-Policy. In browsers
// that know it, Chromium's, Document-Isolation-Policy isolates the page itself, in a
// frame or not: so its workers may share memory, which makes two of them faster and is
// never needed. Pages that are not isolated talk with it by messages only, as those of
// other origins do. Access-Control-Allow-Origin lets the page fetch its own files from
// inside a sandboxed frame, whose origin is null. No answer is kept without asking
// again unless it says so itself.
var Headers = map[string]string{
	"Content-Security-Policy":      Policy,
	"Cross-Origin-Embedder-Policy": "require-corp",
	"Cross-Origin-Resource-Policy": "cross-origin",
	"Access-Control-Allow-Origin":  "*",
	"Document-Isolation-Policy":    "isolate-and-require-corp",
	"X-Content-Type-Options":       "nosniff",
	"Cache-Control":                "no-cache",
	// Nobody that a page loads from or leads to learns which link it was.
	"Referrer-Policy": "no-referrer",
	// Features that the page has no use for, for itself and for what it might be made to embed.
	"Permissions-Policy": "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), " +
		"magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
	"X-Permitted-Cross-Domain-Policies": "none",
}

// SecureHeaders go with every answer over https, beside Headers. A browser that
// was here once does not come by plain http for a year. Other hosts of the same
// domain are not spoken for.
var SecureHeaders = map[string]string{"Strict-Transport-Security": "max-age=31536000"}

// The content types of answers.
const (
	typeHTML = "text/html; charset=utf-8"
	typeText = "text/plain; charset=utf-8"
	typeJSON = "application/json"
	typeSVG  = "image/svg+xml"
	typePNG  = "image/png"
)

// keep is the header, of RFC 9213, by which an answer says how long a shared
// cache in front of the server may repeat it. The Worker has such a cache, and
// forgets it with a new version of the site.
const keep = "CDN-Cache-Control"

// A day, for what stays the same until the site changes.
const day = "max-age=86400"

// respond writes a whole answer. Every answer of this package comes from here,
// so none is without the common headers or of a type that is guessed. What may
// be kept has an ETag, a weak one because servers compress.
func respond(w http.ResponseWriter, status int, kind string, body []byte) {
	h := w.Header()
	for name, value := range Headers {
		if h.Get(name) == "" {
			h.Set(name, value)
		}
	}
	h.Set("Content-Type", kind)
	if status == http.StatusOK && h.Get("Cache-Control") != "no-store" {
		sum := sha256.Sum256(body)
		h.Set("ETag", `W/"`+hex.EncodeToString(sum[:8])+`"`)
	}
	w.WriteHeader(status)
	if len(body) > 0 { // the Worker's writer would wait for ever for a reader of nothing
		w.Write(body)
	}
}
