// Package ui is the page. [App] is everything the page knows and everything a
// person can do on it, in plain Go that runs and is tested without a browser.
// The .vugu files say what the shell around the figures looks like; chart draws
// the figures; the files that end in _js.go carry both to the browser.
//
// Two clocks: figures are drawn on every animation frame that changes them,
// straight from App to a canvas; Vugu renders the shell when its texts change,
// and while a run plays at most ten times a second.
//
// The package never imports the engine or an algorithm: it knows runs as
// traces and settings as a schema.
package ui
