package model

import (
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// Row says what a function, or every function that a pattern matches, does.
type Row struct {
	Lang    ir.Lang
	Kind    RowKind
	Scope   string   // package, class or interface; may end in "/..."; empty in C
	Pattern string   // name within the scope, as written, without type parameters
	Params  []string // names of the function's type parameters, receiver's first
	Effects []*Expr
	At      Place

	Method *Method  // of RowFunction: what a call of the value calls
	Supers []string // of RowClass
	Entry  *Entry   // of RowEntry

	mode       rowMode
	threadsafe bool
	nodes      int32 // number of Exprs, which are numbered from 0
	asks       bool  // depends on functions of the unit: has "if … calls …" or (...)
	special    bool  // depends on the symbol or type arguments of the callee
	callsArgs  bool  // of Java: depends on the callee's symbol where that has function values
	callsBack  bool  // of Java: where it has types that classes of the program are below
}

// General tells whether the row stands for many functions by a pattern, rather
// than for one by name, and says that they do something of which their own code
// says more. What synchronises, such as an atomic in assembly, has no such code.
func (r *Row) General() bool {
	return r.mode == modeEffects && strings.HasSuffix(r.Pattern, "*") && !slices.ContainsFunc(r.Effects, synchronises)
}

func synchronises(e *Expr) bool {
	switch e.Op {
	case opLock, opUnlock, opAtomic, opFence:
		return true
	}
	return slices.ContainsFunc(e.X, synchronises)
}

// RowKind says what calls a row is about.
type RowKind uint8

const (
	RowFunc     RowKind = iota // calls of a function or method
	RowIface                   // calls of an interface's method, whoever implements it
	RowFunction                // no calls: says that objects of a Java interface are function values
	RowClass                   // no calls: a class that models make up
	RowEntry                   // calls that a framework makes
	RowValue                   // no calls: objects of a type are values
)

// Entry says how a framework calls methods of the program.
type Entry struct {
	Kind   ir.OriginKind
	Many   bool   // at the same time, on one object that all calls share
	Serial string // the global that stands for the thread which makes all calls, or ""
}

// Method is a method of a Java interface, with its erased types.
type Method struct {
	Name   string
	Params []*TypeExpr
	Result *TypeExpr // nil for void
}

// key is the method's name with its descriptor.
func (m *Method) key() string { return methodKey(m.Name, m.Params, m.Result) }

// Place is a place in a model file. Line and Col count from 1, Col in bytes.
type Place struct {
	File string
	Line int
	Col  int
}

// rowMode sums up the words that concern the row as a whole.
type rowMode uint8

const (
	modeEffects rowMode = iota // do what the effects say; fresh results
	modeIgnore                 // do nothing; results point nowhere
	modeAnalyse                // use the function's own code
)

// exprOp is the operation of an Expr.
type exprOp uint8

const (
	opInvalid exprOp = iota

	// Places and values.
	opRecv
	opArg    // N: from 1
	opArgs   // all arguments but the receiver, one after the other
	opLast   // the last argument
	opCaller // the function that makes the call; of an if only
	opLocal  // Name
	opGlobal // Name: symbol
	opField  // X[0], Name; the address if Addr
	opElem   // X[0]; the address if Addr
	opPart   // X[0], N: component of a tuple or struct value
	opAt     // X[0]: the value at an address
	opNew    // Type; N: capacity
	opUnknown
	opInt // N
	opNil
	opFresh
	opAlike // receiver and arguments of the wanted type, and fresh memory
	opBox   // X[0]
	opAs    // X[0], Type
	opUnion // X
	opFunc  // Type (a function), Params, Body

	// Effects; the calls among them may also be values.
	opCall   // X[0] is the function value, the others are arguments
	opInvoke // X[0] is the receiver, Name the method
	opLock
	opUnlock
	opRead
	opWrite
	opAtomic
	opFence
	opSend
	opReceive
	opClose
	opPost
	opAwait
	opGroup
	opOnce
	opJoin
	opCondWait
	opNotify
	opCallback // of Java: X[0] is what is called back
	opCopyElems
	opAssign // X[0] = X[1]
	opReturn
	opIf // X[0] calls Name: Body, else Else
	opExit
	opThrow
)

// Expr is a value or an effect.
type Expr struct {
	Op     exprOp
	Sub    uint8 // How, Mode, AtomicKind, GroupKind: as in the instruction
	Order  ir.Order
	Addr   bool
	Dots   bool // of a call: the arguments are whatever the function takes
	Flags  ir.Flags
	N      int
	Name   string
	Type   *TypeExpr
	Struct *TypeExpr // of opField: the struct, or nil for the receiver's type
	X      []*Expr
	Group  *Expr // of a spawned call
	Body   []*Expr
	Else   []*Expr
	Params []string // of opFunc: names of parameters, "" for unnamed ones
	Caps   []*Expr  // of opFunc: the outer places it mentions, in order of first mention
	Off    int      // in the file

	id int32
}

// TypeExpr is a type as a model file writes it.
type TypeExpr struct {
	Kind     ir.TypeKind
	Dir      ir.ChanDir
	Variadic bool
	Name     string
	Elem     *TypeExpr
	Key      *TypeExpr
	Elems    []*TypeExpr // parameters, type arguments or tuple components
	Results  []*TypeExpr
}

// walk visits e and all below it, outer expressions first.
func (e *Expr) walk(visit func(*Expr)) {
	visit(e)
	for _, list := range [...][]*Expr{e.X, e.Body, e.Else} {
		for _, x := range list {
			x.walk(visit)
		}
	}
	if e.Group != nil {
		e.Group.walk(visit)
	}
}

// isMethod tells whether functions that the row is about have a receiver.
func (r *Row) isMethod() bool {
	if r.Kind == RowIface {
		return true
	}
	return hasReceiver(r.Lang, r.Pattern)
}

// Args returns the highest number of an argument that the row mentions.
func (r *Row) Args() int {
	n := 0
	for _, e := range r.Effects {
		e.walk(func(x *Expr) {
			if x.Op == opArg {
				n = max(n, x.N)
			}
		})
	}
	return n
}

// sameAs tells whether two rows say the same.
func (r *Row) sameAs(s *Row) bool {
	if r == s || s == nil || r.mode != s.mode || len(r.Effects) != len(s.Effects) {
		return r == s
	}
	a, b := &printer{lang: r.Lang}, &printer{lang: s.Lang}
	a.effects(r.Effects)
	b.effects(s.Effects)
	return a.String() == b.String()
}

// replaces tells whether the row, and not the function's own code, says what a
// call does.
func (r *Row) replaces() bool { return r.mode != modeAnalyse }

// ends tells how a call ends if it never returns.
func (r *Row) ends() exprOp {
	if n := len(r.Effects); n > 0 {
		if op := r.Effects[n-1].Op; op == opExit || op == opThrow {
			return op
		}
	}
	return opInvalid
}
