package link

import (
	"slices"
	"sort"

	"github.com/deadheat/deadheat/internal/ir"
)

// Typed indices into a Program's tables.
type (
	UnitID   int32
	FuncID   int32
	GlobalID int32
	EnvID    int32 // type arguments of an instance; 0 is the empty environment
)

// None marks an absent FuncID or GlobalID.
const None = -1

// Pass rewrites functions between linking and analysis. Both functions are
// pure. Unit returns the view of a unit whose tables hold what the pass will
// refer to; Body returns the new code of a function, given nil for one without
// any.
type Pass struct {
	Name string
	Unit func(*ir.Unit) *ir.Unit
	Body func(*ir.Unit, ir.FuncID, *ir.Body) *ir.Body
}

// Program is a closed set of units.
type Program struct {
	Units []*ir.Unit // in initialisation order

	passes  []Pass
	symbols map[string]symbol // functions
	funcs   []Func
	insts   map[instKey]FuncID
	refs    [][]FuncID // per unit and FuncRefID: FuncID, unresolved, or depends-on-env
	bodies  [][]*bodyEntry

	types      typeTable
	unitTypes  [][]TypeID
	typeDecls  map[string]declRef
	envs       [][]TypeID
	envIDs     map[string]EnvID
	substMemo  map[substKey]TypeID
	underlying []TypeID
	layouts    map[TypeID]*Layout
	hidden     map[string][]string // symbol of a named type → its "$" fields, sorted

	globals    []Global
	globalIDs  map[string]GlobalID
	globalRefs [][]GlobalID

	methodIDs map[string]int32
	found     map[methodKey]FuncID
	impls     map[implKey]bool
	extends   map[implKey]bool
	classes   map[string]bool // types with supertypes, and supertypes
	wrap      wrappers

	limits   []ir.Limit
	declares bool // some field or global is declared to be atomic or final
}

// Func is a function of a Program: a definition, or an instance of a generic
// one, or a symbol that no unit defines.
type Func struct {
	Unit   UnitID // None if no unit defines it
	ID     ir.FuncID
	Env    EnvID
	Symbol string
}

// Global is a global variable of a Program.
type Global struct {
	Symbol string
	Unit   UnitID // None if no unit defines it
	ID     ir.GlobalID
	Type   TypeID
}

type symbol struct {
	unit UnitID
	id   ir.FuncID
}

type instKey struct {
	unit UnitID
	id   ir.FuncID
	env  EnvID
}

type bodyEntry struct {
	body *ir.Body
	defs []int32 // by register: the instruction that assigns it, or ir.None
}

const (
	refUnknown FuncID = -2 // not asked yet
	refGeneric FuncID = -3 // depends on the environment of the asker
)

// Link joins units. The given order is kept except that imports come before
// their importers.
func Link(units []*ir.Unit, passes []Pass) *Program {
	p := &Program{
		passes:    passes,
		symbols:   make(map[string]symbol),
		insts:     make(map[instKey]FuncID),
		typeDecls: make(map[string]declRef),
		envs:      [][]TypeID{nil},
		envIDs:    map[string]EnvID{"": 0},
		substMemo: make(map[substKey]TypeID),
		layouts:   make(map[TypeID]*Layout),
		hidden:    make(map[string][]string),
		globalIDs: make(map[string]GlobalID),
		methodIDs: make(map[string]int32),
		found:     make(map[methodKey]FuncID),
		impls:     make(map[implKey]bool),
		extends:   make(map[implKey]bool),
		classes:   make(map[string]bool),
	}
	p.types.init()
	ordered := initOrder(units)
	ordered = append(ordered, universe())
	p.wrap.unit = &ir.Unit{Path: "«wrappers»", Types: make([]ir.Type, 1), Init: ir.None}
	ordered = append(ordered, p.wrap.unit)
	for _, u := range ordered {
		p.addUnit(u)
	}
	p.wrap.id = UnitID(len(p.Units) - 1)
	p.resolveAliases()
	return p
}

func (p *Program) addUnit(u *ir.Unit) {
	for _, pass := range p.passes {
		if pass.Unit != nil && u != p.wrap.unit {
			u = pass.Unit(u)
		}
	}
	if u != p.wrap.unit {
		u = ownCopy(u)
	}
	id := UnitID(len(p.Units))
	p.Units = append(p.Units, u)
	for i := range u.Funcs {
		f := &u.Funcs[i]
		old, dup := p.symbols[f.Symbol]
		if dup && (p.Units[old.unit].Funcs[old.id].HasBody() || !f.HasBody()) {
			continue
		}
		p.symbols[f.Symbol] = symbol{id, ir.FuncID(i)}
	}
	for i := range u.TypeDecls {
		for _, s := range u.TypeDecls[i].Supers {
			p.classes[u.TypeDecls[i].Symbol], p.classes[u.Types[s].Name] = true, true
		}
		if _, dup := p.typeDecls[u.TypeDecls[i].Symbol]; !dup {
			p.typeDecls[u.TypeDecls[i].Symbol] = declRef{id, int32(i)}
		}
	}
	for i := range u.Types {
		for k := range u.Types[i].Fields {
			p.declares = p.declares || u.Types[i].Fields[k].Flags&(ir.FieldAtomic|ir.FieldFinal) != 0
		}
	}
	for i := range u.Globals {
		g := &u.Globals[i]
		p.declares = p.declares || g.Flags&(ir.GlobalAtomic|ir.GlobalFinal) != 0
		if _, dup := p.globalIDs[g.Symbol]; !dup {
			p.globalIDs[g.Symbol] = GlobalID(len(p.globals))
			p.globals = append(p.globals, Global{Symbol: g.Symbol, Unit: id, ID: ir.GlobalID(i), Type: NoType})
		}
	}
	for i := range u.Fields {
		f := &u.Fields[i]
		if f.Index == ir.None && len(f.Name) > 0 && f.Name[0] == '$' {
			p.addHidden(u, f)
		}
	}
	p.unitTypes = append(p.unitTypes, make([]TypeID, len(u.Types)))
	refs := make([]FuncID, len(u.FuncRefs))
	for i := range refs {
		refs[i] = refUnknown
	}
	p.refs = append(p.refs, refs)
	grefs := make([]GlobalID, len(u.GlobalRefs))
	for i := range grefs {
		grefs[i] = None
	}
	p.globalRefs = append(p.globalRefs, grefs)
	p.bodies = append(p.bodies, make([]*bodyEntry, len(u.Funcs)))
	p.limits = append(p.limits, u.Limits...)
}

// ownCopy returns a unit whose tables may grow without changing the original.
func ownCopy(u *ir.Unit) *ir.Unit {
	c := *u
	c.Types = slices.Clip(u.Types)
	c.FuncRefs = slices.Clip(u.FuncRefs)
	c.GlobalRefs = slices.Clip(u.GlobalRefs)
	return &c
}

// addHidden notes a field that models invent to hold what a library type keeps
// to itself. It must be known before any layout is asked for.
func (p *Program) addHidden(u *ir.Unit, f *ir.FieldRef) {
	t := u.Types[f.Struct]
	if t.Kind != ir.KindNamed {
		return
	}
	names := p.hidden[t.Name]
	i := sort.SearchStrings(names, f.Name)
	if i < len(names) && names[i] == f.Name {
		return
	}
	names = append(names, "")
	copy(names[i+1:], names[i:])
	names[i] = f.Name
	p.hidden[t.Name] = names
}

// initOrder sorts units so that each comes after those it imports, otherwise
// by path.
func initOrder(units []*ir.Unit) []*ir.Unit {
	byPath := make(map[string]*ir.Unit, len(units))
	paths := make([]string, 0, len(units))
	for _, u := range units {
		if byPath[u.Path] == nil {
			byPath[u.Path] = u
			paths = append(paths, u.Path)
		}
	}
	sort.Strings(paths)
	order := make([]*ir.Unit, 0, len(units))
	seen := make(map[string]bool, len(units))
	var visit func(string)
	visit = func(path string) {
		u := byPath[path]
		if u == nil || seen[path] {
			return
		}
		seen[path] = true
		for _, imp := range u.Imports {
			visit(imp)
		}
		order = append(order, u)
	}
	for _, path := range paths {
		visit(path)
	}
	return order
}

// universe defines what every Go program has without declaring it.
func universe() *ir.Unit {
	return &ir.Unit{
		Path: "«universe»",
		Types: []ir.Type{
			{},
			{Kind: ir.KindBasic, Name: "string"},
			{Kind: ir.KindFunc, Results: []ir.TypeID{1}},
			{Kind: ir.KindInterface, Methods: []ir.Method{{Name: "Error", Sig: 2}}},
			{Kind: ir.KindInterface},
		},
		TypeDecls: []ir.TypeDecl{
			{Symbol: "error", Underlying: 3},
			{Symbol: "comparable", Underlying: 4},
		},
		Init: ir.None,
	}
}

func (p *Program) resolveAliases() {
	for _, u := range p.Units {
		for _, a := range u.Aliases {
			target, ok := p.symbols[a.Target]
			if !ok {
				continue
			}
			if s, ok := p.symbols[a.Symbol]; ok && p.Units[s.unit].Funcs[s.id].HasBody() {
				continue
			}
			p.symbols[a.Symbol] = target
		}
	}
}

// NumFuncs returns how many functions have been asked for so far.
func (p *Program) NumFuncs() int { return len(p.funcs) }

// Declared counts the functions that the units declare, whether or not they are
// used.
func (p *Program) Declared() int {
	n := 0
	for _, u := range p.Units {
		n += len(u.Funcs)
	}
	return n
}

// Func returns the description of a function.
func (p *Program) Func(f FuncID) *Func { return &p.funcs[f] }

// Def returns the definition of a function, or nil if there is none.
func (p *Program) Def(f FuncID) *ir.Func {
	fn := &p.funcs[f]
	if fn.Unit == None {
		return nil
	}
	return &p.Units[fn.Unit].Funcs[fn.ID]
}

// Name returns a function's name for people.
func (p *Program) Name(f FuncID) string {
	if d := p.Def(f); d != nil && d.Name != "" {
		return d.Name
	}
	return p.funcs[f].Symbol
}

// Unit returns the unit that defines a function, or nil.
func (p *Program) Unit(f FuncID) *ir.Unit {
	if u := p.funcs[f].Unit; u != None {
		return p.Units[u]
	}
	return nil
}

// Lookup finds a function by symbol; None if no unit defines it.
func (p *Program) Lookup(sym string) FuncID {
	s, ok := p.symbols[sym]
	if !ok {
		return None
	}
	return p.instance(s, 0, sym)
}

func (p *Program) instance(s symbol, env EnvID, sym string) FuncID {
	key := instKey{s.unit, s.id, env}
	if f, ok := p.insts[key]; ok {
		return f
	}
	f := FuncID(len(p.funcs))
	p.funcs = append(p.funcs, Func{Unit: s.unit, ID: s.id, Env: env, Symbol: sym})
	p.insts[key] = f
	return f
}

// Callee resolves a reference as seen from function f.
func (p *Program) Callee(f FuncID, ref ir.FuncRefID) FuncID {
	fn := &p.funcs[f]
	r := p.refs[fn.Unit][ref]
	if r >= 0 {
		return r
	}
	if r == refUnknown {
		r = p.resolveRef(fn.Unit, ref)
		p.refs[fn.Unit][ref] = r
		if r >= 0 {
			return r
		}
	}
	fr := &p.Units[fn.Unit].FuncRefs[ref]
	args := make([]TypeID, len(fr.Args))
	for i, a := range fr.Args {
		args[i] = p.TypeOf(f, a)
	}
	return p.instance(p.symbols[fr.Symbol], p.env(args), fr.Symbol)
}

func (p *Program) resolveRef(unit UnitID, ref ir.FuncRefID) FuncID {
	fr := &p.Units[unit].FuncRefs[ref]
	s, ok := p.symbols[fr.Symbol]
	if !ok {
		if s, ok = p.inheritedFunc(fr.Symbol); !ok {
			return p.missing(fr.Symbol)
		}
		return p.instance(s, 0, p.Units[s.unit].Funcs[s.id].Symbol)
	}
	if len(fr.Args) == 0 {
		return p.instance(s, 0, fr.Symbol)
	}
	args := make([]TypeID, len(fr.Args))
	for i, a := range fr.Args {
		args[i] = p.unitType(unit, a)
		if p.types.hasParam[args[i]] {
			return refGeneric
		}
	}
	return p.instance(s, p.env(args), fr.Symbol)
}

// missing returns the Func that stands for a symbol no unit defines.
func (p *Program) missing(sym string) FuncID {
	f := FuncID(len(p.funcs))
	p.funcs = append(p.funcs, Func{Unit: None, Symbol: sym})
	p.limits = append(p.limits, ir.Limit{Kind: "missing", Symbol: sym,
		Text: "no unit of the program defines this function; calls of it are taken to do nothing"})
	// Later references from other units get the same Func.
	p.wrap.unit.Funcs = append(p.wrap.unit.Funcs, ir.Func{Symbol: sym, Name: sym, Parent: ir.None, Flags: ir.FuncExternal | ir.FuncSynthetic})
	id := ir.FuncID(len(p.wrap.unit.Funcs) - 1)
	p.bodies[p.wrap.id] = append(p.bodies[p.wrap.id], nil)
	p.symbols[sym] = symbol{p.wrap.id, id}
	p.insts[instKey{p.wrap.id, id, 0}] = f
	return f
}

// Body returns the code of a function after all passes, or nil if it has none.
// It is shared by all instances of a generic function.
func (p *Program) Body(f FuncID) *ir.Body {
	fn := &p.funcs[f]
	if fn.Unit == None {
		return nil
	}
	e := p.bodies[fn.Unit][fn.ID]
	if e == nil {
		e = &bodyEntry{body: p.rewrite(f, p.Units[fn.Unit], fn.ID)}
		p.bodies[fn.Unit][fn.ID] = e
	}
	return e.body
}

// Definition returns the instruction of a function's body that assigns a
// register, or ir.None for parameters, captures and values that are no
// registers.
func (p *Program) Definition(f FuncID, v ir.Value) int32 {
	r := v.Reg()
	if r == ir.None {
		return ir.None
	}
	body := p.Body(f)
	e := p.bodies[p.funcs[f].Unit][p.funcs[f].ID]
	if e.defs == nil {
		e.defs = make([]int32, len(body.Regs))
		for i := range e.defs {
			e.defs[i] = ir.None
		}
		for i := range body.Instrs {
			if d := body.Instrs[i].Dst; d != ir.None {
				e.defs[d] = int32(i)
			}
		}
	}
	return e.defs[r]
}

func (p *Program) rewrite(fn FuncID, u *ir.Unit, id ir.FuncID) *ir.Body {
	b, err := u.Body(id)
	if err != nil {
		f := &u.Funcs[id]
		p.limits = append(p.limits, ir.Limit{Kind: "corrupt", Symbol: f.Symbol, Pos: f.Pos,
			Text: "its stored code cannot be read (" + err.Error() + "); calls of it are taken to do nothing"})
		return nil
	}
	if u == p.wrap.unit {
		return b
	}
	for _, pass := range p.passes {
		if pass.Body != nil {
			b = pass.Body(u, id, b)
		}
	}
	if b == nil {
		return nil
	}
	return p.settle(fn, b)
}

// GlobalOf resolves a global reference as seen from function f.
func (p *Program) GlobalOf(f FuncID, ref ir.GlobalRef) GlobalID {
	unit := p.funcs[f].Unit
	g := p.globalRefs[unit][ref]
	if g != None {
		return g
	}
	sym := p.Units[unit].GlobalRefs[ref]
	g, ok := p.globalIDs[sym]
	if !ok {
		g, ok = p.inheritedGlobal(sym)
	}
	if !ok {
		g = GlobalID(len(p.globals))
		p.globals = append(p.globals, Global{Symbol: sym, Unit: None, Type: NoType})
		p.globalIDs[sym] = g
	}
	p.globalRefs[unit][ref] = g
	return g
}

// Global returns the description of a global.
func (p *Program) Global(g GlobalID) *Global {
	gl := &p.globals[g]
	if gl.Type == NoType && gl.Unit != None {
		gl.Type = p.unitType(gl.Unit, p.Units[gl.Unit].Globals[gl.ID].Type)
	}
	return gl
}

// NumGlobals returns how many globals are known.
func (p *Program) NumGlobals() int { return len(p.globals) }

// Limits returns what could not be linked or lowered.
func (p *Program) Limits() []ir.Limit { return p.limits }
