package driver_test

import (
	"os"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/frontend/jvm/archive"
	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/frontend/jvm/stubs"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/model"
)

// newer are classes and methods of the table that JDK 17 does not have.
var newer = []string{
	"java.lang.Thread startVirtualThread", "java.lang.Thread join(java.time.Duration)", "java.lang.Thread$Builder",
	"java.util.concurrent.Executors newVirtualThreadPerTaskExecutor", "java.util.concurrent.Executors newThreadPerTaskExecutor",
	"java.util.concurrent.ExecutorService close", "java.util.concurrent.Future resultNow",
	"java.util.List getFirst", "java.util.List getLast", "java.util.List addFirst", "java.util.List addLast",
	"java.util.List removeFirst", "java.util.List removeLast", "java.util.List reversed",
}

// jdkClass is what a class of the JDK declares or inherits.
type jdkClass struct {
	methods map[string]bool // with descriptors
}

type jdkClasses struct {
	t     *testing.T
	read  func(internal string) (*classfile.Class, error) // nil if there is none
	known map[string]*jdkClass
}

// load returns a class, nil if there is none.
func (j *jdkClasses) load(name string) *jdkClass {
	if c, ok := j.known[name]; ok {
		return c
	}
	j.known[name] = nil
	class, err := j.read(strings.ReplaceAll(name, ".", "/"))
	if err != nil {
		j.t.Fatal(err)
	}
	if class == nil {
		return nil
	}
	c := &jdkClass{methods: make(map[string]bool)}
	for i := range class.Methods {
		c.methods[class.Methods[i].Name+class.Methods[i].Desc] = true
	}
	for _, s := range append([]string{class.Super}, class.Interfaces...) {
		if above := j.load(strings.ReplaceAll(s, "/", ".")); above != nil {
			for m := range above.methods {
				if !strings.HasPrefix(m, "<") {
					c.methods[m] = true
				}
			}
		}
	}
	j.known[name] = c
	return c
}

// TestJavaTable demands that the classes and methods that the table of the JDK
// names exist, and that no row counts on more arguments than there are.
func TestJavaTable(t *testing.T) {
	home, err := archive.FindJDK(os.Getenv("JAVA_HOME"), os.Getenv("PATH"))
	if err != nil {
		t.Skip(err)
	}
	jdk, err := archive.OpenJDK(home, archive.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer jdk.Path.Close()
	checkJavaTable(t, func(name string) (*classfile.Class, error) {
		if jdk.Path.Find(name) == nil {
			return nil, nil
		}
		return jdk.Path.Class(name)
	})
}

// TestJavaTableStubs demands the same of the declarations that stand in for a
// JDK.
func TestJavaTableStubs(t *testing.T) {
	table, err := stubs.Open()
	if err != nil {
		t.Fatal(err)
	}
	checkJavaTable(t, table.Class)
}

func checkJavaTable(t *testing.T, read func(string) (*classfile.Class, error)) {
	t.Helper()
	classes := &jdkClasses{t: t, read: read, known: make(map[string]*jdkClass)}
	set, err := model.Load()
	if err != nil {
		t.Fatal(err)
	}
	// A name that is written once for several classes must be that of a method of
	// one of them.
	found := make(map[model.Place]int)
	names := make(map[model.Place]*model.Row)
	for _, r := range set.Rows() {
		if r.Lang != ir.LangJava || r.At.File != "java.model" || strings.Contains(r.Scope, "/") || isNewer(r) {
			continue
		}
		if most, ok := checkJavaRow(t, classes, r); ok {
			found[r.At] = max(found[r.At], most+1)
			names[r.At] = r
		}
	}
	for at, r := range names {
		switch n := found[at] - 1; {
		case n < 0:
			t.Errorf("%s: %s has no %s", at, r.Scope, r.Pattern)
		case r.Args() > n:
			t.Errorf("%s: %s of %s has %d parameters, the row uses arg%d", at, r.Pattern, r.Scope, n, r.Args())
		}
	}
}

func isNewer(r *model.Row) bool {
	for _, n := range newer {
		if class, method, _ := strings.Cut(n, " "); class == r.Scope && strings.HasPrefix(r.Pattern, method) {
			return true
		}
	}
	return false
}

// checkJavaRow demands that the class of a row exists. It returns how many
// parameters the methods have that the row is about, -1 if there are none; ok is
// false if the row is about no methods.
func checkJavaRow(t *testing.T, classes *jdkClasses, r *model.Row) (most int, ok bool) {
	t.Helper()
	scopes := []string{r.Scope}
	if r.Kind == model.RowClass {
		scopes = r.Supers
	} else if strings.Contains(r.Scope, ".$") {
		return 0, false // of a made-up class: what it extends is checked
	}
	most = -1
	for _, scope := range scopes {
		c := classes.load(scope)
		switch {
		case c == nil:
			t.Errorf("%s: the JDK has no class %s", r.At, scope)
		case r.Kind == model.RowFunction && !c.methods[r.Pattern]:
			t.Errorf("%s: %s has no %s", r.At, scope, r.Pattern)
		case r.Kind == model.RowFunc && r.Pattern != "*" && !strings.HasPrefix(r.Pattern, "$"): // those with $ only lowering calls
			most, ok = max(most, mostParams(t, c, r)), true
		}
	}
	return most, ok
}

// mostParams returns the number of parameters of the methods that a row is
// about, -1 if there are none.
func mostParams(t *testing.T, c *jdkClass, r *model.Row) int {
	t.Helper()
	most := -1
	for m := range c.methods {
		if !r.Matches(m) {
			continue
		}
		desc, err := classfile.ParseMethodDesc(m[strings.IndexByte(m, '('):])
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, len(desc.Params))
	}
	return most
}
