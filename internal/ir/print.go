package ir

import (
	"io"
	"strconv"
)

// Print writes a unit as text. Parse gives the unit back in canonical form.
func Print(w io.Writer, u *Unit) error {
	p := printer{u: u, w: w}
	p.header()
	for i := range u.TypeDecls {
		p.typeDecl(&u.TypeDecls[i])
	}
	for i := range u.Globals {
		p.global(&u.Globals[i])
	}
	for i := range u.Funcs {
		body, err := u.Body(FuncID(i))
		if err != nil {
			return err
		}
		p.str("\n")
		p.function(FuncID(i), body)
		p.flush(1 << 16)
	}
	p.footer()
	p.flush(0)
	return p.err
}

// PrintFunc writes one function as text, with the given body, which need not
// be the one the unit holds.
func PrintFunc(w io.Writer, u *Unit, id FuncID, body *Body) error {
	p := printer{u: u, w: w}
	p.function(id, body)
	p.flush(0)
	return p.err
}

// InstrString returns one instruction of a body as text, without its position.
func (u *Unit) InstrString(body *Body, i int) string {
	p := printer{u: u, body: body}
	p.instr(i)
	return string(p.buf)
}

// ValueString returns an operand as text.
func (u *Unit) ValueString(v Value) string {
	p := printer{u: u}
	p.value(v)
	return string(p.buf)
}

type printer struct {
	u          *Unit
	body       *Body
	typeParams []string       // of the function or type being printed
	decls      map[string]int // Unit.TypeDecls by symbol, once it is needed
	w          io.Writer
	buf        []byte
	err        error
}

// flush writes what has been printed if it is at least as much as given.
func (p *printer) flush(least int) {
	if len(p.buf) >= least && p.err == nil {
		_, p.err = p.w.Write(p.buf)
		p.buf = p.buf[:0]
	}
}

func (p *printer) str(s string)    { p.buf = append(p.buf, s...) }
func (p *printer) quoted(s string) { p.buf = strconv.AppendQuote(p.buf, s) }
func (p *printer) name(s string)   { p.str(quoteName(s)) }

func (p *printer) num(prefix byte, n int32) {
	p.buf = strconv.AppendInt(append(p.buf, prefix), int64(n), 10)
}

func (p *printer) flags(list []string) {
	for i, name := range list {
		if i == 0 {
			p.str("[")
		} else {
			p.str(",")
		}
		p.str(name)
	}
	if len(list) > 0 {
		p.str("]")
	}
}

// names prints declared type parameters.
func (p *printer) names(list []string) {
	for i, name := range list {
		if i == 0 {
			p.str("[")
		} else {
			p.str(", ")
		}
		p.name(name)
	}
	if len(list) > 0 {
		p.str("]")
	}
}

// pos prints a position with its mark, or nothing if there is none.
func (p *printer) pos(pos Pos) {
	if pos != (Pos{}) {
		p.str(" ; ")
		p.place(pos)
	}
}

func (p *printer) place(pos Pos) {
	p.num('f', int32(pos.File))
	p.num(':', pos.Line)
	if pos.EndLine == 0 && pos.EndCol == 0 {
		if pos.Col != 0 {
			p.num(':', pos.Col)
		}
		return
	}
	p.num(':', pos.Col)
	if pos.EndLine != pos.Line {
		p.num('-', pos.EndLine)
		p.num(':', pos.EndCol)
	} else {
		p.num('-', pos.EndCol)
	}
}

func (p *printer) header() {
	u := p.u
	p.str("unit ")
	p.name(u.Path)
	p.str(" ")
	p.str(u.Lang.String())
	p.str("\n")
	for _, f := range u.Files {
		p.str("file")
		p.flags(flagList(fileFlagNames, uint32(boolByte(f.Generated))|uint32(boolByte(f.Test))<<1))
		p.str(" ")
		p.quoted(f.Path)
		p.str("\n")
	}
	for _, path := range u.Imports {
		p.str("import ")
		p.name(path)
		p.str("\n")
	}
	if u.Init != None {
		p.str("init @")
		p.name(u.Funcs[u.Init].Symbol)
		p.str("\n")
	}
}

func (p *printer) footer() {
	u := p.u
	if len(u.Aliases)+len(u.Annotations)+len(u.Limits) > 0 {
		p.str("\n")
	}
	for _, a := range u.Aliases {
		p.str("alias @")
		p.name(a.Symbol)
		p.str(" @")
		p.name(a.Target)
		p.str("\n")
	}
	for _, a := range u.Annotations {
		p.str("annotation ")
		p.name(a.Target)
		p.str(" ")
		p.quoted(a.Text)
		p.pos(a.Pos)
		p.str("\n")
	}
	for _, l := range u.Limits {
		p.str("limit ")
		p.name(l.Kind)
		p.str(" ")
		p.name(l.Symbol)
		p.str(" ")
		p.quoted(l.Text)
		p.pos(l.Pos)
		p.str("\n")
	}
}

func (p *printer) typeDecl(d *TypeDecl) {
	p.typeParams = d.Params
	p.str("type")
	p.flags(flagList(typeFlagNames, uint32(d.Flags)))
	p.str(" ")
	p.name(d.Symbol)
	p.names(d.Params)
	p.str(" ")
	p.typ(d.Underlying)
	if len(d.Supers)+len(d.Methods) == 0 {
		p.pos(d.Pos)
		p.str("\n")
		return
	}
	p.str(" {")
	p.pos(d.Pos)
	p.str("\n")
	for _, id := range d.Supers {
		p.str("\tsuper ")
		p.typ(id)
		p.str("\n")
	}
	for _, m := range d.Methods {
		p.str("\tmethod")
		p.flags(flagList(methodFlagNames, uint32(boolByte(m.Pointer))|uint32(boolByte(m.Static))<<1))
		p.str(" ")
		p.name(m.Name)
		p.str(" @")
		p.name(m.Func)
		p.str("\n")
	}
	p.str("}\n")
}

func (p *printer) global(g *Global) {
	p.typeParams = nil
	p.str("global")
	p.flags(flagList(globalFlagNames, uint32(g.Flags)))
	p.str(" $")
	p.name(g.Symbol)
	p.str(" ")
	p.typ(g.Type)
	p.pos(g.Pos)
	p.str("\n")
}

func (p *printer) function(id FuncID, body *Body) {
	f := &p.u.Funcs[id]
	p.typeParams, p.body = f.TypeParams, body
	p.str("func")
	p.flags(flagList(funcFlagNames, uint32(f.Flags)))
	p.str(" @")
	p.name(f.Symbol)
	p.names(f.TypeParams)
	if f.Name != f.Symbol {
		p.str(" ")
		p.quoted(f.Name)
		p.str(" ")
	}
	sig := &p.u.Types[f.Sig]
	if body == nil {
		p.funcType(sig)
		p.parent(f)
		p.pos(f.Pos)
		if f.End != (Pos{}) {
			if f.Pos == (Pos{}) {
				p.str(" ; _")
			}
			p.pos(f.End)
		}
		p.str("\n")
		return
	}
	p.str("(")
	p.regDefs(0, body.Params)
	p.variadic(sig)
	p.str(")")
	if len(sig.Results) > 0 {
		p.str(" ")
		p.tuple(sig.Results)
	}
	if body.Captures > 0 {
		p.str(" captures(")
		p.regDefs(body.Params, body.Params+body.Captures)
		p.str(")")
	}
	p.parent(f)
	p.str(" {")
	p.pos(f.Pos)
	p.str("\n")
	p.blocks()
	p.str("}")
	p.pos(f.End)
	p.str("\n")
}

func (p *printer) parent(f *Func) {
	if f.Parent != None {
		p.str(" parent @")
		p.name(p.u.Funcs[f.Parent].Symbol)
	}
}

func (p *printer) regDefs(from, to int32) {
	for r := from; r < to; r++ {
		if r > from {
			p.str(", ")
		}
		p.regDef(Reg(r))
		p.str(": ")
		p.typ(p.body.Regs[r].Type)
	}
}

// regDef prints a register with its name.
func (p *printer) regDef(r Reg) {
	p.num('v', int32(r))
	if name := p.body.Regs[r].Name; name != "" {
		p.str(" ")
		p.name(name)
	}
}

func (p *printer) blocks() {
	body := p.body
	plain := defaultPreds(body)
	for id := range body.Blocks {
		b := &body.Blocks[id]
		p.num('b', int32(id))
		p.str(":")
		if !plain[id] {
			p.str(" preds")
			p.blockList(body.edges(b.Preds))
		}
		if b.Handlers.Len > 0 {
			p.str(" handlers")
			p.blockList(body.edges(b.Handlers))
		}
		if body.Recover == BlockID(id) {
			p.str(" recover")
		}
		p.str("\n")
		for i := b.First; i < b.End; i++ {
			p.str("\t")
			p.instr(int(i))
			if i+1 == b.End {
				p.blockList(body.edges(b.Succs))
			}
			p.pos(body.Pos[i])
			p.str("\n")
		}
	}
}

func (p *printer) blockList(ids []BlockID) {
	for _, id := range ids {
		p.str(" ")
		p.num('b', int32(id))
	}
}

// defaultPreds tells of each block whether its predecessors are in the order
// that BodyBuilder gives them by itself.
func defaultPreds(body *Body) []bool {
	plain := make([]bool, len(body.Blocks))
	seen := make([]int32, len(body.Blocks))
	for i := range plain {
		plain[i] = true
	}
	visit := func(from BlockID, to []BlockID) {
		for _, t := range to {
			preds := body.Preds(t)
			if int(seen[t]) >= len(preds) || preds[seen[t]] != from {
				plain[t] = false
			} else {
				seen[t]++
			}
		}
	}
	for id := range body.Blocks {
		visit(BlockID(id), body.Succs(BlockID(id)))
	}
	for id := range body.Blocks {
		visit(BlockID(id), body.Handlers(BlockID(id)))
	}
	for id := range plain {
		plain[id] = plain[id] && seen[id] == body.Blocks[id].Preds.Len
	}
	return plain
}

// isCall tells whether Sub of an operation is a How.
func isCall(op Op) bool { return op == OpCall || op == OpInvoke || op == OpCallPtr }

// omitsSub says of which operations text leaves the first variant out.
func omitsSub(op Op) bool { return op == OpLoad || op == OpStore }
