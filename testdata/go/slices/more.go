package main

import "slices"

func copyRacy() {
	src, dst := []int{1, 2}, make([]int, 2)
	done := make(chan int)
	go func() { done <- dst[1] }()
	copy(dst, src) // want race "dst"
	<-done
}

func rangeRacy() {
	list := []int{1, 2}
	done := make(chan bool)
	go func() {
		for _, v := range list {
			_ = v
		}
		done <- true
	}()
	list[1] = 3 // want race "list"
	<-done
}

// Only the indices are used.
func rangeClean() {
	list := []int{1, 2}
	done := make(chan bool)
	go func() {
		for i := range list {
			_ = i
		}
		done <- true
	}()
	list[1] = 3
	<-done
}

func sortRacy() {
	list := []int{2, 1}
	done := make(chan int)
	go func() { done <- list[0] }()
	slices.Sort(list) // want race "list"
	<-done
}

func resliceRacy() {
	list := []int{1, 2, 3}
	tail := list[1:]
	done := make(chan int)
	go func() { done <- tail[0] }()
	list[1] = 4 // want none fn "list[1]"
	<-done
}

func bytesClean() {
	buf := []byte("abc")
	text := string(buf)
	done := make(chan int)
	go func() { done <- len(text) }()
	buf[0] = 'x'
	<-done
}
