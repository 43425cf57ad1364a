package main

import "sync"

type tenant struct {
	mu   sync.Mutex
	name string
	used int
}

type limiter struct {
	mu  sync.Mutex
	all []*tenant
}

func (l *limiter) find(name string) *tenant {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.all {
		if t.name == name {
			return t
		}
	}
	t := &tenant{name: name}
	l.all = append(l.all, t)
	return t
}

func (l *limiter) take(name string) {
	t := l.find(name)
	t.mu.Lock()
	t.used++
	t.mu.Unlock()
}

func (l *limiter) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.all {
		t.used = 0 // want race "used"
	}
}

// The list grows; those in it are still the same.
func listed() {
	l := &limiter{}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { l.take("a") })
	}
	l.reset()
	wg.Wait()
}
