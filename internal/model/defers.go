package model

import (
	"github.com/deadheat/deadheat/internal/ir"
)

// ExpandDefers puts deferred calls where they happen. At a rundefers, the calls
// deferred so far run, last first. Those that are sure to be among them, once
// each, become ordinary calls in its place, with their own positions:
//
//   - a deferred call is sure at a rundefers if its instruction dominates the
//     rundefers and is not part of a cycle;
//   - if all that may run there are sure, the rundefers goes away;
//   - else it stays and stands for the others. Sure calls that were deferred
//     after all of those are expanded before it, sure calls that were deferred
//     before all of those are expanded behind it. A sure call that lies between
//     others is left to the rundefers.
//
// A defer is removed once it is expanded wherever it may run; while it is not,
// no rundefers that stays has it expanded beside it, so that nothing runs twice.
// A defer that reaches no rundefers, because the function never returns, is
// left as it is.
//
// The recover block of a body is entered after a panic, when every call that was
// deferred until then has run, the expanded ones among them. Nothing in the body
// says so: engines must take the state there to be unknown.
//
// The result is body itself if there is nothing to do.
func ExpandDefers(body *ir.Body) *ir.Body {
	d := findDefers(body)
	if d == nil {
		return body
	}
	d.decide()
	bb := new(ir.BodyBuilder)
	return bb.Rewrite(body, func(i int) bool {
		if site, ok := d.siteAt[i]; ok {
			return d.runsOf[site] > 0 && !d.keep[site]
		}
		run, ok := d.runAt[i]
		if !ok {
			return false
		}
		plan := &d.plans[run]
		d.emit(bb, plan.before)
		if plan.stays {
			bb.Emit(body.Pos[i], body.Instrs[i])
		}
		d.emit(bb, plan.after)
		return true
	})
}

// defers is what ExpandDefers knows of a body. Sites are deferred calls, runs
// are rundefers, both numbered in the order of instructions.
type defers struct {
	body   *ir.Body
	flow   *flow
	sites  []point
	runs   []point
	siteAt map[int]int // by instruction
	runAt  map[int]int

	cyclic []bool   // by site: is part of a cycle
	later  [][]bool // by site and site: may the second be deferred after the first
	may    [][]int  // by run: sites that may run there, ascending
	runsOf []int    // by site: number of runs it may run at
	keep   []bool   // by site: stays in the body
	plans  []runPlan
}

// point is an instruction and its block.
type point struct {
	block ir.BlockID
	instr int
}

// runPlan says what becomes of a rundefers. Sites are in the order in which they
// run.
type runPlan struct {
	before, after []int
	stays         bool
}

// findDefers collects the sites and runs of a body; nil if there are no runs.
func findDefers(body *ir.Body) *defers {
	d := &defers{body: body, siteAt: make(map[int]int), runAt: make(map[int]int)}
	hasRun := make([]bool, len(body.Blocks))
	for id := range body.Blocks {
		for i := body.Blocks[id].First; i < body.Blocks[id].End; i++ {
			in := &body.Instrs[i]
			at := point{ir.BlockID(id), int(i)}
			switch {
			case in.Op == ir.OpRunDefers:
				d.runAt[int(i)] = len(d.runs)
				d.runs = append(d.runs, at)
				hasRun[id] = true
			case isDeferred(in):
				d.siteAt[int(i)] = len(d.sites)
				d.sites = append(d.sites, at)
			}
		}
	}
	if len(d.runs) == 0 {
		return nil
	}
	d.flow = newFlow(body)
	d.may = make([][]int, len(d.runs))
	d.runsOf = make([]int, len(d.sites))
	d.keep = make([]bool, len(d.sites))
	d.cyclic = make([]bool, len(d.sites))
	d.later = make([][]bool, len(d.sites))
	for s := range d.sites {
		d.findRuns(s, func(b ir.BlockID) bool { return hasRun[b] })
	}
	return d
}

func isDeferred(in *ir.Instr) bool {
	switch in.Op {
	case ir.OpCall, ir.OpInvoke, ir.OpCallPtr:
		return ir.How(in.Sub) == ir.Deferred
	}
	return false
}

// findRuns finds where site s may run: at the first rundefers on each way.
func (d *defers) findRuns(s int, stop func(ir.BlockID) bool) {
	at := d.sites[s]
	d.later[s] = make([]bool, len(d.sites))
	first := func(block ir.BlockID, from int) bool {
		for r, run := range d.runs { // ascending, so the first one counts
			if run.block == block && run.instr >= from {
				d.may[r] = append(d.may[r], s)
				d.runsOf[s]++
				return true
			}
		}
		return false
	}
	seen := d.flow.reach(at.block, stop)
	d.cyclic[s] = seen[at.block]
	for t, other := range d.sites {
		d.later[s][t] = seen[other.block] || other.block == at.block && other.instr > at.instr
	}
	if first(at.block, at.instr) {
		return
	}
	for b := range seen {
		if seen[b] {
			first(ir.BlockID(b), int(d.body.Blocks[b].First))
		}
	}
}

// sure tells whether site s has been deferred exactly once at run r.
func (d *defers) sure(s, r int) bool {
	site, run := d.sites[s], d.runs[r]
	if d.cyclic[s] {
		return false
	}
	if site.block == run.block {
		return site.instr < run.instr
	}
	return d.flow.dominates(site.block, run.block)
}

// decide makes the plans. To keep a site may spoil the plan of another run,
// which may make it keep more, so it goes on until nothing changes.
func (d *defers) decide() {
	d.plans = make([]runPlan, len(d.runs))
	for changed := true; changed; {
		changed = false
		for r := range d.runs {
			for _, s := range d.plan(r) {
				if !d.keep[s] {
					d.keep[s], changed = true, true
				}
			}
		}
	}
}

// plan makes the plan of a run and returns the sites that it leaves to the
// rundefers.
func (d *defers) plan(r int) (left []int) {
	mixed := false
	for _, s := range d.may[r] {
		mixed = mixed || !d.sure(s, r)
	}
	for _, s := range d.may[r] {
		if !d.sure(s, r) || mixed && d.keep[s] {
			left = append(left, s)
		}
	}
	plan := runPlan{stays: mixed}
	var between []int
	for _, s := range d.may[r] {
		if !d.sure(s, r) || mixed && d.keep[s] {
			continue
		}
		precedes, follows := false, false // some site that is left
		for _, x := range left {
			if d.later[s][x] {
				precedes = true
			} else {
				follows = true
			}
		}
		switch {
		case precedes && follows:
			between = append(between, s)
		case precedes:
			plan.after = d.insert(plan.after, s)
		default:
			plan.before = d.insert(plan.before, s)
		}
	}
	d.plans[r] = plan
	return append(left, between...)
}

// insert adds a sure site to others in the order of running, last deferred
// first.
func (d *defers) insert(list []int, s int) []int {
	i := 0
	for i < len(list) && d.later[s][list[i]] {
		i++
	}
	list = append(list, 0)
	copy(list[i+1:], list[i:])
	list[i] = s
	return list
}

func (d *defers) emit(bb *ir.BodyBuilder, sites []int) {
	for _, s := range sites {
		i := d.sites[s].instr
		in := d.body.Instrs[i]
		in.Sub = uint8(ir.Now)
		bb.Emit(d.body.Pos[i], in, d.body.Args(&in)...)
	}
}
