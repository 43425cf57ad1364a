package value

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// Result knows which blocks run.
type Result struct {
	pts   *pointer.Result
	cells *cells
	memo  []blocksRun // by instance
	live  []bool      // instances that are called by something that runs; nil until asked for

	told    []facts // by number
	tellIDs map[facts]Passed
	passed  map[uint64]*activation // by instance and what it was told
	asking  []answer               // by instance
	getters map[link.FuncID]int32  // the slot of its first parameter that a function returns, or ir.None
}

// Analyze prepares the answers.
func Analyze(pts *pointer.Result, rs *runs.Result) *Result {
	r := &Result{pts: pts, memo: make([]blocksRun, len(pts.Instances)), tellIDs: make(map[facts]Passed), passed: make(map[uint64]*activation),
		asking: make([]answer, len(pts.Instances)), getters: make(map[link.FuncID]int32)}
	r.tell(new(facts)) // is Nothing
	r.findCells(rs)
	return r
}

// Runs tells whether control can get to an instruction of an instance.
func (r *Result) Runs(inst pointer.InstID, instr int32) bool {
	return r.isLive(inst) && r.runsIn(inst, instr)
}

// runsIn is Runs for an instance that is called.
func (r *Result) runsIn(inst pointer.InstID, instr int32) bool {
	runs := r.blocks(inst)
	return runs == nil || runs[r.pts.Body(inst).BlockOf(instr)]
}

// isLive tells whether calls that run lead to an instance.
func (r *Result) isLive(inst pointer.InstID) bool {
	if r.live == nil {
		r.findLive()
	}
	return r.live[inst]
}

func (r *Result) findLive() {
	called := make([]bool, len(r.pts.Instances))
	for i := range r.pts.Instances {
		for _, e := range r.pts.Instances[i].Calls {
			called[e.Target] = true
		}
	}
	r.live = make([]bool, len(r.pts.Instances))
	var queue []pointer.InstID
	for i := range called {
		if inst := &r.pts.Instances[i]; !called[i] || r.pts.Origins.Get(inst.Origin).Root && r.isEntry(inst) {
			r.live[i] = true
			queue = append(queue, pointer.InstID(i))
		}
	}
	for len(queue) > 0 {
		id := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		for _, e := range r.pts.Instances[id].Calls {
			if !r.live[e.Target] && r.runsIn(id, e.Instr) {
				r.live[e.Target] = true
				queue = append(queue, e.Target)
			}
		}
	}
}

func (r *Result) isEntry(inst *pointer.Instance) bool {
	return slices.Contains(r.pts.Origins.Get(inst.Origin).Entries, inst.Func)
}

// Edge tells whether control can go from a block to its successor k.
func (r *Result) Edge(inst pointer.InstID, b ir.BlockID, k int) bool {
	runs := r.blocks(inst)
	return runs == nil || runs[b] && runs[r.pts.Body(inst).Succs(b)[k]]
}

// blocksRun are the blocks of an instance that run; nil if all do.
type blocksRun struct {
	runs  []bool
	known bool
}

func (r *Result) blocks(inst pointer.InstID) []bool {
	m := &r.memo[inst]
	if !m.known {
		runs := r.solve(inst) // may ask for others, and this one
		m.known, m.runs = true, runs
	}
	return m.runs
}

// solve propagates constants through an instance.
func (r *Result) solve(inst pointer.InstID) []bool {
	body := r.pts.Body(inst)
	if body == nil || !branches(body) {
		return nil
	}
	p := r.propagate(inst, body, Nothing)
	for _, ok := range p.runs {
		if !ok {
			return p.runs
		}
	}
	return nil
}

// propagate propagates constants through an activation of which something may be
// known.
func (r *Result) propagate(inst pointer.InstID, body *ir.Body, told Passed) *propagation {
	p := &propagation{r: r, inst: inst, body: body, told: told, regs: make([]constant, len(body.Regs)),
		runs: make([]bool, len(body.Blocks)), edges: make(map[[2]ir.BlockID]bool)}
	for i := int32(0); i < body.Params; i++ {
		p.regs[i] = r.param(inst, i, maxPassed)
	}
	for i := body.Params; i < body.Params+body.Captures; i++ {
		p.regs[i].state = anything
	}
	for _, f := range &r.told[told] {
		if f.param > 0 && f.object == 0 {
			p.regs[f.param-1] = constant{one, f.n}
		}
	}
	p.runs[0] = true
	for p.changed = true; p.changed; {
		p.changed = false
		for b := range body.Blocks {
			if p.runs[b] {
				p.block(ir.BlockID(b))
			}
		}
	}
	if body.Recover != ir.None {
		p.markAll(body.Recover)
	}
	return p
}

func branches(body *ir.Body) bool {
	for b := range body.Blocks {
		if op := body.Instrs[body.Blocks[b].End-1].Op; op == ir.OpIf || op == ir.OpSwitch {
			return true
		}
	}
	return false
}

type propagation struct {
	r       *Result
	inst    pointer.InstID
	body    *ir.Body
	told    Passed
	regs    []constant
	runs    []bool
	edges   map[[2]ir.BlockID]bool
	changed bool
}

// markAll marks everything that is reachable from a block.
func (p *propagation) markAll(b ir.BlockID) {
	if p.runs[b] {
		return
	}
	p.runs[b] = true
	for _, s := range p.body.Succs(b) {
		p.markAll(s)
	}
}

func (p *propagation) follow(from, to ir.BlockID) {
	key := [2]ir.BlockID{from, to}
	if !p.edges[key] {
		p.edges[key] = true
		p.changed = true
	}
	p.runs[to] = true
}

func (p *propagation) block(b ir.BlockID) {
	blk := &p.body.Blocks[b]
	for i := blk.First; i < blk.End; i++ {
		in := &p.body.Instrs[i]
		if in.Dst != ir.None {
			p.set(in.Dst, p.eval(b, i, in))
		}
	}
	succs := p.body.Succs(b)
	term := &p.body.Instrs[blk.End-1]
	if term.Op == ir.OpIf && len(succs) == 2 {
		switch c := p.value(p.body.Args(term)[0]); {
		case c.state == undefined:
			return
		case c.state == one && c.n != 0:
			p.follow(b, succs[0])
		case c.state == one:
			p.follow(b, succs[1])
		default:
			p.follow(b, succs[0])
			p.follow(b, succs[1])
		}
	} else if k, known := p.chosen(term, succs); known {
		if k >= 0 {
			p.follow(b, succs[k])
		}
	} else {
		for _, s := range succs {
			p.follow(b, s)
		}
	}
	for _, h := range p.body.Handlers(b) {
		p.follow(b, h)
	}
}

// chosen returns the successor that a switch goes to, or -1 as long as nothing is
// known; known is false if it may go to any, or is none.
func (p *propagation) chosen(term *ir.Instr, succs []ir.BlockID) (k int, known bool) {
	args := p.body.Args(term)
	if term.Op != ir.OpSwitch || len(succs) != len(args) {
		return 0, false
	}
	switch v := p.value(args[0]); v.state {
	case undefined:
		return -1, true
	case one:
		for k, c := range args[1:] {
			n, ok := Integer(p.r.pts, p.inst, c)
			if !ok {
				return 0, false
			}
			if n == v.n {
				return k, true
			}
		}
		return len(succs) - 1, true
	}
	return 0, false
}

// set raises a register's value; it never falls, so that the rounds end.
func (p *propagation) set(reg ir.Reg, c constant) {
	old := p.regs[reg]
	if old == c || old.state == anything || c.state == undefined {
		return
	}
	if old.state == one && c.state == one {
		c.state = anything
	}
	p.regs[reg] = c
	p.changed = true
}

func (p *propagation) value(v ir.Value) constant {
	if reg := v.Reg(); reg != ir.None {
		return p.regs[reg]
	}
	if n, ok := Integer(p.r.pts, p.inst, v); ok {
		return constant{one, n}
	}
	return constant{state: anything}
}

func (p *propagation) eval(b ir.BlockID, i int32, in *ir.Instr) constant {
	args := p.body.Args(in)
	switch in.Op {
	case ir.OpPhi:
		out := constant{}
		for k, pred := range p.body.Preds(b) {
			if !p.edges[[2]ir.BlockID{pred, b}] {
				continue
			}
			v := p.value(args[k])
			switch {
			case v.state == undefined || v == out:
			case out.state == undefined:
				out = v
			default:
				return constant{state: anything}
			}
		}
		return out
	case ir.OpCopy, ir.OpConvert:
		return p.value(args[0])
	case ir.OpUnary:
		v := p.value(args[0])
		if v.state == one && ir.UnaryKind(in.Sub) == ir.UnNot {
			return constant{one, 1 - v.n}
		}
		if v.state == undefined {
			return v
		}
	case ir.OpBinary:
		x, y := p.value(args[0]), p.value(args[1])
		if x.state == undefined || y.state == undefined {
			return constant{}
		}
		if x.state == one && y.state == one {
			return fold(ir.BinaryKind(in.Sub), x.n, y.n)
		}
	case ir.OpLoad:
		if p.fresh(i, args[0]) {
			return constant{state: one}
		}
		if v, ok := p.r.passedField(p.inst, args[0], p.told); ok {
			return v
		}
		return p.r.cells.load(p.inst, args[0])
	case ir.OpCall, ir.OpInvoke:
		if v, ok := p.r.passedResult(p.inst, i, p.body, p.told); ok {
			return v
		}
	}
	return constant{state: anything}
}

// fresh tells whether a load reads a cell that was made just before, in the
// same block, and is still as it was made.
func (p *propagation) fresh(i int32, addr ir.Value) bool {
	d := p.r.pts.Prog.Definition(p.r.pts.Instances[p.inst].Func, addr)
	if d < 0 || p.body.Instrs[d].Op != ir.OpAlloc || p.body.BlockOf(d) != p.body.BlockOf(i) {
		return false
	}
	for k := d + 1; k < i; k++ {
		if usesReg(p.body, k, p.body.Instrs[d].Dst) {
			return false
		}
	}
	return true
}

// small keeps results that no integer type wraps around.
func small(n int64) constant {
	if n < 0 || n > 127 {
		return constant{state: anything}
	}
	return constant{one, n}
}

func fold(op ir.BinaryKind, x, y int64) constant {
	truth := func(b bool) constant {
		if b {
			return constant{one, 1}
		}
		return constant{one, 0}
	}
	switch op {
	case ir.BinAdd:
		return small(x + y)
	case ir.BinSub:
		return small(x - y)
	case ir.BinEq:
		return truth(x == y)
	case ir.BinNe:
		return truth(x != y)
	case ir.BinLt:
		return truth(x < y)
	case ir.BinLe:
		return truth(x <= y)
	case ir.BinGt:
		return truth(x > y)
	case ir.BinGe:
		return truth(x >= y)
	}
	return constant{state: anything}
}
