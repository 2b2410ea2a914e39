// Package clientmap draws the map of a lane: where its server sees the clients, and with
// which models.
//
//	map.go     the flat map; scale.go how large it has to be
//	axes.go    axes, borders and rows, which differ from one kind of map to the next
//	marks.go   the clients; clouds.go what encloses those of a model
//	space.go   the map in three dimensions; height.go the third one
//	pinned.go  the pinned run behind a map
//	words.go   the map in a sentence and as a table
package clientmap
