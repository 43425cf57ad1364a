package ir

import (
	"slices"
	"strconv"
)

// TypeString returns a type as text spells it.
func (u *Unit) TypeString(id TypeID) string {
	p := printer{u: u}
	p.typ(id)
	return string(p.buf)
}

// isBareType tells whether text can write a named type's symbol without quotes.
// One that looks like a register could not be told from a parameter's.
func isBareType(symbol string) bool {
	return isWord(symbol) && !isReg(symbol) && !slices.Contains(typeWords, symbol) && !slices.Contains(basicNames, symbol)
}

func (p *printer) typ(id TypeID) {
	t := &p.u.Types[id]
	switch t.Kind {
	case KindInvalid:
		p.str("_")
	case KindBasic:
		if slices.Contains(basicNames, t.Name) {
			p.str(t.Name)
		} else {
			p.str("basic(")
			p.name(t.Name)
			p.str(")")
		}
	case KindPointer:
		p.str("*")
		p.typ(t.Elem)
	case KindStruct:
		p.structType(t)
	case KindArray:
		p.str("[")
		if t.Len < 0 {
			p.str("?")
		} else {
			p.buf = strconv.AppendInt(p.buf, t.Len, 10)
		}
		p.str("]")
		p.typ(t.Elem)
	case KindSlice:
		p.str("[]")
		p.typ(t.Elem)
	case KindMap:
		p.str("map[")
		p.typ(t.Key)
		p.str("]")
		p.typ(t.Elem)
	case KindChan:
		p.str([...]string{ChanBoth: "chan ", ChanSend: "chan<- ", ChanRecv: "<-chan "}[t.Dir])
		p.typ(t.Elem)
	case KindFunc:
		p.str("func")
		p.funcType(t)
	case KindTuple:
		p.tuple(t.Elems)
	case KindInterface:
		p.interfaceType(t)
	case KindNamed:
		if isBareType(t.Name) {
			p.str(t.Name)
		} else {
			p.quoted(t.Name)
		}
		p.typeArgs(t.Elems)
	case KindParam:
		p.typeParam(t)
	}
}

func (p *printer) structType(t *Type) {
	p.str("struct{")
	for i := range t.Fields {
		f := &t.Fields[i]
		if i > 0 {
			p.str("; ")
		}
		p.name(f.Name)
		p.str(" ")
		p.typ(f.Type)
		if f.Offset != -1 {
			p.str(" @")
			p.buf = strconv.AppendInt(p.buf, f.Offset, 10)
		}
		for _, name := range flagList(fieldFlagNames, uint32(f.Flags)) {
			p.str(" !")
			p.str(name)
		}
	}
	p.str("}")
}

func (p *printer) interfaceType(t *Type) {
	if len(t.Methods) == 0 {
		p.str("any")
		return
	}
	p.str("interface{")
	for i := range t.Methods {
		if i > 0 {
			p.str("; ")
		}
		p.name(t.Methods[i].Name)
		p.str(" ")
		p.typ(t.Methods[i].Sig)
	}
	p.str("}")
}

// funcType prints what follows the word func. Results are in parentheses even
// if there is one, because a register or symbol may follow the type.
func (p *printer) funcType(t *Type) {
	p.str("(")
	for i, id := range t.Elems {
		if i > 0 {
			p.str(", ")
		}
		p.typ(id)
	}
	p.variadic(t)
	p.str(")")
	if len(t.Results) > 0 {
		p.str(" ")
		p.tuple(t.Results)
	}
}

func (p *printer) variadic(t *Type) {
	if t.Variadic {
		if len(t.Elems) > 0 {
			p.str(", ")
		}
		p.str("...")
	}
}

func (p *printer) tuple(ids []TypeID) {
	p.str("(")
	p.typeList(ids)
	p.str(")")
}

func (p *printer) typeArgs(ids []TypeID) {
	if len(ids) > 0 {
		p.str("[")
		p.typeList(ids)
		p.str("]")
	}
}

func (p *printer) typeList(ids []TypeID) {
	for i, id := range ids {
		if i > 0 {
			p.str(", ")
		}
		p.typ(id)
	}
}

// typeParam prints $T for a parameter of the enclosing function or type, and
// $0:T for one that is not declared there, as in a closure.
func (p *printer) typeParam(t *Type) {
	p.str("$")
	if int64(slices.Index(p.typeParams, t.Name)) != t.Len {
		p.buf = strconv.AppendInt(p.buf, t.Len, 10)
		p.str(":")
	}
	p.name(t.Name)
}
