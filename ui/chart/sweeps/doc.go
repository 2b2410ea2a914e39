// Package sweeps draws how runs end when settings are varied: figures of a sweep, and
// previews along sliders.
//
//	view.go      what the figures of a sweep share; words.go their table
//	curves.go    a sweep over one setting
//	heat.go      a sweep over two settings
//	preview*.go  what is drawn behind the thumb of a slider
package sweeps
