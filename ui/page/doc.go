// Package ui is the state of the page: [App] holds what its parts share and the parts
// themselves, in plain Go that runs and is tested without a browser. Package shell says
// what the page looks like around the figures, package chart draws them, and package
// browser carries both to the browser.
//
// Two clocks: figures are drawn on every animation frame that changes them,
// straight from App to a canvas; Vugu renders the shell when its texts change,
// and while a run plays at most ten times a second.
//
// The package never imports the engine or an algorithm: it knows runs as
// traces and settings as a schema.
//
// The parts are packages of their own: runs (asking engines), settings (controls and
// undo), files (the user's data), player (playing), phases (a round from inside), export
// (what can be taken away), background (previews and sweeps), lessons, messages (the page
// around a frame), pinned (the pinned run), guide (explanations). What is left here:
//
//	app.go         the state, and New
//	pages.go       the page as its parts see it; background.go as the background does
//	config.go      what follows from a change of the configuration
//	link.go        the page's own keys of a link; linkcheck.go those that are refused
//	openlink.go    opening a link; openrun.go opening a file with a run
//	figures.go     drawing figures; map3d.go maps in three dimensions
//	words.go       runs in words; card.go what is known of a client
//	selection.go   selecting clients
//	notice.go      notices about the round on screen
//	actions.go     buttons and tabs; keys.go keys; sheet.go dialogs
//	embed.go       frames in other pages; parts.go what they leave out
//	visibility.go  a page that nobody sees; network.go one without a network
package page
