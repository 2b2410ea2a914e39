//go:build !unix && !js

package main

// descriptors is how many files and connections this process may have open, as far as
// is safe where it cannot be asked.
func descriptors() int { return 1024 }
