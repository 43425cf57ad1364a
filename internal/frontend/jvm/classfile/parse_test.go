package classfile

import (
	"errors"
	"reflect"
	"strings"
	"testing"
)

func mustParse(t testing.TB, b []byte) *Class {
	t.Helper()
	k, err := Parse(b)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestParseHandBuilt(t *testing.T) {
	b := newBuilder()
	long := b.constant(tagLong, u4(-1), u4(-2))
	b.field(AccStatic|AccFinal, "x", "J", b.attr("ConstantValue", u2(long)), b.attr("Deprecated"), b.attr("NobodyKnows", u4(7)))
	b.field(AccVolatile, "y", "[Lp/Hand;", b.attr("Signature", u2(b.utf8("[TT;"))))
	b.method(AccPublic|AccAbstract, "m", "(IJ)Ljava/lang/String;", b.attr("Exceptions", table(u2(b.class("java/io/IOException")))))
	b.attrs = [][]byte{
		b.attr("SourceFile", u2(b.utf8("Hand.java"))),
		b.attr("NestMembers", table(u2(b.class("p/Hand$A")), u2(b.class("p/Hand$B")))),
		b.attr("InnerClasses", table(
			cat(u2(b.class("p/Hand$A")), u2(b.class("p/Hand")), u2(b.utf8("A")), u2(int(AccStatic))),
			cat(u2(b.class("p/Hand$1")), u2(0), u2(0), u2(0)))),
	}
	k := mustParse(t, b.bytes())
	if k.Major != 61 || k.Name != "p/Hand" || k.Super != "java/lang/Object" || k.SourceFile != "Hand.java" {
		t.Errorf("class = %+v", k)
	}
	if !reflect.DeepEqual(k.NestMembers, []string{"p/Hand$A", "p/Hand$B"}) {
		t.Errorf("nest members = %q", k.NestMembers)
	}
	if want := []InnerClass{{"p/Hand$A", "p/Hand", "A", AccStatic}, {Inner: "p/Hand$1"}}; !reflect.DeepEqual(k.InnerClasses, want) {
		t.Errorf("inner classes = %+v", k.InnerClasses)
	}
	want := []Field{
		{Access: AccStatic | AccFinal, Name: "x", Desc: "J", Const: &Const{Kind: ConstLong, Int: -2}},
		{Access: AccVolatile, Name: "y", Desc: "[Lp/Hand;", Signature: "[TT;"},
	}
	// -1 above and -2 below are one number of 64 bits.
	if !reflect.DeepEqual(k.Fields, want) {
		t.Errorf("fields = %+v, want %+v", k.Fields, want)
	}
	m := &k.Methods[0]
	if m.HasCode() || m.Name != "m" || !reflect.DeepEqual(m.Exceptions, []string{"java/io/IOException"}) {
		t.Errorf("method = %+v", m)
	}
	if code, err := k.Decode(m); code != nil || err != nil {
		t.Errorf("Decode of a method without code = %v, %v", code, err)
	}
}

func TestClassAttributes(t *testing.T) {
	b := newBuilder()
	note := func(name string) []byte { return table(cat(u2(b.utf8(name)), u2(0))) }
	b.attrs = [][]byte{
		b.attr("Signature", u2(b.utf8("<T:>Lp/Hand;"))),
		b.attr("SourceDebugExtension", []byte("SMAP\nx.jsp\n")),
		b.attr("NestHost", u2(b.class("p/Host"))),
		b.attr("RuntimeInvisibleAnnotations", note("LQuiet;")),
		b.attr("RuntimeVisibleAnnotations", note("LLoud;")),
		// The main class before the module that it belongs to.
		b.attr("ModuleMainClass", u2(b.class("p/Main"))),
		b.attr("Module", u2(b.constant(tagModule, u2(b.utf8("m")))), u2(0), u2(b.utf8("1.2")), table(), table(), table(), table(), table()),
		b.attr("Record", table(cat(u2(b.utf8("r")), u2(b.utf8("I")), table(b.attr("RuntimeVisibleAnnotations", note("LA;")), b.attr("RuntimeInvisibleAnnotations", note("LB;")))))),
	}
	b.method(AccAbstract, "m", "(II)V", b.attr("RuntimeVisibleParameterAnnotations", []byte{2}, note("LP;"), table()),
		b.attr("RuntimeInvisibleParameterAnnotations", []byte{2}, note("LQ;"), note("LR;")))
	k := mustParse(t, b.bytes())
	if k.Signature != "<T:>Lp/Hand;" || k.SourceDebug != "SMAP\nx.jsp\n" || k.NestHost != "p/Host" {
		t.Errorf("class = %+v", k)
	}
	if want := []Annotation{{Type: "LQuiet;"}, {Type: "LLoud;", Visible: true}}; !reflect.DeepEqual(k.Annotations, want) {
		t.Errorf("annotations = %+v", k.Annotations)
	}
	if want := (&Module{Name: "m", Version: "1.2", MainClass: "p/Main"}); !reflect.DeepEqual(k.Module, want) {
		t.Errorf("module = %+v", k.Module)
	}
	if want := []Component{{Name: "r", Desc: "I", Annotations: []Annotation{{Type: "LA;", Visible: true}, {Type: "LB;"}}}}; !reflect.DeepEqual(k.Components, want) {
		t.Errorf("components = %+v", k.Components)
	}
	if want := [][]Annotation{{{Type: "LP;", Visible: true}, {Type: "LQ;"}}, {{Type: "LR;"}}}; !reflect.DeepEqual(k.Methods[0].ParamAnnotations, want) {
		t.Errorf("annotations of parameters = %+v", k.Methods[0].ParamAnnotations)
	}
}

// A version that nobody has heard of is no reason to refuse a class.
func TestNewVersion(t *testing.T) {
	b := newBuilder()
	b.major = 999
	if k := mustParse(t, b.bytes()); k.Major != 999 {
		t.Errorf("major = %d", k.Major)
	}
}

// Every prefix of a class is refused with an *Error, and none makes it crash.
func TestTruncated(t *testing.T) {
	b := newBuilder()
	b.method(AccStatic, "m", "()V", b.code([]byte{byte(OpReturn)}, nil, b.attr("LineNumberTable", table(cat(u2(0), u2(7))))))
	b.field(0, "f", "I", b.attr("RuntimeVisibleAnnotations", table(cat(u2(b.utf8("LA;")), table(cat(u2(b.utf8("v")), []byte("s"), u2(b.utf8("x"))))))))
	whole := b.bytes()
	for n := range whole {
		_, err := Parse(whole[:n])
		var e *Error
		if !errors.As(err, &e) {
			t.Fatalf("Parse of %d of %d bytes: %v", n, len(whole), err)
		}
	}
	if _, err := Parse(append(whole, 0)); err == nil || !strings.Contains(err.Error(), "1 bytes left at the end of the class") {
		t.Errorf("Parse of one byte too many: %v", err)
	}
}

func TestParseErrors(t *testing.T) {
	class := func(change func(*builder)) []byte {
		b := newBuilder()
		change(b)
		return b.bytes()
	}
	for _, tt := range []struct {
		name string
		b    []byte
		want string
	}{
		{"magic", []byte("PK\x03\x04"), "class file: offset 0: begins with 0x504b0304, not with the number of a class file"},
		{"no pool", cat(u4(magic), u4(61), u2(0)), "constant pool of 0 entries"},
		{"pool too long", cat(u4(magic), u4(61), u2(0xFFFF), make([]byte, 10)), "constant pool of 65535 entries, 10 bytes left"},
		{"tag", cat(u4(magic), u4(61), u2(2), []byte{2, 0, 0}), "constant 1 has the unknown tag 2"},
		{"super", class(func(b *builder) { b.super = 1 }), "class p/Hand: offset 48: constant 1 has tag 1, want 7"},
		{"index", class(func(b *builder) { b.super = 500 }), "class p/Hand: offset 48: no constant 500"},
		{"middle of a long", class(func(b *builder) { b.super = b.constant(tagLong, u4(0), u4(0)) + 1 }), "no constant"},
		{"field", class(func(b *builder) { b.field(0, "f", "V") }), `field f has the descriptor "V"`},
		{"method", class(func(b *builder) { b.method(0, "m", "(I") }), `method m has the descriptor "(I"`},
		{"utf8", class(func(b *builder) { b.field(0, "a\xff", "I") }), "is not modified UTF-8"},
		{"attribute", class(func(b *builder) { b.attrs = [][]byte{cat(u2(b.utf8("X")), u4(1<<30))} }), "1073741824 bytes announced, 0 left"},
		{"attribute with a rest", class(func(b *builder) { b.attrs = [][]byte{b.attr("NestHost", u2(b.class("q/A")), u2(0))} }), "2 bytes left at the end of NestHost"},
		{"count", class(func(b *builder) { b.attrs = [][]byte{b.attr("InnerClasses", u2(1000))} }), "1000 entries of 8 bytes announced, 0 bytes left"},
		{"two bodies", class(func(b *builder) {
			c := b.code([]byte{byte(OpReturn)}, nil)
			b.method(0, "m", "()V", c, c)
		}), "method m()V has two Code attributes"},
		{"deep annotations", class(func(b *builder) {
			b.attrs = [][]byte{b.attr("AnnotationDefault"), b.attr("RuntimeVisibleAnnotations", table(cat(u2(b.utf8("LA;")), u2(1), u2(b.utf8("v")),
				[]byte(strings.Repeat("[\x00\x01", 100)), []byte("[\x00\x00"))))}
		}), "nested more than 64 deep"},
		{"annotation value", class(func(b *builder) {
			b.attrs = [][]byte{b.attr("RuntimeVisibleAnnotations", table(cat(u2(b.utf8("LA;")), u2(1), u2(b.utf8("v")), []byte("?\x00\x01"))))}
		}), "annotation value with the unknown tag 63"},
		{"target of an annotation", class(func(b *builder) {
			b.field(0, "f", "I", b.attr(visibleTypes, table(cat([]byte{0x40, 0}, u2(b.utf8("LA;")), u4(0)))))
		}), "annotation of the unknown target 64"},
		{"handle", class(func(b *builder) {
			h := b.constant(tagMethodHandle, []byte{10}, u2(b.ref(tagMethodref, "p/A", "m", "()V")))
			b.attrs = [][]byte{b.attr("BootstrapMethods", table(cat(u2(h), table())))}
		}), "method handle of unknown kind 10"},
	} {
		_, err := Parse(tt.b)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}

func TestModifiedUTF8(t *testing.T) {
	for _, tt := range []struct {
		in, want string
		bad      int
	}{
		{"plain", "plain", -1},
		{"", "", -1},
		{"a\xc0\x80b", "a\x00b", -1},
		{"h\xc3\xa9", "hé", -1},
		{"\xe2\x82\xac", "€", -1},
		{"\xed\xa0\xbd\xed\xb8\x80!", "😀!", -1},          // a pair of surrogates
		{"\xed\xa0\xbdx", "\uFFFDx", -1},                 // the first half alone
		{"\xed\xb8\x80", "\uFFFD", -1},                   // the second half alone
		{"\xed\xa0\xbd\xed\xa0\xbd", "\uFFFD\uFFFD", -1}, // twice the first half
		{"a\x00", "", 1},
		{"\xf0\x9f\x98\x80", "", 0}, // UTF-8 of four bytes
		{"ab\x80", "", 2},
		{"\xc3", "", 0},
		{"\xe2\x82", "", 0},
	} {
		got, bad := decodeUTF8([]byte(tt.in))
		if got != tt.want || bad != tt.bad {
			t.Errorf("decodeUTF8(%q) = %q, %d, want %q, %d", tt.in, got, bad, tt.want, tt.bad)
		}
	}
}

func TestDescriptor(t *testing.T) {
	d, err := ParseMethodDesc("(I[[JLjava/lang/String;D[Lp/A;)V")
	if err != nil || !reflect.DeepEqual(d, MethodDesc{[]string{"I", "[[J", "Ljava/lang/String;", "D", "[Lp/A;"}, "V"}) || d.Words() != 6 {
		t.Errorf("ParseMethodDesc = %+v, %v; %d words", d, err, d.Words())
	}
	for desc, want := range map[string]bool{
		"()V": true, "()[I": true, "(Lp/A;)Lp/A;": true,
		"": false, "(": false, "()": false, "V": false, "(V)V": false, "(I)VV": false, "(Lp/A)V": false, "([)V": false, "(L;)V": false, "()X": false,
		"(" + strings.Repeat("[", 255) + "I)V": true,
		"(" + strings.Repeat("[", 256) + "I)V": false,
		"(" + strings.Repeat("I", 255) + ")V":  true,
		"(" + strings.Repeat("I", 256) + ")V":  false,
	} {
		_, err := ParseMethodDesc(desc)
		if (err == nil) != want || validMethodDesc(desc) != want {
			t.Errorf("%q: %v, valid = %t, want %t", desc, err, validMethodDesc(desc), want)
		}
	}
	for _, tt := range []struct {
		desc, class string
		words       int
		ref         bool
	}{{"I", "", 1, false}, {"J", "", 2, false}, {"D", "", 2, false}, {"V", "", 0, false}, {"Lp/A;", "p/A", 1, true}, {"[J", "[J", 1, true}} {
		if Words(tt.desc) != tt.words || IsReference(tt.desc) != tt.ref || ClassOf(tt.desc) != tt.class {
			t.Errorf("%s: %d words, reference %t, class %q", tt.desc, Words(tt.desc), IsReference(tt.desc), ClassOf(tt.desc))
		}
		if tt.ref && DescOf(tt.class) != tt.desc {
			t.Errorf("DescOf(%q) = %q", tt.class, DescOf(tt.class))
		}
	}
}
