package jvm

import (
	"fmt"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

// word is a word of a local or of the operand stack while code is lowered. The
// second word of a long or double has no value.
type word struct {
	v    ir.Value
	desc string
}

// phi is a phi whose operands are not all known yet: word of block.
type phi struct {
	ref   ir.InstrRef
	block int32
	word  int // locals first, then the stack
}

// method lowers the code of one method.
type method struct {
	*lowerer
	m      *classfile.Method
	desc   classfile.MethodDesc
	symbol string
	code   *classfile.Code
	g      *graph
	ids    []ir.BlockID // by block of the graph
	entry  [][]word     // by block: words at its start
	exit   [][]word     // by block: words at its end
	phis   []phi
	lock   ir.Value // of a synchronized method, else NoValue

	locals  []word
	stack   []word
	pc      int32
	pos     ir.Pos
	block   int32
	needed  map[string]bool // classes that the current block has initialised
	initial map[string]bool // classes that the first block has initialised
	err     error           // the first instruction that does not fit its operands
}

// lowerCode gives a function the code of a method.
func (l *lowerer) lowerCode(id ir.FuncID, m *classfile.Method, desc classfile.MethodDesc, symbol string) error {
	code, err := l.dec.Decode(l.c, m)
	if err != nil {
		return err
	}
	x := &method{lowerer: l, m: m, desc: desc, symbol: symbol, code: code, lock: ir.NoValue, initial: make(map[string]bool)}
	if x.g, err = newGraph(code); err != nil {
		return err
	}
	start, err := x.startFrame()
	if err != nil {
		return err
	}
	if err := x.g.infer(start); err != nil {
		return err
	}
	l.body.Reset()
	x.begin()
	for _, k := range x.g.order {
		x.lowerBlock(k)
	}
	x.finishPhis()
	if x.err != nil {
		return x.err
	}
	f := l.b.FuncAt(id)
	f.Pos = x.firstPos()
	l.b.SetBody(id, prunePhis(l.body.Finish()))
	return nil
}

// startFrame has the types of receiver and parameters.
func (x *method) startFrame() (frame, error) {
	f := frame{locals: make([]string, x.code.MaxLocals)}
	n := 0
	put := func(desc string) bool {
		if n+classfile.Words(desc) > len(f.locals) {
			return false
		}
		f.locals[n] = desc
		n += classfile.Words(desc)
		return true
	}
	ok := x.static() || put(classfile.DescOf(x.c.Name))
	for _, p := range x.desc.Params {
		ok = ok && put(p)
	}
	if !ok {
		return f, fmt.Errorf("%d locals cannot hold the parameters", x.code.MaxLocals)
	}
	return f, nil
}

func (x *method) static() bool { return x.m.Access.Has(classfile.AccStatic) }

// begin adds the parameters and the blocks. A block of its own comes first if
// the first block of the code has predecessors, or a handler that must see the
// lock of a synchronized method held.
func (x *method) begin() {
	x.locals = make([]word, x.code.MaxLocals)
	x.stack = x.stack[:0]
	n := 0
	param := func(desc, name string) {
		if v := x.code.LocalAt(0, n); v != nil {
			name = v.Name
		}
		x.locals[n] = word{ir.RegValue(x.body.Param(x.types.of(desc), name)), desc}
		n += classfile.Words(desc)
	}
	if !x.static() {
		param(classfile.DescOf(x.c.Name), "this")
	}
	for _, p := range x.desc.Params {
		param(p, "")
	}
	synchronized := x.m.Access.Has(classfile.AccSynchronized)
	first := &x.g.blocks[0]
	apart := len(first.preds)+len(first.throwers) > 0 || synchronized && len(first.handlers) > 0
	base := ir.BlockID(0)
	if apart {
		x.body.NewBlock()
		base = 1
	}
	x.ids = x.g.numbers(base)
	for _, id := range x.ids {
		if id != ir.None {
			x.body.NewBlock()
		}
	}
	x.entry = make([][]word, len(x.g.blocks))
	x.exit = make([][]word, len(x.g.blocks))
	x.body.SetBlock(0)
	x.at(0)
	if synchronized {
		x.lock = x.locals0()
		x.body.Emit(x.pos, ir.Instr{Op: ir.OpLock, Sub: uint8(ir.Exclusive), Flags: ir.FlagReentrant}, x.lock)
	}
	if apart {
		x.body.Jump(x.pos, base)
	}
}

// locals0 is what a synchronized method locks: the receiver, or the object of
// the class.
func (x *method) locals0() ir.Value {
	if x.static() {
		return ir.GlobalValue(x.b.GlobalRef(classObject(x.name)))
	}
	return x.locals[0].v
}

// at makes the position of an instruction that of what follows.
func (x *method) at(i int) {
	x.pc = x.code.Insns[i].PC
	x.pos = x.posAt(x.code, x.symbol, x.pc)
}

func (x *method) firstPos() ir.Pos { return x.posAt(x.code, x.symbol, 0) }

// lowerBlock lowers a block whose dominators have been lowered.
func (x *method) lowerBlock(k int32) {
	b := &x.g.blocks[k]
	x.block = k
	x.needed = make(map[string]bool)
	x.body.SetBlock(x.ids[k])
	if b.start < len(x.code.Insns) {
		x.at(b.start)
	}
	x.enter(k, b)
	for i := b.start; i < b.end; i++ {
		x.at(i)
		x.insn(&x.code.Insns[i])
	}
	if !x.body.Terminated() {
		x.body.Jump(x.pos, x.ids[b.succs[0]])
	}
	if k == 0 && len(b.handlers) == 0 { // else a handler may come before them
		x.initial = x.needed
	}
	x.exit[k] = append(append([]word(nil), x.locals...), x.stack...)
	if len(b.handlers) > 0 {
		ids := make([]ir.BlockID, len(b.handlers))
		for i, h := range b.handlers {
			ids[i] = x.ids[h]
		}
		x.body.SetHandlers(x.ids[k], ids...)
	}
}

// enter sets the words at the start of a block: those at the end of the only
// predecessor, or phis for what is live.
func (x *method) enter(k int32, b *block) {
	caught := b.catch != ""
	words := len(b.entry.locals) + len(b.entry.stack)
	if caught {
		words-- // its stack holds what is caught
	}
	var from []word
	switch {
	case k == 0 && len(b.preds) == 0:
		from = x.locals
	case k == 0:
	case len(b.preds)+len(b.throwers) == 1 && len(b.preds) == 1:
		from = x.exit[b.preds[0]]
	case len(b.preds)+len(b.throwers) == 1:
		from = x.entry[b.throwers[0]]
	}
	state := make([]word, words)
	for i := range state {
		desc := ""
		if i < len(b.entry.locals) {
			if !b.live[i] {
				continue
			}
			desc = b.entry.locals[i]
		} else {
			desc = b.entry.stack[i-len(b.entry.locals)]
		}
		switch {
		case desc == "":
		case from != nil && i < len(from):
			state[i] = word{from[i].v, desc}
		default:
			state[i] = x.newPhi(k, i, desc)
		}
	}
	x.entry[k] = state
	x.locals = append(x.locals[:0:0], state[:len(b.entry.locals)]...)
	x.stack = append(x.stack[:0:0], state[len(b.entry.locals):]...)
	if caught {
		t := x.types.of(b.catch)
		r := x.body.Def(t, "", x.pos, ir.Instr{Op: ir.OpCatch, Type: t})
		x.push(b.catch, ir.RegValue(r))
	}
}

// newPhi makes a phi for a word; its operands are known when all predecessors
// are lowered.
func (x *method) newPhi(k int32, i int, desc string) word {
	t := x.types.of(desc)
	name := ""
	if i < x.code.MaxLocals {
		if v := x.code.LocalAt(int(x.pc), i); v != nil {
			name = v.Name
		}
	}
	r := x.body.NewReg(t, name)
	ref := x.body.DefReg(r, ir.Pos{}, ir.Instr{Op: ir.OpPhi, Type: t})
	x.phis = append(x.phis, phi{ref, k, i})
	return word{ir.RegValue(r), desc}
}

// finishPhis gives the phis their operands: what predecessors end with, and
// what blocks that may throw begin with.
func (x *method) finishPhis() {
	var args []ir.Value
	for _, p := range x.phis {
		b := &x.g.blocks[p.block]
		args = args[:0]
		if p.block == 0 {
			// From the block before, which has the parameters as they are.
			args = append(args, x.start(p.word))
		}
		for _, pred := range b.preds {
			args = append(args, x.wordOf(x.exit[pred], p.word, b))
		}
		for _, pred := range b.throwers {
			args = append(args, x.wordOf(x.entry[pred], p.word, b))
		}
		x.body.SetArgs(p.ref, args...)
	}
}

// start is the value of a local when the method is called.
func (x *method) start(i int) ir.Value {
	n, reg := 0, ir.Reg(0)
	if !x.static() {
		if i == 0 {
			return ir.RegValue(0)
		}
		n, reg = 1, 1
	}
	for _, p := range x.desc.Params {
		if n == i {
			return ir.RegValue(reg)
		}
		n += classfile.Words(p)
		reg++
	}
	return x.undef(x.g.blocks[0].entry.locals[i])
}

func (x *method) wordOf(state []word, i int, b *block) ir.Value {
	desc := ""
	if i < len(b.entry.locals) {
		desc = b.entry.locals[i]
	} else {
		desc = b.entry.stack[i-len(b.entry.locals)]
	}
	if i < len(state) && state[i].desc != "" {
		return state[i].v
	}
	return x.undef(desc)
}

func (x *method) push(desc string, v ir.Value) {
	x.stack = append(x.stack, word{v, desc})
	if classfile.Words(desc) == 2 {
		x.stack = append(x.stack, word{ir.NoValue, ""})
	}
}

// pop takes a value of n words off the stack; the types were inferred before,
// so it is there.
func (x *method) pop(n int) word {
	w := x.stack[len(x.stack)-n]
	x.stack = x.stack[:len(x.stack)-n]
	return x.value(w)
}

// popRef takes a reference off the stack.
func (x *method) popRef() word {
	w := x.pop(1)
	if !isRef(w.desc) {
		return word{x.bad("%s where a reference is needed", w.desc), objectDesc}
	}
	return w
}

// value demands that a word holds a value: code that no verifier has seen may
// use half a long, or a local without a value.
func (x *method) value(w word) word {
	if w.desc == "" {
		return word{x.bad("a word without a value is used"), "I"}
	}
	return w
}

// bad notes that the code is not well-formed, which costs the method, and
// returns a value to go on with.
func (x *method) bad(format string, args ...any) ir.Value {
	if x.err == nil {
		x.err = fmt.Errorf("at %d: "+format, append([]any{x.pc}, args...)...)
	}
	return x.undef(objectDesc)
}

// popAll takes values of the given types off the stack and returns them in
// order.
func (x *method) popAll(descs []string) []word {
	n := 0
	for _, d := range descs {
		n += classfile.Words(d)
	}
	out := make([]word, 0, len(descs))
	first := len(x.stack) - n
	at := first
	for _, d := range descs {
		out = append(out, x.value(x.stack[at]))
		at += classfile.Words(d)
	}
	x.stack = x.stack[:first]
	return out
}

// def emits an instruction with a result of the given type.
func (x *method) def(desc string, in ir.Instr, args ...ir.Value) ir.Value {
	in.Type = x.types.of(desc)
	return ir.RegValue(x.body.Def(in.Type, "", x.pos, in, args...))
}

func (x *method) emit(in ir.Instr, args ...ir.Value) { x.body.Emit(x.pos, in, args...) }
