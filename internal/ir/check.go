package ir

import (
	"errors"
	"fmt"
	"strconv"
)

// maxProblems is how many problems Check tells at once.
const maxProblems = 20

// Check verifies the invariants of a unit: tables, definitions and every body,
// which it decodes if need be. The error tells up to twenty problems. A front
// end or pass whose output fails has a bug.
func Check(u *Unit) error {
	c := newChecker(u)
	c.tables()
	c.definitions()
	if len(c.problems) > 0 {
		return c.result() // bodies lean on the tables
	}
	for i := range u.Funcs {
		body, err := u.Body(FuncID(i))
		if err != nil {
			c.problems = append(c.problems, err)
		} else if body != nil {
			c.body(FuncID(i), body)
		}
	}
	return c.result()
}

// CheckBody verifies the invariants of one body as the body of a function of a
// unit whose tables are known to be sound.
func CheckBody(u *Unit, id FuncID, body *Body) error {
	c := newChecker(u)
	c.body(id, body)
	return c.result()
}

// checker collects problems and keeps what bodies need again and again.
type checker struct {
	u        *Unit
	decls    map[string]int
	problems []error
	at       string // where the current problem is, for messages

	// Of the body being checked.
	fn   *Func
	b    *Body
	defs []def
	dom  domTree

	normal, exceptional []int32 // see predecessors

	funcs map[string]*Func // by symbol, once it is needed
}

func newChecker(u *Unit) *checker {
	return &checker{u: u, decls: u.declIndex()}
}

func (c *checker) result() error { return errors.Join(c.problems...) }

func (c *checker) failf(format string, args ...any) {
	if len(c.problems) < maxProblems {
		c.problems = append(c.problems, fmt.Errorf("ir: unit %s: %s: %s", c.u.Path, c.at, fmt.Sprintf(format, args...)))
	}
}

// in tells whether an index is in range, and says so if it is not.
func (c *checker) in(index int32, length int, what string) bool {
	if index >= 0 && int(index) < length {
		return true
	}
	c.failf("%s %d is out of range", what, index)
	return false
}

func (c *checker) typeID(id TypeID, what string) bool {
	if id == 0 {
		c.failf("%s is the invalid type", what)
		return false
	}
	return c.in(int32(id), len(c.u.Types), what)
}

func (c *checker) pos(p Pos) {
	switch {
	case p == Pos{}:
	case p.Line <= 0 || p.Col < 0 || p.EndLine < 0 || p.EndCol < 0:
		c.failf("position %+v is neither zero nor a place", p)
	case p.File < 0 || int(p.File) >= len(c.u.Files):
		c.failf("position's file %d is out of range", p.File)
	case p.EndLine == 0 && p.EndCol != 0,
		p.EndLine != 0 && (p.EndLine < p.Line || p.EndLine == p.Line && p.EndCol < p.Col):
		c.failf("position %+v ends before it starts", p)
	}
}

func (c *checker) tables() {
	c.at = "tables"
	if len(c.u.Types) == 0 || !isZeroType(&c.u.Types[0]) {
		c.failf("type 0 is not the invalid type")
		return
	}
	c.types()
	u := c.u
	fields := make(map[FieldRef]bool, len(u.Fields))
	for i := range u.Fields {
		c.at = "field " + strconv.Itoa(i)
		c.fieldRef(&u.Fields[i])
		c.unique(fields[u.Fields[i]])
		fields[u.Fields[i]] = true
	}
	key := new(Builder)
	refs := make(map[string]bool, len(u.FuncRefs))
	for i := range u.FuncRefs {
		r := &u.FuncRefs[i]
		c.at = "function reference " + strconv.Itoa(i)
		c.nonempty(r.Symbol, "symbol")
		for _, id := range r.Args {
			c.typeID(id, "type argument")
		}
		k := string(key.funcKey(r.Symbol, r.Args))
		c.unique(refs[k])
		refs[k] = true
	}
	c.globalRefs()
	consts := make(map[Const]bool, len(u.Consts))
	for i := range u.Consts {
		c.at = "constant " + strconv.Itoa(i)
		c.nonempty(u.Consts[i].Text, "spelling")
		c.typeID(u.Consts[i].Type, "type")
		c.unique(consts[u.Consts[i]])
		consts[u.Consts[i]] = true
	}
	methods := make(map[Method]bool, len(u.Methods))
	for i := range u.Methods {
		c.at = "method " + strconv.Itoa(i)
		c.nonempty(u.Methods[i].Name, "name")
		c.signature(u.Methods[i].Sig)
		c.unique(methods[u.Methods[i]])
		methods[u.Methods[i]] = true
	}
}

func (c *checker) globalRefs() {
	seen := make(map[string]bool, len(c.u.GlobalRefs))
	for i, symbol := range c.u.GlobalRefs {
		c.at = "global reference " + strconv.Itoa(i)
		c.nonempty(symbol, "symbol")
		c.unique(seen[symbol])
		seen[symbol] = true
	}
}

func (c *checker) unique(seen bool) {
	if seen {
		c.failf("equals an earlier entry")
	}
}

func (c *checker) nonempty(s, what string) {
	if s == "" {
		c.failf("%s is empty", what)
	}
}

func (c *checker) signature(id TypeID) {
	if c.typeID(id, "signature") && c.u.Types[id].Kind != KindFunc {
		c.failf("signature is %s, not a func type", c.u.TypeString(id))
	}
}

func (c *checker) fieldRef(f *FieldRef) {
	if !c.typeID(f.Struct, "struct") {
		return
	}
	if k := c.u.Types[f.Struct].Kind; k != KindNamed && k != KindStruct {
		c.failf("%s is neither a struct nor a named type", c.u.TypeString(f.Struct))
		return
	}
	if f.Index < None {
		c.failf("index %d is out of range", f.Index)
	}
	if f.Index < 0 {
		c.nonempty(f.Name, "name of a field without index")
		return
	}
	if i, ok := c.decls[c.u.Types[f.Struct].Name]; ok && int(c.u.TypeDecls[i].Underlying) >= len(c.u.Types) {
		return // definitions says so
	}
	if t := c.u.structOf(c.decls, f.Struct); t != nil {
		if int(f.Index) >= len(t.Fields) {
			c.failf("%s has no field %d", c.u.TypeString(f.Struct), f.Index)
		} else if t.Fields[f.Index].Name != f.Name {
			c.failf("field %d of %s is %s, not %s", f.Index, c.u.TypeString(f.Struct), t.Fields[f.Index].Name, f.Name)
		}
	}
}

func (c *checker) definitions() {
	u := c.u
	c.at = "header"
	c.nonempty(u.Path, "path")
	if int(u.Lang) >= len(langNames) {
		c.failf("language %d is unknown", u.Lang)
	}
	if u.Init != None {
		c.in(int32(u.Init), len(u.Funcs), "initialiser")
	}
	symbols := make(map[string]bool, len(u.Funcs))
	for i := range u.TypeDecls {
		c.at = "type " + u.TypeDecls[i].Symbol
		c.defined(symbols, u.TypeDecls[i].Symbol)
		c.typeDecl(&u.TypeDecls[i])
	}
	clear(symbols)
	for i := range u.Globals {
		g := &u.Globals[i]
		c.at = "global $" + g.Symbol
		c.defined(symbols, g.Symbol)
		c.typeID(g.Type, "type")
		c.bits(uint32(g.Flags), len(globalFlagNames))
		c.pos(g.Pos)
	}
	clear(symbols)
	for i := range u.Funcs {
		c.at = "func @" + u.Funcs[i].Symbol
		c.defined(symbols, u.Funcs[i].Symbol)
		c.header(FuncID(i))
	}
	c.parents()
	c.notes()
}

func (c *checker) defined(symbols map[string]bool, symbol string) {
	c.nonempty(symbol, "symbol")
	if symbols[symbol] {
		c.failf("is defined twice")
	}
	symbols[symbol] = true
}

func (c *checker) bits(flags uint32, known int) {
	if flags>>known != 0 {
		c.failf("flags %#x are unknown", flags>>known<<known)
	}
}

func (c *checker) typeDecl(d *TypeDecl) {
	if d.Underlying != 0 { // an incomplete type of C has none
		c.typeID(d.Underlying, "underlying type")
	}
	for _, id := range d.Supers {
		if c.typeID(id, "supertype") && c.u.Types[id].Kind != KindNamed {
			c.failf("supertype %s is not a named type", c.u.TypeString(id))
		}
	}
	for i := range d.Methods {
		c.nonempty(d.Methods[i].Name, "method's name")
		c.nonempty(d.Methods[i].Func, "method's function")
	}
	c.bits(uint32(d.Flags), len(typeFlagNames))
	c.pos(d.Pos)
}

func (c *checker) header(id FuncID) {
	f := &c.u.Funcs[id]
	c.signature(f.Sig)
	c.bits(uint32(f.Flags), len(funcFlagNames))
	c.pos(f.Pos)
	c.pos(f.End)
	if f.Parent != None {
		c.in(int32(f.Parent), len(c.u.Funcs), "parent")
	}
	switch external := f.Flags&FuncExternal != 0; {
	case external && f.HasBody():
		c.failf("is external and has a body")
	case !external && !f.HasBody():
		c.failf("has no body and is not external")
	}
}

// parents demands that following parents comes to an end.
func (c *checker) parents() {
	funcs := c.u.Funcs
	const unknown, open, done = 0, 1, 2
	state := make([]uint8, len(funcs))
	for i := range funcs {
		at := FuncID(i)
		for at >= 0 && int(at) < len(funcs) && state[at] == unknown {
			state[at] = open
			at = funcs[at].Parent
		}
		if at >= 0 && int(at) < len(funcs) && state[at] == open {
			c.at = "func @" + funcs[at].Symbol
			c.failf("encloses itself")
		}
		for at = FuncID(i); at >= 0 && int(at) < len(funcs) && state[at] == open; at = funcs[at].Parent {
			state[at] = done
		}
	}
}

func (c *checker) notes() {
	u := c.u
	for i := range u.Files {
		c.at = "file " + strconv.Itoa(i)
		c.nonempty(u.Files[i].Path, "path")
	}
	for i, path := range u.Imports {
		c.at = "import " + strconv.Itoa(i)
		c.nonempty(path, "path")
	}
	for i := range u.Aliases {
		c.at = "alias " + strconv.Itoa(i)
		c.nonempty(u.Aliases[i].Symbol, "symbol")
		c.nonempty(u.Aliases[i].Target, "target")
	}
	for i := range u.Annotations {
		c.at = "annotation " + strconv.Itoa(i)
		c.nonempty(u.Annotations[i].Text, "text")
		c.pos(u.Annotations[i].Pos)
	}
	for i := range u.Limits {
		c.at = "limit " + strconv.Itoa(i)
		c.nonempty(u.Limits[i].Kind, "kind")
		c.pos(u.Limits[i].Pos)
	}
}
