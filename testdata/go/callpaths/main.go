// Functions that are called in several places: before a goroutine starts, while
// it runs, after it has been waited for. Each call is another case.
package main

import "sync"

type table struct {
	mu   sync.Mutex
	rows map[string]int
	hits int
	done bool
}

// put is called with the lock, or by the only one who knows the table.
func (t *table) put(name string) { t.rows[name] = len(t.rows) }

// hit is called once without the lock while others run.
func (t *table) hit() {
	t.hits++ // want race "t.hits"
}

// finish runs before the goroutines and again after they have ended.
func (t *table) finish(v bool) { t.done = v }

func newTable() *table {
	t := &table{rows: make(map[string]int)}
	t.put("first")
	return t
}

func main() {
	t := newTable()
	t.finish(false)
	t.hit()
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			t.mu.Lock()
			defer t.mu.Unlock()
			t.put("more")
			t.hit()
			if t.done {
				return
			}
		}()
	}
	t.mu.Lock()
	t.put("own")
	t.mu.Unlock()
	t.hit()
	wg.Wait()
	t.put("last")
	t.finish(true)
	unlockLate()
}

// pair is given up in the last step of a function that its caller locked for.
type pair struct {
	mu   sync.Mutex
	a, b int
}

// release changes the data and only then gives up the lock it was called with.
func (p *pair) release() {
	p.a++
	p.b++
	p.mu.Unlock()
}

// early gives up the lock first.
func (p *pair) early() {
	p.mu.Unlock()
	p.b++ // want race "p.b"
}

func unlockLate() {
	p := &pair{}
	go func() {
		p.mu.Lock()
		p.release()
	}()
	p.mu.Lock()
	p.early()
	p.mu.Lock()
	p.a++
	p.mu.Unlock()
}
