package golang

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/types"
	"go/version"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// loader is one call of Load.
type loader struct {
	cfg       *Config
	dir       string // absolute
	goCommand *goCommand
	toolchain *Toolchain
	sizes     types.Sizes
	graph     *graph
	lower     lowerFunc

	cgoOnce  sync.Once
	cgoFiles map[string]*listed // by ID; set by cgoOnce
	cgoErr   error
	cgoCPU   time.Duration
}

// Load finds the packages that the patterns match and all they depend on, and
// makes a unit of each, or takes it from the store.
//
// Load fails if there is nothing to analyse at all. Problems of single packages
// are noted on them, and the others go on.
func Load(ctx context.Context, cfg Config) (*Result, error) {
	start := time.Now()
	l, listing, notes, err := newLoader(ctx, &cfg)
	if err != nil {
		return nil, err
	}
	workers := make([]*worker, min(cfg.workers(), max(len(l.graph.nodes), 1)))
	for i := range workers {
		workers[i] = &worker{loader: l}
	}
	if err := newSchedule(l.graph, cfg.Progress).run(ctx, workers); err != nil {
		return nil, err
	}
	r := &Result{Toolchain: *l.toolchain, Notes: notes}
	for _, n := range l.graph.nodes {
		r.Packages = append(r.Packages, n.pkg)
	}
	r.Stats.Packages = len(r.Packages)
	r.Stats.GoCommand = listing.cpu + l.cgoCPU
	for _, w := range workers {
		r.Stats.add(&w.stats)
	}
	r.Stats.Wall = time.Since(start)
	return r, nil
}

// newLoader asks the go command for everything it has to say.
func newLoader(ctx context.Context, cfg *Config) (*loader, *listing, []string, error) {
	g, err := newGoCommand(cfg)
	if err != nil {
		return nil, nil, nil, err
	}
	tc, list, err := g.describe(ctx, cfg)
	if err != nil {
		return nil, nil, nil, err
	}
	var notes []string
	if tc.Cgo && slices.ContainsFunc(list.packages, (*listed).usesCgo) && !g.hasCompiler(tc) {
		notes = append(notes, fmt.Sprintf("cgo is on but there is no C compiler %q: loading with CGO_ENABLED=0, without the files that import \"C\"", tc.cc))
		g = g.set("CGO_ENABLED=0")
		if tc, list, err = g.describe(ctx, cfg); err != nil {
			return nil, nil, nil, err
		}
	}
	if limit := checkerVersion(); limit != "" && version.Compare(tc.Version, limit) > 0 && version.Lang(tc.Version) != limit {
		notes = append(notes, fmt.Sprintf("the go command is %s, but this program was built with %s and checks code as %s: rebuild it with %s", tc.Version, limit, limit, tc.Version))
	}
	isTarget := func(p *listed) bool { return !p.DepOnly && p.hasFiles() }
	if !slices.ContainsFunc(list.packages, isTarget) {
		return nil, nil, nil, nothingMatched(cfg, g.dir, list)
	}
	l := &loader{
		cfg: cfg, dir: g.dir, goCommand: g, toolchain: tc, sizes: tc.sizes(),
		graph: newGraph(list, tc, g.dir),
		lower: cfg.lower,
	}
	if l.lower == nil {
		l.lower = lowerUnit
	}
	return l, list, notes, nil
}

// describe asks for the toolchain and the packages, at the same time.
func (g *goCommand) describe(ctx context.Context, cfg *Config) (*Toolchain, *listing, error) {
	var (
		wg    sync.WaitGroup
		tc    *Toolchain
		tcErr error
	)
	wg.Go(func() { tc, tcErr = g.environment(ctx) })
	list, err := g.list(ctx, cfg)
	wg.Wait()
	if err := cmp.Or(tcErr, err); err != nil {
		return nil, nil, err
	}
	return tc, list, nil
}

// hasCompiler reports whether the C compiler that cgo would run is there.
func (g *goCommand) hasCompiler(tc *Toolchain) bool {
	fields := strings.Fields(tc.cc)
	if len(fields) == 0 {
		return false
	}
	_, ok := g.find(fields[0])
	return ok
}

// compiledTexts reads the Go files of n as the compiler gets them.
func (l *loader) compiledTexts(ctx context.Context, n *node) ([]text, error) {
	if !n.list.usesCgo() {
		return readSource(n)
	}
	l.cgoOnce.Do(func() { l.runCgo(ctx) })
	if l.cgoErr != nil {
		return nil, l.cgoErr
	}
	p := l.cgoFiles[n.list.ImportPath]
	switch {
	case p == nil:
		return nil, errors.New("go list -compiled does not know the package")
	case p.Error != nil:
		return nil, cgoError(p.Error, l.dir)
	}
	return readTexts(n, p.CompiledGoFiles)
}

// runCgo finds the files that cgo writes for all packages that use it: asking
// once for all costs hardly more than for one.
func (l *loader) runCgo(ctx context.Context) {
	var ids []string
	for _, n := range l.graph.nodes {
		if n.list.usesCgo() {
			ids = append(ids, n.list.ImportPath)
		}
	}
	list, err := l.goCommand.compiled(ctx, l.cfg, ids)
	if err != nil {
		l.cgoErr = err
		return
	}
	l.cgoCPU = list.cpu
	l.cgoFiles = make(map[string]*listed, len(ids))
	for _, p := range list.packages {
		l.cgoFiles[p.ImportPath] = p
	}
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// compareNames orders packages by import path, then by variant.
func compareNames(a, b *Package) int {
	return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Variant, b.Variant))
}
