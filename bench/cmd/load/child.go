package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/pprof"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/deadheat/deadheat/internal/cli"
	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/frontend/golang"
	"github.com/deadheat/deadheat/internal/store"
)

// childArg as the first argument makes this program one of the processes that
// it measures. The others are the kind of step, the directory, the package,
// the cache and a file for a CPU profile, or "".
const childArg = "child"

// child runs one step. What it prints on standard output is the note of the
// step.
func child(ctx context.Context, args []string) int {
	if len(args) != 5 {
		fmt.Fprintln(os.Stderr, "a child takes a step, a directory, a package, a cache and a profile")
		return 2
	}
	if err := profiled(args[4], func() error { return runStep(ctx, args[0], args[1], args[2], args[3]) }); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// profiled calls f and writes a CPU profile of it, if a file is named.
func profiled(name string, f func() error) (err error) {
	if name == "" {
		return f()
	}
	out, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	if err := pprof.StartCPUProfile(out); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	return f()
}

func runStep(ctx context.Context, kind, dir, pkg, cache string) error {
	switch kind {
	case "list":
		return list(ctx, dir, pkg)
	case "reference":
		return reference(ctx, dir, pkg)
	case "reference-gc":
		relaxCollector()
		return reference(ctx, dir, pkg)
	case "load":
		relaxCollector()
		return load(ctx, dir, pkg, cache)
	case "check":
		relaxCollector()
		return check(ctx, dir, pkg, cache)
	case "count":
		return count(ctx, dir, pkg, cache)
	case "verify":
		return verify(ctx, dir, pkg, cache)
	}
	return fmt.Errorf("no step %q", kind)
}

// relaxCollector sets the garbage collector as the command deadheat does,
// which trades memory for processor time.
func relaxCollector() {
	if os.Getenv("GOGC") == "" {
		driver.PaceCollector()
	}
}

func list(ctx context.Context, dir, pkg string) error {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-compiled", pkg)
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	return cmd.Run()
}

// reference loads a program as x/tools does.
func reference(ctx context.Context, dir, pkg string) error {
	loaded, err := packages.Load(&packages.Config{Context: ctx, Mode: packages.LoadAllSyntax, Dir: dir}, pkg)
	if err != nil {
		return err
	}
	if n := packages.PrintErrors(loaded); n > 0 {
		return fmt.Errorf("%d errors in the corpus", n)
	}
	prog, _ := ssautil.AllPackages(loaded, ssa.BuilderMode(0))
	prog.Build()
	fmt.Printf("%d packages", len(prog.AllPackages()))
	runtime.KeepAlive(loaded)
	return nil
}

// loadUnits runs the front end.
func loadUnits(ctx context.Context, dir, pkg, cache string) (*golang.Result, error) {
	st, err := store.Open(cache)
	if err != nil {
		return nil, err
	}
	res, err := golang.Load(ctx, golang.Config{Dir: dir, Patterns: []string{pkg}, Store: st})
	if err != nil {
		return nil, err
	}
	for _, p := range res.Packages {
		if p.Status != golang.Analysed {
			err = errors.Join(err, fmt.Errorf("%s: %s: %v", p, p.Status, p.Errors))
		}
	}
	return res, err
}

func load(ctx context.Context, dir, pkg, cache string) error {
	res, err := loadUnits(ctx, dir, pkg, cache)
	if err != nil {
		return err
	}
	fmt.Printf("%d packages, %d from the cache; %s", res.Stats.Packages, res.Stats.Hits, phases(&res.Stats))
	runtime.KeepAlive(res)
	return nil
}

// phases says in seconds where the time of a load went, summed over workers.
func phases(s *golang.Stats) string {
	var out []string
	for _, p := range []struct {
		name string
		took time.Duration
	}{
		{"go", s.GoCommand}, {"read", s.Read}, {"parse", s.Parse}, {"check", s.Check},
		{"import", s.Import}, {"export", s.Export}, {"ssa", s.SSA}, {"lower", s.Lower},
	} {
		out = append(out, fmt.Sprintf("%s %.1f", p.name, p.took.Seconds()))
	}
	return strings.Join(out, ", ")
}

// check runs deadheat check as its command does.
func check(ctx context.Context, dir, pkg, cache string) error {
	findings := new(lineCounter)
	code := cli.Run(ctx, cli.System{
		Args:   []string{"check", "-C", dir, "--tests=false", "--cache", cache, "--format", "jsonl", "--progress", "none", pkg},
		Env:    os.Getenv,
		Stdout: findings,
		Stderr: os.Stderr,
	})
	// 1 stands for findings and 3 for a program that is not complete.
	if code == 2 {
		return errors.New("deadheat check does not take the arguments")
	}
	fmt.Printf("exit code %d, %d findings", code, *findings)
	return nil
}

// lineCounter counts the lines written to it.
type lineCounter int

var _ io.Writer = (*lineCounter)(nil)

func (n *lineCounter) Write(p []byte) (int, error) {
	*n += lineCounter(bytes.Count(p, []byte{'\n'}))
	return len(p), nil
}
