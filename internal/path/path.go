package path

import (
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
)

// ID indexes Table.list. Paths of different functions are not comparable.
type ID int32

// None is the path of values that are no addresses.
const None ID = -1

// maxLen bounds the number of selectors of a path.
const maxLen = 8

// Kind says what the last step of a path is.
type Kind uint8

const (
	Param   Kind = iota // root: parameter N
	Capture             // root: captured value N
	Global              // root: address of program global N
	Value               // root: the result of instruction N
	Func                // root: function value N
	Field               // field at slot offset N of the struct the parent points to
	Deref               // what is stored where the parent points
	Index               // element whose index is the constant N
	Elem                // element whose index is register N
)

// Path is a path's last step and the path before it.
type Path struct {
	Parent ID // None for roots
	Kind   Kind
	N      int32
	Len    int32
	Name   string // of a Field
}

// Table holds the paths of one function.
type Table struct {
	prog *link.Program
	fn   link.FuncID
	body *ir.Body
	list []Path
	ids  map[Path]ID
	regs []ID
	// unstable paths are places the function itself stores to: loads of them
	// start afresh.
	unstable map[ID]bool
}

// Of computes the paths of a function's registers.
func Of(prog *link.Program, fn link.FuncID, body *ir.Body) *Table {
	t := &Table{prog: prog, fn: fn, body: body, ids: make(map[Path]ID), regs: make([]ID, len(body.Regs))}
	t.walk()
	stored := t.storedPlaces()
	if len(stored) > 0 {
		t.unstable = stored
		t.walk()
	}
	return t
}

// Globals returns a table of paths that begin with a global, none at first: they
// mean the same in all functions.
func Globals() *Table { return &Table{ids: make(map[Path]ID)} }

// storedPlaces returns the paths of loads whose place the function stores to. A
// place that is given its value once, right where its object is made, does not
// count: whatever the function loads from it later is that value.
func (t *Table) storedPlaces() map[ID]bool {
	loaded := make(map[ID]bool)
	for i := range t.list {
		if t.list[i].Kind == Deref {
			loaded[t.list[i].Parent] = true
		}
	}
	stored := make(map[ID]bool)
	given := make(map[ID]bool)
	for i := range t.body.Instrs {
		in := &t.body.Instrs[i]
		if in.Op != ir.OpStore && in.Op != ir.OpAtomic {
			continue
		}
		p := t.Value(t.body.Args(in)[0])
		if p == None || !loaded[p] {
			continue
		}
		if !given[p] && t.gives(int32(i), p) {
			given[p] = true
		} else {
			stored[p] = true
		}
	}
	return stored
}

// gives tells whether a store is what a place begins with: it stands in the
// block that makes the object, and nothing has been loaded from the place before.
func (t *Table) gives(i int32, p ID) bool {
	root := t.list[t.Root(p)]
	if root.Kind != Value || t.body.Instrs[root.N].Op != ir.OpAlloc || root.N > i || t.body.BlockOf(root.N) != t.body.BlockOf(i) {
		return false
	}
	for k := root.N + 1; k < i; k++ {
		if in := &t.body.Instrs[k]; in.Op == ir.OpLoad && t.Value(t.body.Args(in)[0]) == p {
			return false
		}
	}
	return true
}

// Given spells a path that goes through a variable of the function by what the
// variable holds, if that is given to it once and for all.
func (t *Table) Given(id ID) ID {
	steps := t.Steps(id)
	if len(steps) < 2 || steps[0].Kind != Value || steps[1].Kind != Deref || t.body.Instrs[steps[0].N].Op != ir.OpAlloc {
		return id
	}
	cell := ir.RegValue(t.body.Instrs[steps[0].N].Dst)
	at := None
	for i := range t.body.Instrs {
		in := &t.body.Instrs[i]
		if in.Op != ir.OpStore || t.body.Args(in)[0] != cell {
			continue
		}
		if at != None {
			return id
		}
		if at = t.Value(t.body.Args(in)[1]); at == None {
			return id
		}
	}
	for _, s := range steps[2:] {
		if at == None || s.Kind == Elem || t.list[at].Len >= maxLen {
			return id
		}
		s.Parent, s.Len = at, t.list[at].Len+1
		at = t.intern(s)
	}
	if at == None {
		return id
	}
	return at
}

func (t *Table) walk() {
	for i := range t.regs {
		t.regs[i] = None
	}
	for i := int32(0); i < t.body.Params; i++ {
		t.regs[i] = t.root(Param, i)
	}
	for i := int32(0); i < t.body.Captures; i++ {
		t.regs[t.body.Params+i] = t.root(Capture, i)
	}
	for i := range t.body.Instrs {
		in := &t.body.Instrs[i]
		if in.Dst != ir.None {
			t.regs[in.Dst] = t.result(int32(i), in)
		}
	}
}

// result returns the path of an instruction's result.
func (t *Table) result(i int32, in *ir.Instr) ID {
	args := t.body.Args(in)
	switch in.Op {
	case ir.OpCopy, ir.OpCast:
		if p := t.Value(args[0]); p != None {
			return p
		}
	case ir.OpField:
		if off, _, ok := t.prog.FieldOf(t.fn, ir.FieldID(in.Aux)); ok {
			return t.step(i, t.Value(args[0]), Path{Kind: Field, N: off, Name: t.prog.Unit(t.fn).Fields[in.Aux].Name})
		}
	case ir.OpIndex:
		if n, ok := t.constant(args[1]); ok {
			return t.step(i, t.Value(args[0]), Path{Kind: Index, N: n})
		}
		if r := args[1].Reg(); r != ir.None {
			return t.step(i, t.Value(args[0]), Path{Kind: Elem, N: int32(r)})
		}
	case ir.OpLoad:
		if p := t.Value(args[0]); p != None && !t.unstable[p] {
			return t.step(i, p, Path{Kind: Deref})
		}
	case ir.OpPhi:
		if p, ok := t.same(args); ok {
			return p
		}
	}
	return t.root(Value, i)
}

// same returns the path that all operands have.
func (t *Table) same(args []ir.Value) (ID, bool) {
	p := None
	for _, a := range args {
		q := t.Value(a)
		if q == None || p != None && p != q {
			return None, false
		}
		p = q
	}
	return p, p != None
}

func (t *Table) constant(v ir.Value) (int32, bool) {
	c := v.Const()
	if c == ir.None {
		return 0, false
	}
	n, err := strconv.ParseInt(t.prog.Unit(t.fn).Consts[c].Text, 10, 32)
	return int32(n), err == nil
}

func (t *Table) root(k Kind, n int32) ID {
	return t.intern(Path{Parent: None, Kind: k, N: n})
}

// step extends a path, or starts afresh at instruction i if that would make it
// too long or there is nothing to extend.
func (t *Table) step(i int32, parent ID, p Path) ID {
	if parent == None || t.list[parent].Len >= maxLen {
		return t.root(Value, i)
	}
	p.Parent, p.Len = parent, t.list[parent].Len+1
	return t.intern(p)
}

func (t *Table) intern(p Path) ID {
	key := p
	key.Name = "" // the offset says it all
	if id, ok := t.ids[key]; ok {
		return id
	}
	id := ID(len(t.list))
	t.list = append(t.list, p)
	t.ids[key] = id
	return id
}

// Value returns the path of an operand.
func (t *Table) Value(v ir.Value) ID {
	switch v.Kind() {
	case ir.ValueReg:
		return t.regs[v.Reg()]
	case ir.ValueGlobal:
		return t.root(Global, int32(t.prog.GlobalOf(t.fn, v.Global())))
	case ir.ValueFunc:
		return t.root(Func, int32(t.prog.Callee(t.fn, v.Func())))
	}
	return None
}

// Get returns a path's last step.
func (t *Table) Get(id ID) Path { return t.list[id] }

// Extend returns the path that follows parent by the step of q, a path of any
// table; ok is false if the step means nothing outside its own function.
func (t *Table) Extend(parent ID, q Path) (ID, bool) {
	if parent == None || q.Kind == Elem || q.Kind <= Func || t.list[parent].Len >= maxLen {
		return None, false
	}
	q.Parent, q.Len = parent, t.list[parent].Len+1
	return t.intern(q), true
}

// GlobalRoot returns the path of a global's address.
func (t *Table) GlobalRoot(g int32) ID { return t.root(Global, g) }

// Root returns the root of a path.
func (t *Table) Root(id ID) ID {
	for t.list[id].Parent != None {
		id = t.list[id].Parent
	}
	return id
}

// Steps returns the path from its root, the root first.
func (t *Table) Steps(id ID) []Path {
	n := t.list[id].Len + 1
	steps := make([]Path, n)
	for ; id != None; id = t.list[id].Parent {
		n--
		steps[n] = t.list[id]
	}
	return steps
}

// Name spells a path as a person would: "s.mu", "counter", "items[…].lock".
func (t *Table) Name(id ID) string {
	if id == None {
		return ""
	}
	var b strings.Builder
	t.write(&b, id)
	return b.String()
}

func (t *Table) write(b *strings.Builder, id ID) {
	p := t.list[id]
	if p.Parent != None {
		t.write(b, p.Parent)
	}
	switch p.Kind {
	case Param:
		b.WriteString(t.regName(p.N, t.typeName(p.N)))
	case Capture:
		b.WriteString(t.regName(t.body.Params+p.N, t.typeName(t.body.Params+p.N)))
	case Global:
		b.WriteString(shortSymbol(t.prog.Global(link.GlobalID(p.N)).Symbol))
	case Func:
		b.WriteString(t.prog.Name(link.FuncID(p.N)))
	case Value:
		b.WriteString(t.valueName(p.N))
	case Field:
		b.WriteString("." + p.Name)
	case Index:
		b.WriteString("[" + strconv.Itoa(int(p.N)) + "]")
	case Elem:
		b.WriteString("[" + t.regName(p.N, "…") + "]")
	}
}

// typeName names a value without a name by what it is, or leads to: "bytes.Buffer"
// may stand for one.
func (t *Table) typeName(r int32) string {
	s := t.prog.TypeString(t.prog.TypeOf(t.fn, t.body.Regs[r].Type))
	return shortSymbol(strings.TrimLeft(s, "*"))
}

func (t *Table) regName(r int32, other string) string {
	if name := t.body.Regs[r].Name; name != "" {
		return name
	}
	return other
}

// valueName names the result of an instruction.
func (t *Table) valueName(i int32) string {
	in := &t.body.Instrs[i]
	unit := t.prog.Unit(t.fn)
	args := t.body.Args(in)
	switch in.Op {
	case ir.OpAlloc:
		if in.Aux >= 0 && int(in.Aux) < len(unit.Consts) {
			if name, err := strconv.Unquote(unit.Consts[in.Aux].Text); err == nil && name != "" {
				return name
			}
		}
		if name := t.body.Regs[in.Dst].Name; name != "" {
			return name
		}
		return "new " + shortSymbol(t.prog.TypeString(t.prog.TypeOf(t.fn, in.Type)))
	case ir.OpCall:
		return shortSymbol(t.prog.Name(t.prog.Callee(t.fn, ir.FuncRefID(in.Aux)))) + "()"
	case ir.OpInvoke:
		name, _, _ := strings.Cut(t.prog.MethodName(t.fn, ir.MethodID(in.Aux)), "(") // without a descriptor
		return shortSymbol(name) + "()"
	case ir.OpLoad, ir.OpExtract, ir.OpAssert, ir.OpSlice, ir.OpConvert, ir.OpBox, ir.OpRange:
		if p := t.Value(args[0]); p != None {
			return t.Name(p)
		}
	case ir.OpMapGet:
		if p := t.Value(args[0]); p != None {
			return t.Name(p) + "[…]"
		}
	case ir.OpRecv:
		if p := t.Value(args[0]); p != None {
			return "<-" + t.Name(p)
		}
	}
	if in.Dst != ir.None && t.body.Regs[in.Dst].Name != "" {
		return t.body.Regs[in.Dst].Name
	}
	if in.Dst != ir.None {
		return t.typeName(int32(in.Dst))
	}
	return in.Op.String()
}

// shortSymbol drops the directories of a symbol's path, and the packages of a
// class.
func shortSymbol(s string) string {
	depth := 0
	for i := len(s) - 1; i >= 0; i-- {
		switch s[i] {
		case ']', ')':
			depth++
		case '[', '(':
			depth--
		case '/':
			if depth == 0 {
				return s[i+1:]
			}
		}
	}
	if strings.ContainsAny(s, "([") {
		return s
	}
	return link.ShortName(s)
}

// Len returns the number of paths.
func (t *Table) Len() int { return len(t.list) }
