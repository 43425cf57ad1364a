package classfile

import (
	"errors"
	"testing"
)

// FuzzParse checks that no bytes make the reader crash, that errors are of its
// type, and that indexes in what it returns are in range.
func FuzzParse(f *testing.F) {
	f.Add(oneMethod(ops(OpIConst0, OpTableSwitch, 0, 0, u4(27), u4(-1), u4(1), u4(27), u4(28), u4(27), OpReturn, OpReturn)...))
	f.Add(oneMethod(ops(OpIConst0, OpLookupSwitch, 0, 0, u4(27), u4(2), u4(-9), u4(28), u4(1000), u4(27), OpReturn, OpReturn)...))
	f.Add(fuzzSeed())
	f.Fuzz(func(t *testing.T, b []byte) {
		k, err := Parse(b)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(b) {
				t.Fatalf("error %v", err)
			}
			return
		}
		var d Decoder
		for i := range k.Methods {
			m := &k.Methods[i]
			if _, err := ParseMethodDesc(m.Desc); err != nil {
				t.Fatal(err)
			}
			code, err := d.Decode(k, m)
			if err == nil && code != nil {
				checkCode(t, k, code)
			}
		}
	})
}

// checkCode checks what users of a Code rely on.
func checkCode(t *testing.T, k *Class, c *Code) {
	n := len(c.Insns)
	in := func(what string, i int32) {
		if i < 0 || int(i) >= n {
			t.Fatalf("%s %d of %d instructions", what, i, n)
		}
	}
	for i := range c.Insns {
		x := &c.Insns[i]
		in("target", x.Target)
		if x.Switch != nil {
			in("default", x.Switch.Default)
			for _, target := range x.Switch.Targets {
				in("case", target)
			}
		}
		if x.Dynamic != nil && x.Dynamic.Bootstrap >= len(k.Bootstraps) {
			t.Fatalf("bootstrap %d of %d", x.Dynamic.Bootstrap, len(k.Bootstraps))
		}
		if opcodes[x.Op].form == formMethod {
			if _, err := ParseMethodDesc(x.Member.Desc); err != nil {
				t.Fatal(err)
			}
		}
		c.LineAt(int(x.PC))
		c.LocalAt(int(x.PC), int(x.Local))
	}
	for _, h := range c.Handlers {
		in("handler", int32(h.Target))
		if h.Start < 0 || h.Start >= h.End || h.End > n {
			t.Fatalf("handler %+v of %d instructions", h, n)
		}
	}
}

// fuzzSeed is a class with one of everything.
func fuzzSeed() []byte {
	b := newBuilder()
	iface := b.ref(tagInterfaceMethodref, "p/I", "m", "(J)V")
	handle := b.constant(tagMethodHandle, []byte{byte(HandleInvokeStatic)}, u2(iface))
	run := b.constant(tagNameAndType, u2(b.utf8("run")), u2(b.utf8("()Lp/I;")))
	site := b.constant(tagInvokeDynamic, u2(0), u2(run))
	long := b.constant(tagLong, u4(-1), u4(-2))
	str := b.constant(tagString, u2(b.utf8("a\xc0\x80")))
	note := table(cat(u2(b.utf8("LA;")), u2(3),
		u2(b.utf8("v")), []byte("s"), u2(b.utf8("x")),
		u2(b.utf8("e")), []byte("e"), u2(b.utf8("LE;")), u2(b.utf8("X")),
		u2(b.utf8("l")), []byte("["), u2(1), []byte("@"), u2(b.utf8("LB;")), u2(0)))
	b.field(AccStatic|AccFinal, "x", "J", b.attr("ConstantValue", u2(long)), b.attr("RuntimeVisibleAnnotations", note),
		b.attr(invisibleTypes, table(cat([]byte{targetField, 1, 3, 0}, note[2:]))))
	b.method(AccStatic, "m", "()V", b.code(ops(OpInvokeDynamic, u2(site), 0, 0, OpLdc2W, u2(long), OpInvokeInterface, u2(iface), 3, 0, OpLdc, str,
		OpWide, OpAStore, u2(5), OpGoto, 0, 3, OpReturn, OpAThrow),
		[][]byte{cat(u2(0), u2(5), u2(23), u2(0))},
		b.attr("LineNumberTable", table(cat(u2(0), u2(7)))),
		b.attr("LocalVariableTable", table(cat(u2(0), u2(5), u2(b.utf8("v")), u2(b.utf8("I")), u2(1)))),
		b.attr("LocalVariableTypeTable", table(cat(u2(0), u2(5), u2(b.utf8("v")), u2(b.utf8("TT;")), u2(1))))),
		b.attr("RuntimeInvisibleParameterAnnotations", []byte{1}, note), b.attr("AnnotationDefault", []byte("s"), u2(b.utf8("x"))))
	b.attrs = [][]byte{
		b.attr("BootstrapMethods", table(cat(u2(handle), table(u2(str), u2(handle))))),
		b.attr("Record", table(cat(u2(b.utf8("r")), u2(b.utf8("I")), table(b.attr("Signature", u2(b.utf8("TT;"))))))),
		b.attr("EnclosingMethod", u2(b.class("p/Out")), u2(run)),
		b.attr("InnerClasses", table(cat(u2(b.class("p/Hand$A")), u2(0), u2(0), u2(0)))),
		b.attr("Module", u2(b.constant(tagModule, u2(b.utf8("m")))), u2(0), u2(0), table(), table(), table(), table(), table(cat(u2(b.class("p/S")), table(u2(b.class("p/T")))))),
	}
	return b.bytes()
}

// The seed must be valid, or fuzzing begins with nothing.
func TestFuzzSeed(t *testing.T) {
	k := mustParse(t, fuzzSeed())
	code, err := k.Decode(&k.Methods[0])
	if err != nil {
		t.Fatal(err)
	}
	checkCode(t, k, code)
}
