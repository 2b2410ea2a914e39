package page

// What tests compare with.
const (
	NewVersion = newVersionNotice
	NoNetwork  = noNetworkNotice
)
