// Package browser carries the page to the browser and back. It is the only package of the
// page with JavaScript in it. [Mount] runs the page.
//
//	browser_js.go      starts the page, renders the shell, opens and closes the poster
//	schedule_js.go       when the shell, the figures and the address are brought up to date
//	canvas_js.go       figures on canvases
//	events_js.go       what a person does; brush_js.go in figures, menu_js.go in the menu,
//	                   sweep_js.go in sweeps, symbols_js.go over formulas, sheet_js.go in dialogs
//	touch_js.go       a finger on a slider
//	focus_js.go        where the focus goes; tabs_js.go, tour_js.go, lessons_js.go what is in view
//	engines_js.go      engines in workers; perform_js.go effects
//	address_js.go      files from addresses
//	qr_js.go           the QR code of an address on paper
//	share_js.go        links, the clipboard, and what tests may ask; share_links_js.go short links
//	export_js.go       exported files; picture_js.go pictures
//	parent_js.go       the page around a frame
//	theme_js.go        colours and motion; locale_js.go the language
//	visibility_js.go   a page that nobody can see; network_js.go one without a network
//	dom_js.go          elements and events
package browser
