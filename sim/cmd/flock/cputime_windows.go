package main

import "syscall"

// cpuSeconds returns the CPU time that this process has used so far, in seconds.
func cpuSeconds() float64 {
	var created, exited, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err != nil || syscall.GetProcessTimes(self, &created, &exited, &kernel, &user) != nil {
		return 0
	}
	ticks := func(t syscall.Filetime) float64 {
		return float64(uint64(t.HighDateTime)<<32|uint64(t.LowDateTime)) / 1e7
	}
	return ticks(kernel) + ticks(user)
}
