//go:build !js

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The log has the status and size that were sent, and a panic never looks like a complete
// answer.
func TestWithLog(t *testing.T) {
	for _, tt := range []struct {
		name, method string
		handler      http.HandlerFunc
		line         string
		status       int
		aborts       bool
	}{
		{"in two parts", "GET", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("12345")); w.Write([]byte("678")) }, `GET "/" 200 8`, 200, false},
		{"with a status", "GET", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); w.Write([]byte("no")) }, `GET "/" 404 2`, 404, false},
		{"the first status counts", "GET", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404); w.WriteHeader(200) }, `GET "/" 404 0`, 404, false},
		{"a body is a status", "GET", func(w http.ResponseWriter, _ *http.Request) { w.Write(nil); w.WriteHeader(500) }, `GET "/" 200 0`, 200, false},
		{"HEAD", "HEAD", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("12345")) }, `HEAD "/" 200 0`, 200, false},
		{"panic", "GET", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Mine", "1"); panic("on purpose") }, `GET "/" 500 55`, 500, false},
		{"panic after a part", "GET", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("12345")); panic("on purpose") }, `GET "/" 200 5`, 200, true},
		{"a handler that changes the request", "GET", func(w http.ResponseWriter, r *http.Request) { r.Method, r.URL.Path = "PUT", "/x"; w.Write(nil) }, `GET "/" 200 0`, 200, false},
	} {
		messages, lines := captureLog(t), new(strings.Builder)
		h := withLog(tt.handler, map[string]string{"Ours": "2"}, newAccessLog(lines, true))
		w := httptest.NewRecorder()
		aborted := func() (problem any) {
			defer func() { problem = recover() }()
			h.ServeHTTP(w, httptest.NewRequest(tt.method, "/", nil))
			return nil
		}()
		if want := `^\S+ ` + tt.line + ` \d+\.\d{3} 192\.0\.2\.1\n$`; !regexp.MustCompile(want).MatchString(lines.String()) {
			t.Errorf("%s: the log is %q, want %s", tt.name, lines, want)
		}
		if w.Code != tt.status || (aborted == http.ErrAbortHandler) != tt.aborts || !tt.aborts && aborted != nil {
			t.Errorf("%s: status %d, panics with %v, want %d, aborted %v", tt.name, w.Code, aborted, tt.status,
				tt.aborts)
		}
		if got, mine := w.Header().Get("Ours"), w.Header().Get("Mine"); got != "2" || mine != "" {
			t.Errorf("%s: the headers are %v", tt.name, w.Header())
		}
		panics := strings.HasPrefix(tt.name, "panic")
		if strings.Contains(messages.String(), "panic: on purpose") != panics ||
			strings.Contains(messages.String(), "192.0.2.1") {
			t.Errorf("%s: it says %q", tt.name, messages)
		}
	}
}

// A long path is shortened, and a nil log writes nothing.
func TestAccessLog(t *testing.T) {
	for size, want := range map[int]string{200: "x{200}", 201: "x{200}…"} {
		var out strings.Builder
		newAccessLog(&out, false).add("GET", strings.Repeat("x", size), 200, 1234, 1500*time.Millisecond, "192.0.2.1:1")
		line := fmt.Sprintf(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ GET "%s" 200 1234 1\.500\n$`, want)
		if !regexp.MustCompile(line).MatchString(out.String()) {
			t.Errorf("a path of %d bytes gives %q, want %s", size, out.String(), line)
		}
	}
	(*accessLog)(nil).add("GET", "/", 200, 0, 0, "")
}
