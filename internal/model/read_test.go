package model

import (
	"slices"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
)

func TestReadErrors(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"no language", "package sync\n", "m:1:1: package before a lang line: say lang go, lang java or lang c first"},
		{"unknown language", "lang rust\n", `m:1:6: unknown language "rust": one of go, java, c wanted`},
		{"wrong scope", "lang go\nclass sync\n", "m:2:1: class has no meaning in lang go: package or iface is allowed"},
		{"no scope", "lang go\n  F opaque\n", "m:2:3: a row outside a package, class or iface: say which one first"},
		{"no name of a scope", "lang go\npackage\n", "m:2:8: unexpected end of line: a name wanted after package"},
		{"row at column 1", "lang go\npackage p\nF opaque\n", `m:3:1: unknown word "F" at the start of a line: one of lang, package, class, iface, function, value, annotated, define wanted, and rows are indented`},
		{"no effect", "lang go\npackage p\n  F\n", "m:3:4: no effect after the name: one of lock, unlock,"},
		{"unknown effect", "lang go\npackage p\n  F  grab arg1\n", `m:3:6: unknown word "grab": one of lock, unlock,`},
		{"unknown modifier", "lang go\npackage p\n  (*T).F  lock recv shred\n", `m:3:21: unexpected "shred": one of excl, shared, try, reentrant, maybe may follow, or ;`},
		{"modifier of another word", "lang go\npackage p\n  F  read arg1 many\n", `m:3:16: unexpected "many": one of elems, deep, maybe may follow, or ;`},
		{"no receiver", "lang go\npackage p\n  F  lock recv\n", "m:3:11: F has no receiver"},
		{"one of several without receiver", "lang go\npackage p\n  (*T).G, F  lock recv\n", "m:3:19: F has no receiver"},
		{"unknown name", "lang go\npackage p\n  F  read x\n", `m:3:11: unexpected "x": a value wanted`},
		{"unknown type", "lang go\npackage p\n  F  return new T\n", `m:3:17: unknown type "T": a basic type,`},
		{"field of unknown type", "lang go\npackage p\n  F  read arg1.f\n", "m:3:16: what the field f belongs to is not known here: bind it first, as in x = arg1 as *example.com/p.T"},
		{"twice", "lang go\npackage p\n  F  opaque\n  F  ignore\n", "m:4:3: F of p has a row already, at line 3"},
		{"twice named", "lang go\npackage p\n  F  x = arg1; x = arg2\n", "m:3:16: x has a value already"},
		{"after return", "lang go\npackage p\n  F  return arg1; exit\n", "m:3:6: nothing may follow return"},
		{"word as a name", "lang go\npackage p\n  F  lock = arg1\n", `m:3:11: unexpected "=": a value wanted`},
		{"define a word", "lang go\ndefine lock opaque\n", `m:2:8: "lock" cannot name a list of effects: a new word without dots wanted`},
		{"define twice", "lang go\ndefine a opaque\ndefine a opaque\n", "m:3:8: a is defined twice"},
		{"define with a mistake", "lang go\ndefine a grab\n", `m:2:10: unknown word "grab"`},
		{"unclosed", "lang go\npackage p\n  F  return func() { opaque\n  G opaque\n", `m:4:3: unexpected "G": "}" wanted`},
		{"character", "lang go\npackage p\n  F  read arg1 %\n", `m:3:16: unexpected "%"`},
		{"atomic kind", "lang go\npackage p\n  F  atomic inc arg1\n", `m:3:13: unexpected "inc" after atomic: one of load, store, swap, cas, add, and, or wanted`},
		{"group kind", "lang go\npackage p\n  F  group join arg1\n", `m:3:12: unexpected "join" after group: one of add, done, wait wanted`},
		{"ignore with effects", "lang go\npackage p\n  F  read arg1; ignore\n", "m:3:6: ignore and analyse stand alone"},
		{"args called with arguments", "lang go\npackage p\n  F  call args(1)\n", "m:3:11: args may only be called as args(...)"},
		{"args locked", "lang go\npackage p\n  F  lock args\n", "m:3:11: args has a meaning after read, write, call and callback only"},
		{"two groups", "lang go\npackage p\n  F  spawn arg1() group arg2 serial arg3\n", "m:3:30: an origin belongs to one group only"},
		{"branch returns", "lang go\npackage p\n  F  if arg1 calls p.G { return 1 }\n", "m:3:26: the branches of an if may not name values, return or end the call"},
		{"bad type parameter", "lang go\npackage p\n  F[a.b]  opaque\n", `m:3:3: "a.b" in F[a.b] is not the name of a type parameter`},
		{"bad method", "lang go\npackage p\n  F  invoke arg1()\n", `m:3:17: unexpected "(": "[" wanted`},
		{"capacity", "lang go\npackage p\n  F  return new []int 3\n", "m:3:23: only a channel has a capacity"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Read("m", test.text)
			if err == nil {
				t.Fatal("no error")
			}
			if first, _, _ := strings.Cut(err.Error(), "\n"); !strings.HasPrefix(first, test.want) {
				t.Errorf("got  %s\nwant %s", err, test.want)
			}
		})
	}
}

// TestReadGoesOn demands that a mistake costs one line only.
func TestReadGoesOn(t *testing.T) {
	rows, err := Read("m", "lang go\npackage p\n  F grab\n  G opaque\n  H lock (\n  I opaque\n")
	if err == nil || strings.Count(err.Error(), "\n") != 1 {
		t.Errorf("want two mistakes, got %v", err)
	}
	var names []string
	for _, r := range rows {
		names = append(names, r.Pattern)
	}
	if want := []string{"G", "I"}; !slices.Equal(names, want) {
		t.Errorf("got rows %v, want %v", names, want)
	}
}

func TestManyMistakes(t *testing.T) {
	_, err := Read("m", "lang go\npackage p\n"+strings.Repeat("  F grab\n", 100))
	if n := strings.Count(err.Error(), "\n"); n != maxErrors {
		t.Errorf("%d lines of errors, want %d", n+1, maxErrors+1)
	}
}

func TestMatchName(t *testing.T) {
	for _, test := range []struct {
		pattern string
		yes, no string
	}{
		{"*", "Println (*T).M T.M init f$1", ""},
		{"Print*", "Print Println Printf", "Sprint (*T).Print Print$1"},
		{"*Async", "Async runAsync", "AsyncRun (*T).runAsync"},
		{"(*T).*", "(*T).M (*T).Lock", "T.M (*U).M F"},
		{"(*T).Lock*", "(*T).Lock (*T).Locked", "(*T).Unlock"},
		{"(**).Close", "(*T).Close (*File).Close", "T.Close (*T).Closed"},
		{"T.*", "T.M", "(*T).M T TM"},
		{"put(..)", "put() put(int,int)", "put put2()"},
		{"*Get*", "Get TryGet GetAll", "Put"},
	} {
		for _, name := range strings.Fields(test.yes) {
			if !matchName(test.pattern, name) {
				t.Errorf("%s does not match %s", test.pattern, name)
			}
		}
		for _, name := range strings.Fields(test.no) {
			if matchName(test.pattern, name) {
				t.Errorf("%s matches %s", test.pattern, name)
			}
		}
	}
}

func TestSymbols(t *testing.T) {
	for _, test := range []struct {
		lang                ir.Lang
		symbol, scope, name string
	}{
		{ir.LangGo, "fmt.Println", "fmt", "Println"},
		{ir.LangGo, "(*sync.Mutex).Lock", "sync", "(*Mutex).Lock"},
		{ir.LangGo, "(time.Time).Add", "time", "Time.Add"},
		{ir.LangGo, "(*golang.org/x/sync/errgroup.Group).Go", "golang.org/x/sync/errgroup", "(*Group).Go"},
		{ir.LangGo, "(*gopkg.in/yaml.v3.Decoder).Decode", "gopkg.in/yaml.v3", "(*Decoder).Decode"},
		{ir.LangJava, "java.lang.Thread.start()", "java.lang.Thread", "start()"},
		{ir.LangC, "pthread_create", "", "pthread_create"},
	} {
		found := false
		splitSymbol(test.lang, test.symbol, func(scope, name string) bool {
			found = found || scope == test.scope && name == test.name
			return true
		})
		if !found {
			t.Errorf("%s is not split into %s and %s", test.symbol, test.scope, test.name)
		}
		if got := joinSymbol(test.lang, test.scope, test.name); got != test.symbol {
			t.Errorf("joined: %s, want %s", got, test.symbol)
		}
	}
}

func TestFind(t *testing.T) {
	rows, err := Read("m", `
lang go
package a/...
	*          opaque
package a/b
	F          read arg1
	G          write arg1
	(*T).*     read recv
	(*T).Set   write recv
	(*U).*     analyse
package example.com/p.v3
	F          read arg1
`)
	if err != nil {
		t.Fatal(err)
	}
	more, err := Read("user", "lang go\npackage a/b\n\tG  exit\n")
	if err != nil {
		t.Fatal(err)
	}
	set := NewSet(append(rows, more...))
	for symbol, want := range map[string]string{
		"a.F":                  "*  opaque",
		"a/b.F":                "F  read arg1",
		"a/b.G":                "G  exit",
		"a/b.H":                "*  opaque",
		"a/b/c.F":              "*  opaque",
		"ab.F":                 "",
		"(*a/b.T).Get":         "(*T).*  read recv",
		"(*a/b.T).Set":         "(*T).Set  write recv",
		"(a/b.T).Get":          "*  opaque",
		"(*a/b.U).Get":         "(*U).*  analyse",
		"example.com/p.v3.F":   "F  read arg1",
		"(*example.com/p.T).F": "",
	} {
		got := ""
		if r := set.Find(ir.LangGo, symbol); r != nil {
			got = r.String()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", symbol, got, want)
		}
		if all := set.Matches(ir.LangGo, symbol); want != "" && (len(all) == 0 || all[0].String() != want) {
			t.Errorf("%s: the first match is not %q: %v", symbol, want, all)
		}
	}
	for scope, want := range map[string]bool{"a": true, "a/b": false, "a/b/c": true, "x": false} {
		if got := set.Opaque(ir.LangGo, scope); got != want {
			t.Errorf("Opaque(%s) = %t", scope, got)
		}
	}
}

func TestUnmatched(t *testing.T) {
	rows, err := Read("user", "lang go\npackage a\n\tF  opaque\n\tG  opaque\n\tH*  opaque\npackage b\n\tF  opaque\n")
	if err != nil {
		t.Fatal(err)
	}
	u := &ir.Unit{Path: "a", Lang: ir.LangGo, Funcs: []ir.Func{{Symbol: "a.F"}, {Symbol: "(*a.T).G"}, {Symbol: "a.Hit"}}}
	list := NewSet(rows).Unmatched("user", []*ir.Unit{u})
	if len(list) != 1 || list[0].Pattern != "G" {
		t.Errorf("got %v, want the row of G alone", list)
	}
}

// TestPrint demands that the printed form of a set means the same.
func TestPrint(t *testing.T) {
	set, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	var first, second strings.Builder
	if err := Print(&first, set); err != nil {
		t.Fatal(err)
	}
	rows, err := Read("printed", first.String())
	if err != nil {
		t.Fatal(err)
	}
	if err := Print(&second, NewSet(rows)); err != nil {
		t.Fatal(err)
	}
	if a, b := withoutOrigins(first.String()), withoutOrigins(second.String()); a != b {
		t.Errorf("printed again:\n%s\nat first:\n%s", b, a)
	}
	if want := "\t(*Mutex).TryLock  lock recv try  # go.model:"; !strings.Contains(first.String(), want) {
		t.Errorf("no line begins with %q", want)
	}
}

func withoutOrigins(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "  # ")
		out.WriteString(strings.TrimSuffix(line, "\n") + "\n")
	}
	return out.String()
}

// FuzzRead demands that any text is read without a panic and that what is read
// without a mistake can be printed and read again.
func FuzzRead(f *testing.F) {
	f.Add(goTable[:2000])
	for _, w := range Vocabulary() {
		f.Add("lang go\npackage p\n\t" + w.Example + "\n")
	}
	f.Add("lang java\nclass a.B\n\tput(..) write recv\niface a.C\n\tget() read recv.$x\nlang c\n\tf* lock arg1\n")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := Read("m", text)
		if err != nil {
			return
		}
		var printed strings.Builder
		if err := Print(&printed, NewSet(rows)); err != nil {
			t.Fatal(err)
		}
		if _, err := Read("printed", printed.String()); err != nil {
			t.Fatalf("%v\n%s", err, printed.String())
		}
	})
}
