package link_test

import (
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
)

const classes = `
unit root ir
type root struct{}

unit base ir
type base struct{n int; flag boolean !atomic !volatile; id int !final} {
	super root
	method get @base.get
	method hook @base.hook
}
global[atomic,volatile] $base.stop boolean
global $base.class root
init @base.clinit
func[init] @base.clinit() {
b0:
	ret
}
func @base.get(v0: *base) (int) {
b0:
	ret 1:int
}
func[external] @base.hook(*base)
func @base.make() {
b0:
	ret
}

unit iface ir
type iface interface{} {
	super root
	method hook @iface.hook
	method talk @iface.talk
}
func @iface.hook(v0: *iface) {
b0:
	ret
}
func @iface.talk(v0: *iface) {
b0:
	ret
}

unit derived ir
type derived struct{own int} {
	super base
	super iface
}
func @derived.use(v0: *derived) {
b0:
	trigger derived
	trigger root
	call () @derived.make()
	v1 = field *int derived.n v0
	v2 = load int v1
	v3 = field *boolean derived.flag v0
	v4 = load boolean v3
	v5 = field *int derived.id v0
	v6 = load int v5
	v7 = load boolean $derived.stop
	ret
}
`

func loadClasses(t *testing.T) (*link.Program, link.FuncID, link.TypeID) {
	t.Helper()
	units, err := ir.ParseAll("classes.ir", classes)
	if err != nil {
		t.Fatal(err)
	}
	p := link.Link(units, nil)
	f := p.Lookup("derived.use")
	return p, f, p.Elem(p.TypeOf(f, p.Body(f).Regs[0].Type))
}

// TestClassLayout checks that objects begin with the parts of the superclass.
func TestClassLayout(t *testing.T) {
	p, _, derived := loadClasses(t)
	l := p.Layout(derived)
	if l.Size != 5 || len(l.Offsets) != 1 || l.Offsets[0] != 4 {
		t.Errorf("layout %+v, want 5 slots and own at 4: root has one, base three", l)
	}
	for slot, want := range []string{"", ".n", ".flag", ".id", ".own"} {
		if got := p.SlotName(derived, int32(slot)); got != want {
			t.Errorf("slot %d is %q, want %q", slot, got, want)
		}
	}
}

// TestInherited checks methods, of classes before interfaces unless those alone
// have code, and members found through the superclass.
func TestInherited(t *testing.T) {
	p, f, derived := loadClasses(t)
	ref := p.Pointer(derived)
	for name, want := range map[string]string{"get": "base.get", "hook": "iface.hook", "talk": "iface.talk"} {
		if got := p.Func(p.Method(ref, name)).Symbol; got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	if p.Method(ref, "other") != link.None {
		t.Error("a method that nobody declares was found")
	}
	body := p.Body(f)
	for i := range body.Instrs {
		if in := &body.Instrs[i]; in.Op == ir.OpCall {
			if got := p.Func(p.Callee(f, ir.FuncRefID(in.Aux))).Symbol; got != "base.make" {
				t.Errorf("derived.make is %s, want base.make", got)
			}
		}
	}
	if len(p.Limits()) > 0 {
		t.Errorf("limits: %+v", p.Limits())
	}
}

// TestSettle checks that accesses have the order that declarations say, that the
// trigger of a class runs the initialiser of its superclass, and that one of a
// class without any is gone.
func TestSettle(t *testing.T) {
	p, f, _ := loadClasses(t)
	body := p.Body(f)
	var got []string
	for i := range body.Instrs {
		in := &body.Instrs[i]
		switch in.Op {
		case ir.OpLoad:
			got = append(got, "load."+ir.Order(in.Sub).String())
		case ir.OpOnce:
			args := body.Args(in)
			got = append(got, "once "+p.Global(p.GlobalOf(f, args[0].Global())).Symbol+" "+p.Func(p.Callee(f, args[1].Func())).Symbol)
		case ir.OpTrigger:
			got = append(got, "trigger")
		}
	}
	want := "once base.class base.clinit, load.plain, load.seqcst, load.relaxed, load.seqcst"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
}
