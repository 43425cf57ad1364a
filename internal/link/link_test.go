package link_test

import (
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
)

const program = `
unit a ir
file "a.ir"
type a.Base struct{n int; m int} {
	method[pointer] Set @a.Base.Set
	method Get @a.Base.Get
}
type a.Outer struct{pad int; Base *a.Base !embedded; last int}
type a.Pair[K, V] struct{key $K; val $V}
type a.Setter interface{Set func()}
func @a.Base.Set(v0 b: *a.Base) {
b0:
	call () @b.helper()
	ret
}
func @a.Base.Get(v0 b: a.Base) (int) {
b0:
	v1 = extract int #0 v0
	ret v1
}
func @a.main() {
b0:
	v0 = alloc.heap a.Pair[int, a.Outer] "p"
	v1 = field *a.Outer a.Pair[int, a.Outer].val v0
	v2 = field *int a.Outer.last v1
	call () @nowhere()
	call () @b.old()
	ret
}

unit b ir
file "b.ir"
import "a"
alias @b.old @b.helper
func @b.helper() {
b0:
	ret
}
`

func load(t *testing.T) *link.Program {
	t.Helper()
	units, err := ir.ParseAll("program.ir", program)
	if err != nil {
		t.Fatal(err)
	}
	return link.Link(units, nil)
}

func TestSymbols(t *testing.T) {
	p := load(t)
	main := p.Lookup("a.main")
	body := p.Body(main)
	var callees []string
	for i := range body.Instrs {
		if in := &body.Instrs[i]; in.Op == ir.OpCall {
			f := p.Callee(main, ir.FuncRefID(in.Aux))
			name := p.Func(f).Symbol
			if p.Body(f) == nil {
				name += " (no code)"
			}
			callees = append(callees, name)
		}
	}
	if got, want := strings.Join(callees, ", "), "nowhere (no code), b.old"; got != want {
		t.Errorf("callees: %s, want %s", got, want)
	}
	limits := p.Limits()
	if len(limits) != 1 || limits[0].Kind != "missing" || limits[0].Symbol != "nowhere" {
		t.Errorf("limits: %+v, want one for nowhere", limits)
	}
	if p.Units[0].Path != "a" || p.Units[1].Path != "b" {
		t.Errorf("units are not in initialisation order: %s, %s", p.Units[0].Path, p.Units[1].Path)
	}
}

// TestInstances checks that types of generic structs are put together with
// their arguments: a.Pair[int, a.Outer] has an int and the three slots of
// a.Outer.
func TestInstances(t *testing.T) {
	p := load(t)
	main := p.Lookup("a.main")
	body := p.Body(main)
	var offsets []int32
	for i := range body.Instrs {
		if in := &body.Instrs[i]; in.Op == ir.OpField {
			off, _, ok := p.FieldOf(main, ir.FieldID(in.Aux))
			if !ok {
				t.Fatalf("field of instruction %d not found", i)
			}
			offsets = append(offsets, off)
		}
	}
	if len(offsets) != 2 || offsets[0] != 1 || offsets[1] != 2 {
		t.Errorf("offsets of val and last: %v, want [1 2]", offsets)
	}
	pair := p.TypeOf(main, body.Instrs[0].Type)
	if l := p.Layout(pair); l.Size != 4 || len(l.Pointers) != 1 || l.Pointers[0] != 2 {
		t.Errorf("layout of %s: %+v", p.TypeString(pair), l)
	}
	if got := p.SlotName(pair, 3); got != ".val.last" {
		t.Errorf("slot 3 is called %q", got)
	}
}

func TestDispatch(t *testing.T) {
	p := load(t)
	main := p.Lookup("a.main")
	body := p.Body(main)
	pair := p.Type(p.Underlying(p.TypeOf(main, body.Instrs[0].Type)))
	outer := link.TypeID(pair.Fields[1].Type)
	base := p.Elem(link.TypeID(p.Type(p.Underlying(outer)).Fields[1].Type))

	for _, c := range []struct {
		t    link.TypeID
		name string
		want string // symbol, or "" if there is no such method
	}{
		{p.Pointer(base), "Set", "a.Base.Set"},
		{base, "Set", ""}, // not in the method set of the value
		{base, "Get", "a.Base.Get"},
		{p.Pointer(base), "Get", "*a.Base.Get$promoted"},
		{outer, "Set", "a.Outer.Set$promoted"}, // through the embedded pointer
		{p.Pointer(outer), "Get", "*a.Outer.Get$promoted"},
		{outer, "Nope", ""},
	} {
		got := ""
		if f := p.Method(c.t, c.name); f != link.None {
			got = p.Func(f).Symbol
			if f != p.Method(c.t, c.name) {
				t.Errorf("%s: two answers", got)
			}
			b := p.Body(f)
			if err := ir.CheckBody(p.Unit(f), p.Func(f).ID, b); err != nil {
				t.Errorf("%s: %v", got, err)
			}
		}
		if got != c.want {
			t.Errorf("%s.%s = %q, want %q", p.TypeString(c.t), c.name, got, c.want)
		}
	}
	if got := strings.Join(p.Methods(p.Pointer(outer)), " "); got != "Get Set" {
		t.Errorf("methods of *a.Outer: %s", got)
	}
}
