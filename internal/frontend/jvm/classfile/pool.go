package classfile

// Tags of the constant pool (JVMS table 4.4-A).
const (
	tagUTF8               = 1
	tagInteger            = 3
	tagFloat              = 4
	tagLong               = 5
	tagDouble             = 6
	tagClass              = 7
	tagString             = 8
	tagFieldref           = 9
	tagMethodref          = 10
	tagInterfaceMethodref = 11
	tagNameAndType        = 12
	tagMethodHandle       = 15
	tagMethodType         = 16
	tagDynamic            = 17
	tagInvokeDynamic      = 18
	tagModule             = 19
	tagPackage            = 20
)

// tagSize has the bytes that follow each tag; 0 means there is no such tag.
var tagSize = [...]uint8{
	tagUTF8: 2, tagInteger: 4, tagFloat: 4, tagLong: 8, tagDouble: 8, tagClass: 2, tagString: 2, tagFieldref: 4, tagMethodref: 4,
	tagInterfaceMethodref: 4, tagNameAndType: 4, tagMethodHandle: 3, tagMethodType: 2, tagDynamic: 4, tagInvokeDynamic: 4, tagModule: 2, tagPackage: 2,
}

// pool is the constant pool. Only the place of each entry is found at first;
// what an entry means is resolved when asked for, and kept.
type pool struct {
	b        []byte
	offs     []uint32  // of the tag of each entry; 0 for entries that are none
	strs     []string  // of UTF-8 entries that were asked for
	members  []*Member // likewise of references to fields and methods
	dynamics map[int]*Dynamic
	f        fault
}

// readPool steps over the constant pool.
func (p *pool) read(c *cursor) {
	at := c.off
	n := c.count(0)
	// An entry has three bytes at least, except that a long or double of nine
	// takes up two.
	if n == 0 || (n-1)*3 > c.end-c.off {
		c.f.fail(at, "constant pool of %d entries, %d bytes left", n, c.end-c.off)
		return
	}
	p.offs = make([]uint32, n)
	p.strs = make([]string, n)
	for i := 1; i < n && p.f.err == nil; i++ {
		at := c.off
		tag := c.u1()
		size := 0
		if tag < len(tagSize) {
			size = int(tagSize[tag])
		}
		if size == 0 {
			c.f.fail(at, "constant %d has the unknown tag %d", i, tag)
			return
		}
		p.offs[i] = uint32(at)
		switch tag {
		case tagUTF8:
			size = c.u2()
		case tagLong, tagDouble:
			i++
		}
		if c.need(size) {
			c.off += size
		}
	}
}

// at returns the offset of the contents of entry i, which must have the tag
// want, or 0 after failing. from is the place that named the entry.
func (p *pool) at(from, i, want int) int {
	if i <= 0 || i >= len(p.offs) || p.offs[i] == 0 {
		p.f.fail(from, "no constant %d", i)
		return 0
	}
	off := int(p.offs[i])
	if got := int(p.b[off]); got != want {
		p.f.fail(from, "constant %d has tag %d, want %d", i, got, want)
		return 0
	}
	return off + 1
}

// tag returns the tag of entry i, 0 if there is none.
func (p *pool) tag(i int) int {
	if i <= 0 || i >= len(p.offs) || p.offs[i] == 0 {
		return 0
	}
	return int(p.b[p.offs[i]])
}

func (p *pool) u2(off int) int { return int(p.b[off])<<8 | int(p.b[off+1]) }

func (p *pool) u4(off int) uint32 {
	return uint32(p.u2(off))<<16 | uint32(p.u2(off+2))
}

// utf8 returns the string of entry i.
func (p *pool) utf8(from, i int) string {
	if i > 0 && i < len(p.strs) && p.strs[i] != "" {
		return p.strs[i]
	}
	off := p.at(from, i, tagUTF8)
	if off == 0 {
		return ""
	}
	n := p.u2(off)
	s, bad := decodeUTF8(p.b[off+2 : off+2+n])
	if bad >= 0 {
		p.f.fail(off+2+bad, "constant %d is not modified UTF-8", i)
		return ""
	}
	p.strs[i] = s
	return s
}

// raw returns the bytes of a UTF-8 entry, to compare them without making a
// string.
func (p *pool) raw(from, i int) []byte {
	off := p.at(from, i, tagUTF8)
	if off == 0 {
		return nil
	}
	return p.b[off+2 : off+2+p.u2(off)]
}

// optional is utf8 with "" for entry 0.
func (p *pool) optional(from, i int) string {
	if i == 0 {
		return ""
	}
	return p.utf8(from, i)
}

// named returns the name that an entry of the tag refers to: a class, string,
// method type, module or package.
func (p *pool) named(from, i, tag int) string {
	off := p.at(from, i, tag)
	if off == 0 {
		return ""
	}
	return p.utf8(off, p.u2(off))
}

func (p *pool) class(from, i int) string {
	s := p.named(from, i, tagClass)
	if s == "" {
		p.f.fail(from, "constant %d is a class without a name", i)
	}
	return s
}

// optionalClass is class with "" for entry 0.
func (p *pool) optionalClass(from, i int) string {
	if i == 0 {
		return ""
	}
	return p.class(from, i)
}

func (p *pool) nameAndType(from, i int) (name, desc string) {
	off := p.at(from, i, tagNameAndType)
	if off == 0 {
		return "", ""
	}
	return p.utf8(off, p.u2(off)), p.utf8(off+2, p.u2(off+2))
}

// member returns the field or method that entry i refers to; it fails, and
// still returns one, if the entry is of another kind.
func (p *pool) member(from, i int, field bool) *Member {
	tag := p.tag(i)
	ok := tag == tagFieldref
	if !field {
		ok = tag == tagMethodref || tag == tagInterfaceMethodref
	}
	if !ok {
		p.f.fail(from, "constant %d has tag %d, want that of a field or method reference", i, tag)
		return &Member{}
	}
	if p.members == nil {
		p.members = make([]*Member, len(p.offs))
	}
	if m := p.members[i]; m != nil {
		return m
	}
	off := int(p.offs[i]) + 1
	name, desc := p.nameAndType(off+2, p.u2(off+2))
	m := &Member{Owner: p.class(off, p.u2(off)), Name: name, Desc: desc, Interface: tag == tagInterfaceMethodref}
	if p.f.err == nil {
		valid := validMethodDesc
		if field {
			valid = ValidType
		}
		if !valid(desc) {
			p.f.fail(from, "%s.%s has the descriptor %q", m.Owner, name, desc)
			return m
		}
		p.members[i] = m
	}
	return m
}

// dynamic returns what a dynamic constant or call site refers to.
func (p *pool) dynamic(from, i, tag int) *Dynamic {
	if d := p.dynamics[i]; d != nil && p.tag(i) == tag {
		return d
	}
	off := p.at(from, i, tag)
	if off == 0 {
		return &Dynamic{}
	}
	name, desc := p.nameAndType(off+2, p.u2(off+2))
	d := &Dynamic{Name: name, Desc: desc, Bootstrap: p.u2(off)}
	if p.f.err == nil {
		valid := validMethodDesc
		if tag == tagDynamic {
			valid = ValidType
		}
		if !valid(desc) {
			p.f.fail(from, "dynamic %s has the descriptor %q", name, desc)
			return d
		}
		if p.dynamics == nil {
			p.dynamics = map[int]*Dynamic{}
		}
		p.dynamics[i] = d
	}
	return d
}

func (p *pool) handle(from, i int) Handle {
	off := p.at(from, i, tagMethodHandle)
	if off == 0 {
		return Handle{Member: &Member{}}
	}
	kind := HandleKind(p.b[off])
	if kind < HandleGetField || kind > HandleInvokeInterface {
		p.f.fail(off, "method handle of unknown kind %d", kind)
	}
	return Handle{kind, p.member(off+1, p.u2(off+1), kind <= HandlePutStatic)}
}

// constant returns any entry that can be pushed or passed to a bootstrap method.
func (p *pool) constant(from, i int) Const {
	tag := p.tag(i)
	if tag == 0 {
		p.f.fail(from, "no constant %d", i)
		return Const{}
	}
	off := int(p.offs[i]) + 1
	switch tag {
	case tagInteger:
		return Const{Kind: ConstInt, Int: int64(int32(p.u4(off)))}
	case tagFloat:
		return Const{Kind: ConstFloat, Int: int64(p.u4(off))}
	case tagLong:
		return Const{Kind: ConstLong, Int: int64(uint64(p.u4(off))<<32 | uint64(p.u4(off+4)))}
	case tagDouble:
		return Const{Kind: ConstDouble, Int: int64(uint64(p.u4(off))<<32 | uint64(p.u4(off+4)))}
	case tagString:
		return Const{Kind: ConstString, Text: p.named(from, i, tagString)}
	case tagClass:
		return Const{Kind: ConstClass, Text: p.class(from, i)}
	case tagMethodType:
		k := Const{Kind: ConstMethodType, Text: p.named(from, i, tagMethodType)}
		if !validMethodDesc(k.Text) {
			p.f.fail(from, "method type %q", k.Text)
		}
		return k
	case tagMethodHandle:
		h := p.handle(from, i)
		return Const{Kind: ConstHandle, Handle: &h}
	case tagDynamic:
		return Const{Kind: ConstDynamic, Dynamic: p.dynamic(from, i, tagDynamic)}
	}
	p.f.fail(from, "constant %d of tag %d cannot be loaded", i, tag)
	return Const{}
}
