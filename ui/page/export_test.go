package page

// Texts for tests.
const (
	NewVersion = newVersionNotice
	NoNetwork  = noNetworkNotice
)
