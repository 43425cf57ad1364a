package ownership

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/path"
)

// function holds what one function does with the addresses it gets or makes.
type function struct {
	body  *ir.Body
	paths *path.Table
	// published lists, by root, the instructions that may let an address inside
	// the root's object out.
	published map[path.ID][]int32
	// returned lists the roots of each result, for each return.
	returned [][]path.ID
}

// analysis computes functions on demand.
type analysis struct {
	prog  *link.Program
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
	f := &function{body: body, paths: a.paths(fn), published: make(map[path.ID][]int32)}
	for i := range body.Instrs {
		a.uses(f, fn, int32(i))
	}
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
			return path.None
		}
		if step.Parent == path.None {
			return p
		}
		p = step.Parent
	}
	return path.None
}

// uses notes which operands of an instruction may become known to others.
func (a *analysis) uses(f *function, fn link.FuncID, i int32) {
	in := &f.body.Instrs[i]
	args := f.body.Args(in)
	publish := func(vs ...ir.Value) {
		for _, v := range vs {
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
	case ir.OpStore, ir.OpAtomic, ir.OpMapSet, ir.OpSend:
		publish(args[1:]...)
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
	default:
		publish(args...)
	}
}

// callUses publishes the operands that the callee may let out.
func (a *analysis) callUses(f *function, fn link.FuncID, i int32, in *ir.Instr, args []ir.Value, publish func(...ir.Value)) {
	if ir.How(in.Sub) == ir.Spawned {
		publish(args...)
		return
	}
	callee := a.function(a.prog.Callee(fn, ir.FuncRefID(in.Aux)))
	for k, v := range args {
		if callee == nil || k >= int(callee.body.Params) || callee.letsOut(ir.Reg(k)) {
			publish(v)
		}
	}
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
			if x == r {
				return true
			}
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
	case ir.OpExtract:
		d := a.prog.Definition(fn, f.body.Args(in)[0])
		if d < 0 || f.body.Instrs[d].Op != ir.OpCall || ir.How(f.body.Instrs[d].Sub) != ir.Now {
			return false
		}
		return a.returnsFresh(a.prog.Callee(fn, ir.FuncRefID(f.body.Instrs[d].Aux)), int(in.Aux), depth-1)
	}
	return false
}
