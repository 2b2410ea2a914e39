package version

import (
	"regexp"
	"runtime/debug"
	"testing"
)

func TestText(t *testing.T) {
	vcs := []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.time", Value: "2025-01-02T03:04:05Z"},
		{Key: "vcs.modified", Value: "true"}}
	tests := []struct {
		name string
		info debug.BuildInfo
		want string
	}{
		{"nothing known", debug.BuildInfo{}, `flock \(devel\) go`},
		{"a release", debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}}, `flock v1\.2\.3 go`},
		{"a clean checkout", debug.BuildInfo{Settings: vcs[:2]}, `flock \(devel\) \(revision abc of 2025-01-02T03:04:05Z\) go`},
		{"a changed checkout", debug.BuildInfo{Settings: vcs}, `flock \(devel\) \(revision abc of 2025-01-02T03:04:05Z with changes\) go`},
	}
	for _, tt := range tests {
		if got := text("flock", &tt.info); !regexp.MustCompile("^" + tt.want + `1\.\S+ \w+/\w+$`).MatchString(got) {
			t.Errorf("%s: got %q, want %s", tt.name, got, tt.want)
		}
	}
}
