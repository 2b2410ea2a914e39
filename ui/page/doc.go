// Package page is the state of the page and its updates, in plain Go that runs and is tested
// without a browser. Every action of the user and every answer of an engine or of the browser is
// a [Message]. [State.Update] handles a message and returns the effects, which package browser
// performs. Package shell renders the page around the figures, and package chart draws them.
//
// There are two paths to the screen: figures are drawn in every animation frame that changes
// them, from the state to a canvas; Vugu renders the shell when its texts change, and while a run
// plays at most ten times a second.
//
// The package never imports the engine or an algorithm: it knows runs as traces and settings as
// a schema. A message is defined beside its update:
//
//	state.go        State, New, and queries of the state; message.go Update and the record
//	settings.go     changing settings, refused texts, undo; history.go the steps of undo
//	controls.go     the settings in the panel; lanes.go editing lanes
//	config.go       changes of the configuration
//	engines.go      starting and losing engines
//	runs.go         requesting runs; receive.go receiving their frames; progress.go progress
//	slowruns.go     starts, costs and pauses of slow runs
//	storedruns.go   long runs, stored in the browser
//	outofmemory.go  engines that run out of memory
//	player.go       playing; clock.go delays; autostop.go the stop; events.go events of rounds
//	phases.go       phases of a round; phasemove.go their animation; phasewords.go what happens in them, in words;
//	                symbols.go symbols of formulas
//	background.go   messages for package jobs: previews along sliders, and sweeps
//	files.go        the user's files; filesinuse.go those in use; columns.go roles of columns;
//	                address.go files from addresses; reader.go the engine that reads them;
//	                modelcount.go how many models their unknown groups need
//	selection.go    the selection; card.go the card about it
//	pinned.go       the pinned run
//	stage.go        the main view: verdicts and causes; lecture.go the same in stops, for a room
//	liars.go        clients that lie
//	lessons.go      lessons; course.go answers and completed steps; tour.go the tour of the page
//	link.go         the page's own keys of a link; open.go opening links and runs
//	notice.go       notices; words.go and lanewords.go runs in words
//	figures.go      drawing figures; map3d.go maps in three dimensions
//	actions.go      tabs, themes, languages; keys.go keys; sheet.go dialogs
//	export.go       exports; exportpaper.go pictures for papers; exportframe.go frames;
//	                exportsweep.go sweeps; arena.go records of the arena
//	frame.go        options of a frame; frameparts.go parts that it hides; framebuilder.go the
//	                frame builder; parent.go messages from and to the surrounding page
//	visibility.go   hidden pages, and pages without network
package page
