package golang

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"math"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"golang.org/x/tools/go/ssa"
)

// function is the function at hand.
type function struct {
	ssa    *ssa.Function
	id     ir.FuncID
	symbol string
	params []*types.TypeParam
	regs   *registers
	at     []ir.Pos // of the instructions of the block at hand
	last   []ir.Pos // by block: of its last instruction
	lo, hi token.Pos
	next   ir.Reg // register of the next instruction that has one
	start  ir.Pos // of the header
	end    ir.Pos // of the closing brace
	yield  bool   // the body of a range over a function
	defers bool   // it is, and it defers calls
	extra  int    // functions made for this one
}

// lowerFuncs lowers what the package's files declare, in the order of the text,
// and then the initialiser.
func (l *lowerer) lowerFuncs() {
	for i, f := range l.in.Files {
		for _, decl := range f.Decls {
			if fd, ok := decl.(*ast.FuncDecl); ok && fd.Name.Name != "_" {
				l.lowerDecl(fd, l.in.FileMeta[i].Test)
			}
		}
	}
	if fn := l.in.Pkg.Func("init"); fn != nil && fn.Synthetic != "" {
		l.b.SetInit(l.lowerFunc(fn, ir.None, ir.FuncInit|ir.FuncSynthetic))
	}
}

func (l *lowerer) lowerDecl(fd *ast.FuncDecl, test bool) {
	obj, ok := l.in.Info.Defs[fd.Name].(*types.Func)
	if !ok {
		return
	}
	fn := l.in.Pkg.Prog.FuncValue(obj)
	if fn == nil {
		l.limit("missing", l.funcSymbol(obj), "no SSA form was built for this function: its effects are unknown", l.pos.read(fd.Name.NamePos))
		return
	}
	// A method's own type parameters come after its receiver's.
	if n := obj.Signature().RecvTypeParams().Len(); n > 0 {
		for p := range obj.Signature().TypeParams().TypeParams() {
			l.offsets[p] = n
		}
	}
	l.lowerFunc(fn, ir.None, l.declFlags(fd, obj, test))
}

// lowerFunc lowers a function and the closures in it.
func (l *lowerer) lowerFunc(fn *ssa.Function, parent ir.FuncID, flags ir.FuncFlags) ir.FuncID {
	params := ssaTypeParams(fn)
	f := &function{ssa: fn, symbol: l.ssaSymbol(fn), params: params, lo: 1, hi: math.MaxInt}
	var recv types.Type
	if r := fn.Signature.Recv(); r != nil {
		recv = r.Type()
	}
	f.place(l)
	pos := l.pos.read(fn.Pos())
	f.id = l.b.AddFunc(ir.Func{
		Symbol: f.symbol, Name: funcName(fn), Sig: l.funcType(fn.Signature, recv),
		TypeParams: typeParamNames(params), Parent: parent, Flags: flags, Pos: pos, End: f.end,
	})
	switch kind, text := externalReason(l, fn); {
	case kind != "":
		l.b.FuncAt(f.id).Flags |= ir.FuncExternal
		l.limit(kind, f.symbol, text, pos)
	default:
		l.fn = f
		l.define(f.id, l.lowerBody)
		l.fn = nil
	}
	for _, anon := range fn.AnonFuncs {
		l.lowerFunc(anon, f.id, 0)
	}
	return f.id
}

// place finds the range of text that the function's positions must be in.
// go/ssa sometimes gives an instruction the position of a value it uses, which
// may be declared anywhere.
func (f *function) place(l *lowerer) {
	switch n := f.ssa.Syntax().(type) {
	case *ast.FuncDecl:
		f.lo, f.hi = n.Pos(), n.End()
		f.start = l.pos.read(n.Name.NamePos)
		if n.Body != nil {
			f.end = l.pos.node(n.Body.Rbrace, n.End())
		}
	case *ast.FuncLit:
		f.lo, f.hi = n.Pos(), n.End()
		f.start = l.pos.read(n.Type.Func)
		f.end = l.pos.node(n.Body.Rbrace, n.End())
	case *ast.RangeStmt:
		f.lo, f.hi = n.Pos(), n.End()
		f.start = l.pos.read(n.For)
		f.end = l.pos.node(n.Body.Rbrace, n.End())
		f.yield = true
	}
}

// externalReason tells why a function has no body here, if so.
func externalReason(l *lowerer, fn *ssa.Function) (kind, text string) {
	if isCgoStub(fn) {
		return "cgo", "calls C: what it reads and writes is unknown"
	}
	if len(fn.Blocks) > 0 {
		return "", ""
	}
	for _, link := range l.links {
		if link.local == fn.Name() && fn.Signature.Recv() == nil {
			return "linkname", "its body is that of " + link.target + ", by go:linkname"
		}
	}
	return "assembly", "is written in assembly or bound by go:linkname elsewhere: its effects are unknown"
}

// isCgoStub tells whether fn is a function that cgo wrote to call C.
func isCgoStub(fn *ssa.Function) bool {
	return fn.Parent() == nil && (strings.HasPrefix(fn.Name(), "_Cfunc_") || strings.HasPrefix(fn.Name(), "_C2func_"))
}

// oddity is what define recovers: a construct that lowering does not know.
type oddity string

// define gives a function the body that fill makes. Whatever goes wrong, the
// rest of the package goes on, and the unit says that this function is unknown.
func (l *lowerer) define(id ir.FuncID, fill func()) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		reason, ok := r.(oddity)
		if !ok {
			reason = oddity(fmt.Sprintf("lowering failed (%v)", r))
		}
		f := l.b.FuncAt(id)
		f.Flags |= ir.FuncExternal
		l.limit("unsupported", f.Symbol, string(reason)+": the function's effects are unknown", f.Pos)
	}()
	l.body.Reset()
	fill()
	l.b.SetBody(id, l.body.Finish())
}

// pendingFunc is a function we write ourselves, declared and not yet filled.
type pendingFunc struct {
	id   ir.FuncID
	fill func()
}

// lowerPending fills the functions that bodies asked for.
func (l *lowerer) lowerPending() {
	for i := 0; i < len(l.pending); i++ {
		l.define(l.pending[i].id, l.pending[i].fill)
	}
}

func (l *lowerer) lowerBody() {
	f, fn := l.fn, l.fn.ssa
	l.regs.reset()
	f.regs, f.at = &l.regs, l.at
	f.last = append(l.last[:0], make([]ir.Pos, len(fn.Blocks))...)
	for _, p := range fn.Params {
		f.regs.set(p, ir.RegValue(l.body.Param(l.typ(p.Type()), paramName(p))))
	}
	for _, v := range fn.FreeVars {
		f.regs.set(v, ir.RegValue(l.body.Capture(l.typ(v.Type()), sourceName(v.Name()))))
	}
	f.next = ir.Reg(len(fn.Params) + len(fn.FreeVars))
	var ids []ir.BlockID
	for _, b := range fn.Blocks {
		id := l.body.NewBlock()
		if len(b.Succs) > 0 {
			ids = blockIDs(ids[:0], b.Succs)
			l.body.SetSuccs(id, ids...)
		}
		if len(b.Preds) > 0 {
			ids = blockIDs(ids[:0], b.Preds)
			l.body.SetPreds(id, ids...)
		}
		l.declareRegs(b)
	}
	if fn.Recover != nil {
		l.body.SetRecover(ir.BlockID(fn.Recover.Index))
	}
	for _, b := range fn.Blocks {
		l.body.SetBlock(ir.BlockID(b.Index))
		f.placeBlock(l, b)
		for i, instr := range b.Instrs {
			l.lowerInstr(instr, f.at[i])
		}
	}
	l.at, l.last = f.at, f.last
}

func blockIDs(ids []ir.BlockID, blocks []*ssa.BasicBlock) []ir.BlockID {
	for _, b := range blocks {
		ids = append(ids, ir.BlockID(b.Index))
	}
	return ids
}

// paramName leaves out the names go/ssa makes up.
func paramName(p *ssa.Parameter) string {
	if v, ok := p.Object().(*types.Var); ok && v != nil && v.Name() != "_" {
		return v.Name()
	}
	return ""
}

// declareRegs gives the block's values their registers, before any is used: a
// phi may use what comes later.
func (l *lowerer) declareRegs(b *ssa.BasicBlock) {
	for _, instr := range b.Instrs {
		switch v := instr.(type) {
		case *ssa.DebugRef:
			l.nameReg(v)
		case *ssa.Defer:
			l.fn.defers = l.fn.yield
		case *ssa.Call:
			l.declareCall(v)
		case *ssa.UnOp:
			if !dropped(l, v) {
				l.newReg(v, l.typ(v.Type()), "")
			}
		case *ssa.Field:
			if isPart(v) {
				l.declarePart(v)
			} else {
				l.newReg(v, l.typ(v.Type()), "")
			}
		case *ssa.Range:
			l.newReg(v, l.typ(v.X.Type()), "")
		case *ssa.Next:
			l.newReg(v, l.nextType(v), "")
		case *ssa.MakeInterface:
			if !isSelectPanic(v) {
				l.newReg(v, l.typ(v.Type()), "")
			}
		case *ssa.Phi:
			l.newReg(v, l.typ(v.Type()), sourceName(v.Comment))
		case ssa.Value:
			l.newReg(v, l.typ(v.Type()), "")
		}
	}
}

// newReg gives a value its register. Instructions that define one are emitted in
// the same order: see def.
func (l *lowerer) newReg(v ssa.Value, typ ir.TypeID, name string) {
	l.fn.regs.set(v, ir.RegValue(l.body.NewReg(typ, name)))
}

// nameReg names a register after the first variable it is the value of.
func (l *lowerer) nameReg(ref *ssa.DebugRef) {
	id, ok := ref.Expr.(*ast.Ident)
	if !ok || ref.IsAddr {
		return
	}
	if v, ok := ref.Object().(*types.Var); !ok || v.IsField() {
		return
	}
	if _, ok := ref.X.(ssa.Instruction); !ok {
		return
	}
	if value, ok := l.fn.regs.get(ref.X); ok && value.Reg() != ir.None {
		if info := l.body.RegAt(value.Reg()); info.Name == "" {
			info.Name = id.Name
		}
	}
}

// sourceName returns the variable that go/ssa's comment on a cell names, or
// nothing if the cell has no name in the source.
func sourceName(comment string) string {
	switch comment {
	case "complit", "slicelit", "varargs", "makeslice", "new", "rangeindex", "rangeint.iter", "&&", "||":
		return ""
	}
	if strings.Contains(comment, "$") {
		return ""
	}
	return comment
}

// nextType is the type of an iteration. go/ssa leaves parts that are not used
// invalid.
func (l *lowerer) nextType(v *ssa.Next) ir.TypeID {
	boolean, rng := l.typ(types.Typ[types.Bool]), v.Iter.(*ssa.Range)
	if m, ok := coreType(rng.X.Type()).(*types.Map); ok {
		return l.b.Tuple(boolean, l.typ(m.Key()), l.typ(m.Elem()))
	}
	return l.b.Tuple(boolean, l.typ(types.Typ[types.Int]), l.typ(types.Typ[types.Int32]))
}

// operand returns the IR form of an operand; nil is an absent one.
func (l *lowerer) operand(v ssa.Value) ir.Value {
	switch v := v.(type) {
	case nil:
		return ir.NoValue
	case *ssa.Const:
		return l.constant(v)
	case *ssa.Function:
		return ir.FuncValue(l.funcRef(v))
	case *ssa.Global:
		return ir.GlobalValue(l.globalRef(v))
	}
	value, ok := l.fn.regs.get(v)
	if !ok {
		panic(oddity(fmt.Sprintf("no value for %s", v)))
	}
	return value
}

// operands returns the IR forms of operands, after first if it is not nil. The
// slice is good until the next call.
func (l *lowerer) operands(first ssa.Value, rest []ssa.Value) []ir.Value {
	args := l.args[:0]
	if first != nil {
		args = append(args, l.operand(first))
	}
	for _, v := range rest {
		args = append(args, l.operand(v))
	}
	l.args = args
	return args
}

func (l *lowerer) globalRef(g *ssa.Global) ir.GlobalRef {
	id, ok := l.globals[g]
	if !ok {
		id = l.b.GlobalRef(globalSymbol(g))
		l.globals[g] = id
	}
	return id
}

func globalSymbol(g *ssa.Global) string { return g.Pkg.Pkg.Path() + "." + g.Name() }
