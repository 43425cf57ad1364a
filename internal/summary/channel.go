package summary

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
)

// A channel with room for one element is a lock if whoever receives from it has
// put something in himself: a send takes it, since a second one has to wait, and
// the receive gives it back. R-SUM-6. Which channel an operation is on is known by
// the field or global that holds it.

// chanUse is how the channels in one field or global are used.
type chanUse struct {
	one  bool // made with room for one
	sent bool
	bad  bool // in some way that a lock is not
}

// noteChannels looks at how a function uses the channels that fields and globals
// hold.
func (p *program) noteChannels(c *code) {
	sends := make(map[int32]bool)
	var recvs []ir.BlockID
	var recvSyms []int32
	for i := range c.body.Instrs {
		in := &c.body.Instrs[i]
		args := c.body.Args(in)
		if in.Op == ir.OpStore {
			p.noteChanStore(c, args)
		}
		for k, v := range args {
			sym, ok := p.chanHeld(c, v)
			if !ok {
				continue
			}
			u := p.chanUse(sym)
			switch {
			case in.Op == ir.OpSend && k == 0, in.Op == ir.OpSelect && k%3 == 1 && args[k+1] != ir.NoValue:
				u.sent, sends[sym] = true, true
			case in.Op == ir.OpRecv && !c.used(in.Dst):
				recvs, recvSyms = append(recvs, c.body.BlockOf(int32(i))), append(recvSyms, sym)
			case in.Op == ir.OpLen, in.Op == ir.OpCap, in.Op == ir.OpBinary:
			default:
				u.bad = true
			}
		}
	}
	f := &function{code: c}
	for k, b := range recvs {
		if !sends[recvSyms[k]] && f.inCycle(b) {
			p.chanUse(recvSyms[k]).bad = true // waits for work
		}
	}
}

func (p *program) chanUse(sym int32) *chanUse {
	u := p.chans[sym]
	if u == nil {
		u = new(chanUse)
		p.chans[sym] = u
	}
	return u
}

func (p *program) noteChanStore(c *code, args []ir.Value) {
	sym, ok := c.holder(args[0])
	if !ok {
		return
	}
	if d := c.definition(args[1]); d >= 0 {
		made := &c.body.Instrs[d]
		if made.Op == ir.OpMakeChan {
			size := c.body.Args(made)[0].Const()
			u := p.chanUse(sym)
			if size != ir.None && c.unit.Consts[size].Text == "1" {
				u.one = true
			} else {
				u.bad = true
			}
			return
		}
	}
	if r := args[1].Reg(); r != ir.None && p.isChan(c, r) {
		p.chanUse(sym).bad = true
	}
}

func (p *program) isChan(c *code, r ir.Reg) bool {
	return p.prog.Type(p.prog.Underlying(p.prog.TypeOf(c.fn, c.body.Regs[r].Type))).Kind == ir.KindChan
}

// chanHeld returns the field or global that a channel was loaded from.
func (p *program) chanHeld(c *code, v ir.Value) (int32, bool) {
	d := c.definition(v)
	if d < 0 || c.body.Instrs[d].Op != ir.OpLoad || !p.isChan(c, v.Reg()) {
		return 0, false
	}
	return c.holder(c.body.Args(&c.body.Instrs[d])[0])
}

// holder returns the symbol of the field or global whose address a value is.
func (c *code) holder(v ir.Value) (int32, bool) {
	if v.Kind() == ir.ValueGlobal {
		s, ok := c.globals[v]
		return s.N, ok
	}
	if d := c.definition(v); d >= 0 && c.body.Instrs[d].Op == ir.OpField {
		s, ok := c.steps[d]
		return s.N, ok
	}
	return 0, false
}

// used tells whether some instruction has a register as operand.
func (c *code) used(r ir.Reg) bool {
	return r != ir.None && slices.Contains(c.body.Operands, ir.RegValue(r))
}

// chanLock returns the lock that an operation on a channel is about, or NoPath
// if the channel is no lock.
func (f *function) chanLock(v ir.Value) Path {
	d := f.definition(v)
	if d < 0 || f.body.Instrs[d].Op != ir.OpLoad {
		return NoPath
	}
	if sym, ok := f.holder(f.body.Args(&f.body.Instrs[d])[0]); ok && int(sym) < len(f.a.keep.chanLock) && f.a.keep.chanLock[sym] {
		return f.value(v)
	}
	return NoPath
}

// transferChannel takes or gives back a channel that is a lock.
func (f *function) transferChannel(s *state, i int32) {
	in := &f.body.Instrs[i]
	args := f.body.Args(in)
	switch in.Op {
	case ir.OpSend:
		f.acquire(s, Held{Path: f.chanLock(args[0]), Mode: ir.Exclusive, Pos: f.at(i)}, false)
	case ir.OpRecv:
		f.release(s, f.chanLock(args[0]))
	case ir.OpSelect:
		if len(args) == 3 && in.Flags&ir.FlagBlocking != 0 && args[2] != ir.NoValue {
			f.acquire(s, Held{Path: f.chanLock(args[1]), Mode: ir.Exclusive, Pos: f.at(i)}, false)
		}
	}
}

// lockIfChosen returns the lock that is held if a select has chosen a case.
func (f *function) lockIfChosen(v, index ir.Value) []Held {
	d := f.definition(v)
	n, ok := f.constant(index)
	if d < 0 || !ok || n < 0 {
		return nil
	}
	extract := &f.body.Instrs[d]
	if extract.Op != ir.OpExtract || extract.Aux != 0 {
		return nil
	}
	i := f.definition(f.body.Args(extract)[0])
	if i < 0 || f.body.Instrs[i].Op != ir.OpSelect {
		return nil
	}
	args := f.body.Args(&f.body.Instrs[i])
	k := 3 * int(n)
	if k+2 >= len(args) || args[k+2] == ir.NoValue {
		return nil
	}
	if p := f.chanLock(args[k+1]); p != NoPath {
		return []Held{{Path: p, Mode: ir.Exclusive, Pos: f.at(i)}}
	}
	return nil
}
