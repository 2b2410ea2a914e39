package shell

import "flockscope/ui/page"

// App is the page for components: the state that they read, and the function for their
// messages.
type App struct {
	*page.State
	Do func(m page.Message) (handled bool)
}
