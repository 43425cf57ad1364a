package pointer

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
)

// everyMethod is the method of an invoke that calls all exported ones, as a
// model of a framework says.
const everyMethod = "*"

// dispatch binds an indirect call to what the objects of a row say it means.
func (s *solver) dispatch(inst InstID, c *call, idx int32, row chunk) {
	known, _ := s.pages.row(row.key)
	p := *known // there may be more pages soon
	switch c.op {
	case ir.OpInvoke:
		s.dispatchMethod(inst, c, idx, &p, row.bits)
	case ir.OpCallPtr:
		if p.kind != ObjectFunc {
			return
		}
		def := s.prog.Def(p.fn)
		if def == nil || (c.sig != link.NoType && s.prog.TypeOf(p.fn, def.Sig) != c.sig) {
			return
		}
		s.bindCaptures(s.bind(inst, c, idx, p.fn), &p, row.bits)
	}
}

// dispatchMethod binds a call of a method to objects of a page.
func (s *solver) dispatchMethod(inst InstID, c *call, idx int32, p *page, which uint64) {
	key := s.receiverKey(inst, idx, p)
	if target, known := s.receivers.get(key); known {
		// All but the receivers is known, as it is of most.
		s.bindReceivers(target, p, which)
		return
	}
	t := p.typ
	if p.kind == ObjectCell || p.kind == ObjectValue {
		t = s.reference(p) // a typed reference is its own receiver
	} else if p.kind != ObjectBox {
		return
	}
	if c.method == everyMethod {
		for _, name := range s.prog.Methods(t) {
			if f := s.prog.Method(t, name); s.callable(f) {
				s.bindReceivers(s.bind(inst, c, idx, f), p, which)
			}
		}
	} else if f := s.prog.Method(t, c.method); f != link.None {
		target := s.bind(inst, c, idx, f)
		s.receivers.put(key, target)
		s.bindReceivers(target, p, which)
	}
}

// reference returns the type of references to the objects of a page.
func (s *solver) reference(p *page) link.TypeID {
	if p.ref == link.NoType {
		p.ref = s.prog.Pointer(p.typ)
		s.pages.list[s.pages.rows[p.first]].ref = p.ref
	}
	return p.ref
}

// receiverKey identifies a call by dispatch and a type of its receivers.
func (s *solver) receiverKey(inst InstID, idx int32, p *page) uint64 {
	key := uint64(s.firstCall[inst]+idx)<<33 | uint64(p.typ)<<1
	if p.kind == ObjectBox {
		key++
	}
	return key
}

// bindReceivers makes objects of a page receivers of what is called.
func (s *solver) bindReceivers(target InstID, p *page, which uint64) {
	in := &s.instances[target]
	t := s.templates[in.Func]
	if t == nil {
		return
	}
	if p.kind == ObjectBox {
		s.eachObject(p, which, func(o *Object) { s.bindObject(o, 0, t, 0, in.Base) })
	} else if t.body.Params > 0 && t.regs[0] != none {
		s.insertRow(in.Base+Node(t.regs[0]), chunk{p.first, which})
	}
}

// bindCaptures copies what function values hold into what is called.
func (s *solver) bindCaptures(target InstID, p *page, which uint64) {
	in := &s.instances[target]
	t := s.templates[in.Func]
	if t == nil {
		return
	}
	off := int32(0)
	for k := t.body.Params; k < t.body.Params+t.body.Captures; k++ {
		s.eachObject(p, which, func(o *Object) { s.bindObject(o, off, t, k, in.Base) })
		off += s.prog.Layout(s.prog.TypeOf(t.fn, t.body.Regs[k].Type)).Size
	}
}

// callable tells whether a method can be called by those who find it by name:
// it is exported, or a wrapper of one that is promoted.
func (s *solver) callable(f link.FuncID) bool {
	if f == link.None {
		return false
	}
	def := s.prog.Def(f)
	return def == nil || def.Flags&(ir.FuncExported|ir.FuncSynthetic) != 0
}

// bind connects a call with one of its targets, save the receiver of a call by
// dispatch and the captures of a function value. It returns the instance that is
// called.
func (s *solver) bind(inst InstID, c *call, idx int32, f link.FuncID) InstID {
	caller := s.instances[inst]
	org := caller.Origin
	site := origin.Site{Func: caller.Func, Instr: c.instr}
	if c.how == ir.Spawned && !s.survey {
		org = s.origins.Spawn(site, caller.Via, c.kind, caller.Origin)
		s.origins.AddEntry(org, f)
	}
	target := s.instance(f, org, s.chain(&caller, site, c.how, f))
	if s.bound.add(Node(s.firstCall[inst]+idx), Node(target)) {
		s.instances[inst].Calls = append(s.instances[inst].Calls, Edge{Instr: c.instr, Target: target, How: c.how})
	}
	if t := s.templateOf(f); t != nil {
		s.bindArgs(caller.Base, c, t, s.instances[target].Base)
		s.bindResults(caller.Base, c, t, s.instances[target].Base)
	}
	return target
}

// chain returns the calls that tell a wrapper apart which an instance calls.
func (s *solver) chain(caller *Instance, site origin.Site, how ir.How, f link.FuncID) origin.Chain {
	t := s.templateOf(f)
	switch {
	case t == nil || !t.wrapper:
		return origin.NoChain
	case t.keeps && how == ir.Now && s.templates[caller.Func].keeps:
		return caller.Via // constructors that call each other are one
	case s.flat:
		return s.origins.Chains.Extend(origin.NoChain, site)
	}
	return s.origins.Chains.Extend(caller.Via, site)
}

func (s *solver) bindArgs(base Node, c *call, t *template, tbase Node) {
	param := int32(0)
	args := c.args
	if c.op == ir.OpInvoke {
		args = args[1:]
		param = 1
	}
	for _, a := range args {
		if param >= t.body.Params {
			break
		}
		s.bindArg(base, a, t, param, tbase)
		param++
	}
}

func (s *solver) bindArg(base Node, a operand, t *template, param int32, tbase Node) {
	dst := t.regs[param]
	if a == none || dst == none {
		return
	}
	for _, k := range s.prog.Layout(s.prog.TypeOf(t.fn, t.body.Regs[param].Type)).Pointers {
		src := a.at(k)
		if src == none {
			continue
		}
		n := Node(^src)
		if src >= 0 {
			n = base + Node(src)
		}
		s.edge(n, tbase+Node(dst.at(k)))
	}
}

// bindObject copies slots of an object into a parameter or capture.
func (s *solver) bindObject(o *Object, off int32, t *template, param int32, tbase Node) {
	if param >= int32(len(t.regs)) || t.regs[param] == none {
		return
	}
	for _, k := range s.prog.Layout(s.prog.TypeOf(t.fn, t.body.Regs[param].Type)).Pointers {
		if off+k < o.Size {
			s.edge(o.Base+Node(off+k), tbase+Node(t.regs[param].at(k)))
		}
	}
}

func (s *solver) bindResults(base Node, c *call, t *template, tbase Node) {
	if c.dst == none || c.how != ir.Now || c.dst < 0 {
		return
	}
	dst := base + Node(c.dst)
	off := int32(0)
	for _, r := range t.results {
		for _, k := range s.prog.Layout(r).Pointers {
			s.edge(tbase+Node(t.ret+off+k), dst+Node(off+k))
		}
		off += s.prog.Layout(r).Size
	}
}
