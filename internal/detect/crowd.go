package detect

import (
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/runs"
)

// In large programs one origin stands for many that run most of the code (see
// pointer.Survey). A report names the one of them by which it gets to an access.

// sideOrigin names the origin of an access, which the steps lead to.
func (d *detector) sideOrigin(inst pointer.InstID, steps []step) OriginRef {
	id := d.Points.Instances[inst].Origin
	if !d.Points.Origins.Get(id).Crowd {
		return d.originRef(id)
	}
	if len(steps) > 0 {
		inst = steps[0].point.Inst
	}
	return d.memberRef(inst)
}

// memberOf returns the function that a way begins with if only one origin of a
// crowd ever runs it.
func (d *detector) memberOf(inst pointer.InstID, way runs.Way) pointer.InstID {
	if !way.Start || !d.Points.Origins.Get(d.Points.Instances[inst].Origin).Crowd {
		return noActor
	}
	entry := way.Last(inst)
	points := d.startsOf(entry)
	if len(points) != 1 || d.startsOften(points[0]) || d.Runs.Many(d.Points.Instances[points[0].Inst].Origin) {
		return noActor
	}
	return entry
}

// startsOften tells whether a start is made more than once by its origin.
func (d *detector) startsOften(p runs.Point) bool {
	return d.instrAt(p).Flags&ir.FlagMany != 0 || d.Runs.InLoop(p) || d.Runs.Often(p.Inst)
}

// startsOf returns where the origins of a crowd that begin with an instance are
// started.
func (d *detector) startsOf(entry pointer.InstID) []runs.Point {
	if d.members == nil {
		d.members = make(map[pointer.InstID][]runs.Point)
		for id, points := range d.Runs.SpawnPoints {
			for _, p := range points {
				for _, e := range d.Points.Instances[p.Inst].Calls {
					if e.How == ir.Spawned && e.Instr == p.Instr && d.Points.Origins.List[id].Crowd {
						d.members[e.Target] = append(d.members[e.Target], p)
					}
				}
			}
		}
	}
	return d.members[entry]
}

// memberRef names the origin of a crowd that begins with an instance.
func (d *detector) memberRef(entry pointer.InstID) OriginRef {
	ref := OriginRef{Kind: originKinds[ir.OriginThread], Name: d.Points.Prog.Name(d.entryFrom(entry))}
	points := d.startsOf(entry)
	if len(points) == 0 { // the way to it is not known to its beginning
		f := d.Points.Instances[entry].Func
		if def := d.Points.Prog.Def(f); def != nil {
			ref.Start = toPlace(d.Points.Prog.Unit(f), def.Pos)
		}
		return ref
	}
	p := points[0]
	ref.Kind = originKind(d.instrAt(p).Flags.Origin(), d.Points.Prog.Unit(d.Points.Instances[p.Inst].Func).Lang)
	ref.Many = len(points) > 1 || d.startsOften(p)
	start := d.outer(p)
	ref.Start = d.place(start.Inst, start.Instr)
	return ref
}

func (d *detector) instrAt(p runs.Point) *ir.Instr { return &d.Points.Body(p.Inst).Instrs[p.Instr] }
