package ir

// instr prints an instruction without successors and position.
func (p *printer) instr(i int) {
	in := &p.body.Instrs[i]
	info := in.Op.Info()
	if in.Dst != None {
		p.regDef(in.Dst)
		if !isDefaultResult(p.u, in, p.body.Regs[in.Dst].Type) {
			p.str(": ")
			p.typ(p.body.Regs[in.Dst].Type)
		}
		p.str(" = ")
	}
	args := p.body.Args(in)
	if isCall(in.Op) && How(in.Sub) != Now {
		p.str(nameAt(howNames, int(in.Sub)))
		p.str(" ")
	}
	p.str(info.Name)
	if len(info.Sub) > 0 && !isCall(in.Op) && !(in.Sub == 0 && omitsSub(in.Op)) {
		p.str(".")
		p.str(nameAt(info.Sub, int(in.Sub)))
	}
	args = p.instrFlags(in, args)
	if info.Typed {
		p.str(" ")
		p.typ(in.Type)
	}
	switch in.Op {
	case OpCall:
		p.str(" ")
		p.funcRef(FuncRefID(in.Aux))
		p.callArgs(args)
	case OpInvoke:
		p.invoke(in, args)
	case OpCallPtr:
		p.str(" ")
		if len(args) == 0 {
			return
		}
		if args[0].Kind() == ValueConst {
			p.braced(args[0])
		} else {
			p.value(args[0])
		}
		p.callArgs(args[1:])
	default:
		p.aux(in)
		for j, v := range args {
			if j > 0 {
				p.str(",")
			}
			p.str(" ")
			p.value(v)
		}
	}
}

// instrFlags prints the flags and returns the operands without the group,
// which is printed with its flag.
func (p *printer) instrFlags(in *Instr, args []Value) []Value {
	if in.Flags == 0 {
		return args
	}
	sep := "["
	for i, name := range flagNames {
		if in.Flags&(1<<i) == 0 {
			continue
		}
		p.str(sep)
		p.str(name)
		sep = ","
		if in.Flags&(1<<i) == FlagGroup && len(args) > 0 {
			p.str("=")
			p.value(args[0])
			args = args[1:]
		}
	}
	if k := in.Flags.Origin(); k != OriginThread {
		p.str(sep)
		p.str(k.String())
	}
	p.str("]")
	return args
}

func (p *printer) aux(in *Instr) {
	switch in.Op.Info().Aux {
	case AuxField:
		p.str(" ")
		p.fieldRef(FieldID(in.Aux))
	case AuxFunc:
		p.str(" ")
		p.funcRef(FuncRefID(in.Aux))
	case AuxIndex:
		p.str(" ")
		p.num('#', in.Aux)
	case AuxOrder:
		p.str(" ")
		p.str(Order(in.Aux).String())
	case AuxName:
		if in.Aux == None {
			return
		}
		p.str(" ")
		p.str(quoteLiteral(p.u.Consts[in.Aux].Text))
	}
}

func (p *printer) invoke(in *Instr, args []Value) {
	p.str(" ")
	if len(args) == 0 {
		return
	}
	if recv := args[0]; recv.Kind() == ValueReg {
		p.value(recv)
	} else {
		p.braced(recv)
	}
	m := &p.u.Methods[in.Aux]
	p.str(".")
	p.name(m.Name)
	p.callArgs(args[1:])
	if !p.isDefaultSig(m.Sig, in.Type, args[1:]) {
		p.str(" : ")
		p.typ(m.Sig)
	}
}

// braced prints a callee or receiver that could not be told from what follows
// it, such as a constant whose type ends with parentheses.
func (p *printer) braced(v Value) {
	p.str("{")
	p.value(v)
	p.str("}")
}

func (p *printer) callArgs(args []Value) {
	p.str("(")
	for i, v := range args {
		if i > 0 {
			p.str(", ")
		}
		p.value(v)
	}
	p.str(")")
}

func (p *printer) value(v Value) {
	switch v.Kind() {
	case ValueReg:
		p.num('v', int32(v.Reg()))
	case ValueConst:
		c := &p.u.Consts[v.Const()]
		p.str(quoteLiteral(c.Text))
		p.str(":")
		p.typ(c.Type)
	case ValueGlobal:
		p.str("$")
		p.name(p.u.GlobalRefs[v.Global()])
	case ValueFunc:
		p.funcRef(v.Func())
	default:
		p.str("_")
	}
}

func (p *printer) funcRef(id FuncRefID) {
	r := &p.u.FuncRefs[id]
	p.str("@")
	p.name(r.Symbol)
	p.typeArgs(r.Args)
}

// fieldRef prints the struct and the field's name, and its index unless it is
// the one that the definition of the struct in this unit gives.
func (p *printer) fieldRef(id FieldID) {
	r := &p.u.Fields[id]
	p.typ(r.Struct)
	p.str(".")
	if isFieldWord(r.Name) {
		p.str(r.Name)
	} else {
		p.quoted(r.Name)
	}
	if p.decls == nil {
		p.decls = p.u.declIndex()
	}
	if r.Index == p.u.fieldIndex(p.decls, r.Struct, r.Name) {
		return
	}
	if r.Index == None {
		p.str("#_")
	} else {
		p.num('#', r.Index)
	}
}

// isFieldWord tells whether a field's name can follow its struct without
// quotes: a reader takes the last dot of the whole for the one between them.
func isFieldWord(s string) bool {
	for i := range len(s) {
		if s[i] == '.' || s[i] == '/' {
			return false
		}
	}
	return isWord(s)
}

// isDefaultResult tells whether a register that holds the result of an
// instruction has the type that text assumes.
func isDefaultResult(u *Unit, in *Instr, typ TypeID) bool {
	t := &u.Types[typ]
	switch resultOf(in) {
	case resultPointer:
		return t.Kind == KindPointer && t.Elem == in.Type
	case resultBool:
		return t.Kind == KindBasic && t.Name == "bool"
	case resultInt:
		return t.Kind == KindBasic && t.Name == "int"
	}
	return typ == in.Type
}

// resultKind is what the type of a result is by default.
type resultKind uint8

const (
	resultType    resultKind = iota // the instruction's type
	resultPointer                   // a pointer to it
	resultBool
	resultInt
)

func resultOf(in *Instr) resultKind {
	switch {
	case in.Op == OpAlloc:
		return resultPointer
	case in.Op == OpLock, in.Op == OpAtomic && AtomicKind(in.Sub) == AtomicCAS:
		return resultBool
	case in.Op == OpCopyRange:
		return resultInt
	}
	return resultType
}

// isDefaultSig tells whether a method's signature is what the operands and the
// result of a call suggest.
func (p *printer) isDefaultSig(sig, result TypeID, args []Value) bool {
	t := &p.u.Types[sig]
	if t.Variadic || len(t.Elems) != len(args) {
		return false
	}
	for i, v := range args {
		if p.u.valueType(p.body, v) != t.Elems[i] || t.Elems[i] == 0 {
			return false
		}
	}
	want := []TypeID{result}
	if r := &p.u.Types[result]; r.Kind == KindTuple {
		want = r.Elems
	}
	if len(want) != len(t.Results) {
		return false
	}
	for i := range want {
		if want[i] != t.Results[i] {
			return false
		}
	}
	return true
}

// valueType returns the type of a register or constant, and 0 for the
// addresses of globals and functions, whose types their units know.
func (u *Unit) valueType(body *Body, v Value) TypeID {
	switch v.Kind() {
	case ValueReg:
		return body.Regs[v.Reg()].Type
	case ValueConst:
		return u.Consts[v.Const()].Type
	}
	return 0
}
