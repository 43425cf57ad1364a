package driver

import (
	"fmt"

	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// A jar may hold a dozen main methods that all come to the same code, a database
// engine say, which is most of what there is to analyse for each. Such programs
// are analysed as one that begins with one of them. Package runs knows that no run
// has two beginnings: what only one leads to does not meet what only another does,
// and what each does once is done once. Objects and locks that all of them make in
// the same place are one, though, so that a finding may rest on what none of them
// does by itself. So it is done to large programs only.

// largeFunctions is how many functions make a program large: analysing it takes
// tens of seconds.
const largeFunctions = 8000

// gather takes large programs of the same units as one.
func (r *run) gather() error {
	var some []*program
	for _, p := range r.programs {
		if p.lazy && !p.open() {
			some = append(some, p)
		}
	}
	if len(some) < 2 {
		return nil
	}
	all := together(some)
	units := all.linkable()
	prog := link.Link(units, r.passes(all, units))
	var large []*program
	first := 0
	for _, p := range some {
		var roots []pointer.Root
		for _, s := range all.starters(first, first+len(p.calls)) {
			roots = append(roots, pointer.Root{Func: prog.Lookup(s.symbol), Origin: origin.Main})
		}
		first += len(p.calls)
		if pointer.Exceeds(r.ctx, largeFunctions, prog, roots) {
			large = append(large, p)
		}
	}
	r.join(large)
	return r.ctx.Err()
}

// open tells whether anybody calls the functions of a program, as long as it runs.
func (p *program) open() bool {
	for _, c := range p.calls {
		if c.any {
			return true
		}
	}
	return false
}

// join puts programs in the place of the first, as one, or as several if there
// are more than can be told apart.
func (r *run) join(large []*program) {
	for len(large) > 1 {
		n := min(len(large), runs.MaxAlternatives)
		one := together(large[:n])
		member := make(map[*program]bool)
		for _, p := range one.of {
			member[p] = true
		}
		var list []*program
		for _, p := range r.programs {
			switch {
			case p == large[0]:
				list = append(list, one)
			case !member[p]:
				list = append(list, p)
			}
		}
		r.programs = list
		large = large[n:]
	}
}

// together returns the program that begins with one of several.
func together(of []*program) *program {
	p := &program{name: of[0].name, rank: of[0].rank, units: of[0].units, lazy: of[0].lazy, of: of}
	for _, q := range of {
		p.calls = append(p.calls, q.calls...)
	}
	if n := len(of) - 1; n > 0 {
		p.name += fmt.Sprintf(" and %d more", n)
	}
	return p
}

// all returns the programs that are analysed as this one.
func (p *program) all() []*program {
	if len(p.of) == 0 {
		return []*program{p}
	}
	return p.of
}

// names returns the names of all.
func (p *program) names() []string {
	var list []string
	for _, q := range p.all() {
		list = append(list, q.name)
	}
	return list
}

// alternatives returns the names of the programs that are analysed as this one,
// nil if it is one.
func (p *program) alternatives() []string {
	if len(p.of) == 0 {
		return nil
	}
	return p.names()
}
