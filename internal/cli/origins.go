package cli

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/report"
)

func (a *app) originsCommand() *cobra.Command {
	var f inspectFlags
	cmd := &cobra.Command{
		Use:   "origins [flags] [packages]",
		Short: "List what runs on its own: goroutines, handlers, timers, tests",
		Long: `Origins prints, for every program among the packages, a tree of its origins: main
and initialisers, tests, goroutines, event handlers, timers, signal handlers and
cleanups, each below the one that starts it, with the function it begins with,
where it is started, and whether several instances may run at once and why.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.origins(cmd.Context(), &f, args)
		},
	}
	f.add(cmd)
	return cmd
}

func (a *app) origins(ctx context.Context, f *inspectFlags, targets []string) error {
	cfg, err := a.config(&f.load, targets)
	if err != nil {
		return err
	}
	p := a.startProgress(f.progress.value)
	cfg.Progress = p.note
	res, err := driver.Origins(ctx, cfg)
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
		return report.WriteOriginsJSON(a.Stdout, programVersion(), res.Programs, res.NotAnalysed, paths)
	}
	return a.inspectText(f, paths).WriteOrigins(a.Stdout, res.Programs)
}
