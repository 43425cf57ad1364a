package driver

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/model"
)

// planClass adds the program that a class starts, if it has a main method and
// was asked for.
func (r *run) planClass(i int) {
	part := r.parts[i]
	if part.main == ir.None || len(r.cfg.Java.Mains) > 0 && !slices.Contains(r.cfg.Java.Mains, part.path) {
		return
	}
	p := r.newProgram(i, rankCommand)
	p.calls = []entryCall{{unit: slices.Index(p.units, r.units[i]), fn: part.main}}
	r.programs = append(r.programs, p)
}

// planJava checks the classes that were asked for and adds the programs of open
// packages.
func (r *run) planJava() error {
	for _, class := range r.cfg.Java.Mains {
		if !slices.ContainsFunc(r.programs, func(p *program) bool { return p.rank == rankCommand && p.name == class }) {
			return &UsageError{fmt.Errorf("--main %s: no such class with a main method among the targets; classes are named as example.app.Main", class)}
		}
	}
	for _, pkg := range r.cfg.Java.Open {
		if err := r.planOpen(pkg); err != nil {
			return err
		}
	}
	r.planFrameworks()
	return nil
}

// planFrameworks adds the program in which frameworks call what the models say
// they call in the targets: each class has one object.
func (r *run) planFrameworks() {
	var prog *program
	points := r.models.Entries(r.models.Hierarchy(r.units), r.units, func(i int) bool { return r.parts[i].target })
	if r.cfg.NoTests {
		points = slices.DeleteFunc(points, func(e model.EntryPoint) bool { return e.Kind == ir.OriginTest })
	}
	for k, e := range points {
		u := r.units[e.Unit]
		if prog == nil {
			prog = r.newProgram(e.Unit, rankEntry)
			prog.name = "frameworks"
		}
		at := slices.Index(prog.units, u)
		if k == 0 || points[k-1].Unit != e.Unit {
			for _, fn := range findFunc(u, func(f *ir.Func) bool { return strings.HasPrefix(f.Symbol, u.Path+".<init>") }) {
				prog.calls = append(prog.calls, entryCall{unit: at, fn: fn, open: true})
			}
		}
		prog.calls = append(prog.calls, entryCall{unit: at, fn: e.Func, open: true, spawn: e.Kind != ir.OriginTest,
			kind: e.Kind, alone: !e.Many, serial: e.Serial})
	}
	if prog != nil {
		r.programs = append(r.programs, prog)
	}
}

// planOpen adds the program in which any number of callers use the public
// classes of a package, or of all below it: each class has one object, made by its
// constructors, on which all that code of other packages can call, and what
// frameworks call, may be called at the same time.
func (r *run) planOpen(pkg string) error {
	var prog *program
	entries := map[*ir.Func]bool{}
	for _, e := range r.models.Entries(r.models.Hierarchy(r.units), r.units, func(i int) bool { return r.parts[i].target }) {
		if e.Kind != ir.OriginTest {
			entries[&r.units[e.Unit].Funcs[e.Func]] = true
		}
	}
	for i, p := range r.parts {
		u := r.units[i]
		if !p.target || !p.lazy || u == nil || !inPackage(p.path, pkg) || !isOpenClass(u) {
			continue
		}
		if prog == nil {
			prog = r.newProgram(i, rankEntry)
			prog.name = "open " + pkg
		}
		at := slices.Index(prog.units, u)
		var made, called []entryCall
		for _, fn := range findFunc(u, func(f *ir.Func) bool {
			return (f.Flags&ir.FuncPublic != 0 || entries[f]) && f.Flags&(ir.FuncSynthetic|ir.FuncInit) == 0
		}) {
			if strings.HasPrefix(u.Funcs[fn].Symbol, u.Path+".<init>") {
				made = append(made, entryCall{unit: at, fn: fn, open: true})
			} else if fn != p.main {
				called = append(called, entryCall{unit: at, fn: fn, open: true, any: true})
			}
		}
		prog.calls = append(append(prog.calls, made...), called...)
	}
	if prog == nil || len(prog.calls) == 0 {
		return &UsageError{fmt.Errorf("--open %s: the targets have no public class in this package; name it as in the source, such as example.app", pkg)}
	}
	r.programs = append(r.programs, prog)
	return nil
}

// inPackage tells whether a class is of a package, in itself or within another
// class. A package that ends in /... stands for those below it too.
func inPackage(class, pkg string) bool {
	i := strings.LastIndexByte(class, '.')
	if above, ok := strings.CutSuffix(pkg, "/..."); ok {
		return strings.HasPrefix(class[:max(i, 0)]+".", above+".")
	}
	return i == len(pkg) && class[:max(i, 0)] == pkg
}

// isOpenClass tells whether callers from outside can have an object of the class
// of a unit.
func isOpenClass(u *ir.Unit) bool {
	for i := range u.TypeDecls {
		if d := &u.TypeDecls[i]; d.Symbol == u.Path {
			return d.Flags&(ir.TypeExported|ir.TypeAbstract) == ir.TypeExported
		}
	}
	return false
}

// coverClasses marks the classes of which some program reaches a method. All
// classes are in every program, so being in one says nothing.
func (r *run) coverClasses() {
	reached := map[string]bool{}
	for _, a := range r.analyses {
		for sym := range a.reached {
			reached[sym] = true
		}
	}
	for i, p := range r.parts {
		u := r.units[i]
		if !p.lazy || u == nil {
			continue
		}
		for k := range u.Funcs {
			if reached[u.Funcs[k].Symbol] {
				r.covered[p.path] = true
				break
			}
		}
	}
}
