// Package chart draws the figures of the page: pure functions from a run to a
// display list. A [Figure] also says what it shows in a sentence and as a
// table, for people who do not see it.
//
// One rule holds in every figure: the shape of a mark is the group its client
// really comes from, the colour is the model the client was given. Where the
// clustering is right, one shape has one colour.
//
// Lengths are CSS pixels. No text is smaller than 12 px. A figure keeps
// buffers between drawings, so the page owns one of each kind a place; after
// the first drawing it allocates nothing.
//
// The package imports ui/scene and sim/trace and never syscall/js. Start with
// [View] and [Map].
//
// For a figure X, X.go computes and draws it and Xwords.go says what it shows, in a
// sentence and as a table; Xmarks.go and the like draw parts of it.
//
//	kind.go       the kinds of figures and where they stand on the page
//	view.go       which moment of which run is looked at; metric.go what curves show
//	map*.go       the map of a lane: marks, clouds, captions, three dimensions
//	losses.go, flow.go, tree*.go, models*.go, weights.go, spectrum.go, answers*.go, rebuilt.go
//	              the figures below a map
//	data*.go      samples and models as lines; gallery*.go as pictures
//	curves*.go    all rounds; timeline.go what happened in them, from history.go
//	lanes.go      the line by which a lane is known
//	sweep*.go     sweeps; heat.go of two settings; preview.go along a slider
//	pinned*.go    the pinned run behind a figure
//	match.go      which model belongs to which group; alias.go the names of models
//	debuts.go     from when on a client is heard
//	label.go      where words have room; format.go numbers
package chart
