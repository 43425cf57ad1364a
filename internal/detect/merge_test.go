package detect

import "testing"

func TestMerge(t *testing.T) {
	at := func(line int) Place { return Place{File: "a.java", Line: line, Col: 1} }
	race := func(id, what string, c Confidence, x, y int) Finding {
		return Finding{Rule: RuleRace, Fingerprint: id, What: what, Confidence: c,
			First: Access{Kind: Write, Place: at(x)}, Second: Access{Kind: Read, Place: at(y)}}
	}
	swapped := race("f", "c.n", High, 1, 2)
	swapped.First, swapped.Second = swapped.Second, swapped.First
	got := Merge([]Found{
		{[]string{"A"}, []Finding{race("a", "c.n", Low, 1, 2), race("b", "c.m", Low, 1, 2), race("e", "c.n", Low, 1, 3)}},
		{[]string{"B"}, []Finding{race("c", "c.n", Medium, 1, 2), race("b", "c.m", Low, 7, 8)}},
		{[]string{"C"}, []Finding{swapped}},
	})
	want := []struct {
		id      string
		entries string
	}{
		{"f", "3 of 3 entry points: A, B, C"},
		{"b", "2 of 3 entry points: A, B"},
		{"e", "1 of 3 entry points: A"},
	}
	if len(got) != len(want) {
		t.Fatalf("%d findings, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		if f := got[i]; f.Fingerprint != w.id || len(f.Reasons) != 1 || f.Reasons[0].Text != w.entries {
			t.Errorf("finding %d is %s with %v, want %s with %q", i, f.Fingerprint, f.Reasons, w.id, w.entries)
		}
	}
	if one := Merge([]Found{{[]string{"A"}, []Finding{race("a", "c.n", Low, 1, 2)}}}); len(one[0].Reasons) != 0 {
		t.Errorf("a single program is named: %v", one[0].Reasons)
	}
	if s := entries([]string{"A", "B", "C", "D", "E"}, 9); s != "5 of 9 entry points: A, B, C and 2 more" {
		t.Error(s)
	}
}
