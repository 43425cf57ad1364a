package process

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// Usage is what a process took.
type Usage struct {
	CPU  time.Duration
	Wall time.Duration
	Peak int64 // bytes
}

// Run runs a command to its end. The usage is valid whenever the command was
// started, whatever the error.
func Run(cmd *exec.Cmd) (Usage, error) {
	start := time.Now()
	err := cmd.Run()
	u := Usage{Wall: time.Since(start)}
	if s := cmd.ProcessState; s != nil {
		u.CPU = s.UserTime() + s.SystemTime()
		u.Peak = peak(s)
	}
	return u, err
}

// Machine describes the machine in one line.
func Machine() string {
	cpu := "processor unknown"
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			if key, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
				cpu = strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s/%s, %d CPUs (%s), %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), cpu, runtime.Version())
}
