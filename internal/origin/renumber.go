package origin

import (
	"slices"

	"github.com/deadheat/deadheat/internal/link"
)

// Renumber puts the origins into a new order and translates the functions they
// name. order lists the old numbers; Main stays the first. The table takes no
// more spawns.
func (t *Table) Renumber(order []ID, funcs []link.FuncID) {
	to := make([]ID, len(t.List))
	for i, old := range order {
		to[old] = ID(i)
	}
	list := make([]Origin, len(order))
	for i, old := range order {
		o := t.List[old]
		o.Entries = slices.Clone(o.Entries)
		for k, f := range o.Entries {
			o.Entries[k] = funcs[f]
		}
		slices.Sort(o.Entries)
		o.Parents = slices.Clone(o.Parents)
		for k, p := range o.Parents {
			o.Parents[k] = to[p]
		}
		slices.Sort(o.Parents)
		o.Site = o.Site.Renumber(funcs)
		list[i] = o
	}
	t.List = list
	t.Chains.renumber(funcs)
	t.lines, t.byStart, t.children = nil, nil, nil
}

// Renumber translates the function of a site; that of no site stays none.
func (s Site) Renumber(funcs []link.FuncID) Site {
	if s != NoSite {
		s.Func = funcs[s.Func]
	}
	return s
}
