//go:build !amd64 && !js

package kernel

// fastest returns the best set for this machine.
func fastest() *set { return &portable }
