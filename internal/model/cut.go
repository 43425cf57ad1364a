package model

import (
	"github.com/deadheat/deadheat/internal/ir"
)

// cut ends blocks after calls of functions whose models say that they do not
// return, and drops what can then not be reached. The result is body itself if
// there are no such calls.
func (v *view) cut(body *ir.Body) *ir.Body {
	ends := make([]int, len(body.Blocks)) // instruction after which the block ends, or 0
	found := false
	for id := range body.Blocks {
		b := &body.Blocks[id]
		for i := b.First; i < b.End; i++ {
			us := v.model(body, &body.Instrs[i])
			if us != nil && us.row.ends() != opInvalid {
				ends[id], found = int(i)+1, true
				break
			}
		}
	}
	if !found {
		return body
	}
	c := &cutter{v: v, old: body, ends: ends}
	c.reach()
	return c.build()
}

// cutter copies the blocks that stay.
type cutter struct {
	v      *view
	old    *ir.Body
	ends   []int
	newID  []ir.BlockID // by old block, or None
	order  []ir.BlockID // old blocks that stay
	thrown []int        // by old block: exceptional edges into it
}

func (c *cutter) succs(b ir.BlockID) []ir.BlockID {
	if c.ends[b] > 0 {
		return nil
	}
	return c.old.Succs(b)
}

// reach numbers the blocks that can still be reached, in their old order.
func (c *cutter) reach() {
	seen := make([]bool, len(c.old.Blocks))
	work := []ir.BlockID{0}
	if c.old.Recover != ir.None {
		work = append(work, c.old.Recover)
	}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[b] {
			seen[b] = true
			work = append(append(work, c.succs(b)...), c.old.Handlers(b)...)
		}
	}
	c.newID = make([]ir.BlockID, len(seen))
	for b := range seen {
		c.newID[b] = ir.None
		if seen[b] {
			c.newID[b] = ir.BlockID(len(c.order))
			c.order = append(c.order, ir.BlockID(b))
		}
	}
}

func (c *cutter) build() *ir.Body {
	c.thrown = make([]int, len(c.old.Blocks))
	for b := range c.old.Blocks {
		for _, h := range c.old.Handlers(ir.BlockID(b)) {
			c.thrown[h]++
		}
	}
	bb := new(ir.BodyBuilder)
	for r, info := range c.old.Regs {
		switch {
		case r < int(c.old.Params):
			bb.Param(info.Type, info.Name)
		case r < int(c.old.Params+c.old.Captures):
			bb.Capture(info.Type, info.Name)
		default:
			bb.NewReg(info.Type, info.Name)
		}
	}
	kept := make([][]int, len(c.order))
	for i, b := range c.order {
		bb.NewBlock()
		var preds []ir.BlockID
		kept[i], preds = c.preds(b)
		bb.SetPreds(ir.BlockID(i), preds...)
		bb.SetSuccs(ir.BlockID(i), c.renumber(c.succs(b))...)
		bb.SetHandlers(ir.BlockID(i), c.renumber(c.old.Handlers(b))...)
	}
	if c.old.Recover != ir.None {
		bb.SetRecover(c.newID[c.old.Recover])
	}
	for i, b := range c.order {
		bb.SetBlock(ir.BlockID(i))
		c.copyBlock(bb, b, kept[i])
	}
	return bb.Finish()
}

func (c *cutter) renumber(blocks []ir.BlockID) []ir.BlockID {
	list := make([]ir.BlockID, len(blocks))
	for i, b := range blocks {
		list[i] = c.newID[b]
	}
	return list
}

// preds returns which of a block's predecessors stay, by position and by new
// number. Normal ones come first; those of them that were cut are gone, while
// exceptional edges of such blocks stay.
func (c *cutter) preds(b ir.BlockID) (kept []int, preds []ir.BlockID) {
	all := c.old.Preds(b)
	normal := len(all) - c.thrown[b]
	for i, p := range all {
		if c.newID[p] == ir.None || i < normal && c.ends[p] > 0 {
			continue
		}
		kept = append(kept, i)
		preds = append(preds, c.newID[p])
	}
	return kept, preds
}

func (c *cutter) copyBlock(bb *ir.BodyBuilder, b ir.BlockID, kept []int) {
	block := &c.old.Blocks[b]
	end := int(block.End)
	if c.ends[b] > 0 {
		end = c.ends[b]
	}
	for i := int(block.First); i < end; i++ {
		in := &c.old.Instrs[i]
		args := c.old.Args(in)
		if in.Op == ir.OpPhi && len(kept) < len(args) {
			var some []ir.Value
			for _, k := range kept {
				some = append(some, args[k])
			}
			args = some
		}
		bb.DefReg(in.Dst, c.old.Pos[i], *in, args...)
	}
	if c.ends[b] == 0 {
		return
	}
	at := c.old.Pos[end-1]
	if c.v.model(c.old, &c.old.Instrs[end-1]).row.ends() == opThrow {
		bb.Emit(at, ir.Instr{Op: ir.OpThrow}, c.v.base.undef)
	} else {
		bb.Emit(at, ir.Instr{Op: ir.OpUnreachable})
	}
}
