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
	set *Set

	mu    sync.Mutex
	views map[string]*view // by unit path; nil if no row concerns the unit; guarded by mu
}

// NewPass returns a pass for the units of one program.
func (s *Set) NewPass() *Pass {
	return &Pass{set: s, views: make(map[string]*view)}
}

// Unit returns u with the table entries and functions that models need in it.
// All IDs of u keep their meaning. It replaces what the pass knew of a unit with
// the same path.
func (p *Pass) Unit(u *ir.Unit) *ir.Unit {
	v := newView(p.set, u)
	p.mu.Lock()
	p.views[u.Path] = v
	p.mu.Unlock()
	if v == nil {
		return u
	}
	return v.u
}

// Body returns the code of a function of a unit that Unit returned, given the
// code it has, or nil if it has none: calls that never return end their blocks,
// deferred calls are put where they happen, modelled calls are what the models
// say, and a modelled function has the body its model gives it.
func (p *Pass) Body(u *ir.Unit, id ir.FuncID, body *ir.Body) *ir.Body {
	p.mu.Lock()
	v := p.views[u.Path]
	p.mu.Unlock()
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
	p.mu.Lock()
	v := p.views[u.Path]
	p.mu.Unlock()
	if v == nil || int(id) >= len(v.own) || v.own[id] == nil {
		return nil
	}
	return v.own[id].row
}
