package lockset

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/path"
)

// deputy is a goroutine that takes locks for the function that starts it: it says
// so on a channel, and never gives them back. Who has received from the channel
// holds the locks.
type deputy struct {
	channel path.ID
	locks   []Held
}

// deputies finds the goroutines of a function that take locks for it: closures
// started here that alone have a channel made here, besides the function itself.
func (f *Function) deputies() []deputy {
	var list []deputy
	for i := range f.body.Instrs {
		in := &f.body.Instrs[i]
		if in.Op != ir.OpCallPtr || ir.How(in.Sub) != ir.Spawned || in.Flags&(ir.FlagGroup|ir.FlagMany) != 0 {
			continue
		}
		callees, args, captures := f.targets(int32(i), in)
		if len(callees) != 1 || len(callees[0].acquired) == 0 {
			continue
		}
		if d, ok := f.deputyOf(callees[0], args, captures, int32(i)); ok {
			list = append(list, d)
		}
	}
	return list
}

// deputyOf finds the channel on which a started function says that it has taken
// locks.
func (f *Function) deputyOf(callee *Function, args, captures []ir.Value, spawn int32) (deputy, bool) {
	signal := int32(-1)
	for i := range callee.body.Instrs {
		switch callee.body.Instrs[i].Op {
		case ir.OpClose, ir.OpSend:
			if signal >= 0 {
				return deputy{}, false
			}
			signal = int32(i)
		}
	}
	if signal < 0 {
		return deputy{}, false
	}
	p := callee.Paths.Value(callee.body.Args(&callee.body.Instrs[signal])[0])
	if p == path.None {
		return deputy{}, false
	}
	channel, ok := f.rebase(callee, p, args, captures)
	if !ok || !f.onlyFor(channel, spawn) {
		return deputy{}, false
	}
	d := deputy{channel: channel}
	for _, h := range callee.acquired {
		at, held := find(callee.At(signal), h.Path, h.Kind)
		if !held || at.Maybe || h.Maybe || h.Kind != Mutex {
			continue
		}
		if q, ok := f.rebase(callee, h.Path, args, captures); ok {
			d.locks = append(d.locks, Held{Path: q, Value: ir.NoValue, Mode: h.Mode, Instr: spawn, Kind: h.Kind})
		}
	}
	return d, len(d.locks) > 0
}

// onlyFor tells whether a channel is in a variable of the function that is given
// a new channel once, and that only the closure started at spawn captures; the
// function itself only receives from it.
func (f *Function) onlyFor(channel path.ID, spawn int32) bool {
	steps := f.Paths.Steps(channel)
	if len(steps) != 2 || steps[0].Kind != path.Value || steps[1].Kind != path.Deref || f.body.Instrs[steps[0].N].Op != ir.OpAlloc {
		return false
	}
	cell := ir.RegValue(f.body.Instrs[steps[0].N].Dst)
	closure := f.a.prog.Definition(f.fn, f.body.Args(&f.body.Instrs[spawn])[0])
	for i := range f.body.Instrs {
		in := &f.body.Instrs[i]
		for k, v := range f.body.Args(in) {
			switch {
			case v == cell:
				if !f.usesCell(in, k, int32(i) == closure) {
					return false
				}
			case f.Paths.Value(v) == channel && in.Op != ir.OpRecv && in.Op != ir.OpSelect:
				if in.Op != ir.OpStore || f.body.Args(in)[0] != cell {
					return false
				}
			}
		}
	}
	return true
}

// usesCell tells whether operand k of an instruction is a use of a variable that
// lets nobody else signal on the channel in it.
func (f *Function) usesCell(in *ir.Instr, k int, spawned bool) bool {
	switch in.Op {
	case ir.OpLoad:
		return true
	case ir.OpStore:
		d := f.a.prog.Definition(f.fn, f.body.Args(in)[1])
		return k == 0 && d >= 0 && f.body.Instrs[d].Op == ir.OpMakeChan
	case ir.OpClosure:
		return spawned
	}
	return false
}

// received adds the locks that deputies have taken when something was received
// from a channel.
func (f *Function) received(held []Held, channel ir.Value) []Held {
	if len(f.deputised) == 0 {
		return held
	}
	p := f.Paths.Value(channel)
	for _, d := range f.deputised {
		if d.channel != p {
			continue
		}
		for _, l := range d.locks {
			if old, ok := find(held, l.Path, l.Kind); !ok || old.Maybe {
				held = append(drop(append([]Held(nil), held...), l.Path, l.Kind), l)
			}
		}
	}
	return held
}

// chosen returns the channel that a select received from where control goes to
// successor k of a block, or no value.
func (f *Function) chosen(b ir.BlockID, k int) ir.Value {
	term := &f.body.Instrs[f.body.Blocks[b].End-1]
	d := f.a.prog.Definition(f.fn, f.body.Args(term)[0])
	if d < 0 || f.body.Instrs[d].Op != ir.OpBinary || ir.BinaryKind(f.body.Instrs[d].Sub) != ir.BinEq || k != 0 {
		return ir.NoValue
	}
	args := f.body.Args(&f.body.Instrs[d])
	x := f.a.prog.Definition(f.fn, args[0])
	if x < 0 || f.body.Instrs[x].Op != ir.OpExtract || f.body.Instrs[x].Aux != 0 || args[1].Const() == ir.None {
		return ir.NoValue
	}
	s := f.a.prog.Definition(f.fn, f.body.Args(&f.body.Instrs[x])[0])
	if s < 0 || f.body.Instrs[s].Op != ir.OpSelect {
		return ir.NoValue
	}
	consts := f.a.prog.Unit(f.fn).Consts
	cases := f.body.Args(&f.body.Instrs[s])
	n := 3 * number(consts[args[1].Const()].Text)
	if n < 0 || n+1 >= len(cases) || cases[n].Const() == ir.None || consts[cases[n].Const()].Text == "1" {
		return ir.NoValue
	}
	return cases[n+1]
}

// number reads a small number that is not negative; a negative one means that
// there is none.
func number(text string) int {
	if len(text) != 1 || text[0] < '0' || text[0] > '9' {
		return -1
	}
	return int(text[0] - '0')
}
