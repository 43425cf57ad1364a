package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/report"
	"github.com/deadheat/deadheat/internal/revision"
)

func (a *app) diffCommand() *cobra.Command {
	f := new(checkFlags)
	var base string
	cmd := &cobra.Command{
		Use:   "diff [flags] [packages]",
		Short: "Report the races that a change introduces and those that it fixes",
		Long: `Diff analyses the working tree, with whatever is not committed yet, and another
revision of it, and compares their findings. A lock that is removed in one file
shows up as a race in another: it is findings that are compared, not lines.

The base is where the present work left the default branch (origin/HEAD,
origin/main, origin/master, main or master, the first that there is). --base
names another revision, or with ... behind it where the present work left that.
It is analysed in a git worktree of its own, once: its findings are then in the
cache.

Exit code: 0 nothing introduced, 1 findings introduced, 2 wrong usage, no git or
no base, 3 something was not analysed, here or in the base.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.diff(cmd.Context(), f, base, args)
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&base, "base", "", "compare with this `REV`ision")
	return cmd
}

func (a *app) diff(ctx context.Context, f *checkFlags, baseName string, targets []string) error {
	start := time.Now()
	cfg, err := a.config(&f.load, targets)
	if err != nil {
		return err
	}
	job, err := a.newJob(f, cfg)
	if err != nil {
		return err
	}
	if driver.JavaTargets(cfg.Dir, cfg.Targets) {
		return usagef("diff takes revisions from git, which has no classes: build the base, accept its findings with deadheat baseline write, then run deadheat check on the new classes")
	}
	repo, err := revision.Open(ctx, cfg.Dir)
	if err != nil {
		return asUsage(err)
	}
	base, err := repo.Base(ctx, baseName)
	if err != nil {
		return asUsage(err)
	}
	profile, err := startProfile(cfg.Dir, f.cpuProfile, f.memProfile)
	if err != nil {
		return err
	}
	res, doc, err := a.compare(ctx, job, repo, base)
	if perr := profile.stop(); err == nil {
		err = perr
	}
	if err != nil {
		return err
	}
	return a.conclude(job, res, doc, start)
}

// compare analyses the working tree and the base, and marks what differs.
func (a *app) compare(ctx context.Context, j *job, repo *revision.Repo, base revision.Revision) (*driver.Result, *report.Document, error) {
	program, err := programIdentity()
	if err != nil {
		return nil, nil, err
	}
	rc := revision.Config{
		Driver:  j.cfg,
		Program: program,
		Analyse: func(ctx context.Context, cfg driver.Config) (*driver.Result, error) {
			return a.analyse(ctx, cfg, j.flags.progress.value)
		},
	}
	old, how, err := repo.Findings(ctx, base, rc)
	if err != nil {
		return nil, nil, err
	}
	shown := &report.Base{Revision: base.Name, Commit: base.Commit}
	a.sayBase(shown, how)
	head, clean := repo.Head(ctx)
	res, err := rc.Analyse(ctx, j.cfg)
	if err != nil {
		return nil, nil, err
	}
	if clean {
		if err := repo.Keep(ctx, head, rc, res); err != nil {
			a.say("warning: %v", err)
		}
	}
	doc := j.document(res)
	doc.Base = shown
	for _, s := range old.NotAnalysed {
		s.Path += " at " + base.Name
		doc.NotAnalysed = append(doc.NotAnalysed, s)
	}
	doc.Findings = report.Compare(doc.Findings, j.kept(old.Findings), confidenceOf(j.flags.confidence.value), old.Functions, res.Functions)
	doc.Findings = stillThere(doc.Findings, res.Findings)
	j.accept(&doc, res.Functions)
	report.Sort(doc.Findings, pathsIn(j.cfg.Dir))
	return res, &doc, nil
}

// sayBase tells what the comparison is with and where its findings are from.
func (a *app) sayBase(b *report.Base, how revision.Outcome) {
	from := "analysed"
	if how.Cached {
		from = "from the cache"
	}
	a.say("base %s: %s", baseName(b), from)
	if how.Note != "" {
		a.say("base %s: %s", baseName(b), how.Note)
	}
}

// kept drops the findings that the configuration excludes.
func (j *job) kept(findings []detect.Finding) []detect.Finding {
	var out []detect.Finding
	for i := range findings {
		if !j.flags.load.settings.conf.Excludes(&findings[i]) {
			out = append(out, findings[i])
		}
	}
	return out
}

// stillThere drops from those marked as fixed the findings that are there with
// less confidence: they were not fixed.
func stillThere(findings, all []detect.Finding) []detect.Finding {
	present := map[string]bool{}
	for i := range all {
		present[all[i].Fingerprint] = true
	}
	var out []detect.Finding
	for _, f := range findings {
		if f.State != detect.Fixed || !present[f.Fingerprint] {
			out = append(out, f)
		}
	}
	return out
}

// programIdentity names this program for keys of results. A version that stands
// for many builds is not enough: there the bytes of the program are hashed.
func programIdentity() (string, error) {
	v := version()
	if !strings.Contains(v, " devel") {
		return v, nil
	}
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return v + " " + hex.EncodeToString(h.Sum(nil)), nil
}
