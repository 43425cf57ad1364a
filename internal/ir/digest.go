package ir

import (
	"crypto/sha256"
	"encoding/binary"
)

// Digest identifies the code of a body by content.
type Digest [16]byte

// Digester computes digests of the bodies of one unit. A digest covers the
// code, with the names of registers, but no positions, and everything of the
// tables that the code mentions by content, not by number: neither an edit that
// moves a function nor one that renumbers the tables changes it.
type Digester struct {
	u          *Unit
	types      digestTable
	fields     digestTable
	funcRefs   digestTable
	globalRefs digestTable
	consts     digestTable
	methods    digestTable
	run        int32  // counts bodies, so that marks need no clearing
	used       uint64 // entries that the current body has mentioned
	buf        []byte
}

// digestTable holds what is known of the entries of one table.
type digestTable struct {
	known   []bool
	digests []Digest
	run     []int32  // the body that mentioned the entry last
	local   []uint64 // its number among those that body mentioned
}

func newDigestTable(n int) digestTable {
	return digestTable{make([]bool, n), make([]Digest, n), make([]int32, n), make([]uint64, n)}
}

// NewDigester prepares for the bodies of a unit, whose tables must not change
// any more.
func NewDigester(u *Unit) *Digester {
	return &Digester{
		u:          u,
		types:      newDigestTable(len(u.Types)),
		fields:     newDigestTable(len(u.Fields)),
		funcRefs:   newDigestTable(len(u.FuncRefs)),
		globalRefs: newDigestTable(len(u.GlobalRefs)),
		consts:     newDigestTable(len(u.Consts)),
		methods:    newDigestTable(len(u.Methods)),
	}
}

// Body returns the digest of a body of the unit.
func (d *Digester) Body(b *Body) Digest {
	d.run++
	d.used = 0
	d.buf = d.buf[:0]
	for _, n := range [...]int{int(b.Params), int(b.Captures), int(b.Recover), len(b.Regs), len(b.Blocks)} {
		d.int(int64(n))
	}
	for i := range b.Regs {
		d.typ(b.Regs[i].Type)
		d.str(b.Regs[i].Name)
	}
	for i := range b.Blocks {
		block := &b.Blocks[i]
		d.int(int64(block.End - block.First))
		for _, s := range [...]Span{block.Succs, block.Preds, block.Handlers} {
			d.int(int64(s.Len))
			for _, to := range b.edges(s) {
				d.int(int64(to))
			}
		}
	}
	for i := range b.Instrs {
		d.instr(b, &b.Instrs[i])
	}
	return sum(d.buf)
}

func sum(data []byte) Digest {
	h := sha256.Sum256(data)
	return Digest(h[:len(Digest{})])
}

func (d *Digester) instr(b *Body, in *Instr) {
	d.buf = append(d.buf, byte(in.Op), in.Sub)
	d.int(int64(in.Flags))
	d.int(int64(in.Dst))
	d.typ(in.Type)
	switch in.Op.Info().Aux {
	case AuxField:
		d.mention(&d.fields, in.Aux, d.fieldDigest)
	case AuxFunc:
		d.mention(&d.funcRefs, in.Aux, d.funcDigest)
	case AuxMethod:
		d.mention(&d.methods, in.Aux, d.methodDigest)
	case AuxName:
		d.int(int64(min(in.Aux, 0)))
		if in.Aux != None {
			d.mention(&d.consts, in.Aux, d.constDigest)
		}
	default:
		d.int(int64(in.Aux))
	}
	d.int(int64(in.Args.Len))
	for _, v := range b.Args(in) {
		d.buf = append(d.buf, byte(v.Kind()))
		switch v.Kind() {
		case ValueReg:
			d.int(int64(v.Reg()))
		case ValueConst:
			d.mention(&d.consts, int32(v.Const()), d.constDigest)
		case ValueGlobal:
			d.mention(&d.globalRefs, int32(v.Global()), d.globalDigest)
		case ValueFunc:
			d.mention(&d.funcRefs, int32(v.Func()), d.funcDigest)
		}
	}
}

func (d *Digester) int(n int64)  { d.buf = binary.AppendVarint(d.buf, n) }
func (d *Digester) str(s string) { d.buf = appendKeyString(d.buf, s) }

func (d *Digester) typ(id TypeID) { d.mention(&d.types, int32(id), d.typeDigest) }

// mention writes an entry's digest where a body first mentions it, and later
// its number among those mentioned.
func (d *Digester) mention(t *digestTable, id int32, compute func(int32) Digest) {
	if t.run[id] == d.run {
		d.buf = binary.AppendUvarint(d.buf, t.local[id])
		return
	}
	digest := d.entry(t, id, compute)
	d.used++
	t.run[id], t.local[id] = d.run, d.used
	d.buf = append(append(d.buf, 0), digest[:]...)
}

func (d *Digester) entry(t *digestTable, id int32, compute func(int32) Digest) Digest {
	if !t.known[id] {
		t.digests[id], t.known[id] = compute(id), true
	}
	return t.digests[id]
}

// appendType appends the digest of a type.
func (d *Digester) appendType(out []byte, id TypeID) []byte {
	digest := d.entry(&d.types, int32(id), d.typeDigest)
	return append(out, digest[:]...)
}

func (d *Digester) appendTypes(out []byte, ids []TypeID) []byte {
	out = binary.AppendUvarint(out, uint64(len(ids)))
	for _, id := range ids {
		out = d.appendType(out, id)
	}
	return out
}

func (d *Digester) typeDigest(id int32) Digest {
	t := &d.u.Types[id]
	if t.Kind == KindInvalid {
		return Digest{}
	}
	out := []byte{byte(t.Kind), byte(t.Dir), boolByte(t.Variadic)}
	out = d.appendType(out, t.Elem)
	out = d.appendType(out, t.Key)
	out = binary.AppendVarint(out, t.Len)
	out = appendKeyString(out, t.Name)
	out = d.appendTypes(out, t.Elems)
	out = d.appendTypes(out, t.Results)
	out = binary.AppendUvarint(out, uint64(len(t.Fields)))
	for i := range t.Fields {
		f := &t.Fields[i]
		out = d.appendType(appendKeyString(out, f.Name), f.Type)
		out = append(binary.AppendVarint(out, f.Offset), byte(f.Flags))
	}
	for i := range t.Methods {
		out = d.appendType(appendKeyString(out, t.Methods[i].Name), t.Methods[i].Sig)
	}
	return sum(out)
}

func (d *Digester) fieldDigest(id int32) Digest {
	f := &d.u.Fields[id]
	out := d.appendType(appendKeyString(nil, f.Name), f.Struct)
	return sum(binary.AppendVarint(out, int64(f.Index)))
}

func (d *Digester) funcDigest(id int32) Digest {
	f := &d.u.FuncRefs[id]
	return sum(d.appendTypes(appendKeyString(nil, f.Symbol), f.Args))
}

func (d *Digester) globalDigest(id int32) Digest { return sum([]byte(d.u.GlobalRefs[id])) }

func (d *Digester) constDigest(id int32) Digest {
	c := &d.u.Consts[id]
	return sum(d.appendType(appendKeyString(nil, c.Text), c.Type))
}

func (d *Digester) methodDigest(id int32) Digest {
	m := &d.u.Methods[id]
	return sum(d.appendType(appendKeyString(nil, m.Name), m.Sig))
}
