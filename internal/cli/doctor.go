package cli

import (
	"context"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/report"
)

func (a *app) doctorCommand() *cobra.Command {
	var load loadFlags
	var progress choice
	var callees int
	var verbose bool
	cmd := &cobra.Command{
		Use:   "doctor [flags] [packages]",
		Short: "Say what was loaded, what was skipped and why, and what is not modelled",
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.doctor(cmd.Context(), &load, progress.value, args, doctorOptions{callees, verbose})
		},
	}
	load.add(cmd)
	addChoice(cmd, &progress, "progress", "how far the run is, on standard error", "auto", "plain", "none")
	cmd.Flags().IntVar(&callees, "callees", 20, "list the `N` most called functions without code and model; 0 means all")
	cmd.Flags().BoolVar(&verbose, "all", false, "list dependencies too, and where time went")
	return cmd
}

type doctorOptions struct {
	callees int
	all     bool
}

func (a *app) doctor(ctx context.Context, load *loadFlags, progress string, targets []string, opt doctorOptions) error {
	cfg, err := a.config(load, targets)
	if err != nil {
		return err
	}
	res, err := a.analyse(ctx, cfg, progress)
	if err != nil {
		return err
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 8, 2, ' ', 0)
	paths := pathsIn(cfg.Dir)
	doctorPackages(w, res, opt.all)
	doctorPrograms(w, res, opt.all)
	doctorSkipped(w, res, paths)
	doctorLimits(w, res, paths)
	doctorCallees(w, res, opt.callees)
	if opt.all {
		doctorCost(w, res)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	a.reportCrashes(res)
	if !res.Complete() {
		a.code = exitIncomplete
	}
	return nil
}

func doctorPackages(w io.Writer, res *driver.Result, all bool) {
	dependencies := 0
	fmt.Fprintln(w, "packages")
	for _, p := range res.Packages {
		if !p.Target && !all && p.Problem == "" {
			dependencies++
			continue
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\n", p.Path, p.Status, plural(p.Functions, "function"))
	}
	if dependencies > 0 {
		fmt.Fprintf(w, "  and %s\n", plural(dependencies, "dependency"))
	}
	for _, n := range res.Notes {
		fmt.Fprintf(w, "  note: %s\n", n)
	}
}

func doctorPrograms(w io.Writer, res *driver.Result, all bool) {
	fmt.Fprintln(w, "programs")
	for _, p := range res.Programs {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\t%s\t%s\n", p.Name, plural(len(p.Entries), "entry point"),
			plural(p.Units, "unit"), plural(p.Functions, "function"), plural(p.Origins, "origin"), plural(p.Findings, "finding"))
		if all && p.Instances > 0 {
			fmt.Fprintf(w, "    origins told apart by %s, %s, %s, %s, %s\n", plural(p.Depth, "start"), plural(p.Instances, "instance"),
				plural(p.Objects, "object"), plural(p.Points.Nodes, "node"), plural(p.Points.Edges, "edge"))
			fmt.Fprintf(w, "    points-to sets: %.1f targets on average, %d at most\n", p.Points.Mean(), p.Points.Largest)
		}
	}
	if len(res.Programs) == 0 {
		fmt.Fprintln(w, "  none")
	}
	if n := res.Reach; n.Of > 0 {
		fmt.Fprintf(w, "  programs reach %d of %s of the targets\n", n.Functions, plural(n.Of, "function"))
	}
}

func doctorSkipped(w io.Writer, res *driver.Result, paths report.Paths) {
	if len(res.NotAnalysed) == 0 {
		return
	}
	fmt.Fprintln(w, "not analysed")
	for _, s := range res.NotAnalysed {
		at := paths.At(s.Place)
		if at != "" {
			at += ": "
		}
		fmt.Fprintf(w, "  %s\t%s%s\n", s.Path, at, s.Reason)
	}
}

func doctorLimits(w io.Writer, res *driver.Result, paths report.Paths) {
	if len(res.Limits) == 0 {
		return
	}
	fmt.Fprintln(w, "limits")
	for _, l := range res.Limits {
		example := l.Symbol
		if l.Example.IsValid() {
			example += " " + paths.At(l.Example)
		}
		if example != "" {
			example = ", as " + example
		}
		fmt.Fprintf(w, "  %d\t%s\t%s%s\n", l.Count, l.Kind, l.Text, example)
	}
}

func doctorCallees(w io.Writer, res *driver.Result, most int) {
	list := res.Unmodelled
	if len(list) == 0 {
		return
	}
	fmt.Fprintln(w, "called, without code and without a model")
	if most > 0 && len(list) > most {
		list = list[:most]
	}
	for _, c := range list {
		fmt.Fprintf(w, "  %s\t%s\n", c.Symbol, plural(c.Calls, "call"))
	}
	if n := len(res.Unmodelled) - len(list); n > 0 {
		fmt.Fprintf(w, "  and %d more (--callees 0 lists all)\n", n)
	}
}

func doctorCost(w io.Writer, res *driver.Result) {
	fmt.Fprintln(w, "time")
	for _, s := range res.Stages {
		fmt.Fprintf(w, "  %s\t%s\n", s.Name, round(s.Took))
	}
	c := res.Cache
	fmt.Fprintln(w, "cache")
	fmt.Fprintf(w, "  units\t%d of %d\n", res.Loaded.Cached, res.Loaded.Units)
	if n := res.Summaries.Functions; n > 0 {
		fmt.Fprintf(w, "  summaries\t%d of %d\n", n-res.Summaries.Computed, n)
	}
	fmt.Fprintf(w, "  read\t%s\n", byteSize(c.BytesRead))
	fmt.Fprintf(w, "  written\t%s\n", byteSize(c.BytesWritten))
}
