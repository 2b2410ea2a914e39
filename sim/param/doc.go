// Package param describes settings: their names, their values, and the errors for other values.
//
// A [Field] describes one setting as data. Queries, the command line, preset files, the page's
// controls and sweeps all use the same Field, so each limit is in one place. [Values] returns typed
// values of canonical texts.
//
// param imports the standard library and sim/say only.
package param
