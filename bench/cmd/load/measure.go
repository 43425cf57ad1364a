package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/bench/internal/corpus"
	"github.com/deadheat/deadheat/bench/internal/process"
)

// step is something that is measured.
type step struct {
	kind  string // a child's first argument
	state string // of the cache and the source: cold, warm, edited; "" for the reference
	usage process.Usage
	note  string // what the child said about its result, or why it failed
	err   error
}

func (s *step) name() string { return strings.TrimSpace(s.kind + " " + s.state) }

// meter measures one corpus.
type meter struct {
	ctx  context.Context
	tree *corpus.Tree
	set  *settings
	tmp  string // removed at the end; holds the caches
}

// measure runs all steps on a corpus and prints what they took. It reports
// whether all succeeded.
func measure(ctx context.Context, tree *corpus.Tree, set *settings) (ok bool, err error) {
	tmp, err := os.MkdirTemp(set.dir, "cache-")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tmp)) }()
	m := &meter{ctx: ctx, tree: tree, set: set, tmp: tmp}
	// The first go list after a fetch fills the go command's own caches and runs
	// cgo, which is no business of those measured.
	if s := m.run("list", "", ""); s.err != nil {
		return false, fmt.Errorf("listing: %w: %s", s.err, s.note)
	}
	if set.check {
		return m.verify(), nil
	}
	var runs [][]*step
	for i := range set.runs {
		steps, err := m.once(i)
		if err != nil {
			return false, err
		}
		runs = append(runs, steps)
	}
	steps := medians(runs)
	table(steps).print(set.out)
	printBars(set.out, runs)
	count := m.run("count", "", filepath.Join(tmp, "count"))
	fmt.Fprintln(set.out, "counters:", count.note)
	if count.err != nil {
		fmt.Fprintln(set.out, "counting failed:", count.err)
		return false, nil
	}
	return !slices.ContainsFunc(steps, func(s *step) bool { return s.err != nil }), nil
}

// once runs all steps once.
func (m *meter) once(run int) ([]*step, error) {
	var steps []*step
	for _, kind := range strings.Split(m.set.steps, ",") {
		if kind == "reference" {
			steps = append(steps, m.run(kind, "", ""), m.run("reference-gc", "", ""))
			continue
		}
		if kind != "load" && kind != "check" {
			return nil, fmt.Errorf("--steps %s: want reference, load or check", kind)
		}
		cache := filepath.Join(m.tmp, fmt.Sprint(kind, run))
		cold := m.run(kind, "cold", cache)
		steps = append(steps, cold)
		if cold.err == nil { // without a filled cache the others mean nothing
			steps = append(steps, m.run(kind, "warm", cache))
			err := m.tree.Edited(func() error {
				steps = append(steps, m.run(kind, "edited", cache))
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		if err := os.RemoveAll(cache); err != nil {
			return nil, err
		}
	}
	return steps, nil
}

// run runs one step in a process of its own.
func (m *meter) run(kind, state, cache string) *step {
	s := &step{kind: kind, state: state}
	m.set.log(m.tree.Name + ": " + s.name())
	exe, err := os.Executable()
	if err != nil {
		s.err = err
		return s
	}
	ctx, cancel := context.WithTimeout(m.ctx, m.set.timeout)
	defer cancel()
	profile := ""
	if m.set.profile != "" {
		profile = filepath.Join(m.set.profile, m.tree.Name+"-"+strings.ReplaceAll(s.name(), " ", "-")+".prof")
	}
	cmd := exec.CommandContext(ctx, exe, childArg, kind, m.tree.Dir, m.tree.Package, cache, profile)
	cmd.Env = append(os.Environ(), "GOWORK=off")
	cmd.Dir = m.tree.Dir
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	s.usage, s.err = process.Run(cmd)
	s.note = strings.TrimSpace(stdout.String())
	if ctx.Err() == context.DeadlineExceeded {
		s.err = fmt.Errorf("took more than %s", m.set.timeout)
	}
	if s.err != nil {
		s.note = strings.TrimSpace(s.note + "\n" + lastLines(stderr.String()))
	}
	return s
}

// lastLines returns the end of a long text.
func lastLines(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// verify runs the checks of every function and prints what they counted.
func (m *meter) verify() bool {
	s := m.run("verify", "", filepath.Join(m.tmp, "verify"))
	fmt.Fprintln(m.set.out, s.note)
	if s.err != nil {
		fmt.Fprintln(m.set.out, "verification failed:", s.err)
	}
	return s.err == nil
}

// medians joins runs: for each step the one in the middle by processor time.
// A failed step is kept.
func medians(runs [][]*step) []*step {
	byName := map[string][]*step{}
	var names []string
	for _, r := range runs {
		for _, s := range r {
			if byName[s.name()] == nil {
				names = append(names, s.name())
			}
			byName[s.name()] = append(byName[s.name()], s)
		}
	}
	var out []*step
	for _, name := range names {
		same := byName[name]
		if k := slices.IndexFunc(same, func(s *step) bool { return s.err != nil }); k >= 0 {
			out = append(out, same[k])
			continue
		}
		slices.SortStableFunc(same, func(a, b *step) int { return cmp.Compare(a.usage.CPU, b.usage.CPU) })
		out = append(out, same[len(same)/2])
	}
	return out
}
