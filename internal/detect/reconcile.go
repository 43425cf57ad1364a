package detect

import "strings"

// Reach says which functions a program reaches.
type Reach struct {
	Program string
	Test    bool // a test binary: it shows some uses of the code, not all
	Symbols map[string]bool
}

// Reconcile makes one list of what programs and the library verdict found, where
// the program verdict knows more. A library finding that a program has too is
// left out; the program's finding says so and has the higher confidence of the
// two. One whose two sides a command reaches, and keeps apart, is of low
// confidence. What no command reaches as a whole stays as it is: other callers may
// do what none here does.
func Reconcile(programs, library []Finding, reached []Reach) []Finding {
	at := make(map[Place][]int)
	for i := range programs {
		f := &programs[i]
		at[f.First.Place] = append(at[f.First.Place], i)
		if f.Second.Place != f.First.Place {
			at[f.Second.Place] = append(at[f.Second.Place], i)
		}
	}
	out := programs
	for _, l := range library {
		same := false
		for _, i := range at[l.First.Place] {
			if sameRace(&out[i], &l) {
				confirm(&out[i], &l)
				same = true
			}
		}
		if same {
			continue
		}
		for _, r := range reached {
			if r.Test || !r.Symbols[l.First.Symbol] || !r.Symbols[l.Second.Symbol] {
				continue
			}
			l.Confidence = Low
			l.Reasons = append(l.Reasons[:len(l.Reasons):len(l.Reasons)], Reason{Kind: "lowers", Text: "program: " + r.Program + " reaches both accesses and keeps them apart"})
			break
		}
		out = append(out, l)
	}
	return out
}

// sameRace tells whether a finding of a program, which has the place to mend of
// a library finding on one side, is about the same memory: the other side is the
// same too, or the memory has the same name below its owner.
func sameRace(p, l *Finding) bool {
	if p.First.Place == l.First.Place && p.Second.Place == l.Second.Place || p.First.Place == l.Second.Place && p.Second.Place == l.First.Place {
		return true
	}
	return member(p.What) == member(l.What)
}

// member is the last part of the name of memory.
func member(what string) string {
	what = strings.TrimPrefix(strings.TrimPrefix(what, "contents of "), "elements of ")
	return lastPart(strings.TrimSuffix(what, "[…]"))
}

// confirm adds to a program's finding what the library verdict knows.
func confirm(p, l *Finding) {
	add := func(r Reason) { p.Reasons = append(p.Reasons[:len(p.Reasons):len(p.Reasons)], r) }
	for _, r := range p.Reasons {
		if r.Kind == "library" {
			return
		}
	}
	text := "the functions of the package, without a program around them, show the same"
	var guard Place
	for _, r := range l.Reasons {
		if r.Kind == "guard" {
			text += ": " + r.Text
			guard = r.Place
		}
	}
	add(Reason{Kind: "library", Text: text, Place: guard})
	if p.Fix == "" {
		p.Fix = l.Fix
	}
	if l.Confidence > p.Confidence {
		add(Reason{Kind: "raises", Text: "library: " + l.Confidence.String() + " instead of " + p.Confidence.String() + ", as the library verdict has it"})
		p.Confidence = l.Confidence
	}
}
