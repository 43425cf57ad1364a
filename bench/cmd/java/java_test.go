package main

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/report"
)

func TestNoJars(t *testing.T) {
	var out bytes.Buffer
	if err := run(context.Background(), []string{"--dir", t.TempDir(), "h2"}, &out); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "H2") {
		t.Errorf("a program without jars has a line:\n%s", out.String())
	}
}

func TestUnknown(t *testing.T) {
	for _, args := range [][]string{{"nosuch"}, {"--modes", "both", "h2"}} {
		if err := run(context.Background(), args, new(bytes.Buffer)); err == nil {
			t.Errorf("%v: no error", args)
		}
	}
}

func TestOutcome(t *testing.T) {
	res := &driver.Result{
		Document: report.Document{Findings: []detect.Finding{{Confidence: detect.High}, {Confidence: detect.Low}, {Confidence: detect.Low}}},
		Packages: []driver.Package{{Target: true}, {}, {Target: true}},
		Programs: []driver.Program{{Origins: 3, Cells: 7}, {Origins: 5, Cells: 2}},
		Reach:    driver.Reach{Functions: 4, Of: 9},
	}
	want := outcome{Classes: 2, Methods: 9, Reached: 4, Origins: 5, Cells: 7, High: 1, Low: 2}
	if got := outcomeOf(res); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
