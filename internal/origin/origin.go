package origin

import (
	"slices"

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

// NoSite is the absent site.
var NoSite = Site{Func: link.None, Instr: ir.None}

// Origin is an abstract thread or event.
type Origin struct {
	Kind    ir.OriginKind
	Root    bool // started by nobody we see: main, a test
	Entries []link.FuncID
	Site    Site // the spawn; NoSite for roots
	Via     Site // the call of the function the spawn stands in, if that only wraps it, or NoSite
	Parents []ID // origins that execute the spawn, sorted
	Many    bool // several instances may run at the same time
	Serial  bool // instances, and others of the group, exclude each other
}

// DefaultDepth is how many spawns tell an origin from others: its own and those
// of its ancestors (O2, section 3.2).
const DefaultDepth = 2

// Table holds the origins of a program.
type Table struct {
	List     []Origin
	depth    int
	lines    []lineage // of each origin
	bySpawn  map[spawn][]ID
	children map[child]ID
}

type spawn struct{ site, via Site }

type child struct {
	spawn  spawn
	parent ID
}

// lineage is what tells an origin from others.
type lineage struct {
	root   ID      // the entry point it descends from
	spawns []spawn // that lead to it, nearest first, no more than the table's depth
}

// NewTable returns a table that holds Main.
func NewTable(depth int) *Table {
	return &Table{
		List:     []Origin{{Root: true, Site: NoSite, Via: NoSite}},
		depth:    max(depth, 1),
		lines:    []lineage{{root: Main}},
		bySpawn:  make(map[spawn][]ID),
		children: make(map[child]ID),
	}
}

// Depth returns how many spawns tell an origin from others.
func (t *Table) Depth() int { return t.depth }

// AddRoot adds an origin nobody spawns, such as a test.
func (t *Table) AddRoot(kind ir.OriginKind, entry link.FuncID) ID {
	id := ID(len(t.List))
	t.List = append(t.List, Origin{Root: true, Kind: kind, Entries: []link.FuncID{entry}, Site: NoSite, Via: NoSite})
	t.lines = append(t.lines, lineage{root: id})
	return id
}

// Spawn returns the origin that a spawn instruction starts, and notes that
// parent executes it. A spawn in a wrapper is told apart by the wrapper's call.
func (t *Table) Spawn(site, via Site, kind ir.OriginKind, parent ID) ID {
	c := child{spawn{site, via}, parent}
	if id, ok := t.children[c]; ok {
		return id
	}
	above := t.lines[parent]
	line := lineage{root: above.root, spawns: []spawn{c.spawn}}
	line.spawns = append(line.spawns, above.spawns[:min(len(above.spawns), t.depth-1)]...)
	id := t.find(c.spawn, line)
	if id == None {
		id = ID(len(t.List))
		t.List = append(t.List, Origin{Kind: kind, Site: site, Via: via})
		t.lines = append(t.lines, line)
		t.bySpawn[c.spawn] = append(t.bySpawn[c.spawn], id)
	}
	t.children[c] = id
	o := &t.List[id]
	at, _ := slices.BinarySearch(o.Parents, parent)
	o.Parents = slices.Insert(o.Parents, at, parent)
	return id
}

func (t *Table) find(s spawn, line lineage) ID {
	for _, id := range t.bySpawn[s] {
		if t.lines[id].root == line.root && slices.Equal(t.lines[id].spawns, line.spawns) {
			return id
		}
	}
	return None
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

// Ambiguous tells whether some origin is started by several others: a greater
// depth would tell more apart.
func (t *Table) Ambiguous() bool {
	return slices.ContainsFunc(t.List, func(o Origin) bool { return len(o.Parents) > 1 })
}
