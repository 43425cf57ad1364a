package detect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/sharing"
)

// InspectConfig says how to answer questions about a program.
type InspectConfig struct {
	// InScope tells whether the code of a unit is the user's. Nil means all is.
	InScope func(unit string) bool
	// Near tells whether the code of a unit belongs to the user's: accesses are
	// placed there. Nil means InScope.
	Near func(unit string) bool
	// Roots are the functions that the root origin runs one after the other, in
	// order, as people know them.
	Roots []OriginRef
	// Root names the root origin by the function that the runtime called in it.
	// Nil means that it is called main.
	Root func(function string) OriginRef
	// Modelled returns where the row stands that replaces the code of a function,
	// or "". Nil means that there are no models.
	Modelled func(symbol string) string
}

// inspector answers questions about a program beside detection.
type inspector struct {
	*detector
	ask      InspectConfig
	accesses *sharing.Accesses
	tops     map[pointer.InstID]bool
	roots    map[pointer.InstID][]string
	refs     map[pointer.InstID]OriginRef
	entries  map[origin.ID][]Frame
	callers  map[instanceKey]pointer.InstID
}

func newInspector(f Facts, cfg InspectConfig) *inspector {
	return &inspector{
		detector: newDetector(f, Config{InScope: cfg.InScope, Near: cfg.Near, Root: cfg.Root}),
		ask:      cfg,
		accesses: sharing.NewAccesses(f.Points),
		roots:    make(map[pointer.InstID][]string),
		refs:     make(map[pointer.InstID]OriginRef),
		entries:  make(map[origin.ID][]Frame),
	}
}

// originOf names the origin that runs an instance; of the root origin, the
// function that the runtime called.
func (x *inspector) originOf(inst pointer.InstID) OriginRef {
	ref, ok := x.refs[inst]
	if ok {
		return ref
	}
	if x.Points.Origins.Get(x.Points.Instances[inst].Origin).Crowd {
		x.refs[inst] = x.sideOrigin(inst, x.trace(inst))
		return x.refs[inst]
	}
	ref = x.originRef(x.Points.Instances[inst].Origin)
	if list := x.entriesOf(x.Points.Instances[inst].Origin); len(list) > 0 {
		ref.Name = list[0].Function
	}
	if x.Points.Instances[inst].Origin == origin.Main && x.ask.Root != nil {
		if names := x.rootsOf(inst); len(names) > 0 {
			ref = x.ask.Root(names[0])
		}
	}
	x.refs[inst] = ref
	return ref
}

// originsOf is originOf for all functions through which the root origin comes
// to an instance.
func (x *inspector) originsOf(inst pointer.InstID) []OriginRef {
	if x.Points.Instances[inst].Origin != origin.Main || x.ask.Root == nil {
		return []OriginRef{x.originOf(inst)}
	}
	var refs []OriginRef
	for _, name := range x.rootsOf(inst) {
		refs = append(refs, x.ask.Root(name))
	}
	if len(refs) == 0 {
		refs = append(refs, x.originOf(inst))
	}
	return refs
}

// entriesOf returns the functions that an origin begins with, sorted. In place
// of one that stands for a library it gives those that it calls.
func (x *inspector) entriesOf(id origin.ID) []Frame {
	list, known := x.entries[id]
	if known {
		return list
	}
	add := func(f link.FuncID) { list = append(list, Frame{x.Points.Prog.Name(f), x.funcPlace(f)}) }
	for _, f := range x.Points.Origins.Get(id).Entries {
		n := len(list)
		if def := x.Points.Prog.Def(f); def != nil && def.Flags&(ir.FuncSynthetic|ir.FuncExternal) != 0 {
			x.eachCallee(f, id, add)
		}
		if len(list) == n {
			add(x.entryOf(id, f))
		}
	}
	slices.SortFunc(list, func(a, b Frame) int {
		return cmp.Or(strings.Compare(a.Function, b.Function), comparePlaces(a.Place, b.Place))
	})
	list = slices.Compact(list)
	x.entries[id] = list
	return list
}

// eachCallee visits the functions with a place in the source that a function
// calls in an origin.
func (x *inspector) eachCallee(f link.FuncID, id origin.ID, visit func(link.FuncID)) {
	if x.callers == nil {
		x.callers = make(map[instanceKey]pointer.InstID)
		for i := range x.Points.Instances {
			inst := &x.Points.Instances[i]
			x.callers[instanceKey{inst.Func, inst.Origin}] = pointer.InstID(i)
		}
	}
	inst, ok := x.callers[instanceKey{f, id}]
	if !ok {
		return
	}
	for _, e := range x.Points.Instances[inst].Calls {
		target := x.Points.Instances[e.Target].Func
		if e.How != ir.Spawned && x.funcPlace(target).IsValid() {
			visit(target)
		}
	}
}

type instanceKey struct {
	fn     link.FuncID
	origin origin.ID
}

// rootsOf returns the functions called by the runtime through which the root
// origin comes to an instance, sorted by name.
func (x *inspector) rootsOf(inst pointer.InstID) []string {
	names, ok := x.roots[inst]
	if ok {
		return names
	}
	tops := x.topInstances()
	seen := map[pointer.InstID]bool{inst: true}
	queue := []pointer.InstID{inst}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		if tops[id] {
			if name := x.name(id); !x.isSilent(id) && !slices.Contains(names, name) {
				names = append(names, name)
			}
			continue
		}
		for _, c := range x.Runs.Callers[id] {
			if !seen[c.Inst] {
				seen[c.Inst] = true
				queue = append(queue, c.Inst)
			}
		}
	}
	slices.Sort(names)
	x.roots[inst] = names
	return names
}

// topInstances are those of the root origin that are called from no place in
// the source.
func (x *inspector) topInstances() map[pointer.InstID]bool {
	if x.tops != nil {
		return x.tops
	}
	x.tops = make(map[pointer.InstID]bool)
	var queue []pointer.InstID
	for i := range x.Points.Instances {
		id := pointer.InstID(i)
		if x.Points.Instances[i].Origin == origin.Main && len(x.Runs.Callers[id]) == 0 {
			x.tops[id] = true
			queue = append(queue, id)
		}
	}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		for _, e := range x.Points.Instances[id].Calls {
			if e.How != ir.Spawned && !x.tops[e.Target] && !x.place(id, e.Instr).IsValid() {
				x.tops[e.Target] = true
				queue = append(queue, e.Target)
			}
		}
	}
	return x.tops
}

// isSilent tells whether an instance is of a function that stands for the
// runtime.
func (x *inspector) isSilent(inst pointer.InstID) bool {
	def := x.Points.Prog.Def(x.Points.Instances[inst].Func)
	return def == nil || def.Flags&ir.FuncSynthetic != 0 && def.Flags&ir.FuncInit == 0
}

func (x *inspector) name(inst pointer.InstID) string {
	return x.Points.Prog.Name(x.Points.Instances[inst].Func)
}

// cellName names a cell by where it belongs: a variable, or a type, and the
// part of it.
func (x *inspector) cellName(obj pointer.ObjectID, slot int32) string {
	o := &x.Points.Objects[obj]
	prog := x.Points.Prog
	if o.Kind == pointer.ObjectGlobal {
		g := prog.Global(o.Global)
		return short(g.Symbol) + prog.SlotName(g.Type, slot)
	}
	base := short(prog.TypeString(o.Type))
	if ref := x.object(obj); ref.Name != "" {
		base = ref.Name
	}
	switch o.Kind {
	case pointer.ObjectMap, pointer.ObjectChan:
		return base
	case pointer.ObjectArray:
		return "elements of []" + base + prog.SlotName(o.Type, slot)
	}
	return base + prog.SlotName(o.Type, slot)
}
