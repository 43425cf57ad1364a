package main

type crate struct {
	seq     int
	content []int
}

func deliver(to chan *crate, p *crate) {
	p.content = append(p.content, p.seq)
	to <- p
}

// What is in the crate goes with it.
func insideClean() {
	to := make(chan *crate, 2)
	done := make(chan bool)
	go func() {
		for p := range to {
			for i := range p.content {
				p.content[i] *= 2
			}
		}
		close(done)
	}()
	for i := range 3 {
		deliver(to, &crate{seq: i})
	}
	close(to)
	<-done
}

type letter struct{ page []int }

// All letters have the same page.
func insideRacy() {
	to := make(chan *letter, 2)
	done := make(chan bool)
	go func() {
		for l := range to {
			l.page[0] *= 2
		}
		close(done)
	}()
	page := make([]int, 1)
	for i := range 3 {
		l := &letter{page: page}
		l.page[0] = i // want race "page"
		to <- l
	}
	close(to)
	<-done
}
