package summary

import (
	"context"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
)

// code is a function with everything resolved that only the Program can
// resolve. A Program is not safe for concurrent use; code is.
type code struct {
	id      int32
	fn      link.FuncID
	key     string
	symbol  string
	name    string
	unit    *ir.Unit
	flags   ir.FuncFlags
	pos     Pos
	recv    string
	body    *ir.Body
	defs    []int32           // by register
	steps   map[int32]Step    // by instruction: the step of a field, or of an extract from a struct
	globals map[ir.Value]Step // roots of globals
	funcs   map[ir.Value]int32
	calls   map[int32][]int32 // by instruction: targets, indices of program.codes; closures too
	open    map[int32]bool    // dispatched calls whose targets were found by type
	boxes   map[int32]Step    // by instruction: the concrete type of a box, or of an assertion
	classes map[int32]string  // by instruction: the class in scope whose object is locked
	ops     []operation
	edges   []int32 // distinct targets, for the order of work
	weak    []int32 // those of edges that only a once runs, for itself; sorted
	onces   []Step  // the globals whose onces run it, for itself
}

// definition returns the instruction that assigns a register, or None.
func (c *code) definition(v ir.Value) int32 {
	if r := v.Reg(); r != ir.None {
		return c.defs[r]
	}
	return ir.None
}

// operation is an access as the code says it: of the memory at addr followed by
// tail.
type operation struct {
	instr int32
	kind  AccessKind
	addr  ir.Value
	tail  []Step
	flags AccessFlags
}

// maxTargets bounds how many implementations a dispatched call is resolved to.
const maxTargets = 8

// maxLeaves bounds how many fields a copy of a struct is split into.
const maxLeaves = 24

// program collects the code to summarise.
type program struct {
	cfg            *Config
	prog           *link.Program
	paths          *Paths
	codes          []*code
	index          map[link.FuncID]int32
	impls          map[dispatchKey][]link.FuncID
	methods        map[string][]link.TypeID // method name → types in scope that declare or promote it
	named          map[link.TypeID]string
	marks          marks
	chans          map[int32]*chanUse // by the symbol of the field or global
	onces          map[int32]*onceUse // by the symbol of the global
	inScopeGlobals map[string]bool
	unknown        map[string]int // callees that were not summarised, by symbol
	open           int            // dispatched calls with too many targets or none
}

type dispatchKey struct {
	t    link.TypeID
	name string
}

func collect(ctx context.Context, prog *link.Program, cfg *Config) *program {
	p := &program{cfg: cfg, prog: prog, paths: NewPaths(), index: make(map[link.FuncID]int32), impls: make(map[dispatchKey][]link.FuncID),
		named: make(map[link.TypeID]string), unknown: make(map[string]int), inScopeGlobals: make(map[string]bool),
		chans: make(map[int32]*chanUse), onces: make(map[int32]*onceUse), marks: marks{make(map[link.TypeID]bool), make(map[link.TypeID]bool)}}
	p.findMethods()
	for _, u := range prog.Units {
		if !cfg.InScope(u.Path) {
			continue
		}
		for i := range u.Globals {
			p.inScopeGlobals[u.Globals[i].Symbol] = true
		}
		for i := range u.Funcs {
			f := &u.Funcs[i]
			if f.HasBody() && len(f.TypeParams) == 0 && f.Flags&ir.FuncTest == 0 {
				p.add(prog.Lookup(f.Symbol))
			}
		}
	}
	for k := 0; k < len(p.codes) && ctx.Err() == nil; k++ { // grows
		p.prepare(p.codes[k])
	}
	p.separate()
	return p
}

// findMethods indexes the methods of the types in scope, for dispatch.
func (p *program) findMethods() {
	p.methods = make(map[string][]link.TypeID)
	for _, u := range p.prog.Units {
		if !p.cfg.InScope(u.Path) {
			continue
		}
		for i := range u.TypeDecls {
			d := &u.TypeDecls[i]
			if len(d.Params) > 0 {
				continue
			}
			t := p.prog.Named(d.Symbol)
			if t == link.NoType || p.prog.Type(p.prog.Underlying(t)).Kind == ir.KindInterface {
				continue
			}
			for _, name := range p.prog.Methods(t) {
				p.methods[name] = append(p.methods[name], t)
			}
		}
	}
}

// add returns the number of a function, or -1 if it is not to be summarised.
func (p *program) add(fn link.FuncID) int32 {
	if fn == link.None {
		return -1
	}
	if id, ok := p.index[fn]; ok {
		return id
	}
	p.index[fn] = -1
	u := p.prog.Unit(fn)
	if u == nil {
		return -1
	}
	def := p.prog.Def(fn)
	if !p.cfg.Summarise(u.Path) && def.Flags&(ir.FuncSynthetic|ir.FuncShared) == 0 {
		return -1
	}
	if !def.HasBody() {
		return -1
	}
	id := int32(len(p.codes))
	p.index[fn] = id
	p.codes = append(p.codes, &code{id: id, fn: fn})
	return id
}

func (p *program) prepare(c *code) {
	prog := p.prog
	def, u := prog.Def(c.fn), prog.Unit(c.fn)
	c.symbol, c.name, c.unit, c.flags = prog.Func(c.fn).Symbol, prog.Name(c.fn), u, def.Flags
	c.key = c.symbol + p.env(c.fn)
	c.pos = place(u, def.Pos)
	c.body = prog.Body(c.fn)
	if c.body == nil {
		return
	}
	if def.Flags&ir.FuncMethod != 0 && c.body.Params > 0 {
		c.recv = p.typeName(p.pointee(prog.TypeOf(c.fn, c.body.Regs[0].Type)))
	}
	c.steps, c.boxes, c.globals = make(map[int32]Step), make(map[int32]Step), make(map[ir.Value]Step)
	c.funcs, c.calls, c.open = make(map[ir.Value]int32), make(map[int32][]int32), make(map[int32]bool)
	c.defs = make([]int32, len(c.body.Regs))
	for i := range c.defs {
		c.defs[i] = ir.None
	}
	for i := range c.body.Instrs {
		if d := c.body.Instrs[i].Dst; d != ir.None {
			c.defs[d] = int32(i)
		}
	}
	x := &extractor{p: p, c: c}
	for i := range c.body.Instrs {
		in := &c.body.Instrs[i]
		p.resolve(c, int32(i), in)
		p.mark(c, int32(i), in)
		x.instr(int32(i), in)
	}
	x.copiedReceiver(def)
	p.noteChannels(c)
	seen := make(map[int32]bool)
	note := func(ids []int32) {
		for _, t := range ids {
			if t >= 0 && !seen[t] {
				seen[t] = true
				c.edges = append(c.edges, t)
			}
		}
	}
	for _, ids := range c.calls {
		note(ids)
	}
	for _, id := range c.funcs {
		note([]int32{id})
	}
	sort.Slice(c.edges, func(i, j int) bool { return c.edges[i] < c.edges[j] })
}

// env spells the type arguments of an instance.
func (p *program) env(fn link.FuncID) string {
	args := p.prog.TypeArgs(fn)
	if len(args) == 0 {
		return ""
	}
	names := make([]string, len(args))
	for i, a := range args {
		names[i] = p.prog.TypeString(a)
	}
	return "[" + strings.Join(names, ",") + "]"
}

func (p *program) resolve(c *code, i int32, in *ir.Instr) {
	prog := p.prog
	for _, v := range c.body.Args(in) {
		switch v.Kind() {
		case ir.ValueGlobal:
			if _, ok := c.globals[v]; !ok {
				c.globals[v] = p.paths.GlobalRoot(prog.Global(prog.GlobalOf(c.fn, v.Global())).Symbol)
			}
		case ir.ValueFunc:
			if _, ok := c.funcs[v]; !ok {
				c.funcs[v] = p.add(prog.Callee(c.fn, v.Func()))
			}
		}
	}
	switch in.Op {
	case ir.OpLock:
		p.resolveLock(c, i, in)
	case ir.OpField:
		c.steps[i] = p.fieldStep(c, ir.FieldID(in.Aux))
	case ir.OpExtract:
		p.resolveExtract(c, i, in)
	case ir.OpBox, ir.OpAssert:
		p.resolveBox(c, i, in)
	case ir.OpCall, ir.OpClosure:
		fn := prog.Callee(c.fn, ir.FuncRefID(in.Aux))
		id := p.add(fn)
		if id >= 0 {
			c.calls[i] = []int32{id}
		} else if in.Op == ir.OpCall {
			p.unknown[prog.Func(fn).Symbol]++
		}
	case ir.OpInvoke:
		p.resolveInvoke(c, i, in)
	case ir.OpOnce:
		p.resolveOnce(c, in)
	}
}

func (p *program) fieldStep(c *code, ref ir.FieldID) Step {
	fr := &p.prog.Unit(c.fn).Fields[ref]
	return p.paths.FieldStep(p.typeName(p.prog.TypeOf(c.fn, fr.Struct)), fr.Name)
}

// resolveLock notes the class in scope whose object is locked: in some languages
// every object is a lock.
func (p *program) resolveLock(c *code, i int32, in *ir.Instr) {
	r := c.body.Args(in)[0].Reg()
	if r == ir.None {
		return
	}
	t := p.pointee(p.prog.TypeOf(c.fn, c.body.Regs[r].Type))
	if _, u := p.prog.Decl(t); u == nil || !p.prog.IsClass(t) || !p.cfg.InScope(u.Path) {
		return
	}
	if c.classes == nil {
		c.classes = make(map[int32]string)
	}
	c.classes[i] = p.typeName(t)
}

// resolveExtract names the field that an extract takes out of a struct in a
// register.
func (p *program) resolveExtract(c *code, i int32, in *ir.Instr) {
	r := c.body.Args(in)[0].Reg()
	if r == ir.None {
		return
	}
	t := p.prog.TypeOf(c.fn, c.body.Regs[r].Type)
	u := p.prog.Type(p.prog.Underlying(t))
	if u.Kind == ir.KindStruct && int(in.Aux) < len(u.Fields) {
		c.steps[i] = p.paths.FieldStep(p.typeName(t), u.Fields[in.Aux].Name)
	}
}

// resolveBox notes the concrete type that a value has in an interface.
func (p *program) resolveBox(c *code, i int32, in *ir.Instr) {
	var t link.TypeID
	if in.Op == ir.OpBox {
		v := c.body.Args(in)[0]
		if v.Reg() == ir.None {
			return
		}
		t = p.prog.TypeOf(c.fn, c.body.Regs[v.Reg()].Type)
	} else {
		t = p.prog.TypeOf(c.fn, in.Type)
		if ty := p.prog.Type(t); ty.Kind == ir.KindTuple && len(ty.Elems) > 0 {
			t = link.TypeID(ty.Elems[0])
		}
	}
	if k := p.prog.Type(p.prog.Underlying(t)).Kind; k != ir.KindInterface && k != ir.KindParam {
		c.boxes[i] = p.paths.asStep(p.typeName(t))
	}
}

func (p *program) resolveInvoke(c *code, i int32, in *ir.Instr) {
	args := c.body.Args(in)
	recv := args[0]
	if in.Flags&ir.FlagGroup != 0 {
		recv = args[1]
	}
	if recv.Reg() == ir.None {
		return
	}
	t := p.prog.TypeOf(c.fn, c.body.Regs[recv.Reg()].Type)
	name := p.prog.MethodName(c.fn, ir.MethodID(in.Aux))
	targets := p.implementations(t, name)
	if len(targets) == 0 || len(targets) > maxTargets && !p.cfg.Sound {
		p.open++
		return
	}
	for _, fn := range targets {
		if id := p.add(fn); id >= 0 {
			c.calls[i] = append(c.calls[i], id)
		}
	}
	c.open[i] = len(targets) > 1
}

// implementations returns the functions that a call of a method may run, by
// the types in scope that have all methods of the static type.
func (p *program) implementations(t link.TypeID, name string) []link.FuncID {
	key := dispatchKey{t, name}
	if list, ok := p.impls[key]; ok {
		return list
	}
	prog := p.prog
	var list []link.FuncID
	add := func(fn link.FuncID) {
		if fn != link.None {
			for _, f := range list {
				if f == fn {
					return
				}
			}
			list = append(list, fn)
		}
	}
	if prog.Type(prog.Underlying(t)).Kind != ir.KindInterface {
		add(prog.Method(t, name))
	} else {
		for _, impl := range p.methods[name] {
			ptr := prog.Pointer(impl)
			if p.implements(ptr, t) {
				add(prog.Method(ptr, name))
			}
			if len(list) > maxTargets && !p.cfg.Sound {
				break
			}
		}
	}
	p.impls[key] = list
	return list
}

// implements tells whether a type has all methods of an interface, with the same
// signatures: many a type has methods of the same names.
func (p *program) implements(t, iface link.TypeID) bool {
	if !p.prog.Implements(t, iface) {
		return false
	}
	for _, m := range p.prog.Type(p.prog.Underlying(iface)).Methods {
		fn := p.prog.Method(t, m.Name)
		def := p.prog.Def(fn)
		if def == nil || p.prog.Type(link.TypeID(m.Sig)).Kind != ir.KindFunc {
			continue
		}
		want, have := p.prog.Type(link.TypeID(m.Sig)), p.prog.Type(p.prog.TypeOf(fn, def.Sig))
		if have.Kind != ir.KindFunc || len(have.Elems) == 0 {
			continue
		}
		if !slices.Equal(want.Elems, have.Elems[1:]) || !slices.Equal(want.Results, have.Results) {
			return false
		}
	}
	return true
}

// typeName returns the symbol of a named type, with type arguments, or the
// spelling of another.
func (p *program) typeName(t link.TypeID) string {
	if s, ok := p.named[t]; ok {
		return s
	}
	s := p.prog.TypeString(t)
	if len(s) > 160 {
		s = "struct#" + strconv.Itoa(len(s)) + s[:120]
	}
	p.named[t] = s
	return s
}

// pointee returns what a pointer points to, and any other type itself.
func (p *program) pointee(t link.TypeID) link.TypeID {
	if ty := p.prog.Type(t); ty.Kind == ir.KindPointer {
		return link.TypeID(ty.Elem)
	}
	return t
}

func place(u *ir.Unit, p ir.Pos) Pos {
	if u == nil || !p.IsValid() || int(p.File) >= len(u.Files) {
		return Pos{}
	}
	return Pos{u.Files[p.File].Path, p.Line, p.Col, p.EndLine, p.EndCol}
}
