package order

import (
	"strconv"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// onBranch adds to the must set what the edge to successor k implies: the case
// of a select that was chosen, the flag that must have been set, the channel that
// must have been closed.
func (r *Result) onBranch(w *world, id pointer.InstID, body *ir.Body, b ir.BlockID, k int, must setID) setID {
	end := body.Blocks[b].End - 1
	term := &body.Instrs[end]
	if term.Op != ir.OpIf {
		return must
	}
	for _, c := range w.byPoint[runs.Point{Inst: id, Instr: end}] {
		if int(w.cuts[c].sub) == k {
			must = w.with(must, c)
		}
	}
	cond := r.pts.Prog.Definition(r.pts.Instances[id].Func, body.Args(term)[0])
	if cond < 0 {
		return must
	}
	in := &body.Instrs[cond]
	if in.Op != ir.OpBinary {
		return must
	}
	equal := k == 0
	switch ir.BinaryKind(in.Sub) {
	case ir.BinEq:
	case ir.BinNe:
		equal = !equal
	default:
		return must
	}
	args := body.Args(in)
	sel, index := r.selectIndex(id, body, args[0], args[1])
	if sel < 0 {
		return must
	}
	cases := w.byPoint[runs.Point{Inst: id, Instr: sel}]
	if !equal {
		// With all other cases ruled out on the way, the last one is chosen; go
		// front ends test every case, so this edge says nothing.
		return must
	}
	if index < 0 || index >= len(cases) {
		return must
	}
	return w.with(must, cases[index])
}

// selectIndex recognises the comparison of a select's chosen index with a
// constant.
func (r *Result) selectIndex(id pointer.InstID, body *ir.Body, x, y ir.Value) (sel int32, index int) {
	if x.Const() != ir.None {
		x, y = y, x
	}
	c := y.Const()
	def := r.pts.Prog.Definition(r.pts.Instances[id].Func, x)
	if c == ir.None || def < 0 || body.Instrs[def].Op != ir.OpExtract || body.Instrs[def].Aux != 0 {
		return -1, 0
	}
	sel = r.pts.Prog.Definition(r.pts.Instances[id].Func, body.Args(&body.Instrs[def])[0])
	if sel < 0 || body.Instrs[sel].Op != ir.OpSelect {
		return -1, 0
	}
	text := r.pts.Prog.Unit(r.pts.Instances[id].Func).Consts[c].Text
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1, 0
	}
	return sel, n
}
