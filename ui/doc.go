// Package ui is the state of the page: [App] is everything the page knows and everything
// a person can do on it, in plain Go that runs and is tested without a browser. Package
// shell says what the page looks like around the figures, package chart draws them, and
// package browser carries both to the browser.
//
// Two clocks: figures are drawn on every animation frame that changes them,
// straight from App to a canvas; Vugu renders the shell when its texts change,
// and while a run plays at most ten times a second.
//
// The package never imports the engine or an algorithm: it knows runs as
// traces and settings as a schema.
//
//	app.go              the state, in groups
//	settings.go         changing settings, undo; settingslist.go which there are
//	requests.go         asking engines for runs; receive.go what they answer,
//	                    progress.go how far they are, outofmemory.go when they cannot
//	player.go           playing; autostop.go where it stops, happenings.go events of rounds
//	rounddetail.go      the phases of a round; phasemove.go how they move, symbols.go formulas
//	selection.go        selected clients; card.go what is known of one
//	figures.go          drawing figures; map3d.go maps in three dimensions, pinned.go pinned runs
//	words.go            runs in words; notice.go what is to be noticed
//	link.go             the page's keys of a link; strange.go those that are refused
//	background.go       the page as seen by what goes on in the background
//	course.go, tour.go  lessons and tour
//	take.go             files to take away; openrun.go runs that come back
//	files.go, own.go    files of the user's; address.go those from an address
//	embed.go            frames in other pages; parts.go what they leave out, builder.go how
//	                    one is made, messages.go what they say
//	actions.go, keys.go buttons and keys; sheet.go dialogs
//	visibility.go       a page that nobody sees; network.go one without a network
package ui
