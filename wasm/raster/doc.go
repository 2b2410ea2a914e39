// Package raster draws a display list of sim/draw/scene as a PNG, for the previews of
// links, which a server makes. The other two that draw such lists are assets/paint.js and
// scene.SVG.
//
// Lengths are pixels, x to the right and y down. Edges are antialiased. Pixels of the
// same list are the same everywhere up to the last bit of a coverage.
//
//	raster.go   the items of a list; outline.go paths
//	text.go     text; ink.go colours of a palette
package raster
