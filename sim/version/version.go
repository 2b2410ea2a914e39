// Package version identifies the build of a program.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Engine is the version of the engine. It increases whenever a link may show another result than before, that is, with
// every new section of sim/experiment/CHANGES.md; a test compares the two. Only results of one version are comparable.
const Engine = 38

// Text returns one line: the program's name, the module's version, the revision of the source if
// the build has it, and the Go version and platform. Programs started by go run have no revision.
func Text(program string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return text(program, info)
}

func text(program string, info *debug.BuildInfo) string {
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	setting := map[string]string{}
	for _, s := range info.Settings {
		setting[s.Key] = s.Value
	}
	var source []string
	if revision := setting["vcs.revision"]; revision != "" {
		source = append(source, "revision "+revision)
		if at := setting["vcs.time"]; at != "" {
			source = append(source, "of "+at)
		}
		if setting["vcs.modified"] == "true" {
			source = append(source, "with changes")
		}
	}
	line := fmt.Sprintf("%s %s", program, version)
	if len(source) > 0 {
		line += " (" + strings.Join(source, " ") + ")"
	}
	return fmt.Sprintf("%s %s %s/%s", line, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
