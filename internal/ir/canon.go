package ir

// A unit is canonical if its tables hold what is used and nothing else, without
// repeats, in the order of first use, and its bodies are laid out as
// BodyBuilder does it. What uses a table entry is visited in the order of
// definitions of types, globals and functions; of a function the signature, the
// registers and then the instructions. The order does not depend on how the
// tables were numbered, so two units that mean the same have one canonical
// form, and text needs no tables.

// Finish returns the unit in canonical form. The builder and the IDs it gave
// out are not to be used any more. Bodies that are still encoded are a misuse:
// a pass over a decoded unit ends with [Builder.Unit].
func (b *Builder) Finish() *Unit {
	for i := range b.u.Funcs {
		if b.u.Funcs[i].encoded != nil {
			panic("ir: Finish of a unit with encoded bodies: " + b.u.Path)
		}
	}
	return canonical(b.u)
}

// Canonical returns a unit in canonical form with all bodies decoded. The
// original stays as it is.
func Canonical(u *Unit) (*Unit, error) {
	c := *u
	c.Funcs = append([]Func(nil), u.Funcs...)
	for i := range c.Funcs {
		body, err := u.Body(FuncID(i))
		if err != nil {
			return nil, err
		}
		c.Funcs[i].SetBody(body)
	}
	return canonical(&c), nil
}

// canon renumbers the tables of a unit. Each slice maps an old index to the new
// one, or None.
type canon struct {
	old        *Unit
	to         *Builder
	types      []TypeID
	fields     []FieldID
	funcRefs   []FuncRefID
	globalRefs []GlobalRef
	consts     []ConstID
	methods    []MethodID
}

func canonical(u *Unit) *Unit {
	c := &canon{
		old:        u,
		to:         NewBuilder(u.Path, u.Lang),
		types:      noneSlice[TypeID](len(u.Types)),
		fields:     noneSlice[FieldID](len(u.Fields)),
		funcRefs:   noneSlice[FuncRefID](len(u.FuncRefs)),
		globalRefs: noneSlice[GlobalRef](len(u.GlobalRefs)),
		consts:     noneSlice[ConstID](len(u.Consts)),
		methods:    noneSlice[MethodID](len(u.Methods)),
	}
	if len(c.types) > 0 {
		c.types[0] = 0
	}
	n := c.to.u
	n.Files, n.Imports, n.Init = orNil(u.Files), orNil(u.Imports), u.Init
	n.Aliases, n.Annotations, n.Limits = orNil(u.Aliases), orNil(u.Annotations), orNil(u.Limits)
	c.decls()
	n.Funcs = append([]Func(nil), u.Funcs...)
	for i := range n.Funcs {
		f := &n.Funcs[i]
		f.Sig = c.typ(f.Sig)
		f.TypeParams = orNil(f.TypeParams)
		if f.body != nil {
			f.body = c.body(compact(f.body))
		}
	}
	return n
}

func noneSlice[T ~int32](n int) []T {
	s := make([]T, n)
	for i := range s {
		s[i] = None
	}
	return s
}

func (c *canon) decls() {
	n := c.to.u
	n.TypeDecls = append([]TypeDecl(nil), c.old.TypeDecls...)
	for i := range n.TypeDecls {
		d := &n.TypeDecls[i]
		d.Params, d.Methods = orNil(d.Params), orNil(d.Methods)
		d.Underlying = c.typ(d.Underlying)
		d.Supers = c.typeList(d.Supers)
	}
	n.Globals = append([]Global(nil), c.old.Globals...)
	for i := range n.Globals {
		n.Globals[i].Type = c.typ(n.Globals[i].Type)
	}
}

// typ returns the new ID of a type. Parts get theirs first, so that an entry
// mentions only entries before it.
func (c *canon) typ(id TypeID) TypeID {
	if n := c.types[id]; n != None {
		return n
	}
	t := c.old.Types[id]
	t.Elem, t.Key = c.typ(t.Elem), c.typ(t.Key)
	t.Elems, t.Results = c.typeList(t.Elems), c.typeList(t.Results)
	t.Fields = append([]Field(nil), t.Fields...)
	for i := range t.Fields {
		t.Fields[i].Type = c.typ(t.Fields[i].Type)
	}
	t.Methods = append([]Method(nil), t.Methods...)
	for i := range t.Methods {
		t.Methods[i].Sig = c.typ(t.Methods[i].Sig)
	}
	n := c.to.Type(t)
	c.types[id] = n
	return n
}

func (c *canon) typeList(ids []TypeID) []TypeID {
	if len(ids) == 0 {
		return nil
	}
	list := make([]TypeID, len(ids))
	for i, id := range ids {
		list[i] = c.typ(id)
	}
	return list
}

func (c *canon) field(id FieldID) FieldID {
	if c.fields[id] == None {
		r := &c.old.Fields[id]
		c.fields[id] = c.to.Field(c.typ(r.Struct), r.Name, r.Index)
	}
	return c.fields[id]
}

func (c *canon) funcRef(id FuncRefID) FuncRefID {
	if c.funcRefs[id] == None {
		r := &c.old.FuncRefs[id]
		c.funcRefs[id] = c.to.FuncRef(r.Symbol, c.typeList(r.Args)...)
	}
	return c.funcRefs[id]
}

func (c *canon) constant(id ConstID) ConstID {
	if c.consts[id] == None {
		k := &c.old.Consts[id]
		c.consts[id] = c.to.Const(c.typ(k.Type), k.Text)
	}
	return c.consts[id]
}

func (c *canon) method(id MethodID) MethodID {
	if c.methods[id] == None {
		m := &c.old.Methods[id]
		c.methods[id] = c.to.Method(m.Name, c.typ(m.Sig))
	}
	return c.methods[id]
}

func (c *canon) value(v Value) Value {
	switch v.Kind() {
	case ValueConst:
		return ConstValue(c.constant(v.Const()))
	case ValueGlobal:
		g := v.Global()
		if c.globalRefs[g] == None {
			c.globalRefs[g] = c.to.GlobalRef(c.old.GlobalRefs[g])
		}
		return GlobalValue(c.globalRefs[g])
	case ValueFunc:
		return FuncValue(c.funcRef(v.Func()))
	}
	return v
}

func (c *canon) aux(in *Instr) int32 {
	switch in.Op.Info().Aux {
	case AuxField:
		return int32(c.field(FieldID(in.Aux)))
	case AuxFunc:
		return int32(c.funcRef(FuncRefID(in.Aux)))
	case AuxMethod:
		return int32(c.method(MethodID(in.Aux)))
	case AuxName:
		if in.Aux != None {
			return int32(c.constant(ConstID(in.Aux)))
		}
	}
	return in.Aux
}

// body returns a copy of a body under the new numbers.
func (c *canon) body(old *Body) *Body {
	n := *old
	n.Regs = append([]RegInfo(nil), old.Regs...)
	n.Instrs = append([]Instr(nil), old.Instrs...)
	n.Operands = append([]Value(nil), old.Operands...)
	for i := range n.Regs {
		n.Regs[i].Type = c.typ(n.Regs[i].Type)
	}
	for i := range n.Instrs {
		in := &n.Instrs[i]
		in.Type = c.typ(in.Type)
		in.Aux = c.aux(in)
		args := n.Args(in)
		for j, v := range args {
			args[j] = c.value(v)
		}
	}
	return &n
}

// compact returns a body laid out as BodyBuilder does it: spans follow each
// other without gaps, registers that are never assigned are blank, and the last
// register is assigned. The result is the argument if that is so already.
func compact(body *Body) *Body {
	regs, blanked := usedRegs(body)
	if isCompact(body) && !blanked {
		return body
	}
	return relaid(body, regs)
}

// relaid returns a copy of a body, laid out anew, with the given registers.
func relaid(body *Body, regs []RegInfo) *Body {
	var b BodyBuilder
	b.load(body)
	b.regs = append(b.regs[:0], regs...)
	for id := range body.Blocks {
		b.SetBlock(BlockID(id))
		for i := body.Blocks[id].First; i < body.Blocks[id].End; i++ {
			in := &body.Instrs[i]
			b.DefReg(in.Dst, body.Pos[i], *in, body.Args(in)...)
		}
	}
	return b.Finish()
}

func isCompact(body *Body) bool {
	var edges, operands, instrs int32
	for i := range body.Blocks {
		b := &body.Blocks[i]
		for _, s := range [...]Span{b.Succs, b.Preds, b.Handlers} {
			if s.Off != edges {
				return false
			}
			edges += s.Len
		}
		if b.First != instrs {
			return false
		}
		instrs = b.End
	}
	for i := range body.Instrs {
		s := body.Instrs[i].Args
		if s.Off != operands {
			return false
		}
		operands += s.Len
	}
	return int(edges) == len(body.Edges) && int(operands) == len(body.Operands) && int(instrs) == len(body.Instrs)
}

// usedRegs returns the registers of a body without descriptions of unassigned
// ones, and whether that changed anything.
func usedRegs(body *Body) (regs []RegInfo, changed bool) {
	fixed := int(body.Params + body.Captures)
	assigned := make([]bool, len(body.Regs))
	n := fixed
	for i := range body.Instrs {
		if d := body.Instrs[i].Dst; d != None {
			assigned[d] = true
			n = max(n, int(d)+1)
		}
	}
	same := n == len(body.Regs)
	for r := fixed; r < n && same; r++ {
		same = assigned[r] || body.Regs[r] == RegInfo{}
	}
	if same {
		return body.Regs, false
	}
	regs = append([]RegInfo(nil), body.Regs[:n]...)
	for r := fixed; r < n; r++ {
		if !assigned[r] {
			regs[r] = RegInfo{}
		}
	}
	return regs, true
}
