package detect

// Rule describes one kind of finding. It is data: explanations, documentation
// and machine formats are made from it.
type Rule struct {
	ID       string
	Title    string
	Severity string // "error" or "warning"
	Text     string // paragraphs separated by blank lines; no line is longer than 80 columns
	Racy     string // a complete Go program that has the defect
	Fixed    string // the same program without it
}

// IDs of the rule catalogue.
const (
	RuleRace       = "race"
	RuleRaceAtomic = "race-atomic"
	RuleMisuse     = "misuse"
)

// Rules returns the catalogue, sorted by ID.
func Rules() []Rule {
	return []Rule{misuseRule(), raceRule(), raceAtomicRule()}
}

// RuleByID returns the rule with the given ID.
func RuleByID(id string) (Rule, bool) {
	for _, r := range Rules() {
		if r.ID == id {
			return r, true
		}
	}
	return Rule{}, false
}

func raceRule() Rule {
	return Rule{
		ID:       RuleRace,
		Title:    "two accesses to the same memory, at least one a write, that nothing keeps apart",
		Severity: "error",
		Text: `Two origins (goroutines, handlers, timers, …) may reach the same memory at the
same time, at least one of them writes, and neither a common lock nor any order
between them (a join, a channel, a WaitGroup, a once) keeps the accesses apart.

The outcome is not "one value or the other": the compiler and the processor
assume that races do not happen. A reader may see half of a slice header or of
an interface, a map may be corrupted, a loop may never see the new value.

Hold the same lock around both accesses, hand the data over through a channel,
wait for the other side to end before touching it, or give each side its own
copy.`,
		Racy: `package main

import "fmt"

func main() {
	hits := 0
	done := make(chan bool)
	go func() {
		hits++
		done <- true
	}()
	hits++
	<-done
	fmt.Println(hits)
}
`,
		Fixed: `package main

import (
	"fmt"
	"sync"
)

func main() {
	var mu sync.Mutex
	hits := 0
	done := make(chan bool)
	go func() {
		mu.Lock()
		hits++
		mu.Unlock()
		done <- true
	}()
	mu.Lock()
	hits++
	mu.Unlock()
	<-done
	fmt.Println(hits)
}
`,
	}
}

func raceAtomicRule() Rule {
	return Rule{
		ID:       RuleRaceAtomic,
		Title:    "memory used atomically in one place and plainly in another",
		Severity: "error",
		Text: `One side uses an atomic operation, the other a plain load or store of the same
memory, and nothing keeps them apart. An atomic operation protects only against
other atomic operations: the plain side may still see a torn or a stale value,
and may be moved or left out by the compiler.

Use atomic operations everywhere, best through a type such as atomic.Int64 that
allows nothing else, or protect every access by one lock and use no atomics.`,
		Racy: `package main

import (
	"fmt"
	"sync/atomic"
)

var ready int32

func main() {
	done := make(chan bool)
	go func() {
		atomic.StoreInt32(&ready, 1)
		done <- true
	}()
	if ready == 1 {
		fmt.Println("ready")
	}
	<-done
}
`,
		Fixed: `package main

import (
	"fmt"
	"sync/atomic"
)

var ready atomic.Int32

func main() {
	done := make(chan bool)
	go func() {
		ready.Store(1)
		done <- true
	}()
	if ready.Load() == 1 {
		fmt.Println("ready")
	}
	<-done
}
`,
	}
}

func misuseRule() Rule {
	return Rule{
		ID:       RuleMisuse,
		Title:    "a channel, lock or group is ended or replaced while others may still use it",
		Severity: "error",
		Text: `The primitive that is to keep goroutines apart is itself used without order: a
channel is closed while another goroutine may send on it (the send panics), a
lock is overwritten while it may be held, work is added to a WaitGroup while
another goroutine may already be waiting for it (the wait may return too early).

Close a channel where all sends on it have ended, for example after waiting for
the senders. Add to a WaitGroup before starting the goroutine. Never copy over a
lock that others can reach.`,
		Racy: `package main

func main() {
	c := make(chan int, 1)
	go func() {
		c <- 1
	}()
	close(c)
}
`,
		Fixed: `package main

func main() {
	c := make(chan int, 1)
	done := make(chan bool)
	go func() {
		c <- 1
		close(done)
	}()
	<-done
	close(c)
}
`,
	}
}
