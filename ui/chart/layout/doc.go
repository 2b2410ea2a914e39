// Package layout says where things have room in a figure. Lengths are CSS pixels.
//
//	words.go  text: beside marks, in lines, cut to a width
//	scale.go  numbers: extents of data and round ends of axes
package layout
