package racetest

import "fmt"

// Tally counts right and wrong answers.
type Tally struct {
	Race, Found   int // tests with a race, and those of them with a finding
	Clean, Alarms int // tests without, and those of them with a finding
}

func (t *Tally) add(race, hit bool) {
	n := 0
	if hit {
		n = 1
	}
	if race {
		t.Race++
		t.Found += n
	} else {
		t.Clean++
		t.Alarms += n
	}
}

func (t Tally) String() string {
	return fmt.Sprintf("recall %s  false alarms %s", share(t.Found, t.Race), share(t.Alarms, t.Clean))
}

func share(n, of int) string {
	if of == 0 {
		return fmt.Sprintf("%7s %6s", "-", "")
	}
	return fmt.Sprintf("%3d/%-3d %5.1f%%", n, of, 100*float64(n)/float64(of))
}

// Score is how findings agree with the names of the tests.
type Score struct {
	All, Plain Tally
	ByFile     map[string]*Tally
	ByGroup    map[string]*Tally
}

// Score counts the scored tests; hit tells whether one has a finding.
func (s *Suite) Score(l *Labels, hit func(*Test) bool) *Score {
	out := &Score{ByFile: map[string]*Tally{}, ByGroup: map[string]*Tally{}}
	in := func(m map[string]*Tally, key string) *Tally {
		if m[key] == nil {
			m[key] = new(Tally)
		}
		return m[key]
	}
	for _, t := range s.Tests {
		if t.Reason != "" {
			continue
		}
		h := hit(t)
		out.All.add(t.Race, h)
		in(out.ByFile, t.File).add(t.Race, h)
		for _, g := range l.Of(t.Name) {
			in(out.ByGroup, g).add(t.Race, h)
			if g == Plain {
				out.Plain.add(t.Race, h)
			}
		}
	}
	return out
}
