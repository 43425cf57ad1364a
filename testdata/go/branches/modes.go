package main

import (
	"flag"
	"os"
)

var agent bool

// A mode that is chosen once: each goroutine is started in one of them.
func modesClean() {
	flag.BoolVar(&agent, "agent", false, "")
	flag.Parse()
	n := 0
	if !agent {
		go func() { n = 1 }()
	}
	if agent {
		go func() { n = 2 }()
	}
	println(&n)
}

func elseClean() {
	m := 0
	if len(os.Args) > 3 {
		go func() { m = 1 }()
	} else {
		go func() { m = 2 }()
	}
	println(&m)
}

func switchedClean(mode string) {
	s := 0
	if mode == "a" {
		go func() { s = 1 }()
	}
	println("next")
	if mode == "b" {
		go func() { s = 2 }()
	}
	println(&s)
}

var changing bool

// The mode is another one when it is looked at again.
func changedRacy() {
	changed := 0
	if !changing {
		go func() { changed = 1 }() // want race "changed"
	}
	changing = len(os.Args) > 2
	if changing {
		go func() { changed = 2 }()
	}
	println(&changed)
}

// In every turn of a loop it may be another one.
func loopRacy() {
	looped := 0
	for i := range 4 {
		if i == 0 {
			go func() { looped = 1 }() // want race "looped"
		} else {
			go func() { looped = 2 }() // want race "looped"
		}
	}
	println(&looped)
}
