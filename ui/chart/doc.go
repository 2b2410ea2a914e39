// Package chart draws the figures of the page: pure functions from a run to a
// display list. A [Figure] also says what it shows in a sentence and as a
// table, for people who do not see it.
//
// One rule holds in every figure: the shape of a mark is the planted group of its client, and its
// colour is the model that the client was given. Where the clustering is correct, each shape has
// one colour.
//
// Lengths are CSS pixels. No text is smaller than 12 px. A figure keeps buffers between drawings,
// so the page owns one figure for each place; after the first drawing it allocates nothing but a
// few texts. Texts are translated when they are made, so that they are measured as they are
// shown.
//
// This package has what figures share. Each figure is in one of the packages below, which do not
// import each other. None imports syscall/js. Start with [View] and clientmap.Map.
//
//	kind.go    kinds of figures and where they stand on the page
//	view.go    the run and round that are shown; hits.go hit tests
//	names.go   colours, letters, shapes and names of models and clients
//	marks.go   how clients and their samples are drawn
//	match.go   which model belongs to which group; alias.go the names of models
//	firstrounds.go  the first round of each client and model
//	lanes.go   the line style of a lane
//	format.go  numbers
//	pinned.go  the pinned run behind a figure; paper.go an exported figure
//
// The packages below:
//
//	clientmap  the map of a lane
//	lane       the figures below a map
//	samples    what clients hold
//	progress   all rounds: curves and timeline
//	sweeps     sweeps, and previews along sliders
//	figures    the list of all figures, and the tests that compare their pictures
//	layout     places for texts, and scales
//
// Package flockscope/ui/testing/charttest has made-up runs for tests.
package chart
