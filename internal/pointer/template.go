package pointer

import (
	"math"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
)

// operand is a value inside a template: a local slot number, the complement of
// a global node number, or none for values that hold no address.
type operand int32

const none operand = math.MinInt32

// at returns the operand's slot k.
func (o operand) at(k int32) operand {
	if o >= 0 {
		return o + operand(k)
	}
	if k == 0 {
		return o
	}
	return none
}

type tkind uint8

const (
	tAddr   tkind = iota // dst ∋ object of site aux
	tCopy                // dst ⊇ src
	tLoad                // dst ⊇ *(src + aux)
	tStore               // *(dst + aux) ⊇ src
	tGep                 // dst ⊇ src + aux
	tUnbox               // dst ⊇ slot aux2 of boxes in src whose type is aux
	tFilter              // dst ⊇ boxes in src whose type implements aux
	tSame                // dst ⊇ addresses in src of memory whose type is aux
	tClass               // dst ⊇ addresses in src, without those of objects of other classes than aux
	tCall                // call aux
	tInit                // slot aux2 of the object of site aux ⊇ src
)

// constraint is one entry of a template.
type constraint struct {
	kind      tkind
	dst, src  operand
	aux, aux2 int32
}

// site is an instruction that creates an object each time it runs.
type site struct {
	instr int32
	kind  ObjectKind
	typ   link.TypeID // of the whole object
	size  int32
	fn    link.FuncID // of closures
}

// call is a call instruction of a template.
type call struct {
	instr  int32
	op     ir.Op
	how    ir.How
	kind   ir.OriginKind
	callee link.FuncID // of static calls
	method string      // of invokes
	sig    link.TypeID // of calls through function values
	fn     operand     // function value or receiver
	args   []operand   // without fn of callptr; with the receiver of invoke first
	dst    operand     // first slot of the result
	dstT   link.TypeID
	maybe  bool
}

// template is the code of a function as constraints.
type template struct {
	fn      link.FuncID
	body    *ir.Body
	regs    []operand // first slot of each register, or none
	size    int32
	ret     int32 // first slot of the results
	results []link.TypeID
	cons    []constraint
	sites   []site
	calls   []call
	wrapper bool
	keeps   bool // keeps what it is given in its receiver (see isKeeper)
}

// templateOf returns the template of a function, nil if it has no code.
func (s *solver) templateOf(f link.FuncID) *template {
	for int(f) >= len(s.templates) {
		s.templates = append(s.templates, nil)
		s.hasTemplate = append(s.hasTemplate, false)
	}
	if s.hasTemplate[f] {
		return s.templates[f]
	}
	var t *template
	if body := s.prog.Body(f); body != nil {
		t = s.makeTemplate(f, body)
	}
	for int(f) >= len(s.templates) {
		s.templates = append(s.templates, nil)
		s.hasTemplate = append(s.hasTemplate, false)
	}
	s.templates[f], s.hasTemplate[f] = t, true
	return t
}

// templateBuilder turns instructions into constraints.
type templateBuilder struct {
	s *solver
	t *template
	p *link.Program
	f link.FuncID
}

func (s *solver) makeTemplate(f link.FuncID, body *ir.Body) *template {
	b := &templateBuilder{s: s, p: s.prog, f: f, t: &template{fn: f, body: body}}
	t := b.t
	t.regs = make([]operand, len(body.Regs))
	b.placeRegs()
	t.ret = t.size
	if def := s.prog.Def(f); def != nil {
		for _, r := range s.prog.Type(b.typ(def.Sig)).Results {
			t.results = append(t.results, link.TypeID(r))
			t.size += s.prog.Layout(link.TypeID(r)).Size
		}
	}
	for i := range body.Instrs {
		b.instr(int32(i), &body.Instrs[i])
	}
	t.keeps = b.isKeeper()
	t.wrapper = b.isWrapper()
	return t
}

func (b *templateBuilder) typ(t ir.TypeID) link.TypeID { return b.p.TypeOf(b.f, t) }

// newSlots reserves local nodes for a value of a type that may hold addresses.
func (b *templateBuilder) newSlots(t link.TypeID) operand {
	l := b.p.Layout(t)
	if len(l.Pointers) == 0 {
		return none
	}
	o := operand(b.t.size)
	b.t.size += l.Size
	return o
}

// value returns the operand and type of an instruction's argument.
func (b *templateBuilder) value(v ir.Value) (operand, link.TypeID) {
	switch v.Kind() {
	case ir.ValueReg:
		return b.t.regs[v.Reg()], b.typ(b.t.body.Regs[v.Reg()].Type)
	case ir.ValueGlobal:
		g := b.p.GlobalOf(b.f, v.Global())
		return operand(^b.s.globalAddr(g)), b.p.Pointer(b.p.Global(g).Type)
	case ir.ValueFunc:
		callee := b.p.Callee(b.f, v.Func())
		t := link.NoType
		if def := b.p.Def(callee); def != nil {
			t = b.p.TypeOf(callee, def.Sig)
		}
		return operand(^b.s.funcAddr(callee)), t
	case ir.ValueConst:
		return none, b.typ(b.p.Unit(b.f).Consts[v.Const()].Type)
	}
	return none, link.NoType
}

func (b *templateBuilder) add(c constraint) {
	if c.kind != tCall && (c.src == none || c.dst == none) || c.kind == tCopy && c.src == c.dst {
		return
	}
	b.t.cons = append(b.t.cons, c)
}

// copyValue copies the slots of a value of type t.
func (b *templateBuilder) copyValue(dst, src operand, t link.TypeID) {
	if dst == none || src == none {
		return
	}
	for _, k := range b.p.Layout(t).Pointers {
		b.add(constraint{kind: tCopy, dst: dst.at(k), src: src.at(k)})
	}
}

// loadValue loads a value of type t from an address moved by off slots.
func (b *templateBuilder) loadValue(dst, addr operand, off int32, t link.TypeID) {
	if dst == none || addr == none {
		return
	}
	for _, k := range b.p.Layout(t).Pointers {
		b.add(constraint{kind: tLoad, dst: dst.at(k), src: addr, aux: off + k})
	}
}

// storeValue stores a value of type t at an address moved by off slots.
func (b *templateBuilder) storeValue(addr operand, off int32, src operand, t link.TypeID) {
	if src == none || addr == none {
		return
	}
	for _, k := range b.p.Layout(t).Pointers {
		b.add(constraint{kind: tStore, dst: addr, src: src.at(k), aux: off + k})
	}
}

// newSite adds an object created by the instruction and puts its address into
// dst.
func (b *templateBuilder) newSite(dst operand, st site) int32 {
	id := int32(len(b.t.sites))
	b.t.sites = append(b.t.sites, st)
	if dst != none {
		b.t.cons = append(b.t.cons, constraint{kind: tAddr, dst: dst, aux: id})
	}
	return id
}

func (b *templateBuilder) instr(i int32, in *ir.Instr) {
	args := b.t.body.Args(in)
	for _, a := range args {
		if a.Kind() == ir.ValueGlobal {
			b.value(a) // so that its object exists whatever the instruction does
		}
	}
	dst := none
	if in.Dst != ir.None {
		dst = b.t.regs[in.Dst]
	}
	t := b.typ(in.Type)
	switch in.Op {
	case ir.OpPhi:
		for _, a := range args {
			src, _ := b.value(a)
			b.copyValue(dst, src, t)
		}
	case ir.OpCopy:
		src, _ := b.value(args[0])
		b.copyValue(dst, src, t)
	case ir.OpCast:
		b.cast(in, dst, args[0], t)
	case ir.OpConvert:
		if b.p.Type(b.p.Underlying(t)).Kind == ir.KindSlice {
			b.newSite(dst, b.arraySite(i, t))
		}
	case ir.OpExtract:
		b.extract(in, dst, args[0], t)
	case ir.OpElement, ir.OpSlice, ir.OpIndex, ir.OpOffset, ir.OpRange:
		// Elements share slots, so an element's address is the array's.
		src, _ := b.value(args[0])
		b.copyValue(dst, src, t)
	case ir.OpAlloc:
		if b.p.IsValue(t) {
			b.add(constraint{kind: tCopy, dst: dst, src: operand(^b.s.valueAddr(t))})
			return
		}
		b.newSite(dst, site{instr: i, kind: ObjectCell, typ: t, size: b.p.Layout(t).Size})
	case ir.OpField:
		src, _ := b.value(args[0])
		off, _, ok := b.p.FieldOf(b.f, ir.FieldID(in.Aux))
		if ok {
			b.add(constraint{kind: tGep, dst: dst, src: src, aux: off})
		}
	case ir.OpLoad:
		src, _ := b.value(args[0])
		b.loadValue(dst, src, 0, t)
	case ir.OpStore:
		addr, _ := b.value(args[0])
		src, _ := b.value(args[1])
		b.storeValue(addr, 0, src, t)
	case ir.OpAtomic:
		b.atomic(in, dst, args, t)
	case ir.OpMakeSlice:
		b.newSite(dst, b.arraySite(i, t))
	case ir.OpAppend:
		b.appendTo(i, dst, args, t)
	case ir.OpCopyRange:
		d, _ := b.value(args[0])
		src, _ := b.value(args[1])
		b.copyElems(d, src, t)
	case ir.OpMakeMap:
		b.newSite(dst, site{instr: i, kind: ObjectMap, typ: t, size: b.mapSize(t)})
	case ir.OpMakeChan:
		b.newSite(dst, site{instr: i, kind: ObjectChan, typ: t, size: 1 + b.p.Layout(b.p.Elem(t)).Size})
	case ir.OpMapGet, ir.OpMapSet, ir.OpNext:
		b.mapOp(in, dst, args, t)
	case ir.OpSend:
		ch, ct := b.value(args[0])
		v, _ := b.value(args[1])
		b.storeValue(ch, 1, v, b.p.Elem(ct))
	case ir.OpRecv:
		ch, ct := b.value(args[0])
		b.loadValue(dst, ch, 1, b.p.Elem(ct))
	case ir.OpSelect:
		b.selectOp(in, dst, args)
	case ir.OpClosure:
		b.closure(i, in, dst, args)
	case ir.OpBox:
		b.box(i, dst, args[0])
	case ir.OpAssert:
		b.assert(in, dst, args[0], t)
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
		b.call(i, in, dst, args, t)
	case ir.OpOnce:
		if args[1] != ir.NoValue {
			fn, ft := b.value(args[1])
			b.addCall(call{instr: i, op: ir.OpCallPtr, fn: fn, sig: b.signature(ft), dst: dst, dstT: t})
		}
	case ir.OpReturn:
		off := operand(b.t.ret)
		for k, a := range args {
			if k >= len(b.t.results) {
				break
			}
			src, _ := b.value(a)
			b.copyValue(off, src, b.t.results[k])
			off += operand(b.p.Layout(b.t.results[k]).Size)
		}
	}
}

func (b *templateBuilder) arraySite(i int32, sliceType link.TypeID) site {
	elem := b.p.Elem(sliceType)
	return site{instr: i, kind: ObjectArray, typ: elem, size: b.p.Layout(elem).Size}
}

func (b *templateBuilder) mapSize(t link.TypeID) int32 {
	u := b.p.Type(b.p.Underlying(t))
	return 1 + b.p.Layout(link.TypeID(u.Key)).Size + b.p.Layout(link.TypeID(u.Elem)).Size
}

func (b *templateBuilder) cast(in *ir.Instr, dst operand, arg ir.Value, t link.TypeID) {
	src, st := b.value(arg)
	to := b.p.Type(b.p.Underlying(t))
	from := b.p.Type(b.p.Underlying(st))
	if in.Flags&ir.FlagUnsafe != 0 && to.Kind == ir.KindPointer && to.Elem != 0 && from.Kind == ir.KindPointer && from.Elem == 0 {
		b.add(constraint{kind: tSame, dst: dst, src: src, aux: int32(to.Elem)})
		return
	}
	if to.Kind == ir.KindPointer && b.p.IsClass(link.TypeID(to.Elem)) {
		b.add(constraint{kind: tClass, dst: dst, src: src, aux: int32(to.Elem)})
		return
	}
	b.copyValue(dst, src, t)
}

func (b *templateBuilder) extract(in *ir.Instr, dst operand, arg ir.Value, t link.TypeID) {
	src, st := b.value(arg)
	if src == none {
		return
	}
	l := b.p.Layout(st)
	if int(in.Aux) >= len(l.Offsets) {
		return
	}
	b.copyValue(dst, src.at(l.Offsets[in.Aux]), t)
}

func (b *templateBuilder) atomic(in *ir.Instr, dst operand, args []ir.Value, t link.TypeID) {
	addr, _ := b.value(args[0])
	kind := ir.AtomicKind(in.Sub)
	switch kind {
	case ir.AtomicLoad, ir.AtomicSwap:
		b.loadValue(dst, addr, 0, t)
	}
	if kind == ir.AtomicStore || kind == ir.AtomicSwap || kind == ir.AtomicCAS {
		src, _ := b.value(args[len(args)-1])
		b.storeValue(addr, 0, src, t)
	}
}

func (b *templateBuilder) appendTo(i int32, dst operand, args []ir.Value, t link.TypeID) {
	old, _ := b.value(args[0])
	more, _ := b.value(args[1])
	b.copyValue(dst, old, t)
	b.newSite(dst, b.arraySite(i, t))
	elem := b.p.Elem(t)
	b.copyElems(dst, more, elem)
	b.copyElems(dst, old, elem)
}

// copyElems copies elements of type t between arrays.
func (b *templateBuilder) copyElems(dst, src operand, t link.TypeID) {
	if dst == none || src == none || dst == src {
		return
	}
	tmp := b.newSlots(t)
	b.loadValue(tmp, src, 0, t)
	b.storeValue(dst, 0, tmp, t)
}

func (b *templateBuilder) mapOp(in *ir.Instr, dst operand, args []ir.Value, t link.TypeID) {
	m, mt := b.value(args[0])
	u := b.p.Type(b.p.Underlying(mt))
	if u.Kind != ir.KindMap {
		return
	}
	key, elem := link.TypeID(u.Key), link.TypeID(u.Elem)
	keySize := b.p.Layout(key).Size
	switch in.Op {
	case ir.OpMapGet:
		b.loadValue(dst, m, 1+keySize, elem)
	case ir.OpMapSet:
		k, _ := b.value(args[1])
		v, _ := b.value(args[2])
		b.storeValue(m, 1, k, key)
		b.storeValue(m, 1+keySize, v, elem)
	case ir.OpNext:
		if dst == none {
			return
		}
		l := b.p.Layout(t)
		tt := b.p.Type(b.p.Underlying(t))
		if len(l.Offsets) > 1 && b.p.Layout(link.TypeID(tt.Elems[1])).Size == keySize {
			b.loadValue(dst.at(l.Offsets[1]), m, 1, key)
		}
		if len(l.Offsets) > 2 && b.p.Layout(link.TypeID(tt.Elems[2])).Size == b.p.Layout(elem).Size {
			b.loadValue(dst.at(l.Offsets[2]), m, 1+keySize, elem)
		}
	}
}

func (b *templateBuilder) selectOp(in *ir.Instr, dst operand, args []ir.Value) {
	consts := b.p.Unit(b.f).Consts
	rt := b.typ(in.Type)
	l := b.p.Layout(rt)
	received := 2
	for k := 0; k+2 < len(args); k += 3 {
		ch, ct := b.value(args[k+1])
		elem := b.p.Elem(ct)
		if c := args[k].Const(); c != ir.None && consts[c].Text == "1" {
			v, _ := b.value(args[k+2])
			b.storeValue(ch, 1, v, elem)
			continue
		}
		if dst != none && received < len(l.Offsets) {
			b.loadValue(dst.at(l.Offsets[received]), ch, 1, elem)
		}
		received++
	}
}

func (b *templateBuilder) closure(i int32, in *ir.Instr, dst operand, args []ir.Value) {
	callee := b.p.Callee(b.f, ir.FuncRefID(in.Aux))
	st := site{instr: i, kind: ObjectFunc, fn: callee}
	type capture struct {
		src operand
		off int32
		t   link.TypeID
	}
	caps := make([]capture, 0, len(args))
	for _, a := range args {
		src, t := b.value(a)
		caps = append(caps, capture{src, st.size, t})
		st.size += b.p.Layout(t).Size
	}
	if st.size == 0 {
		st.size = 1
	}
	id := b.newSite(dst, st)
	for _, c := range caps {
		b.initSite(id, c.off, c.src, c.t)
	}
}

// initSite copies a value into slots of a new object.
func (b *templateBuilder) initSite(id, off int32, src operand, t link.TypeID) {
	if src == none {
		return
	}
	for _, k := range b.p.Layout(t).Pointers {
		if s := src.at(k); s != none {
			b.t.cons = append(b.t.cons, constraint{kind: tInit, src: s, aux: id, aux2: off + k})
		}
	}
}

func (b *templateBuilder) box(i int32, dst operand, arg ir.Value) {
	src, t := b.value(arg)
	if dst == none {
		return
	}
	if b.p.Type(b.p.Underlying(t)).Kind == ir.KindInterface {
		b.copyValue(dst, src, t)
		return
	}
	if u := b.p.Type(b.p.Underlying(t)); u.Kind == ir.KindPointer && b.p.IsValue(link.TypeID(u.Elem)) {
		box := b.s.scalarBox(t)
		b.add(constraint{kind: tCopy, dst: dst, src: operand(^box)})
		b.s.fill(box, b.s.valueAddr(link.TypeID(u.Elem)))
		return
	}
	if len(b.p.Layout(t).Pointers) == 0 {
		// One box stands for all values of a type without addresses: boxes are
		// immutable, so nothing can race on them.
		b.add(constraint{kind: tCopy, dst: dst, src: operand(^b.s.scalarBox(t))})
		return
	}
	id := b.newSite(dst, site{instr: i, kind: ObjectBox, typ: t, size: b.p.Layout(t).Size})
	b.initSite(id, 0, src, t)
}

func (b *templateBuilder) assert(in *ir.Instr, dst operand, arg ir.Value, t link.TypeID) {
	src, _ := b.value(arg)
	if in.Flags&ir.FlagOK != 0 {
		t = link.TypeID(b.p.Type(b.p.Underlying(t)).Elems[0])
	}
	if dst == none || src == none {
		return
	}
	if b.p.Type(b.p.Underlying(t)).Kind == ir.KindInterface {
		b.add(constraint{kind: tFilter, dst: dst, src: src, aux: int32(t)})
		return
	}
	for _, k := range b.p.Layout(t).Pointers {
		b.add(constraint{kind: tUnbox, dst: dst.at(k), src: src, aux: int32(t), aux2: k})
	}
}

func (b *templateBuilder) call(i int32, in *ir.Instr, dst operand, args []ir.Value, t link.TypeID) {
	c := call{instr: i, op: in.Op, how: ir.How(in.Sub), kind: in.Flags.Origin(), dst: dst, dstT: t, fn: none,
		maybe: in.Flags&ir.FlagMaybe != 0}
	if in.Flags&ir.FlagGroup != 0 {
		args = args[1:]
	}
	switch in.Op {
	case ir.OpCall:
		c.callee = b.p.Callee(b.f, ir.FuncRefID(in.Aux))
	case ir.OpInvoke:
		recv, rt := b.value(args[0])
		c.fn = recv
		c.method = b.p.MethodName(b.f, ir.MethodID(in.Aux))
		if k := b.p.Type(b.p.Underlying(rt)).Kind; k != ir.KindInterface && k != ir.KindInvalid && !b.p.IsClass(b.p.Elem(rt)) {
			// A type parameter that stands for a concrete type.
			if f := b.p.Method(rt, c.method); f != link.None {
				c.op, c.callee = ir.OpCall, f
			}
		}
	case ir.OpCallPtr:
		fn, ft := b.value(args[0])
		if fv := args[0].Func(); fv != ir.None {
			c.op, c.callee = ir.OpCall, b.p.Callee(b.f, fv)
		}
		c.fn = fn
		c.sig = b.signature(ft)
		args = args[1:]
	}
	for _, a := range args {
		o, _ := b.value(a)
		c.args = append(c.args, o)
	}
	b.addCall(c)
}

// signature is the type of the functions that a value of the given type can
// be; NoType if the value comes from a cell that holds anything.
func (b *templateBuilder) signature(t link.TypeID) link.TypeID {
	u := b.p.Underlying(t)
	if b.p.Type(u).Kind != ir.KindFunc {
		return link.NoType
	}
	return u
}

func (b *templateBuilder) addCall(c call) {
	b.t.calls = append(b.t.calls, c)
	b.t.cons = append(b.t.cons, constraint{kind: tCall, aux: int32(len(b.t.calls) - 1)})
}
