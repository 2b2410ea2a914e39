// Package layout finds places for texts, and scales of axes, in a figure. Lengths are CSS pixels.
//
//	words.go  text: beside marks, in lines, cut to a width
//	scale.go  numbers: extents of data, and ends of axes
//	outline.go  soft outlines around points
package layout
