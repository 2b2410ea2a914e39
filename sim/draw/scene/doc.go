// Package scene is a display list: a picture as bytes. Charts append marks, lines and texts to a
// [List]; assets/paint.js draws the bytes on a canvas in one call, and [SVG] writes the same list
// as a standalone picture for tests, posters and export.
//
// Lengths are CSS pixels, x to the right and y down. Colours are indices into a [Theme], so one
// list serves all themes. A list that is reset and built again allocates nothing.
//
// The package never imports syscall/js.
//
//	list.go    appending to a list; ops.go its encoding, and decoding
//	shape.go   the shapes of marks
//	colour.go  colours and themes
//	text.go    widths of texts; outlines.go outlines of characters
//	svg.go     a list as SVG; png.go pixels as PNG
package scene
