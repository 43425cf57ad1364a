package detect

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/lockset"
	"github.com/deadheat/deadheat/internal/origin"
	"github.com/deadheat/deadheat/internal/path"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
	"github.com/deadheat/deadheat/internal/sharing"
)

// step is one call on the way from an origin's entry to an instance.
type step struct {
	point runs.Point
}

// findings turns races into findings: explained, fingerprinted, without
// repeats, sorted.
func (d *detector) findings() []Finding {
	var out []Finding
	seen := make(map[string]int)
	written := make(map[writing]int)
	between := make(map[[2]writing]int)
	for _, cells := range d.races {
		if d.Points.Stopped() {
			return nil
		}
		f, r := d.best(cells)
		if r == nil {
			continue
		}
		a, b := d.writingOf(r.cell, &r.a), d.writingOf(r.cell, &r.b)
		k, dup := seen[f.Fingerprint]
		if !dup {
			k, dup = written[a]
		}
		if !dup {
			k, dup = between[[2]writing{b, a}]
		}
		switch {
		case !dup:
			k = len(out)
			out = append(out, f)
		case f.Confidence > out[k].Confidence:
			out[k] = f
		}
		seen[f.Fingerprint], written[a] = k, k
		if r.b.Kind.Writes() {
			between[[2]writing{a, b}] = k
		}
	}
	Sort(out)
	return out
}

// writing is what the races of a function that writes have in common, whichever
// of the objects that one place makes it is in: a test may have its own.
type writing struct {
	object pointer.ObjectID // NoObject if it is made at a site
	site   origin.Site
	slot   int32
	fn     link.FuncID
}

func (d *detector) writingOf(c *sharing.Cell, s *side) writing {
	if o := &d.Points.Objects[c.Object]; o.Inst >= 0 {
		return writing{pointer.NoObject, o.Site, c.Slot, d.funcOf(s)}
	}
	return writing{object: c.Object, slot: c.Slot, fn: d.funcOf(s)}
}

// best explains the races of a pair of instructions in several cells, and returns
// the first of those with the highest confidence, nil if none is to be shown.
func (d *detector) best(cells []race) (best Finding, of *race) {
	for i := range cells {
		f, shown := d.explain(&cells[i])
		if shown && (of == nil || f.Confidence > best.Confidence) {
			best, of = f, &cells[i]
		}
		if of != nil && best.Confidence == High {
			break
		}
	}
	return best, of
}

// Sort puts findings into the order of reports.
func Sort(list []Finding) {
	sort.SliceStable(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		switch {
		case a.First.Place.File != b.First.Place.File:
			return a.First.Place.File < b.First.Place.File
		case a.First.Place.Line != b.First.Place.Line:
			return a.First.Place.Line < b.First.Place.Line
		case a.First.Place.Col != b.First.Place.Col:
			return a.First.Place.Col < b.First.Place.Col
		}
		return a.Fingerprint < b.Fingerprint
	})
}

func (d *detector) explain(r *race) (Finding, bool) {
	a, okA := d.access(&r.a)
	b, okB := d.access(&r.b)
	if !okA && !okB || !a.Place.IsValid() || !b.Place.IsValid() {
		return Finding{}, false
	}
	d.tellApart(r, &a, &b)
	f := Finding{Rule: "race", First: a, Second: b, Confidence: High}
	if a.Kind.Atomic() != b.Kind.Atomic() {
		f.Rule = "race-atomic"
	}
	if d.misuse(r) {
		f.Rule = RuleMisuse
	}
	f.Object = d.object(r.cell.Object)
	f.What, f.Type = d.what(r)
	d.reasons(r, &f)
	f.Fix = d.fix(r, &f)
	f.Fingerprint = d.fingerprint(r, &f)
	if d.cfg.Programs != nil {
		for _, k := range d.Runs.Alternatives(r.a.Inst, r.b.Inst) {
			f.Programs = append(f.Programs, d.cfg.Programs[k])
		}
	}
	return f, true
}

// misuse tells whether a race is about a primitive itself, not about data.
func (d *detector) misuse(r *race) bool {
	for _, s := range []*side{&r.a, &r.b} {
		switch d.instr(s).Op {
		case ir.OpSend, ir.OpClose, ir.OpLock, ir.OpUnlock, ir.OpGroup:
			return true
		}
	}
	return false
}

// access describes one side. ok is false if none of its code is in scope.
func (d *detector) access(s *side) (acc Access, ok bool) {
	fn := d.Points.Instances[s.Inst].Func
	steps := d.traceOf(s)
	acc = Access{
		Kind:     AccessKind(s.Kind),
		Op:       d.primitive(s),
		Place:    d.place(s.Inst, s.Instr),
		Function: d.Points.Prog.Name(fn),
		Symbol:   d.Points.Prog.Func(fn).Symbol,
		Origin:   d.sideOrigin(s.Inst, steps),
	}
	for _, l := range s.locks.Locks {
		if l.Maybe {
			continue
		}
		acc.Locks = append(acc.Locks, HeldLock{
			Name:     d.lockName(s.Inst, l),
			Shared:   l.Mode == ir.Shared,
			Place:    d.place(l.Taken.Inst, l.Taken.Instr),
			Function: d.Points.Prog.Name(d.Points.Instances[l.Taken.Inst].Func),
		})
	}
	var near []bool
	for _, st := range steps {
		acc.Trace = append(acc.Trace, Frame{d.Points.Prog.Name(d.Points.Instances[st.point.Inst].Func), d.place(st.point.Inst, st.point.Instr)})
		near = append(near, d.isNear(st.point.Inst))
		ok = ok || d.inScope(st.point.Inst)
	}
	acc.Trace = append(acc.Trace, Frame{acc.Function, acc.Place})
	near = append(near, d.isNear(s.Inst))
	ok = ok || d.inScope(s.Inst)
	acc.Trace = withoutWrappers(acc.Trace, &near)
	if d.Points.Instances[s.Inst].Origin == origin.Main && d.cfg.Root != nil && len(acc.Trace) > 0 {
		start := acc.Origin.Start
		if acc.Origin = d.cfg.Root(acc.Trace[0].Function); !acc.Origin.Start.IsValid() {
			acc.Origin.Start = start
		}
	}
	// The place to look at is the innermost one in the user's own code.
	for k := len(acc.Trace) - 1; k >= 0; k-- {
		if near[k] {
			acc.Place, acc.Function = acc.Trace[k].Place, acc.Trace[k].Function
			break
		}
	}
	return acc, ok
}

// withoutWrappers drops frames that have no source.
func withoutWrappers(trace []Frame, inScope *[]bool) []Frame {
	kept, scope := trace[:0], (*inScope)[:0]
	for i, f := range trace {
		if f.Place.IsValid() {
			kept, scope = append(kept, f), append(scope, (*inScope)[i])
		}
	}
	*inScope = scope
	return kept
}

func (d *detector) inScope(inst pointer.InstID) bool {
	u := d.Points.Prog.Unit(d.Points.Instances[inst].Func)
	return u != nil && (d.cfg.InScope == nil || d.cfg.InScope(u.Path))
}

// isNear tells whether code belongs to the user's.
func (d *detector) isNear(inst pointer.InstID) bool {
	u := d.Points.Prog.Unit(d.Points.Instances[inst].Func)
	return d.inScope(inst) || u != nil && d.cfg.Near != nil && d.cfg.Near(u.Path)
}

func (d *detector) place(inst pointer.InstID, instr int32) Place {
	body := d.Points.Body(inst)
	if body == nil || instr < 0 || int(instr) >= len(body.Pos) {
		return Place{}
	}
	return toPlace(d.Points.Prog.Unit(d.Points.Instances[inst].Func), body.Pos[instr])
}

func toPlace(u *ir.Unit, p ir.Pos) Place {
	if u == nil || !p.IsValid() || int(p.File) >= len(u.Files) {
		return Place{}
	}
	return Place{File: u.Files[p.File].Path, Line: int(p.Line), Col: int(p.Col), EndLine: int(p.EndLine), EndCol: int(p.EndCol)}
}

// traceOf returns the calls that lead to an access.
func (d *detector) traceOf(s *side) []step {
	var out []step
	switch {
	case s.within != nil:
		out = d.traceOf(&side{Access: sharing.Access{Inst: s.within.call.Inst}, way: s.within.way})
		out = append(out, step{s.within.call})
		for _, c := range slices.Backward(s.within.between()) {
			out = append(out, step{c})
		}
	case !s.way.Start:
		out = append(out, d.trace(s.way.Last(s.Inst))...)
	}
	for k := len(s.way.Calls) - 1; k >= 0; k-- {
		out = append(out, step{s.way.Calls[k]})
	}
	return out
}

// trace returns a shortest chain of calls from the entry of an instance's
// origin to the instance.
func (d *detector) trace(inst pointer.InstID) []step {
	if t, ok := d.traces[inst]; ok {
		return t
	}
	type link struct {
		inst pointer.InstID
		next int // index into visited, towards inst
		via  int32
	}
	visited := []link{{inst, -1, -1}}
	seen := d.freshMarks()
	d.marks[inst] = seen
	var out []step
	for k := 0; k < len(visited); k++ {
		v := visited[k]
		if d.isEntry(v.inst) {
			for at := k; visited[at].next >= 0; at = visited[at].next {
				out = append(out, step{runs.Point{Inst: visited[at].inst, Instr: visited[at].via}})
			}
			break
		}
		for _, c := range d.Runs.Callers[v.inst] {
			if d.marks[c.Inst] != seen {
				d.marks[c.Inst] = seen
				visited = append(visited, link{c.Inst, k, c.Instr})
			}
		}
	}
	d.traces[inst] = out
	return out
}

func (d *detector) isEntry(inst pointer.InstID) bool {
	i := &d.Points.Instances[inst]
	o := d.Points.Origins.Get(i.Origin)
	if len(o.Entries) == 0 {
		return len(d.Runs.Callers[inst]) == 0
	}
	for _, e := range o.Entries {
		if e == i.Func {
			return true
		}
	}
	return false
}

var originKinds = [...]string{"goroutine", "event handler", "timer", "signal handler", "cleanup", "test"}

// originKind names a kind of origin in the words of the language it is
// written in.
func originKind(k ir.OriginKind, lang ir.Lang) string {
	if k == ir.OriginThread && (lang == ir.LangJava || lang == ir.LangC) {
		return "thread"
	}
	return originKinds[k]
}

// language is that of the function that starts an origin.
func (d *detector) language(o *origin.Origin) ir.Lang {
	if o.Root {
		return ir.LangIR
	}
	f := o.Site.Func
	if o.Crowd {
		f = o.Entries[0]
	}
	return d.Points.Prog.Unit(f).Lang
}

func (d *detector) originRef(id origin.ID) OriginRef {
	ref, known := d.originRefs[id]
	if !known {
		ref = d.newOriginRef(id)
		d.originRefs[id] = ref
	}
	return ref
}

func (d *detector) newOriginRef(id origin.ID) OriginRef {
	o := d.Points.Origins.Get(id)
	ref := OriginRef{Kind: originKind(o.Kind, d.language(o)), Many: o.Many}
	if id == origin.Main {
		ref.Kind = "main"
	}
	if len(o.Entries) > 0 {
		ref.Name = d.Points.Prog.Name(d.entryOf(id, o.Entries[0]))
	}
	if points := d.Runs.SpawnPoints[id]; len(points) > 0 {
		start := d.outer(points[0])
		ref.Start = d.place(start.Inst, start.Instr)
	} else if len(o.Entries) > 0 {
		if def := d.Points.Prog.Def(o.Entries[0]); def != nil {
			ref.Start = toPlace(d.Points.Prog.Unit(o.Entries[0]), def.Pos)
		}
	}
	return ref
}

// maxForwards bounds how many functions without source are followed to the one
// that an origin is about.
const maxForwards = 4

// entryOf returns the function that an origin is known by: in place of one that
// stands for a library or only forwards, what it calls.
func (d *detector) entryOf(id origin.ID, entry link.FuncID) link.FuncID {
	for i := range d.Points.Instances {
		if in := &d.Points.Instances[i]; in.Origin == id && in.Func == entry {
			return d.entryFrom(pointer.InstID(i))
		}
	}
	return entry
}

// entryFrom is entryOf for the instance that an origin begins with.
func (d *detector) entryFrom(at pointer.InstID) link.FuncID {
	entry := d.Points.Instances[at].Func
	for n := 0; at >= 0 && n < maxForwards; n++ {
		in := &d.Points.Instances[at]
		def := d.Points.Prog.Def(in.Func)
		if def == nil {
			return entry
		}
		if def.Flags&(ir.FuncExternal|ir.FuncSynthetic) == 0 {
			return in.Func
		}
		at = -1
		for _, e := range in.Calls {
			if e.How == ir.Now {
				at = e.Target
				break
			}
		}
	}
	return entry
}

func (d *detector) object(id pointer.ObjectID) Object {
	o := &d.Points.Objects[id]
	out := Object{Kind: o.Kind.String()}
	if o.Kind == pointer.ObjectGlobal {
		g := d.Points.Prog.Global(o.Global)
		out.Name = short(g.Symbol)
		if g.Unit != link.None {
			u := d.Points.Prog.Units[g.Unit]
			out.Place = toPlace(u, u.Globals[g.ID].Pos)
		}
		return out
	}
	if o.Inst >= 0 {
		out.Place = d.place(o.Inst, o.Site.Instr)
		if t := d.Locks.Paths(o.Inst); t != nil {
			in := &d.Points.Body(o.Inst).Instrs[o.Site.Instr]
			if in.Op == ir.OpAlloc && in.Aux >= 0 {
				out.Name, out.Kind = t.Name(t.Value(ir.RegValue(in.Dst))), "variable"
			}
		}
	}
	return out
}

// what names the memory in the program's own words, as the first access
// reaches it, and its type.
func (d *detector) what(r *race) (name, typ string) {
	o := &d.Points.Objects[r.cell.Object]
	if o.Kind == pointer.ObjectGlobal {
		g := d.Points.Prog.Global(o.Global)
		return short(g.Symbol) + d.Points.Prog.SlotName(g.Type, r.cell.Slot), short(d.Points.Prog.TypeString(g.Type))
	}
	typ = short(d.Points.Prog.TypeString(o.Type))
	slot := ""
	if o.Kind == pointer.ObjectCell || o.Kind == pointer.ObjectArray {
		slot = d.Points.Prog.SlotName(o.Type, r.cell.Slot)
	}
	for _, s := range []*side{&r.a, &r.b} {
		t := d.Locks.Paths(s.Inst)
		if p := s.locks.Path; p != path.None {
			name = d.nameOf(s.Inst, p)
			// A lock or group is accessed by its first word, whatever that is called.
			if last := t.Get(p); last.Kind <= path.Func && slot != "" && !strings.HasSuffix(name, slot) && d.primitive(s) == "" {
				name += slot
			}
		}
		if name != "" {
			break
		}
	}
	if name == "" {
		name = typ + slot
	}
	switch o.Kind {
	case pointer.ObjectMap:
		if strings.HasPrefix(name, "map[") {
			return name, typ // a type says so itself
		}
		return "map " + name, typ
	case pointer.ObjectChan:
		if strings.HasPrefix(name, "chan ") {
			return name, typ
		}
		return "channel " + name, typ
	case pointer.ObjectArray:
		if !strings.Contains(strings.TrimPrefix(name, "[]"), "[") {
			return "elements of " + name, typ
		}
	}
	return name, typ
}

// nameOf names the memory at a path of an instance. In a function whose code a
// model gives, the name begins with what the caller calls the operand. Cells that
// models make up are part of what they belong to.
func (d *detector) nameOf(inst pointer.InstID, p path.ID) string {
	t := d.Locks.Paths(inst)
	name := t.Name(p)
	def := d.Points.Prog.Def(d.Points.Instances[inst].Func)
	root := t.Get(t.Root(p))
	if callers := d.Runs.Callers[inst]; def != nil && def.Flags&ir.FuncExternal != 0 && root.Kind == path.Param && len(callers) == 1 && callers[0].How == ir.Now {
		body := d.Points.Body(callers[0].Inst)
		in := &body.Instrs[callers[0].Instr]
		args := body.Args(in)
		if in.Flags&ir.FlagGroup != 0 {
			args = args[1:]
		}
		if in.Op != ir.OpCallPtr && int(root.N) < len(args) {
			if outer := d.Locks.Paths(callers[0].Inst).Value(args[root.N]); outer != path.None {
				name = d.nameOf(callers[0].Inst, outer) + strings.TrimPrefix(name, t.Name(t.Root(p)))
			}
		}
	}
	return madeUpCells.ReplaceAllString(name, "")
}

// lockName names a lock at an instance. One that a model makes has the name of its
// type.
func (d *detector) lockName(inst pointer.InstID, l lockset.Lock) string {
	p := l.Path
	if p == path.None {
		inst, p = l.Taken.Inst, l.Home
	}
	name := d.nameOf(inst, p)
	if made, ok := strings.CutPrefix(name, "new "); ok {
		return "the " + strings.TrimPrefix(made, "$")
	}
	return name
}

var madeUpCells = regexp.MustCompile(`\.\$\w+`)

// fingerprint identifies the race across edits: rule, memory, functions and
// kinds of access.
func (d *detector) fingerprint(r *race, f *Finding) string {
	o := &d.Points.Objects[r.cell.Object]
	mem := ""
	switch {
	case o.Kind == pointer.ObjectGlobal:
		mem = d.Points.Prog.Global(o.Global).Symbol + d.Points.Prog.SlotName(o.Type, r.cell.Slot)
	case o.Inst >= 0:
		mem = o.Kind.String() + " " + d.Points.Prog.Func(o.Site.Func).Symbol + " " + d.object(r.cell.Object).Name
		mem += " " + d.Points.Prog.TypeString(o.Type)
		if o.Kind == pointer.ObjectCell || o.Kind == pointer.ObjectArray {
			mem += d.Points.Prog.SlotName(o.Type, r.cell.Slot)
		}
	}
	sides := []string{f.First.Symbol + " " + f.First.Kind.String(), f.Second.Symbol + " " + f.Second.Kind.String()}
	sort.Strings(sides)
	sum := sha256.Sum256([]byte(strings.Join(append([]string{f.Rule, mem}, sides...), "\x00")))
	return hex.EncodeToString(sum[:8])
}

// short drops directories and packages of classes from the paths in a symbol or
// type.
func short(s string) string {
	var b strings.Builder
	start := 0
	for i := 0; i <= len(s); i++ {
		if i < len(s) && !strings.ContainsRune("*[](){} ,;", rune(s[i])) {
			continue
		}
		b.WriteString(link.ShortName(s[start:i]))
		if i < len(s) {
			b.WriteByte(s[i])
		}
		start = i + 1
	}
	return b.String()
}
