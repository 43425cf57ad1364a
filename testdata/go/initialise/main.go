// Package variables are set, and init functions run, before main; goroutines that
// they start go on beside it.
package main

import "sync"

var (
	table   = map[string]int{"a": 1}
	limits  []int
	version = load()
	beat    int
	started = startBeat()
	cache   = map[string]int{}
	mu      sync.Mutex
	guarded = map[string]int{}
	logger  = newLogger()
)

func load() string { return "v1" }

func init() {
	limits = append(limits, 1)
	table["b"] = 2
}

func init() {
	table["c"] = 3
}

// startBeat runs during initialisation.
func startBeat() bool {
	go func() {
		beat++ // want race "beat"
	}()
	return true
}

type log struct{ lines int }

// newLogger leaves a goroutine behind.
func newLogger() *log {
	l := &log{}
	go func() {
		l.lines++ // want race "lines"
	}()
	return l
}

func main() {
	readClean()
	beatRacy()
	cacheRacy()
	guardedClean()
	loggerRacy()
	replaceRacy()
}

func twice(f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
}

func readClean() {
	twice(func() { _, _, _ = table["a"], limits[0], version })
}

func beatRacy() {
	if started {
		beat = 2
	}
}

func cacheRacy() {
	twice(func() {
		cache["a"] = 1 // want race "cache"
	})
}

func guardedClean() {
	twice(func() {
		mu.Lock()
		defer mu.Unlock()
		guarded["a"] = 1
	})
}

func loggerRacy() { logger.lines = 5 }

var handler = func() {}

// A variable that is only a function is a variable still.
func replaceRacy() {
	done := make(chan bool)
	go func() {
		handler()
		done <- true
	}()
	handler = func() { beat = 0 } // want race "handler"
	<-done
}
