package link

import (
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// maxSlots is the size beyond which a type is one slot. A struct of that many
// fields is generated code, and nobody reads a report that tells them apart.
const maxSlots = 512

// Layout is a type flattened to slots: one for each scalar, pointer, string,
// slice header, map, channel, function or interface. Arrays share the slots of
// one element. A type without parts, such as struct{}, has one slot, so that
// everything has an address.
type Layout struct {
	Size      int32
	Offsets   []int32 // of struct fields, hidden fields last; nil for other types
	Pointers  []int32 // slots that may hold addresses
	Collapsed bool    // too big: all parts share slot 0
}

// Layout returns the layout of a type.
func (p *Program) Layout(t TypeID) *Layout {
	if l, ok := p.layouts[t]; ok {
		return l
	}
	l := p.layout(t)
	p.layouts[t] = l
	return l
}

var (
	scalarLayout = &Layout{Size: 1}
	wordLayout   = &Layout{Size: 1, Pointers: []int32{0}}
)

func (p *Program) layout(t TypeID) *Layout {
	u := p.Underlying(t)
	ty := &p.types.list[u]
	switch ty.Kind {
	case ir.KindBasic:
		return scalarLayout
	case ir.KindInvalid:
		// Of an undefined type nothing is known: one slot that may hold anything.
		return wordLayout
	case ir.KindArray:
		return p.Layout(TypeID(ty.Elem))
	case ir.KindTuple:
		parts := make([]TypeID, len(ty.Elems))
		for i, e := range ty.Elems {
			parts[i] = TypeID(e)
		}
		return p.sequence(parts)
	case ir.KindInterface:
		if super := p.superclass(t); super != NoType {
			return p.Layout(super) // an object of which only the interface is known
		}
		return wordLayout
	case ir.KindStruct:
		parts := make([]TypeID, 0, len(ty.Fields)+1)
		super := p.superclass(t)
		if super != NoType {
			parts = append(parts, super)
		}
		for _, f := range ty.Fields {
			parts = append(parts, TypeID(f.Type))
		}
		for range p.hiddenFields(t) {
			parts = append(parts, NoType)
		}
		l := p.sequence(parts)
		if super != NoType {
			l.Offsets = l.Offsets[1:]
		}
		return l
	default:
		return wordLayout
	}
}

func (p *Program) sequence(parts []TypeID) *Layout {
	l := &Layout{Offsets: make([]int32, len(parts))}
	for i, part := range parts {
		sub := p.Layout(part)
		l.Offsets[i] = l.Size
		for _, s := range sub.Pointers {
			l.Pointers = append(l.Pointers, l.Size+s)
		}
		l.Size += sub.Size
		if l.Size > maxSlots {
			return &Layout{Size: 1, Offsets: make([]int32, len(parts)), Pointers: []int32{0}, Collapsed: true}
		}
	}
	if l.Size == 0 {
		l.Size = 1
	}
	return l
}

func (p *Program) hiddenFields(t TypeID) []string {
	if ty := &p.types.list[t]; ty.Kind == ir.KindNamed {
		return p.hidden[ty.Name]
	}
	return nil
}

// FieldOf resolves a field reference of function f: the offset of the field in
// the slots of its struct, and its type. ok is false if no unit defines the
// struct or it has no such field.
func (p *Program) FieldOf(f FuncID, ref ir.FieldID) (off int32, t TypeID, ok bool) {
	fr := &p.Unit(f).Fields[ref]
	return p.fieldOf(fr, p.TypeOf(f, fr.Struct))
}

// fieldOf finds a field in a struct, or in the superclasses of a class.
func (p *Program) fieldOf(fr *ir.FieldRef, st TypeID) (off int32, t TypeID, ok bool) {
	u := p.Underlying(st)
	ty := &p.types.list[u]
	if ty.Kind != ir.KindStruct {
		return 0, NoType, false
	}
	l := p.Layout(st)
	if fr.Index >= 0 {
		if int(fr.Index) >= len(ty.Fields) {
			return 0, NoType, false
		}
		return l.Offsets[fr.Index], TypeID(ty.Fields[fr.Index].Type), true
	}
	for i, fl := range ty.Fields {
		if fl.Name == fr.Name {
			return l.Offsets[i], TypeID(fl.Type), true
		}
	}
	for i, name := range p.hiddenFields(st) {
		if name == fr.Name {
			return l.Offsets[len(ty.Fields)+i], NoType, true
		}
	}
	if super := p.superclass(st); super != NoType {
		return p.fieldOf(fr, super)
	}
	return 0, NoType, false
}

// fieldFlags are the flags of the field that a reference of function f means.
func (p *Program) fieldFlags(f FuncID, ref ir.FieldID) ir.FieldFlags {
	fr := &p.Unit(f).Fields[ref]
	for st, n := p.TypeOf(f, fr.Struct), 0; st != NoType && n < maxSupers; st, n = p.superclass(st), n+1 {
		ty := &p.types.list[p.Underlying(st)]
		if ty.Kind != ir.KindStruct {
			return 0
		}
		if fr.Index >= 0 && int(fr.Index) < len(ty.Fields) {
			return ty.Fields[fr.Index].Flags
		}
		for i := range ty.Fields {
			if ty.Fields[i].Name == fr.Name {
				return ty.Fields[i].Flags
			}
		}
	}
	return 0
}

// SlotName returns the path of a slot below a value of type t, such as
// ".conn.state" or "" for the value itself.
func (p *Program) SlotName(t TypeID, slot int32) string {
	var b strings.Builder
	for {
		l := p.Layout(t)
		u := p.Underlying(t)
		ty := &p.types.list[u]
		if l.Collapsed || slot >= l.Size {
			return b.String()
		}
		switch ty.Kind {
		case ir.KindArray:
			b.WriteString("[…]")
			t = TypeID(ty.Elem)
		case ir.KindStruct:
			i := fieldAt(l, slot)
			if i < 0 {
				super := p.superclass(t)
				if super == NoType {
					return b.String()
				}
				t = super
				continue
			}
			if i >= len(ty.Fields) {
				b.WriteString("." + strings.TrimPrefix(p.hiddenFields(t)[i-len(ty.Fields)], "$"))
				return b.String()
			}
			b.WriteString("." + ty.Fields[i].Name)
			slot -= l.Offsets[i]
			t = TypeID(ty.Fields[i].Type)
		default:
			return b.String()
		}
	}
}

// fieldAt returns the last field that begins at or before slot.
func fieldAt(l *Layout, slot int32) int {
	for i := len(l.Offsets) - 1; i >= 0; i-- {
		if l.Offsets[i] <= slot {
			return i
		}
	}
	return -1
}
