// The header of a slice is apart from its elements. append assigns the header
// where its result goes, and may write the array.
package main

import "sync"

func main() {
	headerRacy()
	headerElementClean()
	elementRacy()
	appendRacy()
	appendLostRacy()
	appendOwnClean()
	appendSharedRacy()
	appendFullClean()
	copyRacy()
	rangeRacy()
	rangeClean()
	sortRacy()
	resliceRacy()
	bytesClean()
	storedClean()
	storedRacy(len(none) > 2)
}

func headerRacy() {
	s := []int{1}
	done := make(chan int)
	go func() { done <- len(s) }()
	s = nil // want race "s"
	<-done
}

// The goroutine has a header of its own.
func headerElementClean() {
	s := []int{1}
	done := make(chan int)
	go func(s []int) { done <- s[0] }(s)
	s = []int{2}
	s[0] = 3
	<-done
}

func elementRacy() {
	s := []int{1, 2}
	done := make(chan bool)
	go func() {
		s[0] = 3 // want race "s[0]"
		done <- true
	}()
	_ = s[0]
	<-done
}

func appendRacy() {
	var log []string
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() { log = append(log, "x") }) // want race "log"
	}
	wg.Wait()
}

// The length is read while append assigns the header.
func appendLostRacy() {
	queue := make([]int, 0, 8)
	done := make(chan bool)
	go func() {
		queue = append(queue, 1) // want race "queue"
		done <- true
	}()
	for range queue {
	}
	<-done
}

func appendOwnClean() {
	shared := []int{1, 2}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			own := append([]int(nil), shared...)
			own = append(own, 3)
			_ = own
		})
	}
	wg.Wait()
}

// There is room behind the end: both write the same element.
func appendSharedRacy() {
	prefix := make([]int, 1, 8)
	done := make(chan []int)
	go func() { done <- append(prefix, 1) }() // want race "prefix"
	_ = append(prefix, 2)
	<-done
}

func appendFullClean() {
	prefix := make([]int, 2)
	done := make(chan []int)
	go func() { done <- append(prefix, 1) }()
	_ = append(prefix, 2)
	<-done
}
