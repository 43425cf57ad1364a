package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// Comment is a suppression comment,
//
//	//deadheat:ignore RULE[,RULE…] reason
//
// on the line of either access of a finding or on the line above. One that has
// a problem suppresses nothing.
type Comment struct {
	Rules   []string
	Reason  string
	Place   detect.Place
	Problem string // what is wrong with it, or ""
	Used    bool
	Scope   *Scope // what it governs in the place of lines, or nil
	Quiet   bool   // meant for other tools too: that it is not needed is no news
}

const ignoreDirective = "deadheat:ignore"

// ParseComment reads the text of an annotation, without comment marks. ok is
// false if it is not a suppression.
func ParseComment(text string, place detect.Place) (c Comment, ok bool) {
	rest, ok := strings.CutPrefix(text, ignoreDirective)
	if !ok || rest != "" && !strings.ContainsAny(rest[:1], " \t") {
		return Comment{}, false
	}
	c.Place = place
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		c.Problem = "no rule: want " + ignoreDirective + " RULE reason"
		return c, true
	}
	c.Rules = strings.Split(fields[0], ",")
	c.Reason = strings.Join(fields[1:], " ")
	for _, r := range c.Rules {
		if _, known := detect.RuleByID(r); !known {
			c.Problem = fmt.Sprintf("no rule is called %q: want %s RULE reason, where RULE is one of %s", r, ignoreDirective, strings.Join(ruleIDs(), ", "))
			return c, true
		}
	}
	if c.Reason == "" {
		c.Problem = "no reason: want " + ignoreDirective + " " + fields[0] + " reason"
	}
	return c, true
}

// NewScoped returns a suppression that governs a declaration. rules is a list
// with commas; if it is empty, all are meant.
func NewScoped(rules, reason string, place detect.Place, scope Scope) Comment {
	c := Comment{Rules: ruleIDs(), Reason: reason, Place: place, Scope: &scope}
	if rules == "" {
		return c
	}
	c.Rules = strings.Split(rules, ",")
	for _, r := range c.Rules {
		if _, known := detect.RuleByID(r); !known {
			c.Problem = fmt.Sprintf("no rule is called %q: the rules are %s", r, strings.Join(ruleIDs(), ", "))
		}
	}
	return c
}

func ruleIDs() []string {
	var ids []string
	for _, r := range detect.Rules() {
		ids = append(ids, r.ID)
	}
	return ids
}

// lineKey is a line of a file.
type lineKey struct {
	file string
	line int
}

// Suppress marks the findings that comments speak of, and those comments as
// used. Comments are sorted by place.
//
// A comment that applies to an access on its own line says nothing about the
// next one; several comments one under the other apply to the line below them
// all.
func Suppress(findings []detect.Finding, comments []Comment) {
	slices.SortFunc(comments, func(a, b Comment) int {
		return cmp.Or(strings.Compare(a.Place.File, b.Place.File), cmp.Compare(a.Place.Line, b.Place.Line), cmp.Compare(a.Place.Col, b.Place.Col))
	})
	same, below := map[lineKey][]int{}, map[lineKey][]int{}
	commented := map[lineKey]bool{}
	for i, c := range comments {
		if c.Scope != nil {
			comments[i].suppressIn(findings)
			continue
		}
		commented[lineKey{c.Place.File, c.Place.Line}] = true
		if c.Problem == "" {
			at := lineKey{c.Place.File, c.Place.Line}
			same[at] = append(same[at], i)
		}
	}
	suppressBy(findings, comments, same)
	for i, c := range comments {
		if c.Problem != "" || c.Used || c.Scope != nil {
			continue
		}
		at := lineKey{c.Place.File, c.Place.Line + 1}
		for commented[at] {
			at.line++
		}
		below[at] = append(below[at], i)
	}
	suppressBy(findings, comments, below)
}

// suppressBy marks findings with an access on a line that comments govern.
func suppressBy(findings []detect.Finding, comments []Comment, governed map[lineKey][]int) {
	for i := range findings {
		f := &findings[i]
		for _, p := range []detect.Place{f.First.Place, f.Second.Place} {
			for _, k := range governed[lineKey{p.File, p.Line}] {
				c := &comments[k]
				c.suppress(f)
			}
		}
	}
}

// suppress marks a finding that a comment governs, if it is of one of its rules.
func (c *Comment) suppress(f *detect.Finding) {
	if !slices.Contains(c.Rules, f.Rule) {
		return
	}
	c.Used = true
	if f.Suppression == nil {
		f.Suppression = &detect.Suppression{Reason: c.Reason, Place: c.Place}
	}
}
