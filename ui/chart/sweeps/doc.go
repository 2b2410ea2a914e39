// Package sweeps draws results of runs over varied settings: figures of a sweep, and previews
// along sliders.
//
//	view.go      what the figures of a sweep share; words.go their table
//	curves.go    a sweep over one setting
//	heat.go      a sweep over two settings
//	preview*.go  the curves behind a slider
package sweeps
