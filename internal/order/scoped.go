package order

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// over tells whether all of an origin is over when a wait for a group, or a join
// of a handle, returns: its instances are members, or, R-ORDER-12, are waited for
// by the activations that start them, in origins of which all is over. The latter
// may start each other: every instance has a first one above it.
func (r *Result) over(o origin.ID, group pointer.Node) bool {
	list := []origin.ID{o}
	for i := 0; i < len(list); i++ {
		if r.memberOf(list[i], group) {
			continue
		}
		points := r.runs.SpawnsOf(list[i])
		if len(points) == 0 || len(list) > maxStarters {
			return false
		}
		for _, p := range points {
			if !r.scoped(p) {
				return false
			}
			if by := r.origin(p); !slices.Contains(list, by) {
				list = append(list, by)
			}
		}
	}
	return true
}

// scoped tells whether the activation that starts an origin at p waits for it
// before it returns: every way from p to an end goes through a join of the handle
// that the origin is started under. A join that throws is taken to have waited.
func (r *Result) scoped(p runs.Point) bool {
	ok, known := r.scopes[p]
	if !known {
		ok = r.isScoped(p)
		r.scopes[p] = ok
	}
	return ok
}

func (r *Result) isScoped(p runs.Point) bool {
	body := r.pts.Body(p.Inst)
	in := &body.Instrs[p.Instr]
	if in.Flags&ir.FlagGroup == 0 {
		return false
	}
	defs := definitions(body)
	handle := handleOf(body, defs, body.Args(in)[0])
	if handle.Reg() == ir.None {
		return false
	}
	// waits tells whether the rest of a block, from an instruction on, joins, and
	// ends whether control may leave the function there.
	rest := func(b ir.BlockID, from int32) (waits, ends bool) {
		for i := from; i < body.Blocks[b].End; i++ {
			x := &body.Instrs[i]
			switch {
			case x.Op == ir.OpJoin && x.Flags&ir.FlagMaybe == 0 && handleOf(body, defs, body.Args(x)[0]) == handle:
				return true, false
			case x.Op == ir.OpReturn:
				return false, true
			}
		}
		return false, false
	}
	start := body.BlockOf(p.Instr)
	waits, ends := rest(start, p.Instr+1)
	if waits || ends {
		return waits
	}
	seen := make([]bool, len(body.Blocks))
	queue := slices.Concat(body.Succs(start), body.Handlers(start))
	for len(queue) > 0 {
		b := queue[0]
		queue = queue[1:]
		if b == start {
			return false // the next turn of a loop may start another one
		}
		if seen[b] {
			continue
		}
		seen[b] = true
		waits, ends := rest(b, body.Blocks[b].First)
		if ends {
			return false
		}
		if !waits {
			queue = append(append(queue, body.Succs(b)...), body.Handlers(b)...)
		}
	}
	return true
}

// definitions returns the instruction that gives each register its value.
func definitions(body *ir.Body) []int32 {
	defs := make([]int32, len(body.Regs))
	for i := range defs {
		defs[i] = ir.None
	}
	for i := range body.Instrs {
		if d := body.Instrs[i].Dst; d != ir.None {
			defs[d] = int32(i)
		}
	}
	return defs
}

// handleOf returns the value that a copy or cast is of.
func handleOf(body *ir.Body, defs []int32, v ir.Value) ir.Value {
	for range maxDepth {
		reg := v.Reg()
		if reg == ir.None || defs[reg] == ir.None {
			return v
		}
		in := &body.Instrs[defs[reg]]
		if in.Op != ir.OpCopy && in.Op != ir.OpCast {
			return v
		}
		v = body.Args(in)[0]
	}
	return v
}
