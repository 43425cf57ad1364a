package ir

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Decode reads the binary form of a unit. Bodies stay encoded until Unit.Body
// asks for one; they alias data, which must not change any more.
//
// Whatever data holds, Decode returns a unit whose indices are in range or an
// error, and takes memory in proportion to it. The result has not been checked
// in any other way.
func Decode(data []byte) (*Unit, error) {
	d := &decoder{data: data}
	u := d.unit()
	if d.err != nil {
		return nil, fmt.Errorf("ir: decode at byte %d of %d: %w", d.off, len(data), d.err)
	}
	return u, nil
}

var (
	errShort   = errors.New("unexpected end")
	errNumber  = errors.New("malformed number")
	errCount   = errors.New("count is larger than the data")
	errRange   = errors.New("index is out of range")
	errOrder   = errors.New("type mentions a later one")
	errTrailer = errors.New("data goes on after the end")
)

// decoder reads numbers until the first error; after it they are all zero.
type decoder struct {
	data []byte
	off  int
	err  error
	u    *Unit
	pos  posCoder

	// What is left of the slices that entries of the type table share.
	ids     []TypeID
	fields  []Field
	methods []Method
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err = err
	}
}

func (d *decoder) uint() uint64 {
	if d.off < len(d.data) && d.data[d.off] < 0x80 && d.err == nil {
		d.off++
		return uint64(d.data[d.off-1])
	}
	return d.longUint()
}

func (d *decoder) longUint() uint64 {
	if d.err != nil {
		return 0
	}
	n, size := binary.Uvarint(d.data[d.off:])
	if size <= 0 {
		d.fail(errShort)
		if size < 0 {
			d.err = errNumber
		}
		return 0
	}
	d.off += size
	return n
}

func (d *decoder) int() int64 { return unzigzag(d.uint()) }

// bounded reads a number below a limit.
func (d *decoder) bounded(limit int) int {
	n := d.uint()
	if n >= uint64(limit) {
		d.fail(errRange)
		return 0
	}
	return int(n)
}

// count reads how many things follow, each of at least size bytes.
func (d *decoder) count(size int) int {
	n := d.uint()
	if n > uint64(len(d.data)-d.off)/uint64(size) {
		d.fail(errCount)
		return 0
	}
	return int(n)
}

// index reads an index below a limit, or None.
func (d *decoder) index(limit int) int32 {
	n := d.uint()
	if n > uint64(limit) {
		d.fail(errRange)
		return None
	}
	return int32(int64(n) - 1)
}

func (d *decoder) str() string {
	i := d.uint()
	if i >= uint64(len(d.u.strings)) {
		d.fail(errRange)
		return ""
	}
	return d.u.strings[i]
}

func (d *decoder) strList() []string {
	n := d.count(1)
	if n == 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = d.str()
	}
	return list
}

func (d *decoder) typeID() TypeID { return TypeID(d.bounded(len(d.u.Types))) }

func (d *decoder) typeIDs() []TypeID {
	n := d.count(1)
	if n == 0 {
		return nil
	}
	list := make([]TypeID, n)
	for i := range list {
		list[i] = d.typeID()
	}
	return list
}

func (d *decoder) place() Pos { return d.pos.read(d) }

func (d *decoder) unit() *Unit {
	u := &Unit{}
	d.u = u
	if len(d.data) < len(encodingMagic) || string(d.data[:len(encodingMagic)]) != encodingMagic {
		d.fail(errors.New("not an encoded unit"))
		return nil
	}
	d.off = len(encodingMagic)
	if v := d.uint(); v != EncodingVersion {
		d.fail(fmt.Errorf("encoding version is %d, want %d", v, EncodingVersion))
		return nil
	}
	d.strings()
	u.Path = d.str()
	u.Lang = Lang(d.bounded(len(langNames)))
	if n := d.count(2); n > 0 {
		u.Files = make([]File, n)
		for i := range u.Files {
			path, flags := d.str(), d.uint()
			u.Files[i] = File{Path: path, Generated: flags&1 != 0, Test: flags&2 != 0}
		}
	}
	d.types()
	d.refs()
	d.typeDecls()
	d.globals()
	u.Imports = d.strList()
	d.notes()
	init := d.uint()
	d.functions()
	if init > uint64(len(u.Funcs)) {
		d.fail(errRange)
	}
	u.Init = FuncID(init) - 1
	if d.err == nil && d.off != len(d.data) {
		d.fail(errTrailer)
	}
	return u
}

// strings reads the string table. All strings share one copy of their bytes.
func (d *decoder) strings() {
	n := d.count(1)
	size := d.count(1)
	if d.err != nil {
		return
	}
	d.u.strings = make([]string, n)
	lengths := *d
	for range n {
		d.uint()
	}
	if d.err != nil || size > len(d.data)-d.off {
		d.fail(errShort)
		return
	}
	all := string(d.data[d.off : d.off+size])
	d.off += size
	for i := range d.u.strings {
		k := lengths.uint()
		if k > uint64(len(all)) {
			d.fail(errCount)
			return
		}
		d.u.strings[i], all = all[:k], all[k:]
	}
}

func (d *decoder) types() {
	n := d.count(5)
	d.ids = make([]TypeID, d.count(1))
	d.fields = make([]Field, d.count(4))
	d.methods = make([]Method, d.count(2))
	d.u.Types = make([]Type, 1, n+1)
	for range n {
		t := d.typ()
		if d.err != nil {
			return
		}
		d.u.Types = append(d.u.Types, t)
	}
}

// typ reads an entry of the type table. Its parts come before it, so that the
// entries read so far are the ones it may mention.
func (d *decoder) typ() Type {
	head := d.uint()
	t := Type{
		Kind:     TypeKind(head & typeKindMask),
		Dir:      ChanDir(head >> typeDirShift & 3),
		Variadic: head&typeVariadic != 0,
		Elem:     d.part(),
		Key:      d.part(),
		Len:      d.int(),
		Name:     d.str(),
	}
	if t.Kind > KindParam || t.Dir > ChanRecv {
		d.fail(errRange)
	}
	if head&typeLists == 0 {
		return t
	}
	t.Elems, t.Results = d.parts(), d.parts()
	t.Fields = take(d, &d.fields, 4)
	for i := range t.Fields {
		t.Fields[i] = Field{Name: d.str(), Type: d.part(), Offset: d.int(), Flags: FieldFlags(d.bounded(1 << 8))}
	}
	t.Methods = take(d, &d.methods, 2)
	for i := range t.Methods {
		t.Methods[i] = Method{Name: d.str(), Sig: d.part()}
	}
	return t
}

func (d *decoder) part() TypeID {
	n := d.uint()
	if n >= uint64(len(d.u.Types)) {
		d.fail(errOrder)
		return 0
	}
	return TypeID(n)
}

func (d *decoder) parts() []TypeID {
	list := take(d, &d.ids, 1)
	for i := range list {
		list[i] = d.part()
	}
	return list
}

// take reads a length and cuts a slice of that length off a shared one.
func take[T any](d *decoder, shared *[]T, size int) []T {
	n := d.count(size)
	if n > len(*shared) {
		d.fail(errCount)
		n = 0
	}
	if n == 0 {
		return nil
	}
	s := (*shared)[:n:n]
	*shared = (*shared)[n:]
	return s
}

// refs reads the tables other than types.
func (d *decoder) refs() {
	u := d.u
	if n := d.count(3); n > 0 {
		u.Fields = make([]FieldRef, n)
		for i := range u.Fields {
			u.Fields[i] = FieldRef{Struct: d.typeID(), Name: d.str(), Index: d.index(math.MaxInt32 - 1)}
		}
	}
	if n := d.count(2); n > 0 {
		u.FuncRefs = make([]FuncRef, n)
		for i := range u.FuncRefs {
			u.FuncRefs[i] = FuncRef{Symbol: d.str(), Args: d.typeIDs()}
		}
	}
	u.GlobalRefs = d.strList()
	if n := d.count(2); n > 0 {
		u.Consts = make([]Const, n)
		for i := range u.Consts {
			u.Consts[i] = Const{Type: d.typeID(), Text: d.str()}
		}
	}
	if n := d.count(2); n > 0 {
		u.Methods = make([]Method, n)
		for i := range u.Methods {
			u.Methods[i] = Method{Name: d.str(), Sig: d.typeID()}
		}
	}
}

func (d *decoder) typeDecls() {
	n := d.count(7)
	if n == 0 {
		return
	}
	d.u.TypeDecls = make([]TypeDecl, n)
	for i := range d.u.TypeDecls {
		t := &d.u.TypeDecls[i]
		t.Symbol = d.str()
		t.Params = d.strList()
		t.Underlying = d.typeID()
		t.Supers = d.typeIDs()
		if n := d.count(3); n > 0 {
			t.Methods = make([]MethodDecl, n)
			for j := range t.Methods {
				name, fn, flags := d.str(), d.str(), d.uint()
				t.Methods[j] = MethodDecl{Name: name, Func: fn, Pointer: flags&1 != 0, Static: flags&2 != 0}
			}
		}
		t.Flags = TypeFlags(d.bounded(1 << 8))
		t.Pos = d.place()
	}
}

func (d *decoder) globals() {
	n := d.count(4)
	if n == 0 {
		return
	}
	d.u.Globals = make([]Global, n)
	for i := range d.u.Globals {
		d.u.Globals[i] = Global{Symbol: d.str(), Type: d.typeID(), Flags: GlobalFlags(d.bounded(1 << 8)), Pos: d.place()}
	}
}

// notes reads aliases, annotations and limits.
func (d *decoder) notes() {
	u := d.u
	if n := d.count(2); n > 0 {
		u.Aliases = make([]Alias, n)
		for i := range u.Aliases {
			u.Aliases[i] = Alias{Symbol: d.str(), Target: d.str()}
		}
	}
	if n := d.count(3); n > 0 {
		u.Annotations = make([]Annotation, n)
		for i := range u.Annotations {
			u.Annotations[i] = Annotation{Target: d.str(), Text: d.str(), Pos: d.place()}
		}
	}
	if n := d.count(4); n > 0 {
		u.Limits = make([]Limit, n)
		for i := range u.Limits {
			u.Limits[i] = Limit{Kind: d.str(), Symbol: d.str(), Text: d.str(), Pos: d.place()}
		}
	}
}

// functions reads the headers and cuts the bodies, which follow them.
func (d *decoder) functions() {
	n := d.count(9)
	if n == 0 {
		return
	}
	u := d.u
	u.Funcs = make([]Func, n)
	lengths := make([]int, n)
	for i := range u.Funcs {
		f := &u.Funcs[i]
		f.Symbol = d.str()
		f.Name = d.str()
		f.Sig = d.typeID()
		f.TypeParams = d.strList()
		f.Parent = FuncID(d.index(n))
		f.Flags = FuncFlags(d.bounded(1 << 16))
		f.Pos = d.place()
		f.End = d.place()
		lengths[i] = d.count(1)
	}
	for i, length := range lengths {
		if length > len(d.data)-d.off {
			d.fail(errShort)
		}
		if d.err != nil {
			return
		}
		if length > 0 {
			u.Funcs[i].encoded = d.data[d.off : d.off+length : d.off+length]
			d.off += length
		}
	}
}
