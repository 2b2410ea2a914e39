package web

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
)

// Policy is the Content-Security-Policy of every answer but pages; see PolicyAt.
// Compiling WebAssembly needs 'wasm-unsafe-eval'. A worker in a sandboxed frame is made
// from a blob, hence blob: in script-src and worker-src. frame-ancestors * lets other
// pages embed this one.
const Policy = "default-src 'none'; " +
	"script-src 'self' blob: 'wasm-unsafe-eval'; " +
	"worker-src 'self' blob:; " +
	"style-src 'self'; " +
	"img-src 'self' data: blob:; " +
	"font-src 'self'; " +
	"frame-src 'self'; " + // the preview of a frame
	"connect-src 'self' https:; " + // data files whose address the user types
	"manifest-src 'self'; " +
	"frame-ancestors *; " +
	"base-uri 'none'; " +
	"form-action 'none'; " +
	"object-src 'none'"

// PolicyAt is the policy of a page of the server at an address, "" if that is not known.
// In a sandboxed frame, which has no origin, 'self' matches nothing in WebKit, so the
// policy names the address as well. An address with http: also allows https:.
func PolicyAt(origin string) string {
	if origin == "" {
		return Policy
	}
	return strings.ReplaceAll(Policy, "'self'", "'self' "+origin)
}

// Headers are the headers of every answer. Cross-Origin-Embedder-Policy and
// Cross-Origin-Resource-Policy let the page load inside pages that are cross-origin
// isolated. Document-Isolation-Policy, which only Chromium knows, isolates the page itself,
// in a frame or not, so that its workers can share memory: two workers are then faster, and
// nothing depends on it. Access-Control-Allow-Origin lets the page fetch its own files from
// inside a sandboxed frame, whose origin is null. Caches ask again before they repeat an
// answer, unless it has a Cache-Control of its own.
var Headers = map[string]string{
	"Content-Security-Policy":      Policy,
	"Cross-Origin-Embedder-Policy": "require-corp",
	"Cross-Origin-Resource-Policy": "cross-origin",
	"Access-Control-Allow-Origin":  "*",
	"Document-Isolation-Policy":    "isolate-and-require-corp",
	"X-Content-Type-Options":       "nosniff",
	"Cache-Control":                "no-cache",
	// Other sites do not learn which link a request came from.
	"Referrer-Policy": "no-referrer",
	// Features that neither the page nor an embedded frame needs.
	"Permissions-Policy": "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), " +
		"magnetometer=(), microphone=(), midi=(), payment=(), usb=()",
	"X-Permitted-Cross-Domain-Policies": "none",
}

// SecureHeaders are added to Headers over https. For a year a browser then uses https
// only, for this host and not for others of the domain.
var SecureHeaders = map[string]string{"Strict-Transport-Security": "max-age=31536000"}

// The content types of answers.
const (
	typeHTML = "text/html; charset=utf-8"
	typeText = "text/plain; charset=utf-8"
	typeJSON = "application/json"
	typeSVG  = "image/svg+xml"
	typePNG  = "image/png"
)

// cacheControlHeader is the header of RFC 9213 that says how long a shared cache in front of the server
// may repeat an answer. The Worker has such a cache, which a new version of the site
// empties.
const cacheControlHeader = "CDN-Cache-Control"

// oneDay is for answers that change only with the site.
const oneDay = "max-age=86400"

// respond writes a whole answer with the common headers and its content type. It writes
// every answer of this package. Answers that a cache may keep have an ETag, a weak one
// because servers compress.
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
	if len(body) > 0 { // the Worker's writer would block forever without a reader
		w.Write(body)
	}
}
