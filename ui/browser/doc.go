// Package browser connects the page with the browser. It and [flockscope/ui/guard] are the
// only packages of the page that call JavaScript. [Mount] runs the page.
//
//	browser_js.go      starts the page, renders the shell, opens and closes the poster
//	schedule_js.go     when the shell, the figures and the address are updated
//	canvas_js.go       figures on canvases
//	events_js.go       events; brush_js.go in figures, menu_js.go in the menu, sweep_js.go in
//	                   sweeps, symbols_js.go over formulas, sheet_js.go in dialogs
//	touch_js.go        a finger on a slider
//	focus_js.go        the focus; tabs_js.go, tour_js.go, lessons_js.go scroll into view
//	engines_js.go      engines in workers; perform_js.go effects
//	address_js.go      files from addresses
//	qr_js.go           the QR code of an address on paper
//	share_js.go        links, the clipboard, and what tests may ask; share_links_js.go short links
//	export_js.go       exported files; picture_js.go pictures; arena_js.go opens the arena's page
//	runs_js.go         stores long runs; sweeps_js.go sweeps
//	parent_js.go       the page around a frame
//	theme_js.go        colours and motion; locale_js.go the language
//	visibility_js.go   pauses a hidden page; network_js.go is offline and online
//	dom_js.go          elements and events
package browser
