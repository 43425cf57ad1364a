package summary

import (
	"maps"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
)

// maxHops bounds how many pointers away from a type that shows evidence of
// concurrent use memory is still followed.
const maxHops = 2

// relevance says which accesses a verdict can be about: those of types in scope
// that show evidence of concurrent use, of what such types hold, and of globals
// in scope. The rest is dropped where it arises, or every summary would carry
// all that its callees do.
type relevance struct {
	all      bool
	evident  []bool // by symbol of a field: its owner shows evidence, or holds something that does
	direct   []bool // by symbol of a field: its owner shows evidence itself
	reached  []bool // by symbol of a field: its owner is held by one that does
	ownScope []bool // by symbol of a global: it is defined in scope
	chanLock []bool // by symbol of a field or global: it holds channels that are locks
}

// marks are collected while code is prepared.
type marks struct {
	lockTypes map[link.TypeID]bool // of what is locked, or is atomic
	owners    map[link.TypeID]bool // structs with atomic fields, or handed to origins
}

func (p *program) mark(c *code, i int32, in *ir.Instr) {
	args := c.body.Args(in)
	typeOf := func(v ir.Value) link.TypeID {
		if r := v.Reg(); r != ir.None {
			return p.prog.TypeOf(c.fn, c.body.Regs[r].Type)
		}
		return link.NoType
	}
	switch in.Op {
	case ir.OpLock, ir.OpOnce:
		p.marks.lockTypes[p.pointee(typeOf(args[0]))] = true
		p.marks.lockTypes[typeOf(args[0])] = true
		if t := p.pointee(typeOf(args[0])); p.prog.IsClass(t) {
			p.marks.owners[t] = true // every object is a lock
			delete(p.marks.lockTypes, t)
		}
		p.markOwners(c, args[0])
	case ir.OpLoad, ir.OpStore:
		if isVolatile(in) {
			p.markOwners(c, args[0])
		}
	case ir.OpAtomic:
		if r := args[0].Reg(); r != ir.None {
			if d := c.definition(args[0]); d >= 0 && c.body.Instrs[d].Op == ir.OpField {
				base := c.body.Args(&c.body.Instrs[d])[0]
				owner := p.pointee(typeOf(base))
				p.marks.owners[owner] = true
				p.marks.lockTypes[owner] = true
			}
		}
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
		if ir.How(in.Sub) != ir.Spawned {
			return
		}
		for _, v := range args {
			p.markShared(typeOf(v))
			if d := c.definition(v); d >= 0 && c.body.Instrs[d].Op == ir.OpClosure {
				for _, w := range c.body.Args(&c.body.Instrs[d]) {
					p.markShared(typeOf(w))
				}
			}
		}
	}
}

// markOwners marks the structs that a lock was found in.
func (p *program) markOwners(c *code, v ir.Value) {
	for range 6 {
		d := c.definition(v)
		if d < 0 {
			return
		}
		in := &c.body.Instrs[d]
		switch in.Op {
		case ir.OpField:
			fr := &p.prog.Unit(c.fn).Fields[in.Aux]
			p.marks.owners[p.prog.TypeOf(c.fn, fr.Struct)] = true
		case ir.OpCopy, ir.OpCast, ir.OpBox, ir.OpAssert, ir.OpLoad, ir.OpExtract, ir.OpIndex:
		default:
			return
		}
		v = c.body.Args(in)[0]
	}
}

func (p *program) markShared(t link.TypeID) {
	for range 2 {
		if p.prog.Type(t).Kind == ir.KindPointer {
			t = p.pointee(t)
		}
	}
	if p.prog.Type(t).Kind == ir.KindNamed {
		p.marks.owners[t] = true
	}
}

// relevance decides, once all code is known.
func (p *program) relevance() *relevance {
	r := &relevance{all: p.cfg.KeepAll || p.cfg.Sound}
	p.paths.symMu.RLock()
	defer p.paths.symMu.RUnlock()
	evident, reached := make(map[string]bool), make(map[string]bool)
	var structs []link.TypeID
	for _, t := range p.structs() {
		structs = append(structs, t)
		if p.showsEvidence(t) {
			evident[p.typeName(t)] = true
		}
	}
	n := len(p.paths.symbols)
	r.chanLock = make([]bool, n)
	for sym, u := range p.chans {
		if u.one && u.sent && !u.bad && !p.cfg.Sound {
			r.chanLock[sym] = true
			evident[p.paths.symbols[sym].Owner] = true
		}
	}
	direct := maps.Clone(evident)
	// A struct that holds an evident one by value, or as an interface, may be
	// evident too.
	for changed := true; changed; {
		changed = false
		for _, t := range structs {
			if evident[p.typeName(t)] {
				continue
			}
			for _, f := range p.prog.Type(p.prog.Underlying(t)).Fields {
				if p.mayBeEvident(link.TypeID(f.Type), evident) {
					evident[p.typeName(t)], changed = true, true
				}
			}
		}
	}
	for _, t := range structs {
		if evident[p.typeName(t)] {
			p.reach(t, 0, reached)
		}
	}
	r.evident, r.direct, r.reached, r.ownScope = make([]bool, n), make([]bool, n), make([]bool, n), make([]bool, n)
	for i, s := range p.paths.symbols {
		r.evident[i], r.direct[i], r.reached[i] = evident[s.Owner], direct[s.Owner], reached[s.Owner]
		r.ownScope[i] = s.Owner == "" && p.inScopeGlobals[s.Name]
	}
	return r
}

// mayBeEvident tells whether a field is an evident struct, or an interface in
// scope that one implements.
func (p *program) mayBeEvident(t link.TypeID, evident map[string]bool) bool {
	if evident[p.typeName(t)] {
		return true
	}
	u := p.prog.Type(p.prog.Underlying(t))
	if u.Kind != ir.KindInterface || len(u.Methods) == 0 {
		return false
	}
	if d, unit := p.prog.Decl(t); d == nil || !p.cfg.InScope(unit.Path) {
		return false
	}
	for _, impl := range p.methods[u.Methods[0].Name] {
		if evident[p.typeName(impl)] && p.implements(p.prog.Pointer(impl), t) {
			return true
		}
	}
	return false
}

// structs returns the struct types of the units in scope that code mentions.
func (p *program) structs() []link.TypeID {
	var out []link.TypeID
	for i := 1; i < p.prog.NumTypes(); i++ {
		t := link.TypeID(i)
		if p.prog.Type(t).Kind != ir.KindNamed {
			continue
		}
		d, u := p.prog.Decl(t)
		if d == nil || !p.cfg.InScope(u.Path) || p.prog.Type(p.prog.Underlying(t)).Kind != ir.KindStruct {
			continue
		}
		out = append(out, t)
	}
	return out
}

func (p *program) showsEvidence(t link.TypeID) bool {
	name := p.typeName(t)
	if p.marks.owners[t] || p.cfg.Documented[name] || p.cfg.Documented[baseName(name)] {
		return true
	}
	for _, f := range p.prog.Type(p.prog.Underlying(t)).Fields {
		ft := link.TypeID(f.Type)
		if p.marks.lockTypes[ft] || p.marks.lockTypes[p.pointee(ft)] {
			return true
		}
	}
	d, u := p.prog.Decl(t)
	for _, m := range d.Methods {
		if p.cfg.Handlers[m.Name] {
			return true
		}
		if id := p.prog.Lookup(m.Func); id != link.None && u != nil {
			if def := p.prog.Def(id); def != nil && def.Flags&ir.FuncConcurrent != 0 {
				return true
			}
		}
	}
	return false
}

// baseName is the name of a type without its arguments.
func baseName(s string) string {
	if k := strings.IndexByte(s, '['); k > 0 {
		return s[:k]
	}
	return s
}

// reach marks what a type holds, by value or through up to maxHops pointers,
// slices, maps and channels.
func (p *program) reach(t link.TypeID, hops int, reached map[string]bool) {
	ty := p.prog.Type(t)
	switch ty.Kind {
	case ir.KindPointer, ir.KindSlice, ir.KindMap:
		if hops < maxHops {
			p.reach(link.TypeID(ty.Elem), hops+1, reached)
		}
		return
	case ir.KindArray:
		p.reach(link.TypeID(ty.Elem), hops, reached)
		return
	case ir.KindNamed:
		u := p.prog.Underlying(t)
		if k := p.prog.Type(u).Kind; k != ir.KindStruct {
			if k != ir.KindInterface && k != ir.KindNamed {
				p.reach(u, hops, reached)
			}
			return
		}
		name := p.typeName(t)
		if reached[name] && hops > 0 {
			return
		}
		reached[name] = true
		for _, f := range p.prog.Type(u).Fields {
			p.reach(link.TypeID(f.Type), hops, reached)
		}
	case ir.KindStruct:
		reached[p.typeName(t)] = true
		for _, f := range ty.Fields {
			p.reach(link.TypeID(f.Type), hops, reached)
		}
	}
}

// mayBeShared tells whether storing at an address may let other origins know of
// the value: it is part of a global, of an object of this function's own, or
// reached through a type that shows evidence. What is put into a caller's memory
// that shows none belongs to whoever owns that.
func (r *relevance) mayBeShared(t *Paths, p Path) bool {
	if r.all {
		return true
	}
	for q := p; q != NoPath; q = t.Parent(q) {
		switch s := t.Last(q); s.Kind {
		case Field:
			if int(s.N) < len(r.direct) && r.direct[s.N] {
				return true
			}
		case Param, Capture:
			return t.Len(p) == 0
		}
	}
	return true
}

// relevant tells whether an access of a path may matter to anyone.
func (r *relevance) relevant(t *Paths, p Path) bool {
	if r.all {
		return true
	}
	first := Step{Kind: Param}
	evident, derefs := false, 0
	for q := p; q != NoPath; q = t.Parent(q) {
		switch s := t.Last(q); s.Kind {
		case Field:
			first = s
			if int(s.N) < len(r.evident) && r.evident[s.N] && derefs <= maxHops+1 {
				evident = true
			}
		case Deref:
			derefs++
		case Global:
			return int(s.N) < len(r.ownScope) && r.ownScope[s.N]
		}
	}
	if evident || first.Kind != Field {
		return true
	}
	return int(first.N) < len(r.reached) && r.reached[first.N] && derefs <= maxHops
}
