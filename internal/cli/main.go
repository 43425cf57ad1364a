package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/driver"
)

// System is what the command line is run in.
type System struct {
	Args   []string // without the program's name
	Env    func(string) string
	Stdout io.Writer
	Stderr io.Writer
}

// Main runs the command line of the process and returns its exit code.
func Main() int {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		driver.PaceCollector()
	}
	return Run(context.Background(), System{Args: os.Args[1:], Env: os.Getenv, Stdout: os.Stdout, Stderr: os.Stderr})
}

// Exit codes.
const (
	exitClean      = 0
	exitFindings   = 1
	exitUsage      = 2
	exitIncomplete = 3
)

// Run runs one command line and returns its exit code.
func Run(ctx context.Context, sys System) (code int) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	defer func() {
		if r := recover(); r != nil {
			writeCrash(sys, r, debug.Stack())
			code = exitIncomplete
		}
	}()
	a := &app{System: sys}
	root := a.rootCommand()
	root.SetArgs(sys.Args)
	root.SetOut(sys.Stdout)
	root.SetErr(sys.Stderr)
	if err := root.ExecuteContext(ctx); err != nil {
		return a.fail(ctx, err)
	}
	return a.code
}

// app is one run of the command line.
type app struct {
	System
	code int // set by commands that end without an error
}

// usageError is a mistake in the arguments.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// fail shows an error and returns the exit code it stands for.
func (a *app) fail(ctx context.Context, err error) int {
	var usage *usageError
	var config *driver.UsageError
	switch {
	case ctx.Err() != nil:
		a.say("interrupted: nothing was analysed to the end")
		return exitIncomplete
	case errors.As(err, &usage):
		a.say("%v", err)
		fmt.Fprintln(a.Stderr, "Run 'deadheat help' for usage.")
		return exitUsage
	case errors.As(err, &config):
		a.say("%v", err)
		return exitUsage
	}
	a.say("%v", err)
	return exitIncomplete
}

// say writes a message of the program itself to standard error.
func (a *app) say(format string, args ...any) {
	fmt.Fprintf(a.Stderr, "deadheat: "+format+"\n", args...)
}

const issuesURL = "https://github.com/deadheat/deadheat/issues"

func writeCrash(sys System, what any, stack []byte) {
	fmt.Fprintf(sys.Stderr, "\ndeadheat: internal error: %v\n", what)
	fmt.Fprintf(sys.Stderr, "This is a bug in deadheat, not in your program. Please report it at\n%s\nwith the following lines.\n\n", issuesURL)
	fmt.Fprintf(sys.Stderr, "%s\narguments: %s\n\n%s", version(), strings.Join(sys.Args, " "), stack)
}

const longHelp = `deadheat finds data races without running the program.

It analyses everything that the entry points of the named packages (main
functions, tests, and those given with --entry) can reach. Patterns are those of
the go command; without any, ./... is meant. A jar, a war or a directory of class
files is analysed as Java.

Findings that a comment //deadheat:ignore RULE reason suppresses, and those in the
baseline file, do not count. Settings may be in .deadheat.yml.

Exit code: 0 nothing found, 1 findings, 2 wrong usage or configuration, 3 some
target could not be analysed (even if there are findings).`

func (a *app) rootCommand() *cobra.Command {
	root := a.checkCommand()
	root.Use = "deadheat [check] [flags] [packages]"
	root.Short = "Find data races without running the program"
	root.Long = longHelp
	root.SilenceErrors = true
	root.SilenceUsage = true
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return &usageError{err} })
	check := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		var config *driver.UsageError
		if len(args) > 0 && errors.As(err, &config) {
			// What was meant as a command was taken for a package.
			if like := root.SuggestionsFor(args[0]); len(like) > 0 {
				return usagef("%w\nDid you mean the command %q?", err, like[0])
			}
		}
		return err
	}
	root.SuggestionsMinimumDistance = 2
	root.AddCommand(
		a.checkCommand(),
		a.diffCommand(),
		a.baselineCommand(),
		a.configCommand(),
		a.irCommand(),
		a.doctorCommand(),
		a.modelsCommand(),
		a.cacheCommand(),
		a.explainCommand(),
		a.originsCommand(),
		a.shareCommand(),
		a.whyCommand(),
		a.versionCommand(),
	)
	return root
}

// exactly and atMost are cobra's checks of the number of arguments with an
// error that is one of usage.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("want %s, got %d arguments", what, len(args))
		}
		return nil
	}
}

func atMost(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > n {
			return usagef("want %s, got %d arguments", what, len(args))
		}
		return nil
	}
}
