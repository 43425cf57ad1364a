//go:build go1.21

package main

import "sync"

func oldLoopRacy() {
	var wg sync.WaitGroup
	for turn := 0; turn < 3; turn++ { // want race "turn"
		wg.Add(1)
		go func() {
			defer wg.Done()
			use(turn)
		}()
	}
	wg.Wait()
}

func oldRangeRacy() {
	var wg sync.WaitGroup
	for _, item := range []int{1, 2, 3} { // want race "item"
		wg.Add(1)
		go func() {
			defer wg.Done()
			use(item)
		}()
	}
	wg.Wait()
}

func oldCopyClean() {
	var wg sync.WaitGroup
	for _, item := range []int{1, 2, 3} {
		item := item
		wg.Add(1)
		go func() {
			defer wg.Done()
			use(item)
		}()
	}
	wg.Wait()
}
