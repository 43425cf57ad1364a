package order

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/runs"
)

// Moment is a point, reached by any way or by a certain one. What is known of it
// is the more the longer the way: a function that is called both before and
// after a start has other answers for each of the calls.
type Moment struct {
	runs.Point
	way  runs.Way
	sets *sets
}

// sets are what may and must have been executed before a point.
type sets struct {
	may, must set
	waits     []int32 // those of must that waited for one particular thing
	segment   int32   // the same for all points of an instance with equal sets
}

// Moment returns a point as it is reached by any way.
func (r *Result) Moment(p runs.Point) Moment { return Moment{Point: p, sets: r.at(p)} }

// Via returns a point as it is reached by a way. Where the way ends, anything
// that leads there is meant.
func (r *Result) Via(p runs.Point, way runs.Way) Moment {
	way = r.runs.Trim(p.Inst, way)
	n := len(way.Calls)
	if n == 0 && !way.Start {
		return r.Moment(p)
	}
	w := r.worlds[r.origin(p)]
	last := w.index[way.Last(p.Inst)]
	may, must := w.entryMay[last].clone(), w.entryMust[last].clone()
	if way.Start {
		may, must = newSet(len(w.cuts)), newSet(len(w.cuts))
	}
	for k := n - 1; k >= 0; k-- {
		c := way.Calls[k]
		local := r.local(runs.Point{Inst: c.Inst, Instr: c.Instr})
		may.union(local.may)
		must.union(local.must)
		if c.How == ir.Deferred {
			may.union(w.mayGen[w.index[c.Inst]])
		}
	}
	local := r.local(runs.Point{Inst: p.Inst, Instr: p.Instr})
	may.union(local.may)
	must.union(local.must)
	return Moment{Point: p, way: way, sets: r.newSets(p, may, must)}
}

// local returns what the activation itself may and must have executed before a
// point. The sets must not be changed.
func (r *Result) local(p runs.Point) *sets {
	s, ok := r.locals[p]
	if !ok {
		w := r.worlds[r.origin(p)]
		i := w.index[p.Inst]
		s = &sets{may: r.mayFrom(w, i, p, newSet(len(w.cuts))), must: r.mustFrom(w, i, p, newSet(len(w.cuts)))}
		r.locals[p] = s
	}
	return s
}

// Segment identifies the stretch between cuts that a moment lies in: moments of
// one instance with equal segments have the same answers from Before.
func (m Moment) Segment() int32 { return m.sets.segment }

// at returns what is known of a point that is reached by any way.
func (r *Result) at(p runs.Point) *sets {
	p.How = ir.Now
	s, ok := r.memo[p]
	if !ok {
		w := r.worlds[r.origin(p)]
		i := w.index[p.Inst]
		s = r.newSets(p, r.mayAt(w, i, p), r.mustAt(w, i, p))
		r.memo[p] = s
	}
	return s
}

func (r *Result) newSets(p runs.Point, may, must set) *sets {
	w := r.worlds[r.origin(p)]
	s := &sets{may: may, must: must}
	s.must.each(func(k int32) {
		if int(k) >= len(w.cuts) {
			return // past the end of a set that was filled whole
		}
		if c := &w.cuts[k]; c.object != noNode && (c.op == ir.OpSend || !c.signals()) {
			s.waits = append(s.waits, k)
		}
	})
	s.segment = r.segmentOf(p.Inst, s)
	return s
}

// may returns the cuts of its origin that may have been executed before a
// point. The set must not be changed.
func (r *Result) may(p runs.Point) set { return r.at(p).may }

// must returns those that surely have been. The set must not be changed.
func (r *Result) must(p runs.Point) set { return r.at(p).must }
