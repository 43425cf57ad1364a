package link

import (
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
)

// Numbers that Renumber gives follow from the program, not from the order in which
// functions were asked for; wrappers and symbols that nobody defines included.
func TestRenumber(t *testing.T) {
	const text = `unit u ir
func @b() {
b0:
	ret
}
func @a() {
b0:
	call () @missing.two()
	call () @missing.one()
	ret
}
func @c() {
b0:
	call () @a()
	ret
}
`
	number := func(order ...string) []string {
		units, err := ir.ParseAll("u.ir", text)
		if err != nil {
			t.Fatal(err)
		}
		p := Link(units, nil)
		before := make(map[string]FuncID)
		for _, name := range order {
			f := p.Lookup(name)
			before[name] = f
			for _, in := range p.Body(f).Instrs {
				if in.Op == ir.OpCall {
					p.Callee(f, ir.FuncRefID(in.Aux))
				}
			}
		}
		to := p.Renumber()
		for name, f := range before {
			if got := p.Func(to[f]).Symbol; got != name || p.Lookup(name) != to[f] {
				t.Errorf("%s became %s", name, got)
			}
		}
		var list []string
		for f := range p.NumFuncs() {
			list = append(list, p.Func(FuncID(f)).Symbol)
		}
		return list
	}
	want := number("a", "b", "c")
	for _, order := range [][]string{{"c", "b", "a"}, {"b", "c", "a"}, {"c", "a", "b"}} {
		got := number(order...)
		if len(got) != len(want) {
			t.Fatalf("%v: %v, want %v", order, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%v: %v, want %v", order, got, want)
			}
		}
	}
}
