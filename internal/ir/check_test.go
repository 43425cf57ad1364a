package ir

import (
	"strings"
	"testing"
)

// checkBase is a sound unit for TestCheckFinds to break.
const checkBase = `
unit m go
file "m.go"
type m.T struct{n int; next *m.T}
global $m.g int
func @m.f(v0 t: *m.T, v1 c: bool, v2 ch: chan int) (int) { ; 1:6
b0:
	v3 = field *int m.T.n v0 ; 2:3-5
	v4 = load int v3
	v5 = call (int, error) @m.pair(v4)
	if v1 b1 b2
b1:
	v6 = extract int #0 v5
	jump b3
b2: handlers b4
	v7 = invoke int v0.M(v4)
	jump b3
b3:
	v8 = phi int v6, v7
	ret v8
b4:
	v9 = catch error
	throw v9
b5: recover
	ret 0:int
}
func[external] @m.pair(int) (int, error)
func @m.g() parent @m.f {
b0:
	v0 = closure func() @m.h $m.g
	ret
}
func @m.h() captures(v0: *int) parent @m.g {
b0:
	ret
}
`

// at returns the first instruction of an operation in m.f.
func at(t *testing.T, u *Unit, op Op) *Instr {
	t.Helper()
	for i := range u.Funcs[0].body.Instrs {
		if in := &u.Funcs[0].body.Instrs[i]; in.Op == op {
			return in
		}
	}
	t.Fatalf("no %s", op)
	return nil
}

func args(u *Unit, in *Instr) []Value { return u.Funcs[0].body.Args(in) }

// append1 adds a type that the builder would not make.
func append1(u *Unit, typ Type) { u.Types = append(u.Types, typ) }

// TestCheckFinds breaks each invariant once.
func TestCheckFinds(t *testing.T) {
	if err := Check(parse(t, checkBase)); err != nil {
		t.Fatal(err)
	}
	body := func(u *Unit) *Body { return u.Funcs[0].body }
	for _, test := range []struct {
		want  string
		spoil func(t *testing.T, u *Unit)
	}{
		// Tables.
		{"type 0 is not the invalid type", func(t *testing.T, u *Unit) { u.Types[0].Kind = KindBasic }},
		{"type 0 is not the invalid type", func(t *testing.T, u *Unit) { u.Types = nil }},
		{"kind 99 is unknown", func(t *testing.T, u *Unit) { append1(u, Type{Kind: 99}) }},
		{"kind 0 is unknown", func(t *testing.T, u *Unit) { append1(u, Type{Name: "x"}) }},
		{"basic type has element", func(t *testing.T, u *Unit) { append1(u, Type{Kind: KindBasic, Name: "x", Elem: 1}) }},
		{"basic type lacks its name", func(t *testing.T, u *Unit) { append1(u, Type{Kind: KindBasic}) }},
		{"slice type lacks its element or key", func(t *testing.T, u *Unit) { append1(u, Type{Kind: KindSlice}) }},
		{"map type lacks its element or key", func(t *testing.T, u *Unit) { append1(u, Type{Kind: KindMap, Elem: 1}) }},
		{"slice type has direction", func(t *testing.T, u *Unit) { append1(u, Type{Kind: KindSlice, Elem: 1, Dir: ChanRecv}) }},
		{"direction 3 is unknown", func(t *testing.T, u *Unit) { append1(u, Type{Kind: KindChan, Elem: 1, Dir: 3}) }},
		{"array type has length or index -2", func(t *testing.T, u *Unit) { append1(u, Type{Kind: KindArray, Elem: 1, Len: -2}) }},
		{"list of types holds the invalid type", func(t *testing.T, u *Unit) { append1(u, Type{Kind: KindTuple, Elems: []TypeID{0}}) }},
		{"field 0 has the invalid type", func(t *testing.T, u *Unit) { append1(u, Type{Kind: KindStruct, Fields: []Field{{Name: "x"}}}) }},
		{"field 0 has offset -2", func(t *testing.T, u *Unit) {
			append1(u, Type{Kind: KindStruct, Fields: []Field{{Name: "x", Type: 1, Offset: -2}}})
		}},
		{"flags 0x80 are unknown", func(t *testing.T, u *Unit) {
			append1(u, Type{Kind: KindStruct, Fields: []Field{{Name: "x", Type: 1, Flags: 0x80}}})
		}},
		{"methods are not sorted by name: a after b", func(t *testing.T, u *Unit) {
			append1(u, Type{Kind: KindInterface, Methods: []Method{{"b", u.Funcs[0].Sig}, {"a", u.Funcs[0].Sig}}})
		}},
		{"signature of method a is not a func type", func(t *testing.T, u *Unit) {
			append1(u, Type{Kind: KindInterface, Methods: []Method{{"a", 1}}})
		}},
		{"which is not before it", func(t *testing.T, u *Unit) { append1(u, Type{Kind: KindSlice, Elem: TypeID(len(u.Types))}) }},
		{"equals an earlier entry", func(t *testing.T, u *Unit) { append1(u, u.Types[1]) }},
		{"is nested more than 500 deep", func(t *testing.T, u *Unit) {
			for range 600 {
				append1(u, Type{Kind: KindPointer, Elem: TypeID(len(u.Types) - 1)})
			}
		}},
		{"struct 99 is out of range", func(t *testing.T, u *Unit) { u.Fields[0].Struct = 99 }},
		{"struct is the invalid type", func(t *testing.T, u *Unit) { u.Fields[0].Struct = 0 }},
		{"int is neither a struct nor a named type", func(t *testing.T, u *Unit) { u.Fields[0].Struct = 1 }},
		{"m.T has no field 7", func(t *testing.T, u *Unit) { u.Fields[0].Index = 7 }},
		{"field 1 of m.T is next, not n", func(t *testing.T, u *Unit) { u.Fields[0].Index = 1 }},
		{"index -3 is out of range", func(t *testing.T, u *Unit) { u.Fields[0].Index = -3 }},
		{"field 1: equals an earlier entry", func(t *testing.T, u *Unit) { u.Fields = append(u.Fields, u.Fields[0]) }},
		{"function reference 0: symbol is empty", func(t *testing.T, u *Unit) { u.FuncRefs[0].Symbol = "" }},
		{"type argument 99 is out of range", func(t *testing.T, u *Unit) { u.FuncRefs[0].Args = []TypeID{99} }},
		{"global reference 1: equals an earlier entry", func(t *testing.T, u *Unit) { u.GlobalRefs = append(u.GlobalRefs, "m.g") }},
		{"constant 0: spelling is empty", func(t *testing.T, u *Unit) { u.Consts[0].Text = "" }},
		{"constant 0: type is the invalid type", func(t *testing.T, u *Unit) { u.Consts[0].Type = 0 }},
		{"method 0: signature is int, not a func type", func(t *testing.T, u *Unit) { u.Methods[0].Sig = 1 }},

		// Definitions.
		{"path is empty", func(t *testing.T, u *Unit) { u.Path = "" }},
		{"language 9 is unknown", func(t *testing.T, u *Unit) { u.Lang = 9 }},
		{"initialiser 9 is out of range", func(t *testing.T, u *Unit) { u.Init = 9 }},
		{"type m.T: is defined twice", func(t *testing.T, u *Unit) { u.TypeDecls = append(u.TypeDecls, u.TypeDecls[0]) }},
		{"underlying type 99 is out of range", func(t *testing.T, u *Unit) { u.TypeDecls[0].Underlying = 99 }},
		{"supertype int is not a named type", func(t *testing.T, u *Unit) { u.TypeDecls[0].Supers = []TypeID{1} }},
		{"method's function is empty", func(t *testing.T, u *Unit) { u.TypeDecls[0].Methods = []MethodDecl{{Name: "M"}} }},
		{"global $m.g: is defined twice", func(t *testing.T, u *Unit) { u.Globals = append(u.Globals, u.Globals[0]) }},
		{"global $m.g: flags 0x80 are unknown", func(t *testing.T, u *Unit) { u.Globals[0].Flags = 0x80 }},
		{"func @m.pair: is defined twice", func(t *testing.T, u *Unit) { u.Funcs[2].Symbol = "m.pair" }},
		{"func @m.f: signature is int", func(t *testing.T, u *Unit) { u.Funcs[0].Sig = 1 }},
		{"is external and has a body", func(t *testing.T, u *Unit) { u.Funcs[0].Flags |= FuncExternal }},
		{"has no body and is not external", func(t *testing.T, u *Unit) { u.Funcs[1].Flags = 0 }},
		{"parent 9 is out of range", func(t *testing.T, u *Unit) { u.Funcs[1].Parent = 9 }},
		{"encloses itself", func(t *testing.T, u *Unit) { u.Funcs[0].Parent = 3 }},
		{"file 0: path is empty", func(t *testing.T, u *Unit) { u.Files[0].Path = "" }},
		{"import 0: path is empty", func(t *testing.T, u *Unit) { u.Imports = []string{""} }},
		{"alias 0: target is empty", func(t *testing.T, u *Unit) { u.Aliases = []Alias{{Symbol: "a"}} }},
		{"annotation 0: text is empty", func(t *testing.T, u *Unit) { u.Annotations = []Annotation{{Target: "a"}} }},
		{"limit 0: kind is empty", func(t *testing.T, u *Unit) { u.Limits = []Limit{{Text: "a"}} }},

		// Positions.
		{"is neither zero nor a place", func(t *testing.T, u *Unit) { u.Globals[0].Pos = Pos{Col: 3} }},
		{"position's file 4 is out of range", func(t *testing.T, u *Unit) { body(u).Pos[0].File = 4 }},
		{"ends before it starts", func(t *testing.T, u *Unit) { body(u).Pos[0].EndCol = 1 }},
		{"ends before it starts", func(t *testing.T, u *Unit) { u.Funcs[0].End = Pos{Line: 5, EndLine: 4} }},
		{"has 0 positions for 13 instructions", func(t *testing.T, u *Unit) { body(u).Pos = nil }},

		// Shape of bodies.
		{"do not fit into 10 registers", func(t *testing.T, u *Unit) { body(u).Captures = 20 }},
		{"has 2 parameters, its signature 3", func(t *testing.T, u *Unit) { body(u).Params = 2 }},
		{"parameter v1 is int, in the signature bool", func(t *testing.T, u *Unit) { body(u).Regs[1].Type = body(u).Regs[4].Type }},
		{"type 99 of v4 is out of range", func(t *testing.T, u *Unit) { body(u).Regs[4].Type = 99 }},
		{"v0 has the invalid type", func(t *testing.T, u *Unit) { u.Funcs[3].body.Regs[0].Type = 0 }},
		{"has no blocks", func(t *testing.T, u *Unit) { body(u).Blocks = nil }},
		{"recover block b9 is out of range or the entry", func(t *testing.T, u *Unit) { body(u).Recover = 9 }},
		{"want them from 4 on", func(t *testing.T, u *Unit) { body(u).Blocks[1].First++ }},
		{"blocks hold 12 of 13 instructions", func(t *testing.T, u *Unit) { body(u).Blocks[5].End-- }},
		{"edges 99+1 are out of range", func(t *testing.T, u *Unit) { body(u).Blocks[1].Succs = Span{99, 1} }},
		{"edge to b77, which does not exist", func(t *testing.T, u *Unit) { body(u).Succs(0)[0] = 77 }},

		// Instructions.
		{"operation 0 is unknown", func(t *testing.T, u *Unit) { at(t, u, OpLoad).Op = OpInvalid }},
		{"operation 200 is unknown", func(t *testing.T, u *Unit) { at(t, u, OpLoad).Op = 200 }},
		{"operands 99+1 are out of range", func(t *testing.T, u *Unit) { at(t, u, OpLoad).Args.Off = 99 }},
		{"b0 instruction 1 (load): has 2 operands", func(t *testing.T, u *Unit) { at(t, u, OpLoad).Args.Len = 2 }},
		{"variant 9 is unknown", func(t *testing.T, u *Unit) { at(t, u, OpLoad).Sub = 9 }},
		{"variant 1 is unknown", func(t *testing.T, u *Unit) { at(t, u, OpField).Sub = 1 }},
		{"(load): type is the invalid type", func(t *testing.T, u *Unit) { at(t, u, OpLoad).Type = 0 }},
		{"has a type, which means nothing here", func(t *testing.T, u *Unit) { at(t, u, OpJump).Type = 1 }},
		{"operand 0 is out of range", func(t *testing.T, u *Unit) { args(u, at(t, u, OpLoad))[0] = RegValue(99) }},
		{"operand 0 is out of range", func(t *testing.T, u *Unit) { args(u, at(t, u, OpLoad))[0] = ConstValue(99) }},
		{"operand 0 is out of range", func(t *testing.T, u *Unit) { args(u, at(t, u, OpLoad))[0] = GlobalValue(99) }},
		{"operand 0 is out of range", func(t *testing.T, u *Unit) { args(u, at(t, u, OpLoad))[0] = FuncValue(99) }},
		{"operand 0 is absent", func(t *testing.T, u *Unit) { args(u, at(t, u, OpLoad))[0] = NoValue }},
		{"aux is 3, want 0", func(t *testing.T, u *Unit) { at(t, u, OpLoad).Aux = 3 }},
		{"field 9 is out of range", func(t *testing.T, u *Unit) { at(t, u, OpField).Aux = 9 }},
		{"function 9 is out of range", func(t *testing.T, u *Unit) { at(t, u, OpCall).Aux = 9 }},
		{"method 9 is out of range", func(t *testing.T, u *Unit) { at(t, u, OpInvoke).Aux = 9 }},
		{"flags try (0x4) mean nothing here", func(t *testing.T, u *Unit) { at(t, u, OpLoad).Flags = FlagTry }},
		{"flags group (0x40) mean nothing here", func(t *testing.T, u *Unit) { at(t, u, OpCall).Flags = FlagGroup }},
		{"lacks its result", func(t *testing.T, u *Unit) { at(t, u, OpField).Dst = None }},
		{"has a result", func(t *testing.T, u *Unit) { at(t, u, OpJump).Dst = 6 }},
		{"register 99 is out of range", func(t *testing.T, u *Unit) { at(t, u, OpLoad).Dst = 99 }},
		{"result v4 is bool", func(t *testing.T, u *Unit) { body(u).Regs[4].Type = body(u).Regs[1].Type }},
		{"spawn call has a result", func(t *testing.T, u *Unit) { at(t, u, OpCall).Sub = uint8(Spawned) }},
		{"v3 is assigned twice", func(t *testing.T, u *Unit) { at(t, u, OpLoad).Dst = 3 }},
		{"v0 is assigned twice", func(t *testing.T, u *Unit) { at(t, u, OpLoad).Dst = 0 }},
		{"operand 0 is of kind basic, want pointer", func(t *testing.T, u *Unit) { args(u, at(t, u, OpLoad))[0] = RegValue(1) }},
		{"type is int, want pointer", func(t *testing.T, u *Unit) { at(t, u, OpField).Type = 1 }},
		{"index 5 of (int, error) is out of range", func(t *testing.T, u *Unit) { at(t, u, OpExtract).Aux = 5 }},
		{"but component 1 of the tuple is error", func(t *testing.T, u *Unit) { at(t, u, OpExtract).Aux = 1 }},
		{"has 0 results, want 1", func(t *testing.T, u *Unit) { at(t, u, OpReturn).Args.Len = 0 }},
		{"binds 0 values, but @m.h captures 1", func(t *testing.T, u *Unit) { u.Funcs[2].body.Instrs[0].Args.Len = 0 }},

		// Control flow.
		{"b3: is empty", func(t *testing.T, u *Unit) { // b2 swallows b3
			body(u).Blocks[2].End, body(u).Blocks[3].First = body(u).Blocks[3].End, body(u).Blocks[3].End
		}},
		{"terminator is not the last of its block", func(t *testing.T, u *Unit) { // b1 ends in b2
			body(u).Blocks[1].End++
			body(u).Blocks[2].First++
		}},
		{"last instruction is not a terminator", func(t *testing.T, u *Unit) {
			body(u).Blocks[1].End--
			body(u).Blocks[2].First--
		}},
		{"phi has 2 operands for 1 predecessors", func(t *testing.T, u *Unit) { body(u).Blocks[3].Preds.Len = 1 }},
		{"phi comes after other instructions", func(t *testing.T, u *Unit) {
			in := at(t, u, OpLoad)
			*in = Instr{Op: OpPhi, Dst: in.Dst, Type: in.Type}
		}},
		{"catch comes after other instructions", func(t *testing.T, u *Unit) {
			in := at(t, u, OpLoad)
			*in = Instr{Op: OpCatch, Dst: in.Dst, Type: in.Type}
		}},
		{"catch in a block that is not entered by exceptional edges alone", func(t *testing.T, u *Unit) {
			in := at(t, u, OpExtract)
			*in = Instr{Op: OpCatch, Dst: in.Dst, Type: in.Type}
		}},
		{"b0 instruction 3 (if): has 1 successors, want 2", func(t *testing.T, u *Unit) { body(u).Blocks[0].Succs.Len = 1 }},
		{"has 0 predecessors, but 1 edges lead to it", func(t *testing.T, u *Unit) { body(u).Blocks[1].Preds.Len = 0 }},
		{"normal predecessors are b2 b2, want b1 b2", func(t *testing.T, u *Unit) { body(u).Preds(3)[0] = 2 }},
		{"exceptional predecessors are b0, want b2", func(t *testing.T, u *Unit) { body(u).Preds(4)[0] = 0 }},
		{"entry has predecessors", func(t *testing.T, u *Unit) {
			body(u).Succs(1)[0] = 0
			body(u).Blocks[0].Preds = Span{body(u).Blocks[1].Preds.Off, 1}
			body(u).Blocks[3].Preds.Len = 1
			at(t, u, OpPhi).Args.Len = 1
		}},
		{"recover block has predecessors", func(t *testing.T, u *Unit) { body(u).Recover = 1 }},

		// Definitions before uses.
		{"v9 is never assigned", func(t *testing.T, u *Unit) { // the catch defines another register
			body(u).Regs = append(body(u).Regs, body(u).Regs[9])
			at(t, u, OpCatch).Dst = 10
		}},
		{"v5 is used where its definition in b0 may not have been reached", func(t *testing.T, u *Unit) {
			args(u, at(t, u, OpCall))[0] = RegValue(5)
		}},
		{"v6 is used where its definition in b1 may not have been reached", func(t *testing.T, u *Unit) {
			args(u, at(t, u, OpInvoke))[1] = RegValue(6)
		}},
		{"operand 0 comes from b1, where its definition in b2 may not have been reached", func(t *testing.T, u *Unit) {
			args(u, at(t, u, OpPhi))[0] = RegValue(7)
		}},
		{"v7 is used where its definition in b2 may not have been reached", func(t *testing.T, u *Unit) {
			args(u, at(t, u, OpThrow))[0] = RegValue(7) // b2 may throw before it
		}},
	} {
		u := parse(t, checkBase)
		test.spoil(t, u)
		if err := Check(u); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("error is %v, want %s", err, test.want)
		}
	}
}

// TestCheckInstruction has instructions that break a rule of their own
// operation.
func TestCheckInstruction(t *testing.T) {
	for _, test := range []struct{ code, want string }{
		{"v9 = mapget[ok] int v4, v0", "type with ok is int, want a pair"},
		{"v9 = next (int, bool) v0", "want a triple"},
		{"v9 = makeslice int v0, v0", "type is int, want slice"},
		{"v9 = lock v1", "has a result without try"},
		{"atomic.store int seqcst v1", "store has 1 operands, want 2"},
		{"atomic.load int plain v1", "memory order 0 is plain or unknown"},
		{"v9 = select (int, bool) 0:int, v3", "has 2 operands, want triples"},
		{"v9 = select (int) 0:int, v3, _", "want at least an index and a bool"},
		{"v9 = select (int, bool) 2:int, v3, _", "direction of case 0 is neither 0 nor 1"},
		{"v9 = select (int, bool) 0:int, v3, v0", "case 0 receives and has a value to send"},
		{"v9 = select (int, bool) 1:int, v3, _", "case 0 sends nothing"},
		{"v9 = select (int, bool) 0:int, v0, _", "operand 1 is of kind basic, want chan"},
		{"group.add v1", "add has 1 operands"},
		{"group.wait v1, v0", "wait has 2 operands"},
		{"send v0, v0", "operand 0 is of kind basic, want chan"},
		{"trigger int", "type is int, want named"},
		{"callptr () v0()", "operand 0 is of kind basic, want pointer or func"},
		{"spawn invoke[group=v1] () v1.M()", ""},
		{"v9: int = alloc.heap int", "result v9 is int"},
		{"v9: *_ = alloc.heap int", ""},
		{"v9 = extract int #3 v5", "index 3 of m.T is out of range"},
		{"v9 = offset *_ v1, nil:*int", "operand 1 is of kind pointer, want basic"},
	} {
		u := parse(t, `
unit m
type m.T struct{n int}
func @m.f(v0: int, v1: *int, v2: []int, v3: chan int, v4: map[int]int, v5: m.T) {
b0:
	`+test.code+`
	ret
}`)
		err := Check(u)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error is %v, want %s", test.code, err, test.want)
		}
	}
}

// TestCheckSwitch has a terminator's own rule.
func TestCheckSwitch(t *testing.T) {
	u := parse(t, "unit m\nfunc @f(v0: int) {\nb0:\n\tswitch v0, v0 b1 b1\nb1:\n\tret\n}")
	if err := Check(u); err == nil || !strings.Contains(err.Error(), "operand 1 is not a constant") {
		t.Errorf("error is %v", err)
	}
}

// TestCheckManyProblems shows that a broken unit does not drown its reader.
func TestCheckManyProblems(t *testing.T) {
	u := parse(t, "unit m")
	for range 100 {
		u.Imports = append(u.Imports, "")
	}
	if n := len(strings.Split(Check(u).Error(), "\n")); n != maxProblems {
		t.Errorf("%d problems are told, want %d", n, maxProblems)
	}
}
