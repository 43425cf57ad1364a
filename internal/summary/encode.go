package summary

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/deadheat/deadheat/internal/ir"
)

// The encoded form of a summary: every list preceded by its length, numbers as
// varints, strings and paths by number with their text where they first
// appear. Equal summaries have equal encodings, whatever the IDs of their paths.

type encoder struct {
	t       *Paths
	buf     []byte
	strings map[string]uint64
	paths   map[Path]uint64
	frames  map[*Frame]uint64
	symbols []int32 // of the steps of paths, in order, possibly more than once
}

func newEncoder(t *Paths) *encoder {
	return &encoder{t: t, strings: make(map[string]uint64), paths: make(map[Path]uint64), frames: make(map[*Frame]uint64)}
}

func encode(t *Paths, s *Summary) []byte {
	e := newEncoder(t)
	e.summary(s)
	return e.buf
}

func (e *encoder) int(n int)   { e.buf = binary.AppendVarint(e.buf, int64(n)) }
func (e *encoder) byte(b byte) { e.buf = append(e.buf, b) }
func (e *encoder) bool(b bool) {
	if b {
		e.byte(1)
	} else {
		e.byte(0)
	}
}

func (e *encoder) str(s string) {
	if n, ok := e.strings[s]; ok {
		e.buf = binary.AppendUvarint(e.buf, n)
		return
	}
	e.strings[s] = uint64(len(e.strings) + 1)
	e.byte(0)
	e.buf = binary.AppendUvarint(e.buf, uint64(len(s)))
	e.buf = append(e.buf, s...)
}

func (e *encoder) path(p Path) {
	if n, ok := e.paths[p]; ok {
		e.buf = binary.AppendUvarint(e.buf, n)
		return
	}
	e.paths[p] = uint64(len(e.paths) + 1)
	e.byte(0)
	if p == NoPath {
		e.int(0)
		return
	}
	steps := e.t.Steps(p)
	e.int(len(steps))
	for _, s := range steps {
		e.byte(byte(s.Kind))
		if s.Kind.named() {
			sym := e.t.Symbol(s)
			e.str(sym.Owner)
			e.str(sym.Name)
			e.symbols = append(e.symbols, s.N)
		} else {
			e.int(int(s.N))
		}
	}
}

func (e *encoder) pathList(list []Path) {
	e.int(len(list))
	for _, p := range list {
		e.path(p)
	}
}

func (e *encoder) pos(p Pos) {
	e.str(p.File)
	for _, n := range [...]int32{p.Line, p.Col, p.EndLine, p.EndCol} {
		e.int(int(n))
	}
}

func (e *encoder) held(list []Held) {
	e.int(len(list))
	for _, h := range list {
		e.path(h.Path)
		e.byte(byte(h.Mode))
		e.bool(h.Once)
		e.int(int(h.Depth))
		e.pos(h.Pos)
	}
}

func (e *encoder) frame(f *Frame) {
	if f == nil {
		e.int(-1)
		return
	}
	if n, ok := e.frames[f]; ok {
		e.int(int(n))
		return
	}
	e.int(0)
	e.str(f.Symbol)
	e.str(f.Name)
	e.str(f.Unit)
	e.pos(f.Pos)
	e.frame(f.Next)
	e.frames[f] = uint64(len(e.frames) + 1)
}

func (e *encoder) summary(s *Summary) {
	for _, text := range [...]string{s.Key, s.Symbol, s.Name, s.Unit, s.Recv} {
		e.str(text)
	}
	e.int(int(s.Flags))
	e.pos(s.Pos)
	e.int(len(s.Names))
	for _, n := range s.Names {
		e.str(n)
	}
	e.int(len(s.Accesses))
	for i := range s.Accesses {
		a := &s.Accesses[i]
		e.path(a.Path)
		e.byte(byte(a.Kind))
		e.held(a.Locks)
		e.pathList(a.Released)
		e.bool(a.Shared)
		e.int(int(a.Flags))
		e.int(len(a.After))
		for _, name := range a.After {
			e.str(name)
		}
		e.int(len(a.Before))
		for _, p := range a.Before {
			e.pos(p)
		}
		e.bool(a.Origin != nil)
		if o := a.Origin; o != nil {
			e.str(o.Func)
			e.pos(o.Pos)
			e.byte(byte(o.Kind))
			e.bool(o.Many)
		}
		e.frame(a.Chain)
	}
	e.held(s.Acquires)
	e.pathList(s.Releases)
	e.int(len(s.Conditional))
	for _, c := range s.Conditional {
		e.int(c.Result)
		e.byte(byte(c.When))
		e.held(c.Acquires)
	}
	e.returns(s.Returns)
	e.int(len(s.Stores))
	for _, st := range s.Stores {
		e.path(st.Place)
		e.path(st.Value)
	}
	e.int(len(s.Publishes))
	for _, k := range s.Publishes {
		e.int(k)
	}
	e.effects(s)
	e.pathList(s.Onces)
	e.bool(s.Signals)
	e.bool(s.Waits)
	e.bool(s.Truncated)
}

func (e *encoder) returns(list [][]Return) {
	e.int(len(list))
	for _, rs := range list {
		e.int(len(rs))
		for _, r := range rs {
			e.bool(r.Fresh)
			e.bool(r.Known)
			e.path(r.Path)
			e.str(r.Closure)
			e.pathList(r.Captures)
		}
	}
}

func (e *encoder) effects(s *Summary) {
	e.int(len(s.Callbacks))
	for _, c := range s.Callbacks {
		e.path(c.Path)
		e.held(c.Locks)
		e.pathList(c.Released)
		e.pos(c.Pos)
		e.bool(c.Spawned)
		e.path(c.Once)
	}
	e.int(len(s.Evidence))
	for _, v := range s.Evidence {
		e.byte(byte(v.Kind))
		e.str(v.Owner)
		e.str(v.Field)
		e.pos(v.Pos)
	}
	e.int(len(s.Calls))
	for _, c := range s.Calls {
		e.str(c.Callee)
		e.bool(c.Locked)
		e.bool(c.Owned)
	}
}

var errCorrupt = errors.New("damaged summary")

// decoder reads what encoder wrote. Input is not trusted: every number is
// checked before it is used.
type decoder struct {
	t       *Paths
	buf     []byte
	strings []string
	paths   []Path
	frames  []*Frame
	symbols []int32 // as the encoder lists them
	err     error
}

func decode(t *Paths, data []byte) (*Summary, error) {
	d := &decoder{t: t, buf: data}
	s := d.summary()
	if d.err == nil && len(d.buf) > 0 {
		d.fail("%d bytes too many", len(d.buf))
	}
	return s, d.err
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf("%w: %s", errCorrupt, fmt.Sprintf(format, args...))
	}
	d.buf = nil
}

func (d *decoder) uint() uint64 {
	n, k := binary.Uvarint(d.buf)
	if k <= 0 {
		d.fail("bad number")
		return 0
	}
	d.buf = d.buf[k:]
	return n
}

func (d *decoder) int() int {
	n, k := binary.Varint(d.buf)
	if k <= 0 || n != int64(int32(n)) {
		d.fail("bad number")
		return 0
	}
	d.buf = d.buf[k:]
	return int(n)
}

// len reads a length; every element takes a byte at least.
func (d *decoder) len() int {
	n := d.int()
	if n < 0 || n > len(d.buf) {
		d.fail("length %d", n)
		return 0
	}
	return n
}

func (d *decoder) byte() byte {
	if len(d.buf) == 0 {
		d.fail("too short")
		return 0
	}
	b := d.buf[0]
	d.buf = d.buf[1:]
	return b
}

func (d *decoder) bool() bool { return d.byte() != 0 }

func (d *decoder) str() string {
	n := d.uint()
	if n > 0 {
		if n > uint64(len(d.strings)) {
			d.fail("string %d", n)
			return ""
		}
		return d.strings[n-1]
	}
	size := d.uint()
	if size > uint64(len(d.buf)) {
		d.fail("string of %d bytes", size)
		return ""
	}
	s := string(d.buf[:size])
	d.buf = d.buf[size:]
	d.strings = append(d.strings, s)
	return s
}

func (d *decoder) path() Path {
	n := d.uint()
	if n > 0 {
		if n > uint64(len(d.paths)) {
			d.fail("path %d", n)
			return NoPath
		}
		return d.paths[n-1]
	}
	k := len(d.paths)
	d.paths = append(d.paths, NoPath)
	count := d.len()
	if count > maxSteps {
		d.fail("path of %d steps", count)
		return NoPath
	}
	steps := make([]Step, count)
	for i := range steps {
		switch k := Kind(d.byte()); {
		case k > As:
			d.fail("step of kind %d", k)
		case k.named():
			steps[i] = Step{Kind: k, N: d.t.symbol(Symbol{d.str(), d.str()})}
			d.symbols = append(d.symbols, steps[i].N)
		default:
			steps[i] = Step{Kind: k, N: int32(d.int())}
		}
	}
	if d.err == nil {
		d.paths[k] = d.t.Make(steps)
	}
	return d.paths[k]
}

func (d *decoder) pathList() []Path {
	var list []Path
	for n := d.len(); n > 0 && d.err == nil; n-- {
		list = append(list, d.path())
	}
	return list
}

func (d *decoder) pos() Pos {
	p := Pos{File: d.str()}
	for _, n := range [...]*int32{&p.Line, &p.Col, &p.EndLine, &p.EndCol} {
		*n = int32(d.int())
	}
	return p
}

func (d *decoder) held() []Held {
	var list []Held
	for n := d.len(); n > 0 && d.err == nil; n-- {
		list = append(list, Held{Path: d.path(), Mode: ir.Mode(d.byte() & 1), Once: d.bool(), Depth: int8(d.int()), Pos: d.pos()})
	}
	return list
}

func (d *decoder) frame(depth int) *Frame {
	n := d.int()
	switch {
	case n < 0:
		return nil
	case n > 0:
		if n > len(d.frames) {
			d.fail("frame %d", n)
			return nil
		}
		return d.frames[n-1]
	case depth > 2*maxChain:
		d.fail("chain too long")
		return nil
	}
	f := &Frame{Symbol: d.str(), Name: d.str(), Unit: d.str(), Pos: d.pos()}
	f.Next = d.frame(depth + 1)
	f.depth = int32(f.Next.Depth()) + 1
	d.frames = append(d.frames, f)
	return f
}

func (d *decoder) summary() *Summary {
	s := &Summary{Key: d.str(), Symbol: d.str(), Name: d.str(), Unit: d.str(), Recv: d.str()}
	s.Flags = ir.FuncFlags(d.int())
	s.Pos = d.pos()
	for n := d.len(); n > 0 && d.err == nil; n-- {
		s.Names = append(s.Names, d.str())
	}
	for n := d.len(); n > 0 && d.err == nil; n-- {
		s.Accesses = append(s.Accesses, d.access())
	}
	s.Acquires = d.held()
	s.Releases = d.pathList()
	for n := d.len(); n > 0 && d.err == nil; n-- {
		s.Conditional = append(s.Conditional, Conditional{Result: d.int(), When: Outcome(d.byte()), Acquires: d.held()})
	}
	for n := d.len(); n > 0 && d.err == nil; n-- {
		var rs []Return
		for m := d.len(); m > 0 && d.err == nil; m-- {
			rs = append(rs, Return{Fresh: d.bool(), Known: d.bool(), Path: d.path(), Closure: d.str(), Captures: d.pathList()})
		}
		s.Returns = append(s.Returns, rs)
	}
	for n := d.len(); n > 0 && d.err == nil; n-- {
		s.Stores = append(s.Stores, Store{Place: d.path(), Value: d.path()})
	}
	for n := d.len(); n > 0 && d.err == nil; n-- {
		s.Publishes = append(s.Publishes, d.int())
	}
	d.effects(s)
	s.Onces = d.pathList()
	s.Signals, s.Waits, s.Truncated = d.bool(), d.bool(), d.bool()
	return s
}

func (d *decoder) access() Access {
	a := Access{Path: d.path(), Kind: AccessKind(d.byte() & 3), Locks: d.held(), Released: d.pathList(), Shared: d.bool(), Flags: AccessFlags(d.int())}
	for n := d.len(); n > 0 && d.err == nil; n-- {
		a.After = append(a.After, d.str())
	}
	for n := d.len(); n > 0 && d.err == nil; n-- {
		a.Before = append(a.Before, d.pos())
	}
	if d.bool() {
		a.Origin = &Spawn{Func: d.str(), Pos: d.pos(), Kind: ir.OriginKind(d.byte()), Many: d.bool()}
	}
	a.Chain = d.frame(0)
	if a.Path == NoPath || a.Chain == nil {
		d.fail("an access without path or place")
	}
	return a
}

func (d *decoder) effects(s *Summary) {
	for n := d.len(); n > 0 && d.err == nil; n-- {
		s.Callbacks = append(s.Callbacks, Callback{Path: d.path(), Locks: d.held(), Released: d.pathList(), Pos: d.pos(), Spawned: d.bool(), Once: d.path()})
	}
	for n := d.len(); n > 0 && d.err == nil; n-- {
		s.Evidence = append(s.Evidence, Evidence{Kind: EvidenceKind(d.byte()), Owner: d.str(), Field: d.str(), Pos: d.pos()})
	}
	for n := d.len(); n > 0 && d.err == nil; n-- {
		s.Calls = append(s.Calls, CallSite{Callee: d.str(), Locked: d.bool(), Owned: d.bool()})
	}
}
