package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// linkname is a //go:linkname directive. It ties a function or variable of this
// package to a symbol of another one.
type linkname struct {
	local  string
	target string // as the linker has it, such as "runtime.nanotime"
	pos    token.Pos
}

// linknames returns the directives in the order of the text.
func linknames(files []*ast.File) []linkname {
	var list []linkname
	for _, f := range files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				rest, ok := strings.CutPrefix(c.Text, "//go:linkname ")
				if !ok {
					continue
				}
				if names := strings.Fields(rest); len(names) == 2 {
					list = append(list, linkname{names[0], names[1], c.Pos()})
				}
			}
		}
	}
	return list
}

// declareAliases resolves go:linkname. A function without a body takes that of
// the target; one with a body gives it to the target.
func (l *lowerer) declareAliases() {
	scope := l.in.TypesPkg.Scope()
	for _, link := range l.links {
		local, target := l.in.ImportPath+"."+link.local, linkSymbol(link.target)
		pos := l.pos.read(link.pos)
		switch obj := scope.Lookup(link.local).(type) {
		case *types.Func:
			fn := l.in.Pkg.Prog.FuncValue(obj)
			switch {
			case local == target || fn == nil:
			case len(fn.Blocks) == 0:
				l.b.AddAlias(ir.Alias{Symbol: local, Target: target})
			default:
				l.b.AddAlias(ir.Alias{Symbol: target, Target: local})
			}
		case *types.Var:
			if local != target {
				l.limit("linkname", local, "is the same variable as "+target+" by go:linkname: accesses are told apart by name", pos)
			}
		}
	}
}

// linkSymbol turns the linker's spelling of a method, path.(*T).M or path.T.M,
// into ours.
func linkSymbol(s string) string {
	slash := strings.LastIndexByte(s, '/') + 1
	path, name, ok := strings.Cut(s[slash:], ".")
	if !ok {
		return s
	}
	path = s[:slash] + path
	typ, method, ok := cutLast(name, ".")
	if !ok {
		return s
	}
	if base, ok := strings.CutPrefix(typ, "(*"); ok {
		return methodSymbol(path+"."+strings.TrimSuffix(base, ")"), true, method)
	}
	return methodSymbol(path+"."+typ, false, method)
}

func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
