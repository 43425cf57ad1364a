// Parallel tests and subtests run together, after the code around them.
package parallel

import (
	"sync"
	"testing"
)

type fixture struct {
	mu     sync.Mutex
	guards int
	sum    int
}

var global int

func TestSharedRacy(t *testing.T) {
	shared := 0
	for range 3 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			shared++ // want race "shared"
		})
	}
}

func TestSequentialClean(t *testing.T) {
	sum := 0
	for range 3 {
		t.Run("", func(t *testing.T) { sum++ })
	}
	if sum != 3 {
		t.Error(sum)
	}
}

func TestTableClean(t *testing.T) {
	for _, c := range []struct{ in, out int }{{1, 1}, {2, 4}} {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			if c.in*c.in != c.out {
				t.Error(c)
			}
		})
	}
}

func TestGuardedClean(t *testing.T) {
	f := &fixture{}
	for range 3 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			f.mu.Lock()
			defer f.mu.Unlock()
			f.guards++
		})
	}
}

// The parent goes on when a subtest says that it is parallel: its body ends
// before the subtests continue.
func TestParentClean(t *testing.T) {
	value := 0
	t.Run("", func(t *testing.T) {
		t.Parallel()
		_ = value
	})
	value = 1
	_ = value
}

// The group ends when all of its members have.
func TestGroupClean(t *testing.T) {
	f := &fixture{}
	t.Run("group", func(t *testing.T) {
		t.Run("one", func(t *testing.T) {
			t.Parallel()
			f.sum = 1
		})
	})
	_ = f.sum
}

// Two subtests, one variable.
func TestTwoRacy(t *testing.T) {
	f := &fixture{}
	t.Run("a", func(t *testing.T) {
		t.Parallel()
		f.sum++ // want race "sum"
	})
	t.Run("b", func(t *testing.T) {
		t.Parallel()
		f.sum++
	})
}

func TestGlobalRacy1(t *testing.T) {
	t.Parallel()
	global++ // want race "global"
}

func TestGlobalRacy2(t *testing.T) {
	t.Parallel()
	global++
}

func TestGoroutineRacy(t *testing.T) {
	started := 0
	go func() {
		started = 1 // want race "started"
	}()
	if started > 1 {
		t.Fatal(started)
	}
}
