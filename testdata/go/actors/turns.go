package main

import "sync"

// A loop hands each function to a group.
func turnsClean() {
	n := 0
	m := 0
	fs := []func(){func() { n++ }, func() { m++ }}
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
	_, _ = n, m
}

// Two of them share something.
func turnsRacy() {
	both := 0
	fs := []func(){func() { both++ }, func() { both-- }} // want race "both"
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
}

// The same function in every turn.
func sameRacy() {
	same := 0
	f := func() { same++ } // want race "same"
	g := func() {}
	if len(hooked) > 0 {
		f = g
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
}

var hooked []int
