package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// bar is something the project holds itself to: a quantity of a step, less
// that of another, is at most so many times that of a third.
type bar struct {
	what     string
	step     string
	less     string // may be empty
	against  string
	quantity func(*step) float64
	most     float64
}

var bars = [...]bar{
	{"processor time of a cold load to that of the reference", "load cold", "", "reference", cpu, 1.3},
	{"peak memory of a cold load to that of the reference", "load cold", "", "reference", peak, 1},
	{"processor time of a cold load to that of the reference with the same collector setting", "load cold", "", "reference-gc", cpu, 1.3},
	{"peak memory of a cold load to that of the reference with the same collector setting", "load cold", "", "reference-gc", peak, 1},
	{"processor time of a warm load to that of a cold one", "load warm", "", "load cold", cpu, 0.10},
	{"processor time of a load after one edit to that of a cold one", "load edited", "", "load cold", cpu, 0.15},
	{"processor time of the analysis after loading to that of the reference", "check cold", "load cold", "reference", cpu, 1},
	{"processor time of the analysis after loading to that of the reference with the same collector setting", "check cold", "load cold", "reference-gc", cpu, 1},
	{"peak memory of a cold check to that of the reference", "check cold", "", "reference", peak, 2},
	{"processor time of a warm check to that of a cold one", "check warm", "", "check cold", cpu, 0.10},
	{"processor time of a check after one edit to that of a cold one", "check edited", "", "check cold", cpu, 0.15},
}

func cpu(s *step) float64  { return s.usage.CPU.Seconds() }
func peak(s *step) float64 { return float64(s.usage.Peak) / (1 << 20) }

// table is the steps of one corpus.
type table []*step

// find returns the step with a name, or nil if it failed or was left out.
func (t table) find(name string) *step {
	for _, s := range t {
		if s.name() == name && s.err == nil {
			return s
		}
	}
	return nil
}

// ratio prints how a step compares with another.
func (t table) ratio(s *step, against string, quantity func(*step) float64) string {
	base := t.find(against)
	if base == nil || s == base || quantity(base) == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", quantity(s)/quantity(base))
}

// print prints what the steps took.
func (t table) print(w io.Writer) {
	fmt.Fprintf(w, "%-14s %9s %9s %9s %9s %9s %9s\n", "", "CPU s", "wall s", "peak MB", "CPU/ref", "peak/ref", "CPU/cold")
	for _, s := range t {
		if s.err != nil {
			fmt.Fprintf(w, "%-14s failed after %.1f s: %v\n\t%s\n", s.name(), s.usage.Wall.Seconds(), s.err, strings.ReplaceAll(s.note, "\n", "\n\t"))
			continue
		}
		cold := "-"
		if s.state != "" {
			cold = t.ratio(s, s.kind+" cold", cpu)
		}
		fmt.Fprintf(w, "%-14s %9.2f %9.2f %9.0f %9s %9s %9s  %s\n", s.name(), cpu(s), s.usage.Wall.Seconds(), peak(s),
			t.ratio(s, "reference", cpu), t.ratio(s, "reference", peak), cold, s.note)
	}
}

// printBars says which bars are kept. With several runs the ratio is taken
// within each, since what else the machine does changes between them; the one
// in the middle counts.
func printBars(w io.Writer, runs [][]*step) {
	for i := range bars {
		b := &bars[i]
		var ratios []float64
		for _, r := range runs {
			if v, ok := b.ratio(r); ok {
				ratios = append(ratios, v)
			}
		}
		if len(ratios) == 0 {
			continue
		}
		slices.Sort(ratios)
		verdict := "kept"
		if ratios[len(ratios)/2] > b.most {
			verdict = "OVER"
		}
		spread := ""
		if len(ratios) > 1 {
			spread = fmt.Sprintf(" (%.3f to %.3f in %d runs)", ratios[0], ratios[len(ratios)-1], len(ratios))
		}
		fmt.Fprintf(w, "bar %s: %.3f%s of %.2f: %s\n", verdict, ratios[len(ratios)/2], spread, b.most, b.what)
	}
}

// ratio compares the steps of one run, if all of them were measured.
func (b *bar) ratio(t table) (float64, bool) {
	s, base := t.find(b.step), t.find(b.against)
	if s == nil || base == nil || b.quantity(base) == 0 {
		return 0, false
	}
	value := b.quantity(s)
	if b.less != "" {
		other := t.find(b.less)
		if other == nil {
			return 0, false
		}
		value -= b.quantity(other)
	}
	return value / b.quantity(base), true
}
