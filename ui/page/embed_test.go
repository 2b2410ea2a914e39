package page_test

import (
	"fmt"
	"strings"
	"testing"

	"flockscope/sim/catalog"
	. "flockscope/ui/page"
)

// The address of a frame contains the options of its author again.
func TestEmbeddingRoundTrip(t *testing.T) {
	for _, query := range []string{
		usual + "&t=14&embed=1&controls=none",
		usual + "&t=0&embed=1&controls=play,scrub,dphi&hide=data,losses&lanes=1&autoplay=1&loop=1&keys=0&id=slide+3%2F4&origin=https%3A%2F%2Fexample.org%3A8443",
		usual + "&t=0&embed=1&autoplay=0",
	} {
		a := New(catalog.Schema(), "?"+query)
		if got := a.Query(); got != query {
			t.Errorf("%q comes back as %q", query, got)
		}
		if len(noticed(a))+len(a.ConsoleWarnings) > 0 {
			t.Errorf("%q is noticed: %q, %q", query, noticed(a), a.ConsoleWarnings)
		}
		if got := a.Link(); strings.Contains(got, "embed") || strings.Contains(got, "controls") ||
			strings.Contains(got, "origin") {
			t.Errorf("a link from the frame %q is for a frame too: %q", query, got)
		}
	}
}

// Unknown words become warnings in the console, invalid values become notices.
func TestEmbeddingProblems(t *testing.T) {
	tests := []struct{ query, asides, notices string }{
		{"hide=map,sky,sky&controls=play,map,<b", "hide=sky names nothing on this page|controls=map names nothing on this page|controls=<b names nothing on this page", ""},
		{"embed=1&sigmo=1", "", `This link has unknown settings: sigmo (did you mean "sigma"?). The run is computed without them.`},
		{"lanes=5", "", "lanes=5 is not valid here: expected 1 to 4."},
		{"lanes=x&loop=yes&autoplay=on&keys=off", "", "lanes=x is not valid here: expected 1 to 4.|autoplay=on is not valid here: expected 0 or 1.|loop=yes is not valid here: expected 0 or 1.|keys=off is not valid here: expected 0 or 1."},
		{"origin=example.org", "", "origin=example.org is not an origin: expected one such as https://example.org."},
		{"origin=javascript:alert(1)x", "", "origin=javascript:alert(1)x is not an origin: expected one such as https://example.org."},
	}
	for _, tt := range tests {
		a := New(catalog.Schema(), tt.query)
		if got := strings.Join(a.ConsoleWarnings, "|"); got != tt.asides {
			t.Errorf("%s tells the console\n%q, want\n%q", tt.query, got, tt.asides)
		}
		if got := strings.Join(noticed(a), "|"); got != tt.notices {
			t.Errorf("%s tells the person\n%q, want\n%q", tt.query, got, tt.notices)
		}
	}
}

// As many lanes are shown as the author allows, including the focused one.
func TestLanesShown(t *testing.T) {
	const four = "algos=cflgp,ifca,clove,fedavg"
	tests := []struct {
		query string
		want  string
	}{
		{four, "[0 1 2 3]"},
		{four + "&lanes=2", "[0 1]"},
		{four + "&lanes=2&lane=2", "[0 1]"},
		{four + "&lanes=2&lane=4", "[2 3]"},
		{four + "&lanes=1&lane=3", "[2]"},
		{"algos=cflgp&lanes=3", "[0]"},
	}
	for _, tt := range tests {
		a := New(catalog.Schema(), tt.query)
		if got := fmt.Sprint(a.LanesShown()); got != tt.want {
			t.Errorf("%s shows the lanes %s, want %s", tt.query, got, tt.want)
		}
	}
}

// The main settings are those that the author chose, in that order.
func TestMainSettings(t *testing.T) {
	tests := []struct{ query, want string }{
		{"", "dphi"},
		{"controls=b,dphi,play", "b dphi"},
		{"controls=play", ""},
		{"controls=hero", "dphi"},
		{"controls=dphi,kappa", "dphi"}, // no method here has kappa
	}
	for _, tt := range tests {
		var got []string
		for _, f := range New(catalog.Schema(), tt.query).MainSettings() {
			got = append(got, f.Name)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q has at hand %q, want %q", tt.query, got, tt.want)
		}
	}
}
