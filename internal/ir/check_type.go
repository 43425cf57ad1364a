package ir

import (
	"math"
	"strconv"
)

func isZeroType(t *Type) bool {
	return t.Kind == KindInvalid && t.Dir == 0 && !t.Variadic && t.Elem == 0 && t.Key == 0 && t.Len == 0 && t.Name == "" &&
		len(t.Elems)+len(t.Results)+len(t.Fields)+len(t.Methods) == 0
}

// types verifies the type table: each entry has what its kind needs and nothing
// else, mentions only entries before it, and equals none of them.
func (c *checker) types() {
	key := new(Builder)
	seen := make(map[string]bool, len(c.u.Types))
	depth := make([]int32, len(c.u.Types))
	for i := 1; i < len(c.u.Types); i++ {
		t := &c.u.Types[i]
		c.at = "type " + strconv.Itoa(i)
		c.kind(t)
		ok := true
		eachPart(t, func(id TypeID) {
			if id < 0 || int(id) >= i {
				c.failf("mentions type %d, which is not before it", id)
				ok = false
				return
			}
			depth[i] = max(depth[i], depth[id]+1)
		})
		if !ok {
			continue
		}
		if depth[i] > maxTypeDepth {
			c.failf("is nested more than %d deep", maxTypeDepth)
		}
		k := key.typeKey(t)
		c.unique(seen[string(k)])
		seen[string(k)] = true
	}
}

// eachPart visits the types that a type mentions.
func eachPart(t *Type, visit func(TypeID)) {
	visit(t.Elem)
	visit(t.Key)
	for _, id := range t.Elems {
		visit(id)
	}
	for _, id := range t.Results {
		visit(id)
	}
	for i := range t.Fields {
		visit(t.Fields[i].Type)
	}
	for i := range t.Methods {
		visit(t.Methods[i].Sig)
	}
}

// typeShape says which fields of a Type a kind uses.
type typeShape struct {
	name                        string
	elem, key, length           bool
	symbol, elems, results, dir bool
	fields, methods             bool
}

var typeShapes = [...]typeShape{
	KindBasic:     {name: "basic", symbol: true},
	KindPointer:   {name: "pointer", elem: true},
	KindStruct:    {name: "struct", fields: true},
	KindArray:     {name: "array", elem: true, length: true},
	KindSlice:     {name: "slice", elem: true},
	KindMap:       {name: "map", elem: true, key: true},
	KindChan:      {name: "chan", elem: true, dir: true},
	KindFunc:      {name: "func", elems: true, results: true},
	KindTuple:     {name: "tuple", elems: true},
	KindInterface: {name: "interface", methods: true},
	KindNamed:     {name: "named", symbol: true, elems: true},
	KindParam:     {name: "param", symbol: true, length: true},
}

// kind verifies an entry against the shape of its kind.
func (c *checker) kind(t *Type) {
	if t.Kind == KindInvalid || int(t.Kind) >= len(typeShapes) {
		c.failf("kind %d is unknown", t.Kind)
		return
	}
	s := &typeShapes[t.Kind]
	for _, part := range [...]struct {
		used, has bool
		what      string
	}{
		{s.elem, t.Elem != 0, "element"},
		{s.key, t.Key != 0, "key"},
		{s.length, t.Len != 0, "length"},
		{s.symbol, t.Name != "", "name"},
		{s.elems, len(t.Elems) > 0, "elements"},
		{s.results, len(t.Results) > 0, "results"},
		{s.results, t.Variadic, "variadic mark"},
		{s.dir, t.Dir != 0, "direction"},
		{s.fields, len(t.Fields) > 0, "fields"},
		{s.methods, len(t.Methods) > 0, "methods"},
	} {
		if part.has && !part.used {
			c.failf("%s type has %s", s.name, part.what)
		}
	}
	switch {
	case s.elem && t.Elem == 0 && t.Kind != KindPointer, s.key && t.Key == 0:
		c.failf("%s type lacks its element or key", s.name)
	case s.symbol && t.Name == "":
		c.failf("%s type lacks its name", s.name)
	case t.Dir > ChanRecv:
		c.failf("direction %d is unknown", t.Dir)
	case t.Kind == KindArray && t.Len < -1, t.Kind == KindParam && (t.Len < 0 || t.Len > math.MaxInt32):
		c.failf("%s type has length or index %d", s.name, t.Len)
	}
	c.members(t)
}

func (c *checker) members(t *Type) {
	for _, list := range [...][]TypeID{t.Elems, t.Results} {
		for _, id := range list {
			if id == 0 {
				c.failf("list of types holds the invalid type")
			}
		}
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		if f.Type == 0 {
			c.failf("field %d has the invalid type", i)
		}
		if f.Offset < -1 {
			c.failf("field %d has offset %d", i, f.Offset)
		}
		c.bits(uint32(f.Flags), len(fieldFlagNames))
	}
	for i := range t.Methods {
		m := &t.Methods[i]
		if i > 0 && t.Methods[i-1].Name >= m.Name {
			c.failf("methods are not sorted by name: %s after %s", m.Name, t.Methods[i-1].Name)
		}
		if m.Sig <= 0 || int(m.Sig) >= len(c.u.Types) || c.u.Types[m.Sig].Kind != KindFunc {
			c.failf("signature of method %s is not a func type", m.Name)
		}
	}
}
