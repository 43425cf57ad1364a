package summary

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/deadheat/deadheat/internal/ir"
)

// Cache keeps summaries from one run to the next, as one pack of bytes for each
// unit. Its methods may be called from several goroutines. What Load returns is
// not trusted: entries of a pack are found by a key of everything they depend
// on, and a damaged pack holds nothing.
type Cache interface {
	Load(unit string) []byte // nil if there is none
	Save(unit string, pack []byte)
}

// digest names content.
type digest [sha256.Size]byte

// packs are the cached summaries of a run, by unit. A component that spans
// units is kept with its first function.
type packs struct {
	cache Cache
	mu    sync.Mutex
	units map[string]*pack // guarded by mu
}

// pack holds the summaries of one unit: those of the last run, and those of
// this one.
type pack struct {
	once    sync.Once
	old     map[digest][]byte // set by once
	damaged bool              // set by once

	mu    sync.Mutex
	kept  []entry // guarded by mu
	added bool    // guarded by mu; some entry is not among the old ones
}

type entry struct {
	key  digest
	data []byte
}

func (ps *packs) of(unit string) *pack {
	ps.mu.Lock()
	p := ps.units[unit]
	if p == nil {
		p = new(pack)
		ps.units[unit] = p
	}
	ps.mu.Unlock()
	p.once.Do(func() { p.old, p.damaged = readPack(ps.cache.Load(unit)) })
	return p
}

func (p *pack) keep(key digest, data []byte, added bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = append(p.kept, entry{key, data})
	p.added = p.added || added
}

// save hands over the packs that differ from what was loaded.
func (ps *packs) save() {
	ps.mu.Lock()
	defer ps.mu.Unlock()
	for unit, p := range ps.units {
		p.mu.Lock()
		if p.added || p.damaged || len(p.kept) != len(p.old) {
			ps.cache.Save(unit, writePack(p.kept))
		}
		p.mu.Unlock()
	}
}

// packVersion changes with the form of a pack, of a key, or of a summary, and with
// the rules by which summaries are made.
const packVersion = 3

func writePack(list []entry) []byte {
	slices.SortFunc(list, func(a, b entry) int { return bytes.Compare(a.key[:], b.key[:]) })
	out := []byte{packVersion}
	out = binary.AppendUvarint(out, uint64(len(list)))
	for _, e := range list {
		out = append(out, e.key[:]...)
		out = binary.AppendUvarint(out, uint64(len(e.data)))
		out = append(out, e.data...)
	}
	return out
}

// readPack returns the entries of a pack, and whether there was one that cannot
// be read.
func readPack(data []byte) (entries map[digest][]byte, damaged bool) {
	if len(data) == 0 {
		return nil, false
	}
	if data[0] != packVersion {
		return nil, true
	}
	data = data[1:]
	n, k := binary.Uvarint(data)
	if k <= 0 || n > uint64(len(data)) {
		return nil, true
	}
	data = data[k:]
	entries = make(map[digest][]byte, n)
	for range n {
		if len(data) < len(digest{}) {
			return nil, true
		}
		key := digest(data[:len(digest{})])
		data = data[len(key):]
		size, k := binary.Uvarint(data)
		if k <= 0 || size > uint64(len(data)-k) {
			return nil, true
		}
		entries[key] = data[k : k+int(size) : k+int(size)]
		data = data[k+int(size):]
	}
	return entries, len(data) > 0
}

// reuse fills in the summaries of a component from the cache. If it cannot, it
// returns the pack and key under which to keep them.
func (a *analysis) reuse(scc []int32) (p *pack, key digest, done bool) {
	p = a.packs.of(a.prog.codes[scc[0]].unit.Path)
	key = a.key(scc)
	data, ok := p.old[key]
	if !ok {
		return p, key, false
	}
	parts, sums := a.readMembers(scc, data)
	if sums == nil {
		return p, key, false
	}
	for i, id := range scc {
		a.sums[id] = sums[i]
	}
	a.noteTouched(scc)
	a.name(scc, parts)
	p.keep(key, data, false)
	return p, key, true
}

// readMembers decodes the summaries of a component.
func (a *analysis) readMembers(scc []int32, data []byte) ([]member, []*Summary) {
	parts := make([]member, len(scc))
	sums := make([]*Summary, len(scc))
	for i, id := range scc {
		size, k := binary.Uvarint(data)
		if k <= 0 || size > uint64(len(data)-k) {
			return nil, nil
		}
		parts[i].data = data[k : k+int(size)]
		data = data[k+int(size):]
		d := &decoder{t: a.paths, buf: parts[i].data}
		sums[i] = d.summary()
		if d.err != nil || len(d.buf) > 0 || sums[i].Key != a.prog.codes[id].key {
			return nil, nil
		}
		parts[i].symbols = d.symbols
	}
	return parts, sums
}

// remember keeps the summaries of a component that was computed.
func (a *analysis) remember(scc []int32, p *pack, key digest) {
	parts := make([]member, len(scc))
	var data []byte
	for i, id := range scc {
		e := newEncoder(a.paths)
		e.summary(a.sums[id])
		parts[i] = member{e.buf, e.symbols}
		data = binary.AppendUvarint(data, uint64(len(e.buf)))
		data = append(data, e.buf...)
	}
	a.name(scc, parts)
	p.keep(key, data, true)
}

// member is an encoded summary with the symbols that its paths go through.
type member struct {
	data    []byte
	symbols []int32
}

// name computes the digests by which callers know the summaries of a component:
// of their contents, of what is relevant about the symbols they mention, and of
// the closures they return, which callers may run.
func (a *analysis) name(scc []int32, parts []member) {
	own := make([]digest, len(scc))
	for i := range parts {
		bits := slices.Clone(parts[i].data)
		for _, s := range parts[i].symbols {
			bits = append(bits, a.keep.bits(s))
		}
		own[i] = sha256.Sum256(bits)
	}
	for i, id := range scc {
		//deadheat:ignore race callees are named before their callers begin
		a.digests[id] = own[i]
	}
	for i, id := range scc {
		var more []byte
		for _, rs := range a.sums[id].Returns {
			for _, r := range rs {
				to, ok := a.byKey[r.Closure]
				if r.Closure == "" || !ok {
					continue
				}
				if _, same := slices.BinarySearch(scc, to); same {
					for j := range own {
						more = append(more, own[j][:]...)
					}
				} else {
					more = append(more, a.digests[to][:]...)
				}
			}
		}
		if len(more) > 0 {
			a.digests[id] = sha256.Sum256(append(more, own[i][:]...))
		}
	}
}

// bits says what is relevant about a symbol.
func (r *relevance) bits(s int32) byte {
	b := byte(0)
	for k, list := range [...][]bool{r.evident, r.direct, r.reached, r.ownScope, r.chanLock} {
		if int(s) < len(list) && list[s] {
			b |= 1 << k
		}
	}
	return b
}

// key names the summaries of a component by all that they are computed from:
// the code of its functions as resolved, and the digests of what they call.
func (a *analysis) key(scc []int32) digest {
	w := &coder{a: a, scc: scc, strings: make(map[string]uint64)}
	w.int(int64(len(scc)))
	w.bool(a.keep.all)
	w.bool(a.sound)
	for _, id := range scc {
		w.code(a.prog.codes[id])
	}
	return sha256.Sum256(w.buf)
}

// coder spells code without any number that depends on the rest of the program.
type coder struct {
	a       *analysis
	scc     []int32
	buf     []byte
	strings map[string]uint64
}

func (w *coder) int(n int64) { w.buf = binary.AppendVarint(w.buf, n) }
func (w *coder) byte(b byte) { w.buf = append(w.buf, b) }
func (w *coder) bool(b bool) { w.byte(boolByte(b)) }

func (w *coder) pos(p Pos) {
	w.str(p.File)
	w.ints(int64(p.Line), int64(p.Col), int64(p.EndLine), int64(p.EndCol))
}

func (w *coder) ints(n ...int64) {
	for _, x := range n {
		w.int(x)
	}
}

func (w *coder) str(s string) {
	if n, ok := w.strings[s]; ok {
		w.buf = binary.AppendUvarint(w.buf, n)
		return
	}
	w.strings[s] = uint64(len(w.strings) + 1)
	w.byte(0)
	w.buf = binary.AppendUvarint(w.buf, uint64(len(s)))
	w.buf = append(w.buf, s...)
}

func (w *coder) step(s Step) {
	w.byte(byte(s.Kind))
	if !s.Kind.named() {
		w.int(int64(s.N))
		return
	}
	sym := w.a.paths.Symbol(s)
	w.str(sym.Owner)
	w.str(sym.Name)
	w.byte(w.a.keep.bits(s.N))
}

// target names a function that is called or mentioned.
func (w *coder) target(id int32) {
	if id < 0 {
		w.byte(0)
		return
	}
	if k, same := slices.BinarySearch(w.scc, id); same {
		w.byte(1)
		w.int(int64(k))
		return
	}
	w.byte(2)
	w.str(w.a.prog.codes[id].key)
	w.buf = append(w.buf, w.a.digests[id][:]...)
}

func (w *coder) code(c *code) {
	for _, s := range [...]string{c.key, c.symbol, c.name, c.unit.Path, c.recv} {
		w.str(s)
	}
	w.int(int64(c.flags))
	w.pos(c.pos)
	if c.body == nil {
		w.byte(0)
		return
	}
	b := c.body
	w.ints(1, int64(b.Params), int64(b.Captures), int64(len(b.Regs)), int64(len(b.Blocks)), int64(len(b.Instrs)), int64(len(c.ops)))
	for i := int32(0); i < b.Params; i++ {
		w.str(b.Regs[i].Name)
	}
	for i := range b.Blocks {
		blk := ir.BlockID(i)
		w.ints(int64(b.Blocks[i].First), int64(b.Blocks[i].End))
		for _, list := range [...][]ir.BlockID{b.Succs(blk), b.Preds(blk), b.Handlers(blk)} {
			w.int(int64(len(list)))
			for _, to := range list {
				w.int(int64(to))
			}
		}
	}
	for i := range b.Instrs {
		w.instr(c, int32(i))
	}
	w.int(int64(len(c.weak)))
	for _, id := range c.weak {
		w.target(id)
	}
	w.int(int64(len(c.onces)))
	for _, s := range c.onces {
		w.step(s)
	}
	for i := range c.ops {
		op := &c.ops[i]
		w.ints(int64(op.instr), int64(op.kind), int64(op.flags), int64(len(op.tail)))
		w.value(c, op.addr)
		for _, s := range op.tail {
			w.step(s)
		}
	}
}

func (w *coder) instr(c *code, i int32) {
	in := &c.body.Instrs[i]
	w.byte(byte(in.Op))
	w.byte(in.Sub)
	w.ints(int64(in.Flags), int64(in.Dst))
	w.pos(place(c.unit, c.body.Pos[i]))
	t := &c.unit.Types[in.Type]
	w.byte(byte(t.Kind))
	w.bool(t.Name == "error")
	if in.Op == ir.OpExtract {
		w.int(int64(in.Aux))
	}
	args := c.body.Args(in)
	w.int(int64(len(args)))
	for _, v := range args {
		w.value(c, v)
	}
	if s, ok := c.steps[i]; ok {
		w.byte(1)
		w.step(s)
	}
	if s, ok := c.boxes[i]; ok {
		w.byte(2)
		w.step(s)
	}
	if class, ok := c.classes[i]; ok {
		w.byte(4)
		w.str(class)
	}
	if ids, ok := c.calls[i]; ok {
		w.byte(3)
		w.bool(c.open[i])
		w.int(int64(len(ids)))
		for _, id := range ids {
			w.target(id)
		}
	}
	w.byte(0)
}

func (w *coder) value(c *code, v ir.Value) {
	w.byte(byte(v.Kind()))
	switch v.Kind() {
	case ir.ValueReg:
		w.int(int64(v.Reg()))
	case ir.ValueConst:
		w.str(c.unit.Consts[v.Const()].Text)
	case ir.ValueGlobal:
		if s, ok := c.globals[v]; ok {
			w.step(s)
		}
	case ir.ValueFunc:
		if id, ok := c.funcs[v]; ok {
			w.target(id)
		}
	}
}
