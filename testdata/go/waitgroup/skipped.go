package main

import "sync"

// The wait is skipped only if it was made before.
func skippedClean(records []int) {
	var wg sync.WaitGroup
	results := make([]int, 2)
	var all []int
	wg.Add(1)
	go func() {
		defer wg.Done()
		results[0] = 1
	}()
	for _, r := range records {
		if r > 3 && len(all) == 0 {
			wg.Wait()
			all = make([]int, r)
		}
	}
	if len(all) == 0 {
		wg.Wait()
	}
	_ = results[0]
}

// It is also skipped if there is something from elsewhere.
func skippedRacy(records, all []int) {
	var wg sync.WaitGroup
	found := 0
	wg.Add(1)
	go func() {
		defer wg.Done()
		found = 1 // want race "found"
	}()
	for _, r := range records {
		if r > 3 && len(all) == 0 {
			wg.Wait()
			all = make([]int, r)
		}
	}
	if len(all) == 0 {
		wg.Wait()
	}
	_ = found
}

// A flag says that the wait was made.
func waitedClean(early bool) {
	var wg sync.WaitGroup
	x, waited := 0, false
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 1
	}()
	if early {
		wg.Wait()
		waited = true
	}
	if !waited {
		wg.Wait()
	}
	_ = x
}

// It says so too soon.
func waitedRacy(early, sure bool) {
	var wg sync.WaitGroup
	soon, waited := 0, false
	wg.Add(1)
	go func() {
		defer wg.Done()
		soon = 1 // want race "soon"
	}()
	if early {
		waited = true
		if sure {
			wg.Wait()
		}
	}
	if !waited {
		wg.Wait()
	}
	_ = soon
}
