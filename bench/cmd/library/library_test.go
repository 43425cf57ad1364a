package main

import (
	"strings"
	"testing"
	"time"

	"github.com/deadheat/deadheat/bench/internal/process"
)

// Ratios are taken within a run, and the one in the middle counts.
func TestPrint(t *testing.T) {
	run := func(seconds ...float64) []*step {
		var out []*step
		for i, name := range steps {
			out = append(out, &step{name: name, usage: process.Usage{CPU: time.Duration(seconds[i] * float64(time.Second))}})
		}
		return out
	}
	var b strings.Builder
	printRuns(&b, [][]*step{run(10, 1, 8, 0.4, 2), run(20, 1, 30, 0.3, 3), run(10, 1, 9, 1.8, 4)})
	for _, want := range []string{
		"vet cold           10.00",
		"library cold        9.00",
		"bar kept: 0.900 (0.800 to 1.500 in 3 runs) of 1.00: processor time of library cold to vet cold",
		"bar kept: 0.050 (0.010 to 0.200 in 3 runs) of 0.10: processor time of library warm to library cold",
		"bar kept: 0.250 (0.100 to 0.444 in 3 runs) of 0.30: processor time of library edited to library cold",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no line %q in\n%s", want, b.String())
		}
	}
}
