// What a pool gives belongs to the one who asked, until it is put back.
package main

import (
	"bytes"
	"sync"
)

type buffer struct {
	data []byte
	used int
}

func main() {
	getClean()
	afterPutRacy()
	bytesClean()
	sharedRacy()
	newRacy()
}

func many(f func()) {
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(f)
	}
	wg.Wait()
}

func getClean() {
	pool := sync.Pool{New: func() any { return new(buffer) }}
	many(func() {
		b := pool.Get().(*buffer)
		b.used++
		b.data = append(b.data[:0], 1)
		pool.Put(b)
	})
}

// The buffer may be somebody else's already.
func afterPutRacy() {
	pool := sync.Pool{New: func() any { return new(buffer) }}
	many(func() {
		b := pool.Get().(*buffer)
		pool.Put(b)
		b.used++ // want none fn "used"
	})
}

func bytesClean() {
	pool := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	many(func() {
		b := pool.Get().(*bytes.Buffer)
		b.Reset()
		b.WriteString("a")
		pool.Put(b)
	})
}

// What the objects lead to may be shared all the same.
func sharedRacy() {
	common := &buffer{}
	pool := sync.Pool{New: func() any { return &common }}
	many(func() {
		p := pool.Get().(**buffer)
		(*p).used++ // want race "used"
		pool.Put(p)
	})
}

// New is called by whoever asks.
func newRacy() {
	made := 0
	pool := sync.Pool{New: func() any {
		made++ // want race "made"
		return new(buffer)
	}}
	many(func() { pool.Get() })
}
