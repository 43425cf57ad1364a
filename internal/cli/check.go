package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/config"
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
	layout     choice
	sarifMax   int
	baseline   string
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
	f.add(cmd)
	return cmd
}

// add defines the flags of commands that report findings.
func (f *checkFlags) add(cmd *cobra.Command) {
	f.load.add(cmd)
	fs := cmd.Flags()
	addChoice(cmd, &f.confidence, "confidence", "least confidence of findings shown and counted", config.Confidences...)
	fs.StringArrayVar(&f.formats, "format", nil, "write `FORMAT[=FILE]`: "+strings.Join(config.Formats, ", ")+"; repeatable (default text)")
	addChoice(cmd, &f.layout, "layout", "text with both sides beside each other (lanes) or one under the other (plain)", config.Layouts...)
	fs.IntVar(&f.sarifMax, "sarif-max", report.DefaultSARIFResults, "write at most `N` results as SARIF; 0 means all")
	addBaseline(fs, &f.baseline)
	addChoice(cmd, &f.color, "color", "colours on standard output", "auto", "always", "never")
	addChoice(cmd, &f.progress, "progress", "how far the run is, on standard error", "auto", "plain", "none")
	fs.StringVar(&f.cpuProfile, "cpuprofile", "", "write a CPU profile to `FILE`")
	fs.StringVar(&f.memProfile, "memprofile", "", "write a memory profile to `FILE`")
}

func (a *app) check(ctx context.Context, f *checkFlags, targets []string) error {
	start := time.Now()
	cfg, err := a.config(&f.load, targets)
	if err != nil {
		return err
	}
	job, err := a.newJob(f, cfg)
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
	job.sources = sourcesOf(res)
	doc := job.document(res)
	job.accept(&doc, res.Functions)
	return a.conclude(job, res, &doc, start)
}

// job is what commands that report findings have worked out before they begin.
type job struct {
	flags    *checkFlags
	cfg      driver.Config
	outs     []output
	baseline *baselineFile // nil if there is none
	sources  func(file string) ([]byte, error)
}

// newJob reads what can be wrong about the flags before the analysis rather
// than after it.
func (a *app) newJob(f *checkFlags, cfg driver.Config) (*job, error) {
	j := &job{flags: f, cfg: cfg, sources: readOnce(os.ReadFile)}
	var err error
	if j.outs, err = parseFormats(f.formats, cfg.Dir); err != nil {
		return nil, err
	}
	if f.sarifMax < 0 {
		return nil, usagef("--sarif-max %d: want a positive number, or 0 for all", f.sarifMax)
	}
	j.baseline, err = readBaseline(cfg.Dir, f.baseline)
	return j, err
}

// document takes what is to be shown from a result: what the configuration
// excludes and what is below the confidence asked for is only counted.
func (j *job) document(res *driver.Result) report.Document {
	doc := res.Document
	doc.Version = programVersion()
	var kept []detect.Finding
	for i := range doc.Findings {
		if f := &doc.Findings[i]; j.flags.load.settings.conf.Excludes(f) {
			doc.Excluded++
		} else {
			kept = append(kept, *f)
		}
	}
	doc.Findings, doc.Hidden = report.AtLeast(kept, confidenceOf(j.flags.confidence.value))
	return doc
}

// conclude writes the report and the summary, and settles the exit code.
func (a *app) conclude(j *job, res *driver.Result, doc *report.Document, start time.Time) error {
	if err := a.write(j, doc); err != nil {
		return err
	}
	a.summarise(res, doc, pathsIn(j.cfg.Dir), time.Since(start))
	if j.cfg.Sound {
		a.say("--sound: the library verdict left no step in that may hide a race")
	}
	if _, _, err := j.cfg.Store.TrimDaily(store.DefaultMaxBytes, store.DefaultMaxAge); err != nil {
		a.say("warning: %v", err)
	}
	switch {
	case len(doc.NotAnalysed) > 0:
		a.code = exitIncomplete
	case doc.Count() > 0 && a.code == exitClean:
		a.code = exitFindings
	}
	return nil
}

// readOnce remembers what was read: a report asks for the same files again and
// again.
func readOnce(read func(string) ([]byte, error)) func(string) ([]byte, error) {
	type text struct {
		data []byte
		err  error
	}
	seen := map[string]text{}
	return func(file string) ([]byte, error) {
		t, ok := seen[file]
		if !ok {
			t.data, t.err = read(file)
			seen[file] = t
		}
		return t.data, t.err
	}
}

// sourcesOf returns what reads the source files of a result.
func sourcesOf(res *driver.Result) func(string) ([]byte, error) {
	if res.Sources != nil {
		return readOnce(res.Sources)
	}
	return readOnce(os.ReadFile)
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
