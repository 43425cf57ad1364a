package driver

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/frontend/golang"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/report"
)

// loadGo makes units of Go packages and all they depend on.
func (r *run) loadGo(targets []string) error {
	res, err := golang.Load(r.ctx, golang.Config{
		Dir:      r.dir,
		Patterns: targets,
		Tags:     r.cfg.Tags,
		Tests:    !r.cfg.NoTests && r.cfg.Mode != ModeLibrary,
		Workers:  r.cfg.Jobs,
		Store:    r.cfg.Store,
		Progress: func(done, total int) { r.progress("load", done, total) },
	})
	if err != nil {
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		return &UsageError{err}
	}
	r.units = make([]*ir.Unit, len(res.Packages))
	errs := make([]error, len(res.Packages))
	r.parallel(len(res.Packages), func(i int) { r.units[i], errs[i] = decode(res.Packages[i]) })
	modules := map[string]bool{} // of the targets
	for _, p := range res.Packages {
		if p.Target && p.Module.Path != "" {
			modules[p.Module.Path] = true
		}
	}
	for i, p := range res.Packages {
		r.parts = append(r.parts, goPart(p))
		r.describe(p, i, errs[i])
		if p.Kind != golang.TestMain && (p.Target || p.Module.Main) {
			r.own[p.Path] = true
		}
		r.near[p.Path] = modules[p.Module.Path]
	}
	r.res.Notes = append(r.res.Notes, res.Notes...)
	r.res.Loaded = Loaded{Units: res.Stats.Packages, Cached: res.Stats.Hits}
	return nil
}

func goPart(p *golang.Package) *part {
	out := &part{path: p.Path, variant: p.Variant, dir: p.Dir, target: p.Target, standard: p.Standard, digest: p.Unit, main: ir.None,
		kind: [...]partKind{golang.Library: partLibrary, golang.Command: partCommand, golang.TestMain: partTestMain}[p.Kind]}
	out.imports = make([]int32, len(p.Imports))
	for i, id := range p.Imports {
		out.imports[i] = int32(id)
	}
	return out
}

// decode reads the unit of a package; nil if it has none.
func decode(p *golang.Package) (*ir.Unit, error) {
	data := p.Encoded()
	if p.Status != golang.Analysed || data == nil {
		return nil, nil
	}
	u, err := ir.Decode(data)
	if err != nil {
		return nil, err
	}
	resolveFiles(u, p.Dir)
	return u, nil
}

// describe notes what became of a package.
func (r *run) describe(p *golang.Package, i int, err error) {
	info := Package{Path: p.String(), Target: p.Target, Standard: p.Standard, Status: p.Status.String()}
	switch {
	case p.Status != golang.Analysed:
		info.Problem = r.skipPackage(p)
	case err != nil:
		info.Status = golang.Failed.String()
		info.Problem = fmt.Sprintf("its unit cannot be read: %v", err)
		r.skip(report.Skipped{Path: p.Path, Reason: info.Problem})
	case r.units[i] != nil:
		info.Functions = countFunctions(r.units[i])
	}
	r.res.Packages = append(r.res.Packages, info)
}

// resolveFiles makes the paths of a unit's files absolute. Units hold them
// relative to the package's directory, so that they do not depend on where it
// is.
func resolveFiles(u *ir.Unit, dir string) {
	for i := range u.Files {
		f := &u.Files[i]
		if !path.IsAbs(f.Path) && !filepath.IsAbs(f.Path) {
			f.Path = path.Join(filepath.ToSlash(dir), f.Path)
		}
	}
}

// skipPackage lists a package without a unit as not analysed, once for all
// its variants, and returns the reason.
func (r *run) skipPackage(p *golang.Package) string {
	s := report.Skipped{Path: p.Path, Reason: p.Status.String()}
	if len(p.Errors) > 0 {
		e := &p.Errors[0]
		s.Reason = e.Msg
		if e.File != "" {
			file := e.File
			if !filepath.IsAbs(file) {
				file = filepath.Join(r.dir, file)
			}
			s.Place = detect.Place{File: filepath.ToSlash(file), Line: e.Line, Col: e.Col}
		}
		if e.Stack != "" {
			r.res.Crashes = append(r.res.Crashes, Crash{Program: p.String(), What: e.Msg, Stack: e.Stack})
		}
	}
	// A package that is merely depended on and absent is reported by the one that
	// imports it.
	if p.Target || len(p.Errors) > 0 {
		r.skip(s)
	}
	return s.Reason
}

func (r *run) skip(s report.Skipped) {
	if !slices.Contains(r.res.NotAnalysed, s) {
		r.res.NotAnalysed = append(r.res.NotAnalysed, s)
	}
}
