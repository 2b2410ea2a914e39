package shell

import "flockscope/ui/page"

// App is the page as components see it: its state, which they read, and what takes their
// messages.
type App struct {
	*page.State
	Do func(m page.Message) (handled bool)
}
