package model

import (
	"slices"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
)

func TestMatchMethod(t *testing.T) {
	for _, test := range []struct{ pattern, yes, no string }{
		{"put", "put()V put(I)V put(Ljava/lang/Object;[I)Z put", "puts()V get"},
		{"put()", "put()V put", "put(I)V"},
		{"put(..)", "put()V put(I)V", "get()V"},
		{"put(Object)", "put(Ljava/lang/Object;)V", "put(I)V put(Ljava/lang/Object;I)V put(Ldemo/MyObject;)V"},
		{"put(java.lang.Object,int)", "put(Ljava/lang/Object;I)V", "put(Ljava/lang/Object;J)V"},
		{"put(Object,..)", "put(Ljava/lang/Object;)V put(Ljava/lang/Object;I)V", "put()V put(I)V"},
		{"put(..,Runnable)", "put(Ljava/lang/Runnable;)V put(IJLjava/lang/Runnable;)V", "put(Ljava/lang/Runnable;I)V"},
		{"put(int[],String[][])", "put([I[[Ljava/lang/String;)V", "put([I[Ljava/lang/String;)V"},
		{"put(Map.Entry)", "put(Ljava/util/Map$Entry;)V", "put(Ljava/util/Map;)V"},
		{"put(Entry)", "put(Ljava/util/Map$Entry;)V", ""},
		{"*Async", "runAsync(I)V Async()V", "runAsyncNow()V"},
		{"*Async(Function,..)", "applyAsync(Ljava/util/function/Function;I)V", "applyAsync(I)V"},
		{"<init>", "<init>()V", "init()V"},
		{"*", "<init>()V <clinit>()V f()V", ""},
		{"put(Object)", "", "put(Ljava/lang/Object put(X)V put("},
	} {
		for _, name := range strings.Fields(test.yes) {
			if !matchMethod(test.pattern, name) {
				t.Errorf("%s does not match %s", test.pattern, name)
			}
		}
		for _, name := range strings.Fields(test.no) {
			if matchMethod(test.pattern, name) {
				t.Errorf("%s matches %s", test.pattern, name)
			}
		}
	}
}

func TestJavaErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"function of Go", "lang go\nfunction p.F f()\n", "m:2:1: function has a meaning in lang java only"},
		{"function without method", "lang java\nfunction p.F\n", "m:2:13: unexpected end of line: a method wanted"},
		{"made up without mark", "lang java\nclass p.C extends p.D\n", "m:2:11: p.C cannot be made up"},
		{"made up, several", "lang java\nclass p.$B, p.$C extends p.D\n", "m:2:18: p.$C cannot be made up"},
		{"entry of Go", "lang go\npackage p\n  F entry\n", "m:3:5: entry concerns a row of Java as a whole"},
		{"entry with a modifier", "lang java\nclass p.C\n  f entry shared\n", `m:3:11: unexpected "shared"`},
		{"effect of an annotation", "lang java\nannotated A\n  * opaque\n", "m:3:3: only entry can be said of methods with an annotation"},
		{"condition", "lang java\nclass p.C\n  f if arg1 was 1 { opaque }\n", `m:3:13: unexpected "was": calls or is wanted`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read("m", test.text)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got  %v\nwant %s", err, test.want)
			}
		})
	}
}

const hierarchyUnit = `unit demo java
type java.lang.Object struct{}
type p.Top any {
	super java.lang.Object
	method "f()V" @"p.Top.f()V"
	method "g()V" @"p.Top.g()V"
}
type p.Mid struct{} {
	super java.lang.Object
	super p.Top
	method "f()V" @"p.Mid.f()V"
}
type demo.Own struct{} {
	super p.Mid
	method "g()V" @"demo.Own.g()V"
}
func[external] @"p.Top.f()V" (*p.Top)
func[external] @"p.Top.g()V" (*p.Top)
func[external] @"p.Mid.f()V" (*p.Mid)
func[method] @"demo.Own.g()V" (v0: *demo.Own) {
b0:
	ret
}
annotation "demo.Own.g()V" "Nightly(hour=3)"
`

// TestInheritance checks which rows stand for methods of classes, and where all
// classes agree.
func TestInheritance(t *testing.T) {
	u, err := ir.Parse("h.ir", hierarchyUnit)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := Read("m", `lang java
package p
  *      ignore
class p.Top
  f, g   opaque
class p.Mid
  f      exit
annotated Nightly
  *      entry timer
`)
	if err != nil {
		t.Fatal(err)
	}
	set := NewSet(rows)
	h := set.Hierarchy([]*ir.Unit{u})
	for _, test := range []struct {
		symbol    string
		line      int
		inherited bool
	}{
		{"p.Top.f()V", 5, false},
		{"p.Mid.f()V", 7, false},
		{"p.Mid.g()V", 5, true},
		{"demo.Own.f()V", 7, true},
		{"demo.Own.g()V", 5, true},
		{"p.Mid.<init>()V", 3, false},
	} {
		r, inherited := set.FindClass(h, test.symbol)
		if r == nil || r.At.Line != test.line || inherited != test.inherited {
			t.Errorf("%s: got %v (inherited %v), want line %d (%v)", test.symbol, r, inherited, test.line, test.inherited)
		}
	}
	d := newDispatcher(set)
	for _, test := range []struct {
		class, method string
		agree         bool
	}{
		{"p.Top", "f()V", false}, // Mid has another row
		{"p.Mid", "f()V", true},
		{"p.Top", "g()V", false}, // Own has code
		{"demo.Own", "f()V", true},
		{"demo.Own", "h()V", false}, // no such method
	} {
		if got := d.row(h, test.class, test.method) != nil; got != test.agree {
			t.Errorf("%s.%s: agree is %v", test.class, test.method, got)
		}
	}
	entries := set.Entries(h, []*ir.Unit{u}, func(int) bool { return true })
	if len(entries) != 0 { // the unit is of no class named demo
		t.Errorf("got entries %v", entries)
	}
	u.Path = "demo.Own"
	entries = set.Entries(h, []*ir.Unit{u}, func(int) bool { return true })
	if len(entries) != 1 || u.Funcs[entries[0].Func].Symbol != "demo.Own.g()V" || entries[0].Kind != ir.OriginTimer || entries[0].Many {
		t.Errorf("got entries %v", entries)
	}
}

// TestJavaSymbols checks that rows are found by a name without its descriptor.
func TestJavaSymbols(t *testing.T) {
	set, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	list := set.Matches(ir.LangJava, "java.lang.Thread.start")
	if len(list) == 0 || !slices.ContainsFunc(list[0].Effects, func(e *Expr) bool { return e.Op == opCall && ir.How(e.Sub) == ir.Spawned }) {
		t.Errorf("got %v", list)
	}
}
