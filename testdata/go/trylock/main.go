// A lock that was only tried is held on the branch where the try succeeded.
package main

import "sync"

type meter struct {
	mu sync.Mutex
	rw sync.RWMutex
	n  int
}

func main() {
	ifClean()
	elseRacy()
	negatedClean()
	ignoredRacy()
	variableClean()
	readRacy()
	loopClean()
	wrappedClean()
}

func twice(f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
}

func ifClean() {
	m := &meter{}
	twice(func() {
		if m.mu.TryLock() {
			m.n++
			m.mu.Unlock()
		}
	})
}

func elseRacy() {
	m := &meter{}
	twice(func() {
		if m.mu.TryLock() {
			m.mu.Unlock()
		} else {
			m.n = 1
		}
		m.n++ // want race "m.n"
	})
}

func negatedClean() {
	m := &meter{}
	twice(func() {
		if !m.mu.TryLock() {
			return
		}
		defer m.mu.Unlock()
		m.n++
	})
}

func ignoredRacy() {
	m := &meter{}
	twice(func() {
		_ = m.mu.TryLock()
		m.n++ // want race "m.n"
	})
}

func variableClean() {
	m := &meter{}
	twice(func() {
		ok := m.mu.TryLock()
		if ok {
			m.n++
			m.mu.Unlock()
		}
	})
}

func readRacy() {
	m := &meter{}
	twice(func() {
		if m.rw.TryRLock() {
			m.n++ // want race "m.n"
			m.rw.RUnlock()
		}
	})
}

func loopClean() {
	m := &meter{}
	twice(func() {
		for !m.mu.TryLock() {
		}
		m.n++
		m.mu.Unlock()
	})
}

func (m *meter) begin() bool { return m.mu.TryLock() }

func wrappedClean() {
	m := &meter{}
	twice(func() {
		if m.begin() {
			m.n++ // want race fp "n"
			m.mu.Unlock()
		}
	})
}
