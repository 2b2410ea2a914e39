// Package page is the state of the page and what changes it, in plain Go that runs and is
// tested without a browser. Everything that happens is a [Message]: an action of the user, an
// answer of an engine or of the browser. [State.Update] takes one and returns the effects that
// package browser carries out. Package shell says what the page looks like around the figures,
// and package chart draws them.
//
// Two clocks: figures are drawn on every animation frame that changes them, straight from the
// state to a canvas; Vugu renders the shell when its texts change, and while a run plays at most
// ten times a second.
//
// The package never imports the engine or an algorithm: it knows runs as traces and settings as
// a schema. A message is defined beside what it does:
//
//	state.go        the state, New, and what is read of it; message.go Update, and the record
//	settings.go     changing settings, refused texts, undo; history.go its steps
//	controls.go     which settings there are, and where they stand; lanes.go methods side by side
//	config.go       what follows from a change of the configuration
//	engines.go      starting engines, and losing them
//	runs.go         asking for runs; receive.go their frames; progress.go how far they are
//	outofmemory.go  engines that end for want of memory
//	player.go       playing; clock.go its times; autostop.go where it stops; events.go what happened
//	phases.go       a round from inside; phasemove.go what moves; symbols.go symbols of formulas
//	background.go   previews along sliders, and sweeps, which package jobs computes
//	files.go        the user's files; filesinuse.go those in use; columns.go roles of columns;
//	                address.go files from an address
//	selection.go    selecting clients; card.go what is known of them
//	pinned.go       the pinned run
//	lessons.go      lessons; course.go answers and steps; tour.go the tour of the page
//	link.go         the page's own keys of a link; open.go opening links and runs
//	notice.go       notices; words.go and lanewords.go runs in words
//	figures.go      drawing figures; map3d.go maps in three dimensions
//	actions.go      tabs, themes, languages; keys.go keys; sheet.go dialogs
//	export.go       what can be exported; exportpaper.go pictures for papers; exportframe.go frames
//	frame.go        the page in a frame; frameparts.go what it leaves out; framebuilder.go the frame
//	                in the making; parent.go messages from and to the page around
//	visibility.go   a page that nobody sees, or that has no network
package page
