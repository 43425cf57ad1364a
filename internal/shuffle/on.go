//go:build check

package shuffle

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
)

// seed is read once; it never changes.
var seed = read()

func read() uint64 {
	text := os.Getenv("DEADHEAT_SHUFFLE")
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("DEADHEAT_SHUFFLE must be a number: %v", err))
	}
	return n
}

// All puts a list into any order.
func All[T any](list []T) {
	if seed == 0 || len(list) < 2 {
		return
	}
	r := rand.New(rand.NewPCG(seed, uint64(len(list))))
	r.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
}

// Front lets any element be the first of a list.
func Front[T any](list []T) {
	if i := pick(len(list)); i > 0 {
		list[0], list[i] = list[i], list[0]
	}
}

// Back lets any element be the last of a list.
func Back[T any](list []T) {
	if i := pick(len(list)); i > 0 {
		last := len(list) - 1
		list[last], list[i] = list[i], list[last]
	}
}

func pick(n int) int {
	if seed == 0 || n < 2 {
		return 0
	}
	// SplitMix64: lists are popped too often for a generator of their own.
	x := (seed + uint64(n)) * 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return int((x ^ x>>31) % uint64(n))
}
