package corpus

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
)

// Edited calls f while one function body of the corpus has another statement.
// The statement does not move any line, has an effect, and changes no type.
func (t *Tree) Edited(f func() error) (err error) {
	name := filepath.Join(t.Dir, copyDir, filepath.FromSlash(t.Edit.File))
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	at, err := bodyOffset(name, old, t.Edit.Func)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.WriteFile(name, old, 0o666)) }()
	edited := string(old[:at]) + ` println("edited");` + string(old[at:])
	if err := os.WriteFile(name, []byte(edited), 0o666); err != nil {
		return err
	}
	return f()
}

// bodyOffset returns where the body of a function begins, after its brace.
func bodyOffset(name string, src []byte, fn string) (int, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
	if err != nil {
		return 0, err
	}
	for _, d := range file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil && funcName(d) == fn {
			return fset.Position(d.Body.Lbrace).Offset + 1, nil
		}
	}
	return 0, fmt.Errorf("%s has no function %s: its edit line in corpus.txt is wrong", name, fn)
}

// funcName returns NAME or TYPE.METHOD.
func funcName(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return d.Name.Name
	}
	typ := d.Recv.List[0].Type
	for {
		switch t := typ.(type) {
		case *ast.StarExpr:
			typ = t.X
		case *ast.IndexExpr:
			typ = t.X
		case *ast.IndexListExpr:
			typ = t.X
		case *ast.ParenExpr:
			typ = t.X
		case *ast.Ident:
			return t.Name + "." + d.Name.Name
		default:
			return d.Name.Name
		}
	}
}
