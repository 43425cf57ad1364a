package process

import (
	"os"
	"syscall"
)

func peak(s *os.ProcessState) int64 {
	if r, ok := s.SysUsage().(*syscall.Rusage); ok {
		return r.Maxrss << 10 // kilobytes
	}
	return 0
}
