//go:build !linux && !darwin

package process

import "time"

// CPU returns the processor time that this process has taken, which this system
// does not tell.
func CPU() time.Duration { return 0 }
