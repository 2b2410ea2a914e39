//go:build !js

package results

import (
	"sync"

	"flockscope/sim/lab/plan"
)

// Memory stores records while the program runs.
type Memory struct {
	mu      sync.Mutex
	records map[string]plan.Record
}

// Get is like [File.Get].
func (m *Memory) Get(cell string) (r plan.Record, ok bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok = m.records[cell]
	return r, ok, nil
}

// Put is like [File.Put].
func (m *Memory) Put(list ...plan.Record) (added int, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.records == nil {
		m.records = map[string]plan.Record{}
	}
	for _, r := range list {
		before, ok := m.records[r.Cell]
		if !ok {
			added++
		}
		if !ok || before.Error != "" && r.Error == "" {
			m.records[r.Cell] = r
		}
	}
	return added, nil
}
