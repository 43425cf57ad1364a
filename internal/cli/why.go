package cli

import (
	"context"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/report"
)

func (a *app) whyCommand() *cobra.Command {
	var f inspectFlags
	cmd := &cobra.Command{
		Use:   "why FILE:LINE [FILE:LINE] [flags] [packages]",
		Short: "Say why lines race, or why they do not",
		Long: `Why answers for one or two lines of the source what the analysis knows of them:
which memory they read and write, where it is made, who else touches it, which
locks are held, and whether others can know of it yet.

Given two lines it says whether they race and, if not, why not: they never reach
the same memory, a lock excludes them, one is over before the other begins (and
by which start, wait, send or test), and so on. Given one line it says so for
every other access of the same memory. FILE:LINE:COL, as reports print it, means
one access of the line.

The packages are those of the programs to look at; without any, ./... is meant.`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("why: want one or two lines, as in main.go:12")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.why(cmd.Context(), &f, args)
		},
	}
	f.add(cmd)
	return cmd
}

// maxLines is how many lines can be asked for at once.
const maxLines = 2

func (a *app) why(ctx context.Context, f *inspectFlags, args []string) error {
	var lines []detect.Line
	for len(args) > 0 && len(lines) < maxLines {
		l, ok := parseLine(args[0])
		if !ok {
			break
		}
		lines = append(lines, l)
		args = args[1:]
	}
	if len(lines) == 0 {
		return usagef("why: %q is no line; want one or two, as in main.go:12", args[0])
	}
	cfg, err := a.config(&f.load, args)
	if err != nil {
		return err
	}
	for i := range lines {
		file := inDir(cfg.Dir, lines[i].File)
		if _, err := os.Stat(file); err != nil {
			return usagef("why: %v", err)
		}
		lines[i].File = driver.AbsoluteFile(cfg.Dir, file)
	}
	p := a.startProgress(f.progress.value)
	cfg.Progress = p.note
	res, err := driver.Why(ctx, cfg, lines)
	p.end()
	if err != nil {
		return err
	}
	paths := pathsIn(cfg.Dir)
	concludeInspection(a, res, paths)
	if len(res.Programs) == 0 && a.code == exitClean {
		return noProgramWith(lines, res, paths)
	}
	if f.format.value == "json" {
		return report.WriteWhyJSON(a.Stdout, programVersion(), res.Programs, res.NotAnalysed, paths)
	}
	return a.inspectText(f, paths).WriteWhy(a.Stdout, res.Programs)
}

// noProgramWith is the error of a question about lines that no program has.
func noProgramWith(lines []detect.Line, res *driver.Inspection[detect.Answer], paths report.Paths) error {
	if len(res.Others) == 0 {
		return noProgram()
	}
	names := []string{paths.Show(lines[0].File)}
	if len(lines) > 1 && lines[1].File != lines[0].File {
		names = append(names, paths.Show(lines[1].File))
	}
	if len(names) == 1 {
		return usagef("no program among the targets (%s) contains %s; name a command or a package with tests that uses it, or enter it with --entry",
			programList(res.Others), names[0])
	}
	return usagef("no program among the targets (%s) contains both %s and %s", programList(res.Others), names[0], names[1])
}

func programList(names []string) string {
	if len(names) > maxNamed {
		return strings.Join(names[:maxNamed], ", ") + " and " + plural(len(names)-maxNamed, "other")
	}
	return strings.Join(names, ", ")
}

// parseLine reads FILE:LINE or FILE:LINE:COL.
func parseLine(s string) (l detect.Line, ok bool) {
	cut := func() (int, bool) {
		i := strings.LastIndexByte(s, ':')
		if i < 0 {
			return 0, false
		}
		n, err := strconv.Atoi(s[i+1:])
		if err != nil || n <= 0 {
			return 0, false
		}
		s = s[:i]
		return n, true
	}
	n, ok := cut()
	if !ok {
		return l, false
	}
	l.Line = n
	if m, ok := cut(); ok {
		l.Line, l.Col = m, n
	}
	l.File = s
	return l, s != ""
}
