package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/report"
)

// inspectFlags are the flags of commands that ask about programs.
type inspectFlags struct {
	load     loadFlags
	format   choice
	color    choice
	progress choice
}

func (f *inspectFlags) add(cmd *cobra.Command) {
	f.load.addPackages(cmd)
	cmd.Flags().StringArrayVar(&f.load.entries, "entry", nil, "look at the program that begins with this `SYMBOL`, or with the exported functions of the package with this path, besides main and tests; repeatable")
	f.load.java.addEntries(cmd)
	addChoice(cmd, &f.format, "format", "how to write the answer", "text", "json")
	addChoice(cmd, &f.color, "color", "colours on standard output", "auto", "always", "never")
	addChoice(cmd, &f.progress, "progress", "how far the run is, on standard error", "auto", "plain", "none")
}

// inspectText returns a writer of text for these flags.
func (a *app) inspectText(f *inspectFlags, paths report.Paths) *report.Text {
	return &report.Text{Paths: paths, Color: a.useColor(f.color.value, a.Stdout)}
}

// concludeInspection says on standard error what was not analysed and sets the
// exit code.
func concludeInspection[T any](a *app, res *driver.Inspection[T], paths report.Paths) {
	for _, s := range res.NotAnalysed {
		at := paths.At(s.Place)
		if at != "" {
			at += ": "
		}
		fmt.Fprintf(a.Stderr, "%s%s: %s\n", at, s.Path, s.Reason)
		a.code = exitIncomplete
	}
	a.reportCrashes(&driver.Result{Crashes: res.Crashes})
}

// noProgram is the error of a question about programs where there are none.
func noProgram() error {
	return usagef("no program among the targets: name a command, a package with tests, or a function to enter with --entry")
}
