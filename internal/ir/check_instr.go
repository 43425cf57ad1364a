package ir

import (
	"math/bits"
	"strconv"
	"strings"
)

// kinds is a set of type kinds.
type kinds uint16

// loose are the kinds whose structure another unit knows.
const loose = kinds(1<<KindNamed | 1<<KindParam)

func kindSet(list ...TypeKind) kinds {
	var s kinds
	for _, k := range list {
		s |= 1 << k
	}
	return s
}

func (s kinds) String() string {
	var names []string
	for ; s != 0; s &= s - 1 {
		names = append(names, typeShapes[bits.TrailingZeros16(uint16(s))].name)
	}
	return strings.Join(names, " or ")
}

// instrRule says which kinds of types an operation goes with. Zero means any.
type instrRule struct {
	typ  kinds    // of the Type field
	args [3]kinds // of the first operands
}

// instrRules has what can be said of an operation without looking elsewhere.
// Operations on locks and the like have no rules: models apply them to whatever
// a library calls a lock.
var instrRules = func() (rules [numOps]instrRule) {
	pointer, slice := kindSet(KindPointer), kindSet(KindSlice)
	maps, channel, tuple := kindSet(KindMap), kindSet(KindChan), kindSet(KindTuple)
	text := kindSet(KindBasic)
	rules[OpLen] = instrRule{args: [3]kinds{slice | text | maps | channel | pointer | kindSet(KindArray)}}
	rules[OpCap] = instrRule{args: [3]kinds{slice | channel | pointer | kindSet(KindArray)}}
	rules[OpExtract] = instrRule{args: [3]kinds{tuple | kindSet(KindStruct)}}
	rules[OpElement] = instrRule{args: [3]kinds{text | kindSet(KindArray)}}
	rules[OpField] = instrRule{typ: pointer, args: [3]kinds{pointer}}
	rules[OpIndex] = instrRule{typ: pointer, args: [3]kinds{pointer | slice}}
	rules[OpOffset] = instrRule{typ: pointer, args: [3]kinds{pointer, text}}
	rules[OpLoad] = instrRule{args: [3]kinds{pointer}}
	rules[OpStore] = instrRule{args: [3]kinds{pointer}}
	rules[OpCopyRange] = instrRule{args: [3]kinds{pointer | slice, pointer | slice | text}}
	rules[OpSetRange] = instrRule{args: [3]kinds{pointer | slice}}
	rules[OpMakeSlice] = instrRule{typ: slice}
	rules[OpSlice] = instrRule{args: [3]kinds{slice | text | pointer}}
	rules[OpAppend] = instrRule{typ: slice, args: [3]kinds{slice, slice | text}}
	rules[OpMakeMap] = instrRule{typ: maps}
	rules[OpMapGet] = instrRule{args: [3]kinds{maps}}
	rules[OpMapSet] = instrRule{args: [3]kinds{maps}}
	rules[OpMapDelete] = instrRule{args: [3]kinds{maps}}
	rules[OpMapClear] = instrRule{args: [3]kinds{maps}}
	rules[OpRange] = instrRule{args: [3]kinds{maps | text}}
	rules[OpNext] = instrRule{typ: tuple}
	rules[OpMakeChan] = instrRule{typ: channel}
	rules[OpSend] = instrRule{args: [3]kinds{channel}}
	rules[OpRecv] = instrRule{args: [3]kinds{channel}}
	rules[OpClose] = instrRule{args: [3]kinds{channel}}
	rules[OpSelect] = instrRule{typ: tuple}
	rules[OpTrigger] = instrRule{typ: kindSet(KindNamed)}
	rules[OpAtomic] = instrRule{args: [3]kinds{pointer}}
	return rules
}()

// instr verifies an instruction by itself, against the table of operations.
func (c *checker) instr(in *Instr) {
	if in.Op == OpInvalid || in.Op >= numOps {
		c.failf("operation %d is unknown", in.Op)
		return
	}
	info := &opTable[in.Op]
	if !in.Args.within(len(c.b.Operands)) {
		c.failf("operands %d+%d are out of range", in.Args.Off, in.Args.Len)
		return
	}
	args := c.b.Args(in)
	if len(args) < info.MinArgs || info.MaxArgs >= 0 && len(args) > info.MaxArgs {
		c.failf("has %d operands", len(args))
		return
	}
	if in.Sub != 0 && int(in.Sub) >= len(info.Sub) {
		c.failf("variant %d is unknown", in.Sub)
		return
	}
	if !c.instrType(in, info) || !c.instrArgs(in, args) || !c.instrAux(in, info) || !c.instrFlags(in, info) {
		return
	}
	c.instrResult(in, info)
	c.rules(in, args)
	c.special(in, args)
}

func (c *checker) instrType(in *Instr, info *OpInfo) bool {
	if info.Typed {
		return c.typeID(in.Type, "type")
	}
	if in.Type != 0 {
		c.failf("has a type, which means nothing here")
		return false
	}
	return true
}

// instrArgs verifies that operands are in range, and absent only where that
// means something.
func (c *checker) instrArgs(in *Instr, args []Value) bool {
	for i, v := range args {
		ok := false
		switch v.Kind() {
		case ValueReg:
			ok = int(v.Reg()) < len(c.b.Regs)
		case ValueConst:
			ok = int(v.Const()) < len(c.u.Consts)
		case ValueGlobal:
			ok = int(v.Global()) < len(c.u.GlobalRefs)
		case ValueFunc:
			ok = int(v.Func()) < len(c.u.FuncRefs)
		case ValueNone:
			ok = in.Op == OpSlice && i > 0 || in.Op == OpSelect && i%3 == 2
			if !ok {
				c.failf("operand %d is absent", i)
				return false
			}
		}
		if !ok {
			c.failf("operand %d is out of range", i)
			return false
		}
	}
	return true
}

func (c *checker) instrAux(in *Instr, info *OpInfo) bool {
	switch info.Aux {
	case AuxNone:
		if in.Aux != 0 {
			c.failf("aux is %d, want 0", in.Aux)
			return false
		}
	case AuxField:
		return c.in(in.Aux, len(c.u.Fields), "field")
	case AuxFunc:
		return c.in(in.Aux, len(c.u.FuncRefs), "function")
	case AuxMethod:
		return c.in(in.Aux, len(c.u.Methods), "method")
	case AuxIndex:
		if in.Aux < 0 {
			c.failf("index is %d", in.Aux)
			return false
		}
	case AuxOrder:
		if in.Aux <= int32(Plain) || in.Aux > int32(SeqCst) {
			c.failf("memory order %d is plain or unknown", in.Aux)
			return false
		}
	case AuxName:
		if in.Aux == None {
			return true
		}
		if !c.in(in.Aux, len(c.u.Consts), "name") {
			return false
		}
		k := &c.u.Consts[in.Aux]
		s, err := strconv.Unquote(k.Text)
		if t := &c.u.Types[k.Type]; err != nil || strconv.Quote(s) != k.Text || t.Kind != KindBasic || t.Name != "string" {
			c.failf("name %s is not a quoted string of the basic type string", k.Text)
		}
	}
	return true
}

func (c *checker) instrFlags(in *Instr, info *OpInfo) bool {
	if in.Flags == 0 {
		return true
	}
	spawned := isCall(in.Op) && How(in.Sub) == Spawned
	allowed := info.Flags
	if spawned {
		allowed = allowed.WithOrigin(in.Flags.Origin())
		if int(in.Flags>>originShift) >= len(originNames) {
			c.failf("kind of origin %d is unknown", in.Flags>>originShift)
			return false
		}
	} else {
		allowed &^= FlagGroup | FlagSerial
	}
	if extra := in.Flags &^ allowed; extra != 0 {
		c.failf("flags %s (%#x) mean nothing here", strings.Join(flagList(flagNames, uint32(extra)), ", "), uint32(extra))
		return false
	}
	return true
}

func (c *checker) instrResult(in *Instr, info *OpInfo) {
	if in.Dst == None {
		if info.Result == HasResult {
			c.failf("lacks its result")
		}
		return
	}
	if info.Result == NoResult {
		c.failf("has a result")
		return
	}
	if !c.in(int32(in.Dst), len(c.b.Regs), "register") || !c.typeID(c.b.Regs[in.Dst].Type, "type of the result") {
		return
	}
	typ := c.b.Regs[in.Dst].Type
	t := &c.u.Types[typ]
	ok := true
	switch resultOf(in) {
	case resultPointer:
		ok = t.Kind == KindPointer && (t.Elem == in.Type || t.Elem == 0)
	case resultBool, resultInt:
		ok = t.Kind == KindBasic || t.Kind == KindNamed
	default:
		ok = typ == in.Type || in.Op == OpRange
	}
	if !ok {
		c.failf("result v%d is %s", in.Dst, c.u.TypeString(typ))
	}
	if isCall(in.Op) && How(in.Sub) != Now {
		c.failf("%s call has a result", howNames[in.Sub])
	}
}

// kindOf returns the kind of an operand's type.
func (c *checker) kindOf(v Value) TypeKind {
	switch v.Kind() {
	case ValueGlobal:
		return KindPointer
	case ValueFunc:
		return KindFunc
	case ValueNone:
		return KindInvalid
	}
	return c.u.Types[c.u.valueType(c.b, v)].Kind
}

// rules verifies the kinds of the type and the first operands.
func (c *checker) rules(in *Instr, args []Value) {
	r := &instrRules[in.Op]
	if r.typ != 0 && (r.typ|loose)&(1<<c.u.Types[in.Type].Kind) == 0 {
		c.failf("type is %s, want %s", c.u.TypeString(in.Type), r.typ)
	}
	for i, want := range r.args {
		if want != 0 && i < len(args) {
			c.argKind(i, args[i], want)
		}
	}
}

func (c *checker) argKind(i int, v Value, want kinds) {
	// A register that is never assigned may have no type; dominance says so.
	if k := c.kindOf(v); (want|loose|1<<KindInvalid)&(1<<k) == 0 {
		c.failf("operand %d is of kind %s, want %s", i, typeShapes[k].name, want)
	}
}

// special verifies what is particular to one operation.
func (c *checker) special(in *Instr, args []Value) {
	if in.Flags&FlagOK != 0 {
		if t := &c.u.Types[in.Type]; t.Kind != KindTuple || len(t.Elems) != 2 {
			c.failf("type with ok is %s, want a pair", c.u.TypeString(in.Type))
		}
	}
	switch in.Op {
	case OpExtract:
		c.extract(in, args[0])
	case OpNext:
		if len(c.u.Types[in.Type].Elems) != 3 {
			c.failf("type is %s, want a triple", c.u.TypeString(in.Type))
		}
	case OpClosure:
		c.closure(in, len(args))
	case OpCall, OpInvoke, OpCallPtr:
		c.call(in, args)
	case OpLock:
		if in.Dst != None && in.Flags&FlagTry == 0 {
			c.failf("has a result without try")
		}
	case OpAtomic:
		want := [...]int{AtomicLoad: 1, AtomicStore: 2, AtomicSwap: 2, AtomicCAS: 3, AtomicAdd: 2, AtomicAnd: 2, AtomicOr: 2}[in.Sub]
		if len(args) != want {
			c.failf("%s has %d operands, want %d", atomicNames[in.Sub], len(args), want)
		}
	case OpSelect:
		c.selectCases(in, args)
	case OpGroup:
		if add := GroupKind(in.Sub) == GroupAdd; add != (len(args) == 2) {
			c.failf("%s has %d operands", groupNames[in.Sub], len(args))
		}
	case OpSwitch:
		for i, v := range args[1:] {
			if v.Kind() != ValueConst {
				c.failf("operand %d is not a constant", i+1)
			}
		}
	case OpReturn:
		if want := len(c.u.Types[c.fn.Sig].Results); len(args) != want {
			c.failf("has %d results, want %d", len(args), want)
		}
	}
}

func (c *checker) extract(in *Instr, arg Value) {
	id := c.u.valueType(c.b, arg)
	t := &c.u.Types[id]
	switch t.Kind {
	case KindTuple:
		if int(in.Aux) >= len(t.Elems) {
			c.failf("index %d of %s is out of range", in.Aux, c.u.TypeString(id))
		} else if t.Elems[in.Aux] != in.Type {
			c.failf("type is %s, but component %d of the tuple is %s", c.u.TypeString(in.Type), in.Aux, c.u.TypeString(t.Elems[in.Aux]))
		}
	case KindNamed, KindStruct:
		if s := c.u.structOf(c.decls, id); s != nil && int(in.Aux) >= len(s.Fields) {
			c.failf("index %d of %s is out of range", in.Aux, c.u.TypeString(id))
		}
	}
}

// closure compares captures with those of the function, if it is of this unit.
func (c *checker) closure(in *Instr, bound int) {
	if c.funcs == nil {
		c.funcs = make(map[string]*Func, len(c.u.Funcs))
		for i := range c.u.Funcs {
			c.funcs[c.u.Funcs[i].Symbol] = &c.u.Funcs[i]
		}
	}
	f := c.funcs[c.u.FuncRefs[in.Aux].Symbol]
	if f == nil {
		return
	}
	if captures, ok := f.captures(); ok && captures != bound {
		c.failf("binds %d values, but @%s captures %d", bound, f.Symbol, captures)
	}
}

func (c *checker) call(in *Instr, args []Value) {
	first := 0
	if in.Flags&FlagGroup != 0 {
		first = 1
	}
	if in.Op == OpCall {
		if len(args) < first {
			c.failf("lacks its group")
		}
		return
	}
	if len(args) <= first {
		c.failf("lacks its receiver or callee")
		return
	}
	if in.Op == OpCallPtr {
		c.argKind(first, args[first], kindSet(KindFunc, KindPointer))
	}
}

func (c *checker) selectCases(in *Instr, args []Value) {
	if len(args)%3 != 0 {
		c.failf("has %d operands, want triples", len(args))
		return
	}
	if len(c.u.Types[in.Type].Elems) < 2 {
		c.failf("type is %s, want at least an index and a bool", c.u.TypeString(in.Type))
	}
	for i := 0; i < len(args); i += 3 {
		dir, ok := c.selectDir(args[i])
		switch {
		case !ok:
			c.failf("direction of case %d is neither 0 nor 1", i/3)
		case dir == SelectRecv && args[i+2] != NoValue:
			c.failf("case %d receives and has a value to send", i/3)
		case dir == SelectSend && args[i+2] == NoValue:
			c.failf("case %d sends nothing", i/3)
		}
		c.argKind(i+1, args[i+1], kindSet(KindChan))
	}
}

func (c *checker) selectDir(v Value) (SelectDir, bool) {
	if v.Kind() == ValueConst {
		switch c.u.Consts[v.Const()].Text {
		case "0":
			return SelectRecv, true
		case "1":
			return SelectSend, true
		}
	}
	return 0, false
}
