//go:build unix

package main

import "syscall"

// descriptors is how many files and connections the system lets this process have
// open. Go has raised it to the most that is allowed.
func descriptors() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 1024
	}
	return int(min(limit.Cur, 1<<20))
}
