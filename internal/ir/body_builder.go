package ir

// BodyBuilder makes a Body. Blocks may be filled in any order; Finish lays
// them out by ID. The zero value is ready; Finish leaves it ready for the next
// body, with its memory kept.
type BodyBuilder struct {
	params   int32
	captures int32
	regs     []RegInfo
	blocks   []openBlock
	edges    []BlockID
	instrs   []Instr // in order of emission; Args is a span of operands
	next     []int32 // parallel to instrs: the next of the same block, or None
	pos      []Pos   // parallel to instrs
	operands []Value
	current  BlockID
	recover  BlockID // plus one, so that the zero value means none
}

// openBlock is a block under construction. Its spans are of BodyBuilder.edges.
type openBlock struct {
	head, tail int32 // of the list of its instructions, or None
	succs      Span
	preds      Span
	handlers   Span
	predsSet   bool
}

// InstrRef names an instruction under construction.
type InstrRef int32

// Reset forgets everything.
func (b *BodyBuilder) Reset() {
	clear(b.regs) // lets go of the names
	b.params, b.captures, b.current, b.recover = 0, 0, 0, 0
	b.regs, b.blocks, b.edges = b.regs[:0], b.blocks[:0], b.edges[:0]
	b.instrs, b.next, b.pos, b.operands = b.instrs[:0], b.next[:0], b.pos[:0], b.operands[:0]
}

// Param adds a parameter. Parameters come before captures and other registers.
func (b *BodyBuilder) Param(typ TypeID, name string) Reg {
	b.params++
	return b.NewReg(typ, name)
}

// Capture adds a captured value, after the parameters.
func (b *BodyBuilder) Capture(typ TypeID, name string) Reg {
	b.captures++
	return b.NewReg(typ, name)
}

// NewReg adds a register, to be assigned by DefReg.
func (b *BodyBuilder) NewReg(typ TypeID, name string) Reg {
	b.regs = append(b.regs, RegInfo{Type: typ, Name: name})
	return Reg(len(b.regs) - 1)
}

// RegAt returns the description of a register, which may be changed until the
// next register is added.
func (b *BodyBuilder) RegAt(r Reg) *RegInfo { return &b.regs[r] }

// NewBlock adds an empty block; the first one is the entry. It does not become
// current, except the first.
func (b *BodyBuilder) NewBlock() BlockID {
	b.blocks = append(b.blocks, openBlock{head: None, tail: None})
	return BlockID(len(b.blocks) - 1)
}

// SetBlock makes later instructions go to the end of a block.
func (b *BodyBuilder) SetBlock(id BlockID) { b.current = id }

// Block returns the current block.
func (b *BodyBuilder) Block() BlockID { return b.current }

// NumBlocks tells how many blocks there are.
func (b *BodyBuilder) NumBlocks() int { return len(b.blocks) }

// Terminated tells whether the current block has its terminator.
func (b *BodyBuilder) Terminated() bool {
	t := b.blocks[b.current].tail
	return t != None && b.instrs[t].Op.IsTerm()
}

// Emit appends an instruction without result to the current block. Dst and
// Args of in are ignored.
func (b *BodyBuilder) Emit(pos Pos, in Instr, args ...Value) InstrRef {
	return b.DefReg(None, pos, in, args...)
}

// Def appends an instruction whose result is a new register of type typ, and
// returns that register.
func (b *BodyBuilder) Def(typ TypeID, name string, pos Pos, in Instr, args ...Value) Reg {
	r := b.NewReg(typ, name)
	b.DefReg(r, pos, in, args...)
	return r
}

// DefReg appends an instruction that assigns an existing register.
func (b *BodyBuilder) DefReg(dst Reg, pos Pos, in Instr, args ...Value) InstrRef {
	ref := int32(len(b.instrs))
	in.Dst = dst
	in.Args = Span{int32(len(b.operands)), int32(len(args))}
	b.operands = append(b.operands, args...)
	b.instrs = append(b.instrs, in)
	b.next = append(b.next, None)
	b.pos = append(b.pos, pos)
	block := &b.blocks[b.current]
	if block.tail == None {
		block.head = ref
	} else {
		b.next[block.tail] = ref
	}
	block.tail = ref
	return InstrRef(ref)
}

// SetArgs replaces the operands of an instruction: those of a phi are often
// known late.
func (b *BodyBuilder) SetArgs(ref InstrRef, args ...Value) {
	b.instrs[ref].Args = Span{int32(len(b.operands)), int32(len(args))}
	b.operands = append(b.operands, args...)
}

// SetFlags replaces the flags of an instruction.
func (b *BodyBuilder) SetFlags(ref InstrRef, flags Flags) { b.instrs[ref].Flags = flags }

// SetSuccs gives a block its successors.
func (b *BodyBuilder) SetSuccs(id BlockID, succs ...BlockID) {
	b.blocks[id].succs = b.addEdges(succs)
}

// SetHandlers gives a block its exceptional successors.
func (b *BodyBuilder) SetHandlers(id BlockID, handlers ...BlockID) {
	b.blocks[id].handlers = b.addEdges(handlers)
}

// SetPreds fixes the order of predecessors. Without it they come in the order
// of blocks and, within a block, of its successors; exceptional ones last.
func (b *BodyBuilder) SetPreds(id BlockID, preds ...BlockID) {
	b.blocks[id].preds = b.addEdges(preds)
	b.blocks[id].predsSet = true
}

func (b *BodyBuilder) addEdges(ids []BlockID) Span {
	s := Span{int32(len(b.edges)), int32(len(ids))}
	b.edges = append(b.edges, ids...)
	return s
}

// SetRecover names the block that is entered when a deferred call stops a
// panic.
func (b *BodyBuilder) SetRecover(id BlockID) { b.recover = id + 1 }

// Jump ends the current block.
func (b *BodyBuilder) Jump(pos Pos, to BlockID) {
	b.Emit(pos, Instr{Op: OpJump})
	b.SetSuccs(b.current, to)
}

// If ends the current block.
func (b *BodyBuilder) If(pos Pos, cond Value, then, els BlockID) {
	b.Emit(pos, Instr{Op: OpIf}, cond)
	b.SetSuccs(b.current, then, els)
}

// Return ends the current block.
func (b *BodyBuilder) Return(pos Pos, results ...Value) {
	b.Emit(pos, Instr{Op: OpReturn}, results...)
}

// Finish returns the body and resets the builder.
func (b *BodyBuilder) Finish() *Body {
	body := &Body{
		Params:   b.params,
		Captures: b.captures,
		Regs:     append([]RegInfo(nil), b.regs...),
		Recover:  b.recover - 1,
	}
	if n := len(b.blocks); n > 0 {
		body.Blocks = make([]Block, n)
		b.layEdges(body)
	}
	if n := len(b.instrs); n > 0 {
		body.Instrs = make([]Instr, 0, n)
		body.Pos = make([]Pos, 0, n)
		b.layInstrs(body)
	}
	b.Reset()
	return body
}

func (b *BodyBuilder) layInstrs(body *Body) {
	operands := 0
	for i := range b.instrs {
		operands += int(b.instrs[i].Args.Len)
	}
	if operands > 0 {
		body.Operands = make([]Value, 0, operands)
	}
	for id := range b.blocks {
		body.Blocks[id].First = int32(len(body.Instrs))
		for i := b.blocks[id].head; i != None; i = b.next[i] {
			in := b.instrs[i]
			args := b.operands[in.Args.Off : in.Args.Off+in.Args.Len]
			in.Args.Off = int32(len(body.Operands))
			body.Operands = append(body.Operands, args...)
			body.Instrs = append(body.Instrs, in)
			body.Pos = append(body.Pos, b.pos[i])
		}
		body.Blocks[id].End = int32(len(body.Instrs))
	}
}

// layEdges puts, block by block, successors, predecessors and handlers into
// body.Edges. Predecessors that were not given are found in two passes: count,
// then fill, first along normal edges and then along exceptional ones.
func (b *BodyBuilder) layEdges(body *Body) {
	for id := range b.blocks {
		o := &b.blocks[id]
		if o.predsSet {
			body.Blocks[id].Preds.Len = o.preds.Len
		}
	}
	b.eachDerivedEdge(func(_, to BlockID) { body.Blocks[to].Preds.Len++ })
	total := int32(0)
	for id := range b.blocks {
		o, n := &b.blocks[id], &body.Blocks[id]
		n.Succs = Span{total, o.succs.Len}
		n.Preds.Off = total + o.succs.Len
		n.Handlers = Span{n.Preds.Off + n.Preds.Len, o.handlers.Len}
		total = n.Handlers.Off + n.Handlers.Len
	}
	if total == 0 {
		return
	}
	body.Edges = make([]BlockID, total)
	for id := range b.blocks {
		o, n := &b.blocks[id], &body.Blocks[id]
		copy(body.edges(n.Succs), b.span(o.succs))
		copy(body.edges(n.Handlers), b.span(o.handlers))
		if o.predsSet {
			copy(body.edges(n.Preds), b.span(o.preds))
		} else {
			n.Preds.Len = 0 // counts again while filling
		}
	}
	b.eachDerivedEdge(func(from, to BlockID) {
		p := &body.Blocks[to].Preds
		body.Edges[p.Off+p.Len] = from
		p.Len++
	})
}

// eachDerivedEdge visits the edges into blocks whose predecessors were not
// given, in the order that predecessors have by default.
func (b *BodyBuilder) eachDerivedEdge(visit func(from, to BlockID)) {
	for _, exceptional := range []bool{false, true} {
		for id := range b.blocks {
			s := b.blocks[id].succs
			if exceptional {
				s = b.blocks[id].handlers
			}
			for _, to := range b.span(s) {
				if int(to) < len(b.blocks) && to >= 0 && !b.blocks[to].predsSet {
					visit(BlockID(id), to)
				}
			}
		}
	}
}

func (b *BodyBuilder) span(s Span) []BlockID { return b.edges[s.Off : s.Off+s.Len] }

// Rewrite copies a body and lets replace change it: replace gets the index of
// each instruction of old in turn and either returns false, which keeps the
// instruction, or emits any number of instructions in its place and returns
// true. Blocks, edges and registers stay; new registers may be added. If
// nothing was replaced the result is old itself.
func (b *BodyBuilder) Rewrite(old *Body, replace func(i int) bool) *Body {
	b.load(old)
	changed := false
	for id := range old.Blocks {
		b.SetBlock(BlockID(id))
		for i := old.Blocks[id].First; i < old.Blocks[id].End; i++ {
			if replace(int(i)) {
				changed = true
				continue
			}
			in := &old.Instrs[i]
			b.DefReg(in.Dst, old.Pos[i], *in, old.Args(in)...)
		}
	}
	if !changed {
		b.Reset()
		return old
	}
	return b.Finish()
}

// load starts a body with the registers, blocks and edges of another.
func (b *BodyBuilder) load(old *Body) {
	b.Reset()
	b.params, b.captures, b.recover = old.Params, old.Captures, old.Recover+1
	b.regs = append(b.regs, old.Regs...)
	for id := range old.Blocks {
		b.NewBlock()
		b.SetSuccs(BlockID(id), old.Succs(BlockID(id))...)
		b.SetPreds(BlockID(id), old.Preds(BlockID(id))...)
		b.SetHandlers(BlockID(id), old.Handlers(BlockID(id))...)
	}
}
