package main

import (
	"fmt"
	"strings"
)

// bars are what the project holds itself to.
var bars = []struct {
	what     string
	step     string
	against  string
	quantity func(*step) float64
	most     float64
}{
	{"processor time of a cold load to that of the reference", "load cold", "reference", cpu, 1.3},
	{"peak memory of a cold load to that of the reference", "load cold", "reference", peak, 1},
	{"processor time of a warm load to that of a cold one", "load warm", "load cold", cpu, 0.10},
	{"processor time of a load after one edit to that of a cold one", "load edited", "load cold", cpu, 0.15},
	{"processor time of a warm check to that of a cold one", "check warm", "check cold", cpu, 0.10},
}

func cpu(s *step) float64  { return s.usage.CPU.Seconds() }
func peak(s *step) float64 { return float64(s.usage.Peak) / (1 << 20) }

// printTable prints what the steps took and how that compares with the bars.
func printTable(steps []*step) {
	find := func(name string) *step {
		for _, s := range steps {
			if s.name() == name && s.err == nil {
				return s
			}
		}
		return nil
	}
	ratio := func(s *step, against string, quantity func(*step) float64) (float64, bool) {
		base := find(against)
		if base == nil || s == nil || s == base || quantity(base) == 0 {
			return 0, false
		}
		return quantity(s) / quantity(base), true
	}
	text := func(s *step, against string, quantity func(*step) float64) string {
		if r, ok := ratio(s, against, quantity); ok {
			return fmt.Sprintf("%.2f", r)
		}
		return "-"
	}
	fmt.Printf("%-14s %9s %9s %9s %9s %9s %9s\n", "", "CPU s", "wall s", "peak MB", "CPU/ref", "peak/ref", "CPU/cold")
	for _, s := range steps {
		if s.err != nil {
			fmt.Printf("%-14s failed after %.1f s: %v\n\t%s\n", s.name(), s.usage.Wall.Seconds(), s.err, strings.ReplaceAll(s.note, "\n", "\n\t"))
			continue
		}
		cold := "-"
		if s.state != "" && s.state != "cold" {
			cold = text(s, s.kind+" cold", cpu)
		}
		fmt.Printf("%-14s %9.2f %9.2f %9.0f %9s %9s %9s  %s\n", s.name(), cpu(s), s.usage.Wall.Seconds(), peak(s),
			text(s, "reference", cpu), text(s, "reference", peak), cold, s.note)
	}
	for _, bar := range bars {
		if r, ok := ratio(find(bar.step), bar.against, bar.quantity); ok {
			verdict := "kept"
			if r > bar.most {
				verdict = "OVER"
			}
			fmt.Printf("bar %s: %.3f of %.2f: %s\n", verdict, r, bar.most, bar.what)
		}
	}
}
