package detect

import (
	"fmt"
	"slices"
	"strings"
)

// Found is what one program has, or several that are analysed as one: there a
// finding says which of them have it.
type Found struct {
	Programs []string
	Findings []Finding
}

// defect is what findings of one defect have in common besides a fingerprint: the
// places and kinds of both accesses, and the name of the memory. The object may
// have been made in another function where another program begins.
type defect struct {
	rule, what    string
	first, second Place
	kinds         [2]AccessKind
}

func defectOf(f *Finding) defect {
	d := defect{rule: f.Rule, what: f.What, first: f.First.Place, second: f.Second.Place, kinds: [2]AccessKind{f.First.Kind, f.Second.Kind}}
	if after(d.first, d.second) || d.first == d.second && d.kinds[0] > d.kinds[1] {
		d.first, d.second = d.second, d.first
		d.kinds[0], d.kinds[1] = d.kinds[1], d.kinds[0]
	}
	return d
}

func after(a, b Place) bool {
	if a.File != b.File {
		return a.File > b.File
	}
	if a.Line != b.Line {
		return a.Line > b.Line
	}
	return a.Col > b.Col
}

// Merge makes one list of the findings of several programs, in their order. Of
// those of one defect the first of the highest confidence is kept; where there are
// several programs it says from which entry points the defect was found.
func Merge(programs []Found) []Finding {
	var out []Finding
	var from [][]string
	byID, byDefect := make(map[string]int), make(map[defect]int)
	all := 0
	for _, p := range programs {
		all += len(p.Programs)
		for i := range p.Findings {
			f := &p.Findings[i]
			d := defectOf(f)
			k, dup := byID[f.Fingerprint]
			if !dup && f.First.Place.IsValid() && f.Second.Place.IsValid() {
				k, dup = byDefect[d]
			}
			switch {
			case !dup:
				k = len(out)
				out, from = append(out, *f), append(from, nil)
			case f.Confidence > out[k].Confidence:
				out[k] = *f
			}
			byID[f.Fingerprint], byDefect[d] = k, k
			names := f.Programs
			if names == nil {
				names = p.Programs
			}
			for _, name := range names {
				if !slices.Contains(from[k], name) {
					from[k] = append(from[k], name)
				}
			}
		}
	}
	if all > 1 {
		for k := range out {
			f := &out[k]
			f.Reasons = append(f.Reasons[:len(f.Reasons):len(f.Reasons)], Reason{Kind: "entries", Text: entries(from[k], all)})
		}
	}
	return out
}

// maxEntriesNamed bounds the entry points that are named.
const maxEntriesNamed = 3

// entries names the programs that have a finding.
func entries(names []string, of int) string {
	text := fmt.Sprintf("%d of %d entry points: ", len(names), of)
	if n := len(names) - maxEntriesNamed; n > 0 {
		return text + strings.Join(names[:maxEntriesNamed], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return text + strings.Join(names, ", ")
}
