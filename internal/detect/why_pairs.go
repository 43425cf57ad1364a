package detect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/pointer"
	"github.com/deadheat/deadheat/internal/sharing"
)

// pairs judges every spot of one list with every one of the other. Each pair
// of spots is given once: the first of the two is from the first list.
func (w *whyQuestion) pairs(first, second []*spot) []Pair {
	var out []Pair
	type pair struct{ a, b spotKey }
	seen := make(map[pair]bool)
	for _, s := range first {
		for _, t := range second {
			a, b := spotKey{s.use, s.library}, spotKey{t.use, t.library}
			if seen[pair{a, b}] || seen[pair{b, a}] {
				continue
			}
			seen[pair{a, b}] = true
			if p, ok := w.pair(s, t); ok {
				out = append(out, p)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Pair) int {
		switch {
		case a.Race && !b.Race:
			return -1
		case b.Race && !a.Race:
			return 1
		}
		return cmp.Or(compareUses(a.First, b.First), compareUses(a.Second, b.Second))
	})
	return out
}

// pair judges two spots: all their accesses of common cells; ok is false if
// there are none.
func (w *whyQuestion) pair(s, t *spot) (p Pair, ok bool) {
	p = Pair{What: w.spotName(s), First: s.use, Second: t.use}
	byNode := make(map[pointer.Node][]sharing.Access)
	for _, h := range t.hits {
		if h.node >= 0 {
			byNode[h.node] = append(byNode[h.node], h.access)
		}
	}
	for _, h := range s.hits {
		for _, b := range byNode[h.node] {
			if b == h.access && !w.Runs.Many(w.Points.Instances[b.Inst].Origin) {
				continue // there is no other instance
			}
			ok = true
			if w.dead(h.access) || w.dead(b) {
				w.addVerdict(&p, Verdict{Kind: "unreachable", Text: w.deadText(h.access, b)})
				continue
			}
			w.judgePair(&p, h.node, h.access, b)
		}
	}
	if p.Race {
		p.Verdicts = nil
		for _, h := range s.hits {
			if byNode[h.node] != nil {
				w.races[h.node] = true
			}
		}
	}
	return p, ok
}

// maxExplained bounds the contexts in which a race of two spots is explained; the
// one of the highest confidence is kept.
const maxExplained = 32

func (w *whyQuestion) judgePair(p *Pair, n pointer.Node, x, y sharing.Access) {
	c := w.cells[n]
	a, b := w.sideOf(x), w.sideOf(y)
	if !a.Kind.Writes() || b.Kind.Writes() && a.Kind.Atomic() && !b.Kind.Atomic() {
		a, b = b, a
	}
	o := w.judge(c, a, b, x == y)
	if o != racing {
		w.addVerdict(p, w.because(c, a, b, o))
		return
	}
	if p.explained++; p.explained > maxExplained {
		return
	}
	r := w.raceOf(c, a, b)
	f, ok := w.explain(&r)
	if ok {
		w.nameOrigins(&f, a, b)
	}
	switch {
	case p.Race && (!ok || p.Finding != nil && p.Finding.Confidence >= f.Confidence):
		return
	case ok:
		p.Finding = &f
	}
	p.Race = true
}

func (w *whyQuestion) nameOrigins(f *Finding, a, b *side) {
	f.First.Origin, f.Second.Origin = w.originOf(a.Inst), w.originOf(b.Inst)
}

// report says how the pairs that race are reported: it does with their cells what
// detection does with all.
func (w *whyQuestion) report(pairs []Pair) {
	if len(w.races) == 0 {
		return
	}
	for i := range w.Sharing.Cells {
		c := &w.Sharing.Cells[i]
		if w.races[w.Points.Objects[c.Object].Base+pointer.Node(c.Slot)] {
			w.cell(c)
		}
	}
	reported := w.findings()
	for i := range pairs {
		p := &pairs[i]
		if p.Finding == nil {
			continue
		}
		if g := reportedAs(p.Finding, reported); g != nil {
			p.Reported = g.Fingerprint
			if !samePlaces(p.Finding, g) {
				p.Into = [2]Place{g.First.Place, g.Second.Place}
			}
		}
	}
}

// reportedAs finds the finding that stands for a race: one is reported for each
// cell and function that writes, one for two functions that write, and one for each
// pair of instructions.
func reportedAs(f *Finding, reported []Finding) *Finding {
	var other *Finding
	for i := range reported {
		g := &reported[i]
		switch {
		case g.Fingerprint == f.Fingerprint:
			return g
		case other == nil && g.Object == f.Object && (g.What == f.What && sameWriter(f, g) || samePlaces(f, g)):
			other = g
		}
	}
	return other
}

func sameWriter(f, g *Finding) bool {
	return f.First.Symbol == g.First.Symbol || f.First.Symbol == g.Second.Symbol && f.Second.Symbol == g.First.Symbol
}

func samePlaces(f, g *Finding) bool {
	return f.First.Place == g.First.Place && f.Second.Place == g.Second.Place ||
		f.First.Place == g.Second.Place && f.Second.Place == g.First.Place
}

// addVerdict adds one that says something new.
func (w *whyQuestion) addVerdict(p *Pair, v Verdict) {
	text := v.Text.Text(placeKey)
	for _, old := range p.Verdicts {
		if old.Kind == v.Kind && old.Text.Text(placeKey) == text {
			return
		}
	}
	p.Verdicts = append(p.Verdicts, v)
	slices.SortStableFunc(p.Verdicts, func(a, b Verdict) int {
		return cmp.Or(strings.Compare(a.Kind, b.Kind), strings.Compare(a.Text.Text(placeKey), b.Text.Text(placeKey)))
	})
}

func (w *whyQuestion) dead(a sharing.Access) bool { return !w.Values.Runs(a.Inst, a.Instr) }

func (w *whyQuestion) deadText(a, b sharing.Access) Sentence {
	if !w.dead(a) {
		a = b
	}
	k, _ := w.Values.Decider(a.Inst, a.Instr)
	return Sentence{{"", w.place(a.Inst, a.Instr)}}.say(" never runs: the condition").at(" at ", w.near(a.Inst, k)).say(" always comes out the other way")
}
