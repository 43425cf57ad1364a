package ir

import (
	"slices"
	"strconv"
	"strings"
)

func itoa(n int32) string { return strconv.Itoa(int(n)) }

// opByName finds an operation by its name in text.
var opByName = func() map[string]Op {
	m := make(map[string]Op, numOps)
	for op := OpInvalid + 1; op < numOps; op++ {
		m[op.String()] = op
	}
	return m
}()

// instruction reads one instruction with its successors and position.
func (p *parser) instruction() {
	dst, dstType := Reg(None), TypeID(0)
	if isReg(p.tok.text) {
		dst = p.regDef()
		if p.got(':') {
			dstType = p.typ()
		}
		p.expect('=')
	}
	var in Instr
	prefix := p.tok
	for how, name := range howNames[1:] {
		if p.gotWord(name) {
			in.Sub = uint8(how + 1)
		}
	}
	p.opcode(&in, prefix)
	if p.err != nil {
		return
	}
	info := in.Op.Info()
	args := p.instrFlags(&in)
	if info.Typed {
		in.Type = p.typ()
	}
	invoke := openInvoke{off: -1}
	switch in.Op {
	case OpCall:
		in.Aux = int32(p.funcRef())
		args = p.callArgs(args)
	case OpInvoke:
		args = p.invoke(&in, args, &invoke)
	case OpCallPtr:
		args = append(args, p.callee())
		args = p.callArgs(args)
	default:
		p.aux(&in)
		args = p.operands(args, info.Term)
	}
	var succs []BlockID
	if info.Term {
		succs = p.blockList()
	}
	pos := p.pos()
	if !p.tok.line && !p.at('}') {
		p.want("the end of the line")
	}
	if p.err != nil {
		return
	}
	if dst != None {
		if dstType == 0 {
			dstType = p.defaultResult(&in)
		}
		p.body.regs[dst].Type = dstType
	}
	ref := p.body.DefReg(dst, pos, in, args...)
	if info.Term {
		p.body.SetSuccs(p.body.current, succs...)
	}
	if invoke.off >= 0 {
		invoke.ref = ref
		p.body.invokes = append(p.body.invokes, invoke)
	}
}

// opcode reads the name of an operation and its variant.
func (p *parser) opcode(in *Instr, prefix token) {
	if p.tok.kind != tokWord {
		p.want("an instruction")
		return
	}
	name, sub, hasSub := strings.Cut(p.tok.text, ".")
	op, ok := opByName[name]
	if !ok {
		p.want("an instruction")
		return
	}
	in.Op = op
	if in.Sub != 0 && !isCall(op) {
		p.failAt(prefix.off, "%s does not go with %s, only with call, invoke and callptr", prefix.text, name)
		return
	}
	names := op.Info().Sub
	switch {
	case isCall(op) && !hasSub:
	case hasSub:
		i := slices.Index(names, sub)
		if i < 0 || isCall(op) {
			p.fail("%s has no variant %s", name, sub)
			return
		}
		in.Sub = uint8(i)
	case len(names) > 0 && !hasDefaultSub(op):
		p.fail("%s needs a variant: one of %s", name, strings.Join(names, ", "))
		return
	}
	p.advance()
}

// hasDefaultSub says of which operations text may leave the first variant out.
func hasDefaultSub(op Op) bool {
	return omitsSub(op) || op == OpAlloc || op == OpLock || op == OpUnlock
}

// instrFlags reads flags and returns the operand that comes with the group
// flag.
func (p *parser) instrFlags(in *Instr) []Value {
	if !p.at('[') || !p.tok.glued {
		return nil
	}
	p.advance()
	var args []Value
	for p.err == nil {
		if i := slices.Index(flagNames, p.tok.text); i >= 0 {
			p.advance()
			in.Flags |= 1 << i
			if 1<<i == FlagGroup {
				p.expect('=')
				args = []Value{p.operand()}
			}
		} else if i := slices.Index(originNames, p.tok.text); i >= 0 {
			p.advance()
			in.Flags = in.Flags.WithOrigin(OriginKind(i))
		} else {
			p.want("a flag")
		}
		if !p.got(',') {
			break
		}
	}
	p.expect(']')
	return args
}

func (p *parser) aux(in *Instr) {
	switch in.Op.Info().Aux {
	case AuxField:
		in.Aux = int32(p.fieldRef())
	case AuxFunc:
		in.Aux = int32(p.funcRef())
	case AuxIndex:
		p.expect('#')
		in.Aux = int32(p.number(32, "an index"))
	case AuxOrder:
		in.Aux = int32(SeqCst)
		if i := slices.Index(orderNames, p.tok.text); i >= 0 && p.after.punct != ':' {
			in.Aux = int32(i)
			p.advance()
		}
	case AuxName:
		in.Aux = None
		if p.tok.kind == tokString && !p.tok.line && p.after.punct != ':' {
			in.Aux = int32(p.b.StringConst(p.quoted("a name")))
		}
	}
}

// operands reads operands separated by commas, as many as there are before
// the successors, the position or the end of the line.
func (p *parser) operands(args []Value, term bool) []Value {
	if p.tok.line || p.at(';') || p.at('}') {
		return args
	}
	if _, isBlock := numbered('b', p.tok.text); term && isBlock && p.after.punct != ':' {
		return args
	}
	for p.err == nil {
		args = append(args, p.operand())
		if !p.got(',') {
			break
		}
	}
	return args
}

func (p *parser) callArgs(args []Value) []Value {
	p.expect('(')
	for p.err == nil && !p.at(')') {
		args = append(args, p.operand())
		if !p.got(',') {
			break
		}
	}
	p.expect(')')
	return args
}

// operand reads a register, a constant, a global, a function or the mark of
// an absent operand.
func (p *parser) operand() Value {
	switch {
	case p.got('$'):
		return GlobalValue(p.b.GlobalRef(p.name("a global's symbol")))
	case p.at('@'):
		return FuncValue(p.funcRef())
	case p.tok.kind == tokWord && p.after.punct != ':':
		if p.gotWord("_") {
			return NoValue
		}
		if n, ok := numbered('v', p.tok.text); ok {
			v := p.useReg(n)
			p.advance()
			return v
		}
	case p.tok.kind == tokWord, p.tok.kind == tokNumber, p.tok.kind == tokString, p.tok.kind == tokLiteral:
		return p.constant()
	}
	p.want("an operand")
	return NoValue
}

// useReg notes where a register is used first.
func (p *parser) useReg(n int32) Value {
	if int(n) > len(p.src) {
		p.fail("register number %d is too large for this file", n)
		return NoValue
	}
	for len(p.body.uses) <= int(n) {
		p.body.uses = append(p.body.uses, 0)
	}
	if p.body.uses[n] == 0 {
		p.body.uses[n] = p.tok.off + 1
	}
	return RegValue(Reg(n))
}

func (p *parser) constant() Value {
	text := p.tok.text
	switch p.tok.kind {
	case tokString:
		text = strconv.Quote(p.quoted("a string"))
	case tokLiteral:
		plain, err := unquoteLiteral(text)
		if err != nil {
			p.fail("%v", err)
		}
		text = plain
		p.advance()
	default:
		p.advance()
	}
	p.expect(':')
	return ConstValue(p.b.Const(p.typ(), text))
}

func (p *parser) funcRef() FuncRefID {
	symbol := p.symbol('@', "a function's symbol")
	return p.b.FuncRef(symbol, p.typeArgs()...)
}

// callee reads the function value of a callptr or the receiver of an invoke,
// perhaps in braces.
func (p *parser) callee() Value {
	if !p.got('{') {
		return p.operand()
	}
	v := p.operand()
	p.expect('}')
	return v
}

// invoke reads receiver, method, operands and perhaps the signature.
func (p *parser) invoke(in *Instr, args []Value, open *openInvoke) []Value {
	off := p.tok.off
	var name string
	if reg, method, ok := strings.Cut(p.tok.text, "."); ok && p.tok.kind == tokWord && isReg(reg) {
		n, _ := numbered('v', reg)
		args = append(args, p.useReg(n))
		name = method
		p.advance()
	} else {
		args = append(args, p.callee())
		p.expect('.')
		name = p.name("a method's name")
	}
	operands := p.callArgs(nil)
	if p.got(':') {
		in.Aux = int32(p.b.Method(name, p.typ()))
	} else {
		*open = openInvoke{name: name, off: off, args: operands}
	}
	return append(args, operands...)
}

func (p *parser) defaultResult(in *Instr) TypeID {
	switch resultOf(in) {
	case resultPointer:
		return p.b.Pointer(in.Type)
	case resultBool:
		return p.b.Basic("bool")
	case resultInt:
		return p.b.Basic("int")
	}
	return in.Type
}
