package detect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/runs"
)

// OriginNode is an origin of a program, or one of the functions that its root
// origin runs one after the other.
type OriginNode struct {
	OriginRef
	Entries []Frame  // the functions it begins with, each with its place
	Via     Place    // the call by which it is told apart from others of the same start, if that needs it
	Parents []int    // indices of the nodes that start it, sorted; none for those the runtime starts
	Why     Sentence // why there are many; empty if there is one
	Serial  bool     // instances run one at a time
}

// Origins lists the origins of a program: what the runtime starts first, the
// others by where they are started. Facts need no more than Points and Runs.
func Origins(f Facts, cfg InspectConfig) []OriginNode {
	x := newInspector(f, cfg)
	t := &originTree{inspector: x, byRoot: make(map[string]int), byOrigin: make(map[origin.ID]int), toldApart: make(map[origin.Site]int)}
	for _, o := range x.Points.Origins.List[1:] {
		t.toldApart[o.Site]++
	}
	t.addRoots()
	type started struct {
		id   origin.ID
		node OriginNode
	}
	var list []started
	for id := 1; id < x.Points.Origins.Len(); id++ {
		list = append(list, started{origin.ID(id), t.node(origin.ID(id))})
	}
	slices.SortStableFunc(list, func(a, b started) int {
		return cmp.Or(comparePlaces(a.node.Start, b.node.Start), comparePlaces(a.node.Via, b.node.Via), strings.Compare(a.node.Name, b.node.Name))
	})
	for _, s := range list {
		t.byOrigin[s.id] = len(t.nodes)
		t.nodes = append(t.nodes, s.node)
	}
	for _, s := range list {
		t.setParents(s.id)
	}
	return t.nodes
}

type originTree struct {
	*inspector
	nodes    []OriginNode
	byRoot   map[string]int // nodes of the root origin, by function
	byOrigin map[origin.ID]int

	toldApart map[origin.Site]int // how many origins a spawn starts
}

// addRoots adds the functions that the root origin runs: initialisers that
// start something, then those of the configuration.
func (t *originTree) addRoots() {
	roots := t.ask.Roots
	if roots == nil {
		roots = []OriginRef{t.originRef(origin.Main)}
	}
	known := make(map[string]bool)
	for _, r := range roots {
		known[r.Name] = true
	}
	var initial []string
	for id := 1; id < t.Points.Origins.Len(); id++ {
		for _, name := range t.startingRoots(origin.ID(id)) {
			if !known[name] {
				known[name] = true
				initial = append(initial, name)
			}
		}
	}
	slices.Sort(initial)
	for _, name := range initial {
		if t.ask.Root != nil {
			t.addRoot(name, t.ask.Root(name))
		}
	}
	for _, r := range roots {
		t.addRoot(r.Name, r)
	}
}

func (t *originTree) addRoot(name string, ref OriginRef) {
	t.byRoot[name] = len(t.nodes)
	t.nodes = append(t.nodes, OriginNode{OriginRef: ref, Entries: []Frame{{ref.Name, ref.Start}}})
}

// startingRoots returns the functions of the root origin that start an origin.
func (t *originTree) startingRoots(id origin.ID) []string {
	var names []string
	for _, p := range t.Runs.SpawnPoints[id] {
		if t.Points.Instances[p.Inst].Origin != origin.Main {
			continue
		}
		for _, name := range t.rootsOf(p.Inst) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// node describes an origin.
func (t *originTree) node(id origin.ID) OriginNode {
	o := t.Points.Origins.Get(id)
	n := OriginNode{OriginRef: t.originRef(id), Serial: o.Serial, Entries: t.entriesOf(id)}
	if len(n.Entries) > 0 {
		n.Name = n.Entries[0].Function
	}
	if points := t.Runs.SpawnPoints[id]; len(points) > 0 {
		n.Start = t.startPlace(points[0])
	}
	if t.toldApart[o.Site] > 1 {
		n.Via = t.outermost(o.Via)
	}
	if o.Crowd {
		n.Kind = "crowd"
	}
	n.Why = t.whyMany(id)
	return n
}

// startPlace is where a spawn is, as the user sees it: the innermost place in
// scope on the way to it.
func (t *originTree) startPlace(p runs.Point) Place {
	if t.isNear(p.Inst) {
		return t.near(p.Inst, p.Instr)
	}
	steps := t.trace(p.Inst)
	for k := len(steps) - 1; k >= 0; k-- {
		at := steps[k].point
		if pl := t.place(at.Inst, at.Instr); t.isNear(at.Inst) && pl.IsValid() {
			return pl
		}
	}
	return t.near(p.Inst, p.Instr)
}

// sitePlace is the place of an instruction of a function.
func (x *inspector) sitePlace(s origin.Site) Place {
	body := x.Points.Prog.Body(s.Func)
	if body == nil || s.Instr < 0 || int(s.Instr) >= len(body.Pos) {
		return Place{}
	}
	return toPlace(x.Points.Prog.Unit(s.Func), body.Pos[s.Instr])
}

func (x *inspector) funcPlace(f link.FuncID) Place {
	if def := x.Points.Prog.Def(f); def != nil {
		return toPlace(x.Points.Prog.Unit(f), def.Pos)
	}
	return Place{}
}

func (t *originTree) setParents(id origin.ID) {
	n := &t.nodes[t.byOrigin[id]]
	for _, p := range t.Runs.SpawnPoints[id] {
		if o := t.Points.Instances[p.Inst].Origin; o != origin.Main {
			n.Parents = append(n.Parents, t.byOrigin[o])
			continue
		}
		for _, name := range t.rootsOf(p.Inst) {
			if k, ok := t.byRoot[name]; ok {
				n.Parents = append(n.Parents, k)
			}
		}
		if t.ask.Roots == nil && len(t.nodes) > 0 {
			n.Parents = append(n.Parents, 0)
		}
	}
	slices.Sort(n.Parents)
	n.Parents = slices.Compact(n.Parents)
}

// whyMany says why several instances of an origin may run at once.
func (t *originTree) whyMany(id origin.ID) Sentence {
	if !t.Runs.Many(id) {
		return nil
	}
	cause, points := t.Runs.WhyMany(id)
	spawned := len(points) > 0 && slices.Contains(t.Runs.SpawnPoints[id], points[0])
	switch {
	case cause == runs.Loop && spawned:
		return plain("started in a loop")
	case cause == runs.Loop:
		return plain("the function that starts it is called in a loop").at(" at ", t.near(points[0].Inst, points[0].Instr))
	case cause == runs.Places && spawned && !t.inSeveralPlaces(points):
		return plain("started by several origins")
	case cause == runs.Places && spawned:
		return t.severalPlaces("started", points)
	case cause == runs.Places:
		return t.severalPlaces("the function that starts it is called", points)
	case cause == runs.Repeated && spawned:
		return plain("started again and again by the library")
	case cause == runs.Repeated:
		return plain("the function that starts it is called again and again by a library").at(" at ", t.near(points[0].Inst, points[0].Instr))
	case cause == runs.Recursion:
		return plain("the function that starts it calls itself").at(" at ", t.near(points[0].Inst, points[0].Instr))
	case cause == runs.ManyParents:
		return plain("started by an origin of which there are many")
	}
	return plain("its start may be executed more than once")
}

// maxPlaces bounds the places that a sentence lists.
const maxPlaces = 3

func (t *originTree) severalPlaces(text string, points []runs.Point) Sentence {
	places := t.placesOf(points)
	if len(places) == 1 {
		return plain(text+" more than once").at(" at ", places[0])
	}
	s := plain(text + " in several places")
	for i, p := range places {
		switch {
		case i == maxPlaces:
			return s.say(", …")
		case i == 0:
			s = s.at(": ", p)
		default:
			s = s.at(", ", p)
		}
	}
	return s
}

func (t *originTree) inSeveralPlaces(points []runs.Point) bool { return len(t.placesOf(points)) > 1 }

// placesOf returns the places of points, sorted.
func (t *originTree) placesOf(points []runs.Point) []Place {
	var places []Place
	for _, p := range points {
		if at := t.near(p.Inst, p.Instr); at.IsValid() && !slices.Contains(places, at) {
			places = append(places, at)
		}
	}
	slices.SortFunc(places, comparePlaces)
	return places
}

func comparePlaces(p, q Place) int {
	switch {
	case p.before(q):
		return -1
	case q.before(p):
		return 1
	}
	return 0
}

// outermost is the place of the call farthest from what a chain runs; calls of the
// runtime have none.
func (t *originTree) outermost(via origin.Chain) Place {
	for _, c := range t.Points.Origins.Chains.Calls(via) {
		if p := t.sitePlace(c); p.IsValid() {
			return p
		}
	}
	return Place{}
}
