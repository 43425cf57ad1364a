// Stages that are connected by channels: what is sent on belongs to the next.
package main

import "context"

type item struct {
	raw    string
	parsed int
	stages int
}

func main() {
	stagesClean()
	keepsRacy()
	counterRacy()
	counterClean()
	cancelClean()
}

func generate(n int) <-chan *item {
	out := make(chan *item)
	go func() {
		defer close(out)
		for range n {
			out <- &item{raw: "x"}
		}
	}()
	return out
}

func parse(in <-chan *item) <-chan *item {
	out := make(chan *item)
	go func() {
		defer close(out)
		for it := range in {
			it.parsed = len(it.raw)
			out <- it
		}
	}()
	return out
}

func stagesClean() {
	for it := range parse(generate(3)) {
		it.parsed++
	}
}

// The stage touches the item after it has passed it on.
func keepsRacy() {
	in := generate(3)
	out := make(chan *item)
	go func() {
		defer close(out)
		for it := range in {
			out <- it
			it.stages++ // want race "stages"
		}
	}()
	for it := range out {
		it.stages++
	}
}

func counterRacy() {
	in := generate(3)
	out := make(chan *item)
	passed := 0
	go func() {
		defer close(out)
		for it := range in {
			passed++ // want race "passed"
			out <- it
		}
	}()
	for range out {
		_ = passed
	}
}

// The counter is read when the stage is over.
func counterClean() {
	in := generate(3)
	out := make(chan *item)
	passed := 0
	go func() {
		defer close(out)
		for it := range in {
			passed++
			out <- it
		}
	}()
	for range out {
	}
	_ = passed
}

// A stage that is told to stop drops what it has.
func cancelClean() {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	in := generate(3)
	out := make(chan *item)
	go func() {
		defer close(out)
		for it := range in {
			it.parsed = 1
			select {
			case out <- it:
			case <-ctx.Done():
				return
			}
		}
	}()
	it := <-out
	it.parsed = 2
}
