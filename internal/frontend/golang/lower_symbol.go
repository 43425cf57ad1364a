package golang

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

// localType is a named type declared in a function. If the function is generic
// the type is too: it is different for each instance.
type localType struct {
	symbol string
	params []*types.TypeParam // of the function
}

// survey looks for what must be known before bodies are lowered: the types
// declared in functions, and operands of range statements that the program does
// not evaluate.
//
// The symbol of such a type holds the function, the type and a number, since
// blocks may declare equal names: "p.F.T·1". What initialises a variable belongs
// to "init".
func (l *lowerer) survey() {
	counts := make(map[string]int)
	for _, f := range l.in.Files {
		for _, decl := range f.Decls {
			enclosing := l.in.ImportPath + ".init"
			var params []*types.TypeParam
			var root ast.Node = decl
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				fn, ok := l.in.Info.Defs[decl.Name].(*types.Func)
				if !ok || decl.Body == nil {
					continue
				}
				enclosing, params, root = l.funcSymbol(fn), typeParamsOf(fn.Signature()), decl.Body
			case *ast.GenDecl:
				if decl.Tok != token.VAR {
					continue
				}
			default:
				continue
			}
			ast.Inspect(root, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.TypeSpec:
					name, ok := l.in.Info.Defs[n.Name].(*types.TypeName)
					if ok && !name.IsAlias() {
						prefix := enclosing + "." + name.Name()
						counts[prefix]++
						l.locals[name] = &localType{symbol: prefix + "·" + strconv.Itoa(counts[prefix]), params: params}
						l.specs = append(l.specs, n)
					}
				case *ast.RangeStmt:
					if v, ok := n.Value.(*ast.Ident); n.Value == nil || ok && v.Name == "_" {
						l.unread[ast.Unparen(n.X)] = true
					}
				}
				return true
			})
		}
	}
}

// typeParamsOf returns the type parameters of a function: those of its
// receiver, then its own.
func typeParamsOf(sig *types.Signature) []*types.TypeParam {
	var params []*types.TypeParam
	for p := range sig.RecvTypeParams().TypeParams() {
		params = append(params, p)
	}
	for p := range sig.TypeParams().TypeParams() {
		params = append(params, p)
	}
	return params
}

func typeParamNames(params []*types.TypeParam) []string {
	var names []string
	for _, p := range params {
		names = append(names, p.Obj().Name())
	}
	return names
}

// typeSymbol returns the symbol of a named type. Types of the universe, as
// error, have no path.
func (l *lowerer) typeSymbol(name *types.TypeName) string {
	if name.Pkg() == nil {
		return name.Name()
	}
	if local := l.locals[name]; local != nil {
		return local.symbol
	}
	return name.Pkg().Path() + "." + name.Name()
}

// funcSymbol returns the symbol of a declared function or method.
func (l *lowerer) funcSymbol(fn *types.Func) string {
	fn = fn.Origin()
	if s, ok := l.symbols[fn]; ok {
		return s
	}
	s := l.newFuncSymbol(fn)
	l.symbols[fn] = s
	return s
}

func (l *lowerer) newFuncSymbol(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		if fn.Pkg() == nil {
			return fn.Name()
		}
		return fn.Pkg().Path() + "." + fn.Name()
	}
	named, pointer := receiverBase(recv.Type())
	if named == nil {
		return "(" + types.TypeString(recv.Type(), nil) + ")." + fn.Name()
	}
	return methodSymbol(l.typeSymbol(named.Obj()), pointer, fn.Name())
}

func methodSymbol(typ string, pointer bool, name string) string {
	if pointer {
		return "(*" + typ + ")." + name
	}
	return "(" + typ + ")." + name
}

// receiverBase returns the named type of a receiver T or *T, or nil.
func receiverBase(t types.Type) (named *types.Named, pointer bool) {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t, pointer = types.Unalias(p.Elem()), true
	}
	named, _ = t.(*types.Named)
	return named, pointer
}

// methodName qualifies names that are not exported by the package they belong
// to, so that equal names mean the same method.
func methodName(m *types.Func) string {
	if m.Exported() || m.Pkg() == nil {
		return m.Name()
	}
	return m.Pkg().Path() + "." + m.Name()
}

// ssaSymbol returns the symbol of a function with a body in this package.
func (l *lowerer) ssaSymbol(fn *ssa.Function) string {
	if parent := fn.Parent(); parent != nil {
		for i, anon := range parent.AnonFuncs {
			if anon == fn {
				return l.ssaSymbol(parent) + "$" + strconv.Itoa(i+1)
			}
		}
	}
	obj, ok := fn.Object().(*types.Func)
	if !ok {
		return l.in.ImportPath + "." + fn.Name() // the package initialiser
	}
	if obj.Name() == "init" && obj.Signature().Recv() == nil {
		return obj.Pkg().Path() + "." + fn.Name() // init#1
	}
	return l.funcSymbol(obj)
}

// funcName returns a function's name for people. Closures are named as in the
// stack traces of the Go runtime: f.func1, and f.func1.2 for one inside.
func funcName(fn *ssa.Function) string {
	if parent := fn.Parent(); parent != nil {
		n := strconv.Itoa(strings.Count(fn.Name(), "$"))
		for i, anon := range parent.AnonFuncs {
			if anon == fn {
				n = strconv.Itoa(i + 1)
			}
		}
		switch _, isRange := fn.Syntax().(*ast.RangeStmt); {
		case isRange:
			return funcName(parent) + "-range" + n
		case parent.Parent() != nil:
			return funcName(parent) + "." + n
		default:
			return funcName(parent) + ".func" + n
		}
	}
	recv := fn.Signature.Recv()
	if recv == nil {
		return fn.Name()
	}
	named, pointer := receiverBase(recv.Type())
	switch {
	case named == nil:
		return fn.Name()
	case pointer:
		return fmt.Sprintf("(*%s).%s", named.Obj().Name(), fn.Name())
	default:
		return named.Obj().Name() + "." + fn.Name()
	}
}

// funcRef returns the mention of a function as an operand or a callee.
func (l *lowerer) funcRef(fn *ssa.Function) ir.FuncRefID {
	if id, ok := l.refs[fn]; ok {
		return id
	}
	id := l.newFuncRef(fn)
	l.refs[fn] = id
	return id
}

func (l *lowerer) newFuncRef(fn *ssa.Function) ir.FuncRefID {
	if ref, ok := l.wrapperRef(fn); ok {
		return ref
	}
	var args []ir.TypeID
	for _, arg := range fn.TypeArgs() {
		args = append(args, l.typ(arg))
	}
	origin := fn
	if o := originOf(fn); o != nil {
		origin = o
	}
	if len(args) == 0 {
		// A closure, or a generic function mentioned in itself, has the type
		// parameters of the function around it.
		args = l.paramTypes(ssaTypeParams(origin))
	}
	return l.b.FuncRef(l.ssaSymbol(origin), args...)
}

// originOf returns the generic function that fn is an instance of, or nil.
func originOf(fn *ssa.Function) *ssa.Function {
	if len(fn.TypeArgs()) == 0 || fn.Parent() != nil {
		return nil
	}
	return fn.Origin()
}

// ssaTypeParams returns the type parameters of a function, or of the declared
// function around a closure.
func ssaTypeParams(fn *ssa.Function) []*types.TypeParam {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return typeParamsOf(fn.Signature)
}

func (l *lowerer) paramTypes(params []*types.TypeParam) []ir.TypeID {
	var ids []ir.TypeID
	for i, p := range params {
		ids = append(ids, l.b.TypeParam(p.Obj().Name(), i))
	}
	return ids
}
