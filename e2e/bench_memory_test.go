package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// memory returns what all processes of the tab's browser take, in MB. What
// several share counts for each in part.
func (p tab) memory() float64 {
	p.t.Helper()
	kilobytes := 0
	for _, process := range descendants(os.Getpid()) {
		name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", process))
		if !strings.Contains(string(name), p.name) {
			continue
		}
		text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", process))
		for line := range strings.Lines(string(text)) {
			if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Pss:" {
				n, _ := strconv.Atoi(fields[1])
				kilobytes += n
			}
		}
	}
	return float64(kilobytes) / 1000
}

// settled returns the memory of the tab's browser once it falls no more: browsers
// take their time to give back what pages had that are closed.
func (p tab) settled() float64 {
	p.t.Helper()
	const least, most = 4, 60
	memory := p.memory()
	for steady, readings := 0, 0; steady < least && readings < most; readings++ {
		time.Sleep(500 * time.Millisecond)
		now := p.memory()
		if steady++; now < memory-1 {
			steady = 0
		}
		memory = now
	}
	return memory
}

// descendants returns the processes that a process started, and those that they
// did.
func descendants(of int) []int {
	children := map[int][]int{}
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range files {
		text, _ := os.ReadFile(file)
		// The second field, a name in parentheses, may contain anything.
		_, rest, ok := strings.Cut(string(text), ") ")
		fields := strings.Fields(rest)
		if !ok || len(fields) < 2 {
			continue // it has ended
		}
		parent, _ := strconv.Atoi(fields[1])
		process, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		children[parent] = append(children[parent], process)
	}
	all := slices.Clone(children[of])
	for i := 0; i < len(all); i++ {
		all = append(all, children[all[i]]...)
	}
	return all
}
