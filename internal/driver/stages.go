package driver

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deadheat/deadheat/internal/ir"
	"github.com/deadheat/deadheat/internal/model"
	"github.com/deadheat/deadheat/internal/report"
	"github.com/deadheat/deadheat/internal/shuffle"
)

// stages of a run, in order. Each needs what those before it left in run.
var stages = [...]struct {
	name string
	do   func(*run) error
}{
	{"models", (*run).readModels}, // first: a mistake in a model file should not cost a load
	{"load", (*run).load},
	{"plan", (*run).plan},
	{"gather", (*run).gather}, // after plan: programs that are mostly the same are analysed as one
	{"analyse", (*run).analyse},
	{"library", (*run).library}, // after load; collect lets the programs have their say in it
	{"collect", (*run).collect},
}

// run is one call of Check.
type run struct {
	ctx context.Context
	cfg *Config
	dir string // absolute

	models   *model.Set
	share    sync.Once     // of common
	common   *model.Common // of programs that consist of the same units
	parts    []*part
	units    []*ir.Unit       // parallel to parts; nil where there is none
	missing  []string         // classes that no place has
	waivers  []report.Comment // suppressions that are not annotations of a unit
	files    map[string]bool  // source files of covered packages, once asked for
	programs []*program
	own      map[string]bool // paths of the user's own packages
	near     map[string]bool // paths of packages of the targets' modules
	covered  map[string]bool // paths of packages that some program contains

	large sync.Mutex // held by an analysis that has found its program to be large

	mu       sync.Mutex
	took     map[string]time.Duration // guarded by mu; by stage
	done     int                      // guarded by mu; programs analysed
	analyses []*analysis              // parallel to programs; an entry is set by the worker that made it

	res *Result
}

// Check analyses what cfg names. Problems of single packages are in the result;
// the error is a *UsageError or says why nothing could be analysed at all.
func Check(ctx context.Context, cfg Config) (*Result, error) {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, &UsageError{err}
	}
	r := &run{ctx: ctx, cfg: &cfg, dir: dir, res: new(Result),
		own: map[string]bool{}, near: map[string]bool{}, covered: map[string]bool{}, took: map[string]time.Duration{}}
	for _, s := range stages {
		r.progress(s.name, 0, 0)
		start := time.Now()
		if err := s.do(r); err != nil {
			return nil, err
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r.timed(s.name, start)
	}
	for _, s := range stages {
		r.res.Stages = append(r.res.Stages, StageTime{s.name, r.took[s.name]})
	}
	for _, s := range programStages {
		r.res.Stages = append(r.res.Stages, StageTime{"analyse: " + s.name, r.took[s.name]})
	}
	r.res.Cache = cfg.Store.Counters()
	return r.res, nil
}

func (r *run) progress(stage string, done, total int) {
	if r.cfg.Progress != nil {
		r.cfg.Progress(Event{Stage: stage, Done: done, Total: total})
	}
}

func (r *run) timed(stage string, start time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.took[stage] += time.Since(start)
}

func (r *run) jobs() int {
	if r.cfg.Jobs > 0 {
		return r.cfg.Jobs
	}
	return runtime.GOMAXPROCS(0)
}

// parallel calls do for every index below n, several at a time. It stops early
// when the run is cancelled.
func (r *run) parallel(n int, do func(i int)) {
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(r.jobs(), n) {
		wg.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	shuffle.All(order)
	for _, i := range order {
		if r.ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
}

// analyse analyses all programs.
func (r *run) analyse() error {
	r.analyses = make([]*analysis, len(r.programs))
	r.parallel(len(r.programs), func(i int) {
		r.analyses[i] = r.analyseProgram(r.programs[i])
		r.mu.Lock()
		defer r.mu.Unlock()
		r.done++
	})
	return r.ctx.Err()
}

// analyseProgram takes one program through its stages. A panic ends that
// program only.
func (r *run) analyseProgram(p *program) (a *analysis) {
	a = &analysis{run: r, program: p}
	stage := ""
	defer func() {
		if a.large {
			r.large.Unlock()
		}
		if what := recover(); what != nil {
			a.crash = &Crash{Program: p.name, What: fmt.Sprintf("%s: %v", stage, what), Stack: string(debug.Stack())}
		}
	}()
	for _, s := range programStages {
		if r.ctx.Err() != nil {
			return a
		}
		stage = s.name
		r.mu.Lock()
		r.progress("analyse: "+stage, r.done, len(r.programs))
		r.mu.Unlock()
		start := time.Now()
		s.do(a)
		r.timed(s.name, start)
	}
	return a
}

// collect joins the results of the programs, in their order.
func (r *run) collect() error {
	res := r.res
	for _, a := range r.analyses {
		if a.crash != nil {
			res.Crashes = append(res.Crashes, *a.crash)
			r.skip(report.Skipped{Path: a.program.name, Reason: "internal error: " + a.crash.What})
			continue
		}
		res.Programs = append(res.Programs, a.info)
	}
	r.coverage()
	slices.SortFunc(res.NotAnalysed, func(a, b report.Skipped) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Place.File, b.Place.File),
			cmp.Compare(a.Place.Line, b.Place.Line), strings.Compare(a.Reason, b.Reason))
	})
	r.joinFindings()
	r.suppress()
	r.listFunctions()
	r.joinLimits()
	r.count()
	return nil
}
