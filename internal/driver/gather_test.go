package driver

import (
	"slices"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
)

// Programs that are analysed as one: what one of them does does not meet what
// another does, findings name those that have them, and each reaches its own.
func TestGathered(t *testing.T) {
	units, err := ir.ParseAll("a.ir", `unit p ir
file "a.ir"
global $p.n int
global $p.m int
func @p.one() {
b0:
	spawn call () @p.worker() ; 1:1
	store int $p.m, 1:int ; 2:1
	call () @p.common() ; 3:1
	ret
}
func @p.two() {
b0:
	spawn call () @p.other() ; 10:1
	call () @p.common() ; 11:1
	ret
}
func @p.worker() {
b0:
	store int $p.n, 1:int ; 20:1
	ret
}
func @p.other() {
b0:
	store int $p.m, 2:int ; 30:1
	ret
}
func @p.common() {
b0:
	spawn call () @p.late() ; 40:1
	store int $p.n, 2:int ; 41:1
	ret
}
func @p.late() {
b0:
	store int $p.n, 3:int ; 50:1
	ret
}
`)
	if err != nil {
		t.Fatal(err)
	}
	r := &run{ctx: t.Context(), cfg: &Config{}, res: new(Result), own: map[string]bool{"p": true}, near: map[string]bool{}}
	if err := r.readModels(); err != nil {
		t.Fatal(err)
	}
	third := &program{name: "three", units: units}
	r.programs = []*program{
		{name: "one", units: units, calls: []entryCall{{fn: 0}}},
		third,
		{name: "two", units: units, calls: []entryCall{{fn: 1}}},
	}
	r.join([]*program{r.programs[0], r.programs[2]})
	if len(r.programs) != 2 || r.programs[0].name != "one and 1 more" || r.programs[1] != third {
		t.Fatalf("programs are %v", r.programs)
	}
	a := &analysis{run: r, program: r.programs[0]}
	for _, s := range programStages {
		s.do(a)
	}
	if len(a.limits) == 0 || a.limits[0].kind != "gathered" {
		t.Errorf("no limit says that programs are analysed as one: %v", a.limits)
	}
	found := map[int][]string{} // by line of the first side
	for _, f := range a.findings {
		found[f.First.Place.Line] = append(found[f.First.Place.Line], f.Programs...)
		if f.What == "m" {
			t.Errorf("m is written by different programs only: %+v", f)
		}
	}
	if got := found[41]; !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("the race in common is that of %v: %v", got, found)
	}
	if got := found[20]; !slices.Equal(got, []string{"one"}) {
		t.Errorf("the race with worker is that of %v: %v", got, found)
	}
	if a.reachedBy[0]["p.two"] || !a.reachedBy[1]["p.two"] || !a.reachedBy[0]["p.late"] || !a.reached["p.two"] {
		t.Errorf("reached: %v", a.reachedBy)
	}
}
