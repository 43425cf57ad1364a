package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/report"
)

func (a *app) shareCommand() *cobra.Command {
	var f inspectFlags
	var all bool
	cmd := &cobra.Command{
		Use:   "share [flags] [packages]",
		Short: "Show which memory several goroutines touch, who reads it and who writes",
		Long: `Share prints, for every program among the packages, how many objects a single
origin touches and how many several do, and then the shared memory that your
packages make or use: who writes it and who reads it, where, and what protects it
in every access. What an origin does to an object before others can know of it
does not count.

Memory that is only read, and memory that one lock or atomic operations protect
in every access, is listed with --all only. That memory is listed does not mean
that there is a race: accesses may be ordered in other ways.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.share(cmd.Context(), &f, args, all)
		},
	}
	f.add(cmd)
	cmd.Flags().BoolVar(&all, "all", false, "list memory that is only read or protected in every access, too")
	return cmd
}

func (a *app) share(ctx context.Context, f *inspectFlags, targets []string, all bool) error {
	cfg, err := a.config(&f.load, targets)
	if err != nil {
		return err
	}
	p := a.startProgress(f.progress.value)
	cfg.Progress = p.note
	res, err := driver.Share(ctx, cfg, all)
	p.end()
	if err != nil {
		return err
	}
	paths := pathsIn(cfg.Dir)
	concludeInspection(a, res, paths)
	if len(res.Programs) == 0 && a.code == exitClean {
		return noProgram()
	}
	if f.format.value == "json" {
		return report.WriteShareJSON(a.Stdout, programVersion(), res.Programs, res.NotAnalysed, paths)
	}
	return a.inspectText(f, paths).WriteShare(a.Stdout, res.Programs)
}
