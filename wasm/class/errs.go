//go:build !js

package class

import "errors"

// What can be wrong with a message of a phone; the teacher sees how often each has happened.
var (
	errOversized = errors.New("oversized")
	errMalformed = errors.New("malformed")
	errSize      = errors.New("wrong size")
	errFinite    = errors.New("not finite")
	errForged    = errors.New("impossible")
	errRepeated  = errors.New("repeated")
	errLate      = errors.New("late")
	errUnasked   = errors.New("not asked for")
)

var allErrors = []error{errOversized, errMalformed, errSize, errFinite, errForged, errRepeated, errLate, errUnasked}
