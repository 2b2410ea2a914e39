// Package param is the vocabulary of settings: what a setting is called, what
// values it takes, and what to say when it is given another one.
//
// A [Field] describes one setting as data. The query string, the command line,
// the preset file, the page's controls and the sweep all read the same Field,
// so a limit is written down once. [Values] holds canonical texts and hands out
// typed values.
//
// param imports the standard library and sim/say only.
package param
