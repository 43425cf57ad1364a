// Objects in a registry that everybody looks up: a lock for each, a lock for all,
// and the wrong one of the two.
package main

import "sync"

type session struct {
	mu    sync.Mutex
	ready sync.WaitGroup
	user  string
	uses  int
	plain int
}

type registry struct {
	mu     sync.Mutex
	byName map[string]*session
	total  int
}

func (r *registry) find(name string) *session {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.byName[name]
	if !ok {
		s = &session{}
		r.byName[name] = s
	}
	return s
}

func (r *registry) use(name string) {
	s := r.find(name)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.uses++  // want race "uses"
	s.plain++ // the lock of the object itself
	r.total++ // want race "total"
}

func (r *registry) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.byName {
		s.uses = 0
		s.mu.Lock()
		s.plain = 0
		s.mu.Unlock()
	}
}

// open makes a session that others find before it is filled in; they wait for
// that.
func (r *registry) open(name string, wait bool) string {
	r.mu.Lock()
	if s, ok := r.byName[name]; ok {
		r.mu.Unlock()
		if wait {
			s.ready.Wait()
		}
		return s.user
	}
	s := &session{}
	s.ready.Add(1)
	r.byName[name] = s
	r.mu.Unlock()
	s.user = name // want race "user"
	s.ready.Done()
	return s.user
}

func (r *registry) openClean(name string) string {
	r.mu.Lock()
	if s, ok := r.byName[name]; ok {
		r.mu.Unlock()
		s.ready.Wait()
		return s.user
	}
	s := &session{}
	s.ready.Add(1)
	r.byName[name] = s
	r.mu.Unlock()
	s.user = name
	s.ready.Done()
	return s.user
}

func main() {
	wrongLock()
	listed()
	opened()
	waited()
}

func wrongLock() {
	r := &registry{byName: map[string]*session{}}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { r.use("a") })
	}
	r.reset()
	wg.Wait()
}

func opened() {
	r := &registry{byName: map[string]*session{}}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { r.open("a", false) })
	}
	wg.Wait()
}

func waited() {
	r := &registry{byName: map[string]*session{}}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { r.openClean("a") })
	}
	wg.Wait()
}
