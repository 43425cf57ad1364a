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
	Crowd   bool // stands for many of different starts (see Unite)
	Entries []link.FuncID
	Site    Site  // the spawn; NoSite for roots and crowds
	Via     Chain // the calls of the functions the spawn stands in, if those only wrap it, or NoChain
	Parents []ID  // origins that execute the spawn, sorted
	Many    bool  // several instances may run at the same time
	Serial  bool  // instances, and others of the group, exclude each other
}

// DefaultDepth is how many spawns tell an origin from others: its own and those
// of its ancestors (O2, section 3.2).
const DefaultDepth = 2

// Table holds the origins of a program.
type Table struct {
	List     []Origin
	Chains   *Chains // calls of wrappers
	depth    int
	lines    []lineage // of each origin
	byStart  map[Start][]ID
	children map[child]ID
	united   map[Start]bool
	crowd    ID // of those that are united, or None
}

// Start is a spawn instruction as it tells origins apart.
type Start struct {
	Site Site
	Via  Chain // the calls of the function it stands in, if that only wraps it
}

type child struct {
	start  Start
	parent ID
}

// lineage is what tells an origin from others.
type lineage struct {
	root   ID      // the entry point it descends from
	starts []Start // that lead to it, nearest first, no more than the table's depth
}

// NewTable returns a table that holds Main.
func NewTable(depth int) *Table {
	return &Table{
		List:     []Origin{{Root: true, Site: NoSite, Via: NoChain}},
		Chains:   newChains(),
		depth:    max(depth, 1),
		lines:    []lineage{{root: Main}},
		byStart:  make(map[Start][]ID),
		children: make(map[child]ID),
		crowd:    None,
	}
}

// Depth returns how many spawns tell an origin from others.
func (t *Table) Depth() int { return t.depth }

// AddRoot adds an origin nobody spawns, such as a test.
func (t *Table) AddRoot(kind ir.OriginKind, entry link.FuncID) ID {
	id := ID(len(t.List))
	t.List = append(t.List, Origin{Root: true, Kind: kind, Entries: []link.FuncID{entry}, Site: NoSite, Via: NoChain})
	t.lines = append(t.lines, lineage{root: id})
	return id
}

// Spawn returns the origin that a spawn instruction starts, and notes that
// parent executes it. A spawn in a wrapper is told apart by the wrapper's calls.
func (t *Table) Spawn(site Site, via Chain, kind ir.OriginKind, parent ID) ID {
	c := child{Start{site, via}, parent}
	if id, ok := t.children[c]; ok {
		return id
	}
	id := t.crowdOf(c.start)
	if id == None {
		above := t.above(parent)
		line := lineage{root: above.root, starts: []Start{c.start}}
		line.starts = append(line.starts, above.starts[:min(len(above.starts), t.depth-1)]...)
		if id = t.find(c.start, line); id == None {
			id = t.add(Origin{Kind: kind, Site: site, Via: via}, line)
			t.byStart[c.start] = append(t.byStart[c.start], id)
		}
	}
	t.children[c] = id
	o := &t.List[id]
	if at, known := slices.BinarySearch(o.Parents, parent); !known {
		o.Parents = slices.Insert(o.Parents, at, parent)
	}
	return id
}

// above is the lineage that an origin hands down. A test that main starts is an
// entry point: all that descends from it is told apart from that of other tests.
func (t *Table) above(parent ID) lineage {
	line := t.lines[parent]
	if t.List[parent].Kind == ir.OriginTest && line.root == Main && len(line.starts) == 1 {
		return lineage{root: parent}
	}
	return line
}

func (t *Table) add(o Origin, line lineage) ID {
	t.List = append(t.List, o)
	t.lines = append(t.lines, line)
	return ID(len(t.List) - 1)
}

// Unite makes one origin of all that have these starts, whatever their kind; their
// chains are those of another table. It comes before the first spawn.
func (t *Table) Unite(starts []Start, chains *Chains) {
	t.united = make(map[Start]bool, len(starts))
	for _, s := range starts {
		s.Via = t.Chains.copyFrom(chains, s.Via)
		t.united[s] = true
	}
}

// crowdOf returns the origin that stands for all united ones, None if the start
// is of none of them.
func (t *Table) crowdOf(s Start) ID {
	if !t.united[s] {
		return None
	}
	if t.crowd == None {
		t.crowd = t.add(Origin{Kind: ir.OriginThread, Crowd: true, Site: NoSite, Via: NoChain}, lineage{root: Main})
	}
	return t.crowd
}

func (t *Table) find(s Start, line lineage) ID {
	for _, id := range t.byStart[s] {
		if t.lines[id].root == line.root && slices.Equal(t.lines[id].starts, line.starts) {
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
