package classfile

import (
	"os"
	"os/exec"
	"path/filepath"
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
