// Package charttest has synthetic runs and a decoder of drawings for tests of figures.
//
//	fixture.go  runs with lanes of all kinds
//	network.go  runs whose clients train a network
//	items.go    the operations of a display list, and their visible parts
package charttest
