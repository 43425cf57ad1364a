// Atomic against atomic is no race, plain against atomic is.
package main

import "sync/atomic"

var (
	typed atomic.Int64
	both  int32
	mixed int32
)

func main() {
	go func() {
		typed.Add(1)
		atomic.AddInt32(&both, 1)
		atomic.StoreInt32(&mixed, 1) // want race "mixed"
	}()
	typed.Store(2)
	atomic.LoadInt32(&both)
	mixed = 2
}
