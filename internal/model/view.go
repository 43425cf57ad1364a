package model

import (
	"strconv"

	"github.com/deadheat/deadheat/internal/ir"
)

// view is a unit with the table entries that its rows need, and which row
// stands for which function. It does not change once made.
type view struct {
	set    *Set
	u      *ir.Unit
	refs   []*use // by FuncRefID; nil where there is no model
	own    []*use // by FuncID
	ifaces map[ifaceCall]*use
	funcs  map[string]ir.FuncID // by symbol, if some row asks for bodies
	base   baseIDs
}

// ifaceCall is a method called through an interface type.
type ifaceCall struct {
	typ    ir.TypeID
	method ir.MethodID
}

// baseIDs are entries that every model may need.
type baseIDs struct {
	addr    ir.TypeID // an untyped address: one cell that may hold anything
	any     ir.TypeID
	int     ir.TypeID
	bool    ir.TypeID
	none    ir.TypeID // result of a call that has none
	channel ir.TypeID // of anything
	undef   ir.Value
	index   ir.Value // an unknown integer
	zero    ir.Value
	one     ir.Value
	null    ir.Value
}

// use is a row as one unit uses it: the table entries of its expressions.
type use struct {
	row    *Row
	symbol string      // of the function
	params []ir.TypeID // what the type parameters stand for
	recv   ir.TypeID   // type of the receiver, or 0
	strct  ir.TypeID   // the receiver's named type, or 0
	ids    []entry     // by Expr.id
}

// callee is the method that a call of a Java function value calls.
type callee struct {
	method ir.MethodID
	params []ir.TypeID
	result ir.TypeID // none if it has no result
	known  bool      // the value is a function value
}

// entry is what one expression needs from the tables.
type entry struct {
	typ    ir.TypeID // of the value, or of what is allocated
	ptr    ir.TypeID // opNew: type of the address
	field  ir.FieldID
	ref    ir.FuncRefID
	method ir.MethodID
	value  ir.Value
	caps   []ir.TypeID // opFunc: types of what it captures
	calls  []callee    // opCall in Java: of the value, or of each argument
	backs  [][]back    // opCallback: likewise
}

// newView prepares a unit. It returns nil if no row concerns it.
func newView(pass *Pass, u *ir.Unit) *view {
	p := &preparer{pass: pass, v: &view{set: pass.set}, old: u, rows: make(map[*Row]*use), helpers: make(map[string]bool)}
	if !p.concerned() {
		return nil
	}
	p.b = ir.EditUnit(u)
	p.bases()
	v := p.v
	v.u = p.b.Unit()
	v.refs = make([]*use, len(u.FuncRefs))
	for i := range u.FuncRefs {
		r := &u.FuncRefs[i]
		v.refs[i] = p.use(p.refRows[i], r.Symbol, r.Args)
	}
	v.own = make([]*use, len(u.Funcs))
	for i := range u.Funcs {
		f := &u.Funcs[i]
		if row := p.ownRows[i]; row != nil {
			v.own[i] = p.use(row, f.Symbol, p.typeParams(f.TypeParams))
		}
	}
	p.flagValues()
	p.interfaces()
	p.useMade()
	p.buildHelpers()
	v.u = p.b.Unit()
	if p.asks {
		v.funcs = make(map[string]ir.FuncID, len(v.u.Funcs))
		for i := range v.u.Funcs {
			v.funcs[v.u.Funcs[i].Symbol] = ir.FuncID(i)
		}
	}
	return v
}

// preparer makes a view.
type preparer struct {
	pass    *Pass
	v       *view
	old     *ir.Unit
	b       *ir.Builder
	refRows []*Row
	ownRows []*Row
	rows    map[*Row]*use // uses that all functions of a row share
	helpers map[string]bool
	pending []helper
	asks    bool

	made        map[string]bool // made-up classes that the unit defines
	madeMethods []madeMethod
}

// helper is a function value of a row, to be given a body.
type helper struct {
	id   ir.FuncID
	use  *use // resolved with the helper's own type parameters
	expr *Expr
}

// concerned finds the rows for what the unit mentions and defines.
func (p *preparer) concerned() bool {
	u, found, analysed := p.old, false, false
	p.ownRows = make([]*Row, len(u.Funcs))
	wrappers := make(map[string]bool)
	for i := range u.Funcs {
		if f := &u.Funcs[i]; isWrapper(f) {
			wrappers[f.Symbol], analysed = true, true
			continue
		}
		if r := p.find(u.Funcs[i].Symbol, u.Funcs[i].HasBody()); r != nil && r.replaces() {
			p.ownRows[i], found = r, true
		} else {
			analysed = true
		}
	}
	for i := range u.TypeDecls {
		found = found || p.isValue(&u.TypeDecls[i])
	}
	p.refRows = make([]*Row, len(u.FuncRefs))
	if !analysed {
		return found // no body of the unit will be read, so what it calls does not matter
	}
	for i := range u.FuncRefs {
		if r := p.find(u.FuncRefs[i].Symbol, p.pass.Classes.hasCode(u.FuncRefs[i].Symbol)); r != nil && r.replaces() && !wrappers[u.FuncRefs[i].Symbol] {
			p.refRows[i], found = r, true
		}
	}
	p.eachInterface(func(ir.TypeID, ir.MethodID, *Row) { found = true })
	return found
}

// isValue tells whether objects of a type that the unit defines are values.
func (p *preparer) isValue(d *ir.TypeDecl) bool { return p.v.set.langs[p.old.Lang].values[d.Symbol] }

// flagValues marks the types of the unit whose objects are values.
func (p *preparer) flagValues() {
	decls := p.b.Unit().TypeDecls
	for i := range decls {
		if p.isValue(&decls[i]) {
			decls[i].Flags |= ir.TypeValue
		}
	}
}

// isWrapper tells whether a function is what a front end makes of a method as a
// value. It does nothing but call the method, whose row then applies; a row for
// everything in the package would make it do nothing at all.
func isWrapper(f *ir.Func) bool {
	const wrapper = ir.FuncShared | ir.FuncSynthetic
	return f.Flags&wrapper == wrapper && f.HasBody()
}

// find returns the row for a function, unless its own code counts: it does where
// a row is about a class above only, or a general one.
func (p *preparer) find(symbol string, coded bool) *Row {
	var r *Row
	if p.old.Lang == ir.LangJava {
		inherited := false
		if r, inherited = p.v.set.FindClass(p.pass.Classes, symbol); inherited && coded {
			return nil
		}
	} else {
		r = p.v.set.Find(p.old.Lang, symbol)
	}
	analyse := p.pass.Analyse
	if r == nil || analyse == nil || !r.General() {
		return r
	}
	splitSymbol(p.old.Lang, symbol, func(scope, _ string) bool {
		if analyse(scope) {
			r = nil
		}
		return r != nil
	})
	return r
}

// eachInterface visits the pairs of interface or class and method with a row for
// calls by dispatch.
func (p *preparer) eachInterface(visit func(ir.TypeID, ir.MethodID, *Row)) {
	u := p.old
	if u.Lang == ir.LangJava {
		p.eachClass(visit)
		return
	}
	if len(p.v.set.langs[u.Lang].ifaces) == 0 {
		return
	}
	for t := range u.Types {
		if u.Types[t].Kind != ir.KindNamed {
			continue
		}
		for m := range u.Methods {
			if r := p.v.set.FindMethod(u.Lang, u.Types[t].Name, u.Methods[m].Name); r != nil && r.replaces() {
				visit(ir.TypeID(t), ir.MethodID(m), r)
			}
		}
	}
}

// eachClass is eachInterface for Java, whose receivers are references to classes
// and interfaces.
func (p *preparer) eachClass(visit func(ir.TypeID, ir.MethodID, *Row)) {
	u := p.old
	for t := range u.Types {
		if u.Types[t].Kind != ir.KindPointer || u.Types[u.Types[t].Elem].Kind != ir.KindNamed {
			continue
		}
		class := u.Types[u.Types[t].Elem].Name
		for m := range u.Methods {
			if r := p.pass.dispatch.row(p.pass.Classes, class, u.Methods[m].Name); r != nil {
				visit(ir.TypeID(t), ir.MethodID(m), r)
			}
		}
	}
}

func (p *preparer) interfaces() {
	p.v.ifaces = make(map[ifaceCall]*use)
	p.eachInterface(func(t ir.TypeID, m ir.MethodID, r *Row) {
		symbol := joinSymbol(r.Lang, r.Scope, r.Pattern)
		if r.Lang == ir.LangJava {
			symbol = joinSymbol(r.Lang, p.old.Types[p.old.Types[t].Elem].Name, p.old.Methods[m].Name)
		}
		p.v.ifaces[ifaceCall{t, m}] = p.use(r, symbol, nil)
	})
}

func (p *preparer) bases() {
	b, base := p.b, &p.v.base
	base.addr = b.Pointer(0)
	base.any = b.Interface(nil)
	base.int = b.Basic("int")
	base.bool = b.Basic("bool")
	if p.old.Lang == ir.LangJava {
		base.bool = b.Basic("boolean")
	}
	base.none = b.Tuple()
	base.channel = b.Chan(ir.ChanBoth, base.any)
	base.undef = ir.ConstValue(b.Const(base.any, "undef"))
	base.index = ir.ConstValue(b.Const(base.int, "undef"))
	base.zero = ir.ConstValue(b.IntConst(base.int, 0))
	base.one = ir.ConstValue(b.IntConst(base.int, 1))
	base.null = ir.ConstValue(b.Const(base.any, "nil"))
}

func (p *preparer) typeParams(names []string) []ir.TypeID {
	var ids []ir.TypeID
	for i, name := range names {
		ids = append(ids, p.b.TypeParam(name, i))
	}
	return ids
}

// use resolves a row for a function.
func (p *preparer) use(row *Row, symbol string, params []ir.TypeID) *use {
	if row == nil {
		return nil
	}
	special := row.special || row.callsArgs && p.hasFunctions(symbol) || row.callsBack && p.callsBack(symbol)
	if !special {
		if us := p.rows[row]; us != nil {
			return us
		}
	}
	us := &use{row: row, symbol: symbol, params: params, ids: make([]entry, row.nodes)}
	if !special {
		p.rows[row] = us
	} else if typ, pointer, ok := receiverType(row.Lang, symbol); ok {
		us.strct = p.b.Named(typ, params...)
		us.recv = us.strct
		if pointer {
			us.recv = p.b.Pointer(us.strct)
		}
	}
	p.asks = p.asks || row.asks
	r := &resolver{p: p, use: us, locals: make(map[string]ir.TypeID)}
	for _, e := range row.Effects {
		r.expr(e)
	}
	return us
}

// helperRef returns a mention of the function that a function value of a row
// runs, defining it in the unit if need be. Several units may define it alike.
func (p *preparer) helperRef(us *use, e *Expr) ir.FuncRefID {
	symbol := us.symbol + "$model" + strconv.Itoa(int(e.id))
	ref := p.b.FuncRef(symbol, us.params...)
	if p.helpers[symbol] {
		return ref
	}
	p.helpers[symbol] = true
	names := make([]string, len(us.params))
	for i := range names {
		names[i] = "P" + strconv.Itoa(i)
		if i < len(us.row.Params) {
			names[i] = us.row.Params[i]
		}
	}
	inner := p.use(us.row, us.symbol, p.typeParams(names))
	id := p.b.AddFunc(ir.Func{
		Symbol: symbol, Name: us.symbol + " (model)", Parent: ir.None, TypeParams: names,
		Sig:   inner.ids[e.id].typ,
		Flags: ir.FuncSynthetic | ir.FuncShared,
	})
	p.pending = append(p.pending, helper{id, inner, e})
	return ref
}

// buildHelpers writes the bodies, which need the tables complete.
func (p *preparer) buildHelpers() {
	p.v.u = p.b.Unit()
	for _, h := range p.pending {
		p.b.SetBody(h.id, p.v.helperBody(h.use, h.expr))
	}
}

// resolver interns what the expressions of one use need.
type resolver struct {
	p      *preparer
	use    *use
	locals map[string]ir.TypeID
}

// expr resolves e and returns the type its value is known to have, or 0.
func (r *resolver) expr(e *Expr) ir.TypeID {
	b, id := r.p.b, &r.use.ids[e.id]
	var args []ir.TypeID
	for _, x := range e.X {
		args = append(args, r.expr(x))
	}
	if e.Group != nil {
		r.expr(e.Group)
	}
	switch e.Op {
	case opRecv:
		return r.use.recv
	case opLocal:
		return r.locals[e.Name]
	case opAssign:
		if e.X[0].Op == opLocal {
			r.locals[e.X[0].Name] = args[1]
		}
	case opGlobal:
		id.value = ir.GlobalValue(b.GlobalRef(e.Name))
	case opField:
		strct := r.use.strct
		if e.Struct != nil {
			strct = r.typ(e.Struct)
		}
		id.field = b.Field(strct, e.Name, ir.None)
	case opNew:
		id.typ = r.typ(e.Type)
		if e.Type.Kind == ir.KindNamed && isMadeUp(e.Type.Name) {
			r.p.define(e.Type.Name)
		}
		switch e.Type.Kind {
		case ir.KindChan:
			id.value = ir.ConstValue(b.IntConst(r.p.v.base.int, int64(e.N)))
			return id.typ
		case ir.KindSlice, ir.KindMap:
			return id.typ
		}
		id.ptr = b.Pointer(id.typ)
		return id.ptr
	case opUnknown:
		id.typ = r.typ(e.Type)
		id.value = ir.ConstValue(b.Const(id.typ, "undef"))
		return id.typ
	case opInt:
		id.value = ir.ConstValue(b.IntConst(r.p.v.base.int, int64(e.N)))
		return r.p.v.base.int
	case opAs:
		id.typ = r.typ(e.Type)
		return id.typ
	case opFunc:
		id.typ = r.typ(e.Type)
		id.caps = r.captures(e)
		r.function(e)
		id.ref = r.p.helperRef(r.use, e)
		return id.typ
	case opCall, opInvoke, opOnce:
		id.typ = r.p.v.base.none
		if e.Type != nil {
			id.typ = r.typ(e.Type)
		}
		if e.Op == opInvoke {
			id.method = b.Method(e.Name, r.signature(e, args[1:]))
		}
		if e.Op == opCall && r.use.row.Lang == ir.LangJava {
			id.calls = r.callees(e.X[0])
			if len(id.calls) == 1 {
				id.typ = id.calls[0].result
			}
		}
		return id.typ
	case opCallback:
		id.backs = r.backs(e.X[0])
	case opIf:
		r.list(e.Body)
		r.list(e.Else)
	}
	return 0
}

func (r *resolver) list(list []*Expr) {
	for _, x := range list {
		r.expr(x)
	}
}

// captures returns the types of what a function value captures, as far as the
// row knows them.
func (r *resolver) captures(e *Expr) []ir.TypeID {
	types := make([]ir.TypeID, len(e.Caps))
	for i, c := range e.Caps {
		switch c.Op {
		case opRecv:
			types[i] = r.use.recv
		case opLocal:
			types[i] = r.locals[c.Name]
		}
		if types[i] == 0 {
			types[i] = r.p.v.base.addr
		}
	}
	return types
}

// function resolves the body of a function value; its parameters hide outer
// names.
func (r *resolver) function(e *Expr) {
	outer := make(map[string]ir.TypeID, len(r.locals))
	for name, t := range r.locals {
		outer[name] = t
	}
	for i, name := range e.Params {
		r.locals[name] = r.typ(e.Type.Elems[i])
	}
	r.list(e.Body)
	r.locals = outer
}

// signature returns the type of a method as a call suggests it.
func (r *resolver) signature(e *Expr, args []ir.TypeID) ir.TypeID {
	params := make([]ir.TypeID, len(args))
	for i, t := range args {
		if params[i] = t; t == 0 {
			params[i] = r.p.v.base.any
		}
	}
	var results []ir.TypeID
	if e.Type != nil {
		if e.Type.Kind == ir.KindTuple {
			results = r.types(e.Type.Elems)
		} else {
			results = []ir.TypeID{r.typ(e.Type)}
		}
	}
	return r.p.b.FuncType(params, results, false)
}

func (r *resolver) types(list []*TypeExpr) []ir.TypeID {
	var ids []ir.TypeID
	for _, t := range list {
		ids = append(ids, r.typ(t))
	}
	return ids
}

func (r *resolver) typ(t *TypeExpr) ir.TypeID {
	b := r.p.b
	switch t.Kind {
	case ir.KindBasic:
		return b.Basic(t.Name)
	case ir.KindPointer:
		if t.Elem == nil {
			return b.Pointer(0)
		}
		return b.Pointer(r.typ(t.Elem))
	case ir.KindSlice:
		return b.Slice(r.typ(t.Elem))
	case ir.KindMap:
		return b.Map(r.typ(t.Key), r.typ(t.Elem))
	case ir.KindChan:
		return b.Chan(t.Dir, r.typ(t.Elem))
	case ir.KindFunc:
		return b.FuncType(r.types(t.Elems), r.types(t.Results), t.Variadic)
	case ir.KindTuple:
		return b.Tuple(r.types(t.Elems)...)
	case ir.KindStruct:
		return b.Struct(nil)
	case ir.KindNamed:
		return b.Named(t.Name, r.types(t.Elems)...)
	case ir.KindParam:
		for i, name := range r.use.row.Params {
			if name == t.Name && i < len(r.use.params) {
				return r.use.params[i]
			}
		}
	}
	return b.Interface(nil)
}
