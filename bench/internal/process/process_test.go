package process

import (
	"os"
	"os/exec"
	"runtime"
	"testing"
	"time"
)

// TestMain lets the test binary be the process that is measured.
func TestMain(m *testing.M) {
	if os.Getenv("PROCESS_TEST_CHILD") == "" {
		os.Exit(m.Run())
	}
	data := make([]byte, 64<<20)
	for start := time.Now(); time.Since(start) < 100*time.Millisecond; {
		for i := range data {
			data[i]++
		}
	}
	os.Exit(3)
}

func TestRun(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "PROCESS_TEST_CHILD=1")
	u, err := Run(cmd)
	if cmd.ProcessState.ExitCode() != 3 || err == nil {
		t.Fatalf("exit code %d, error %v", cmd.ProcessState.ExitCode(), err)
	}
	if u.CPU < 20*time.Millisecond || u.Wall < 100*time.Millisecond {
		t.Errorf("CPU %v, wall %v of a process that was busy for 100ms", u.CPU, u.Wall)
	}
	if runtime.GOOS == "linux" && (u.Peak < 64<<20 || u.Peak > 1<<30) {
		t.Errorf("peak %d of a process that used 64 MB", u.Peak)
	}
	if _, err := Run(exec.Command(os.Args[0] + ".none")); err == nil {
		t.Error("a command that does not exist ran")
	}
}
