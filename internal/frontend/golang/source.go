package golang

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// text is a source file read.
type text struct {
	name string // slash-separated, relative to the package directory
	path string
	data []byte
	cgo  bool // written by cgo
}

// testMainName is what the generated file of a test binary is called in
// units; on disk it has the name of a cache entry.
const testMainName = "_testmain.go"

// readSource reads what the key of n depends on: the Go files in the package
// directory and, with cgo, the headers in it.
func readSource(n *node) ([]text, error) {
	p := n.list
	names := make([]string, 0, len(p.GoFiles)+len(p.CgoFiles))
	names = append(append(names, p.GoFiles...), p.CgoFiles...)
	if p.usesCgo() {
		names = append(append(append(names, p.HFiles...), p.SwigFiles...), p.SwigCXXFiles...)
	}
	return readTexts(n, names)
}

func readTexts(n *node, names []string) ([]text, error) {
	texts := make([]text, len(names))
	generated := 0
	for i, name := range names {
		t := &texts[i]
		t.name, t.path = filepath.ToSlash(name), name
		if !filepath.IsAbs(name) {
			t.path = filepath.Join(n.pkg.Dir, name)
		} else if rel := relativeTo(n.pkg.Dir, name); !filepath.IsAbs(rel) {
			t.name = rel
		} else if n.pkg.Kind == TestMain {
			t.name = testMainName
		} else {
			t.cgo = true
			t.name = fmt.Sprintf("_cgo%d.go", generated)
			generated++
		}
		data, err := os.ReadFile(t.path)
		if err != nil {
			return nil, err
		}
		t.data = data
	}
	return texts, nil
}

// isTest reports whether a file belongs to tests only.
func (t *text) isTest() bool {
	return strings.HasSuffix(t.name, "_test.go") || t.name == testMainName
}
