package driver

import (
	"bytes"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
)

// The entry runs initialisers in order, makes arguments, and starts in an origin
// of its own what may run in parallel.
func TestLinkable(t *testing.T) {
	lib := unitOf("lib", func(b *ir.Builder) {
		addFunc(b, "lib.init", nil)
		b.SetInit(0)
	})
	app := unitOf("app", func(b *ir.Builder) {
		addFunc(b, "app.init", nil)
		b.SetInit(0)
		addFunc(b, "app.TestA", []ir.TypeID{b.Pointer(b.Basic("int"))})
		addFunc(b, "app.TestB", []ir.TypeID{b.Basic("string")})
	})
	p := &program{units: []*ir.Unit{lib, app}, calls: []entryCall{{unit: 1, fn: 1}, {unit: 1, fn: 2, spawn: true}}}
	units := p.linkable()
	if len(units) != 3 || len(app.Funcs) != 3 {
		t.Fatalf("%d units, %d functions left in the original", len(units), len(app.Funcs))
	}
	var got bytes.Buffer
	for _, u := range units {
		if err := ir.Check(u); err != nil {
			t.Errorf("%s: %v", u.Path, err)
		}
	}
	for _, f := range []struct {
		unit int
		id   ir.FuncID
	}{{2, 0}, {1, 3}} {
		body, err := units[f.unit].Body(f.id)
		if err != nil {
			t.Fatal(err)
		}
		for i := range body.Instrs {
			got.WriteString(units[f.unit].InstrString(body, i) + "\n")
		}
	}
	want := `call () @lib.init()
call () @app.init()
call () @"app.«start»0"()
ret
v0 = alloc.heap int
call () @app.TestA(v0)
spawn call[test] () @app.TestB(undef:string)
ret
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
}

func unitOf(path string, fill func(*ir.Builder)) *ir.Unit {
	b := ir.NewBuilder(path, ir.LangGo)
	fill(b)
	return b.Unit()
}

// addFunc adds a function that returns at once.
func addFunc(b *ir.Builder, symbol string, params []ir.TypeID) {
	id := b.AddFunc(ir.Func{Symbol: symbol, Name: symbol, Sig: b.FuncType(params, nil, false), Parent: ir.None})
	var body ir.BodyBuilder
	for _, p := range params {
		body.Param(p, "")
	}
	body.SetBlock(body.NewBlock())
	body.Return(ir.Pos{})
	b.SetBody(id, body.Finish())
}
