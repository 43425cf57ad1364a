package ir

// bodyParser is what reading a body needs besides the builder.
type bodyParser struct {
	BodyBuilder
	uses    []int // by register: where it is first used, plus one
	defined []bool
	invokes []openInvoke
	edges   []blockUse
}

// openInvoke is an invoke whose method's signature follows from the types of
// its operands, which may be known later only.
type openInvoke struct {
	ref  InstrRef
	name string
	off  int
	args []Value // without the receiver
}

type blockUse struct {
	id  BlockID
	off int
}

// function reads a function, with or without a body.
func (p *parser) function() {
	p.advance()
	f := Func{Flags: FuncFlags(p.flags(funcFlagNames)), Parent: None}
	f.Symbol = p.symbol('@', "a function's symbol")
	f.TypeParams = p.names()
	p.typeParams = f.TypeParams
	f.Name = f.Symbol
	if p.tok.kind == tokString {
		f.Name = p.quoted("a name")
	}
	p.startBody()
	withRegs := p.after.kind == tokWord && isReg(p.after.text)
	var params []TypeID
	var variadic bool
	if withRegs {
		params, variadic = p.paramRegs()
	} else {
		params, variadic = p.params()
	}
	f.Sig = p.b.FuncType(params, p.results(), variadic)
	if p.gotWord("captures") {
		p.expect('(')
		for p.err == nil && !p.at(')') {
			p.body.captures++
			p.paramReg()
			if !p.got(',') {
				break
			}
		}
		p.expect(')')
	}
	id := FuncID(len(p.b.u.Funcs))
	if p.gotWord("parent") {
		u := p.b.u
		p.useFunc(func(parent FuncID) { u.Funcs[id].Parent = parent })
	}
	if !p.at('{') {
		f.Pos, f.End = p.pos(), p.pos()
		p.b.AddFunc(f)
		if withRegs || p.body.captures > 0 {
			p.want("a body, because there are registers")
		}
		return
	}
	if len(params) > 0 && !withRegs {
		p.want("registers for the parameters, because there is a body")
	}
	p.advance()
	f.Pos = p.pos()
	body := p.code()
	p.expect('}')
	f.End = p.pos()
	f.SetBody(body)
	p.b.AddFunc(f)
}

func isReg(s string) bool {
	_, ok := numbered('v', s)
	return ok
}

func (p *parser) startBody() {
	p.body.Reset()
	p.body.uses, p.body.defined = p.body.uses[:0], p.body.defined[:0]
	p.body.invokes, p.body.edges = nil, nil
}

// paramRegs reads parameters with their registers.
func (p *parser) paramRegs() (elems []TypeID, variadic bool) {
	p.expect('(')
	for p.err == nil && !p.at(')') {
		if p.tok.kind == tokDots {
			p.advance()
			variadic = true
			break
		}
		p.body.params++
		elems = append(elems, p.paramReg())
		if !p.got(',') {
			break
		}
	}
	p.expect(')')
	return elems, variadic
}

// paramReg reads a parameter or capture. Registers count from 0 without gaps.
func (p *parser) paramReg() TypeID {
	want := Reg(len(p.body.regs))
	if n, ok := numbered('v', p.tok.text); !ok || Reg(n) != want {
		p.fail("want v%d, not %s", want, p.tok.text)
		return 0
	}
	r := p.regDef()
	p.expect(':')
	typ := p.typ()
	if p.err == nil {
		p.body.regs[r].Type = typ
	}
	return typ
}

// regDef reads a register that is assigned here, and its name.
func (p *parser) regDef() Reg {
	n, ok := numbered('v', p.tok.text)
	if !ok {
		p.want("a register")
		return 0
	}
	// A body of n registers is longer than n, so a larger number is a slip
	// that would only cost memory.
	if int(n) > len(p.src) {
		p.fail("register number %d is too large for this file", n)
		return 0
	}
	for len(p.body.regs) <= int(n) {
		p.body.regs = append(p.body.regs, RegInfo{})
	}
	for len(p.body.defined) <= int(n) {
		p.body.defined = append(p.body.defined, false)
	}
	if p.body.defined[n] {
		p.fail("register v%d is assigned twice", n)
		return 0
	}
	p.body.defined[n] = true
	p.advance()
	if p.tok.kind == tokString || p.tok.kind == tokWord {
		p.body.regs[n].Name = p.name("a name")
	}
	return Reg(n)
}

// code reads the blocks of a function.
func (p *parser) code() *Body {
	for p.err == nil && !p.at('}') {
		n, ok := numbered('b', p.tok.text)
		if !ok || p.after.punct != ':' {
			if p.body.NumBlocks() == 0 {
				p.want("b0:")
				break
			}
			p.instruction()
			continue
		}
		if id := p.body.NewBlock(); int32(id) != n {
			p.want("block b" + itoa(int32(id)) + " next")
		}
		p.body.SetBlock(BlockID(n))
		p.advance()
		p.advance()
		p.blockHead(BlockID(n))
	}
	if p.err != nil {
		return nil
	}
	return p.finishBody()
}

func (p *parser) blockHead(id BlockID) {
	for !p.tok.line {
		switch {
		case p.gotWord("preds"):
			p.body.SetPreds(id, p.blockList()...)
		case p.gotWord("handlers"):
			p.body.SetHandlers(id, p.blockList()...)
		case p.gotWord("recover"):
			p.body.SetRecover(id)
		default:
			return
		}
	}
}

// blockList reads names of blocks up to the end of the line or another word.
func (p *parser) blockList() []BlockID {
	var list []BlockID
	for !p.tok.line && p.tok.kind == tokWord {
		n, ok := numbered('b', p.tok.text)
		if !ok {
			break
		}
		list = append(list, BlockID(n))
		p.body.edges = append(p.body.edges, blockUse{BlockID(n), p.tok.off})
		p.advance()
	}
	return list
}

// finishBody resolves what a body may mention before it is defined.
func (p *parser) finishBody() *Body {
	b := &p.body
	for _, use := range b.edges {
		if int(use.id) >= b.NumBlocks() {
			p.failAt(use.off, "block b%d is not defined", use.id)
			return nil
		}
	}
	for r, off := range b.uses {
		if off > 0 && (r >= len(b.defined) || !b.defined[r]) {
			p.failAt(off-1, "register v%d is never assigned", r)
			return nil
		}
	}
	for i := range b.invokes {
		p.resolveInvoke(&b.invokes[i])
	}
	return b.Finish()
}

// resolveInvoke derives the signature of an invoked method.
func (p *parser) resolveInvoke(o *openInvoke) {
	var params []TypeID
	for _, v := range o.args {
		var typ TypeID
		switch v.Kind() {
		case ValueReg:
			typ = p.body.regs[v.Reg()].Type
		case ValueConst:
			typ = p.b.u.Consts[v.Const()].Type
		}
		if typ == 0 {
			p.failAt(o.off, "the signature of method %s does not follow from its operands: write it after a colon", o.name)
			return
		}
		params = append(params, typ)
	}
	in := &p.body.instrs[o.ref]
	results := []TypeID{in.Type}
	if t := p.b.TypeAt(in.Type); t.Kind == KindTuple {
		results = t.Elems
	}
	in.Aux = int32(p.b.Method(o.name, p.b.FuncType(params, results, false)))
}
