// Package licences holds the licences of Flockscope and of every module that is compiled
// into the page, the Worker and the commands.
package licences

import _ "embed"

// Text is the whole text, as the page and the commands show it. Command sim/cmd/licences
// generates it.
//
//go:embed licences.txt
var Text string
