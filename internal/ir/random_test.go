package ir

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// generator makes random units that satisfy Check.
type generator struct {
	rng   *rand.Rand
	b     *Builder
	types []TypeID // a sample to choose from, without tuples
	body  BodyBuilder
	fn    *Func

	// Of the body being made.
	regs []Reg // those that may be used now
}

// randomUnit makes a unit from a seed. Larger sizes make more functions.
func randomUnit(seed uint64, size int) *Unit {
	g := &generator{rng: rand.New(rand.NewPCG(seed, 1))}
	g.b = NewBuilder(g.symbol(), Lang(g.rng.IntN(len(langNames))))
	for i := range 1 + g.rng.IntN(3) {
		g.b.AddFile(File{Path: "f" + strconv.Itoa(i), Generated: g.flip(), Test: g.flip()})
	}
	for range 12 {
		g.newType()
	}
	for i := range g.rng.IntN(4) {
		g.typeDecl(i)
	}
	for i := range g.rng.IntN(4) {
		g.b.AddGlobal(Global{Symbol: fmt.Sprint(g.symbol(), i), Type: g.typ(), Flags: GlobalFlags(g.rng.IntN(1 << len(globalFlagNames))), Pos: g.pos()})
	}
	for i := range 1 + g.rng.IntN(size) {
		g.function(i)
	}
	g.notes()
	return g.b.Finish()
}

func (g *generator) flip() bool { return g.rng.IntN(2) == 0 }

func (g *generator) symbol() string {
	return []string{"a", "example.com/p.T", "odd name", "v1", "int", "x$1", "\xff\"", "java.lang.Object.<init>()V", "日本", "-", "b0"}[g.rng.IntN(11)]
}

func (g *generator) pos() Pos {
	files := len(g.b.u.Files)
	p := Pos{File: FileID(g.rng.IntN(files)), Line: 1 + int32(g.rng.IntN(300)), Col: int32(g.rng.IntN(90))}
	switch g.rng.IntN(4) {
	case 0:
		return Pos{}
	case 1:
		return p
	case 2:
		p.EndLine, p.EndCol = p.Line, p.Col+int32(g.rng.IntN(20))
	case 3:
		p.EndLine, p.EndCol = p.Line+1, int32(g.rng.IntN(20))
	}
	return p
}

// typ chooses one of the types made so far.
func (g *generator) typ() TypeID { return g.types[g.rng.IntN(len(g.types))] }

func (g *generator) typeList() []TypeID {
	list := make([]TypeID, g.rng.IntN(3))
	for i := range list {
		list[i] = g.typ()
	}
	return list
}

func (g *generator) sig() TypeID { return g.b.FuncType(g.typeList(), g.typeList(), g.flip()) }

func (g *generator) newType() {
	if len(g.types) == 0 {
		for _, name := range []string{"int", "bool", "string", "weird basic"} {
			g.types = append(g.types, g.b.Basic(name))
		}
	}
	g.types = append(g.types, g.typeOf(TypeKind(g.rng.IntN(int(KindParam)+1))))
}

// typeOf makes a type of a kind.
func (g *generator) typeOf(kind TypeKind) TypeID {
	switch kind {
	case KindPointer:
		if g.rng.IntN(8) == 0 {
			return g.b.Pointer(0)
		}
		return g.b.Pointer(g.typ())
	case KindStruct:
		fields := make([]Field, g.rng.IntN(4))
		for i := range fields {
			fields[i] = Field{Name: g.symbol(), Type: g.typ(), Offset: int64(g.rng.IntN(20) - 1), Flags: FieldFlags(g.rng.IntN(1 << len(fieldFlagNames)))}
		}
		return g.b.Struct(fields)
	case KindArray:
		return g.b.Array(int64(g.rng.IntN(10)-1), g.typ())
	case KindSlice:
		return g.b.Slice(g.typ())
	case KindMap:
		return g.b.Map(g.typ(), g.typ())
	case KindChan:
		return g.b.Chan(ChanDir(g.rng.IntN(3)), g.typ())
	case KindFunc:
		return g.sig()
	case KindTuple:
		return g.b.Tuple(g.typeList()...)
	case KindInterface:
		var methods []Method
		for i := range g.rng.IntN(3) {
			methods = append(methods, Method{Name: fmt.Sprint("m", i, g.symbol()), Sig: g.sig()})
		}
		return g.b.Interface(methods)
	case KindNamed:
		return g.b.Named(g.symbol(), g.typeList()...)
	case KindParam:
		return g.b.TypeParam(g.symbol(), g.rng.IntN(3))
	}
	return g.b.Basic(basicNames[g.rng.IntN(len(basicNames))])
}

func (g *generator) typeDecl(i int) {
	d := TypeDecl{Symbol: fmt.Sprint(g.symbol(), i), Underlying: g.typ(), Flags: TypeFlags(g.rng.IntN(1 << len(typeFlagNames))), Pos: g.pos()}
	for range g.rng.IntN(3) {
		d.Params = append(d.Params, g.symbol())
		d.Supers = append(d.Supers, g.b.Named(g.symbol(), g.typeList()...))
		d.Methods = append(d.Methods, MethodDecl{Name: g.symbol(), Func: g.symbol(), Pointer: g.flip(), Static: g.flip()})
	}
	g.b.AddTypeDecl(d)
	g.types = append(g.types, g.b.Named(d.Symbol))
}

func (g *generator) notes() {
	b := g.b
	for range g.rng.IntN(3) {
		b.AddImport(g.symbol())
		b.AddAlias(Alias{Symbol: g.symbol(), Target: g.symbol()})
		b.AddAnnotation(Annotation{Target: []string{"", g.symbol()}[g.rng.IntN(2)], Text: g.symbol(), Pos: g.pos()})
		b.AddLimit(Limit{Kind: g.symbol(), Symbol: []string{"", g.symbol()}[g.rng.IntN(2)], Text: g.symbol(), Pos: g.pos()})
	}
	if g.flip() {
		b.SetInit(FuncID(g.rng.IntN(len(b.u.Funcs))))
	}
}

func (g *generator) function(i int) {
	f := Func{
		Symbol: fmt.Sprint(g.symbol(), i),
		Name:   []string{"", g.symbol()}[g.rng.IntN(2)],
		Sig:    g.sig(),
		Parent: FuncID(g.rng.IntN(i+1)) - 1,
		Flags:  FuncFlags(g.rng.IntN(1<<len(funcFlagNames))) &^ FuncExternal,
		Pos:    g.pos(),
		End:    g.pos(),
	}
	for range g.rng.IntN(3) {
		f.TypeParams = append(f.TypeParams, g.symbol())
	}
	if g.rng.IntN(5) == 0 {
		f.Flags |= FuncExternal
		g.b.AddFunc(f)
		return
	}
	g.fn = &f
	f.SetBody(g.code())
	g.b.AddFunc(f)
}

// code makes a body. Registers of the entry block and of the same block may be
// used anywhere; that keeps every use below its definition.
func (g *generator) code() *Body {
	b := &g.body
	g.regs = nil
	for _, typ := range g.b.TypeAt(g.fn.Sig).Elems {
		g.regs = append(g.regs, b.Param(typ, g.regName()))
	}
	for range g.rng.IntN(3) {
		g.regs = append(g.regs, b.Capture(g.typ(), g.regName()))
	}
	blocks := 1 + g.rng.IntN(6)
	for range blocks {
		b.NewBlock()
	}
	recovers := blocks > 1 && g.rng.IntN(4) == 0
	if recovers {
		b.SetRecover(BlockID(blocks - 1))
	}
	// Edges lead neither to the entry nor to the recover block.
	target := func() BlockID {
		limit := blocks
		if recovers {
			limit--
		}
		if limit < 2 {
			return None
		}
		return BlockID(1 + g.rng.IntN(limit-1))
	}
	preds := make([][]BlockID, blocks)
	handled := make([][]BlockID, blocks)
	for id := range blocks {
		succs := make([]BlockID, []int{0, 1, 2, 4}[g.rng.IntN(4)])
		for i := range succs {
			succs[i] = target()
			if succs[i] == None {
				succs = nil
				break
			}
		}
		b.SetSuccs(BlockID(id), succs...)
		for _, s := range succs {
			preds[s] = append(preds[s], BlockID(id))
		}
		if h := target(); id > 0 && h != None && g.rng.IntN(4) == 0 {
			b.SetHandlers(BlockID(id), h)
			handled[h] = append(handled[h], BlockID(id))
		}
	}
	for id := range blocks {
		if g.flip() {
			g.rng.Shuffle(len(preds[id]), func(i, j int) { preds[id][i], preds[id][j] = preds[id][j], preds[id][i] })
			b.SetPreds(BlockID(id), slices.Concat(preds[id], handled[id])...)
		}
	}
	for id := range blocks {
		fromEntry := len(g.regs)
		g.block(BlockID(id), len(preds[id]), len(handled[id]))
		if id > 0 {
			g.regs = g.regs[:fromEntry]
		}
	}
	return b.Finish()
}

func (g *generator) regName() string {
	if g.flip() {
		return ""
	}
	return g.symbol()
}

func (g *generator) block(id BlockID, normal, exceptional int) {
	b := &g.body
	b.SetBlock(id)
	before := slices.Clone(g.regs)
	for range g.rng.IntN(3) {
		args := make([]Value, normal+exceptional)
		for i := range args {
			args[i] = g.constant(g.typ())
			if len(before) > 0 && g.flip() {
				args[i] = RegValue(before[g.rng.IntN(len(before))])
			}
		}
		if id > 0 {
			g.define(Instr{Op: OpPhi, Type: g.typ()}, args...)
		}
	}
	if normal == 0 && exceptional > 0 {
		g.define(Instr{Op: OpCatch, Type: g.typ()})
	}
	for range g.rng.IntN(12) {
		g.instr(Op(1 + g.rng.IntN(int(OpJump)-1)))
	}
	if g.rng.IntN(10) == 0 {
		b.NewReg(g.typ(), "unassigned")
	}
	switch n := b.blocks[id].succs.Len; {
	case n == 1:
		b.Emit(g.pos(), Instr{Op: OpJump})
	case n == 2:
		b.Emit(g.pos(), Instr{Op: OpIf}, g.value())
	case n > 2:
		b.Emit(g.pos(), Instr{Op: OpSwitch}, g.value(), g.constant(g.typ()), g.constant(g.typ()), g.constant(g.typ()))
	default:
		var results []Value
		for range g.b.TypeAt(g.fn.Sig).Results {
			results = append(results, g.value())
		}
		b.Emit(g.pos(), Instr{Op: OpReturn}, results...)
	}
}

// define emits an instruction with the result that Check expects.
func (g *generator) define(in Instr, args ...Value) {
	typ := in.Type
	switch resultOf(&in) {
	case resultPointer:
		typ = g.b.Pointer([]TypeID{in.Type, 0}[g.rng.IntN(2)])
	case resultBool, resultInt:
		typ = g.b.Basic([]string{"bool", "int", "boolean"}[g.rng.IntN(3)])
	}
	g.regs = append(g.regs, g.body.Def(typ, g.regName(), g.pos(), in, args...))
}

func (g *generator) constant(typ TypeID) Value {
	return ConstValue(g.b.Const(typ, []string{"0", "nil", "-12", "\"a b\"", "odd one", "'", "1e+9", "v1", "_", "\"", "0x1p-2", "--"}[g.rng.IntN(12)]))
}

func (g *generator) value() Value {
	switch g.rng.IntN(8) {
	case 0:
		return g.constant(g.typ())
	case 1:
		return GlobalValue(g.b.GlobalRef(g.symbol()))
	case 2:
		return FuncValue(g.b.FuncRef(g.symbol(), g.typeList()...))
	}
	if len(g.regs) == 0 {
		return g.constant(g.typ())
	}
	return RegValue(g.regs[g.rng.IntN(len(g.regs))])
}

// valueOf makes an operand of one of the given kinds.
func (g *generator) valueOf(want kinds) Value {
	if want == 0 {
		return g.value()
	}
	want |= loose
	for range 3 {
		if len(g.regs) > 0 {
			r := g.regs[g.rng.IntN(len(g.regs))]
			if want&(1<<g.b.TypeAt(g.body.RegAt(r).Type).Kind) != 0 {
				return RegValue(r)
			}
		}
	}
	return g.constant(g.typeIn(want))
}

func (g *generator) typeIn(want kinds) TypeID {
	for {
		if kind := TypeKind(g.rng.IntN(int(KindParam) + 1)); want&(1<<kind) != 0 {
			return g.typeOf(kind)
		}
	}
}

// instr emits a random instruction of an operation that ends no block.
func (g *generator) instr(op Op) {
	if op == OpPhi || op == OpCatch {
		return
	}
	info, rule := op.Info(), instrRules[op]
	in := Instr{Op: op}
	if info.Typed {
		in.Type = g.typ()
		if rule.typ != 0 {
			in.Type = g.typeIn(rule.typ)
		}
	}
	if len(info.Sub) > 0 {
		in.Sub = uint8(g.rng.IntN(len(info.Sub)))
	}
	if g.flip() {
		in.Flags = Flags(g.rng.IntN(1<<len(flagNames))) & info.Flags
	}
	args := make([]Value, info.MinArgs)
	if more := info.MaxArgs - info.MinArgs; more > 0 {
		args = make([]Value, info.MinArgs+g.rng.IntN(more+1))
	} else if info.MaxArgs < 0 {
		args = make([]Value, info.MinArgs+g.rng.IntN(9))
	}
	for i := range args {
		want := kinds(0)
		if i < len(rule.args) {
			want = rule.args[i]
		}
		args[i] = g.valueOf(want)
	}
	args = g.adjust(&in, args)
	if info.Result == HasResult || info.Result == MayResult && g.mayResult(&in) && g.flip() {
		g.define(in, args...)
	} else {
		g.body.Emit(g.pos(), in, args...)
	}
}

func (g *generator) mayResult(in *Instr) bool {
	switch {
	case isCall(in.Op):
		return How(in.Sub) == Now
	case in.Op == OpLock:
		return in.Flags&FlagTry != 0
	}
	return true
}

// adjust makes an instruction obey the rules of its operation.
func (g *generator) adjust(in *Instr, args []Value) []Value {
	b := g.b
	if in.Flags&FlagOK != 0 {
		in.Type = b.Tuple(g.typ(), g.typ())
	}
	switch in.Op {
	case OpExtract:
		elems := []TypeID{g.typ(), g.typ()}
		in.Aux = int32(g.rng.IntN(2))
		in.Type = elems[in.Aux]
		args[0] = g.constant(b.Tuple(elems...))
	case OpAlloc:
		in.Aux = None
		if g.flip() {
			in.Aux = int32(b.StringConst(g.symbol()))
		}
	case OpField:
		in.Aux = int32(b.Field(b.Named("foreign"), g.symbol(), int32(g.rng.IntN(4)-1)))
	case OpSlice:
		for i := range args[1:] {
			if g.flip() {
				args[i+1] = NoValue
			}
		}
	case OpNext:
		in.Type = b.Tuple(g.typ(), g.typ(), g.typ())
	case OpClosure:
		in.Aux = int32(b.FuncRef("foreign", g.typeList()...))
	case OpCall, OpInvoke, OpCallPtr:
		args = g.adjustCall(in, args)
	case OpTrigger:
		in.Type = b.Named(g.symbol())
	case OpAtomic:
		in.Aux = 1 + int32(g.rng.IntN(int(SeqCst)))
		n := [...]int{1, 2, 2, 3, 2, 2, 2}[in.Sub]
		for len(args) < n {
			args = append(args, g.value())
		}
		args = args[:n]
	case OpSelect:
		in.Type = b.Tuple(g.typ(), g.typ())
		args = nil
		for range g.rng.IntN(4) {
			dir, sent := "0", NoValue
			if g.flip() {
				dir, sent = "1", g.value()
			}
			args = append(args, ConstValue(b.Const(b.Basic("int"), dir)), g.valueOf(kindSet(KindChan)), sent)
		}
	case OpGroup:
		args = args[:1]
		if GroupKind(in.Sub) == GroupAdd {
			args = append(args, g.value())
		}
	}
	return args
}

func (g *generator) adjustCall(in *Instr, args []Value) []Value {
	b := g.b
	if How(in.Sub) == Spawned {
		in.Flags = in.Flags.WithOrigin(OriginKind(g.rng.IntN(len(originNames))))
	} else {
		in.Flags &^= FlagGroup | FlagSerial
	}
	if in.Flags&FlagGroup != 0 {
		args = append([]Value{g.value()}, args...)
	}
	switch in.Op {
	case OpCall:
		in.Aux = int32(b.FuncRef(g.symbol(), g.typeList()...))
	case OpInvoke:
		in.Aux = int32(b.Method(g.symbol(), g.sig()))
		if g.flip() { // the signature that text leaves out
			args = args[:min(len(args), 1+int(in.Flags&FlagGroup/FlagGroup))]
			in.Aux = int32(b.Method(g.symbol(), b.FuncType(nil, []TypeID{in.Type}, false)))
		}
	case OpCallPtr:
		args[len(args)-1] = g.value()
		callee := int(in.Flags & FlagGroup / FlagGroup)
		args[callee] = g.valueOf(kindSet(KindFunc, KindPointer))
	}
	return args
}

// TestRandom makes random units and demands that they pass Check, survive both
// forms, and keep their digests.
func TestRandom(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 150
	}
	for seed := range n {
		u := randomUnit(uint64(seed), 6)
		if err := Check(u); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text(t, u))
		}
		checkRoundTrip(t, u)
	}
}
