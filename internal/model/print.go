package model

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// Print writes all rows of a set in the syntax of model files, each with a
// comment that says where it comes from. Rows that a later row for the same name
// overrides are left out. Reading the text again gives rows that mean the same.
func Print(w io.Writer, s *Set) error {
	p := &printer{}
	lang, kind, scope := ir.Lang(0), RowKind(0), ""
	last := make(map[rowKey]int)
	for i, r := range s.rows {
		last[rowKey{r.Lang, r.Kind, r.Scope, r.Pattern}] = i
	}
	for i, r := range s.rows {
		if last[rowKey{r.Lang, r.Kind, r.Scope, r.Pattern}] != i {
			continue
		}
		if r.Lang != lang {
			fmt.Fprintf(p, "lang %s\n", languages[r.Lang])
			lang, scope = r.Lang, ""
		}
		if r.Kind == RowFunction || r.Kind == RowValue {
			fmt.Fprintf(p, "%s  # %s\n", r, r.At)
			scope = ""
			continue
		}
		if r.Kind == RowClass {
			fmt.Fprintf(p, "\nclass %s extends %s\n", r.Scope, strings.Join(r.Supers, ", "))
			kind, scope = RowFunc, r.Scope
			continue
		}
		if r.Scope != scope || r.Kind != kind {
			kind, scope = r.Kind, r.Scope
			if scope != "" {
				fmt.Fprintf(p, "\n%s %s\n", r.header(), strings.TrimPrefix(strings.TrimSuffix(scope, packageMark), annotationMark))
			}
		}
		fmt.Fprintf(p, "\t%s  # %s\n", r, r.At)
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// String returns file:line.
func (p Place) String() string { return p.File + ":" + strconv.Itoa(p.Line) }

// header returns the word that begins the scope of a row.
func (r *Row) header() string {
	switch {
	case strings.HasPrefix(r.Scope, annotationMark):
		return "annotated"
	case r.Kind == RowIface:
		return "iface"
	case r.Lang == ir.LangJava && !strings.HasSuffix(r.Scope, packageMark) && !strings.HasSuffix(r.Scope, "/..."):
		return "class"
	}
	return "package"
}

// Symbol returns the name or pattern of a row with its scope, for people.
func (r *Row) Symbol() string {
	if isWild(r.Pattern) || strings.HasSuffix(r.Scope, "/...") {
		return strings.TrimPrefix(r.Scope+" "+r.Pattern, " ")
	}
	return joinSymbol(r.Lang, r.Scope, r.Pattern)
}

// String returns the row as a model file has it below its scope.
func (r *Row) String() string {
	p := &printer{lang: r.Lang}
	if r.Kind == RowValue {
		return "value " + r.Scope
	}
	if r.Kind == RowFunction {
		p.WriteString("function " + r.Scope + " " + r.Method.Name)
		p.signature(&TypeExpr{Elems: r.Method.Params, Results: results(r.Method.Result)}, nil)
		return p.String()
	}
	p.WriteString(r.name())
	p.WriteString("  ")
	switch {
	case r.Entry != nil:
		p.entry(r.Entry)
	case r.mode == modeAnalyse:
		p.WriteString("analyse")
	case r.mode == modeIgnore:
		p.WriteString("ignore")
	case len(r.Effects) == 0 && r.threadsafe:
		p.WriteString("threadsafe")
	case len(r.Effects) == 0:
		p.WriteString("opaque")
	default:
		p.effects(r.Effects)
	}
	return p.String()
}

func (p *printer) entry(e *Entry) {
	p.WriteString("entry")
	if e.Kind != ir.OriginThread {
		p.WriteString(" " + originKinds[e.Kind])
	}
	if e.Many {
		p.WriteString(" many")
	}
	if e.Serial != "" {
		p.WriteString(" serial " + e.Serial)
	}
}

// name puts the type parameters back: behind the type of a method, behind the
// name of a function.
func (r *Row) name() string {
	if len(r.Params) == 0 {
		return r.Pattern
	}
	params := "[" + strings.Join(r.Params, ", ") + "]"
	if i := strings.IndexByte(r.Pattern, ')'); i >= 0 {
		return r.Pattern[:i] + params + r.Pattern[i:]
	}
	if i := strings.IndexByte(r.Pattern, '.'); i >= 0 {
		return r.Pattern[:i] + params + r.Pattern[i:]
	}
	return r.Pattern + params
}

func results(t *TypeExpr) []*TypeExpr {
	if t == nil {
		return nil
	}
	return []*TypeExpr{t}
}

// printer writes effects as text.
type printer struct {
	strings.Builder
	lang ir.Lang
}

func (p *printer) effects(list []*Expr) {
	for i, e := range list {
		if i > 0 {
			p.WriteString("; ")
		}
		p.expr(e)
	}
}

var opWords = map[exprOp]string{
	opRecv: "recv", opArgs: "args", opLast: "last", opCaller: "caller", opNil: "nil", opFresh: "fresh", opAlike: "alike", opExit: "exit", opThrow: "throw",
	opLock: "lock", opUnlock: "unlock", opRead: "read", opWrite: "write", opFence: "fence", opSend: "send",
	opReceive: "receive", opClose: "close", opPost: "post", opAwait: "await", opOnce: "once", opJoin: "join",
	opCondWait: "condwait", opNotify: "notify", opCallback: "callback", opCopyElems: "copy", opReturn: "return",
}

func (p *printer) expr(e *Expr) {
	switch e.Op {
	case opArg:
		fmt.Fprintf(p, "arg%d", e.N)
	case opLocal:
		p.WriteString(e.Name)
	case opGlobal:
		if e.Addr {
			p.WriteString("&")
		}
		p.WriteString("global " + e.Name)
	case opField, opElem, opPart:
		p.path(e)
	case opAt:
		p.prefixed("at ", e.X[0])
	case opBox:
		p.prefixed("box ", e.X[0])
	case opNew:
		p.WriteString("new ")
		p.typ(e.Type)
		if e.N > 0 {
			fmt.Fprintf(p, " %d", e.N)
		}
	case opUnknown:
		p.typ(e.Type)
	case opInt:
		p.WriteString(strconv.Itoa(e.N))
	case opAs:
		p.expr(e.X[0])
		p.WriteString(" as ")
		p.typ(e.Type)
	case opUnion:
		p.join(" | ", e.X)
	case opFunc:
		p.WriteString("func")
		p.signature(e.Type, e.Params)
		p.block(e.Body)
	case opCall, opInvoke:
		p.call(e)
	case opAtomic:
		p.WriteString("atomic " + atomicKinds[e.Sub] + " ")
		p.join(" ", e.X)
		p.order(e)
	case opGroup:
		p.WriteString("group " + groupKinds[e.Sub] + " ")
		p.join(" ", e.X)
	case opAssign:
		target := *e.X[0]
		target.Addr = false
		p.expr(&target)
		p.prefixed(" = ", e.X[1])
	case opIf:
		p.prefixed("if ", e.X[0])
		if e.Name == "" {
			p.WriteString(" is " + strconv.Itoa(e.N))
		} else {
			p.WriteString(" calls " + e.Name)
		}
		p.block(e.Body)
		if len(e.Else) > 0 {
			p.WriteString(" else")
			p.block(e.Else)
		}
	case opReturn:
		p.WriteString("return ")
		p.join(", ", e.X)
	default:
		p.simple(e)
	}
}

// simple prints an effect that is a word, operands and modifiers.
func (p *printer) simple(e *Expr) {
	p.WriteString(opWords[e.Op])
	if len(e.X) > 0 {
		p.WriteString(" ")
		p.join(" ", e.X)
	}
	switch e.Op {
	case opLock, opUnlock:
		if ir.Mode(e.Sub) == ir.Shared {
			p.WriteString(" shared")
		}
	case opFence:
		p.order(e)
	case opOnce:
		p.result(e.Type)
	}
	p.flags(e.Flags)
}

func (p *printer) prefixed(prefix string, e *Expr) {
	p.WriteString(prefix)
	p.expr(e)
}

func (p *printer) join(sep string, list []*Expr) {
	for i, x := range list {
		if i > 0 {
			p.WriteString(sep)
		}
		p.expr(x)
	}
}

// path prints a field, element or component.
func (p *printer) path(e *Expr) {
	if e.Addr {
		p.WriteString("&")
	}
	p.expr(e.X[0])
	switch e.Op {
	case opField:
		p.WriteString("." + e.Name)
	case opPart:
		p.WriteString("." + strconv.Itoa(e.N))
	default:
		p.WriteString("[]")
	}
}

func (p *printer) block(list []*Expr) {
	if len(list) == 0 {
		p.WriteString(" {}")
		return
	}
	p.WriteString(" { ")
	p.effects(list)
	p.WriteString(" }")
}

func (p *printer) order(e *Expr) {
	if e.Order != ir.SeqCst {
		p.WriteString(" " + orders[e.Order])
	}
}

func (p *printer) flags(f ir.Flags) {
	for _, w := range [...]string{"try", "reentrant", "elems", "deep", "all", "many", "maybe"} {
		if f&flagWords[w] != 0 {
			p.WriteString(" " + w)
		}
	}
}

func (p *printer) call(e *Expr) {
	spawned := ir.How(e.Sub) == ir.Spawned
	args := e.X[1:]
	switch {
	case spawned && e.Op == opInvoke:
		p.prefixed("spawn invoke ", e.X[0])
	case spawned:
		p.prefixed("spawn ", e.X[0])
	case e.Op == opInvoke:
		p.prefixed("invoke ", e.X[0])
	default:
		p.prefixed("call ", e.X[0])
	}
	if e.Op == opInvoke {
		name := e.Name
		if p.lang == ir.LangJava {
			name, _, _ = strings.Cut(name, "(") // the descriptor follows from the rest
		}
		p.WriteString("." + name)
	}
	if e.X[0].Op != opFunc || len(args) > 0 {
		p.WriteString("(")
		if e.Dots {
			p.WriteString("...")
		}
		p.join(", ", args)
		p.WriteString(")")
	}
	p.result(e.Type)
	if spawned {
		if k := e.Flags.Origin(); k != ir.OriginThread {
			p.WriteString(" " + originKinds[k])
		}
	}
	p.flags(e.Flags)
	if e.Group != nil {
		word := " group "
		if e.Flags&ir.FlagSerial != 0 {
			word = " serial "
		}
		p.prefixed(word, e.Group)
	}
}

func (p *printer) result(t *TypeExpr) {
	if t != nil {
		p.WriteString(" ")
		p.typ(t)
	}
}

func (p *printer) typ(t *TypeExpr) {
	switch t.Kind {
	case ir.KindPointer:
		if t.Elem == nil {
			p.WriteString("unsafe.Pointer")
			return
		}
		if p.lang != ir.LangJava {
			p.WriteString("*")
		}
		p.typ(t.Elem)
	case ir.KindSlice:
		if p.lang == ir.LangJava {
			p.typ(t.Elem)
			p.WriteString("[]")
			return
		}
		p.WriteString("[]")
		p.typ(t.Elem)
	case ir.KindMap:
		p.WriteString("map[")
		p.typ(t.Key)
		p.WriteString("]")
		p.typ(t.Elem)
	case ir.KindChan:
		p.WriteString([...]string{ir.ChanBoth: "chan ", ir.ChanSend: "chan<- ", ir.ChanRecv: "<-chan "}[t.Dir])
		p.typ(t.Elem)
	case ir.KindFunc:
		p.WriteString("func")
		p.signature(t, nil)
	case ir.KindTuple:
		p.types("(", t.Elems, ")")
	case ir.KindStruct:
		p.WriteString("struct{}")
	case ir.KindInterface:
		p.WriteString("any")
	default:
		p.WriteString(t.Name)
		if len(t.Elems) > 0 {
			p.types("[", t.Elems, "]")
		}
	}
}

func (p *printer) types(open string, list []*TypeExpr, end string) {
	p.WriteString(open)
	for i, t := range list {
		if i > 0 {
			p.WriteString(", ")
		}
		p.typ(t)
	}
	p.WriteString(end)
}

// signature prints what follows the word func.
func (p *printer) signature(t *TypeExpr, names []string) {
	p.WriteString("(")
	for i, param := range t.Elems {
		if i > 0 {
			p.WriteString(", ")
		}
		if i < len(names) && names[i] != "" {
			p.WriteString(names[i] + " ")
		}
		if t.Variadic && i+1 == len(t.Elems) {
			p.WriteString("...")
			param = param.Elem
		}
		p.typ(param)
	}
	p.WriteString(")")
	switch len(t.Results) {
	case 0:
	case 1:
		p.result(t.Results[0])
	default:
		p.types(" (", t.Results, ")")
	}
}
