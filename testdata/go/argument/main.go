// Operands of a go statement are evaluated before the goroutine starts, what the
// goroutine's body reads is not.
package main

type point struct{ x, y int }

func (p point) sum() int   { return p.x + p.y }
func (p *point) grow()     { p.x++ } // want race "x"
func (p *point) stay() int { return 1 }

func main() {
	valueClean()
	captureRacy()
	pointerRacy()
	copyClean()
	receiverClean()
	receiverRacy()
	nestedClean()
	sliceRacy()
}

func read(int)          {}
func readTo(p *int)     { read(*p) } // want race "later"
func first(s []int) int { return s[0] }

func valueClean() {
	count := 0
	go read(count)
	count = 1
	_ = count
}

func captureRacy() {
	captured := 0
	done := make(chan bool)
	go func() {
		read(captured) // want race "captured"
		done <- true
	}()
	captured = 1
	<-done
}

func pointerRacy() {
	later := 0
	go readTo(&later)
	later = 1
	_ = later
}

func copyClean() {
	p := point{1, 2}
	go func(p point) { read(p.x) }(p)
	p.x = 3
	_ = p
}

// The receiver is copied when the goroutine starts.
func receiverClean() {
	p := point{1, 2}
	go p.sum()
	p.x = 3
	_ = p
}

func receiverRacy() {
	p := &point{1, 2}
	go p.grow()
	p.x = 3
	go p.stay()
}

// The inner call is an operand.
func nestedClean() {
	p := &point{1, 2}
	go read(p.sum())
	p.x = 3
}

// A slice is passed by value, its elements are not.
func sliceRacy() {
	s := []int{1, 2}
	go first(s)
	s[0] = 3 // want race "[0]"
}
