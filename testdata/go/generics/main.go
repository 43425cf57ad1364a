// Generic code is instantiated; methods are found through embedding and
// interfaces.
package main

type box[T any] struct{ v T }

func (b *box[T]) set(v T) { b.v = v } // want race "b.v"

type setter interface{ set(int) }

type outer struct{ *box[int] }

func main() {
	b := &box[int]{}
	var s setter = outer{b}
	go s.set(1)
	b.set(2)

	own := &box[string]{}
	own.set("not shared")
}
