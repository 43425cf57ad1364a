package cli

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/report"
)

func env(pairs ...string) func(string) string {
	return func(name string) string {
		for _, p := range pairs {
			if k, v, _ := strings.Cut(p, "="); k == name {
				return v
			}
		}
		return ""
	}
}

func TestUseColor(t *testing.T) {
	var pipe bytes.Buffer
	for _, tt := range []struct {
		flag string
		env  []string
		want bool
	}{
		{"auto", nil, false},
		{"always", []string{"NO_COLOR=1", "TERM=dumb"}, true},
		{"never", []string{"FORCE_COLOR=1"}, false},
		{"auto", []string{"FORCE_COLOR=1"}, true},
		{"auto", []string{"FORCE_COLOR=0"}, false},
		{"auto", []string{"FORCE_COLOR=1", "NO_COLOR=1"}, false},
		{"auto", []string{"FORCE_COLOR=1", "CI=true"}, true},
	} {
		a := &app{System: System{Env: env(tt.env...)}}
		if got := a.useColor(tt.flag, &pipe); got != tt.want {
			t.Errorf("--color=%s with %v: %t", tt.flag, tt.env, got)
		}
	}
}

// Without a terminal there are lanes only on demand.
func TestLaneWidth(t *testing.T) {
	var pipe bytes.Buffer
	for flag, want := range map[string]int{"auto": 0, "plain": 0, "lanes": report.MinLanes} {
		a := &app{System: System{Env: env()}}
		if got := a.laneWidth(flag, &pipe); got != want {
			t.Errorf("--layout=%s: %d columns, want %d", flag, got, want)
		}
	}
}

func TestParseFormats(t *testing.T) {
	for _, tt := range []struct {
		values []string
		want   string // "format:file …", or the beginning of an error after "!"
	}{
		{nil, "text:"},
		{[]string{"json"}, "json:"},
		{[]string{"text", "jsonl=x.jsonl"}, "text: jsonl:DIR/x.jsonl"},
		{[]string{"json=/abs"}, "json:/abs"},
		{[]string{"json=no/such/dir/x"}, "!--format json=no/such/dir/x: no directory DIR/no/such/dir"},
		{[]string{"xml"}, "!--format xml: want one of text, json, jsonl"},
		{[]string{"json="}, "!--format json=: no file"},
		{[]string{"json", "text"}, "!--format text: standard output is taken by --format json"},
		{[]string{"json=a", "jsonl=a"}, "!--format jsonl=a: the file is taken by --format json"},
	} {
		dir := t.TempDir()
		tt.want = strings.ReplaceAll(tt.want, "DIR", dir)
		outs, err := parseFormats(tt.values, dir)
		var got []string
		for _, o := range outs {
			got = append(got, o.format+":"+o.file)
		}
		s := strings.Join(got, " ")
		if err != nil {
			var usage *usageError
			if !errors.As(err, &usage) {
				t.Errorf("%v: not an error of usage: %v", tt.values, err)
			}
			s = "!" + err.Error()
		}
		if s != tt.want && !(strings.HasPrefix(tt.want, "!") && strings.HasPrefix(s, tt.want)) {
			t.Errorf("%v: got %s, want %s", tt.values, s, tt.want)
		}
	}
}

func TestCacheDir(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", "/xdg")
	for _, tt := range []struct {
		flag, env string
		want      string
		asked     bool
	}{
		{"", "", "/xdg/deadheat", false},
		{"", "off", "", true},
		{"", "/e", "/e", true},
		{"c", "/e", "/w/c", true},
		{"off", "/e", "", true},
	} {
		a := &app{System: System{Env: env("DEADHEAT_CACHE=" + tt.env)}}
		got, asked, err := a.cacheDir("/w", tt.flag)
		if err != nil || got != tt.want || asked != tt.asked {
			t.Errorf("--cache=%q, DEADHEAT_CACHE=%q: %q, %t, %v", tt.flag, tt.env, got, asked, err)
		}
	}
}

// A cache that cannot be used is an error if it was asked for, else a warning.
func TestOpenCache(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	a := &app{System: System{Env: env(), Stderr: &stderr}}
	_, err := a.openCache("/w", file)
	var config *driver.UsageError
	if !errors.As(err, &config) || !strings.Contains(err.Error(), file) {
		t.Errorf("asked for: %v", err)
	}
	t.Setenv("XDG_CACHE_HOME", file)
	s, err := a.openCache("/w", "")
	if err != nil || s.Dir() != "" || !strings.Contains(stderr.String(), "without a cache") {
		t.Errorf("not asked for: dir %q, %v, stderr %q", s.Dir(), err, stderr.String())
	}
}

func TestSizes(t *testing.T) {
	for _, tt := range []struct {
		bytes int64
		text  string
	}{{0, "0B"}, {1, "1B"}, {1023, "1023B"}, {1536, "1.5KiB"}, {10 << 30, "10GiB"}} {
		if got := byteSize(tt.bytes); got != tt.text {
			t.Errorf("%d is written %s, want %s", tt.bytes, got, tt.text)
		}
		if got, err := parseSize(tt.text); err != nil || got != tt.bytes {
			t.Errorf("%s is read as %d, %v", tt.text, got, err)
		}
	}
	for _, bad := range []string{"", "x", "-1", "1TB", "1e99GiB", "NaN"} {
		if n, err := parseSize(bad); err == nil {
			t.Errorf("%q is read as %d", bad, n)
		}
	}
}

func TestPlural(t *testing.T) {
	for _, tt := range []struct {
		n    int
		noun string
		want string
	}{{0, "race", "0 races"}, {1, "entry", "1 entry"}, {2, "entry", "2 entries"}, {3, "entry point", "3 entry points"}} {
		if got := plural(tt.n, tt.noun); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestProgressLine(t *testing.T) {
	p := &progress{width: 80}
	if got := p.line(time.Second); got != "" {
		t.Errorf("before the first event: %q", got)
	}
	p.note(driver.Event{Stage: "load", Done: 3, Total: 7})
	if got, want := p.line(1500*time.Millisecond), "deadheat: 1s load 3/7"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.note(driver.Event{Stage: "link"})
	if got, want := p.line(0), "deadheat: 0s link"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// signalling is a buffer that tells when it is first written to.
type signalling struct {
	bytes.Buffer
	once  sync.Once
	wrote chan struct{}
}

func (s *signalling) Write(b []byte) (int, error) {
	defer s.once.Do(func() { close(s.wrote) })
	//deadheat:ignore race end waits for the goroutine; its nil check hides that
	return s.Buffer.Write(b)
}

// The live line is cleared at the end, and never longer than the terminal.
func TestProgressLive(t *testing.T) {
	out := &signalling{wrote: make(chan struct{})}
	p := &progress{w: out, live: true, width: 10, start: time.Now(), stop: make(chan struct{}), done: make(chan struct{})}
	p.note(driver.Event{Stage: "a stage with a long name"})
	go p.run(time.Millisecond)
	<-out.wrote
	p.end()
	if got, want := out.String(), "\r\x1b[Kdeadheat:\r\x1b[K"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestCrash(t *testing.T) {
	var stderr bytes.Buffer
	sys := System{Args: []string{"check", "./x"}, Env: func(string) string { panic("boom") }, Stderr: &stderr, Stdout: &stderr}
	code := Run(t.Context(), sys)
	if code != exitIncomplete {
		t.Errorf("exit code %d", code)
	}
	for _, want := range []string{"internal error: boom", issuesURL, "arguments: check ./x", "TestCrash"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("no %q in\n%s", want, stderr.String())
		}
	}
}
