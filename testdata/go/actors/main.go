// Functions that a group runs, each in a goroutine of its own: one spawn in a
// loop starts them all, but no function runs twice.
package main

import "sync"

type actor struct {
	execute func() error
	stop    func()
}

type group struct{ actors []actor }

func (g *group) add(execute func() error, stop func()) {
	g.actors = append(g.actors, actor{execute, stop})
}

func (g *group) run() error {
	errs := make(chan error, len(g.actors))
	for _, a := range g.actors {
		go func(a actor) { errs <- a.execute() }(a)
	}
	err := <-errs
	for _, a := range g.actors {
		a.stop()
	}
	return err
}

type server struct {
	size, hits int
	late       int
}

// serve runs once: one of the functions starts it.
func (s *server) serve() {
	s.hits++
	_, _ = s.size, s.late
}

func (s *server) open() {
	s.size = 1
	go s.serve()
	s.late = 1 // want race "s.late"
}

func main() {
	severalTimesRacy()
	turnsClean()
	turnsRacy()
	sameRacy()
	receivers()
	g := &group{}
	s := &server{}
	both := 0
	g.add(func() error {
		own := 0
		s.open()
		own++
		both++ // want race "both"
		return nil
	}, func() {})
	other := 0
	g.add(func() error {
		other++
		both++ // want race "both"
		return nil
	}, func() {})
	_ = g.run()
	twice()
}

// twice runs one function in two goroutines: there is no list it could be in
// only once.
func twice() {
	n := 0
	count := func() { n++ } // want race "n"
	var wg sync.WaitGroup
	for _, f := range []func(){count, count} {
		wg.Go(f)
	}
	wg.Wait()
}

// Each function of the list runs in several goroutines.
func severalTimesRacy() {
	n, m := 0, 0
	list := []func(){
		func() { n++ }, // want race "n"
		func() { m++ }, // want race "m"
	}
	for _, f := range list {
		for range 3 {
			go func() { f() }()
		}
	}
}

type sink interface{ take(line []int) }

type first struct{ n int }

func (f *first) take(line []int) {
	f.n++       // of one goroutine each
	line[0] = 1 // want race "line"
}

type second struct{ n int }

func (s *second) take(line []int) { s.n++ }

// Two sinks of one type get the same line, each in a goroutine of its own.
func receivers() {
	line := make([]int, 1)
	for _, s := range []sink{&first{}, &first{}, &second{}} {
		go func() { s.take(line) }()
	}
}
