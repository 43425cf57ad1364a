// Command gorace runs deadheat on the tests of Go's own race detector.
//
//	go run ./bench/cmd/gorace [--list] [--floor FILE] [--record FILE] [--confidence LEVEL]
//	                          [--goroot DIR] [--cache DIR] [--keep DIR] [TEST...]
//
// The tests are read from GOROOT when it runs and made into programs, one for
// each test; see package racetest. All of them are analysed in one process. A
// finding counts for a test if both its places are in the test's program.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deadheat/deadheat/bench"
	"github.com/deadheat/deadheat/bench/internal/process"
	"github.com/deadheat/deadheat/bench/internal/racetest"
	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/store"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintf(os.Stderr, "gorace: %v\n", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	list       bool
	floor      string
	record     string
	confidence string
	goroot     string
	cache      string
	keep       string
	only       []string
}

func parseFlags(args []string) (*settings, error) {
	s := new(settings)
	fs := flag.NewFlagSet("gorace", flag.ExitOnError)
	fs.BoolVar(&s.list, "list", false, "list the tests with a wrong answer, and the findings of false alarms")
	fs.StringVar(&s.floor, "floor", "", "fail if the figures are worse than those in this file")
	fs.StringVar(&s.record, "record", "", "write the figures to this file, for --floor")
	fs.StringVar(&s.confidence, "confidence", "medium", "least confidence of findings that count: high, medium or low")
	fs.StringVar(&s.goroot, "goroot", "", "Go installation whose tests are meant (default that of the go command)")
	fs.StringVar(&s.cache, "cache", "", `cache for units, or off (default "deadheat-bench/units" in the user's cache directory)`)
	fs.StringVar(&s.keep, "keep", "", "write the programs to this directory, which must not exist, and keep them")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	s.only = fs.Args()
	if len(s.only) > 0 && (s.floor != "" || s.record != "") {
		return nil, errors.New("--floor and --record are about all tests: name none")
	}
	return s, nil
}

func run(ctx context.Context, args []string) error {
	set, err := parseFlags(args)
	if err != nil {
		return err
	}
	least, err := parseConfidence(set.confidence)
	if err != nil {
		return err
	}
	env, err := goEnv(ctx, "GOROOT", "GOVERSION")
	if err != nil {
		return err
	}
	set.goroot = cmp.Or(set.goroot, env[0])
	suite, err := racetest.Read(set.goroot)
	if err != nil {
		return err
	}
	labels, err := racetest.ParseLabels(bench.RaceLabels())
	if err != nil {
		return err
	}
	if unknown := labels.Unknown(suite); len(unknown) > 0 {
		fmt.Fprintf(os.Stderr, "gorace: %s has no tests %s: gorace/labels.txt is for another version of Go\n", set.goroot, strings.Join(unknown, ", "))
	}
	if err := suite.Keep(set.only); err != nil {
		return err
	}
	start := time.Now()
	res, err := analyse(ctx, suite, set, strings.TrimPrefix(env[1], "go"))
	if err != nil {
		return err
	}
	hits, astray := attribute(res.Findings, least)
	score := suite.Score(labels, func(t *racetest.Test) bool { return len(hits[t.Name]) > 0 })
	fmt.Println("machine:", process.Machine())
	printScore(suite, labels, score, set.confidence)
	fmt.Printf("findings with places in no one test: %d\n", astray)
	fmt.Printf("took %.0f s\n", time.Since(start).Seconds())
	if set.list {
		printWrong(suite, labels, hits)
	}
	return judge(res, score, set)
}

// goEnv asks the go command for settings.
func goEnv(ctx context.Context, names ...string) ([]string, error) {
	out, err := exec.CommandContext(ctx, "go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	values := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(values) != len(names) {
		return nil, fmt.Errorf("go env %s: want a line for each, got %q", strings.Join(names, " "), out)
	}
	return values, nil
}

// judge decides about success.
func judge(res *driver.Result, score *racetest.Score, set *settings) error {
	if len(res.NotAnalysed) > 0 {
		var all []string
		for _, x := range res.NotAnalysed {
			all = append(all, fmt.Sprintf("%s: %s", x.Path, x.Reason))
		}
		return fmt.Errorf("%d programs were not analysed:\n%s", len(all), strings.Join(all, "\n"))
	}
	if set.record != "" {
		if err := os.WriteFile(set.record, []byte(score.Floor()), 0o666); err != nil {
			return err
		}
	}
	if set.floor == "" {
		return nil
	}
	text, err := os.ReadFile(set.floor)
	if err != nil {
		return err
	}
	if err := score.CheckFloor(string(text)); err != nil {
		return fmt.Errorf("%s: %w", set.floor, err)
	}
	return nil
}

func parseConfidence(name string) (detect.Confidence, error) {
	for _, c := range []detect.Confidence{detect.High, detect.Medium, detect.Low} {
		if c.String() == name {
			return c, nil
		}
	}
	return 0, fmt.Errorf("--confidence %s: want high, medium or low", name)
}

// analyse writes the programs and runs deadheat on them.
func analyse(ctx context.Context, suite *racetest.Suite, set *settings, goVersion string) (_ *driver.Result, err error) {
	dir := set.keep
	if dir != "" {
		err = os.Mkdir(dir, 0o777)
	} else if dir, err = os.MkdirTemp("", "gorace-"); err == nil {
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	if err != nil {
		return nil, err
	}
	n, err := suite.Write(dir, goVersion)
	if err != nil {
		return nil, err
	}
	st, err := openStore(set.cache)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "gorace: analysing %d programs\n", n)
	return driver.Check(ctx, driver.Config{Dir: dir, Targets: []string{"./Test..."}, NoTests: true, Store: st})
}

func openStore(dir string) (*store.Store, error) {
	if dir == "off" {
		return store.Off(), nil
	}
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("%w: choose a directory with --cache", err)
		}
		dir = filepath.Join(cache, "deadheat-bench", "units")
	}
	return store.Open(dir)
}

// attribute sorts findings by the test they belong to. Those whose places are
// in different programs, or in none, are only counted.
func attribute(findings []detect.Finding, least detect.Confidence) (byTest map[string][]*detect.Finding, astray int) {
	byTest = map[string][]*detect.Finding{}
	for i := range findings {
		f := &findings[i]
		if f.Confidence < least {
			continue
		}
		a, b := racetest.TestAt(f.First.Place.File), racetest.TestAt(f.Second.Place.File)
		if a != b || !strings.HasPrefix(a, "Test") {
			astray++
			continue
		}
		byTest[a] = append(byTest[a], f)
	}
	for _, list := range byTest {
		slices.SortStableFunc(list, func(a, b *detect.Finding) int { return int(b.Confidence) - int(a.Confidence) })
	}
	return byTest, astray
}
