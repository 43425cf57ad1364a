// Values that are copied while somebody changes them.
package main

import "sync"

type stats struct {
	mu     sync.Mutex
	count  int
	labels map[string]string
	recent []int
}

type snapshot struct {
	count  int
	labels map[string]string
	recent []int
}

func newStats() *stats {
	return &stats{labels: map[string]string{}, recent: make([]int, 4)}
}

func (s *stats) update() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count++             // want race "count"
	s.labels["a"] = "b"   // want race "labels"
	s.recent[0] = s.count // want race "recent"
}

// unlocked copies without the lock.
func (s *stats) unlocked() snapshot {
	return snapshot{count: s.count}
}

// shallow copies under the lock, but the map is still shared.
func (s *stats) shallow() snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return snapshot{s.count, s.labels, s.recent}
}

// deep copies everything.
func (s *stats) deep() snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	labels := make(map[string]string, len(s.labels))
	for k, v := range s.labels {
		labels[k] = v
	}
	return snapshot{s.count, labels, append([]int(nil), s.recent...)}
}

func main() {
	unlockedRacy()
	shallowRacy()
	deepClean()
	valueClean()
	rangeCopyRacy()
}

func start(f func()) func() {
	var wg sync.WaitGroup
	wg.Go(f)
	return wg.Wait
}

func unlockedRacy() {
	s := newStats()
	wait := start(s.update)
	_ = s.unlocked()
	wait()
}

func shallowRacy() {
	s := newStats()
	wait := start(s.update)
	snap := s.shallow()
	_ = snap.labels["a"]
	_ = snap.recent[0]
	wait()
}

func deepClean() {
	s := newStats()
	wait := start(s.update)
	snap := s.deep()
	snap.labels["a"] = "c"
	snap.recent[0] = snap.count
	wait()
}

type pair struct{ a, b int }

// The goroutine has a copy of its own.
func valueClean() {
	p := pair{1, 2}
	wait := start(func() func() {
		own := p
		return func() { own.a++ }
	}())
	p.a = 3
	wait()
	_ = p
}

// The loop copies each element while it is changed.
func rangeCopyRacy() {
	pairs := make([]pair, 3)
	wait := start(func() {
		for i := range pairs {
			pairs[i].b++ // want race "b"
		}
	})
	for _, p := range pairs {
		_ = p
	}
	wait()
}
