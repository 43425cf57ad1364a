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
	common   map[*ir.Unit]*commonView // of units that other programs have too; the map does not change

	mu     sync.Mutex
	views  map[*ir.Unit]*view // by what Unit returned; nil if no row concerns it; guarded by mu
	byPath map[string]*view   // for units that a later pass has copied; guarded by mu
}

// NewPass returns a pass for the units of one program.
func (s *Set) NewPass() *Pass {
	return &Pass{set: s, dispatch: newDispatcher(s), views: make(map[*ir.Unit]*view), byPath: make(map[string]*view)}
}

// Common is what passes have in common for programs that share units, as those
// of the main methods of one jar do.
type Common struct {
	pass  *Pass
	views map[*ir.Unit]*commonView
}

// commonView is the view of a unit, made by the first program that asks.
type commonView struct {
	once sync.Once
	view *view // set by once; nil if no row concerns the unit
}

// Share prepares for several programs that consist of the same units, but for
// units of their own that add no classes.
func (s *Set) Share(units []*ir.Unit) *Common {
	c := &Common{pass: s.NewPass(), views: make(map[*ir.Unit]*commonView, len(units))}
	c.pass.Classes = s.Hierarchy(units)
	for _, u := range units {
		c.views[u] = new(commonView)
	}
	return c
}

// NewPass returns a pass for the units of one of the programs.
func (c *Common) NewPass() *Pass {
	p := c.pass.set.NewPass()
	p.Classes, p.dispatch, p.common = c.pass.Classes, c.pass.dispatch, c.views
	return p
}

// viewOf makes the view of a unit, unless another program has.
func (p *Pass) viewOf(u *ir.Unit) *view {
	c := p.common[u]
	if c == nil {
		return newView(p, u)
	}
	c.once.Do(func() { c.view = newView(p, u) })
	return c.view
}

// Unit returns u with the table entries and functions that models need in it.
// All IDs of u keep their meaning.
func (p *Pass) Unit(u *ir.Unit) *ir.Unit {
	v := p.viewOf(u)
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
