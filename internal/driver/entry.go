package driver

import (
	"strconv"

	"github.com/deadheat/deadheat/internal/ir"
)

// entryPath is the path of the unit that stands for the runtime. No package
// can have it.
const entryPath = "«entry»"

// entrySymbol is the function that is the root of a program: it runs the
// initialisers of all units in order, and then what the program is about.
const entrySymbol = entryPath + ".entry"

// starterName is the last part of the symbol of the functions that stand
// between the entry and the functions it calls.
const starterName = ".«start»"

// linkable returns the units of a program with its entry, ready to be linked.
//
// Arguments of entry functions, such as a test's *testing.T, are made where
// their types are known: in a function added to the unit that defines the entry
// functions. The entry unit calls one such function for each run of calls into
// the same unit.
func (p *program) linkable() []*ir.Unit {
	units := append([]*ir.Unit(nil), p.units...)
	b := ir.NewBuilder(entryPath, ir.LangIR)
	sig := b.FuncType(nil, nil, false)
	id := b.AddFunc(ir.Func{Symbol: entrySymbol, Name: "entry", Sig: sig, Parent: ir.None, Flags: ir.FuncSynthetic})
	var body ir.BodyBuilder
	body.SetBlock(body.NewBlock())
	call := func(sym string) {
		body.Emit(ir.Pos{}, ir.Instr{Op: ir.OpCall, Dst: ir.None, Type: b.Tuple(), Aux: int32(b.FuncRef(sym))})
	}
	for _, u := range p.units {
		if !p.lazy {
			b.AddImport(u.Path)
		}
		if u.Init != ir.None && !p.lazy {
			call(u.Funcs[u.Init].Symbol)
		}
	}
	if len(p.of) == 0 {
		p.start(b, &body, units, 0, len(p.calls))
	} else {
		p.startOne(b, &body, units)
	}
	body.Return(ir.Pos{})
	b.SetBody(id, body.Finish())
	return append(units, b.Unit())
}

// start calls the entry functions from one index up to another, by way of starters
// that are added to their units.
func (p *program) start(b *ir.Builder, body *ir.BodyBuilder, units []*ir.Unit, from, to int) {
	var callers []string
	for _, s := range p.starters(from, to) {
		units[s.unit] = addStarter(units[s.unit], s.symbol, s.calls, p.lazy)
		body.Emit(ir.Pos{}, ir.Instr{Op: ir.OpCall, Dst: ir.None, Type: b.Tuple(), Aux: int32(b.FuncRef(s.symbol))})
		if s.calls[len(s.calls)-1].any {
			callers = append(callers, s.symbol+callersName)
		}
	}
	if len(callers) > 0 {
		in := ir.Instr{Op: ir.OpCall, Sub: uint8(ir.Spawned), Dst: ir.None, Flags: ir.FlagMany, Type: b.Tuple(), Aux: int32(b.FuncRef(addCallers(b, p.name, callers)))}
		body.Emit(ir.Pos{}, in)
	}
}

// starter is a function that stands between the entry and a run of calls into one
// unit.
type starter struct {
	symbol string
	unit   int
	calls  []entryCall
}

// starters returns those for the entry functions from one index up to another.
func (p *program) starters(from, to int) []starter {
	var list []starter
	for i := from; i < to; {
		j := i
		for j < to && p.calls[j].unit == p.calls[i].unit {
			j++
		}
		k := p.calls[i].unit
		list = append(list, starter{p.units[k].Path + starterName + strconv.Itoa(i), k, p.calls[i:j]})
		i = j
	}
	return list
}

// startOne calls the entry functions of one of the programs that are taken as one:
// each has a branch of its own.
func (p *program) startOne(b *ir.Builder, body *ir.BodyBuilder, units []*ir.Unit) {
	undef := ir.ConstValue(b.Const(b.Basic("bool"), "undef"))
	end := body.NewBlock()
	first := 0
	for i, q := range p.of {
		next := ir.BlockID(ir.None)
		if i < len(p.of)-1 {
			then := body.NewBlock()
			next = body.NewBlock()
			body.If(ir.Pos{}, undef, then, next)
			body.SetBlock(then)
		}
		p.start(b, body, units, first, first+len(q.calls))
		first += len(q.calls)
		body.Jump(ir.Pos{}, end)
		body.SetBlock(next)
	}
	body.SetBlock(end)
}

// addStarter returns a copy of a unit with one more function, which calls
// entry functions in order.
func addStarter(u *ir.Unit, symbol string, calls []entryCall, lazy bool) *ir.Unit {
	b := ir.EditUnit(u)
	id := b.AddFunc(ir.Func{Symbol: symbol, Name: "start", Sig: b.FuncType(nil, nil, false), Parent: ir.None, Flags: ir.FuncSynthetic})
	var body ir.BodyBuilder
	body.SetBlock(body.NewBlock())
	if lazy {
		body.Emit(ir.Pos{}, ir.Instr{Op: ir.OpTrigger, Type: b.Named(u.Path)})
	}
	shared := ir.NoValue // the object of an open class
	for k, c := range calls {
		if c.any {
			addAnyCalls(b, &body, symbol+callersName, shared, calls[k:])
			break
		}
		f := &u.Funcs[c.fn]
		var args []ir.Value
		for k, param := range u.Types[f.Sig].Elems {
			if k == 0 && c.open && f.Flags&ir.FuncMethod != 0 {
				if shared == ir.NoValue {
					shared = argument(b, &body, param)
				}
				args = append(args, shared)
				continue
			}
			args = append(args, argument(b, &body, param))
		}
		var pos ir.Pos // none: traces begin with the function called
		in := ir.Instr{Op: ir.OpCall, Dst: ir.None, Type: resultType(b, u.Types[f.Sig].Results), Aux: int32(b.FuncRef(f.Symbol))}
		if c.spawn {
			pos = f.Pos // where its origin begins
			in.Sub = uint8(ir.Spawned)
			in.Flags = ir.Flags(0).WithOrigin(ir.OriginTest)
			if c.open {
				in.Flags = ir.FlagMany.WithOrigin(c.kind)
			}
			if c.alone {
				in.Flags = ir.Flags(0).WithOrigin(c.kind)
			}
			if c.serial != "" {
				in.Aux = int32(b.FuncRef(addSerial(b, f, c.serial)))
			}
		}
		if c.awaited {
			emitAwaited(b, &body, f.Pos, in, args)
		} else {
			body.Emit(pos, in, args...)
		}
		if f.Flags&ir.FuncTest != 0 && !c.spawn && len(args) == 1 && args[0].Reg() != ir.None {
			// Parallel subtests begin when the body is over, and the test is over
			// when they are: see the model of (*testing.T).Run.
			body.Emit(ir.Pos{}, ir.Instr{Op: ir.OpPost, Dst: ir.None}, args[0])
			body.Emit(ir.Pos{}, ir.Instr{Op: ir.OpJoin, Dst: ir.None}, args[0])
		}
	}
	body.Return(ir.Pos{})
	b.SetBody(id, body.Finish())
	return b.Unit()
}

// emitAwaited makes a call in an origin of its own and waits for it, as tests are
// run: what a test makes is told apart from what others make in the same place.
func emitAwaited(b *ir.Builder, body *ir.BodyBuilder, pos ir.Pos, call ir.Instr, args []ir.Value) {
	handle := b.Basic("int")
	alloc := ir.Instr{Op: ir.OpAlloc, Sub: uint8(ir.AllocHeap), Type: handle, Aux: ir.None}
	group := ir.RegValue(body.Def(b.Pointer(handle), "", ir.Pos{}, alloc))
	call.Sub = uint8(ir.Spawned)
	call.Flags = ir.FlagGroup.WithOrigin(ir.OriginTest)
	body.Emit(pos, call, append([]ir.Value{group}, args...)...)
	body.Emit(ir.Pos{}, ir.Instr{Op: ir.OpJoin, Dst: ir.None}, group)
}

// callersName ends the names of functions that make some call of many, again and
// again.
const callersName = "«callers»"

// addCallers adds the function of callers that do anything: the calls of all
// classes, in any order. One origin does for all of them: what differs is who is
// called.
func addCallers(b *ir.Builder, program string, list []string) string {
	symbol := entryPath + ".callers"
	id := b.AddFunc(ir.Func{Symbol: symbol, Name: "callers (" + program + ")", Sig: b.FuncType(nil, nil, false), Parent: ir.None, Flags: ir.FuncSynthetic})
	var body ir.BodyBuilder
	anyOf(b, &body, len(list), func(i int) {
		body.Emit(ir.Pos{}, ir.Instr{Op: ir.OpCall, Dst: ir.None, Type: b.Tuple(), Aux: int32(b.FuncRef(list[i]))})
	})
	b.SetBody(id, body.Finish())
	return symbol
}

// anyOf writes a body that does some of n things, any number of times.
func anyOf(b *ir.Builder, body *ir.BodyBuilder, n int, do func(i int)) {
	undef := ir.ConstValue(b.Const(b.Basic("bool"), "undef"))
	head := body.NewBlock()
	body.SetBlock(head)
	for i := range n {
		then, next := body.NewBlock(), body.NewBlock()
		body.If(ir.Pos{}, undef, then, next)
		body.SetBlock(then)
		do(i)
		body.Jump(ir.Pos{}, head)
		body.SetBlock(next)
	}
	body.Return(ir.Pos{})
}

// addAnyCalls keeps the object that a starter made in a variable of its own, and
// adds the function that calls methods of it.
func addAnyCalls(b *ir.Builder, starter *ir.BodyBuilder, symbol string, shared ir.Value, calls []entryCall) {
	u := b.Unit()
	object := ir.NoValue
	var typ ir.TypeID
	for _, c := range calls {
		if f := &u.Funcs[c.fn]; f.Flags&ir.FuncMethod != 0 {
			typ = u.Types[f.Sig].Elems[0]
		}
	}
	if typ != 0 {
		if shared == ir.NoValue {
			shared = argument(b, starter, typ)
		}
		b.AddGlobal(ir.Global{Symbol: symbol + ".object", Type: typ})
		object = ir.GlobalValue(b.GlobalRef(symbol + ".object"))
		starter.Emit(ir.Pos{}, ir.Instr{Op: ir.OpStore, Dst: ir.None, Type: typ}, object, shared)
	}
	id := b.AddFunc(ir.Func{Symbol: symbol, Name: "callers", Sig: b.FuncType(nil, nil, false), Parent: ir.None, Flags: ir.FuncSynthetic})
	var body ir.BodyBuilder
	anyOf(b, &body, len(calls), func(i int) {
		f := u.Funcs[calls[i].fn]
		var args []ir.Value
		for k, param := range b.TypeAt(f.Sig).Elems {
			if k == 0 && f.Flags&ir.FuncMethod != 0 {
				args = append(args, ir.RegValue(body.Def(typ, "", ir.Pos{}, ir.Instr{Op: ir.OpLoad, Type: typ}, object)))
			} else {
				args = append(args, argument(b, &body, param))
			}
		}
		body.Emit(ir.Pos{}, ir.Instr{Op: ir.OpCall, Dst: ir.None, Type: resultType(b, b.TypeAt(f.Sig).Results), Aux: int32(b.FuncRef(f.Symbol))}, args...)
	})
	b.SetBody(id, body.Finish())
}

// addSerial adds a function that calls another one while it holds the lock that
// stands for a thread: calls of that thread exclude each other.
func addSerial(b *ir.Builder, f *ir.Func, thread string) string {
	symbol := f.Symbol + "$serial"
	sig := *b.TypeAt(f.Sig)
	id := b.AddFunc(ir.Func{Symbol: symbol, Name: f.Name, Sig: f.Sig, Parent: ir.None, Flags: ir.FuncSynthetic})
	var body ir.BodyBuilder
	var args []ir.Value
	for _, t := range sig.Elems {
		args = append(args, ir.RegValue(body.Param(t, "")))
	}
	body.SetBlock(body.NewBlock())
	lock := ir.GlobalValue(b.GlobalRef(thread))
	body.Emit(ir.Pos{}, ir.Instr{Op: ir.OpLock, Dst: ir.None, Sub: uint8(ir.Exclusive), Flags: ir.FlagReentrant}, lock)
	in := ir.Instr{Op: ir.OpCall, Dst: ir.None, Type: resultType(b, sig.Results), Aux: int32(b.FuncRef(f.Symbol))}
	var results []ir.Value
	if len(sig.Results) == 1 {
		results = append(results, ir.RegValue(body.Def(sig.Results[0], "", ir.Pos{}, in, args...)))
	} else {
		body.Emit(ir.Pos{}, in, args...)
	}
	body.Emit(ir.Pos{}, ir.Instr{Op: ir.OpUnlock, Dst: ir.None, Sub: uint8(ir.Exclusive), Flags: ir.FlagReentrant}, lock)
	body.Return(ir.Pos{}, results...)
	b.SetBody(id, body.Finish())
	return symbol
}

// argument makes a value for a parameter: for a pointer a new cell, else any.
func argument(b *ir.Builder, body *ir.BodyBuilder, param ir.TypeID) ir.Value {
	t := b.TypeAt(param)
	if t.Kind == ir.KindPointer && t.Elem != 0 {
		alloc := ir.Instr{Op: ir.OpAlloc, Sub: uint8(ir.AllocHeap), Type: t.Elem, Aux: ir.None}
		return ir.RegValue(body.Def(param, "", ir.Pos{}, alloc))
	}
	return ir.ConstValue(b.Const(param, "undef"))
}

func resultType(b *ir.Builder, results []ir.TypeID) ir.TypeID {
	if len(results) == 1 {
		return results[0]
	}
	return b.Tuple(results...)
}
