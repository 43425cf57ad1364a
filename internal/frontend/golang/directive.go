package golang

import (
	"go/ast"
	"go/token"
	"strings"
)

// Linkname is a //go:linkname directive. It ties a function or variable of
// this package to a symbol of another: Local has its body elsewhere, or gives
// its body to Target.
type Linkname struct {
	Local  string // name in this package
	Target string // symbol as the linker has it, such as "runtime.nanotime"; empty if only marked
	Pos    token.Pos
}

// linknames returns the linkname directives of a file in source order. The
// compiler asks for an import of unsafe; a directive without is an error
// there, so it need not be checked here.
func linknames(file *ast.File) []Linkname {
	var list []Linkname
	for _, group := range file.Comments {
		for _, c := range group.List {
			rest, ok := strings.CutPrefix(c.Text, "//go:linkname ")
			if !ok {
				continue
			}
			switch f := strings.Fields(rest); len(f) {
			case 1:
				list = append(list, Linkname{Local: f[0], Pos: c.Pos()})
			case 2:
				list = append(list, Linkname{Local: f[0], Target: f[1], Pos: c.Pos()})
			}
		}
	}
	return list
}
