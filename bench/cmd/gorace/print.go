package main

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/bench/internal/racetest"
	"github.com/deadheat/deadheat/internal/detect"
)

// printScore prints the tables.
func printScore(suite *racetest.Suite, labels *racetest.Labels, score *racetest.Score, confidence string) {
	var not []string
	for _, t := range suite.Tests {
		if t.Reason != "" {
			not = append(not, fmt.Sprintf("%s (%s)", t.Name, t.Reason))
		}
	}
	fmt.Printf("%d tests, %d not scored", len(suite.Tests), len(not))
	if len(not) > 0 {
		fmt.Printf(": %s", strings.Join(not, ", "))
	}
	fmt.Printf("\nfindings of %s confidence and better\n\n", confidence)
	row := func(name string, t *racetest.Tally, what string) {
		fmt.Println(strings.TrimRight(fmt.Sprintf("%-22s %s  %s", name, t, what), " "))
	}
	row("all", &score.All, "")
	row(racetest.Plain, &score.Plain, "")
	for _, g := range labels.Groups {
		if t := score.ByGroup[g.Name]; t != nil {
			row(g.Name, t, g.What)
		}
	}
	fmt.Println()
	for _, file := range slices.Sorted(maps.Keys(score.ByFile)) {
		row(file, score.ByFile[file], "")
	}
	fmt.Println()
}

// printWrong lists the tests with a wrong answer.
func printWrong(suite *racetest.Suite, labels *racetest.Labels, hits map[string][]*detect.Finding) {
	fmt.Println()
	for _, t := range suite.Tests {
		found := hits[t.Name]
		if t.Reason != "" || t.Race == (len(found) > 0) {
			continue
		}
		what := "missed"
		if !t.Race {
			what = "alarm"
		}
		fmt.Printf("%-6s %s:%d %s [%s]\n", what, t.File, t.Line, t.Name, strings.Join(labels.Of(t.Name), " "))
		for _, f := range found {
			fmt.Printf("\t%s %s: %s, %s\n", f.Confidence, f.What, side(&f.First), side(&f.Second))
		}
	}
}

func side(a *detect.Access) string {
	return fmt.Sprintf("%s at %s:%d in %s", a.Kind, path.Base(a.Place.File), a.Place.Line, a.Function)
}
