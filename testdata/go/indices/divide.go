package main

import "sync"

// Each half is sorted by another goroutine, and so on.
func sortAll(s []int) {
	if len(s) < 2 {
		return
	}
	mid := len(s) / 2
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		sortAll(s[:mid])
	}()
	sortAll(s[mid:])
	wg.Wait()
	if s[0] > s[mid] {
		s[0], s[mid] = s[mid], s[0]
	}
}

func divideClean() { sortAll([]int{3, 1, 2, 5}) }

// Both halves are the first one.
func doubleAll(s []int, depth int) {
	if depth == 0 {
		for i := range s {
			s[i] *= 2 // want race "s"
		}
		return
	}
	done := make(chan bool)
	go func() {
		doubleAll(s[:2], depth-1)
		done <- true
	}()
	doubleAll(s[:2], depth-1)
	<-done
}

func sameHalfRacy() { doubleAll(make([]int, 4), 2) }

// chunks hands each worker what it is to work on.
func chunksClean() {
	data := make([]int, 100)
	parts := 4
	size := len(data) / parts
	var wg sync.WaitGroup
	for p := 0; p < parts; p++ {
		wg.Add(1)
		go func(chunk []int) {
			defer wg.Done()
			for i := range chunk {
				chunk[i]++
			}
		}(data[p*size : (p+1)*size])
	}
	wg.Wait()
}

// The same chunk for everybody.
func sameChunkRacy() {
	data := make([]int, 100)
	half := len(data) / 2
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func(common []int) {
			defer wg.Done()
			for i := range common {
				common[i]++ // want race "common"
			}
		}(data[half:])
	}
	wg.Wait()
}

// Each part has one element too many.
func overlappingRacy() {
	data := make([]int, 100)
	parts := 4
	size := len(data) / parts
	var wg sync.WaitGroup
	for p := 0; p < parts; p++ {
		low := p * size
		high := low + size + 1
		if p == parts-1 {
			high = len(data)
		}
		wg.Add(1)
		go func(wide []int) {
			defer wg.Done()
			for i := range wide {
				wide[i]++ // want race "wide"
			}
		}(data[low:high])
	}
	wg.Wait()
}

func steppedRacy() {
	data := make([]int, 8)
	var wg sync.WaitGroup
	for b := 0; b+5 < len(data); b += 4 {
		more := data[b : b+5]
		wg.Go(func() {
			more[0]++ // want race "more"
			more[4]++
		})
	}
	wg.Wait()
}

func steppedClean() {
	data := make([]int, 9)
	var wg sync.WaitGroup
	for b := 0; b < len(data); b += 3 {
		wg.Add(1)
		go func(own []int) {
			defer wg.Done()
			own[2]++
		}(data[b : b+3])
	}
	wg.Wait()
}
