// Elements with different indices are different memory.
package main

import "sync"

func main() {
	constantsClean()
	constantsRacy()
	perTaskClean()
	argumentClean()
	sameIndexRacy()
	neighbourRacy()
	blocksClean()
	subslicesClean()
	overlapRacy()
	divideClean()
	sameHalfRacy()
	chunksClean()
	sameChunkRacy()
	overlappingRacy()
	steppedRacy()
	steppedClean()
	halvesClean()
	fieldsClean()
	counterRacy()
	pointersClean()
}

func constantsClean() {
	var pair [2]int
	done := make(chan bool)
	go func() {
		pair[0] = 1
		done <- true
	}()
	pair[1] = 2
	<-done
}

func constantsRacy() {
	var pair [2]int
	done := make(chan bool)
	go func() {
		pair[0] = 1 // want race "pair[0]"
		done <- true
	}()
	pair[0] = 2
	<-done
}

func perTaskClean() {
	results := make([]int, 4)
	var wg sync.WaitGroup
	for i := range results {
		wg.Go(func() { results[i] = i * i })
	}
	wg.Wait()
	_ = results[0]
}

func argumentClean() {
	results := make([]int, 4)
	var wg sync.WaitGroup
	for i := range results {
		wg.Add(1)
		go func(at int) {
			defer wg.Done()
			results[at]++
		}(i)
	}
	wg.Wait()
}

// All goroutines are given the same index.
func sameIndexRacy() {
	slots := make([]int, 4)
	var wg sync.WaitGroup
	last := len(slots) - 1
	for range slots {
		wg.Go(func() { slots[last]++ }) // want race "slots"
	}
	wg.Wait()
}

func neighbourRacy() {
	cells := make([]int, 5)
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { cells[i] = cells[i+1] }) // want race "cells"
	}
	wg.Wait()
}

// Each goroutine takes a block of its own.
func blocksClean() {
	data := make([]int, 8)
	var wg sync.WaitGroup
	for b := 0; b < len(data); b += 4 {
		wg.Go(func() {
			for i := b; i < b+4; i++ {
				data[i] = i
			}
		})
	}
	wg.Wait()
}

func fill(s []int, v int) {
	for i := range s {
		s[i] = v
	}
}

func subslicesClean() {
	data := make([]int, 8)
	var wg sync.WaitGroup
	for b := 0; b < len(data); b += 4 {
		part := data[b : b+4]
		wg.Go(func() { fill(part, b) })
	}
	wg.Wait()
}

func fillShared(s []int, v int) {
	for i := range s {
		s[i] = v // want race "s"
	}
}

func overlapRacy() {
	data := make([]int, 8)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { fillShared(data, 1) })
	}
	wg.Wait()
}

func halvesClean() {
	data := make([]int, 8)
	half := len(data) / 2
	done := make(chan bool)
	go func() {
		fill(data[:half], 1)
		done <- true
	}()
	fill(data[half:], 2)
	<-done
}
