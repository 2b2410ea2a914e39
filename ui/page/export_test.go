package page

// What tests compare with.
const (
	NewVersion = newVersion
	NoNetwork  = noNetwork
)
