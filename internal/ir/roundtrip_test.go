package ir

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// readUnits parses the units of every file of a pattern under testdata/ir.
func readUnits(t testing.TB, pattern string) []*Unit {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("..", "..", "testdata", "ir", pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no files match %s: %v", pattern, err)
	}
	var units []*Unit
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list, err := ParseAll(filepath.Base(name), string(src))
		if err != nil {
			t.Fatal(err)
		}
		units = append(units, list...)
	}
	return units
}

// parse reads a unit that a test has written.
func parse(t testing.TB, src string) *Unit {
	t.Helper()
	u, err := Parse("test.ir", src)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// text returns the printed form of a unit.
func text(t testing.TB, u *Unit) string {
	t.Helper()
	var b strings.Builder
	if err := Print(&b, u); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// decoded returns a unit with all its bodies decoded, comparable with
// reflect.DeepEqual.
func decoded(t testing.TB, u *Unit) *Unit {
	t.Helper()
	c := *u
	c.strings = nil
	c.Funcs = append([]Func(nil), u.Funcs...)
	for i := range c.Funcs {
		body, err := u.Body(FuncID(i))
		if err != nil {
			t.Fatal(err)
		}
		c.Funcs[i].SetBody(body)
	}
	return &c
}

// checkRoundTrip demands that a canonical unit survives both forms unchanged.
func checkRoundTrip(t testing.TB, u *Unit) {
	t.Helper()
	printed := text(t, u)
	again, err := Parse("printed.ir", printed)
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	if !reflect.DeepEqual(u, again) {
		t.Fatalf("Parse(Print(u)) differs from u:\n%s\nand then\n%s", printed, text(t, again))
	}
	data := Encode(u)
	read, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(u, decoded(t, read)) {
		t.Fatalf("Decode(Encode(u)) differs from u:\n%s\nand then\n%s", printed, text(t, read))
	}
	if !bytes.Equal(data, Encode(read)) {
		t.Fatal("Encode(Decode(data)) differs from data")
	}
}

func TestRoundTripFiles(t *testing.T) {
	for _, u := range readUnits(t, "roundtrip-*.ir") {
		t.Run(u.Path, func(t *testing.T) {
			if err := Check(u); err != nil {
				t.Error(err)
			}
			checkRoundTrip(t, u)
		})
	}
}

// TestFilesUseEverything keeps the hand-written files complete: each operation,
// variant, flag and kind of type occurs in them.
func TestFilesUseEverything(t *testing.T) {
	var ops [numOps]bool
	var subs [numOps][]bool
	var flags [numOps]Flags
	var kinds [KindParam + 1]bool
	var origins [OriginTest + 1]bool
	for op := range numOps {
		subs[op] = make([]bool, len(op.Info().Sub))
	}
	for _, u := range readUnits(t, "roundtrip-*.ir") {
		for i := range u.Types {
			kinds[u.Types[i].Kind] = true
		}
		for i := range u.Funcs {
			if u.Funcs[i].body == nil {
				continue
			}
			for _, in := range u.Funcs[i].body.Instrs {
				ops[in.Op] = true
				flags[in.Op] |= in.Flags
				if len(subs[in.Op]) > 0 {
					subs[in.Op][in.Sub] = true
				}
				origins[in.Flags.Origin()] = true
			}
		}
	}
	for op := OpInvalid + 1; op < numOps; op++ {
		if !ops[op] {
			t.Errorf("no %s", op)
		}
		if missing := op.Info().Flags &^ flags[op]; missing != 0 && op != OpInvoke && op != OpCallPtr {
			t.Errorf("no %s with flags %v", op, flagList(flagNames, uint32(missing)))
		}
	}
	for _, op := range []Op{OpBinary, OpUnary, OpAlloc, OpCall, OpInvoke, OpCallPtr, OpLock, OpUnlock, OpAtomic, OpGroup, OpAccess} {
		for i, seen := range subs[op] {
			if !seen {
				t.Errorf("no %s.%s", op, op.Info().Sub[i])
			}
		}
	}
	for kind, seen := range kinds {
		if !seen {
			t.Errorf("no type of kind %d", kind)
		}
	}
	for kind, seen := range origins {
		if !seen {
			t.Errorf("no origin of kind %s", OriginKind(kind))
		}
	}
}

// TestExamples parses and prints the example of each operation: what op.go
// promises is the printed form.
func TestExamples(t *testing.T) {
	for op := OpInvalid + 1; op < numOps; op++ {
		example := op.Info().Example
		var src strings.Builder
		src.WriteString("unit test\nfunc @f(v0: int, v1: int, v2: int, v3: int")
		if !strings.HasPrefix(example, "v4 ") {
			src.WriteString(", v4: int")
		}
		src.WriteString(") {\nb0:\n\t" + example + "\n")
		if !op.IsTerm() {
			src.WriteString("\tret\n")
		}
		src.WriteString("b1:\n\tret\nb2:\n\tret\nb3:\n\tret\nb4:\n\tret\n}\n")
		u, err := Parse(op.String(), src.String())
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		in := &u.Funcs[0].body.Instrs[0]
		if in.Op != op {
			t.Errorf("example of %s is a %s", op, in.Op)
		}
		if printed := text(t, u); !strings.Contains(printed, "\t"+example+"\n") {
			t.Errorf("example of %s, %s, is printed otherwise:\n%s", op, example, printed)
		}
	}
}

// TestParseAnyOrder shows that text may mention things before they are
// defined and number registers with gaps, and that units whose tables are in
// another order print alike.
func TestParseAnyOrder(t *testing.T) {
	u := parse(t, `
unit m
init @m.init
func @m.f$1() parent @m.f {
b0:	v7 = field *int m.T.n v3
	v3 = copy *m.T nil:*m.T
	v9 = invoke int v3.M(v7)
	ret
}
func @m.f() { b0: ret }
func @m.init() { b0: ret }
type m.T struct{a int; n int}
`)
	if u.Funcs[0].Parent != 1 || u.Init != 2 {
		t.Errorf("parent is %d, init %d", u.Funcs[0].Parent, u.Init)
	}
	if len(u.Fields) != 1 || u.Fields[0].Index != 1 {
		t.Errorf("fields are %+v", u.Fields)
	}
	body := u.Funcs[0].body
	if len(body.Regs) != 10 || body.Regs[8] != (RegInfo{}) || body.Regs[9].Type == 0 {
		t.Errorf("registers are %+v", body.Regs)
	}
	checkRoundTrip(t, u)
}

// TestCanonical renumbers the tables of a unit at random, adds entries that
// nothing uses, and demands the same canonical form.
func TestCanonical(t *testing.T) {
	for _, u := range readUnits(t, "roundtrip-*.ir") {
		b := NewBuilder(u.Path, u.Lang)
		b.Slice(b.Basic("unused"))
		b.Const(b.Basic("int"), "12345")
		b.GlobalRef("unused")
		b.FuncRef("unused")
		// Interning from the back gives every entry another number.
		c := &canon{
			old: u, to: b,
			types: noneSlice[TypeID](len(u.Types)), fields: noneSlice[FieldID](len(u.Fields)),
			funcRefs: noneSlice[FuncRefID](len(u.FuncRefs)), globalRefs: noneSlice[GlobalRef](len(u.GlobalRefs)),
			consts: noneSlice[ConstID](len(u.Consts)), methods: noneSlice[MethodID](len(u.Methods)),
		}
		c.types[0] = 0
		for i := len(u.Consts) - 1; i >= 0; i-- {
			c.constant(ConstID(i))
		}
		for i := len(u.FuncRefs) - 1; i >= 0; i-- {
			c.funcRef(FuncRefID(i))
		}
		for i := len(u.GlobalRefs) - 1; i >= 0; i-- {
			c.value(GlobalValue(GlobalRef(i)))
		}
		for i := len(u.Types) - 1; i >= 0; i-- {
			c.typ(TypeID(i))
		}
		n := b.u
		n.Files, n.Imports, n.Init = u.Files, u.Imports, u.Init
		n.Aliases, n.Annotations, n.Limits = u.Aliases, u.Annotations, u.Limits
		c.decls()
		n.Funcs = append([]Func(nil), u.Funcs...)
		for i := range n.Funcs {
			n.Funcs[i].Sig = c.typ(n.Funcs[i].Sig)
			if body := n.Funcs[i].body; body != nil {
				n.Funcs[i].body = c.body(body)
			}
		}
		if printed := text(t, n); printed != text(t, u) {
			t.Errorf("unit with other numbers prints otherwise:\n%s", printed)
		}
		if got, err := Canonical(n); err != nil || !reflect.DeepEqual(got, u) {
			t.Errorf("%s: canonical form differs (%v)", u.Path, err)
		}
	}
}

func TestParseErrors(t *testing.T) {
	const head = "unit m\nfunc @f(v0: int) {\nb0:\n"
	for _, test := range []struct{ name, src, want string }{
		{"no unit", "func @f() { b0: ret }", `test.ir:1:1: want a unit line, not func`},
		{"language", "unit m cobol", `test.ir:1:8: want one of ir, go, java, c, not cobol`},
		{"declaration", "unit m\nfoo", `test.ir:2:1: want a declaration, not foo`},
		{"junk after declaration", "unit m\nimport a b", `test.ir:2:10: want the end of the line, not b`},
		{"type", "unit m\nglobal $g %", `test.ir:2:11: want a type, not %`},
		{"open quote", "unit m\nimport \"a\n", `test.ir:2:8: quote is not closed on its line`},
		{"open struct", "unit m\ntype T struct{a int", `test.ir:2:20: want "}", not the end of the file`},
		{"struct", "unit m\ntype T struct{a int b int}", `test.ir:2:21: want ; or }, not b`},
		{"flag", "unit m\nglobal[big] $g int", `test.ir:2:8: want one of exported, threadlocal, volatile, final, shared, atomic, not big`},
		{"type parameter", "unit m\nglobal $g $T", `test.ir:2:12: type parameter T is not declared here: write $index:T`},
		{"unknown init", "unit m\ninit @f", `test.ir:2:6: function @f is not defined in this unit`},
		{"operation", head + "\tfrob v0\n}", `test.ir:4:2: want an instruction, not frob`},
		{"variant", head + "\tv1 = binary.pow int v0, v0\n}", `test.ir:4:7: binary has no variant pow`},
		{"no variant", head + "\tv1 = binary int v0, v0\n}", `test.ir:4:7: binary needs a variant: one of add`},
		{"spawned load", head + "\tspawn load int v0\n}", `test.ir:4:2: spawn does not go with load`},
		{"register", head + "\tv1 = copy int v2\n\tret\n}", `test.ir:4:16: register v2 is never assigned`},
		{"twice", head + "\tv0 = copy int v0\n\tret\n}", `test.ir:4:2: register v0 is assigned twice`},
		{"large register", head + "\tv99999 = copy int v0\n}", `test.ir:4:2: register number 99999 is too large for this file`},
		{"block", head + "\tjump b7\n}", `test.ir:4:7: block b7 is not defined`},
		{"block order", head + "\tret\nb2:\n\tret\n}", `test.ir:5:1: want block b1 next, not b2`},
		{"operand", head + "\tret v0,\n}", `test.ir:5:1: want an operand, not }`},
		{"constant", head + "\tret 1\n}", `test.ir:5:1: want ":", not }`},
		{"signature", head + "\tinvoke () v0.M(@f)\n\tret\n}", `test.ir:4:12: the signature of method M does not follow`},
		{"field", head + "\tv1 = field *int A+.0 v0\n}", `test.ir:4:18: want a field of a struct, not A+.0`},
		{"position", head + "\tret ; x1\n}", `test.ir:4:8: want a position such as f0:12:3-9, not x1`},
		{"parameters", "unit m\nfunc @f(int) {\nb0:\n\tret\n}", `test.ir:2:14: want registers for the parameters, because there is a body, not {`},
		{"character", "unit m\n\x01", `test.ir:2:1: unexpected character "\x01"`},
		{"deep", "unit m\nglobal $g " + strings.Repeat("*", 501) + "int", `test.ir:2:511: types are nested more than 500 deep`},
		{"several units", "unit a\nunit b", `test.ir:1:1: has 2 units, want one`},
	} {
		_, err := Parse("test.ir", test.src)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: error is %v, want %s", test.name, err, test.want)
		}
	}
}
