package golang

import (
	"go/ast"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deadheat/deadheat/internal/ir"
)

// declFlags tells what can be said of a declared function before its body is
// looked at; test says that it is in a test file.
func (l *lowerer) declFlags(fd *ast.FuncDecl, obj *types.Func, test bool) ir.FuncFlags {
	var flags ir.FuncFlags
	switch {
	case fd.Recv != nil:
		flags |= ir.FuncMethod
	case fd.Name.Name == "init":
		flags |= ir.FuncInit
	case fd.Name.Name == "main" && l.in.TypesPkg.Name() == "main":
		flags |= ir.FuncExported // called by the runtime
	}
	if obj.Exported() {
		flags |= ir.FuncExported
	}
	if test && isTestEntry(obj) {
		flags |= ir.FuncTest
	}
	if promise(fd.Doc) != notPromised {
		flags |= ir.FuncConcurrent
	}
	return flags
}

// isTestEntry tells whether go test would run a function of a test file.
func isTestEntry(fn *types.Func) bool {
	sig := fn.Signature()
	if sig.Recv() != nil || sig.TypeParams().Len() > 0 || sig.Results().Len() > 0 {
		return false
	}
	switch name := fn.Name(); {
	case isTestName(name, "Example"):
		return sig.Params().Len() == 0
	case name == "TestMain" && takesTesting(sig, "M"):
		return true
	default:
		return isTestName(name, "Test") && takesTesting(sig, "T") ||
			isTestName(name, "Benchmark") && takesTesting(sig, "B") ||
			isTestName(name, "Fuzz") && takesTesting(sig, "F")
	}
}

// isTestName tells whether a name is the prefix alone or goes on with anything
// but a lower-case letter.
func isTestName(name, prefix string) bool {
	rest, ok := strings.CutPrefix(name, prefix)
	r, _ := utf8.DecodeRuneInString(rest)
	return ok && (rest == "" || !unicode.IsLower(r))
}

func takesTesting(sig *types.Signature, name string) bool {
	return sig.Params().Len() == 1 && isTestingPointer(sig.Params().At(0).Type(), name)
}

func isTestingPointer(t types.Type, name string) bool {
	named, pointer := receiverBase(t)
	return pointer && named != nil && named.Obj().Name() == name &&
		named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "testing"
}
