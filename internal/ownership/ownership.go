package ownership

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// maxDepth bounds chains of calls that an owned object is passed through.
const maxDepth = 8

// Result answers ownership questions.
type Result struct {
	a    *analysis
	pts  *pointer.Result
	runs *runs.Result
	memo map[question]bool
}

type question struct {
	point runs.Point
	root  path.ID
}

// Analyze prepares the answers. paths gives the path table of a function with
// code.
func Analyze(pts *pointer.Result, rs *runs.Result, paths func(link.FuncID) *path.Table) *Result {
	return &Result{
		a:    &analysis{prog: pts.Prog, pts: pts, paths: paths, funcs: make(map[link.FuncID]*function), busy: make(map[link.FuncID]bool)},
		pts:  pts,
		runs: rs,
		memo: make(map[question]bool),
	}
}

// Owned tells whether the object an instruction accesses through addr is
// surely unknown to all other origins when it does.
func (r *Result) Owned(inst pointer.InstID, instr int32, addr ir.Value) bool {
	f := r.a.function(r.pts.Instances[inst].Func)
	if f == nil {
		return false
	}
	root := f.root(addr)
	return root != path.None && r.owned(inst, instr, root, maxDepth)
}

// Variable returns the value of a variable of an instance's function that gets
// one once and keeps it.
func (r *Result) Variable(inst pointer.InstID, variable path.ID) (ir.Value, bool) {
	f := r.a.function(r.pts.Instances[inst].Func)
	if f == nil {
		return ir.NoValue, false
	}
	v, ok := f.vars[variable]
	return v, ok
}

// Unknown tells whether an instance makes an object, once in an activation, or is
// given it new by a callee, and no other origin can know it when the instance comes to an
// instruction.
func (r *Result) Unknown(inst pointer.InstID, instr int32, obj pointer.ObjectID) bool {
	fn := r.pts.Instances[inst].Func
	f := r.a.function(fn)
	if f == nil {
		return false
	}
	found := false
	for i := range f.body.Instrs {
		in := &f.body.Instrs[i]
		switch in.Op {
		case ir.OpAlloc, ir.OpMakeSlice, ir.OpMakeMap, ir.OpMakeChan, ir.OpCall, ir.OpInvoke, ir.OpCallPtr, ir.OpExtract:
		default:
			continue // takes it from where it is
		}
		if in.Dst == ir.None || !r.leadsTo(inst, ir.RegValue(in.Dst), obj) {
			continue
		}
		root := f.root(ir.RegValue(in.Dst))
		if root == path.None {
			continue
		}
		if step := f.paths.Get(root); step.Kind != path.Value || step.N != int32(i) {
			continue // part of another
		}
		if r.runs.InLoop(runs.Point{Inst: inst, Instr: int32(i)}) || !r.a.makes(f, fn, root, maxDepth) || !r.kept(f, instr, root, int32(i)) {
			return false
		}
		found = true
	}
	return found
}

func (r *Result) leadsTo(inst pointer.InstID, v ir.Value, obj pointer.ObjectID) bool {
	return r.pts.Leads(r.pts.PointsTo(inst, v, 0), obj)
}

// OwnedVia is Owned for an instance that is reached by a way.
func (r *Result) OwnedVia(inst pointer.InstID, instr int32, addr ir.Value, way runs.Way) bool {
	f := r.a.function(r.pts.Instances[inst].Func)
	if f == nil {
		return false
	}
	root := f.root(addr)
	for _, c := range way.Calls {
		if root == path.None {
			return false
		}
		step := f.paths.Get(root)
		if step.Kind != path.Param {
			break
		}
		if !r.keptWithin(f, instr, root, ir.None) {
			return false
		}
		if f, root = r.operand(c, step.N); f == nil {
			return false
		}
		inst, instr = c.Inst, c.Instr
	}
	return root != path.None && r.owned(inst, instr, root, maxDepth)
}

func (r *Result) owned(inst pointer.InstID, instr int32, root path.ID, depth int) bool {
	if depth == 0 {
		return false
	}
	key := question{runs.Point{Inst: inst, Instr: instr}, root}
	if ok, known := r.memo[key]; known {
		return ok
	}
	r.memo[key] = false // a question that leads back to itself proves nothing
	ok := r.prove(inst, instr, root, depth)
	r.memo[key] = ok
	return ok
}

func (r *Result) prove(inst pointer.InstID, instr int32, root path.ID, depth int) bool {
	fn := r.pts.Instances[inst].Func
	f := r.a.function(fn)
	if f == nil {
		return false
	}
	switch p := f.paths.Get(root); p.Kind {
	case path.Value:
		if !r.a.makes(f, fn, root, depth) {
			return false
		}
		return r.keptWithin(f, instr, root, p.N)
	case path.Param:
		return r.keptWithin(f, instr, root, ir.None) && r.ownedByCallers(inst, p.N, depth)
	}
	return false
}

// kept tells whether a function has not let a root out when it comes to an
// instruction. made is where the root is made anew.
func (r *Result) kept(f *function, instr int32, root path.ID, made int32) bool {
	for _, pub := range f.published[root] {
		if pub == instr || runs.Reaches(f.body, pub, instr, made) {
			return false
		}
	}
	return true
}

// keptWithin is kept for an instruction that is the access itself or a call that
// leads to it. What such a call lets out is the callee's to answer for, which has
// been asked before, unless the callee knows the object under another name.
func (r *Result) keptWithin(f *function, instr int32, root path.ID, made int32) bool {
	in := &f.body.Instrs[instr]
	if in.Op != ir.OpCall && in.Op != ir.OpInvoke || len(f.inside[root]) > 0 {
		return r.kept(f, instr, root, made)
	}
	names := 0
	for _, v := range f.body.Args(in) {
		if f.root(v) == root {
			names++
		}
	}
	for _, pub := range f.published[root] {
		if pub == instr && names != 1 || runs.Reaches(f.body, pub, instr, made) {
			return false
		}
	}
	return true
}

// operand returns the root of what a call passes as parameter k, with the
// function of the call; nil if that is not known.
func (r *Result) operand(c runs.Point, k int32) (*function, path.ID) {
	body := r.pts.Body(c.Inst)
	in := &body.Instrs[c.Instr]
	if in.Op != ir.OpCall && in.Op != ir.OpInvoke || c.How != ir.Now || in.Flags&ir.FlagGroup != 0 || int(k) >= int(in.Args.Len) {
		return nil, path.None
	}
	f := r.a.function(r.pts.Instances[c.Inst].Func)
	if f == nil {
		return nil, path.None
	}
	return f, f.root(body.Args(in)[k])
}

// ownedByCallers tells whether every call passes an owned object as parameter
// k.
func (r *Result) ownedByCallers(inst pointer.InstID, k int32, depth int) bool {
	if len(r.runs.Callers[inst]) == 0 || r.isEntry(inst) {
		return false
	}
	for _, c := range r.runs.Callers[inst] {
		f, root := r.operand(c, k)
		if f == nil || root == path.None || !r.owned(c.Inst, c.Instr, root, depth-1) {
			return false
		}
	}
	return true
}

func (r *Result) isEntry(inst pointer.InstID) bool {
	i := &r.pts.Instances[inst]
	for _, f := range r.pts.Origins.Get(i.Origin).Entries {
		if f == i.Func {
			return true
		}
	}
	return false
}
