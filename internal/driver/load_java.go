package driver

import (
	"errors"
	"path/filepath"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/frontend/jvm"
	"github.com/deadheat/deadheat/internal/report"
)

// JavaConfig says what is particular to Java targets.
type JavaConfig struct {
	ClassPath []string // places of the libraries that the targets use
	Sources   []string // directories and jars of source
	Library   jvm.Library
	JDK       string   // directory of the JDK; empty means JavaHome, or that of the java command in PathList
	JavaHome  string   // value of JAVA_HOME
	PathList  string   // value of PATH
	Mains     []string // classes to start; none means all that have a main method
	Open      []string // packages whose public methods any number of callers call at the same time
}

// loadJava makes units of Java classes and all they lead to.
func (r *run) loadJava(targets []string) error {
	j := &r.cfg.Java
	res, err := jvm.Load(r.ctx, jvm.Config{
		Targets:   r.absolute(targets),
		ClassPath: r.absolute(j.ClassPath),
		Library:   j.Library,
		JDK:       j.JDK,
		JavaHome:  j.JavaHome,
		PathList:  j.PathList,
		Workers:   r.cfg.Jobs,
		Store:     r.cfg.Store,
		Progress:  func(done, total int) { r.progress("load", done, total) },
	})
	if err != nil {
		if r.ctx.Err() != nil {
			return r.ctx.Err()
		}
		return &UsageError{err}
	}
	find, err := newSourceFinder(r.dir, r.absolute(j.Sources), r.absolute(targets))
	if err != nil {
		return &UsageError{err}
	}
	defer find.close()
	for _, c := range res.Classes {
		p := &part{path: c.Name, dir: c.Place, target: c.Target, standard: c.Standard, digest: c.Digest, main: c.Main(), lazy: true}
		if c.Unit != nil {
			find.resolve(c.Unit)
		}
		if c.Unit != nil && c.Target {
			r.noteSuppressions(c, find)
		}
		r.parts = append(r.parts, p)
		r.units = append(r.units, c.Unit)
		r.own[c.Name] = c.Target
		r.describeClass(c)
	}
	r.missing = res.Missing
	r.res.Sources = find.reader()
	r.res.Notes = append(r.res.Notes, res.Notes...)
	r.res.Loaded = Loaded{Units: res.Stats.Classes, Cached: res.Stats.Hits}
	return nil
}

// absolute makes places relative to the working directory absolute.
func (r *run) absolute(places []string) []string {
	out := make([]string, len(places))
	for i, p := range places {
		if out[i] = p; !filepath.IsAbs(p) {
			out[i] = filepath.Join(r.dir, p)
		}
	}
	return out
}

// describeClass notes what became of a class.
func (r *run) describeClass(c *jvm.Class) {
	info := Package{Path: c.Name, Target: c.Target, Standard: c.Standard, Status: "analysed"}
	if c.Unit != nil {
		info.Functions = countFunctions(c.Unit)
	} else {
		info.Status = "not analysed"
	}
	for _, err := range c.Errors {
		var fault *jvm.Fault
		if errors.As(err, &fault) {
			r.res.Crashes = append(r.res.Crashes, Crash{Program: c.Name, What: fault.What, Stack: fault.Stack})
		}
		info.Problem = err.Error()
		if c.Target || c.Unit == nil {
			r.skip(report.Skipped{Path: c.Name, Reason: "class " + c.Name + ": " + info.Problem, Place: detect.Place{File: filepath.ToSlash(c.Place)}})
		}
	}
	r.res.Packages = append(r.res.Packages, info)
}
