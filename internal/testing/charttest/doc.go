// Package charttest has what tests of figures need: made-up runs, and drawings taken apart.
//
//	fixture.go  runs with lanes of all kinds
//	items.go    the operations of a display list, and where each is seen
package charttest
