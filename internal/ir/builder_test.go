package ir

import (
	"reflect"
	"slices"
	"testing"
)

// TestIntern demands that equal entries get one ID and different ones do not.
func TestIntern(t *testing.T) {
	b := NewBuilder("m", LangGo)
	intern := func() []TypeID {
		i, s := b.Basic("int"), b.Basic("string")
		sig := b.FuncType([]TypeID{i}, []TypeID{s}, false)
		return []TypeID{
			i, s, sig,
			b.FuncType([]TypeID{i, s}, nil, false),
			b.FuncType([]TypeID{i}, []TypeID{s}, true),
			b.Pointer(i), b.Pointer(s), b.Pointer(0), b.Slice(i), b.Slice(s),
			b.Array(3, i), b.Array(-1, i), b.Map(i, s), b.Map(s, i),
			b.Chan(ChanBoth, i), b.Chan(ChanSend, i), b.Chan(ChanRecv, i),
			b.Tuple(), b.Tuple(i), b.Tuple(i, s),
			b.Struct(nil), b.Struct([]Field{{Name: "a", Type: i, Offset: -1}}), b.Struct([]Field{{Name: "a", Type: i}}),
			b.Interface(nil), b.Interface([]Method{{"M", sig}}),
			b.Named("T"), b.Named("T", i), b.Named("T", i, s), b.TypeParam("T", 0), b.TypeParam("T", 1),
		}
	}
	first, second := intern(), intern()
	if !slices.Equal(first, second) {
		t.Errorf("IDs are %v and then %v", first, second)
	}
	sorted := slices.Clone(first)
	slices.Sort(sorted)
	if len(slices.Compact(sorted)) != len(first) {
		t.Errorf("IDs %v repeat", first)
	}
	plain, one := b.FuncRef("f"), b.FuncRef("f", 1)
	if plain != b.FuncRef("f") || one != b.FuncRef("f", 1) || b.FuncRef("f", 1) == b.FuncRef("f", 2) || b.FuncRef("f") == b.FuncRef("f", 1) {
		t.Error("function references are not interned by symbol and arguments")
	}
	if b.Const(1, "1") != b.IntConst(1, 1) || b.Const(1, "1") == b.Const(2, "1") {
		t.Error("constants are not interned by type and spelling")
	}
}

// TestInternAllocates demands that finding what is known costs no memory.
func TestInternAllocates(t *testing.T) {
	b := NewBuilder("m", LangGo)
	i := b.Basic("int")
	elems := []TypeID{i, i}
	lookup := func() {
		b.Pointer(i)
		b.Map(i, i)
		b.FuncType(elems, elems, false)
		b.FuncRef("f", elems...)
		b.Field(i, "n", 0)
		b.Method("m", i)
		b.Const(i, "1")
		b.GlobalRef("g")
	}
	lookup()
	if n := testing.AllocsPerRun(100, lookup); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestBodyBuilder fills blocks out of order and gives a phi its operands late.
func TestBodyBuilder(t *testing.T) {
	b := NewBuilder("m", LangGo)
	i, boolean := b.Basic("int"), b.Basic("bool")
	var bb BodyBuilder
	n := bb.Param(i, "n")
	entry, loop, body, exit := bb.NewBlock(), bb.NewBlock(), bb.NewBlock(), bb.NewBlock()
	bb.SetBlock(entry)
	bb.Jump(Pos{}, loop)
	bb.SetBlock(loop)
	sum := bb.NewReg(i, "sum")
	phi := bb.DefReg(sum, Pos{}, Instr{Op: OpPhi, Type: i})
	bb.SetBlock(exit)
	bb.Return(Pos{}, RegValue(sum))
	bb.SetBlock(loop)
	cond := bb.Def(boolean, "", Pos{}, Instr{Op: OpBinary, Sub: uint8(BinLt), Type: boolean}, RegValue(sum), RegValue(n))
	if bb.Terminated() {
		t.Error("loop has no terminator yet")
	}
	bb.If(Pos{}, RegValue(cond), body, exit)
	bb.SetBlock(body)
	next := bb.Def(i, "", Pos{}, Instr{Op: OpBinary, Type: i}, RegValue(sum), ConstValue(b.IntConst(i, 1)))
	bb.Jump(Pos{}, loop)
	bb.SetArgs(phi, ConstValue(b.IntConst(i, 0)), RegValue(next))
	f := Func{Symbol: "f", Name: "f", Sig: b.FuncType([]TypeID{i}, []TypeID{i}, false), Parent: None}
	f.SetBody(bb.Finish())
	b.AddFunc(f)
	u := b.Finish()
	if err := Check(u); err != nil {
		t.Error(err)
	}
	want := parse(t, `
unit m go
func @f(v0 n: int) (int) {
b0:	jump b1
b1:	v1 sum = phi int 0:int, v3
	v2 = binary.lt bool v1, v0
	if v2 b2 b3
b2:	v3 = binary.add int v1, 1:int
	jump b1
b3:	ret v1
}`)
	if !reflect.DeepEqual(u, want) {
		t.Errorf("unit is\n%s", text(t, u))
	}
}

// TestRewrite replaces calls in a unit that was decoded, as a model does: one
// by two instructions, one by none.
func TestRewrite(t *testing.T) {
	original := parse(t, `
unit m go
func @m.f(v0: *sync.Mutex, v1: bool) {
b0:
	call () @sync.Mutex.Lock(v0)
	if v1 b2 b1
b1:
	call () @noise()
	jump b2
b2: preds b1 b0
	v2 = phi int 1:int, 2:int
	ret
}
func @m.g(v0 name: string) {
b0:
	v1 kept = copy string v0
	ret
}`)
	before := text(t, original)
	u, err := Decode(Encode(original))
	if err != nil {
		t.Fatal(err)
	}
	edit := EditUnit(u)
	old, err := u.Body(0)
	if err != nil {
		t.Fatal(err)
	}
	var bb BodyBuilder
	body := bb.Rewrite(old, func(i int) bool {
		in := &old.Instrs[i]
		if in.Op != OpCall {
			return false
		}
		if u.FuncRefs[in.Aux].Symbol == "sync.Mutex.Lock" {
			mu := old.Args(in)[0]
			bb.Emit(old.Pos[i], Instr{Op: OpLock, Flags: FlagModel}, mu)
			bb.Def(edit.Basic("string"), "name", old.Pos[i], Instr{Op: OpCopy, Type: edit.Basic("string")}, ConstValue(edit.StringConst("new")))
		}
		return true
	})
	edit.SetBody(0, body)
	if err := Check(edit.Unit()); err != nil {
		t.Error(err)
	}
	want := parse(t, `
unit m go
func @m.f(v0: *sync.Mutex, v1: bool) {
b0:
	lock.excl[model] v0
	v3 name = copy string "new":string
	if v1 b2 b1
b1:
	jump b2
b2: preds b1 b0
	v2 = phi int 1:int, 2:int
	ret
}
func @m.g(v0 name: string) {
b0:
	v1 kept = copy string v0
	ret
}`)
	got, err := Canonical(edit.Unit())
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v: unit is\n%s", err, text(t, edit.Unit()))
	}
	again, err := Decode(Encode(edit.Unit()))
	if err != nil {
		t.Fatal(err)
	}
	if text(t, again) != text(t, edit.Unit()) {
		t.Errorf("encoded and read again the unit is\n%s", text(t, again))
	}
	if after := text(t, u); after != before {
		t.Errorf("the original has changed:\n%s", after)
	}
	if bb.Rewrite(old, func(int) bool { return false }) != old {
		t.Error("a rewrite that replaces nothing does not return the body itself")
	}
}
