// Fan-out spreads work over goroutines, fan-in brings the results together.
package main

import "sync"

type event struct{ source, value int }

func main() {
	mergeClean()
	mergeSliceRacy()
	mergeSliceClean()
	selectClean()
	lastRacy()
	broadcastRacy()
	broadcastClean()
}

func source(id int) <-chan *event {
	out := make(chan *event)
	go func() {
		defer close(out)
		for i := range 3 {
			out <- &event{id, i}
		}
	}()
	return out
}

func merge(ins ...<-chan *event) <-chan *event {
	out := make(chan *event)
	var wg sync.WaitGroup
	for _, in := range ins {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for e := range in {
				e.value++
				out <- e
			}
		}()
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

// An event passes through three hands.
func mergeClean() {
	for e := range merge(source(1), source(2)) {
		e.value *= 2
	}
}

func mergeSliceRacy() {
	var all []int
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			for e := range source(i) {
				all = append(all, e.value) // want race "all"
			}
		})
	}
	wg.Wait()
}

func mergeSliceClean() {
	parts := make([][]int, 3)
	var wg sync.WaitGroup
	for i := range parts {
		wg.Go(func() {
			var own []int
			for e := range source(i) {
				own = append(own, e.value)
			}
			parts[i] = own
		})
	}
	wg.Wait()
	_ = parts
}

// One goroutine receives from both.
func selectClean() {
	a, b := source(1), source(2)
	total := 0
	for a != nil || b != nil {
		select {
		case e, ok := <-a:
			if !ok {
				a = nil
				continue
			}
			total += e.value
		case e, ok := <-b:
			if !ok {
				b = nil
				continue
			}
			total += e.value
		}
	}
	_ = total
}
