package classfile

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// compile compiles Java sources, given as name and text, and returns the
// classes by internal name. It skips the test where there is no compiler.
func compile(t testing.TB, sources map[string]string, flags ...string) map[string]*Class {
	t.Helper()
	out := map[string]*Class{}
	for name, b := range compileBytes(t, sources, flags...) {
		k, err := Parse(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if k.Name != name && k.Module == nil {
			t.Errorf("%s.class has the class %s", name, k.Name)
		}
		out[name] = k
	}
	return out
}

func compileBytes(t testing.TB, sources map[string]string, flags ...string) map[string][]byte {
	t.Helper()
	javac, err := exec.LookPath("javac")
	if err != nil {
		t.Skip("no javac in PATH: install a JDK to run this test")
	}
	src, dst := t.TempDir(), t.TempDir()
	args := append([]string{"-nowarn", "-d", dst}, flags...)
	for name, text := range sources {
		file := filepath.Join(src, name)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, file)
	}
	if msg, err := exec.Command(javac, args...).CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, msg)
	}
	out := map[string][]byte{}
	files, err := filepath.Glob(filepath.Join(dst, "*.class"))
	if err != nil || len(files) == 0 {
		t.Fatalf("javac made no classes: %v", err)
	}
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(file), ".class")] = b
	}
	return out
}

// method returns the method with a name, which must be the only one.
func method(t testing.TB, k *Class, name string) *Method {
	t.Helper()
	var found *Method
	for i := range k.Methods {
		if k.Methods[i].Name == name {
			if found != nil {
				t.Fatalf("%s has two methods %s", k.Name, name)
			}
			found = &k.Methods[i]
		}
	}
	if found == nil {
		t.Fatalf("%s has no method %s", k.Name, name)
	}
	return found
}

func TestJavacClass(t *testing.T) {
	k := compile(t, map[string]string{"Counter.java": `
class Counter implements Runnable {
	static final int LIMIT = 10;
	volatile int n;
	public synchronized void run() { while (n < LIMIT) n++; }
}`}, "-g")["Counter"]
	if k.Super != "java/lang/Object" || len(k.Interfaces) != 1 || k.Interfaces[0] != "java/lang/Runnable" || k.SourceFile != "Counter.java" {
		t.Errorf("class = %+v", k)
	}
	if len(k.Fields) != 2 || k.Fields[0].Const == nil || k.Fields[0].Const.Int != 10 || !k.Fields[1].Access.Has(AccVolatile) {
		t.Errorf("fields = %+v", k.Fields)
	}
	m := method(t, k, "run")
	if m.Access != AccPublic|AccSynchronized || m.Desc != "()V" {
		t.Errorf("run = %+v", m)
	}
	code, err := k.Decode(m)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, in := range code.Insns {
		s := in.Op.String()
		if in.Member != nil {
			s += " " + in.Member.Owner + "." + in.Member.Name + ":" + in.Member.Desc
		}
		got = append(got, s)
	}
	want := `aload, getfield Counter.n:I, ldc, if_icmpge, aload, dup, getfield Counter.n:I, ldc, iadd, putfield Counter.n:I, goto, return`
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("run:\n got %s\nwant %s", s, want)
	}
	if code.Insns[3].Target != 11 || code.Insns[10].Target != 0 || code.LineAt(0) != 5 || code.LocalAt(0, 0).Name != "this" {
		t.Errorf("code = %+v", code)
	}
}

// What compilers write beside fields and methods.
func TestJavacAttributes(t *testing.T) {
	classes := compile(t, map[string]string{"Shapes.java": `
import java.lang.annotation.*;
import java.util.*;

@Retention(RetentionPolicy.RUNTIME) @interface GuardedBy { String value(); int[] levels() default {1, 2}; Class<?> type() default Object.class; }
@Retention(RetentionPolicy.CLASS) @interface Quiet { RetentionPolicy policy(); Other[] others(); }
@interface Other { long n() default 5L; }

sealed interface Shape permits Circle, Square {}
record Circle(double r, List<String> tags) implements Shape {}
final class Square implements Shape {
	@GuardedBy("lock") @Quiet(policy = RetentionPolicy.SOURCE, others = {@Other(n = 7), @Other}) int side;
	final Object lock = new Object();
	<T extends Comparable<T>> T pick(@Deprecated T a, T b) throws java.io.IOException {
		class Local implements Runnable { public void run() {} }
		new Local().run();
		return new Object() { T max() { return a.compareTo(b) > 0 ? a : b; } }.max();
	}
	static class Inner {}
}
`}, "-g")
	shape := classes["Shape"]
	if strings.Join(shape.PermittedSubclasses, " ") != "Circle Square" || !shape.Access.Has(AccInterface|AccAbstract) {
		t.Errorf("Shape = %+v", shape)
	}
	circle := classes["Circle"]
	if !circle.IsRecord || len(circle.Components) != 2 || circle.Components[1].Signature != "Ljava/util/List<Ljava/lang/String;>;" ||
		circle.Components[0].Name != "r" || circle.Components[0].Desc != "D" {
		t.Errorf("Circle: components = %+v", circle.Components)
	}
	if len(circle.Bootstraps) != 1 || circle.Bootstraps[0].Method.Member.Owner != "java/lang/runtime/ObjectMethods" || circle.Bootstraps[0].Args[0].Text != "Circle" {
		t.Errorf("Circle: bootstraps = %+v", circle.Bootstraps)
	}
	square := classes["Square"]
	side := square.Fields[0].Annotations
	if len(side) != 2 || side[0].Type != "LGuardedBy;" || !side[0].Visible || side[0].Element("value").Text != "lock" || side[0].Element("levels") != nil {
		t.Fatalf("side: annotations = %+v", side)
	}
	if v := side[1].Element("policy"); side[1].Visible || v.Tag != 'e' || v.Enum != "Ljava/lang/annotation/RetentionPolicy;" || v.Text != "SOURCE" {
		t.Errorf("side: policy = %+v", v)
	}
	if v := side[1].Element("others"); v.Tag != '[' || len(v.Array) != 2 || v.Array[0].Nested.Element("n").Int != 7 || len(v.Array[1].Nested.Elements) != 0 {
		t.Errorf("side: others = %+v", v)
	}
	guard := classes["GuardedBy"]
	if d := method(t, guard, "levels").Default; d == nil || d.Tag != '[' || len(d.Array) != 2 || d.Array[1].Int != 2 {
		t.Errorf("default of levels = %+v", d)
	}
	if d := method(t, guard, "type").Default; d == nil || d.Tag != 'c' || d.Text != "Ljava/lang/Object;" {
		t.Errorf("default of type = %+v", d)
	}
	pick := method(t, square, "pick")
	if pick.Signature != "<T::Ljava/lang/Comparable<TT;>;>(TT;TT;)TT;" {
		t.Errorf("pick: signature = %s", pick.Signature)
	}
	if strings.Join(pick.Exceptions, " ") != "java/io/IOException" || len(pick.ParamAnnotations) != 2 || len(pick.ParamAnnotations[0]) != 1 || len(pick.ParamAnnotations[1]) != 0 {
		t.Errorf("pick = %+v", pick)
	}
	code, err := square.Decode(pick)
	if err != nil {
		t.Fatal(err)
	}
	if v := code.LocalAt(0, 1); v == nil || v.Name != "a" || v.Desc != "Ljava/lang/Comparable;" || v.Signature != "TT;" {
		t.Errorf("pick: variable 1 = %+v", v)
	}
	if m := slices.Sorted(slices.Values(square.NestMembers)); strings.Join(m, " ") != "Square$1 Square$1Local Square$Inner" {
		t.Errorf("Square: nest members = %q", square.NestMembers)
	}
	anon := classes["Square$1"]
	if anon.NestHost != "Square" || anon.EnclosingMethod == nil || anon.EnclosingMethod.Name != "pick" || anon.EnclosingMethod.Class != "Square" {
		t.Errorf("Square$1: host %s, method %+v", anon.NestHost, anon.EnclosingMethod)
	}
}

// Annotations of whole types count as those of what has the type.
func TestJavacTypeAnnotations(t *testing.T) {
	k := compile(t, map[string]string{"T.java": `
import java.lang.annotation.*;
import java.util.*;
@Target(ElementType.TYPE_USE) @Retention(RetentionPolicy.RUNTIME) @interface Guard { String value() default ""; }
@Target({ElementType.TYPE_USE, ElementType.FIELD}) @interface Both {}
class T<X> {
	@Guard("a") String f;
	@Both int g;
	List<@Guard("part") String> h;
	@Guard("r") String m(int i, @Guard("p") String s) throws @Guard("t") Exception { @Guard("local") String x = s; return x; }
	<@Guard("tp") Y extends @Guard("bound") Object> void n(@Guard("this") T<X> this) {}
}`})["T"]
	show := func(list []Annotation) string {
		var out []string
		for _, a := range list {
			s := a.Type
			if v := a.Element("value"); v != nil {
				s += v.Text
			}
			out = append(out, s)
		}
		return strings.Join(out, " ")
	}
	for i, want := range []string{"LGuard;a", "LBoth;", ""} {
		if got := show(k.Fields[i].Annotations); got != want {
			t.Errorf("%s: %q, want %q", k.Fields[i].Name, got, want)
		}
	}
	m := method(t, k, "m")
	if len(m.ParamAnnotations) != 2 || show(m.Annotations) != "LGuard;r" || show(m.ParamAnnotations[1]) != "LGuard;p" {
		t.Errorf("m: %+v, %+v", m.Annotations, m.ParamAnnotations)
	}
	if n := method(t, k, "n"); len(n.Annotations) != 0 || len(n.ParamAnnotations) != 0 {
		t.Errorf("n: %+v, %+v", n.Annotations, n.ParamAnnotations)
	}
}

func TestJavacLambda(t *testing.T) {
	k := compile(t, map[string]string{"L.java": `
import java.util.function.*;
class L {
	int n;
	Runnable field() { return () -> n++; }
	Supplier<L> constructor() { return L::new; }
	String concat(int i, Object o) { return "i=" + i + o; }
}`})["L"]
	for _, tt := range []struct {
		method, name, desc string
		kind               HandleKind
		target             string
	}{
		{"field", "run", "(LL;)Ljava/lang/Runnable;", HandleInvokeVirtual, "L.lambda$field$0()V"},
		{"constructor", "get", "()Ljava/util/function/Supplier;", HandleNewInvokeSpecial, "L.<init>()V"},
	} {
		in := dynamicOf(t, k, tt.method)
		b := k.Bootstraps[in.Bootstrap]
		if in.Name != tt.name || in.Desc != tt.desc || b.Method.Member.Name != "metafactory" || len(b.Args) != 3 {
			t.Errorf("%s: %+v, %+v", tt.method, in, b)
			continue
		}
		h := b.Args[1].Handle
		// Before JDK 15 javac called private methods by invokespecial.
		if got := h.Member.Owner + "." + h.Member.Name + h.Member.Desc; got != tt.target || h.Kind != tt.kind && h.Kind != HandleInvokeSpecial {
			t.Errorf("%s: handle %d of %s", tt.method, h.Kind, got)
		}
	}
	if in := dynamicOf(t, k, "concat"); in.Name != "makeConcatWithConstants" || k.Bootstraps[in.Bootstrap].Args[0].Text != "i=\x01\x01" {
		t.Errorf("concat: %+v, %+v", in, k.Bootstraps[in.Bootstrap])
	}
}

// dynamicOf returns the call site of the only invokedynamic of a method.
func dynamicOf(t *testing.T, k *Class, name string) *Dynamic {
	t.Helper()
	code, err := k.Decode(method(t, k, name))
	if err != nil {
		t.Fatal(err)
	}
	for i := range code.Insns {
		if code.Insns[i].Op == OpInvokeDynamic {
			return code.Insns[i].Dynamic
		}
	}
	t.Fatalf("%s has no invokedynamic", name)
	return nil
}

func TestJavacModule(t *testing.T) {
	b := compileBytes(t, map[string]string{
		"module-info.java": `module m { requires java.logging; exports p to java.logging; exports q; uses Runnable; provides Runnable with p.R, p.S; }`,
		"R.java":           `package p; public class R implements Runnable { public void run() {} }`,
		"S.java":           `package p; public class S extends R {}`,
		"Q.java":           `package q; public class Q {}`,
	})["module-info"]
	m := mustParse(t, b).Module
	if m == nil || m.Name != "m" || strings.Join(m.Exports, " ") != "q" || !strings.Contains(strings.Join(m.Requires, " "), "java.logging") || strings.Join(m.Uses, " ") != "java/lang/Runnable" ||
		len(m.Provides) != 1 || m.Provides[0].Service != "java/lang/Runnable" || strings.Join(m.Provides[0].With, " ") != "p/R p/S" {
		t.Errorf("module = %+v", m)
	}
}

// Code that needs the long forms: far jumps, many locals and constants.
func TestJavacLongForms(t *testing.T) {
	var body, locals strings.Builder
	for i := range 400 {
		fmt.Fprintf(&locals, "\t\tlong v%d = %d;\n", i, 1000000+i)
	}
	for i := range 3000 {
		fmt.Fprintf(&body, "\t\t\tv%d += v%d * %d;\n", i%400, (i+1)%400, 40000+i)
	}
	k := compile(t, map[string]string{"Long.java": "class Long {\n\tstatic void m(int n) {\n" + locals.String() +
		"\t\tint w = 0;\n\t\twhile (w < n) {\n" + body.String() + "\t\tw += 1000;\n\t\t}\n\t}\n}\n"})["Long"]
	code, err := k.Decode(method(t, k, "m"))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for i := range code.Insns {
		in := &code.Insns[i]
		seen[in.Raw.String()] = true
		if in.Op == OpIInc && in.Int == 1000 {
			seen["wide iinc"] = true
		}
		if in.Op == OpLLoad && in.Local > 255 {
			seen["wide lload"] = true
		}
	}
	for _, want := range []string{"goto_w", "ldc2_w", "wide iinc", "wide lload"} {
		if !seen[want] {
			t.Errorf("no %s", want)
		}
	}
}
