package ui

// Sweeping is the sweep that a person has asked for.
type Sweeping struct {
	Trial *Trial // nil while there is none
}
