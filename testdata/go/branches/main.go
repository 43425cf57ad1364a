// Branches that are never taken have no accesses.
package main

import "os"

const debug = false

func main() {
	constantClean()
	localClean()
	shortCircuitClean()
	shortCircuitRacy()
	switchClean()
	exitClean()
	unknownRacy()
	parameterClean()
	impossibleClean()
	modesClean()
	nobodyClean()
	somebodyRacy()
	elseClean()
	switchedClean(os.Args[0])
	changedRacy()
	loopRacy()
	foundRacy()
}

func start(f func()) chan bool {
	done := make(chan bool)
	go func() {
		f()
		done <- true
	}()
	return done
}

func constantClean() {
	x := 0
	done := start(func() {
		if debug {
			x = 1
		}
	})
	x = 2
	<-done
	_ = x
}

func localClean() {
	x := 0
	enabled := false
	done := start(func() {
		if enabled {
			x = 1
		}
	})
	x = 2
	<-done
	_ = x
}

// The right operand is not evaluated.
func shortCircuitClean() {
	x := 0
	off := false
	done := start(func() { _ = off && x == 1 })
	x = 2
	<-done
}

func shortCircuitRacy() {
	operand := 0
	on := true
	done := start(func() { _ = on && operand == 1 })
	operand = 2 // want race "operand"
	<-done
}

func switchClean() {
	x := 0
	kind := 2
	done := start(func() {
		switch kind {
		case 1:
			x = 1
		case 2:
		}
	})
	x = 2
	<-done
	_ = x
}

// Nobody is left to race with.
func exitClean() {
	x := 0
	done := start(func() {
		if len(os.Args) > 99 {
			os.Exit(1)
			x = 1
		}
	})
	x = 2
	<-done
	_ = x
}

func unknownRacy() {
	maybe := 0
	done := start(func() {
		if len(os.Args) > 0 {
			maybe = 1 // want race "maybe"
		}
	})
	maybe = 2
	<-done
	_ = maybe
}

// The only call says no.
func parameterClean() {
	x := 0
	done := start(func() { touch(&x, false) })
	x = 2
	<-done
}

func touch(p *int, really bool) {
	if really {
		*p = 1
	}
}

// The two conditions exclude each other.
func impossibleClean() {
	x := 0
	leader := len(os.Args) > 0
	done := start(func() {
		if leader {
			x = 1
		}
	})
	if !leader {
		x = 2 // want race fp "x"
	}
	<-done
	_ = x
}
