package pointer

import (
	"cmp"
	"context"
	"slices"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/link"
	"github.com/deadheat/deadheat/internal/origin"
)

// Origins as contexts cost functions times origins, which is too much where
// hundreds of origins run most of a large program: the handlers of a server, all
// of which come to its storage through the same interfaces. A survey without
// contexts finds them beforehand; their code is then analysed once for all.

// Plan says what of a program is not told apart.
type Plan struct {
	Crowd  []origin.Start // starts of the origins that are taken together
	chains *origin.Chains // of those starts
}

// Survey analyses a program without telling origins apart and returns a plan by
// which no more than so many instances are to be expected, a quarter of them
// beside main and the crowd if those are too many already. Which origin runs what is overestimated:
// without contexts every callback reaches all.
func Survey(ctx context.Context, instances int, prog *link.Program, roots []Root) *Plan {
	s := newSolver(ctx, prog, origin.NewTable(1))
	s.survey, s.flat = true, true
	for _, r := range roots {
		s.instance(r.Func, origin.Main, origin.NoChain)
	}
	s.solve()
	p := &Plan{chains: s.origins.Chains}
	reached := s.reached()
	// Main and the crowd run no more than all; what is small stays apart in any case.
	room := max(instances-2*len(s.instances), instances/4)
	slices.SortFunc(reached, func(a, b reach) int { return cmp.Compare(a.instances, b.instances) })
	for len(reached) > 0 {
		// Those that run as much as each other stay together: nothing else is
		// known of them yet that does not depend on the order of work.
		n := 1
		for n < len(reached) && reached[n].instances == reached[0].instances {
			n++
		}
		if room -= n * reached[0].instances; room < 0 {
			break
		}
		reached = reached[n:]
	}
	if len(reached) > 1 {
		for _, r := range reached {
			p.Crowd = append(p.Crowd, r.start)
		}
	}
	return p
}

// Exceeds tells whether a program runs more than so many functions, by a survey that
// ends as soon as it knows.
func Exceeds(ctx context.Context, functions int, prog *link.Program, roots []Root) bool {
	s := newSolver(ctx, prog, origin.NewTable(1))
	s.survey, s.flat = true, true
	s.limit = functions
	for _, r := range roots {
		s.instance(r.Func, origin.Main, origin.NoChain)
	}
	s.solve()
	return len(s.instances) > functions
}

// reach is how much of the program an origin may run.
type reach struct {
	start     origin.Start
	instances int
}

// reached counts for every start what the origin may run.
func (s *solver) reached() []reach {
	entries := make(map[origin.Start][]InstID)
	for i := range s.instances {
		in := &s.instances[i]
		for _, e := range in.Calls {
			if e.How == ir.Spawned {
				at := origin.Start{Site: origin.Site{Func: in.Func, Instr: e.Instr}, Via: in.Via}
				entries[at] = append(entries[at], e.Target)
			}
		}
	}
	list := make([]reach, 0, len(entries))
	seen := make([]int32, len(s.instances)) // number of the start that came by last
	for at, work := range entries {
		mark := int32(len(list) + 1)
		n := 0
		for len(work) > 0 {
			id := work[len(work)-1]
			work = work[:len(work)-1]
			if seen[id] == mark {
				continue
			}
			seen[id] = mark
			n++
			for _, e := range s.instances[id].Calls {
				if e.How != ir.Spawned && seen[e.Target] != mark {
					work = append(work, e.Target)
				}
			}
		}
		list = append(list, reach{at, n})
	}
	return list
}
