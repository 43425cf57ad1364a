package archive

import (
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
)

// openTestJDK opens the JDK of the machine and skips the test if there is none.
func openTestJDK(t testing.TB) *JDK {
	t.Helper()
	home, err := FindJDK(os.Getenv("JAVA_HOME"), os.Getenv("PATH"))
	if err != nil {
		t.Skipf("%v to run this test", err)
	}
	jdk, err := OpenJDK(home, Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { jdk.Path.Close() })
	return jdk
}

// cpuTime is the time that this process has spent on processors.
func cpuTime(t testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Every class of the JDK can be read, and every method decoded.
func TestWholeJDK(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 26,000 classes")
	}
	before := cpuTime(t)
	jdk := openTestJDK(t)
	for _, p := range jdk.Path.Problems {
		t.Error(p)
	}
	names := jdk.Path.Classes()
	var methods, insns, next, failed atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var d classfile.Decoder
			for {
				i := int(next.Add(1)) - 1
				if i >= len(names) {
					return
				}
				k, err := jdk.Path.Class(names[i])
				if err != nil {
					t.Error(err)
					continue
				}
				for j := range k.Methods {
					code, err := d.Decode(k, &k.Methods[j])
					if err != nil {
						if failed.Add(1) < 20 {
							t.Error(err)
						}
					} else if code != nil {
						insns.Add(int64(len(code.Insns)))
					}
				}
				methods.Add(int64(len(k.Methods)))
			}
		})
	}
	wg.Wait()
	if methods.Load() < 10*int64(len(names))/2 || insns.Load() < 10*methods.Load() {
		t.Errorf("only %d methods and %d instructions in %d classes", methods.Load(), insns.Load(), len(names))
	}
	t.Logf("JDK %d: %d classes, %d methods, %d instructions, %d errors, %.2f CPU seconds",
		jdk.Release, len(names), methods.Load(), insns.Load(), failed.Load(), (cpuTime(t) - before).Seconds())
}
