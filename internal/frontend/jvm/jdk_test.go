package jvm

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/deadheat/deadheat/internal/frontend/jvm/archive"
	"github.com/deadheat/deadheat/internal/ir"
)

// sampleEvery is the distance of the classes whose units are also printed and
// read again.
const sampleEvery = 50

// TestWholeJDK lowers every class of the JDK (with -short every twentieth) and
// checks the units; of a sample the text is read again and must give the same
// unit.
func TestWholeJDK(t *testing.T) {
	home, err := archive.FindJDK(os.Getenv("JAVA_HOME"), os.Getenv("PATH"))
	if err != nil {
		t.Skip(err)
	}
	jdk, err := archive.OpenJDK(home, archive.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer jdk.Path.Close()
	lowerAll(t, jdk.Path)
}

// TestRealJars does the same with the jars of scripts/fetch-java-corpus.
func TestRealJars(t *testing.T) {
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	jars, err := filepath.Glob(filepath.Join(cache, "deadheat-bench", "java", "jars", "*.jar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(jars) == 0 {
		t.Skip("no jars: run scripts/fetch-java-corpus")
	}
	for _, jar := range jars {
		t.Run(filepath.Base(jar), func(t *testing.T) {
			p, err := archive.OpenPath([]string{jar}, archive.Config{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			lowerAll(t, p)
		})
	}
}

// lowerAll lowers and checks the classes of a path.
func lowerAll(t *testing.T, path *archive.Path) {
	names := slices.Clone(path.Classes())
	if testing.Short() { // a sample
		n := 0
		for i := 0; i < len(names); i += 20 {
			names[n] = names[i]
			n++
		}
		names = names[:n]
	}
	var next, instrs, functions, misplaced atomic.Int64
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			buf := new(buffers)
			for {
				i := int(next.Add(1)) - 1
				if i >= len(names) || t.Failed() {
					return
				}
				c, err := path.Class(names[i])
				if err != nil && strings.Contains(err.Error(), " has the class ") {
					misplaced.Add(1) // no loader of this path finds it
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				u, errs := lowerClass(c, buf)
				for _, err := range errs {
					t.Errorf("%s: %v", names[i], err)
				}
				if err := ir.Check(u); err != nil {
					t.Errorf("%s: %v", names[i], err)
				}
				for f := range u.Funcs {
					if b, _ := u.Body(ir.FuncID(f)); b != nil {
						functions.Add(1)
						instrs.Add(int64(len(b.Instrs)))
					}
				}
				if i%sampleEvery == 0 {
					roundTrip(t, u)
				}
			}
		})
	}
	wg.Wait()
	t.Logf("%d classes, %d of them under another name than their own, %d functions, %d instructions",
		len(names), misplaced.Load(), functions.Load(), instrs.Load())
}

// roundTrip prints a unit, reads the text and prints that again.
func roundTrip(t *testing.T, u *ir.Unit) {
	var text, again bytes.Buffer
	if err := ir.Print(&text, u); err != nil {
		t.Errorf("%s: %v", u.Path, err)
		return
	}
	back, err := ir.ParseAll(u.Path, text.String())
	if err != nil || len(back) != 1 {
		t.Errorf("%s: its text cannot be read: %v", u.Path, err)
		return
	}
	if err := ir.Print(&again, back[0]); err != nil {
		t.Errorf("%s: %v", u.Path, err)
	}
	if !bytes.Equal(text.Bytes(), again.Bytes()) {
		t.Errorf("%s: text does not survive a round trip", u.Path)
	}
	if !bytes.Equal(ir.Encode(u), ir.Encode(back[0])) {
		t.Errorf("%s: the unit read from its text is another", u.Path)
	}
}
