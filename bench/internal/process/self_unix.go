//go:build linux || darwin

package process

import (
	"syscall"
	"time"
)

// CPU returns the processor time that this process has taken.
func CPU() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
