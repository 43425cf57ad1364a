package model

import (
	"sync"

	"github.com/deadheat/deadheat/internal/ir"
)

// Pass applies a set to the units of one program. Its methods are what a linker
// wants of a pass: Unit gives the view of a unit that bodies refer to, Body the
// code of a function in it. Apart from remembering the views, both are pure, and
// both may be called from several goroutines.
type Pass struct {
	// Analyse tells which units are analysed by their own code where only a
	// general row stands for it. Nil means none. It is set before the first use.
	Analyse func(unit string) bool

	// Classes are those of the program, if it has any: rows for a class stand for
	// methods of the classes below it, and calls by dispatch are replaced where all
	// classes agree. It is set before the first use.
	Classes *Hierarchy

	set      *Set
	dispatch *dispatcher

	mu     sync.Mutex
	views  map[*ir.Unit]*view // by what Unit returned; nil if no row concerns it; guarded by mu
	byPath map[string]*view   // for units that a later pass has copied; guarded by mu
}

// NewPass returns a pass for the units of one program.
func (s *Set) NewPass() *Pass {
	return &Pass{set: s, dispatch: newDispatcher(s), views: make(map[*ir.Unit]*view), byPath: make(map[string]*view)}
}

// Unit returns u with the table entries and functions that models need in it.
// All IDs of u keep their meaning.
func (p *Pass) Unit(u *ir.Unit) *ir.Unit {
	v := newView(p, u)
	if v != nil {
		u = v.u
	}
	p.mu.Lock()
	p.views[u], p.byPath[u.Path] = v, v
	p.mu.Unlock()
	return u
}

// view returns what the pass knows of a unit.
func (p *Pass) view(u *ir.Unit) *view {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v, ok := p.views[u]; ok {
		return v
	}
	return p.byPath[u.Path]
}

// Body returns the code of a function of a unit that Unit returned, given the
// code it has, or nil if it has none: calls that never return end their blocks,
// deferred calls are put where they happen, modelled calls are what the models
// say, and a modelled function has the body its model gives it.
func (p *Pass) Body(u *ir.Unit, id ir.FuncID, body *ir.Body) *ir.Body {
	v := p.view(u)
	if v == nil {
		if body == nil {
			return nil
		}
		return ExpandDefers(body)
	}
	if int(id) < len(v.own) && v.own[id] != nil {
		return v.replacement(v.own[id], &v.u.Funcs[id])
	}
	if body == nil {
		return nil
	}
	return v.models(ExpandDefers(v.cut(body)))
}

// Modelled returns the row that stands for a function of a unit that Unit
// returned, or nil.
func (p *Pass) Modelled(u *ir.Unit, id ir.FuncID) *Row {
	v := p.view(u)
	if v == nil || int(id) >= len(v.own) || v.own[id] == nil {
		return nil
	}
	return v.own[id].row
}
