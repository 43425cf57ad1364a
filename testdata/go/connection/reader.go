package main

// A reader has channels of its own: one that the function which starts it makes,
// and one that the caller made for it.
type reader struct {
	out  chan int
	done chan struct{}
	n    int
}

func (r *reader) run() {
	defer func() {
		r.n++
		close(r.done)
		close(r.out)
	}()
	for i := range 3 {
		r.out <- i
	}
}

func newReader(out chan int) *reader {
	r := &reader{out: out, done: make(chan struct{})}
	go r.run()
	return r
}

func readersClean(names []string) {
	for range names {
		out := make(chan int)
		r := newReader(out)
		go func() {
			for range out {
			}
			<-r.done
		}()
	}
}

// The same with a channel that all of them are given.
type feeder struct {
	out  chan int
	done chan struct{}
}

func (f *feeder) run() {
	defer func() {
		close(f.done)
		close(f.out) // want race "f.out"
	}()
	for i := range 3 {
		f.out <- i
	}
}

func newFeeder(out chan int) *feeder {
	f := &feeder{out: out, done: make(chan struct{})}
	go f.run()
	return f
}

func feedersRacy(names []string) {
	out := make(chan int)
	for range names {
		newFeeder(out)
	}
	for range out {
	}
}
