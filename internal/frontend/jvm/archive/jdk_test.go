package archive

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
)

// openTestJDK opens the JDK of the machine and skips the test if there is none.
func openTestJDK(t testing.TB) *JDK {
	t.Helper()
	home, err := FindJDK(os.Getenv("JAVA_HOME"), os.Getenv("PATH"))
	if err != nil {
		t.Skipf("%v to run this test", err)
	}
	jdk, err := OpenJDK(home, Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { jdk.Path.Close() })
	return jdk
}

// corpusJars returns the jars of scripts/fetch-java-corpus and skips the test if
// they are not there.
func corpusJars(t testing.TB) []string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	jars, err := filepath.Glob(filepath.Join(cache, "deadheat-bench", "java", "jars", "*.jar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(jars) == 0 {
		t.Skip("no jars: run scripts/fetch-java-corpus to run this test")
	}
	return jars
}

// tally is what a path holds.
type tally struct{ classes, methods, insns, lines, locals, misplaced, errors int64 }

func (t *tally) add(n tally) {
	t.classes += n.classes
	t.methods += n.methods
	t.insns += n.insns
	t.lines += n.lines
	t.locals += n.locals
	t.misplaced += n.misplaced
	t.errors += n.errors
}

// decodeAll parses every class of a path and decodes every method.
func decodeAll(t testing.TB, p *Path) tally {
	t.Helper()
	names := p.Classes()
	var next atomic.Int64
	var mu sync.Mutex
	var sum tally // guarded by mu
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			var d classfile.Decoder
			var n tally
			for {
				i := int(next.Add(1)) - 1
				if i >= len(names) {
					break
				}
				k, err := p.Class(names[i])
				var misplaced *MisplacedError
				if errors.As(err, &misplaced) {
					k, err = misplaced.Class, nil
					n.misplaced++
				}
				if err != nil {
					t.Error(err)
					n.errors++
					continue
				}
				n.classes++
				for j := range k.Methods {
					code, err := d.Decode(k, &k.Methods[j])
					if err != nil {
						t.Error(err)
						n.errors++
					} else if code != nil {
						n.insns += int64(len(code.Insns))
						n.lines += int64(len(code.Lines))
						n.locals += int64(len(code.Locals))
					}
				}
				n.methods += int64(len(k.Methods))
			}
			mu.Lock()
			defer mu.Unlock()
			sum.add(n)
		})
	}
	wg.Wait()
	return sum
}

// Every class of the JDK can be read, and every method decoded.
func TestWholeJDK(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 26,000 classes")
	}
	jdk := openTestJDK(t)
	for _, p := range jdk.Path.Problems {
		t.Error(p)
	}
	n := decodeAll(t, jdk.Path)
	// The least module of all has more than this, so nothing was left out as a whole.
	if int(n.classes) != len(jdk.Path.Classes()) || n.classes < 5000 || n.methods < 5*n.classes || n.insns < 10*n.methods {
		t.Errorf("only %+v of %d classes", n, len(jdk.Path.Classes()))
	}
	for _, class := range []string{"java/lang/Object", "java/util/concurrent/locks/ReentrantLock"} {
		if jdk.Path.Find(class) == nil {
			t.Errorf("no %s", class)
		}
	}
	t.Logf("JDK %d: %+v", jdk.Release, n)
}

// The same for jars of many compilers, from class-file version 45 on.
func TestCorpus(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 28,000 classes")
	}
	var sum tally
	for _, jar := range corpusJars(t) {
		a, err := Open(jar, Config{})
		if err != nil {
			t.Error(err)
			continue
		}
		for _, p := range a.Problems() {
			t.Error(p)
		}
		p := &Path{Archives: []*Archive{a}}
		p.index()
		n := decodeAll(t, p)
		if n.classes == 0 {
			t.Errorf("%s has no classes", jar)
		}
		t.Logf("%-20s %+v", strings.TrimSuffix(filepath.Base(jar), ".jar"), n)
		sum.add(n)
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%-20s %+v", "all", sum)
}

// BenchmarkWholeJDK has the CPU time of parsing and decoding a JDK; run it with
// -cpu 1 so that wall and CPU time agree.
func BenchmarkWholeJDK(b *testing.B) {
	for b.Loop() {
		decodeAll(b, openTestJDK(b).Path)
	}
}
