// Package licences holds the licences of everything that Flockscope hands out: its own,
// and those of what is compiled into the page, the Worker and the commands.
package licences

import _ "embed"

// Text is the whole notice, which the page and the commands show. Command
// sim/cmd/licences generates it.
//
//go:embed licences.txt
var Text string
