package ir

import "encoding/binary"

// A body is: the length of its code; the code, which is counts, registers,
// blocks with their edges, and instructions; and positions, one for each
// instruction. Nothing in the code depends on positions.
//
// An instruction is its operation, a mask that tells which of its fields are
// not zero, and those fields. Registers are written as distances from the one
// after that assigned last, which are small; where an instruction assigns that
// very register, a bit beside the operation says so.
const (
	maskSub = 1 << iota
	maskFlags
	maskType
	maskAux
	maskDst
	maskArgsShift = 5
	maskManyArgs  = 7 // the number of operands follows

	opNextReg = 1 << 7
)

// An operand is a distance shifted by one, or an index with its kind and a set
// lowest bit.
const (
	wireConst = iota
	wireGlobal
	wireFunc
	wireNone
)

// appendBody appends the binary form of a body. Strings go to the unit's table.
func (e *encoder) appendBody(out []byte, body *Body) []byte {
	if !isCompact(body) {
		body = relaid(body, body.Regs)
	}
	code := e.appendCode(e.code[:0], body)
	e.code = code
	out = binary.AppendUvarint(out, uint64(len(code)))
	out = append(out, code...)
	var pos posCoder
	for i := range body.Pos {
		out = pos.append(out, body.Pos[i])
	}
	return out
}

func (e *encoder) appendCode(out []byte, body *Body) []byte {
	for _, n := range [...]int{
		int(body.Params), int(body.Captures), int(body.Recover + 1),
		len(body.Regs), len(body.Blocks), len(body.Edges), len(body.Instrs), len(body.Operands),
	} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	for i := range body.Regs {
		out = binary.AppendUvarint(out, uint64(uint32(body.Regs[i].Type)))
		out = binary.AppendUvarint(out, e.stringID(body.Regs[i].Name))
	}
	for i := range body.Blocks {
		b := &body.Blocks[i]
		out = binary.AppendUvarint(out, uint64(b.End-b.First))
		for _, s := range [...]Span{b.Succs, b.Preds, b.Handlers} {
			out = binary.AppendUvarint(out, uint64(s.Len))
			for _, to := range body.edges(s) {
				out = binary.AppendUvarint(out, uint64(uint32(to)))
			}
		}
	}
	next := Reg(body.Params + body.Captures)
	for i := range body.Instrs {
		out = appendInstr(out, &body.Instrs[i], body.Args(&body.Instrs[i]), next)
		if d := body.Instrs[i].Dst; d != None {
			next = d + 1
		}
	}
	return out
}

func appendInstr(out []byte, in *Instr, args []Value, next Reg) []byte {
	mask := byte(min(len(args), maskManyArgs)) << maskArgsShift
	out = append(out, byte(in.Op), 0)
	at := len(out) - 1
	if in.Sub != 0 {
		mask |= maskSub
		out = binary.AppendUvarint(out, uint64(in.Sub))
	}
	if in.Flags != 0 {
		mask |= maskFlags
		out = binary.AppendUvarint(out, uint64(in.Flags))
	}
	if in.Type != 0 {
		mask |= maskType
		out = binary.AppendUvarint(out, uint64(uint32(in.Type)))
	}
	if in.Aux != 0 {
		mask |= maskAux
		out = binary.AppendVarint(out, int64(in.Aux))
	}
	if in.Dst == next {
		out[at-1] |= opNextReg
	} else if in.Dst != None {
		mask |= maskDst
		out = binary.AppendVarint(out, int64(in.Dst-next))
	}
	if len(args) >= maskManyArgs {
		out = binary.AppendUvarint(out, uint64(len(args)))
	}
	out[at] = mask
	for _, v := range args {
		out = binary.AppendUvarint(out, wireValue(v, next))
	}
	return out
}

func wireValue(v Value, next Reg) uint64 {
	wire := func(kind uint64) uint64 { return uint64(v&valueIndex)<<3 | kind<<1 | 1 }
	switch v.Kind() {
	case ValueReg:
		return zigzag(int64(next)-int64(v.Reg())) << 1
	case ValueConst:
		return wire(wireConst)
	case ValueGlobal:
		return wire(wireGlobal)
	case ValueFunc:
		return wire(wireFunc)
	}
	return wireNone<<1 | 1
}

func zigzag(n int64) uint64   { return uint64(n<<1) ^ uint64(n>>63) }
func unzigzag(n uint64) int64 { return int64(n>>1) ^ -int64(n&1) }

// posCoder writes and reads positions as differences from the one before.
type posCoder struct{ prev Pos }

// The lowest bits of a position say how it is written.
const (
	posSame = iota // as the one before
	posZero
	posLine  // same file, on one line: line, column, width
	posPoint // same file, end unknown: line, column
	posFull
	posKindBits = 3
)

func (c *posCoder) append(out []byte, p Pos) []byte {
	prev := c.prev
	switch {
	case p == prev:
		return append(out, posSame)
	case p == (Pos{}):
		return append(out, posZero)
	}
	c.prev = p
	line := zigzag(int64(p.Line)-int64(prev.Line)) << posKindBits
	if p.File == prev.File && p.EndLine == p.Line && p.Col >= 0 {
		out = binary.AppendUvarint(out, line|posLine)
		out = binary.AppendUvarint(out, uint64(p.Col))
		return binary.AppendVarint(out, int64(p.EndCol)-int64(p.Col))
	}
	if p.File == prev.File && p.EndLine == 0 && p.EndCol == 0 && p.Col >= 0 {
		out = binary.AppendUvarint(out, line|posPoint)
		return binary.AppendUvarint(out, uint64(p.Col))
	}
	out = binary.AppendUvarint(out, line|posFull)
	out = binary.AppendVarint(out, int64(p.File))
	out = binary.AppendVarint(out, int64(p.Col))
	out = binary.AppendVarint(out, int64(p.EndLine)-int64(p.Line))
	return binary.AppendVarint(out, int64(p.EndCol))
}
