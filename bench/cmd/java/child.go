package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"time"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
)

// childArg as the first argument makes this program one of the processes that
// it measures. The others are the verdict, the most memory in GiB, and the jars.
const childArg = "child"

// outcome is what a child says on standard output.
type outcome struct {
	Classes, Methods, Reached int
	Origins, Cells            int // of the program that has most
	High, Medium, Low         int
	Note                      string
}

func modeOf(name string) (driver.Mode, bool) {
	switch name {
	case "program":
		return driver.ModeProgram, true
	case "library":
		return driver.ModeLibrary, true
	}
	return 0, false
}

// child runs one verdict.
func child(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) < 3 {
		fmt.Fprintln(stderr, "a child takes a verdict, a bound of memory and jars")
		return 2
	}
	mode, ok := modeOf(args[0])
	memory, err := strconv.ParseFloat(args[1], 64)
	if !ok || err != nil {
		fmt.Fprintln(stderr, "a child takes a verdict, a bound of memory and jars")
		return 2
	}
	debug.SetGCPercent(driver.GCPercent)
	debug.SetMemoryLimit(int64(memory * 0.9 * (1 << 30)))
	go watch(memory, stderr)
	res, err := driver.Check(ctx, driver.Config{
		Targets: args[2:], Mode: mode,
		Java: driver.JavaConfig{JavaHome: os.Getenv("JAVA_HOME"), PathList: os.Getenv("PATH")},
	})
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	if err := json.NewEncoder(stdout).Encode(outcomeOf(res)); err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// watch ends the process when it takes more memory than allowed.
func watch(gib float64, stderr io.Writer) {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(100 * time.Millisecond) {
		metrics.Read(sample)
		if float64(sample[0].Value.Uint64()-sample[1].Value.Uint64()) > gib*(1<<30) {
			fmt.Fprintf(stderr, "stopped at %g GiB", gib)
			os.Exit(1)
		}
	}
}

func outcomeOf(res *driver.Result) outcome {
	o := outcome{Methods: res.Reach.Of, Reached: res.Reach.Functions}
	for _, p := range res.Packages {
		if p.Target {
			o.Classes++
		}
	}
	for _, p := range res.Programs {
		o.Origins = max(o.Origins, p.Origins)
		o.Cells = max(o.Cells, p.Cells)
	}
	for i := range res.Findings {
		switch res.Findings[i].Confidence {
		case detect.High:
			o.High++
		case detect.Medium:
			o.Medium++
		default:
			o.Low++
		}
	}
	if n := len(res.Crashes); n > 0 {
		o.Note = fmt.Sprintf("%d panics", n)
	} else if n := len(res.NotAnalysed); n > 0 {
		o.Note = fmt.Sprintf("%d not analysed: %s", n, res.NotAnalysed[0].Reason)
	}
	return o
}
