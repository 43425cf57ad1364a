// What a once does is over before any call of Do returns.
package main

import "sync"

type client struct {
	once  sync.Once
	conn  *int
	count int
}

func (c *client) get() *int {
	c.once.Do(func() {
		c.conn = new(int)
	})
	return c.conn
}

func main() {
	lazyClean()
	peekRacy()
	twoOncesRacy()
	afterRacy()
	funcClean()
	valueClean()
	valueSharedRacy()
	globalClean()
	methodClean()
}

func twice(f func()) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
}

func lazyClean() {
	c := &client{}
	twice(func() { _ = c.get() })
}

// The reader does not go through the once.
func peekRacy() {
	c := &client{}
	done := make(chan bool)
	go func() {
		c.once.Do(func() {
			c.count = 1 // want race "count"
		})
		done <- true
	}()
	_ = c.count
	<-done
}

func twoOncesRacy() {
	n := 0
	var a, b sync.Once
	done := make(chan bool)
	go func() {
		a.Do(func() { n++ }) // want race "n"
		done <- true
	}()
	b.Do(func() { n++ })
	<-done
}

// What is done with the result is not part of the once.
func afterRacy() {
	c := &client{}
	twice(func() {
		*c.get() = 1 // want none fn "get"
	})
}

func funcClean() {
	n := 0
	setup := sync.OnceFunc(func() { n = 1 })
	twice(func() {
		setup()
		_ = n
	})
}

func valueClean() {
	loads := 0
	load := sync.OnceValue(func() map[string]int {
		loads++
		return map[string]int{"a": 1}
	})
	twice(func() { _ = load()["a"] })
}

func valueSharedRacy() {
	load := sync.OnceValue(func() map[string]int { return map[string]int{} })
	twice(func() {
		load()["a"] = 1 // want none fn "load"
	})
}

var (
	setup    sync.Once
	settings map[string]string
)

func setting(key string) string {
	setup.Do(loadSettings)
	return settings[key]
}

func loadSettings() {
	settings = map[string]string{"a": "b"}
}

func globalClean() {
	twice(func() { _ = setting("a") })
}

type lazy struct {
	sync.Once
	value int
}

func (l *lazy) fill() { l.value = 1 }

func methodClean() {
	l := &lazy{}
	twice(func() {
		l.Do(l.fill)
		_ = l.value
	})
}
