package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime/metrics"
	"strconv"
	"time"

	"github.com/deadheat/deadheat/bench/internal/process"
	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/frontend/jvm"
	"github.com/deadheat/deadheat/internal/frontend/jvm/archive"
)

// childArg as the first argument makes this program one of the processes that
// it measures. The others are what to do, its bounds, and the jars.
const childArg = "child"

// bounds are what a child may take.
type bounds struct {
	cpu    float64 // seconds
	memory float64 // GiB
}

func (b bounds) args() []string { return []string{fmt.Sprint(b.cpu), fmt.Sprint(b.memory)} }

func parseBounds(args []string) (b bounds, err error) {
	if b.cpu, err = strconv.ParseFloat(args[0], 64); err != nil {
		return b, err
	}
	b.memory, err = strconv.ParseFloat(args[1], 64)
	return b, err
}

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

// jdkMode stands for reading the JDK where a child takes a verdict.
const jdkMode = "jdk"

// child runs one verdict, or reads the JDK.
func child(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	const usage = "a child takes a verdict, bounds of CPU seconds and GiB, and jars"
	if len(args) < 3 {
		fmt.Fprintln(stderr, usage)
		return 2
	}
	mode, ok := modeOf(args[0])
	b, err := parseBounds(args[1:3])
	if !ok && args[0] != jdkMode || err != nil {
		fmt.Fprintln(stderr, usage)
		return 2
	}
	driver.PaceCollector()
	go watch(b, stderr)
	var o outcome
	java := driver.JavaConfig{JavaHome: os.Getenv("JAVA_HOME"), PathList: os.Getenv("PATH")}
	if args[0] == jdkMode {
		o, err = readJDK(ctx, java)
	} else {
		o, err = check(ctx, driver.Config{Targets: args[3:], Mode: mode, Java: java})
	}
	if err == nil {
		err = json.NewEncoder(stdout).Encode(o)
	}
	if err != nil {
		fmt.Fprintln(stderr, err)
		return 1
	}
	return 0
}

// watch ends the process when it takes more than allowed.
func watch(b bounds, stderr io.Writer) {
	sample := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	for range time.Tick(100 * time.Millisecond) {
		metrics.Read(sample)
		if float64(sample[0].Value.Uint64()-sample[1].Value.Uint64()) > b.memory*(1<<30) {
			fmt.Fprintf(stderr, "over: stopped at %g GiB", b.memory)
			os.Exit(1)
		}
		if process.CPU().Seconds() > b.cpu {
			fmt.Fprintf(stderr, "over: stopped after %g CPU s", b.cpu)
			os.Exit(1)
		}
	}
}

func check(ctx context.Context, cfg driver.Config) (outcome, error) {
	res, err := driver.Check(ctx, cfg)
	if err != nil {
		return outcome{}, err
	}
	return outcomeOf(res), nil
}

// readJDK makes units of all classes of the JDK.
func readJDK(ctx context.Context, java driver.JavaConfig) (o outcome, err error) {
	home, err := archive.FindJDK(java.JavaHome, java.PathList)
	if err != nil {
		return o, err
	}
	files, err := archive.LibraryFiles(home)
	if err != nil {
		return o, err
	}
	res, err := jvm.Load(ctx, jvm.Config{Targets: files, Library: jvm.LibraryNone})
	if err != nil {
		return o, err
	}
	failed := 0
	for _, c := range res.Classes {
		if len(c.Errors) > 0 {
			failed++
		}
		if !c.Target || c.Unit == nil {
			continue
		}
		o.Classes++
		for i := range c.Unit.Funcs {
			if c.Unit.Funcs[i].HasBody() {
				o.Methods++
			}
		}
	}
	if failed > 0 {
		o.Note = fmt.Sprintf("%d classes with errors", failed)
	}
	return o, nil
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
