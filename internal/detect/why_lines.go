package detect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/sharing"
)

// spots collects accesses by where a report shows them.
type spots struct {
	w     *whyQuestion
	index map[spotKey]*spot
	list  []*spot
}

type spotKey struct {
	use     Use
	library string
}

func (w *whyQuestion) newSpots() *spots {
	return &spots{w: w, index: make(map[spotKey]*spot)}
}

func (b *spots) add(a sharing.Access, n pointer.Node) {
	use := b.w.use(b.w.sideOf(a))
	library := ""
	if own := b.w.name(a.Inst); own != use.Function {
		library = own
	}
	b.addAt(use, library, a, n)
}

func (b *spots) addAt(use Use, library string, a sharing.Access, n pointer.Node) {
	key := spotKey{use, library}
	s := b.index[key]
	if s == nil {
		s = &spot{use: use, library: library}
		b.index[key] = s
		b.list = append(b.list, s)
	}
	s.hits = append(s.hits, hit{a, n})
}

// sorted returns the spots in the order of the source, and the accesses of each
// by origin: numbers of instances say nothing to people.
func (b *spots) sorted() []*spot {
	for _, s := range b.list {
		slices.SortStableFunc(s.hits, func(x, y hit) int {
			return compareOrigins(b.w.originOf(x.access.Inst), b.w.originOf(y.access.Inst))
		})
	}
	slices.SortFunc(b.list, func(s, t *spot) int {
		return cmp.Or(compareUses(s.use, t.use), strings.Compare(s.library, t.library))
	})
	return b.list
}

// find returns the accesses of a line: those that its code makes, and those of
// libraries it calls to memory that is shared.
func (w *whyQuestion) find(l Line) []*spot {
	b := w.newSpots()
	called := make(map[pointer.InstID]bool)
	for i := range w.Points.Instances {
		id := pointer.InstID(i)
		on := w.onLine(id, l)
		if len(on) == 0 {
			continue
		}
		w.accesses.Of(id, func(a sharing.Access, first pointer.Node, n int32) {
			if _, here := slices.BinarySearch(on, a.Instr); !here {
				return
			}
			use := Use{AccessKind(a.Kind), w.primitive(w.sideOf(a)), w.name(id), w.place(id, a.Instr)}
			if n == 0 {
				b.addAt(use, "", a, -1)
			}
			for k := int32(0); k < n; k++ {
				b.addAt(use, "", a, first+pointer.Node(k))
			}
		})
		if w.isNear(id) {
			w.callees(id, on, called)
		}
	}
	if len(called) > 0 {
		w.findCalled(b, l, called)
	}
	return atColumn(b.sorted(), l.Col)
}

// atColumn keeps the accesses at a column, if there are any.
func atColumn(list []*spot, col int) []*spot {
	at := slices.DeleteFunc(slices.Clone(list), func(s *spot) bool {
		p := s.use.Place
		return col < p.Col || col > p.Col && (p.EndLine == p.Line && col >= p.EndCol)
	})
	if col == 0 || len(at) == 0 {
		return list
	}
	return at
}

// onLine returns the instructions of an instance on a line, in order.
func (w *whyQuestion) onLine(id pointer.InstID, l Line) []int32 {
	body := w.Points.Body(id)
	unit := w.Points.Prog.Unit(w.Points.Instances[id].Func)
	if body == nil || unit == nil {
		return nil
	}
	file := fileOf(unit, l.File)
	if file < 0 {
		return nil
	}
	var on []int32
	for k, p := range body.Pos {
		if p.Line == int32(l.Line) && p.File == ir.FileID(file) {
			on = append(on, int32(k))
		}
	}
	return on
}

func fileOf(u *ir.Unit, name string) int {
	return slices.IndexFunc(u.Files, func(f ir.File) bool { return f.Path == name })
}

// callees adds the instances out of scope that calls on a line lead to without
// going through code in scope.
func (w *whyQuestion) callees(id pointer.InstID, on []int32, called map[pointer.InstID]bool) {
	var queue []pointer.InstID
	visit := func(e pointer.Edge) {
		if e.How != ir.Spawned && !called[e.Target] && !w.isNear(e.Target) {
			called[e.Target] = true
			queue = append(queue, e.Target)
		}
	}
	for _, e := range w.Points.Instances[id].Calls {
		if _, here := slices.BinarySearch(on, e.Instr); here {
			visit(e)
		}
	}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		for _, e := range w.Points.Instances[next].Calls {
			visit(e)
		}
	}
}

// findCalled adds the accesses of libraries that a report would show on the
// line.
func (w *whyQuestion) findCalled(b *spots, l Line, called map[pointer.InstID]bool) {
	for i := range w.Sharing.Cells {
		c := &w.Sharing.Cells[i]
		for _, a := range c.Accesses {
			if !called[a.Inst] {
				continue
			}
			acc, _ := w.access(w.sideOf(a))
			if acc.Place.File == l.File && acc.Place.Line == l.Line {
				b.add(a, w.Points.Objects[c.Object].Base+pointer.Node(c.Slot))
			}
		}
	}
}

// lineState says what a line without accesses is: which function it is in, and
// why there is nothing to tell.
func (w *whyQuestion) lineState(l Line) (function string, state LineState, text Sentence) {
	unit, def := w.enclosing(l)
	switch {
	case unit == nil:
		return "", LineNoCode, plain("the file is not part of this program")
	case def == nil:
		if g := globalAt(unit, l); g != "" {
			return "", LineNoCode, plain("the line declares " + short(g) + "; ask for a line that uses it")
		}
		return "", LineNoCode, plain("the line is in no function")
	}
	reached := false
	for i := range w.Points.Instances {
		id := pointer.InstID(i)
		f := w.Points.Prog.Func(w.Points.Instances[id].Func)
		if f.Unit == link.None || w.Points.Prog.Units[f.Unit] != unit || w.Points.Prog.Def(w.Points.Instances[id].Func) != def {
			continue
		}
		reached = true
		if len(w.onLine(id, l)) > 0 {
			return def.Name, LineQuiet, plain("nothing here reads or writes memory that others could reach")
		}
	}
	if w.ask.Modelled != nil {
		if row := w.ask.Modelled(def.Symbol); row != "" {
			return def.Name, LineModelled, plain("a model stands for " + def.Name + ", its own code is not analysed (" + row + ")")
		}
	}
	if !reached {
		return def.Name, LineUnreached, plain("no entry point of this program reaches " + def.Name)
	}
	return def.Name, LineNoCode, plain("there is no code on this line")
}

// enclosing returns the unit that has a file, and the innermost function of it
// around a line.
func (w *whyQuestion) enclosing(l Line) (*ir.Unit, *ir.Func) {
	var unit *ir.Unit
	var best *ir.Func
	for _, u := range w.Points.Prog.Units {
		file := fileOf(u, l.File)
		if file < 0 {
			continue
		}
		if unit == nil {
			unit = u
		}
		for i := range u.Funcs {
			f := &u.Funcs[i]
			if f.Flags&ir.FuncSynthetic != 0 || f.Pos.File != ir.FileID(file) || !f.Pos.IsValid() || !f.End.IsValid() {
				continue
			}
			if int(f.Pos.Line) > l.Line || int(f.End.Line) < l.Line {
				continue
			}
			if best == nil || f.Pos.Line > best.Pos.Line || f.Pos.Line == best.Pos.Line && f.Parent != ir.None {
				unit, best = u, f
			}
		}
	}
	return unit, best
}

// globalAt returns a global that is declared on a line.
func globalAt(u *ir.Unit, l Line) string {
	file := fileOf(u, l.File)
	for i := range u.Globals {
		if g := &u.Globals[i]; g.Pos.Line == int32(l.Line) && g.Pos.File == ir.FileID(file) {
			return g.Symbol
		}
	}
	return ""
}
