// Package clientmap draws the map of a lane: clients by what the server compares, in the colours
// of their models.
//
//	map.go     the flat map; scale.go its scale
//	axes.go    axes and borders of each kind of map, and the grid where there is no map
//	marks.go   the clients; clouds.go the ellipses around those of a model
//	space.go   the map in three dimensions; height.go the third dimension
//	pinned.go  the pinned run behind a map; liars.go what liars do to the means
//	words.go   the map in a sentence and as a table
package clientmap
