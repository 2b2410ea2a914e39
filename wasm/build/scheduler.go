package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// In a browser Go's scheduler reads the clock whenever a goroutine blocks, in case a wait inside the runtime has timed
// out. There are no such waits in this program, and reading the clock is a call of JavaScript: with rounds of a few
// microseconds per client, it took a tenth of the time. So the changed function only reads the clock if something
// waits.
const (
	schedulerFile = "src/runtime/lock_js.go" // path below GOROOT
	readsAlways   = "func checkTimeouts() {\n\tnow := nanotime()\n"
	readsIfNeeded = "func checkTimeouts() {\n\tif allDeadlineNotes == nil {\n\t\treturn\n\t}\n\tnow := nanotime()\n"
)

// schedulerFlags returns the flags of go build that replace the file by the changed one, which it writes into a
// directory. If this patch release of Go has a different file, there are no flags.
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
	if strings.Count(string(source), readsAlways) != 1 {
		fmt.Fprintf(os.Stderr, "build: warning: this version of Go has another %s, so rounds of many small clients take up to a tenth longer.\n",
			schedulerFile)
		return nil, nil
	}
	changed, list := filepath.Join(dir, "lock_js.go"), filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(changed, []byte(strings.Replace(string(source), readsAlways, readsIfNeeded, 1)),
		0o600); err != nil {
		return nil, err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err != nil {
		return nil, err
	}
	return []string{"-overlay=" + list}, os.WriteFile(list, overlay, 0o600)
}
