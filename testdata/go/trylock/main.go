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
	saidClean()
	turnedRacy()
	alwaysRacy()
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
			m.n++
			m.mu.Unlock()
		}
	})
}

// enter says whether it has taken the lock, in words of its own.
func (m *meter) enter(wanted bool) bool {
	if !wanted {
		return false
	}
	if !m.mu.TryLock() {
		return false
	}
	return true
}

func saidClean() {
	m := &meter{}
	twice(func() {
		if !m.enter(true) {
			return
		}
		m.n++
		m.mu.Unlock()
	})
}

// turned has the answer the wrong way round.
func (m *meter) turned() bool {
	if m.mu.TryLock() {
		return false
	}
	return true
}

func turnedRacy() {
	m := &meter{}
	twice(func() {
		if m.turned() {
			m.n++ // want race "m.n"
		} else {
			m.mu.Unlock()
		}
	})
}

// always says yes.
func (m *meter) always() bool {
	m.mu.TryLock()
	return true
}

func alwaysRacy() {
	m := &meter{}
	twice(func() {
		if m.always() {
			m.n++ // want race "m.n"
		}
	})
}
