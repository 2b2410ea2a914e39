package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"flockscope/sim/course"
	"flockscope/ui/guide"
)

//go:embed offline.js
var offlineScript []byte

// workerFile is the path of the service worker: it may only serve paths below its own.
const workerFile = "sw.js"

// notCached are the files that only make sense with a server, those that the page never requests, and pictures that few
// visits ask for. The documentation, the builder of courses and the arena's page are not cached either.
var notCached = map[string]bool{"index.html": true, "assets/link.js": true, guide.CorruptionSheet(true): true,
	guide.CorruptionSheet(false): true, pageProgram.names: true, fileProgram.names: true}

// addWorker adds the service worker, which caches the site for use without a network. It begins with the SHA-256 sums
// of all files that it keeps, so every build that changes one of them has another service worker, and a browser can
// tell when it has all files of one build.
func addWorker(site files) error {
	sums := map[string]string{}
	for name, content := range site {
		if !notCached[name] && name != workerFile && !strings.HasPrefix(name, docsDir) &&
			!strings.HasPrefix(name, course.BuilderDir) && !strings.HasPrefix(name, arenaDir) {
			sum := sha256.Sum256(content)
			sums[name] = hex.EncodeToString(sum[:])
		}
	}
	list, err := json.Marshal(sums) // sorted by name
	if err != nil {
		return err
	}
	whole := sha256.Sum256(append(list, site["index.html"]...))
	const mark = "const build = null, files = {};\n"
	if bytes.Count(offlineScript, []byte(mark)) != 1 {
		return fmt.Errorf("offline.js should have one line %q", mark)
	}
	line := fmt.Sprintf("const build = %q, files = %s;\n", hex.EncodeToString(whole[:8]), list)
	site[workerFile] = scriptComment.ReplaceAll(bytes.Replace(offlineScript, []byte(mark), []byte(line), 1), nil)
	return nil
}
