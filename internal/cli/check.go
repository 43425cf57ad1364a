package cli

import (
	"context"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/report"
	"github.com/deadheat/deadheat/internal/store"
)

// checkFlags are the flags of check.
type checkFlags struct {
	load       loadFlags
	confidence choice
	formats    []string
	color      choice
	progress   choice
	cpuProfile string
	memProfile string
}

func (a *app) checkCommand() *cobra.Command {
	f := new(checkFlags)
	cmd := &cobra.Command{
		Use:   "check [flags] [packages]",
		Short: "Analyse packages and report races (the default command)",
		Long:  longHelp,
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.check(cmd.Context(), f, args)
		},
	}
	f.load.add(cmd)
	fs := cmd.Flags()
	addChoice(cmd, &f.confidence, "confidence", "least confidence of findings shown and counted", "medium", "high", "low")
	fs.StringArrayVar(&f.formats, "format", nil, "write `FORMAT[=FILE]`: text, json or jsonl; repeatable (default text)")
	addChoice(cmd, &f.color, "color", "colours on standard output", "auto", "always", "never")
	addChoice(cmd, &f.progress, "progress", "how far the run is, on standard error", "auto", "plain", "none")
	fs.StringVar(&f.cpuProfile, "cpuprofile", "", "write a CPU profile to `FILE`")
	fs.StringVar(&f.memProfile, "memprofile", "", "write a memory profile to `FILE`")
	return cmd
}

func (a *app) check(ctx context.Context, f *checkFlags, targets []string) error {
	start := time.Now()
	cfg, err := a.config(&f.load, targets)
	if err != nil {
		return err
	}
	outs, err := parseFormats(f.formats, cfg.Dir)
	if err != nil {
		return err
	}
	profile, err := startProfile(cfg.Dir, f.cpuProfile, f.memProfile)
	if err != nil {
		return err
	}
	res, err := a.analyse(ctx, cfg, f.progress.value)
	if perr := profile.stop(); err == nil {
		err = perr
	}
	if err != nil {
		return err
	}
	doc := res.Document
	doc.Version = programVersion()
	doc.Findings, doc.Hidden = report.AtLeast(doc.Findings, confidenceOf(f.confidence.value))
	paths := pathsIn(cfg.Dir)
	if err := a.write(outs, &doc, paths, f.color.value); err != nil {
		return err
	}
	a.summarise(res, &doc, paths, time.Since(start))
	if _, _, err := cfg.Store.TrimDaily(store.DefaultMaxBytes, store.DefaultMaxAge); err != nil {
		a.say("warning: %v", err)
	}
	switch {
	case !res.Complete():
		a.code = exitIncomplete
	case len(doc.Findings) > 0 && a.code == exitClean:
		a.code = exitFindings
	}
	return nil
}

// analyse runs the driver and shows its progress.
func (a *app) analyse(ctx context.Context, cfg driver.Config, progress string) (*driver.Result, error) {
	p := a.startProgress(progress)
	defer p.end()
	cfg.Progress = p.note
	return driver.Check(ctx, cfg)
}

// pathsIn shows files relative to a directory.
func pathsIn(dir string) report.Paths { return report.Paths{Dir: filepath.ToSlash(dir)} }

func confidenceOf(name string) detect.Confidence {
	for _, c := range []detect.Confidence{detect.High, detect.Medium} {
		if c.String() == name {
			return c
		}
	}
	return detect.Low
}
