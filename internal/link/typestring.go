package link

import (
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// TypeString spells a type for people and for symbols of wrappers.
func (p *Program) TypeString(t TypeID) string {
	var b strings.Builder
	p.writeType(&b, t, 0)
	return b.String()
}

func (p *Program) writeType(b *strings.Builder, t TypeID, depth int) {
	ty := p.Type(t)
	if depth > 8 {
		b.WriteString("…")
		return
	}
	elem := func(prefix string, e ir.TypeID) {
		b.WriteString(prefix)
		p.writeType(b, TypeID(e), depth+1)
	}
	switch ty.Kind {
	case ir.KindInvalid:
		b.WriteString("?")
	case ir.KindBasic:
		b.WriteString(ty.Name)
	case ir.KindNamed:
		b.WriteString(ty.Name)
		p.writeTypes(b, "[", ty.Elems, "]", depth)
	case ir.KindParam:
		b.WriteString(ty.Name)
	case ir.KindPointer:
		if ty.Elem == 0 {
			b.WriteString("pointer")
			return
		}
		elem("*", ty.Elem)
	case ir.KindSlice:
		elem("[]", ty.Elem)
	case ir.KindArray:
		elem("["+strconv.FormatInt(ty.Len, 10)+"]", ty.Elem)
	case ir.KindMap:
		elem("map[", ty.Key)
		elem("]", ty.Elem)
	case ir.KindChan:
		elem([...]string{"chan ", "chan<- ", "<-chan "}[ty.Dir], ty.Elem)
	case ir.KindFunc:
		b.WriteString("func")
		if len(ty.Elems) == 0 {
			b.WriteString("()")
		}
		p.writeTypes(b, "(", ty.Elems, ")", depth)
		p.writeTypes(b, " (", ty.Results, ")", depth)
	case ir.KindTuple:
		p.writeTypes(b, "(", ty.Elems, ")", depth)
	case ir.KindInterface:
		if len(ty.Methods) == 0 {
			b.WriteString("any")
			return
		}
		b.WriteString("interface{")
		for i, m := range ty.Methods {
			if i > 0 {
				b.WriteString("; ")
			}
			b.WriteString(m.Name)
		}
		b.WriteString("}")
	case ir.KindStruct:
		b.WriteString("struct{")
		for i, f := range ty.Fields {
			if i > 0 {
				b.WriteString("; ")
			}
			b.WriteString(f.Name + " ")
			p.writeType(b, TypeID(f.Type), depth+1)
		}
		b.WriteString("}")
	}
}

func (p *Program) writeTypes(b *strings.Builder, open string, ts []ir.TypeID, closing string, depth int) {
	if len(ts) == 0 {
		return
	}
	b.WriteString(open)
	for i, t := range ts {
		if i > 0 {
			b.WriteString(", ")
		}
		p.writeType(b, TypeID(t), depth+1)
	}
	b.WriteString(closing)
}
