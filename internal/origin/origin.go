package origin

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
)

// ID indexes a Table.
type ID int32

// Main is the origin that runs initialisers and the main function.
const Main ID = 0

// None is the absent origin.
const None ID = -1

// Site is an instruction of a function.
type Site struct {
	Func  link.FuncID
	Instr int32
}

// Origin is an abstract thread or event.
type Origin struct {
	Kind    ir.OriginKind
	Root    bool // started by nobody we see: main, a test
	Entries []link.FuncID
	Site    Site // the spawn; unset for roots
	Via     Site // the call of the function the spawn stands in, if that only wraps it
	Parents []ID // origins that execute the spawn, sorted
	Many    bool // several instances may run at the same time
	Serial  bool // instances, and others of the group, exclude each other
}

// Table holds the origins of a program.
type Table struct {
	List []Origin
	ids  map[key]ID
}

type key struct {
	site Site
	via  Site
}

// NewTable returns a table that holds Main.
func NewTable() *Table {
	return &Table{List: []Origin{{Root: true}}, ids: make(map[key]ID)}
}

// AddRoot adds an origin nobody spawns, such as a test.
func (t *Table) AddRoot(kind ir.OriginKind, entry link.FuncID) ID {
	t.List = append(t.List, Origin{Root: true, Kind: kind, Entries: []link.FuncID{entry}})
	return ID(len(t.List) - 1)
}

// Spawn returns the origin that a spawn instruction starts, and notes that
// parent executes it. A spawn in a wrapper is told apart by the wrapper's call.
func (t *Table) Spawn(site, via Site, kind ir.OriginKind, parent ID) ID {
	k := key{site, via}
	id, ok := t.ids[k]
	if !ok {
		id = ID(len(t.List))
		t.List = append(t.List, Origin{Kind: kind, Site: site, Via: via})
		t.ids[k] = id
	}
	o := &t.List[id]
	for i, p := range o.Parents {
		if p == parent {
			return id
		}
		if p > parent {
			o.Parents = append(o.Parents, 0)
			copy(o.Parents[i+1:], o.Parents[i:])
			o.Parents[i] = parent
			return id
		}
	}
	o.Parents = append(o.Parents, parent)
	return id
}

// AddEntry notes a function that an origin begins with.
func (t *Table) AddEntry(id ID, f link.FuncID) {
	o := &t.List[id]
	for _, e := range o.Entries {
		if e == f {
			return
		}
	}
	o.Entries = append(o.Entries, f)
}

// Get returns an origin.
func (t *Table) Get(id ID) *Origin { return &t.List[id] }

// Len returns the number of origins.
func (t *Table) Len() int { return len(t.List) }
