package ir

import (
	"encoding/binary"
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

// captures tells how many values a function captures, if it has a body. It
// does not decode the body.
func (f *Func) captures() (n int, ok bool) {
	if f.body != nil {
		return int(f.body.Captures), true
	}
	_, off := readUint(f.encoded, 0) // length of the code
	_, off = readUint(f.encoded, off)
	captures, off := readUint(f.encoded, off)
	return int(captures), off <= len(f.encoded)
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
	d.regs(body)
	d.blocks(body, blocks, edges, instrs)
	if d.err == nil && instrs > 0 {
		body.Instrs = make([]Instr, instrs)
	}
	if d.err == nil && operands > 0 {
		body.Operands = make([]Value, operands)
	}
	d.instrs(body)
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

func (d *decoder) regs(body *Body) {
	types, names := uint64(len(d.u.Types)), d.u.strings
	data, off := d.data, d.off
	var typ, name uint64
	for i := range body.Regs {
		typ, off = readUint(data, off)
		name, off = readUint(data, off)
		if typ >= types || name >= uint64(len(names)) {
			d.fail(errRange)
			return
		}
		body.Regs[i] = RegInfo{Type: TypeID(typ), Name: names[name]}
	}
	d.off = off
	if off > len(data) {
		d.fail(errShort)
	}
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

// readUint reads a number of the data from an offset on and returns where it
// ends. Behind the data, or after a malformed number, everything reads as zero
// and the offset stays behind the data: a loop may look for that at its end.
func readUint(data []byte, off int) (uint64, int) {
	if uint(off) < uint(len(data)) && data[off] < 0x80 {
		return uint64(data[off]), off + 1
	}
	return readLongUint(data, off)
}

func readLongUint(data []byte, off int) (uint64, int) {
	if off < len(data) {
		if n, size := binary.Uvarint(data[off:]); size > 0 {
			return n, off + size
		}
	}
	return 0, len(data) + 1
}

// instrs reads the instructions of a body. It is the hot loop of a warm run, so
// it keeps its place in variables and reads numbers without looking for errors
// until it has read them all.
func (d *decoder) instrs(body *Body) {
	limits := d.limits()
	types, regs := uint64(len(d.u.Types)), uint64(len(body.Regs))
	next, used := int64(body.Params+body.Captures), 0
	data, off := d.data, d.off
	for i := range body.Instrs {
		in := &body.Instrs[i]
		if off+1 >= len(data) {
			d.fail(errShort)
			return
		}
		op, mask := Op(data[off]&^opNextReg), data[off+1]
		assigns := data[off]&opNextReg != 0
		off += 2
		if op == OpInvalid || op >= numOps {
			d.fail(errRange)
			return
		}
		in.Op, in.Dst = op, None
		var sub, flags, typ, aux, dst uint64
		if mask&maskSub != 0 {
			sub, off = readUint(data, off)
			in.Sub = uint8(sub)
		}
		if mask&maskFlags != 0 {
			flags, off = readUint(data, off)
			in.Flags = Flags(flags)
		}
		if mask&maskType != 0 {
			typ, off = readUint(data, off)
			in.Type = TypeID(typ)
		}
		if mask&maskAux != 0 {
			aux, off = readUint(data, off)
			in.Aux = int32(unzigzag(aux))
		}
		after := next
		if mask&maskDst != 0 {
			dst, off = readUint(data, off)
			after, assigns = next+unzigzag(dst), true
		}
		if assigns {
			if uint64(after) >= regs {
				d.fail(errRange)
				return
			}
			in.Dst = Reg(after)
			after++
		}
		if sub >= uint64(wireOps[op].subs) || flags > math.MaxUint32 || typ >= types || !limits.auxInRange(wireOps[op].aux, unzigzag(aux)) {
			d.fail(errRange)
			return
		}
		args := uint64(mask >> maskArgsShift)
		if args == maskManyArgs {
			args, off = readUint(data, off)
		}
		if args > uint64(len(body.Operands)-used) {
			d.fail(errCount)
			return
		}
		in.Args = Span{int32(used), int32(args)}
		off = limits.operands(data, off, body.Operands[used:used+int(args)], next, regs)
		if off < 0 {
			d.fail(errRange)
			return
		}
		used += int(args)
		next = after
	}
	d.off = off
	if off > len(data) {
		d.fail(errShort)
	} else if used != len(body.Operands) {
		d.fail(errCount)
	}
}

// operands reads a list of operands, and returns a negative offset if one is
// out of range.
func (l *wireLimits) operands(data []byte, off int, list []Value, next int64, regs uint64) int {
	var wire uint64
	for i := range list {
		// Most operands take one byte, and readUint is not inlined.
		if off < len(data) && data[off] < 0x80 {
			wire = uint64(data[off])
			off++
		} else {
			wire, off = readLongUint(data, off)
		}
		if wire&1 == 0 {
			r := uint64(next - unzigzag(wire>>1))
			if r >= regs {
				return -1
			}
			list[i] = RegValue(Reg(r))
			continue
		}
		kind, index := wire>>1&3, wire>>3
		if index >= l.values[kind] {
			return -1
		}
		list[i] = wireTags[kind] | Value(index)
	}
	return off
}

// wireTags turns an index of a kind into an operand.
var wireTags = [...]Value{
	wireConst:  ConstValue(0),
	wireGlobal: GlobalValue(0),
	wireFunc:   FuncValue(0),
	wireNone:   NoValue,
}

// wireLimits are the bounds of what instructions of a unit may hold.
type wireLimits struct {
	values [wireNone + 1]uint64 // of indices in operands, by kind
	aux    [AuxName + 1]int64   // of the aux field, by kind
}

// wireOps has of each operation what the decoder needs, close together.
var wireOps = func() (ops [numOps]struct {
	subs uint8
	aux  AuxKind
}) {
	for op := range ops {
		ops[op].subs = uint8(max(len(opTable[op].Sub), 1))
		ops[op].aux = opTable[op].Aux
	}
	return ops
}()

func (d *decoder) limits() wireLimits {
	u := d.u
	return wireLimits{
		values: [...]uint64{
			wireConst:  uint64(min(len(u.Consts), valueIndex)),
			wireGlobal: uint64(min(len(u.GlobalRefs), valueIndex)),
			wireFunc:   uint64(min(len(u.FuncRefs), valueIndex)),
			wireNone:   1,
		},
		aux: [...]int64{
			AuxNone:   1,
			AuxField:  int64(len(u.Fields)),
			AuxFunc:   int64(len(u.FuncRefs)),
			AuxMethod: int64(len(u.Methods)),
			AuxIndex:  math.MaxInt32,
			AuxOrder:  int64(len(orderNames)),
			AuxName:   int64(len(u.Consts)),
		},
	}
}

func (l *wireLimits) auxInRange(kind AuxKind, aux int64) bool {
	return aux < l.aux[kind] && (aux >= 0 || aux == None && kind == AuxName)
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
	files := int64(len(d.u.Files))
	data, off := d.data, d.off
	var prev Pos
	for i := range body.Pos {
		if off < len(data) && data[off] <= posZero {
			if data[off] == posSame {
				body.Pos[i] = prev
			}
			off++
			continue
		}
		if off = readPos(data, off, files, &prev); off > len(data) {
			d.fail(errRange)
			return
		}
		body.Pos[i] = prev
	}
	d.off = off
	if off != len(data) {
		d.fail(errTrailer)
	}
}

// read is the inverse of append.
func (c *posCoder) read(d *decoder) Pos {
	if d.err != nil {
		return Pos{}
	}
	if d.off < len(d.data) && d.data[d.off] <= posZero {
		d.off++
		if d.data[d.off-1] == posZero {
			return Pos{}
		}
		return c.prev
	}
	off := readPos(d.data, d.off, int64(len(d.u.Files)), &c.prev)
	if off > len(d.data) {
		d.fail(errRange)
		return Pos{}
	}
	d.off = off
	return c.prev
}

// readPos reads a position that differs from the one before it and puts it in
// its place. The offset it returns is behind the data if something is wrong.
func readPos(data []byte, off int, files int64, pos *Pos) int {
	head, off := readUint(data, off)
	var a, b, c uint64
	file := int64(pos.File)
	line := int64(pos.Line) + unzigzag(head>>posKindBits)
	var col, endLine, endCol int64
	switch head & (1<<posKindBits - 1) {
	case posLine:
		a, off = readUint(data, off)
		b, off = readUint(data, off)
		col, endLine, endCol = int64(a), line, int64(a)+unzigzag(b)
	case posPoint:
		a, off = readUint(data, off)
		col = int64(a)
	case posFull:
		a, off = readUint(data, off)
		file = unzigzag(a)
		a, off = readUint(data, off)
		b, off = readUint(data, off)
		c, off = readUint(data, off)
		col, endLine, endCol = unzigzag(a), line+unzigzag(b), unzigzag(c)
	default:
		return len(data) + 1
	}
	// A negative number has high bits set as well.
	if uint64(line|col|endLine|endCol) > math.MaxInt32 || uint64(file) >= uint64(files) {
		return len(data) + 1
	}
	*pos = Pos{FileID(file), int32(line), int32(col), int32(endLine), int32(endCol)}
	return off
}
