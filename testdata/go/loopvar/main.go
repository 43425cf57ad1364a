// A loop variable belongs to one iteration since version 1.22 of the language,
// and to the whole loop before. The version is that of the file.
package main

import "sync"

func main() {
	newLoopClean()
	copiedClean()
	oldLoopRacy()
	oldRangeRacy()
	oldCopyClean()
}

func newLoopClean() {
	var wg sync.WaitGroup
	for i := 0; i < 3; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			use(i)
		}()
	}
	wg.Wait()
}

func copiedClean() {
	var wg sync.WaitGroup
	for _, s := range []int{1, 2, 3} {
		wg.Go(func() { use(s) })
	}
	wg.Wait()
}

func use(int) {}
