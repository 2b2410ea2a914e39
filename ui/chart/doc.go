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
package chart
