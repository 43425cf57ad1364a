package golang

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"time"
)

// Design
//
// Figures are CPU seconds on etcd's server, 519 packages, with warm caches.
//
//	go list -deps                                0.25
//	go list -e -deps -json=<fields below>        0.19
//	the same with -test                          0.19
//	the same with -compiled                      0.42 (2.8 the first time)
//	go list -compiled of the 3 cgo packages      0.12
//	decoding the JSON, 400 kB                    0.01
//
// So the one listing goes without -compiled. The Go files that cgo writes are
// asked for by a second command, and only when a package with cgo is not in
// the store. Without -json the go command computes more fields, which is why
// naming them is cheaper than the plain list.
//
// The go command keeps indexes of module cache and GOROOT, so that what it costs
// is mostly the reading of the user's own directories. Keeping its output
// between runs would save 0.2 s at best and would mean to know all that it
// looks at.

// listed is what go list says about a package. See go help list.
type listed struct {
	ImportPath      string // with " [p.test]" for a package compiled anew for a test
	Name            string
	Dir             string
	ForTest         string
	Standard        bool
	DepOnly         bool
	Module          *listedModule
	GoFiles         []string
	CgoFiles        []string
	HFiles          []string
	SwigFiles       []string
	SwigCXXFiles    []string
	Imports         []string
	ImportMap       map[string]string
	Error           *listedError
	CompiledGoFiles []string // only asked for where cgo is involved
}

type listedModule struct {
	Path      string
	Version   string
	Main      bool
	Dir       string
	GoVersion string
	Replace   *listedModule
}

type listedError struct {
	ImportStack []string
	Pos         string // file:line:col, or file:line, or empty
	Err         string
}

const listFields = "ImportPath,Name,Dir,ForTest,Standard,DepOnly,Module,GoFiles,CgoFiles,HFiles,SwigFiles,SwigCXXFiles,Imports,ImportMap,Error"

// usesCgo reports whether the package's Go code is not all in its directory.
func (p *listed) usesCgo() bool {
	return len(p.CgoFiles)+len(p.SwigFiles)+len(p.SwigCXXFiles) > 0
}

// hasFiles reports whether there is anything to compile.
func (p *listed) hasFiles() bool { return len(p.GoFiles)+len(p.CgoFiles) > 0 }

// splitVariant returns the import path and, for a package compiled anew for a test,
// the name of the test binary.
func splitVariant(id string) (path, variant string) {
	path, rest, ok := strings.Cut(id, " [")
	if !ok {
		return id, ""
	}
	return path, strings.TrimSuffix(rest, "]")
}

// listing is the outcome of one go list.
type listing struct {
	packages []*listed
	cpu      time.Duration
	warnings string // standard error
}

// list runs go list over the patterns of cfg and all they depend on.
func (g *goCommand) list(ctx context.Context, cfg *Config) (*listing, error) {
	return g.runList(ctx, cfg, []string{"-deps", "-json=" + listFields}, cfg.patterns())
}

// compiled asks for the Go files of packages as the compiler gets them, which
// runs cgo. The packages of the result have ImportPath, CompiledGoFiles and
// Error set.
//
// A package compiled anew for a test has no name the go command would take, so
// if there is one, the patterns are listed again with all they depend on.
func (g *goCommand) compiled(ctx context.Context, cfg *Config, ids []string) (*listing, error) {
	flags, patterns := []string{"-compiled", "-json=ImportPath,CompiledGoFiles,Error"}, ids
	isVariant := func(id string) bool { _, v := splitVariant(id); return v != "" }
	if slices.ContainsFunc(ids, isVariant) {
		flags, patterns = append(flags, "-deps"), cfg.patterns()
	}
	return g.runList(ctx, cfg, flags, patterns)
}

func (g *goCommand) runList(ctx context.Context, cfg *Config, flags, patterns []string) (*listing, error) {
	// With profiles, packages would be listed once for each command.
	args := append([]string{"list", "-e", "-pgo=off"}, flags...)
	if cfg.Tests {
		args = append(args, "-test")
	}
	if len(cfg.Tags) > 0 {
		args = append(args, "-tags="+strings.Join(cfg.Tags, ","))
	}
	args = append(append(args, "--"), patterns...)
	l := new(listing)
	cpu, stderr, err := g.run(ctx, func(d *json.Decoder) error {
		for {
			p := new(listed)
			if err := d.Decode(p); err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			l.packages = append(l.packages, p)
		}
	}, args...)
	l.cpu, l.warnings = cpu, stderr
	return l, err
}
