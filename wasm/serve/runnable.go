//go:build !js

package main

import (
	"sync"

	"flockscope/sim/catalog"
	"flockscope/sim/experiment"
)

// checking lets one check pass at a time: each takes some memory, and many could come
// at once.
var checking sync.Mutex

// checkRun says what a run of c would be refused for, nil if it can be run. What needs
// a file of the user's cannot be checked here.
func checkRun(c experiment.Config) error {
	if c.NeedsFile() {
		return nil
	}
	checking.Lock()
	defer checking.Unlock()
	return catalog.Check(c, nil)
}
