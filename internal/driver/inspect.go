package driver

import (
	"context"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"time"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/report"
)

// Inspection is what is known of the programs among the targets. It depends on
// what Result.Document depends on.
type Inspection[T any] struct {
	Programs    []report.Inspected[T]
	Others      []string // programs that the question does not concern
	NotAnalysed []report.Skipped
	Crashes     []Crash
}

// Origins lists the origins of every program among the targets.
func Origins(ctx context.Context, cfg Config) (*Inspection[[]detect.OriginNode], error) {
	return inspect(ctx, cfg, question[[]detect.OriginNode]{
		before: "values",
		ask:    func(a *analysis) []detect.OriginNode { return detect.Origins(a.facts, a.inspection()) },
	})
}

// Share maps the shared memory of every program among the targets; all says
// whether memory that is only read or protected in every access is listed.
func Share(ctx context.Context, cfg Config, all bool) (*Inspection[detect.ShareMap], error) {
	return inspect(ctx, cfg, question[detect.ShareMap]{
		before: "detect",
		ask:    func(a *analysis) detect.ShareMap { return detect.Share(a.facts, a.inspection(), all) },
	})
}

// Why answers a question about one or two lines for every program that has
// their files. Programs with the same answer are joined.
func Why(ctx context.Context, cfg Config, lines []detect.Line) (*Inspection[detect.Answer], error) {
	res, err := inspect(ctx, cfg, question[detect.Answer]{
		before:   "detect",
		concerns: func(p *program) bool { return p.hasFiles(lines) },
		ask: func(a *analysis) detect.Answer {
			return detect.Why(a.facts, a.inspection(), lines)
		},
	})
	if err != nil {
		return nil, err
	}
	var joined []report.Inspected[detect.Answer]
next:
	for _, p := range res.Programs {
		for i := range joined {
			if reflect.DeepEqual(joined[i].Answer, p.Answer) {
				joined[i].Names = append(joined[i].Names, p.Names...)
				joined[i].Entries = append(joined[i].Entries, p.Entries...)
				continue next
			}
		}
		joined = append(joined, p)
	}
	res.Programs = joined
	return res, nil
}

// hasFiles tells whether a program has the files of all lines.
func (p *program) hasFiles(lines []detect.Line) bool {
	for _, l := range lines {
		if !slices.ContainsFunc(p.units, func(u *ir.Unit) bool {
			return slices.ContainsFunc(u.Files, func(f ir.File) bool { return f.Path == l.File })
		}) {
			return false
		}
	}
	return true
}

// question is asked of each program.
type question[T any] struct {
	before   string                // the stage that is no longer needed
	concerns func(p *program) bool // nil: every program
	ask      func(a *analysis) T
}

// inspect loads and plans like Check, takes each program through the stages
// that a question needs, and asks.
func inspect[T any](ctx context.Context, cfg Config, q question[T]) (*Inspection[T], error) {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, &UsageError{err}
	}
	cfg.Mode = ModeProgram // origins are those of programs
	r := &run{ctx: ctx, cfg: &cfg, dir: dir, res: new(Result),
		own: map[string]bool{}, near: map[string]bool{}, covered: map[string]bool{}, took: map[string]time.Duration{}}
	for _, do := range []func(*run) error{(*run).readModels, (*run).load, (*run).plan, (*run).gather} {
		if err := do(r); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	out := &Inspection[T]{}
	if q.concerns != nil {
		kept := r.programs[:0:len(r.programs)]
		for _, p := range r.programs {
			if q.concerns(p) {
				kept = append(kept, p)
			} else {
				out.Others = append(out.Others, p.name)
			}
		}
		r.programs = kept
	}
	answers := make([]report.Inspected[T], len(r.programs))
	crashes := make([]*Crash, len(r.programs))
	r.parallel(len(r.programs), func(i int) {
		answers[i], crashes[i] = putTo(r, r.programs[i], q)
		r.mu.Lock()
		defer r.mu.Unlock()
		r.done++
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, crash := range crashes {
		if crash != nil {
			out.Crashes = append(out.Crashes, *crash)
			r.skip(report.Skipped{Path: crash.Program, Reason: "internal error: " + crash.What})
			continue
		}
		out.Programs = append(out.Programs, answers[i])
	}
	out.NotAnalysed = r.res.NotAnalysed
	return out, nil
}

// putTo puts a question to a program. A panic ends that program only.
func putTo[T any](r *run, p *program, q question[T]) (answer report.Inspected[T], crash *Crash) {
	a := &analysis{run: r, program: p}
	stage := ""
	defer func() {
		if a.large {
			r.large.Unlock()
		}
		if what := recover(); what != nil {
			crash = &Crash{Program: p.name, What: fmt.Sprintf("%s: %v", stage, what), Stack: string(debug.Stack())}
		}
	}()
	begin := func(name string) {
		stage = name
		r.mu.Lock()
		defer r.mu.Unlock()
		r.progress("analyse: "+stage, r.done, len(r.programs))
	}
	for _, s := range programStages {
		if s.name == q.before || r.ctx.Err() != nil {
			break
		}
		begin(s.name)
		s.do(a)
	}
	if r.ctx.Err() != nil {
		return answer, nil
	}
	begin("answer")
	answer.Names = p.names()
	for _, c := range p.calls {
		answer.Entries = append(answer.Entries, p.units[c.unit].Funcs[c.fn].Symbol)
	}
	answer.Answer = q.ask(a)
	return answer, nil
}

// inspection says how detect is to answer questions about a program.
func (a *analysis) inspection() detect.InspectConfig {
	cfg := detect.InspectConfig{InScope: a.run.inScope, Near: a.run.isNear, Root: a.rootOf, Modelled: a.modelled, Roots: []detect.OriginRef{}}
	for _, c := range a.linked.calls {
		if !c.spawn && !c.awaited {
			cfg.Roots = append(cfg.Roots, a.rootOf(a.program.units[c.unit].Funcs[c.fn].Name))
		}
	}
	return cfg
}

// modelled returns where the row stands that replaces the code of a function.
func (a *analysis) modelled(symbol string) string {
	row := a.run.models.Find(ir.LangGo, symbol)
	if row == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", row.At.File, row.At.Line)
}

// AbsoluteFile returns a path as units of packages loaded from dir have it.
func AbsoluteFile(dir, file string) string {
	if !filepath.IsAbs(file) {
		file = filepath.Join(dir, file)
	}
	return filepath.ToSlash(filepath.Clean(file))
}
