// The lock is taken here and the data touched there: in callees, callers,
// helpers, wrappers, closures.
package main

import "sync"

// guarded embeds its lock.
type guarded struct {
	sync.Mutex
	hits, misses int
}

func (g *guarded) hit() {
	g.Lock()
	defer g.Unlock()
	g.hits++
}

// bump is called with the lock held, except by forgotten.
func (g *guarded) bump() { g.misses++ } // want race "misses"

func (g *guarded) careful() {
	g.Lock()
	g.bump()
	g.Unlock()
}

func (g *guarded) forgotten() { g.bump() }

// wrapped hides the lock behind methods of its own.
type wrapped struct {
	mu    sync.Mutex
	value int
	loose int
}

func (w *wrapped) lock()   { w.mu.Lock() }
func (w *wrapped) unlock() { w.mu.Unlock() }

func (w *wrapped) with(f func()) {
	w.lock()
	defer w.unlock()
	f()
}

// guard returns what ends the critical section.
func (w *wrapped) guard() func() {
	w.mu.Lock()
	return w.mu.Unlock
}

func (w *wrapped) release() { w.mu.Unlock() }

// shard is one of several with the same lock.
type shard struct {
	mu *sync.Mutex
	n  int
}

func main() {
	guardRacy()
	otherUnlockClean()
	embeddedClean()
	calleeRacy()
	wrapperClean()
	wrapperRacy()
	callbackClean()
	guardClean()
	helperClean()
	pointerLockClean()
	earlyUnlockRacy()
	capturedRacy()
}

func both(f, g func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	g()
	wg.Wait()
}

func embeddedClean() {
	g := &guarded{}
	both(g.hit, g.hit)
}

func calleeRacy() {
	g := &guarded{}
	both(g.careful, g.forgotten)
}

func wrapperClean() {
	w := &wrapped{}
	add := func() {
		w.lock()
		w.value++
		w.unlock()
	}
	both(add, add)
}

func wrapperRacy() {
	w := &wrapped{}
	both(func() {
		w.lock()
		w.loose++
		w.unlock()
	}, func() {
		w.loose++ // want race "loose"
	})
}
