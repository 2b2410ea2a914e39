package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// In a browser Go's scheduler asks what time it is whenever a goroutine goes to
// sleep, in case somebody inside the runtime waits for a moment that has come.
// Nobody ever does, and the question is a call of JavaScript: where a round is a
// few microseconds for each of its clients, that was a tenth of the time. So it
// is asked only when somebody waits.
const (
	schedulerFile = "src/runtime/lock_js.go" // below GOROOT
	asksAlways    = "func checkTimeouts() {\n\tnow := nanotime()\n"
	asksIfNeeded  = "func checkTimeouts() {\n\tif allDeadlineNotes == nil {\n\t\treturn\n\t}\n\tnow := nanotime()\n"
)

// schedulerFlags returns the flags of go build that put the changed file in the
// place of the original, for which it writes files into a directory. A version
// of Go whose file looks different builds as it is.
func schedulerFlags(dir string) ([]string, error) {
	goroot, err := goOutput("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	original := filepath.Join(goroot, filepath.FromSlash(schedulerFile))
	source, err := os.ReadFile(original)
	if err != nil {
		return nil, err
	}
	if strings.Count(string(source), asksAlways) != 1 {
		fmt.Fprintf(os.Stderr, "This version of Go has another %s: many small rounds will take a little longer.\n",
			schedulerFile)
		return nil, nil
	}
	changed, list := filepath.Join(dir, "lock_js.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(source), asksAlways, asksIfNeeded, 1)),
		0o600); err != nil {
		return nil, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return nil, err
	}
	return []string{"-overlay=" + list}, os.WriteFile(list, overlay, 0o600)
}
