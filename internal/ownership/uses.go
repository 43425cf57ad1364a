package ownership

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// function holds what one function does with the addresses it gets or makes.
type function struct {
	body  *ir.Body
	paths *path.Table
	// published lists, by root, the instructions that may let an address inside
	// the root's object out.
	published map[path.ID][]int32
	// inside lists, by root, the roots of other objects made here that hold an
	// address of it: who does not know them does not know it either.
	inside map[path.ID][]holding
	// vars gives, by root, the value of variables that get one once: variables
	// whose address only closures have that do not change them.
	vars map[path.ID]ir.Value
	// returned lists the roots of each result, for each return.
	returned [][]path.ID
}

// holding is an instruction that puts an address into another object.
type holding struct {
	into  path.ID
	at    path.ID // the part of it
	instr int32
}

// analysis computes functions on demand.
type analysis struct {
	prog  *link.Program
	pts   *pointer.Result
	insts map[link.FuncID][]pointer.InstID // instances by function; made when first needed
	paths func(link.FuncID) *path.Table
	funcs map[link.FuncID]*function
	busy  map[link.FuncID]bool
}

// function returns the uses of a function; nil if it has no code or is being
// computed, which callers take as the worst case.
func (a *analysis) function(fn link.FuncID) *function {
	if f, ok := a.funcs[fn]; ok {
		return f
	}
	body := a.prog.Body(fn)
	if body == nil || a.busy[fn] {
		return nil
	}
	a.busy[fn] = true
	f := &function{body: body, paths: a.paths(fn), published: make(map[path.ID][]int32), inside: make(map[path.ID][]holding), vars: make(map[path.ID]ir.Value)}
	f.findVars(a.prog, fn)
	for i := range body.Instrs {
		a.uses(f, fn, int32(i))
	}
	f.takeOut()
	f.publishInside()
	delete(a.busy, fn)
	a.funcs[fn] = f
	return f
}

// root returns the root of an address that lies inside the root's object:
// path.None if it is none, or goes through memory.
func (f *function) root(v ir.Value) path.ID {
	p := f.paths.Value(v)
	for p != path.None {
		step := f.paths.Get(p)
		if step.Kind == path.Deref {
			v, ok := f.vars[step.Parent]
			if !ok {
				return path.None
			}
			return f.root(v)
		}
		if step.Parent == path.None {
			return p
		}
		p = step.Parent
	}
	return path.None
}

// findVars finds the variables that get a value once.
func (f *function) findVars(prog *link.Program, fn link.FuncID) {
	stored := make(map[ir.Reg]ir.Value)
	spoilt := make(map[ir.Reg]bool)
	for i := range f.body.Instrs {
		in := &f.body.Instrs[i]
		for k, v := range f.body.Args(in) {
			r := v.Reg()
			if r == ir.None {
				continue
			}
			switch {
			case in.Op == ir.OpLoad:
			case in.Op == ir.OpStore && k == 0:
				_, again := stored[r]
				spoilt[r] = spoilt[r] || again
				stored[r] = f.body.Args(in)[1]
			case in.Op == ir.OpClosure:
				spoilt[r] = spoilt[r] || !readsOnly(prog.Body(prog.Callee(fn, ir.FuncRefID(in.Aux))), int32(k))
			default:
				spoilt[r] = true
			}
		}
	}
	for r, v := range stored {
		d := prog.Definition(fn, ir.RegValue(r))
		if d < 0 || f.body.Instrs[d].Op != ir.OpAlloc || spoilt[r] || v.Reg() == ir.None || runs.Reaches(f.body, d, d, ir.None) {
			continue
		}
		if p := f.paths.Value(ir.RegValue(r)); p != path.None && f.paths.Get(p).Parent == path.None && v.Reg() != r {
			f.vars[p] = v
		}
	}
}

// readsOnly tells whether a closure only loads from what it captured as value k.
func readsOnly(body *ir.Body, k int32) bool {
	if body == nil {
		return false
	}
	captured := ir.RegValue(ir.Reg(body.Params + k))
	for i := range body.Instrs {
		in := &body.Instrs[i]
		for _, v := range body.Args(in) {
			if v == captured && in.Op != ir.OpLoad {
				return false
			}
		}
	}
	return true
}

// uses notes which operands of an instruction may become known to others.
func (a *analysis) uses(f *function, fn link.FuncID, i int32) {
	in := &f.body.Instrs[i]
	args := f.body.Args(in)
	publish := func(vs ...ir.Value) {
		for _, v := range f.withValues(vs) {
			if r := f.root(v); r != path.None {
				f.published[r] = append(f.published[r], i)
			}
		}
	}
	switch in.Op {
	case ir.OpLoad, ir.OpField, ir.OpIndex, ir.OpOffset, ir.OpCopy, ir.OpCast, ir.OpLen, ir.OpCap, ir.OpBinary,
		ir.OpUnary, ir.OpConvert, ir.OpElement, ir.OpIf, ir.OpSwitch, ir.OpAccess, ir.OpCopyRange, ir.OpSetRange, ir.OpMapGet,
		ir.OpMapDelete, ir.OpMapClear, ir.OpRange, ir.OpNext, ir.OpRecv, ir.OpClose, ir.OpLock, ir.OpUnlock,
		ir.OpGroup, ir.OpJoin, ir.OpPost, ir.OpAwait, ir.OpCondWait, ir.OpNotify, ir.OpMakeChan, ir.OpMakeSlice, ir.OpMakeMap, ir.OpAlloc:
		// The address is used, not passed on.
	case ir.OpStore, ir.OpMapSet:
		f.hold(holding{f.root(args[0]), f.paths.Value(args[0]), i}, args[1:], publish)
	case ir.OpAtomic, ir.OpSend:
		publish(args[1:]...)
	case ir.OpClosure:
		f.hold(holding{f.root(ir.RegValue(in.Dst)), f.paths.Value(ir.RegValue(in.Dst)), i}, args, publish)
	case ir.OpReturn:
		roots := make([]path.ID, len(args))
		for k, v := range args {
			roots[k] = f.root(v)
		}
		f.returned = append(f.returned, roots)
	case ir.OpPhi:
		for _, v := range args {
			if r := f.root(v); r != path.None && r != f.root(ir.RegValue(in.Dst)) {
				publish(v)
			}
		}
	case ir.OpCall:
		a.callUses(f, fn, i, in, args, publish)
	case ir.OpInvoke:
		a.invokeUses(f, fn, i, in, args, publish)
	default:
		publish(args...)
	}
}

// hold notes that values get into an object: into one that the function made
// itself, they are let out when it is; into any other, at once.
func (f *function) hold(h holding, values []ir.Value, publish func(...ir.Value)) {
	if _, ok := f.vars[h.into]; ok && h.at == h.into {
		return // the variable stands for the value
	}
	if h.into == path.None || !f.madeHere(h.into) {
		publish(values...)
		return
	}
	for _, v := range f.withValues(values) {
		if r := f.root(v); r != path.None && r != h.into {
			f.inside[r] = append(f.inside[r], h)
		}
	}
}

// withValues adds, to the addresses of variables that get one value, that value.
func (f *function) withValues(vs []ir.Value) []ir.Value {
	for _, v := range vs {
		if p := f.paths.Value(v); p != path.None {
			if held, ok := f.vars[p]; ok {
				vs = append(vs[:len(vs):len(vs)], held)
			}
		}
	}
	return vs
}

// madeHere tells whether a root is an object or a closure that the function
// makes.
func (f *function) madeHere(root path.ID) bool {
	p := f.paths.Get(root)
	if p.Kind != path.Value {
		return false
	}
	switch f.body.Instrs[p.N].Op {
	case ir.OpAlloc, ir.OpMakeSlice, ir.OpMakeMap, ir.OpClosure:
		return true
	}
	return false
}

// takeOut lets out what is read again from where it was put: where it goes from
// there is not followed.
func (f *function) takeOut() {
	for i := range f.body.Instrs {
		in := &f.body.Instrs[i]
		switch in.Op {
		case ir.OpLoad, ir.OpMapGet, ir.OpRange, ir.OpNext, ir.OpCopyRange, ir.OpAtomic:
		default:
			continue
		}
		for _, v := range f.body.Args(in) {
			from := f.root(v)
			if _, ok := f.vars[f.paths.Value(v)]; ok || from == path.None {
				continue
			}
			for r, holders := range f.inside {
				for _, h := range holders {
					if h.into == from && f.overlap(h.at, f.paths.Value(v)) && !slices.Contains(f.published[r], int32(i)) {
						f.published[r] = append(f.published[r], int32(i))
					}
				}
			}
		}
	}
}

// overlap tells whether one of two paths is a part of the other. Elements are not
// told apart.
func (f *function) overlap(a, b path.ID) bool {
	x, y := f.paths.Steps(a), f.paths.Steps(b)
	for k := 0; k < len(x) && k < len(y); k++ {
		if x[k].Kind == path.Field && y[k].Kind == path.Field && x[k].N != y[k].N {
			return false
		}
		if (x[k].Kind == path.Field) != (y[k].Kind == path.Field) {
			return true
		}
	}
	return true
}

// publishInside lets out what is held by objects that are let out: together with
// them or, if they are out already, when it gets there.
func (f *function) publishInside() {
	for changed := true; changed; {
		changed = false
		add := func(r path.ID, pub int32) {
			if !slices.Contains(f.published[r], pub) {
				f.published[r] = append(f.published[r], pub)
				changed = true
			}
		}
		for r, holders := range f.inside {
			for _, h := range holders {
				for _, pub := range slices.Clone(f.published[h.into]) {
					add(r, pub)
					if runs.Reaches(f.body, pub, h.instr, ir.None) {
						add(r, h.instr)
					}
				}
			}
		}
	}
	for _, list := range f.published {
		slices.Sort(list)
	}
}

// callUses publishes the operands that the callee may let out.
func (a *analysis) callUses(f *function, fn link.FuncID, i int32, in *ir.Instr, args []ir.Value, publish func(...ir.Value)) {
	if ir.How(in.Sub) == ir.Spawned {
		publish(args...)
		return
	}
	a.passes(a.prog.Callee(fn, ir.FuncRefID(in.Aux)), args, publish)
}

// invokeUses publishes the operands that one of the functions that a call by
// dispatch runs may let out.
func (a *analysis) invokeUses(f *function, fn link.FuncID, i int32, in *ir.Instr, args []ir.Value, publish func(...ir.Value)) {
	if ir.How(in.Sub) != ir.Now {
		publish(args...)
		return
	}
	for _, callee := range a.dispatched(fn, i) {
		a.passes(callee, args, publish)
	}
}

// dispatched returns the functions that a call by dispatch runs.
func (a *analysis) dispatched(fn link.FuncID, instr int32) []link.FuncID {
	var list []link.FuncID
	for _, inst := range a.instances(fn) {
		for _, e := range a.pts.Instances[inst].Calls {
			if callee := a.pts.Instances[e.Target].Func; e.Instr == instr && !slices.Contains(list, callee) {
				list = append(list, callee)
			}
		}
	}
	return list
}

// passes publishes those of the operands of a call that the callee may let out.
func (a *analysis) passes(fn link.FuncID, args []ir.Value, publish func(...ir.Value)) {
	callee := a.function(fn)
	for k, v := range args {
		if callee == nil || k >= int(callee.body.Params) || callee.letsOut(ir.Reg(k)) {
			publish(v)
		}
	}
}

// instances returns the instances of a function.
func (a *analysis) instances(fn link.FuncID) []pointer.InstID {
	if a.insts == nil {
		a.insts = make(map[link.FuncID][]pointer.InstID)
		for i := range a.pts.Instances {
			f := a.pts.Instances[i].Func
			a.insts[f] = append(a.insts[f], pointer.InstID(i))
		}
	}
	return a.insts[fn]
}

// letsOut tells whether a function may let a parameter out, by publication or
// as a result.
func (f *function) letsOut(param ir.Reg) bool {
	r := f.root(ir.RegValue(param))
	if len(f.published[r]) > 0 {
		return true
	}
	for _, roots := range f.returned {
		for _, x := range roots {
			if x == r || x != path.None && f.isInside(r, x, len(f.inside)) {
				return true
			}
		}
	}
	return false
}

// isInside tells whether an object is held by another, directly or not.
func (f *function) isInside(r, holder path.ID, depth int) bool {
	for _, h := range f.inside[r] {
		if h.into == holder || depth > 0 && h.into != r && f.isInside(h.into, holder, depth-1) {
			return true
		}
	}
	return false
}

// returnsFresh tells whether result k of a function is always memory that it
// allocated and did not let out.
func (a *analysis) returnsFresh(fn link.FuncID, k int, depth int) bool {
	f := a.function(fn)
	if f == nil || depth == 0 || len(f.returned) == 0 {
		return false
	}
	for _, roots := range f.returned {
		if k >= len(roots) || roots[k] == path.None {
			return false
		}
		if len(f.published[roots[k]]) > 0 || !a.makes(f, fn, roots[k], depth) {
			return false
		}
	}
	return true
}

// allReturnFresh is returnsFresh for all functions that a call by dispatch runs.
func (a *analysis) allReturnFresh(fn link.FuncID, instr int32, depth int) bool {
	found := false
	for _, callee := range a.dispatched(fn, instr) {
		if !a.returnsFresh(callee, 0, depth) {
			return false
		}
		found = true
	}
	return found
}

// makes tells whether a root is an object that the function itself made, or
// was given fresh by a callee.
func (a *analysis) makes(f *function, fn link.FuncID, root path.ID, depth int) bool {
	p := f.paths.Get(root)
	if p.Kind != path.Value {
		return false
	}
	in := &f.body.Instrs[p.N]
	switch in.Op {
	case ir.OpAlloc, ir.OpMakeSlice, ir.OpMakeMap, ir.OpMakeChan:
		return true
	case ir.OpCall:
		return ir.How(in.Sub) == ir.Now && a.returnsFresh(a.prog.Callee(fn, ir.FuncRefID(in.Aux)), 0, depth-1)
	case ir.OpInvoke:
		return ir.How(in.Sub) == ir.Now && in.Flags&ir.FlagMaybe == 0 && a.allReturnFresh(fn, p.N, depth-1)
	case ir.OpExtract:
		d := a.prog.Definition(fn, f.body.Args(in)[0])
		if d < 0 || f.body.Instrs[d].Op != ir.OpCall || ir.How(f.body.Instrs[d].Sub) != ir.Now {
			return false
		}
		return a.returnsFresh(a.prog.Callee(fn, ir.FuncRefID(f.body.Instrs[d].Aux)), int(in.Aux), depth-1)
	}
	return false
}
