package ir

import "slices"

// def is where a register is assigned.
type def struct {
	block BlockID // None if it is not assigned; entryDef for parameters
	instr int32
	phi   bool
}

// entryDef is the block of registers that are assigned before the first one.
const entryDef BlockID = -2

// body verifies a body in stages. Each leans on the ones before it, so the
// first that finds something ends the check.
func (c *checker) body(id FuncID, body *Body) {
	c.fn, c.b = &c.u.Funcs[id], body
	problems := len(c.problems)
	c.at = "func @" + c.fn.Symbol
	for _, stage := range [...]func(){c.shape, c.blockEdges, c.instructions, c.controlFlow, c.predecessors, c.dominance} {
		stage()
		if len(c.problems) > problems {
			return
		}
	}
}

// place names an instruction in later messages. It does not print it, for it
// may be malformed.
func (c *checker) place(block, i int) {
	c.at = "func @" + c.fn.Symbol + " b" + itoa(int32(block))
	if i >= 0 {
		c.at += " instruction " + itoa(int32(i)-c.b.Blocks[block].First)
		if op := c.b.Instrs[i].Op; op < numOps {
			c.at += " (" + op.String() + ")"
		}
	}
}

// shape verifies parameters, registers and the ranges of blocks.
func (c *checker) shape() {
	b := c.b
	sig := &c.u.Types[c.fn.Sig]
	switch {
	case b.Params < 0 || b.Captures < 0 || int64(b.Params)+int64(b.Captures) > int64(len(b.Regs)):
		c.failf("%d parameters and %d captures do not fit into %d registers", b.Params, b.Captures, len(b.Regs))
		return
	case len(b.Blocks) == 0:
		c.failf("has no blocks")
		return
	case len(b.Pos) != len(b.Instrs):
		c.failf("has %d positions for %d instructions", len(b.Pos), len(b.Instrs))
		return
	case int(b.Params) != len(sig.Elems):
		c.failf("has %d parameters, its signature %d", b.Params, len(sig.Elems))
		return
	}
	for r := range b.Regs {
		typ := b.Regs[r].Type
		if typ < 0 || int(typ) >= len(c.u.Types) {
			c.failf("type %d of v%d is out of range", typ, r)
		} else if r < int(b.Params) && typ != sig.Elems[r] {
			c.failf("parameter v%d is %s, in the signature %s", r, c.u.TypeString(typ), c.u.TypeString(sig.Elems[r]))
		} else if r < int(b.Params+b.Captures) && typ == 0 {
			c.failf("v%d has the invalid type", r)
		}
	}
	if b.Recover != None && (b.Recover <= 0 || int(b.Recover) >= len(b.Blocks)) {
		c.failf("recover block b%d is out of range or the entry", b.Recover)
	}
	first := int32(0)
	for i := range b.Blocks {
		if b.Blocks[i].First != first || b.Blocks[i].End < first || int(b.Blocks[i].End) > len(b.Instrs) {
			c.failf("b%d has instructions %d to %d, want them from %d on", i, b.Blocks[i].First, b.Blocks[i].End, first)
			return
		}
		first = b.Blocks[i].End
	}
	if int(first) != len(b.Instrs) {
		c.failf("blocks hold %d of %d instructions", first, len(b.Instrs))
	}
}

// blockEdges verifies that spans and edges are in range.
func (c *checker) blockEdges() {
	for i := range c.b.Blocks {
		b := &c.b.Blocks[i]
		for _, s := range [...]Span{b.Succs, b.Preds, b.Handlers} {
			if !s.within(len(c.b.Edges)) {
				c.place(i, -1)
				c.failf("edges %d+%d are out of range", s.Off, s.Len)
				continue
			}
			for _, to := range c.b.edges(s) {
				if to < 0 || int(to) >= len(c.b.Blocks) {
					c.place(i, -1)
					c.failf("edge to b%d, which does not exist", to)
				}
			}
		}
	}
}

func (s Span) within(length int) bool {
	return s.Off >= 0 && s.Len >= 0 && int64(s.Off)+int64(s.Len) <= int64(length)
}

// instructions verifies each instruction by itself and notes where registers
// are assigned.
func (c *checker) instructions() {
	b := c.b
	if cap(c.defs) < len(b.Regs) {
		c.defs = make([]def, len(b.Regs))
	}
	c.defs = c.defs[:len(b.Regs)]
	for r := range c.defs {
		c.defs[r] = def{block: None}
		if r < int(b.Params+b.Captures) {
			c.defs[r].block = entryDef
		}
	}
	for i := range b.Blocks {
		for j := b.Blocks[i].First; j < b.Blocks[i].End; j++ {
			in := &b.Instrs[j]
			if in.Dst >= 0 && int(in.Dst) < len(c.defs) {
				d := &c.defs[in.Dst]
				if d.block != None {
					c.place(i, int(j))
					c.failf("v%d is assigned twice", in.Dst)
				}
				*d = def{block: BlockID(i), instr: j, phi: in.Op == OpPhi}
			}
			problems := len(c.problems)
			c.instr(in)
			c.pos(b.Pos[j])
			if len(c.problems) > problems {
				c.replace(problems, i, int(j))
			}
		}
	}
}

// replace checks an instruction again that had problems, now with its place:
// to put names together for the many that have none would take most of the
// time.
func (c *checker) replace(problems, block, i int) {
	c.problems = c.problems[:problems]
	c.place(block, i)
	c.instr(&c.b.Instrs[i])
	c.pos(c.b.Pos[i])
}

// controlFlow verifies where terminators, phis and catches stand, and how many
// successors there are.
func (c *checker) controlFlow() {
	b := c.b
	for i := range b.Blocks {
		block := &b.Blocks[i]
		if block.First == block.End {
			c.place(i, -1)
			c.failf("is empty")
			continue
		}
		body := false // something other than a phi has been seen
		for j := block.First; j < block.End; j++ {
			in := &b.Instrs[j]
			switch last := j+1 == block.End; {
			case in.Op.IsTerm() && !last:
				c.place(i, int(j))
				c.failf("terminator is not the last of its block")
			case !in.Op.IsTerm() && last:
				c.place(i, int(j))
				c.failf("last instruction is not a terminator")
			case in.Op == OpPhi && body:
				c.place(i, int(j))
				c.failf("phi comes after other instructions")
			case in.Op == OpPhi && in.Args.Len != block.Preds.Len:
				c.place(i, int(j))
				c.failf("phi has %d operands for %d predecessors", in.Args.Len, block.Preds.Len)
			case in.Op == OpCatch && body:
				c.place(i, int(j))
				c.failf("catch comes after other instructions than phis")
			}
			body = body || in.Op != OpPhi
		}
		last := &b.Instrs[block.End-1]
		if want, ok := successors(last); ok && want != block.Succs.Len {
			c.place(i, int(block.End-1))
			c.failf("has %d successors, want %d", block.Succs.Len, want)
		}
	}
}

func successors(in *Instr) (n int32, ok bool) {
	switch in.Op {
	case OpJump:
		return 1, true
	case OpIf:
		return 2, true
	case OpSwitch:
		return in.Args.Len, true
	}
	return 0, in.Op.IsTerm()
}

// predecessors verifies that Preds is Succs and Handlers turned round, normal
// ones first, and what follows for entry, recover and catch blocks.
func (c *checker) predecessors() {
	b := c.b
	n := len(b.Blocks)
	// First counts, then where a block's part of a list of all edges begins.
	normal := resize(&c.normal, n+1, 0)
	exceptional := resize(&c.exceptional, n+1, 0)
	for i := range b.Blocks {
		for _, to := range b.Succs(BlockID(i)) {
			normal[to+1]++
		}
		for _, to := range b.Handlers(BlockID(i)) {
			exceptional[to+1]++
		}
	}
	for i := range n {
		normal[i+1] += normal[i]
		exceptional[i+1] += exceptional[i]
	}
	for i := range b.Blocks {
		have := b.Blocks[i].Preds.Len
		want := c.normalPreds(i) + exceptional[i+1] - exceptional[i]
		catches := b.Instrs[b.Blocks[i].First+c.phis(i)].Op == OpCatch
		problem := ""
		switch {
		case have != want:
			problem = "has " + itoa(have) + " predecessors, but " + itoa(want) + " edges lead to it"
		case i == 0 && have > 0:
			problem = "entry has predecessors"
		case b.Recover == BlockID(i) && have > 0:
			problem = "recover block has predecessors"
		case catches && (c.normalPreds(i) > 0 || have == 0):
			problem = "catch in a block that is not entered by exceptional edges alone"
		}
		if problem != "" {
			c.place(i, -1)
			c.failf("%s", problem)
			return
		}
	}
	c.compareEdges(normal, b.Succs, func(i int) []BlockID { return b.Preds(BlockID(i))[:c.normalPreds(i)] }, "normal")
	c.compareEdges(exceptional, b.Handlers, func(i int) []BlockID { return b.Preds(BlockID(i))[c.normalPreds(i):] }, "exceptional")
}

// normalPreds counts the edges that lead to a block other than from a throw.
func (c *checker) normalPreds(block int) int32 { return c.normal[block+1] - c.normal[block] }

// phis counts the phis at the start of a block.
func (c *checker) phis(block int) int32 {
	b := &c.b.Blocks[block]
	n := int32(0)
	for b.First+n+1 < b.End && c.b.Instrs[b.First+n].Op == OpPhi {
		n++
	}
	return n
}

// compareEdges compares the predecessors of each block with the edges that
// lead to it. Edges gives the targets of a block; start says where in the list
// of all sources, sorted by target, those of a block begin.
func (c *checker) compareEdges(start []int32, edges func(BlockID) []BlockID, preds func(int) []BlockID, what string) {
	n := len(c.b.Blocks)
	if start[n] == 0 {
		return // and the counts agree
	}
	from := make([]BlockID, start[n])
	fill := append([]int32(nil), start[:n]...)
	for i := range n {
		for _, to := range edges(BlockID(i)) {
			from[fill[to]] = BlockID(i)
			fill[to]++
		}
	}
	for i := range n {
		want, have := from[start[i]:start[i+1]], preds(i)
		if slices.Equal(want, have) {
			continue
		}
		have = slices.Sorted(slices.Values(have))
		if !slices.Equal(want, have) {
			c.place(i, -1)
			c.failf("%s predecessors are%s, want%s in some order, normal ones before exceptional ones", what, blockNames(have), blockNames(want))
		}
	}
}

// dominance verifies that every use follows its definition on every path.
// Where control never comes any definition will do.
func (c *checker) dominance() {
	b, d := c.b, &c.dom
	d.build(b)
	for i := range b.Blocks {
		for j := b.Blocks[i].First; j < b.Blocks[i].End; j++ {
			in := &b.Instrs[j]
			for k, v := range b.Args(in) {
				r := v.Reg()
				if r == None {
					continue
				}
				switch def := &c.defs[r]; {
				case def.block == entryDef:
				case def.block == None:
					c.place(i, int(j))
					c.failf("v%d is never assigned", r)
				case in.Op == OpPhi:
					c.phiUse(i, int(j), k, def)
				case def.block == BlockID(i) && def.instr < j, !d.reachable(BlockID(i)):
				case def.block == BlockID(i), !d.dominates(c.defNode(def), d.rest(BlockID(i))):
					c.place(i, int(j))
					c.failf("v%d is used where its definition in b%d may not have been reached", r, def.block)
				}
			}
		}
	}
}

func (c *checker) defNode(d *def) int32 {
	if d.phi {
		return c.dom.head(d.block)
	}
	return c.dom.rest(d.block)
}

// phiUse verifies that the k-th operand of a phi is defined where control comes
// from: at the end of a normal predecessor, at the start of an exceptional one.
func (c *checker) phiUse(block, i, k int, def *def) {
	from := c.b.Preds(BlockID(block))[k]
	node := c.dom.rest(from)
	if int32(k) >= c.normalPreds(block) {
		node = c.dom.head(from)
	}
	if c.dom.reachable(from) && !c.dom.dominates(c.defNode(def), node) {
		c.place(block, i)
		c.failf("operand %d comes from b%d, where its definition in b%d may not have been reached", k, from, def.block)
	}
}

func blockNames(ids []BlockID) string {
	var p printer
	p.blockList(ids)
	return string(p.buf)
}
