package model

import (
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// A class that models make up stands for those that a library keeps to itself,
// such as what Collections.synchronizedList returns. Objects of it come from rows
// alone; its methods are those of the classes above it that its own rows are
// about.

// makes returns the made-up classes that the row makes objects of.
func (r *Row) makes() (list []string) {
	for _, e := range r.Effects {
		e.walk(func(x *Expr) {
			if x.Op == opNew && x.Type.Kind == ir.KindNamed && isMadeUp(x.Type.Name) {
				list = append(list, x.Type.Name)
			}
		})
	}
	return list
}

// madeUpFor returns the made-up classes of which the calls in units may make
// objects, by the names of what is called. Others would only stand in the way of
// rows that all classes agree on.
func (s *Set) madeUpFor(units []*ir.Unit) []string {
	x := &s.langs[ir.LangJava]
	if len(x.classes) == 0 {
		return nil
	}
	byName := make(map[string][]string)
	byClass := make(map[string][]string)
	var wild []*Row // those of patterns
	for _, r := range s.rows {
		if r.Lang == ir.LangJava && r.Kind == RowFunc {
			bare, _, _ := strings.Cut(r.Pattern, "(")
			if strings.Contains(bare, "*") {
				if len(r.makes()) > 0 {
					wild = append(wild, r)
				}
			} else {
				byName[bare] = append(byName[bare], r.makes()...)
			}
			byClass[r.Scope] = append(byClass[r.Scope], r.makes()...)
		}
	}
	used := make(map[string]bool)
	var list []string
	add := func(classes []string) {
		for _, c := range classes {
			if !used[c] && x.classes[c] != nil {
				used[c] = true
				list = append(list, c)
			}
		}
	}
	named := func(name string) {
		add(byName[name])
		for _, r := range wild {
			if matchMethod(r.Pattern, name) {
				add(r.makes())
			}
		}
	}
	for _, u := range units {
		if u == nil || u.Lang != ir.LangJava {
			continue
		}
		for i := range u.FuncRefs {
			_, name, _ := cutLast(u.FuncRefs[i].Symbol)
			named(name)
		}
		for i := range u.Methods {
			name, _, _ := strings.Cut(u.Methods[i].Name, "(")
			named(name)
		}
	}
	for i := 0; i < len(list); i++ { // grows
		add(byClass[list[i]])
	}
	slices.Sort(list)
	return list
}

// cutLast splits the symbol of a Java method into its class and its name without
// the descriptor.
func cutLast(symbol string) (class, name string, ok bool) {
	head, _, _ := strings.Cut(symbol, "(")
	i := strings.LastIndexByte(head, '.')
	if i < 0 {
		return "", head, false
	}
	return head[:i], head[i+1:], true
}

// madeMethod is a method of a made-up class that a unit defines.
type madeMethod struct {
	id     ir.FuncID
	symbol string
}

// define adds a made-up class to the unit, once. Several units may define it
// alike.
func (p *preparer) define(class string) {
	row := p.v.set.langs[ir.LangJava].classes[class]
	if row == nil || p.made[class] || p.pass.Classes == nil {
		return
	}
	if p.made == nil {
		p.made = make(map[string]bool)
	}
	p.made[class] = true
	b := p.b
	decl := ir.TypeDecl{Symbol: class, Underlying: b.Struct(nil), Supers: []ir.TypeID{b.Named(objectClass)}}
	for _, s := range row.Supers {
		decl.Supers = append(decl.Supers, b.Named(s))
	}
	var names []string
	for m := range p.pass.Classes.coded[class] {
		names = append(names, m)
	}
	slices.Sort(names)
	r := &resolver{p: p, use: &use{row: row}}
	for _, m := range names {
		_, params, result, ok := splitDescriptor(m)
		if !ok {
			continue
		}
		types := []ir.TypeID{b.Pointer(b.Named(class))}
		for _, t := range params {
			types = append(types, r.typ(typeOfName(t)))
		}
		var results []ir.TypeID
		if result != "void" {
			results = []ir.TypeID{r.typ(typeOfName(result))}
		}
		symbol := joinSymbol(ir.LangJava, class, m)
		id := b.AddFunc(ir.Func{Symbol: symbol, Name: symbol, Parent: ir.None, Sig: b.FuncType(types, results, false),
			Flags: ir.FuncMethod | ir.FuncExternal | ir.FuncSynthetic | ir.FuncShared})
		decl.Methods = append(decl.Methods, ir.MethodDecl{Name: m, Func: symbol})
		p.madeMethods = append(p.madeMethods, madeMethod{id, symbol})
	}
	b.AddTypeDecl(decl)
}

// useMade finds the rows of the methods of made-up classes, which may make
// objects of others.
func (p *preparer) useMade() {
	v := p.v
	for i := 0; i < len(p.madeMethods); i++ { // grows
		m := p.madeMethods[i]
		for len(v.own) <= int(m.id) {
			v.own = append(v.own, nil)
		}
		if r := p.find(m.symbol, false); r != nil && r.replaces() {
			v.own[m.id] = p.use(r, m.symbol, nil)
		}
	}
}
