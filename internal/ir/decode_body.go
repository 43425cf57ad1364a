package ir

import (
	"fmt"
	"math"
)

// decodeBody reads the body of a function. Its indices are in range or there
// is an error.
func (u *Unit) decodeBody(id FuncID) (*Body, error) {
	f := &u.Funcs[id]
	d := &decoder{data: f.encoded, u: u}
	body := d.body()
	if d.err != nil {
		return nil, fmt.Errorf("ir: decode body of %s, byte %d of %d: %w", f.Symbol, d.off, len(f.encoded), d.err)
	}
	return body, nil
}

func (d *decoder) body() *Body {
	codeEnd := d.count(1) + d.off
	body := &Body{}
	params, captures, recovery := d.count(1), d.count(1), d.uint()
	regs, blocks, edges := d.count(2), d.count(4), d.count(1)
	instrs, operands := d.count(2), d.count(1)
	if d.err != nil {
		return nil
	}
	if params+captures > regs || recovery > uint64(blocks) {
		d.fail(errRange)
		return nil
	}
	body.Params, body.Captures, body.Recover = int32(params), int32(captures), BlockID(recovery)-1
	if regs > 0 {
		body.Regs = make([]RegInfo, regs)
	}
	for i := range body.Regs {
		body.Regs[i] = RegInfo{Type: d.typeID(), Name: d.str()}
	}
	d.blocks(body, blocks, edges, instrs)
	d.instrs(body, instrs, operands)
	if d.err != nil {
		return nil
	}
	if d.off != codeEnd {
		d.fail(errTrailer)
		return nil
	}
	d.positions(body)
	return body
}

func (d *decoder) blocks(body *Body, blocks, edges, instrs int) {
	if blocks > 0 {
		body.Blocks = make([]Block, blocks)
	}
	if edges > 0 {
		body.Edges = make([]BlockID, edges)
	}
	used, first := 0, 0
	for i := range body.Blocks {
		b := &body.Blocks[i]
		end := first + d.bounded(instrs-first+1)
		b.First, b.End = int32(first), int32(end)
		first = end
		for _, s := range [...]*Span{&b.Succs, &b.Preds, &b.Handlers} {
			n := d.bounded(edges - used + 1)
			*s = Span{int32(used), int32(n)}
			for j := used; j < used+n; j++ {
				body.Edges[j] = BlockID(d.bounded(blocks))
			}
			used += n
		}
		if d.err != nil {
			return
		}
	}
	if used != edges || first != instrs {
		d.fail(errCount)
	}
}

func (d *decoder) instrs(body *Body, instrs, operands int) {
	if d.err != nil {
		return
	}
	if instrs > 0 {
		body.Instrs = make([]Instr, instrs)
	}
	if operands > 0 {
		body.Operands = make([]Value, operands)
	}
	limits := d.valueLimits()
	next, used := int64(body.Params+body.Captures), 0
	for i := range body.Instrs {
		in := &body.Instrs[i]
		args := d.instr(in, next, len(body.Regs))
		if args > operands-used {
			d.fail(errCount)
		}
		if d.err != nil {
			return
		}
		in.Args = Span{int32(used), int32(args)}
		for j := used; j < used+args; j++ {
			body.Operands[j] = d.value(next, len(body.Regs), &limits)
		}
		used += args
		if in.Dst != None {
			next = int64(in.Dst) + 1
		}
	}
	if used != operands {
		d.fail(errCount)
	}
}

// instr reads everything of an instruction up to its operands, and returns how
// many of them there are.
func (d *decoder) instr(in *Instr, next int64, regs int) (args int) {
	if len(d.data)-d.off < 2 {
		d.fail(errShort)
		return 0
	}
	op, mask := Op(d.data[d.off]), d.data[d.off+1]
	d.off += 2
	if op == OpInvalid || op >= numOps {
		d.fail(errRange)
		return 0
	}
	in.Op = op
	info := &opTable[op]
	if mask&maskSub != 0 {
		in.Sub = uint8(d.bounded(max(len(info.Sub), 1)))
	}
	if mask&maskFlags != 0 {
		flags := d.uint()
		if flags > math.MaxUint32 {
			d.fail(errRange)
		}
		in.Flags = Flags(flags)
	}
	if mask&maskType != 0 {
		in.Type = d.typeID()
	}
	if mask&maskAux != 0 {
		in.Aux = int32(d.signed(math.MinInt32, math.MaxInt32))
	}
	d.checkAux(info.Aux, in.Aux)
	in.Dst = None
	if mask&maskDst != 0 {
		in.Dst = Reg(next + d.signed(-next, int64(regs)-next-1))
	}
	args = int(mask >> maskArgsShift)
	if args == maskManyArgs {
		args = d.count(1)
	}
	return args
}

// signed reads a number between two limits.
func (d *decoder) signed(low, high int64) int64 {
	n := d.int()
	if n < low || n > high {
		d.fail(errRange)
		return 0
	}
	return n
}

func (d *decoder) checkAux(kind AuxKind, aux int32) {
	low, limit := int32(0), 1
	switch kind {
	case AuxField:
		limit = len(d.u.Fields)
	case AuxFunc:
		limit = len(d.u.FuncRefs)
	case AuxMethod:
		limit = len(d.u.Methods)
	case AuxIndex:
		limit = math.MaxInt32
	case AuxOrder:
		limit = len(orderNames)
	case AuxName:
		low, limit = None, len(d.u.Consts)
	}
	if aux < low || int(aux) >= limit {
		d.fail(errRange)
	}
}

// valueLimits returns the lengths of the tables that operands index.
func (d *decoder) valueLimits() [wireNone + 1]uint64 {
	return [...]uint64{
		wireConst:  uint64(len(d.u.Consts)),
		wireGlobal: uint64(len(d.u.GlobalRefs)),
		wireFunc:   uint64(len(d.u.FuncRefs)),
		wireNone:   1,
	}
}

func (d *decoder) value(next int64, regs int, limits *[wireNone + 1]uint64) Value {
	w := d.uint()
	if w&1 == 0 {
		r := next - unzigzag(w>>1)
		if uint64(r) >= uint64(regs) {
			d.fail(errRange)
			return NoValue
		}
		return RegValue(Reg(r))
	}
	kind, index := w>>1&3, w>>3
	if index >= limits[kind] || index > valueIndex {
		d.fail(errRange)
		return NoValue
	}
	switch kind {
	case wireConst:
		return ConstValue(ConstID(index))
	case wireGlobal:
		return GlobalValue(GlobalRef(index))
	case wireFunc:
		return FuncValue(FuncRefID(index))
	}
	return NoValue
}

func (d *decoder) positions(body *Body) {
	n := len(body.Instrs)
	if n > len(d.data)-d.off {
		d.fail(errShort)
		return
	}
	if n > 0 {
		body.Pos = make([]Pos, n)
	}
	var coder posCoder
	for i := range body.Pos {
		body.Pos[i] = coder.read(d, len(d.u.Files))
	}
	if d.off != len(d.data) {
		d.fail(errTrailer)
	}
}

// read is the inverse of append. Only what the unit has files for is valid.
func (c *posCoder) read(d *decoder, files int) Pos {
	head := d.uint()
	switch head & (1<<posKindBits - 1) {
	case posSame:
		return c.prev
	case posZero:
		return Pos{}
	}
	p := c.prev
	p.Line = d.coord(int64(p.Line) + unzigzag(head>>posKindBits))
	switch head & (1<<posKindBits - 1) {
	case posLine:
		col := int64(d.uint())
		p.Col, p.EndLine, p.EndCol = d.coord(col), p.Line, d.coord(col+d.int())
	case posPoint:
		p.Col, p.EndLine, p.EndCol = d.coord(int64(d.uint())), 0, 0
	case posFull:
		p.File = FileID(d.signed(0, int64(files)-1))
		p.Col = d.coord(d.int())
		p.EndLine = d.coord(int64(p.Line) + d.int())
		p.EndCol = d.coord(d.int())
	default:
		d.fail(errRange)
	}
	if int(p.File) >= files {
		d.fail(errRange)
	}
	c.prev = p
	return p
}

// coord checks a line or column.
func (d *decoder) coord(n int64) int32 {
	if n < 0 || n > math.MaxInt32 {
		d.fail(errRange)
		return 0
	}
	return int32(n)
}
