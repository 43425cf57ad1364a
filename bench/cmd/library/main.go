package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deadheat/deadheat/bench"
	"github.com/deadheat/deadheat/bench/internal/corpus"
	"github.com/deadheat/deadheat/bench/internal/process"
	"github.com/deadheat/deadheat/internal/cli"
	"github.com/deadheat/deadheat/internal/driver"
)

// childArg as the first argument makes this program the deadheat that it
// measures. The others are its arguments.
const childArg = "child"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) > 1 && os.Args[1] == childArg {
		if os.Getenv("GOGC") == "" {
			driver.PaceCollector()
		}
		os.Exit(cli.Run(ctx, cli.System{Args: os.Args[2:], Env: os.Getenv, Stdout: os.Stdout, Stderr: os.Stderr}))
	}
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "library: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out io.Writer) error {
	fs := flag.NewFlagSet("library", flag.ExitOnError)
	dir := fs.String("dir", "", `directory of the corpora (default "deadheat-bench" in the user's cache directory)`)
	runs := fs.Int("runs", 1, "how often to measure; medians are printed")
	timeout := fs.Duration("timeout", 30*time.Minute, "longest time for one step")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *runs < 1 {
		return fmt.Errorf("--runs %d: want at least 1", *runs)
	}
	all, err := corpus.Parse(bench.Corpora())
	if err != nil {
		return err
	}
	chosen, err := corpus.Select(all, fs.Args())
	if err != nil {
		return err
	}
	if *dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("%w: choose a directory with --dir", err)
		}
		*dir = filepath.Join(cache, "deadheat-bench")
	}
	if *dir, err = filepath.Abs(*dir); err != nil {
		return err
	}
	log := func(text string) { fmt.Fprintln(os.Stderr, "library:", text) }
	fmt.Fprintln(out, "machine:", process.Machine())
	for _, c := range chosen {
		tree, err := corpus.Prepare(ctx, *dir, c, log)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "\n%s: packages of %s, %s\n", c.Name, c.Module, c.Licence)
		m := &meter{ctx: ctx, tree: tree, timeout: *timeout, log: log}
		if err := m.measure(*dir, *runs, out); err != nil {
			return fmt.Errorf("corpus %s: %w", c.Name, err)
		}
	}
	return nil
}

// meter measures one corpus.
type meter struct {
	ctx      context.Context
	tree     *corpus.Tree
	timeout  time.Duration
	log      func(string)
	tmp      string
	packages []string // those of the module that compile here
}

// step is something that is measured.
type step struct {
	name  string
	usage process.Usage
	note  string
}

// steps are what is measured, in order.
var steps = [...]string{"vet cold", "vet warm", "library cold", "library warm", "library edited"}

func (m *meter) measure(dir string, runs int, out io.Writer) (err error) {
	if m.tmp, err = os.MkdirTemp(dir, "cache-"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(m.tmp)) }()
	if err := m.list(); err != nil {
		return err
	}
	var all [][]*step
	for i := range runs {
		one, err := m.once(i)
		if err != nil {
			return err
		}
		all = append(all, one)
	}
	fmt.Fprintf(out, "%d packages\n", len(m.packages))
	printRuns(out, all)
	return nil
}

// list finds the packages that can be compiled in this module, and has them and
// what they import compiled.
func (m *meter) list() error {
	m.log(m.tree.Name + ": compiling")
	cmd := exec.CommandContext(m.ctx, "go", "list", "-e", "-export", "-deps", "-f", "{{if and (not .Error) (not .DepsErrors) (not .DepOnly)}}{{.ImportPath}}{{end}}", m.tree.Module.Path+"/...")
	cmd.Dir, cmd.Env = m.tree.Dir, append(os.Environ(), "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("go list: %w\n%s", err, bytes.TrimSpace(stderr.Bytes()))
	}
	m.packages = strings.Fields(string(text))
	if len(m.packages) == 0 {
		return fmt.Errorf("no package of %s can be compiled in %s", m.tree.Module.Path, m.tree.Dir)
	}
	return nil
}

func (m *meter) once(run int) ([]*step, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, err
	}
	// Results are cached under the flags too: one that changes nothing but its own
	// value has everything looked at again.
	flag := fmt.Sprintf("-unusedresult.funcs=bench.F%d", time.Now().UnixNano())
	vetArgs := append([]string{"go", "vet", flag}, m.packages...)
	cache := filepath.Join(m.tmp, fmt.Sprint("cache", run))
	args := append([]string{exe, childArg, "check", "--mode=library", "--tests=false", "--cache", cache, "--format", "jsonl", "--progress", "none"}, m.packages...)
	var out []*step
	for _, name := range steps {
		command := args
		if strings.HasPrefix(name, "vet") {
			command = vetArgs
		}
		do := func() error {
			s, err := m.run(name, command)
			out = append(out, s)
			return err
		}
		if strings.HasSuffix(name, "edited") {
			err = m.tree.Edited(do)
		} else {
			err = do()
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// run runs one step. Both programs end with a code other than 0 if they find
// something.
func (m *meter) run(name string, command []string) (*step, error) {
	m.log(m.tree.Name + ": " + name)
	ctx, cancel := context.WithTimeout(m.ctx, m.timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Env = m.tree.Dir, append(os.Environ(), "GOWORK=off")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	s := &step{name: name}
	var err error
	s.usage, err = process.Run(cmd)
	code := 0
	if exit := new(exec.ExitError); errors.As(err, &exit) && exit.Exited() {
		code, err = exit.ExitCode(), nil
	}
	switch {
	case ctx.Err() != nil:
		return s, fmt.Errorf("%s: %w", name, ctx.Err())
	case err != nil || code == 2 && !strings.HasPrefix(name, "vet"):
		return s, fmt.Errorf("%s: %v, exit code %d\n%s", name, err, code, bytes.TrimSpace(stderr.Bytes()))
	}
	s.note = fmt.Sprintf("exit code %d", code)
	if strings.HasPrefix(name, "library") {
		s.note += fmt.Sprintf(", %d findings", bytes.Count(stdout.Bytes(), []byte{'\n'}))
	}
	return s, nil
}

// bars are the ratios the project holds itself to.
var bars = [...]struct {
	step, to string
	most     float64
}{
	{"library cold", "vet cold", 1},
	{"library warm", "library cold", 0.10},
	{"library edited", "library cold", 0.30},
}

func cpu(s *step) float64 { return s.usage.CPU.Seconds() }

// printRuns prints medians, and the bars with the ratios within each run.
func printRuns(w io.Writer, runs [][]*step) {
	fmt.Fprintf(w, "%-15s %8s %8s %8s\n", "", "CPU s", "wall s", "peak MB")
	for i, name := range steps {
		of := func(quantity func(*step) float64) float64 {
			var list []float64
			for _, r := range runs {
				list = append(list, quantity(r[i]))
			}
			return median(list)
		}
		fmt.Fprintf(w, "%-15s %8.2f %8.2f %8.0f  %s\n", name, of(cpu), of(func(s *step) float64 { return s.usage.Wall.Seconds() }),
			of(func(s *step) float64 { return float64(s.usage.Peak) / (1 << 20) }), runs[0][i].note)
	}
	for _, b := range bars {
		var ratios []float64
		for _, r := range runs {
			ratios = append(ratios, cpu(find(r, b.step))/cpu(find(r, b.to)))
		}
		verdict := "kept"
		if median(ratios) > b.most {
			verdict = "OVER"
		}
		fmt.Fprintf(w, "bar %s: %.3f (%.3f to %.3f in %d runs) of %.2f: processor time of %s to %s\n",
			verdict, median(ratios), slices.Min(ratios), slices.Max(ratios), len(ratios), b.most, b.step, b.to)
	}
}

func find(run []*step, name string) *step {
	return run[slices.IndexFunc(run, func(s *step) bool { return s.name == name })]
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}
