// Package scene is a display list: a picture as bytes. Charts append marks,
// lines and words to a [List]; assets/paint.js plays the bytes on a canvas in
// one call, and [SVG] writes the same list as a standalone picture for tests,
// posters and export.
//
// Lengths are CSS pixels, x to the right and y down. Colours are indices into
// a [Theme], so one list serves light and dark. Building a list into a used
// [List] allocates nothing.
//
// The package imports the standard library only and never syscall/js.
//
//	list.go    appending to a list; ops.go its bytes, and playing them
//	shape.go   the shapes of marks
//	colour.go  colours and themes
//	text.go    how wide words are
//	svg.go     a list as SVG; png.go pixels as PNG
package scene
