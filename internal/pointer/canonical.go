package pointer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
)

// While a program is being solved, things are numbered as they are found, which
// depends on the order of work. Those who use the result go by numbers: they
// take the first of several, or break a tie. So all is numbered anew by what the
// program says: functions as they are defined, instances and origins as calls
// lead to them from the roots, objects by who makes them.

// canonical numbers functions, origins, instances and objects anew. Nodes follow
// in result.
func (s *solver) canonical() {
	funcs := s.prog.Renumber()
	s.renumberFuncs(funcs)
	instances, origins := s.reach()
	s.origins.Renumber(origins, funcs)
	s.renumberInstances(instances, origins)
	s.renumberObjects()
}

// renumberFuncs translates the functions that the solver's tables name, those of
// the table of origins excepted.
func (s *solver) renumberFuncs(to []link.FuncID) {
	templates := make([]*template, len(to))
	for old, t := range s.templates {
		templates[to[old]] = t
		if t != nil {
			t.fn = to[old]
		}
	}
	s.templates, s.hasTemplate = templates, nil
	funcs := make(map[link.FuncID]Node, len(s.funcs))
	for f, n := range s.funcs {
		funcs[to[f]] = n
	}
	s.funcs = funcs
	for i := range s.instances {
		in := &s.instances[i]
		in.Func = to[in.Func]
	}
	for i := range s.objects {
		o := &s.objects[i]
		if o.Func != link.None {
			o.Func = to[o.Func]
		}
		if o.Inst >= 0 {
			o.Site = o.Site.Renumber(to)
		}
	}
}

// reach lists instances and origins in the order in which calls lead to them,
// level by level, from the roots, whose own order is given.
func (s *solver) reach() (instances []InstID, origins []origin.ID) {
	seen := make([]bool, len(s.instances))
	known := make([]bool, s.origins.Len())
	meet := func(o origin.ID) {
		if !known[o] {
			known[o] = true
			origins = append(origins, o)
		}
	}
	visit := func(id InstID) {
		if !seen[id] {
			seen[id] = true
			instances = append(instances, id)
			meet(s.instances[id].Origin)
		}
	}
	for i := range s.origins.List {
		if s.origins.List[i].Root {
			meet(origin.ID(i))
		}
	}
	for _, id := range s.roots {
		visit(id)
	}
	for i := 0; i < len(instances); i++ {
		calls := s.instances[instances[i]].Calls
		// The function decides: an instruction of an instance runs it in one
		// origin.
		slices.SortFunc(calls, func(a, b Edge) int {
			return cmp.Or(cmp.Compare(a.Instr, b.Instr), cmp.Compare(s.instances[a.Target].Func, s.instances[b.Target].Func))
		})
		for _, e := range calls {
			visit(e.Target)
		}
	}
	return instances, origins
}

// renumberInstances puts instances into an order and translates origins.
func (s *solver) renumberInstances(order []InstID, origins []origin.ID) {
	toOrigin := make([]origin.ID, len(origins))
	for i, old := range origins {
		toOrigin[old] = origin.ID(i)
	}
	to := make([]InstID, len(s.instances))
	list := make([]Instance, len(order))
	for i, old := range order {
		to[old] = InstID(i)
		list[i] = s.instances[old]
		list[i].Origin = toOrigin[list[i].Origin]
	}
	for i := range list {
		for k := range list[i].Calls {
			e := &list[i].Calls[k]
			e.Target = to[e.Target]
		}
	}
	s.instances = list
	for i := range s.objects {
		if o := &s.objects[i]; o.Inst >= 0 {
			o.Inst, o.Origin = to[o.Inst], toOrigin[o.Origin]
		}
	}
}

// renumberObjects puts objects into order: those that nobody makes first, by
// name, then those of each instance as its instructions make them.
func (s *solver) renumberObjects() {
	order := make([]ObjectID, len(s.objects))
	for i := range order {
		order[i] = ObjectID(i)
	}
	slices.SortFunc(order, func(a, b ObjectID) int {
		x, y := &s.objects[a], &s.objects[b]
		if c := cmp.Compare(x.Inst, y.Inst); c != 0 {
			return c
		}
		if x.Inst >= 0 {
			// Of one instance they are made together, in the order of the template.
			return cmp.Compare(a, b)
		}
		if c := cmp.Or(cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Func, y.Func)); c != 0 {
			return c
		}
		if x.Kind == ObjectGlobal {
			return strings.Compare(s.prog.Global(x.Global).Symbol, s.prog.Global(y.Global).Symbol)
		}
		return s.prog.CompareTypes(x.Type, y.Type)
	})
	to := make([]ObjectID, len(order))
	list := make([]Object, len(order))
	for i, old := range order {
		to[old] = ObjectID(i)
		list[i] = s.objects[old]
	}
	s.objects = list
	for i := range s.pages.list {
		for k, o := range s.pages.list[i].objects {
			s.pages.list[i].objects[k] = to[o]
		}
	}
}
