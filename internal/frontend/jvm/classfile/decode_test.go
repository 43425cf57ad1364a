package classfile

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
)

// decodeOne decodes the only method of a class.
func decodeOne(t testing.TB, b []byte) (*Code, error) {
	t.Helper()
	k := mustParse(t, b)
	return k.Decode(&k.Methods[0])
}

func ops(list ...any) []byte {
	var out []byte
	for _, x := range list {
		switch x := x.(type) {
		case Op:
			out = append(out, byte(x))
		case int:
			out = append(out, byte(x))
		case []byte:
			out = append(out, x...)
		default:
			panic(fmt.Sprintf("%T", x))
		}
	}
	return out
}

// The table has every opcode of the specification and nothing twice.
func TestOpcodeTable(t *testing.T) {
	seen := map[string]Op{}
	for i := range opcodes {
		o := &opcodes[i]
		if o.name == "" {
			t.Errorf("opcode %d is not in the table", i)
		}
		if other, twice := seen[o.name]; twice {
			t.Errorf("%s is %d and %d", o.name, other, i)
		}
		seen[o.name] = Op(i)
		if general := opcodes[o.op]; general.op != o.op {
			t.Errorf("%s is a form of %s, which is a form of %s", o.name, general.name, opcodes[general.op].name)
		}
	}
	// Some that are far apart, by the numbers of the specification.
	for name, want := range map[string]Op{"nop": 0, "sipush": 17, "aload_0": 42, "iastore": 79, "swap": 95, "iinc": 132, "dcmpg": 152, "goto": 167,
		"return": 177, "invokedynamic": 186, "monitorexit": 195, "multianewarray": 197, "jsr_w": 201} {
		if seen[name] != want {
			t.Errorf("%s = %d, want %d", name, seen[name], want)
		}
	}
	if s := Op(250).String(); s != "op250" {
		t.Errorf("Op(250) = %s", s)
	}
}

// Short forms, wide forms and all ways to push a constant become one.
func TestGeneralForms(t *testing.T) {
	b := newBuilder()
	pi := b.constant(tagDouble, u4(0x400921FB), u4(0x54442D18))
	half := b.constant(tagFloat, u4(0x3F000000))
	insns := ops(
		OpILoad2, OpILoad, 5, OpWide, OpILoad, u2(7), OpAStore3, OpIInc, 1, 0xFF, OpWide, OpIInc, u2(1), u2(-300&0xFFFF),
		OpIConstM1, OpIConst5, OpBIPush, 0x80, OpSIPush, u2(0x8000), OpLConst1, OpFConst2, OpDConst1, OpLdc2W, u2(pi), OpLdc, half, OpReturn)
	b.method(AccStatic, "m", "()V", b.code(insns, nil))
	code, err := decodeOne(t, b.bytes())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for i := range code.Insns {
		in := &code.Insns[i]
		s := in.Op.String()
		switch {
		case in.Const == ConstFloat || in.Const == ConstDouble:
			s += fmt.Sprintf(" %v", in.Float())
		case in.Op == OpLdc:
			s += fmt.Sprintf(" %d:%d", in.Const, in.Int)
		case in.Op == OpIInc:
			s += fmt.Sprintf(" %d %d", in.Local, in.Int)
		case in.Op != OpReturn:
			s += fmt.Sprintf(" %d", in.Local)
		}
		got = append(got, s)
	}
	want := []string{"iload 2", "iload 5", "iload 7", "astore 3", "iinc 1 -1", "iinc 1 -300",
		"ldc 1:-1", "ldc 1:5", "ldc 1:-128", "ldc 1:-32768", "ldc 2:1", "ldc 2", "ldc 1", fmt.Sprint("ldc ", math.Pi), "ldc 0.5", "return"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if code.Insns[2].Raw != OpILoad || code.Insns[0].Raw != OpILoad2 || code.Insns[3].PC != 7 {
		t.Errorf("raw opcodes: %+v", code.Insns[:4])
	}
}

func TestSwitches(t *testing.T) {
	// 0 iconst_0, 1 tableswitch padded to 4: default, -1, 1, three targets, at 28 return
	code, err := decodeOne(t, oneMethod(ops(OpIConst0, OpTableSwitch, 0, 0, u4(27), u4(-1), u4(1), u4(27), u4(28), u4(27), OpReturn, OpReturn)...))
	if err != nil {
		t.Fatal(err)
	}
	if s := code.Insns[1].Switch; !reflect.DeepEqual(*s, Switch{2, []int32{-1, 0, 1}, []int32{2, 3, 2}}) {
		t.Errorf("tableswitch = %+v", s)
	}
	code, err = decodeOne(t, oneMethod(ops(OpIConst0, OpLookupSwitch, 0, 0, u4(27), u4(2), u4(-9), u4(28), u4(1000), u4(27), OpReturn, OpReturn)...))
	if err != nil {
		t.Fatal(err)
	}
	if s := code.Insns[1].Switch; !reflect.DeepEqual(*s, Switch{2, []int32{-9, 1000}, []int32{3, 2}}) {
		t.Errorf("lookupswitch = %+v", s)
	}
}

func TestOperands(t *testing.T) {
	b := newBuilder()
	field := b.ref(tagFieldref, "p/A", "f", "I")
	method := b.ref(tagMethodref, "[I", "clone", "()Ljava/lang/Object;")
	iface := b.ref(tagInterfaceMethodref, "p/I", "m", "(J)V")
	handle := b.constant(tagMethodHandle, []byte{byte(HandleInvokeStatic)}, u2(iface))
	site := b.constant(tagInvokeDynamic, u2(0), u2(b.constant(tagNameAndType, u2(b.utf8("run")), u2(b.utf8("()Lp/I;")))))
	condy := b.constant(tagDynamic, u2(0), u2(b.constant(tagNameAndType, u2(b.utf8("c")), u2(b.utf8("I")))))
	mtype := b.constant(tagMethodType, u2(b.utf8("(I)V")))
	str := b.constant(tagString, u2(b.utf8("text")))
	arr := b.class("[[I")
	insns := ops(OpGetStatic, u2(field), OpInvokeVirtual, u2(method), OpInvokeInterface, u2(iface), 3, 0, OpInvokeDynamic, u2(site), 0, 0,
		OpLdcW, u2(handle), OpLdcW, u2(condy), OpLdcW, u2(mtype), OpLdcW, u2(str), OpLdcW, u2(arr), OpMultiANewArray, u2(arr), 2, OpNewArray, 11,
		OpCheckCast, u2(arr), OpReturn)
	b.method(AccStatic, "m", "()V", b.code(insns, nil))
	b.attrs = [][]byte{b.attr("BootstrapMethods", table(cat(u2(handle), table(u2(mtype), u2(str), u2(condy)))))}
	k := mustParse(t, b.bytes())
	code, err := k.Decode(&k.Methods[0])
	if err != nil {
		t.Fatal(err)
	}
	in := code.Insns
	m := &Member{"p/I", "m", "(J)V", true}
	for i, want := range []*Member{{"p/A", "f", "I", false}, {"[I", "clone", "()Ljava/lang/Object;", false}, m} {
		if !reflect.DeepEqual(in[i].Member, want) {
			t.Errorf("instruction %d has %+v", i, in[i].Member)
		}
	}
	if !reflect.DeepEqual(in[3].Dynamic, &Dynamic{"run", "()Lp/I;", 0}) {
		t.Errorf("invokedynamic = %+v", in[3].Dynamic)
	}
	if in[4].Const != ConstHandle || HandleKind(in[4].Int) != HandleInvokeStatic || in[4].Member != in[2].Member {
		t.Errorf("method handle = %+v", in[4])
	}
	if in[5].Const != ConstDynamic || in[5].Dynamic.Name != "c" || in[6].Const != ConstMethodType || in[6].Text != "(I)V" {
		t.Errorf("constants = %+v", in[5:7])
	}
	if in[7].Text != "text" || in[8].Const != ConstClass || in[8].Text != "[[I" || in[9].Dims != 2 || in[9].Text != "[[I" || in[10].Text != "J" || in[11].Text != "[[I" {
		t.Errorf("classes = %+v", in[7:12])
	}
	want := Bootstrap{Handle{HandleInvokeStatic, m}, []Const{{Kind: ConstMethodType, Text: "(I)V"}, {Kind: ConstString, Text: "text"}, {Kind: ConstDynamic, Dynamic: in[5].Dynamic}}}
	if !reflect.DeepEqual(k.Bootstraps, []Bootstrap{want}) {
		t.Errorf("bootstraps = %+v", k.Bootstraps)
	}
}

func TestHandlersAndTables(t *testing.T) {
	b := newBuilder()
	insns := ops(OpNop, OpILoad, 1, OpPop, OpReturn, OpAThrow)
	lines := func(list ...int) []byte {
		var e [][]byte
		for i := 0; i < len(list); i += 2 {
			e = append(e, cat(u2(list[i]), u2(list[i+1])))
		}
		return b.attr("LineNumberTable", table(e...))
	}
	variable := func(start, length int, name, desc string, index int) []byte {
		return cat(u2(start), u2(length), u2(b.utf8(name)), u2(b.utf8(desc)), u2(index))
	}
	b.method(AccStatic, "m", "()V", b.code(insns,
		[][]byte{cat(u2(0), u2(3), u2(5), u2(b.class("p/E"))), cat(u2(0), u2(6), u2(5), u2(0))},
		// Two tables, out of order, one line outside.
		lines(3, 12, 77, 99), lines(0, 10, 1, 11, 1, 20),
		b.attr("LocalVariableTypeTable", table(variable(1, 4, "v", "TT;", 1))),
		b.attr("LocalVariableTable", table(variable(1, 4, "v", "Lp/A;", 1), variable(4, 9, "beyond", "I", 2), variable(0, 6, "w", "I", 0))),
		b.attr("StackMapTable", u2(0))))
	code, err := decodeOne(t, b.bytes())
	if err != nil {
		t.Fatal(err)
	}
	if want := []Handler{{0, 2, 4, "p/E"}, {0, 5, 4, ""}}; !reflect.DeepEqual(code.Handlers, want) {
		t.Errorf("handlers = %+v", code.Handlers)
	}
	if want := []Line{{0, 10}, {1, 11}, {1, 20}, {3, 12}}; !reflect.DeepEqual(code.Lines, want) {
		t.Errorf("lines = %+v", code.Lines)
	}
	for pc, want := range map[int]int{0: 10, 1: 20, 2: 20, 3: 12, 5: 12} {
		if got := code.LineAt(pc); got != want {
			t.Errorf("LineAt(%d) = %d, want %d", pc, got, want)
		}
	}
	if want := []LocalVar{{1, 5, 1, "v", "Lp/A;", "TT;"}, {0, 6, 0, "w", "I", ""}}; !reflect.DeepEqual(code.Locals, want) {
		t.Errorf("variables = %+v", code.Locals)
	}
	if v := code.LocalAt(4, 1); v == nil || v.Name != "v" || code.LocalAt(5, 1) != nil || code.LocalAt(0, 3) != nil {
		t.Errorf("LocalAt(4, 1) = %+v", v)
	}
	if code.MaxStack != 4 || code.MaxLocals != 8 || len(code.Bytes) != len(insns) {
		t.Errorf("code = %+v", code)
	}
}

func TestDecodeErrors(t *testing.T) {
	handler := func(start, end, target int) []byte {
		b := newBuilder()
		b.method(AccStatic, "m", "()V", b.code(ops(OpNop, OpILoad, 1, OpPop, OpReturn), [][]byte{cat(u2(start), u2(end), u2(target), u2(0))}))
		return b.bytes()
	}
	invoke := func(desc string) []byte {
		b := newBuilder()
		m := b.ref(tagMethodref, "p/A", "m", desc)
		b.method(AccStatic, "m", "()V", b.code(ops(OpInvokeStatic, u2(m), OpReturn), nil))
		return b.bytes()
	}
	site := func() []byte {
		b := newBuilder()
		s := b.constant(tagInvokeDynamic, u2(3), u2(b.constant(tagNameAndType, u2(b.utf8("run")), u2(b.utf8("()Lp/I;")))))
		b.method(AccStatic, "m", "()V", b.code(ops(OpInvokeDynamic, u2(s), 0, 0, OpReturn), nil))
		return b.bytes()
	}
	for _, tt := range []struct {
		name string
		b    []byte
		want string
	}{
		{"empty", oneMethod(), "0 bytes of code"},
		{"opcode", oneMethod(202), "unknown opcode 202"},
		{"jsr", oneMethod(ops(OpJsr, 0, 3, OpReturn)...), "class p/Hand: method m()V: offset"},
		{"jsr", oneMethod(ops(OpJsr, 0, 3, OpReturn)...), "jsr: subroutines are not supported"},
		{"ret", oneMethod(ops(OpRet, 1)...), "ret: subroutines are not supported"},
		{"wide ret", oneMethod(ops(OpWide, OpRet, 0, 1)...), "ret: subroutines are not supported"},
		{"wide", oneMethod(ops(OpWide, OpNop, OpReturn)...), "wide before nop"},
		{"wide unknown", oneMethod(ops(OpWide, 255, OpReturn)...), "wide before unknown opcode 255"},
		{"cut off", oneMethod(ops(OpNop, OpSIPush, 1)...), "2 bytes needed, 1 left"},
		{"jump behind", oneMethod(ops(OpGoto, 0, 9)...), "jump to 9, where no instruction begins"},
		{"jump before", oneMethod(ops(OpGoto, 0xFF, 0xFF)...), "jump to -1"},
		{"jump into", oneMethod(ops(OpGoto, 0, 2)...), "jump to 2"},
		{"falls off", oneMethod(ops(OpNop)...), "code ends after nop"},
		{"local", oneMethod(ops(OpLLoad, 7, OpReturn)...), "lload of local 7, the method has 8"},
		{"constant", oneMethod(ops(OpLdc, 1, OpReturn)...), "constant 1 of tag 1 cannot be loaded"},
		{"field", oneMethod(ops(OpGetStatic, 0, 1, OpReturn)...), "constant 1 has tag 1, want that of a field or method reference"},
		{"descriptor", invoke("I"), `p/A.m has the descriptor "I"`},
		{"site", site(), "bootstrap method 3 of 0"},
		{"newarray", oneMethod(ops(OpNewArray, 3, OpReturn)...), "newarray of unknown type 3"},
		{"tableswitch", oneMethod(ops(OpTableSwitch, 0, 0, 0, u4(0), u4(-1<<31), u4(1<<31-1), OpReturn)...), "tableswitch from -2147483648 to 2147483647"},
		{"tableswitch down", oneMethod(ops(OpTableSwitch, 0, 0, 0, u4(0), u4(5), u4(1), OpReturn)...), "tableswitch from 5 to 1"},
		{"lookupswitch", oneMethod(ops(OpLookupSwitch, 0, 0, 0, u4(0), u4(-1), OpReturn)...), "lookupswitch of -1 cases"},
		{"lookupswitch order", oneMethod(ops(OpLookupSwitch, 0, 0, 0, u4(0), u4(2), u4(1), u4(0), u4(1), u4(0))...), "not ascending"},
		{"handler", handler(0, 2, 0), "handler names 2, where no instruction begins"},
		{"handler empty", handler(1, 1, 0), "handler at 0 for 1 to 1"},
		{"handler at end", handler(0, 1, 5), "handler at 5 for 0 to 1"},
	} {
		code, err := decodeOne(t, tt.b)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, %v, want %q", tt.name, code, err, tt.want)
		}
	}
}

// An error in one method leaves the others.
func TestErrorIsOfOneMethod(t *testing.T) {
	b := newBuilder()
	b.method(AccStatic, "bad", "()V", b.code([]byte{255}, nil))
	b.method(AccStatic, "good", "()V", b.code([]byte{byte(OpReturn)}, nil))
	k := mustParse(t, b.bytes())
	var d Decoder
	if _, err := d.Decode(k, &k.Methods[0]); err == nil {
		t.Error("bad was decoded")
	}
	if code, err := d.Decode(k, &k.Methods[1]); err != nil || len(code.Insns) != 1 {
		t.Errorf("good: %v, %v", code, err)
	}
}
