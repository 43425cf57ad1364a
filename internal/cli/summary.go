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
	a.warnComments(doc, paths)
	a.warnCache(res)
	a.reportCrashes(res)
	if doc.Count() > 0 {
		fmt.Fprintln(a.Stderr)
	}
	s := doc.Stats
	a.say("%s in %s, %s, %s (%s)", verdict(doc), plural(s.Packages, res.Unit), plural(len(doc.Entries), "entry point"),
		plural(s.Origins, "origin"), round(took))
	if s := entered(res.Programs); s != "" {
		a.say("%s", s)
	}
	if s := setAside(doc, paths); s != "" {
		a.say("%s", s)
	}
	a.say("%s", notAnalysed(doc))
}

// maxEntered bounds the programs that the summary names.
const maxEntered = 8

// entered names the programs that were analysed, if there are several: findings
// of all of them are one list.
func entered(programs []driver.Program) string {
	var names []string
	for i := range programs {
		p := &programs[i]
		if len(p.Entries) == 0 {
			continue
		}
		names = append(names, p.Of...)
	}
	if len(names) < 2 {
		return ""
	}
	rest := ""
	if n := len(names) - maxEntered; n > 0 {
		names = names[:maxEntered]
		rest = fmt.Sprintf(" and %d more (deadheat doctor lists them)", n)
	}
	return "entered " + strings.Join(names, ", ") + rest
}

// setAside says how many findings do not count, and why.
func setAside(doc *report.Document, paths report.Paths) string {
	suppressed, before, fixed := 0, 0, 0
	for i := range doc.Findings {
		switch f := &doc.Findings[i]; {
		case f.State == detect.Fixed:
			fixed++
		case f.Suppression != nil:
			suppressed++
		case f.State == detect.Preexisting:
			before++
		}
	}
	var parts []string
	if doc.Base != nil {
		parts = append(parts, fmt.Sprintf("%d fixed and %d preexisting since %s", fixed, before, baseName(doc.Base)))
	}
	if suppressed > 0 {
		parts = append(parts, plural(suppressed, "finding")+" suppressed in the source")
	}
	if b := doc.Baseline; b != nil {
		s := fmt.Sprintf("%s in the baseline %s", plural(b.Found, "finding"), paths.Show(b.File))
		if b.Stale > 0 {
			s += fmt.Sprintf(", which has %d that are gone (deadheat baseline write drops them)", b.Stale)
		}
		parts = append(parts, s)
	}
	if doc.Excluded > 0 {
		parts = append(parts, plural(doc.Excluded, "finding")+" excluded by the configuration")
	}
	return strings.Join(parts, "; ")
}

// baseName names a revision with its commit.
func baseName(b *report.Base) string {
	short := b.Commit[:min(12, len(b.Commit))]
	if b.Revision == short || b.Revision == b.Commit {
		return short
	}
	return b.Revision + " (" + short + ")"
}

// warnComments tells of suppression comments that do nothing. That one is not
// needed can be told only if everything was analysed.
func (a *app) warnComments(doc *report.Document, paths report.Paths) {
	unused := 0
	for _, c := range doc.Comments {
		switch {
		case c.Problem != "":
			fmt.Fprintf(a.Stderr, "%s: this suppression does nothing: %s\n", paths.At(c.Place), c.Problem)
		case !c.Used && len(doc.NotAnalysed) == 0:
			unused++
			fmt.Fprintf(a.Stderr, "%s: this suppression is unused: there is no finding of %s here\n", paths.At(c.Place), strings.Join(c.Rules, ", "))
		}
	}
	if unused > 0 {
		a.say("%s can be removed", plural(unused, "unused suppression"))
	}
}

// verdict says how many findings there are.
func verdict(doc *report.Document) string {
	word, none := "race", "no race found"
	if doc.Base != nil {
		word, none = "introduced race", "no race introduced"
	} else if len(doc.Findings) > 0 {
		none = "no new race found"
	}
	s := none
	if n := doc.Count(); n > 0 {
		count := map[detect.Confidence]int{}
		for _, f := range doc.Findings {
			if f.Counts() {
				count[f.Confidence]++
			}
		}
		var parts []string
		for _, c := range []detect.Confidence{detect.High, detect.Medium, detect.Low} {
			if count[c] > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", count[c], c))
			}
		}
		s = fmt.Sprintf("%s (%s)", plural(n, word), strings.Join(parts, ", "))
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
	if strings.HasSuffix(noun, "s") {
		noun += "e"
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
