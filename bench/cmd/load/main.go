package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"github.com/deadheat/deadheat/bench"
	"github.com/deadheat/deadheat/bench/internal/corpus"
	"github.com/deadheat/deadheat/bench/internal/process"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) > 1 && os.Args[1] == childArg {
		os.Exit(child(ctx, os.Args[2:]))
	}
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "load: %v\n", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	dir     string
	check   bool
	runs    int
	timeout time.Duration
	steps   string
	profile string // absolute, or ""

	out io.Writer    // for results
	log func(string) // for progress
}

func run(ctx context.Context, args []string) error {
	s := settings{out: os.Stdout, log: func(text string) { fmt.Fprintln(os.Stderr, "load:", text) }}
	fs := flag.NewFlagSet("load", flag.ExitOnError)
	fs.StringVar(&s.dir, "dir", "", `directory of the corpora (default "deadheat-bench" in the user's cache directory)`)
	fs.BoolVar(&s.check, "check", false, "verify every function instead of measuring")
	fs.IntVar(&s.runs, "runs", 1, "how often to measure; medians are printed")
	fs.DurationVar(&s.timeout, "timeout", 30*time.Minute, "longest time for one step")
	fs.StringVar(&s.steps, "steps", "reference,load,check", "what to measure")
	fs.StringVar(&s.profile, "profile", "", "write CPU profiles of the steps to this directory")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if s.runs < 1 {
		return fmt.Errorf("--runs %d: want at least 1", s.runs)
	}
	all, err := corpus.Parse(bench.Corpora())
	if err != nil {
		return err
	}
	chosen, err := corpus.Select(all, fs.Args())
	if err != nil {
		return err
	}
	if s.dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("%w: choose a directory with --dir", err)
		}
		s.dir = filepath.Join(cache, "deadheat-bench")
	}
	if s.dir, err = filepath.Abs(s.dir); err != nil {
		return err
	}
	if s.profile != "" {
		if s.profile, err = filepath.Abs(s.profile); err != nil {
			return err
		}
		if err := os.MkdirAll(s.profile, 0o777); err != nil {
			return err
		}
	}
	fmt.Fprintln(s.out, "machine:", process.Machine())
	failed := false
	for _, c := range chosen {
		tree, err := corpus.Prepare(ctx, s.dir, c, s.log)
		if err != nil {
			return err
		}
		fmt.Fprintf(s.out, "\n%s: %s of %s, %s\n", c.Name, c.Package, c.Module, c.Licence)
		ok, err := measure(ctx, tree, &s)
		if err != nil {
			return fmt.Errorf("corpus %s: %w", c.Name, err)
		}
		failed = failed || !ok
	}
	if failed {
		return fmt.Errorf("some steps failed, see above")
	}
	return nil
}
