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
// the first drawing it allocates nothing but its texts, of which there are few.
// They are in the page's language as soon as they are made, so that they are
// measured as they are read.
//
// This package has what figures share; each figure stands in one of the packages below,
// and they do not know each other. None imports syscall/js. Start with [View] and
// clientmap.Map.
//
//	kind.go    kinds of figures and where they stand on the page
//	view.go    which moment of which run is looked at; hits.go what the pointer finds there
//	names.go   colours, letters, shapes and names of models and clients
//	marks.go   how clients and their samples are drawn
//	match.go   which model belongs to which group; alias.go the names of models
//	debuts.go  from when on a client is heard
//	lanes.go   the line by which a lane is known
//	format.go  numbers
//	pinned.go  the pinned run behind a figure; paper.go a figure that is taken away
//
// The packages below:
//
//	clientmap  the map of a lane
//	lane       the figures below a map
//	samples    what clients hold
//	progress   all rounds: curves and timeline
//	sweeps     sweeps, and previews along sliders
//	figures    the list of all figures, and the tests that compare their pictures
//	layout     where words and numbers have room
//
// Package flockscope/internal/testing/charttest has made-up runs for tests.
package chart
