package detect

import (
	"fmt"
	"strings"
	"testing"
)

// finding makes a finding about memory, with the lines of its two sides.
func finding(what string, c Confidence, first, second int) Finding {
	side := func(line int) Access {
		return Access{Place: Place{File: "a.go", Line: line, Col: 1}, Symbol: fmt.Sprintf("f%d", line)}
	}
	return Finding{What: what, Confidence: c, First: side(first), Second: side(second), Fingerprint: fmt.Sprint(what, c, first, second)}
}

func TestReconcile(t *testing.T) {
	symbols := func(lines ...int) map[string]bool {
		m := map[string]bool{}
		for _, n := range lines {
			m[fmt.Sprintf("f%d", n)] = true
		}
		return m
	}
	for _, tt := range []struct {
		name     string
		programs []Finding
		library  Finding
		reached  []Reach
		want     string
	}{
		{"nothing reached", nil, finding("c.n", High, 1, 2), []Reach{{Program: "cmd", Symbols: symbols(1)}}, "high c.n 1-2"},
		{"kept apart", nil, finding("c.n", High, 1, 2), []Reach{{Program: "cmd", Symbols: symbols(1, 2)}},
			"low c.n 1-2; lowers: program: cmd reaches both accesses and keeps them apart"},
		{"kept apart in tests", nil, finding("c.n", High, 1, 2), []Reach{{Program: "p.test", Test: true, Symbols: symbols(1, 2)}}, "high c.n 1-2"},
		{"the same, in the other order", []Finding{finding("main.x.n", High, 2, 1)}, finding("c.n", Medium, 1, 2), []Reach{{Program: "cmd", Symbols: symbols(1, 2)}},
			"high main.x.n 2-1; library: the functions of the package, without a program around them, show the same"},
		{"the same memory, another partner", []Finding{finding("elements of x.items", Medium, 1, 3)}, finding("c.items[…]", High, 1, 2), nil,
			"high elements of x.items 1-3; library: the functions of the package, without a program around them, show the same; raises: library: high instead of medium, as the library verdict has it"},
		{"other memory at the same place", []Finding{finding("x.m", Medium, 1, 3)}, finding("c.n", High, 1, 2), nil, "medium x.m 1-3\nhigh c.n 1-2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var lines []string
			for _, f := range Reconcile(tt.programs, []Finding{tt.library}, tt.reached) {
				s := fmt.Sprintf("%s %s %d-%d", f.Confidence, f.What, f.First.Place.Line, f.Second.Place.Line)
				for _, r := range f.Reasons {
					s += "; " + r.Kind + ": " + r.Text
				}
				lines = append(lines, s)
			}
			if got := strings.Join(lines, "\n"); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
