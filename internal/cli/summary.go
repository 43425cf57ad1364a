package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deadheat/deadheat/internal/bug"
	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/report"
)

// summarise says on standard error what was not analysed, each with its place,
// and then in two lines what was and what was not.
func (a *app) summarise(res *driver.Result, doc *report.Document, paths report.Paths, took time.Duration) {
	for _, s := range doc.NotAnalysed {
		if s.Place.File != "" {
			fmt.Fprintf(a.Stderr, "%s: %s\n", paths.At(s.Place), s.Reason)
		}
	}
	a.warnCache(res)
	a.reportCrashes(res)
	if len(doc.Findings) > 0 {
		fmt.Fprintln(a.Stderr)
	}
	s := doc.Stats
	a.say("%s in %s, %s, %s (%s)", verdict(doc), plural(s.Packages, "package"), plural(len(doc.Entries), "entry point"),
		plural(s.Origins, "origin"), round(took))
	a.say("%s", notAnalysed(doc))
}

// verdict says how many findings there are.
func verdict(doc *report.Document) string {
	s := "no race found"
	if n := len(doc.Findings); n > 0 {
		count := map[detect.Confidence]int{}
		for _, f := range doc.Findings {
			count[f.Confidence]++
		}
		var parts []string
		for _, c := range []detect.Confidence{detect.High, detect.Medium, detect.Low} {
			if count[c] > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", count[c], c))
			}
		}
		s = fmt.Sprintf("%s (%s)", plural(n, "race"), strings.Join(parts, ", "))
	}
	if doc.Hidden > 0 {
		s += fmt.Sprintf(" and %d of lower confidence not shown", doc.Hidden)
	}
	return s
}

// maxNamed is how many packages the summary names.
const maxNamed = 3

// notAnalysed says what is missing from the verdict and why. Reasons that have
// a place have been shown with it.
func notAnalysed(doc *report.Document) string {
	s := "everything named was analysed"
	if len(doc.NotAnalysed) > 0 {
		var named []string
		for _, p := range doc.NotAnalysed {
			name := p.Path
			if p.Place.File == "" {
				name += " (" + p.Reason + ")"
			}
			if !slices.Contains(named, name) {
				named = append(named, name)
			}
		}
		more := ""
		if n := len(named) - maxNamed; n > 0 {
			named, more = named[:maxNamed], fmt.Sprintf(" and %d more", n)
		}
		s = "not analysed: " + strings.Join(named, ", ") + more
	}
	if len(doc.Limits) > 0 {
		n := 0
		for _, l := range doc.Limits {
			n += l.Count
		}
		s += fmt.Sprintf("; %s (deadheat doctor lists them)", plural(n, "limit"))
	}
	return s
}

// warnCache tells of a cache that does not work: the result is right, but the
// next run will be as slow.
func (a *app) warnCache(res *driver.Result) {
	c := res.Cache
	if c.FirstReadError != nil {
		a.say("warning: %v", c.FirstReadError)
	}
	if c.FirstWriteError != nil {
		a.say("warning: %v", c.FirstWriteError)
	}
	if c.Corrupt > 0 {
		a.say("warning: %s of the cache was damaged and made anew", plural(int(c.Corrupt), "entry"))
	}
}

// reportCrashes shows panics that were caught and broken invariants met on the
// way. The analysis went on without the code in hand, so the verdict is
// incomplete.
func (a *app) reportCrashes(res *driver.Result) {
	for _, c := range res.Crashes {
		writeCrash(a.System, fmt.Sprintf("%s: %s", c.Program, c.What), []byte(c.Stack))
		a.code = exitIncomplete
	}
	for _, r := range bug.Reports() {
		writeCrash(a.System, fmt.Sprintf("%s (%s)", r.Message, plural(r.Count, "time")), []byte(r.Stack))
		a.code = exitIncomplete
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// round shortens a duration to what a person wants to know.
func round(d time.Duration) time.Duration {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond)
	case d < time.Minute:
		return d.Round(100 * time.Millisecond)
	}
	return d.Round(time.Second)
}
