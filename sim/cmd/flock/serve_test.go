package main

import (
	"errors"
	"slices"
	"testing"
)

func TestServerCommand(t *testing.T) {
	tests := []struct {
		name   string
		there  []string // programs that can be found
		source bool
		want   []string
	}{
		{"beside", []string{"/opt/flock-serve", "flock-serve", "go"}, true, []string{"/opt/flock-serve"}},
		{"in the path", []string{"flock-serve", "go"}, true, []string{"flock-serve"}},
		{"from source", []string{"go"}, true, []string{"go", "run", "flockscope/wasm/serve"}},
		{"elsewhere", []string{"go"}, false, nil},
		{"nothing", nil, true, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			look := func(name string) (string, error) {
				if slices.Contains(tt.there, name) {
					return name, nil
				}
				return "", errors.New("not found")
			}
			self := func() (string, error) { return "/opt/flock", nil }
			got, err := serverCommand(self, look, func(string) bool { return tt.source })
			if !slices.Equal(got, tt.want) || (err == nil) != (tt.want != nil) {
				t.Errorf("serverCommand = %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}
