package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/deadheat/deadheat/internal/config"
	"github.com/deadheat/deadheat/internal/report"
)

// baselineName is the name of a baseline file where none is given.
const baselineName = ".deadheat-baseline"

// baselineFile is a baseline that was read.
type baselineFile struct {
	file string
	list []report.Identity
}

func addBaseline(fs *pflag.FlagSet, file *string) {
	fs.StringVar(file, "baseline", "", "do not count the findings in `FILE`, or off (default: the nearest "+baselineName+" upwards)")
}

// baselinePath returns the file that the flag means. asked tells whether it
// must be there.
func baselinePath(dir, flag string) (file string, asked bool, err error) {
	switch flag {
	case "off":
		return "", false, nil
	case "":
		file, err := config.FindUp(dir, baselineName)
		return file, false, asUsage(err)
	}
	return inDir(dir, flag), true, nil
}

// readBaseline reads the baseline that the flag means; nil if there is none.
func readBaseline(dir, flag string) (*baselineFile, error) {
	file, asked, err := baselinePath(dir, flag)
	if err != nil || file == "" {
		return nil, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		if asked && errors.Is(err, fs.ErrNotExist) {
			return nil, asUsage(fmt.Errorf("%w (deadheat baseline write --baseline %s makes it)", err, flag))
		}
		return nil, asUsage(err)
	}
	list, err := report.ParseBaseline(showIn(dir, file), data)
	if err != nil {
		return nil, asUsage(err)
	}
	return &baselineFile{file, list}, nil
}

// accept marks the findings that the baseline has.
func (j *job) accept(doc *report.Document, after report.Functions) {
	if j.baseline == nil {
		return
	}
	found, stale := report.ApplyBaseline(doc.Findings, j.baseline.list, after)
	doc.Baseline = &report.Accepted{File: filepath.ToSlash(j.baseline.file), Found: found, Stale: stale}
}

func (a *app) baselineCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "baseline",
		Short: "Accept present findings, so that only new ones count",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usagef("baseline: unknown command %q; want write or show", args[0])
			}
			return usagef("baseline: want one of write, show")
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	cmd.AddCommand(a.baselineWriteCommand(), a.baselineShowCommand())
	return cmd
}

func (a *app) baselineWriteCommand() *cobra.Command {
	f := new(checkFlags)
	cmd := &cobra.Command{
		Use:   "write [flags] [packages]",
		Short: "Analyse packages and accept what is found",
		Long: `Write analyses packages as check does and lists the findings, except those
that comments suppress, in the baseline file: the one of --baseline, else the
nearest ` + baselineName + ` upwards, else a new one of that name in the working
directory. What is no longer found is dropped from it.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.baselineWrite(cmd.Context(), f, args)
		},
	}
	f.load.add(cmd)
	addBaseline(cmd.Flags(), &f.baseline)
	addChoice(cmd, &f.confidence, "confidence", "least confidence of findings accepted", config.Confidences...)
	addChoice(cmd, &f.progress, "progress", "how far the run is, on standard error", "auto", "plain", "none")
	return cmd
}

func (a *app) baselineWrite(ctx context.Context, f *checkFlags, targets []string) error {
	cfg, err := a.config(&f.load, targets)
	if err != nil {
		return err
	}
	file, _, err := baselinePath(cfg.Dir, f.baseline)
	if err != nil {
		return err
	}
	if f.baseline == "off" {
		return usagef("baseline write: --baseline off leaves nothing to write")
	}
	if file == "" {
		file = filepath.Join(cfg.Dir, baselineName)
	}
	res, err := a.analyse(ctx, cfg, f.progress.value)
	if err != nil {
		return err
	}
	doc := (&job{flags: f, cfg: cfg}).document(res)
	var list []report.Identity
	for i := range doc.Findings {
		if doc.Findings[i].Suppression == nil {
			list = append(list, report.IdentityOf(&doc.Findings[i]))
		}
	}
	a.reportCrashes(res)
	if !res.Complete() {
		// Findings in what was not analysed would be lost from the file.
		a.say("%s", notAnalysed(&doc))
		a.say("%s was not written: a baseline must be of everything", showIn(cfg.Dir, file))
		a.code = exitIncomplete
		return nil
	}
	var b bytes.Buffer
	if err := report.WriteBaseline(&b, list); err != nil {
		return err
	}
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		return asUsage(fmt.Errorf("cannot write the baseline: %w", err))
	}
	a.say("%s accepted in %s", plural(len(list), "finding"), showIn(cfg.Dir, file))
	return nil
}

func (a *app) baselineShowCommand() *cobra.Command {
	var dir, file string
	cmd := &cobra.Command{
		Use:   "show",
		Short: "Print the accepted findings",
		Args:  exactly(0, "no argument"),
		RunE: func(*cobra.Command, []string) error {
			work, err := workDir(dir)
			if err != nil {
				return err
			}
			if file == "" {
				conf, err := a.findConfig(work, "")
				if err != nil {
					return err
				}
				if _, ok := conf.Has("baseline"); ok {
					file = conf.Values("baseline")[0]
				}
			}
			base, err := readBaseline(work, file)
			if err != nil {
				return err
			}
			if base == nil {
				return asUsage(fmt.Errorf("there is no baseline: deadheat baseline write makes %s", baselineName))
			}
			return a.showBaseline(base)
		},
	}
	addDir(cmd.Flags(), &dir)
	addBaseline(cmd.Flags(), &file)
	return cmd
}

func (a *app) showBaseline(base *baselineFile) error {
	w := tabwriter.NewWriter(a.Stdout, 0, 8, 2, ' ', 0)
	for _, id := range base.list {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s in %s\t%s in %s\n", id.Fingerprint, id.Rule, id.What,
			id.Sides[0].Access, id.Sides[0].Symbol, id.Sides[1].Access, id.Sides[1].Symbol)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	a.say("%s accepted in %s", plural(len(base.list), "finding"), base.file)
	return nil
}
