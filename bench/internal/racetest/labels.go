package racetest

import (
	"fmt"
	"slices"
	"strings"
)

// Plain is the group of tests without a label.
const Plain = "plain"

// Labels say which tests need more than what is plain.
type Labels struct {
	Groups []Group
	of     map[string][]string
}

// Group is a reason why a test is not plain.
type Group struct{ Name, What string }

// Of returns the groups of a test.
func (l *Labels) Of(test string) []string {
	if g := l.of[test]; g != nil {
		return g
	}
	return []string{Plain}
}

// ParseLabels reads the text of labels.txt.
func ParseLabels(text string) (*Labels, error) {
	l := &Labels{of: map[string][]string{}}
	known := map[string]bool{}
	for n, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		fields := strings.Fields(line)
		fail := func(format string, args ...any) (*Labels, error) {
			return nil, fmt.Errorf("labels.txt:%d: %s", n+1, fmt.Sprintf(format, args...))
		}
		switch {
		case len(fields) == 0:
		case len(fields) == 1:
			return fail("%s has no group", fields[0])
		case fields[0] == "group":
			known[fields[1]] = true
			l.Groups = append(l.Groups, Group{fields[1], strings.Join(fields[2:], " ")})
		case l.of[fields[0]] != nil:
			return fail("%s is there twice", fields[0])
		default:
			for _, g := range fields[1:] {
				if !known[g] {
					return fail("no group %s", g)
				}
			}
			l.of[fields[0]] = fields[1:]
		}
	}
	return l, nil
}

// Unknown returns the labelled tests that a suite does not have, sorted.
func (l *Labels) Unknown(s *Suite) []string {
	have := map[string]bool{}
	for _, t := range s.Tests {
		have[t.Name] = true
	}
	var out []string
	for name := range l.of {
		if !have[name] {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}
