package detect

import (
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/sharing"
)

// InspectConfig says how to answer questions about a program.
type InspectConfig struct {
	// InScope tells whether the code of a unit is the user's. Nil means all is.
	InScope func(unit string) bool
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
}

func newInspector(f Facts, cfg InspectConfig) *inspector {
	return &inspector{
		detector: newDetector(f, Config{InScope: cfg.InScope}),
		ask:      cfg,
		accesses: sharing.NewAccesses(f.Points),
		roots:    make(map[pointer.InstID][]string),
		refs:     make(map[pointer.InstID]OriginRef),
	}
}

// originOf names the origin that runs an instance; of the root origin, the
// function that the runtime called.
func (x *inspector) originOf(inst pointer.InstID) OriginRef {
	ref, ok := x.refs[inst]
	if ok {
		return ref
	}
	ref = x.originRef(x.Points.Instances[inst].Origin)
	if x.Points.Instances[inst].Origin == origin.Main && x.ask.Root != nil {
		if names := x.rootsOf(inst); len(names) > 0 {
			ref = x.ask.Root(names[0])
		}
	}
	x.refs[inst] = ref
	return ref
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
// runtime: it has no place in the source.
func (x *inspector) isSilent(inst pointer.InstID) bool {
	fn := x.Points.Instances[inst].Func
	def := x.Points.Prog.Def(fn)
	return def == nil || !toPlace(x.Points.Prog.Unit(fn), def.Pos).IsValid() && !x.hasCode(inst)
}

// hasCode tells whether some instruction of an instance has a place.
func (x *inspector) hasCode(inst pointer.InstID) bool {
	body := x.Points.Body(inst)
	if body == nil {
		return false
	}
	for _, p := range body.Pos {
		if p.IsValid() {
			return true
		}
	}
	return false
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
