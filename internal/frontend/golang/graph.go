package golang

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go/types"
)

// node is a package on its way from listing to unit.
type node struct {
	pkg  *Package
	list *listed

	imports   []*node // direct, by order of processing
	importers []*node
	waiting   int // imports not yet done; guarded by schedule.mu
	priority  int // files on the longest path from here to a package nobody imports

	// Set by the worker that processes the node, read by importers afterwards.
	export []byte         // what importers see, if it was made in this run
	source *types.Package // checked from source; only if there is no export

	once     sync.Once
	types    *types.Package // as importers see it; set by once
	typesErr error
}

// graph is the import graph of a listing.
type graph struct {
	nodes []*node // imports first
	byID  map[string]*node
}

// cgoImports are imported by the files that cgo writes, which go list does not
// say in Imports.
var cgoImports = [...]string{"runtime/cgo", "syscall"}

// newGraph makes nodes of a listing in dependency order. Edges that close an
// import cycle are left out; the type checker then reports the import.
func newGraph(l *listing, tc *Toolchain, dir string) *graph {
	g := &graph{byID: make(map[string]*node, len(l.packages))}
	for _, p := range l.packages {
		// A package that has nothing but tests is listed without files.
		if p.ImportPath != "unsafe" && (p.Error != nil || p.hasFiles()) {
			g.byID[p.ImportPath] = newNode(p, tc, dir)
		}
	}
	const (
		unseen = iota
		open
		done
	)
	state := make(map[*node]int, len(g.byID))
	var visit func(n *node)
	visit = func(n *node) {
		state[n] = open
		for _, m := range g.importsOf(n) {
			if state[m] == unseen {
				visit(m)
			}
			if state[m] == open {
				continue
			}
			n.imports = append(n.imports, m)
			m.importers = append(m.importers, n)
		}
		state[n] = done
		n.pkg.ID = PackageID(len(g.nodes))
		g.nodes = append(g.nodes, n)
	}
	for _, p := range l.packages {
		if n := g.byID[p.ImportPath]; n != nil && state[n] == unseen {
			visit(n)
		}
	}
	g.finish()
	return g
}

// importsOf returns what n imports according to the go command.
func (g *graph) importsOf(n *node) []*node {
	var list []*node
	for _, id := range n.list.Imports {
		if m := g.byID[id]; m != nil {
			list = append(list, m)
		}
	}
	if n.list.usesCgo() {
		for _, id := range cgoImports {
			if m := g.byID[id]; m != nil && m != n && !slices.Contains(list, m) {
				list = append(list, m)
			}
		}
	}
	return list
}

// finish sets what needs the whole graph.
func (g *graph) finish() {
	for _, n := range g.nodes {
		slices.SortFunc(n.imports, func(a, b *node) int { return int(a.pkg.ID - b.pkg.ID) })
		n.imports = slices.Compact(n.imports)
		for _, m := range n.imports {
			n.pkg.Imports = append(n.pkg.Imports, m.pkg.ID)
		}
		n.waiting = len(n.imports)
	}
	for _, n := range slices.Backward(g.nodes) {
		slices.SortFunc(n.importers, func(a, b *node) int { return int(a.pkg.ID - b.pkg.ID) })
		n.importers = slices.Compact(n.importers)
		for _, m := range n.importers {
			n.priority = max(n.priority, m.priority)
		}
		n.priority += 1 + len(n.list.GoFiles) + len(n.list.CgoFiles)
	}
}

// imported returns the direct import of n that source code calls path, and
// whether the go command knows of it. A known one is nil if importing it would
// close a cycle.
func (g *graph) imported(n *node, path string) (m *node, known bool) {
	id := path
	if mapped, ok := n.list.ImportMap[path]; ok {
		id = mapped
	}
	m = g.byID[id]
	if m != nil && slices.Contains(n.imports, m) {
		return m, true
	}
	return nil, slices.Contains(n.list.Imports, id)
}

// mentioned returns the package that the export data of n calls path. It need
// not be a direct import. All packages of one test binary that depend on the
// package under test are compiled anew for it, so that there is but one
// candidate.
func (g *graph) mentioned(n *node, path string) *node {
	if v := n.pkg.Variant; v != "" {
		if m := g.byID[path+" ["+v+"]"]; m != nil {
			return m
		}
	}
	return g.byID[path]
}

func newNode(p *listed, tc *Toolchain, dir string) *node {
	path, variant := splitVariant(p.ImportPath)
	pkg := &Package{
		Path: path, Variant: variant, Name: p.Name, Dir: p.Dir,
		Target:   !p.DepOnly,
		Standard: p.Standard,
		Kind:     kindOf(p),
	}
	if p.hasFiles() {
		pkg.Language = tc.language(p)
	} else {
		pkg.Status = Missing
	}
	if m := p.Module; m != nil {
		pkg.Module = Module{Path: m.Path, Version: m.Version, Dir: m.Dir, Main: m.Main}
	}
	n := &node{pkg: pkg, list: p}
	if e := p.Error; e != nil {
		// What is wrong with an import is reported where that is written,
		// by the type checker.
		if (pkg.Status != Missing || pkg.Target) && !strings.HasPrefix(e.Err, "import cycle") {
			pkg.Errors = append(pkg.Errors, listError(e, dir))
		}
	}
	return n
}

func kindOf(p *listed) Kind {
	switch {
	case p.Name != "main" || p.ForTest != "":
		return Library
	case strings.HasSuffix(p.ImportPath, ".test") && len(p.GoFiles) == 1 && filepath.IsAbs(p.GoFiles[0]):
		return TestMain
	default:
		return Command
	}
}
