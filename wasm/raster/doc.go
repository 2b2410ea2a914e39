// Package raster plays a display list of sim/draw/scene onto pixels, for pictures
// where no browser is: the previews of links. It is the third player beside
// assets/paint.js and scene.SVG.
//
// Lengths are pixels, x to the right and y down. Edges are smooth and nothing
// is blended that need not be, so a picture of the same list has the same
// pixels everywhere up to the last bit of a coverage.
//
//	raster.go   playing a list; outline.go paths
//	text.go     words; ink.go colours of a palette
package raster
