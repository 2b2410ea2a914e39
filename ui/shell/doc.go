// Package shell has the components of the page around the figures. Each NAME.vugu is a
// component, which Vugu compiles to NAME_gen.go; NAME.go is the rest of it. Root is the
// whole page.
//
//	root       the page; header, panel (settings), transport (rounds)
//	*-card     a lane, the data, the curves, what happened, a round from inside, a lesson, the tour
//	*-sheet    the pages of the dialog
//	control    a setting
//	cards.go   cards without a file of their own
package shell

//go:generate go tool vugugen -skip-main -skip-go-mod .
