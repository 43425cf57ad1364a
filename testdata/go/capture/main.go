// Captured variables are shared with the goroutine that captures them.
package main

import (
	"fmt"
	"sync"
)

func main() {
	local()
	argument()
	loopVariable()
	namedResult()
	blank()
	joined()
}

func local() {
	x := 0
	go func() {
		x = 1 // want race "x"
	}()
	fmt.Println(x)
}

// The argument is evaluated before the goroutine starts.
func argument() {
	y := 0
	go func(v int) {
		_ = v
	}(y)
	y = 1
	_ = y
}

// Each iteration has a variable of its own.
func loopVariable() {
	for i := 0; i < 3; i++ {
		go func() {
			_ = i
		}()
	}
}

func namedResult() (err error) {
	go func() {
		_ = err // want race "err"
	}()
	return fmt.Errorf("returning assigns")
}

func blank() {
	z := 0
	go func() {
		_ = z // want race "z"
	}()
	z++
}

func joined() {
	n := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		n = 1
	}()
	wg.Wait()
	n = 2
	fmt.Println(n)
}
