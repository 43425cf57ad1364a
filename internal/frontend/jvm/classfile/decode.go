package classfile

// Decoder decodes code and keeps its buffers from one method to the next. The
// zero value is ready for use. One goroutine at a time may use it.
type Decoder struct {
	code  Code
	index []int32 // of the instruction at each byte; -1 where none begins
	pool  *pool
	class *Class
}

// maxCode is the greatest number of bytes of code (JVMS 4.7.3).
const maxCode = 65535

// Decode decodes the body of a method of the class; it is nil if the method has
// none. The result is valid until the next call, except for what Member, Dynamic
// and Switch point to. An error is an *Error that names the method.
func (d *Decoder) Decode(k *Class, m *Method) (*Code, error) {
	if !m.HasCode() {
		return nil, nil
	}
	d.class, d.pool = k, k.pool
	f := &k.pool.f
	c := &cursor{b: k.pool.b, off: m.code.off, end: m.code.off + m.code.len, f: f}
	d.attribute(c)
	if err := f.err; err != nil {
		f.err = nil
		err.Class, err.Method = k.Name, m.Name+m.Desc
		return nil, err
	}
	return &d.code, nil
}

// Decode is Decoder.Decode with a result that stays valid.
func (k *Class) Decode(m *Method) (*Code, error) { return new(Decoder).Decode(k, m) }

// attribute reads the contents of a Code attribute (JVMS 4.7.3).
func (d *Decoder) attribute(c *cursor) {
	code, f := &d.code, c.f
	code.MaxStack, code.MaxLocals = c.u2(), c.u2()
	at := c.off
	n := c.u4()
	if n == 0 || n > maxCode {
		f.fail(at, "%d bytes of code, must be 1 to %d", n, maxCode)
		return
	}
	body := c.sub(n)
	if f.err != nil {
		return
	}
	code.Bytes = body.b[body.off:body.end:body.end]
	d.insns(&body)
	d.handlers(c)
	code.Lines, code.Locals = code.Lines[:0], code.Locals[:0]
	var generic cursor // LocalVariableTypeTable, which may come first
	for n := c.count(6); n > 0 && f.err == nil; n-- {
		name := d.pool.raw(c.ref())
		a := c.sub(c.u4())
		switch string(name) {
		case "LineNumberTable":
			d.lines(&a)
		case "LocalVariableTable":
			d.locals(&a)
		case "LocalVariableTypeTable":
			generic = a
		}
	}
	c.done("Code")
	if f.err == nil && generic.end > 0 {
		d.signatures(&generic)
	}
	if f.err == nil {
		sortLines(code.Lines)
	}
}

// localWords has the locals that an instruction uses from Insn.Local on.
var localWords = [256]uint8{
	OpILoad: 1, OpLLoad: 2, OpFLoad: 1, OpDLoad: 2, OpALoad: 1,
	OpIStore: 1, OpLStore: 2, OpFStore: 1, OpDStore: 2, OpAStore: 1, OpIInc: 1,
}

// insns decodes the instructions, at first with byte offsets as targets, and
// then, when the place of each instruction is known, replaces these by indexes.
func (d *Decoder) insns(c *cursor) {
	base, n := c.off, c.end-c.off
	if cap(d.index) < n+1 {
		d.index = make([]int32, n+1, 2*n+1)
	}
	d.index = d.index[:n+1]
	for i := range d.index {
		d.index[i] = -1
	}
	out := d.code.Insns[:0]
	for c.off < c.end && c.f.err == nil {
		pc := c.off - base
		d.index[pc] = int32(len(out))
		out = append(out, Insn{PC: int32(pc)})
		d.insn(c, base, &out[len(out)-1])
	}
	d.index[n] = int32(len(out))
	d.code.Insns = out
	if c.f.err != nil {
		return
	}
	for i := range out {
		in := &out[i]
		if l := int(localWords[in.Op]); l > 0 && int(in.Local)+l > d.code.MaxLocals {
			c.f.fail(base+int(in.PC), "%s of local %d, the method has %d", in.Op, in.Local, d.code.MaxLocals)
		}
		switch opcodes[in.Op].form {
		case formBranch:
			in.Target = d.target(base, in.PC, in.Target)
		case formTable, formLookup:
			in.Switch.Default = d.target(base, in.PC, in.Switch.Default)
			for j, t := range in.Switch.Targets {
				in.Switch.Targets[j] = d.target(base, in.PC, t)
			}
		}
	}
	if last := &out[len(out)-1]; !last.Op.Ends() {
		c.f.fail(base+int(last.PC), "code ends after %s", last.Op)
	}
}

// target returns the index of the instruction that a jump goes to.
func (d *Decoder) target(base int, from, pc int32) int32 {
	if pc < 0 || int(pc) >= len(d.index)-1 || d.index[pc] < 0 {
		d.pool.f.fail(base+int(from), "jump to %d, where no instruction begins", pc)
		return 0
	}
	return d.index[pc]
}

// insn decodes one instruction. Distances become byte offsets.
func (d *Decoder) insn(c *cursor, base int, in *Insn) {
	at := c.off
	raw := c.u1()
	if raw >= len(opcodes) {
		c.f.fail(at, "unknown opcode %d", raw)
		return
	}
	op := &opcodes[raw]
	in.Raw, in.Op = Op(raw), op.op
	switch op.form {
	case formNone:
		in.Local, in.Const, in.Int = uint16(op.local), op.konst, op.bits
	case formByte:
		in.Const, in.Int = ConstInt, int64(int8(c.u1()))
	case formShort:
		in.Const, in.Int = ConstInt, int64(int16(c.u2()))
	case formLdc:
		d.constant(at, c.u1(), in)
	case formLdcWide:
		d.constant(at, c.u2(), in)
	case formLocal:
		in.Local = uint16(c.u1())
	case formIInc:
		in.Local = uint16(c.u1())
		in.Int = int64(int8(c.u1()))
	case formWide:
		d.wide(c, at, in)
	case formBranch:
		in.Target = in.PC + int32(int16(c.u2()))
	case formBranchWide:
		in.Target = in.PC + int32(c.u4())
	case formTable:
		d.tableSwitch(c, base, in)
	case formLookup:
		d.lookupSwitch(c, base, in)
	case formField:
		in.Member = d.pool.member(at, c.u2(), true)
	case formMethod:
		in.Member = d.pool.member(at, c.u2(), false)
	case formInterface:
		in.Member = d.pool.member(at, c.u2(), false)
		c.u2() // count, 0
	case formDynamic:
		in.Dynamic = d.pool.dynamic(at, c.u2(), tagInvokeDynamic)
		d.checkBootstrap(at, in.Dynamic)
		c.u2() // 0, 0
	case formClass:
		in.Text = d.pool.class(at, c.u2())
	case formPrimitive:
		in.Text = d.primitive(at, c.u1())
	case formMulti:
		in.Text = d.pool.class(at, c.u2())
		in.Dims = uint8(c.u1())
	case formSubroutine:
		c.f.fail(at, "%s: subroutines are not supported; compile the class for Java 6 or later", in.Op)
	}
}

// wide decodes the instruction that a wide prefix belongs to.
func (d *Decoder) wide(c *cursor, at int, in *Insn) {
	raw := Op(c.u1())
	if int(raw) >= len(opcodes) {
		c.f.fail(at, "wide before unknown opcode %d", raw)
		return
	}
	in.Raw, in.Op = raw, opcodes[raw].op
	switch opcodes[raw].form {
	case formLocal:
		in.Local = uint16(c.u2())
	case formIInc:
		in.Local = uint16(c.u2())
		in.Int = int64(int16(c.u2()))
	case formSubroutine:
		c.f.fail(at, "%s: subroutines are not supported; compile the class for Java 6 or later", raw)
	default:
		c.f.fail(at, "wide before %s", raw)
	}
}

func (d *Decoder) constant(from, i int, in *Insn) {
	k := d.pool.constant(from, i)
	in.Const, in.Int, in.Text, in.Dynamic = k.Kind, k.Int, k.Text, k.Dynamic
	if k.Handle != nil {
		in.Int, in.Member = int64(k.Handle.Kind), k.Handle.Member
	}
	if k.Dynamic != nil {
		d.checkBootstrap(from, k.Dynamic)
	}
}

// checkBootstrap fails unless the bootstrap method is there, so that whoever
// gets the instruction can look it up.
func (d *Decoder) checkBootstrap(from int, dyn *Dynamic) {
	if dyn.Bootstrap >= len(d.class.Bootstraps) {
		d.pool.f.fail(from, "bootstrap method %d of %d", dyn.Bootstrap, len(d.class.Bootstraps))
	}
}

// primitive returns the descriptor for an element type of newarray.
func (d *Decoder) primitive(from, code int) string {
	const first, descs = 4, "ZCFDBSIJ"
	if code < first || code >= first+len(descs) {
		d.pool.f.fail(from, "newarray of unknown type %d", code)
		return ""
	}
	return descs[code-first : code-first+1]
}

// pad steps to the next multiple of four bytes of the code and reads the
// default target of a switch.
func pad(c *cursor, base int, in *Insn) *Switch {
	for (c.off-base)%4 != 0 && c.f.err == nil {
		c.u1()
	}
	return &Switch{Default: in.PC + int32(c.u4())}
}

func (d *Decoder) tableSwitch(c *cursor, base int, in *Insn) {
	s := pad(c, base, in)
	in.Switch = s
	at := c.off
	low, high := int32(c.u4()), int32(c.u4())
	n := int64(high) - int64(low) + 1
	if n < 1 || n*4 > int64(c.end-c.off) {
		c.f.fail(at, "tableswitch from %d to %d, %d bytes left", low, high, c.end-c.off)
		return
	}
	s.Keys, s.Targets = make([]int32, n), make([]int32, n)
	for i := range s.Keys {
		s.Keys[i] = low + int32(i)
		s.Targets[i] = in.PC + int32(c.u4())
	}
}

func (d *Decoder) lookupSwitch(c *cursor, base int, in *Insn) {
	s := pad(c, base, in)
	in.Switch = s
	at := c.off
	n := int32(c.u4())
	if n < 0 || int64(n)*8 > int64(c.end-c.off) {
		c.f.fail(at, "lookupswitch of %d cases, %d bytes left", n, c.end-c.off)
		return
	}
	s.Keys, s.Targets = make([]int32, n), make([]int32, n)
	for i := range s.Keys {
		s.Keys[i] = int32(c.u4())
		s.Targets[i] = in.PC + int32(c.u4())
		if i > 0 && s.Keys[i] <= s.Keys[i-1] {
			c.f.fail(at, "cases of lookupswitch are not ascending")
			return
		}
	}
}

func (d *Decoder) handlers(c *cursor) {
	out := d.code.Handlers[:0]
	for n := c.count(8); n > 0 && c.f.err == nil; n-- {
		at := c.off
		start, end, target := c.u2(), c.u2(), c.u2()
		h := Handler{d.place(at, start), d.place(at, end), d.place(at, target), d.pool.optionalClass(c.ref())}
		if c.f.err == nil && (h.Start >= h.End || h.Target == len(d.code.Insns)) {
			c.f.fail(at, "handler at %d for %d to %d", target, start, end)
		}
		out = append(out, h)
	}
	d.code.Handlers = out
}

// place returns the index of the instruction at a byte; the end of the code is
// one too.
func (d *Decoder) place(from, pc int) int {
	if d.pool.f.err != nil {
		return 0
	}
	if pc >= len(d.index) || d.index[pc] < 0 {
		d.pool.f.fail(from, "handler names %d, where no instruction begins", pc)
		return 0
	}
	return int(d.index[pc])
}
