package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deadheat/deadheat/bench/internal/process"
)

// programs are what is measured: names, and the jars that are one program.
var programs = []struct {
	name string
	jars []string
}{
	{"H2", []string{"h2"}},
	{"ZooKeeper", []string{"zookeeper", "zookeeper-jute"}},
	{"Tomcat", []string{"catalina", "coyote"}},
	{"Jetty", []string{"jetty-server", "jetty-util", "jetty-io"}},
	{"ActiveMQ", []string{"activemq-broker", "activemq-client", "activemq-kahadb"}},
	{"JGroups", []string{"jgroups"}},
	{"Lucene", []string{"lucene-core"}},
	{"Xalan", []string{"xalan2"}},
	{"Batik", []string{"batik"}},
	{"Jython", []string{"jython"}},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) > 1 && os.Args[1] == childArg {
		os.Exit(child(ctx, os.Args[2:], os.Stdout, os.Stderr))
	}
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintf(os.Stderr, "java: %v\n", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	dir     string
	timeout time.Duration
	memory  float64
	modes   string
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	fs := flag.NewFlagSet("java", flag.ExitOnError)
	fs.StringVar(&s.dir, "dir", "", `directory of the corpus (default "deadheat-bench/java" in the user's cache directory)`)
	fs.DurationVar(&s.timeout, "timeout", 10*time.Minute, "longest wall-clock time of one line")
	fs.Float64Var(&s.memory, "memory", 4, "most memory of one line, in GiB")
	fs.StringVar(&s.modes, "modes", "program,library", "which verdicts")
	if err := fs.Parse(args); err != nil {
		return err
	}
	for _, name := range fs.Args() {
		if !known(name) {
			return fmt.Errorf("%s: no such program", name)
		}
	}
	modes := strings.Split(s.modes, ",")
	for _, m := range modes {
		if _, ok := modeOf(m); !ok {
			return fmt.Errorf("--modes: %q is neither program nor library", m)
		}
	}
	if s.dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("%w: choose a directory with --dir", err)
		}
		s.dir = filepath.Join(cache, "deadheat-bench", "java")
	}
	fmt.Fprintf(out, "%s\n\n%s", process.Machine(), head)
	for _, p := range programs {
		if fs.NArg() > 0 && !slices.ContainsFunc(fs.Args(), func(a string) bool { return strings.EqualFold(a, p.name) }) {
			continue
		}
		jars, err := s.find(p.jars)
		if err != nil {
			fmt.Fprintf(os.Stderr, "java: %s is left out: %v: run scripts/fetch-java-corpus\n", p.name, err)
			continue
		}
		for _, mode := range modes {
			if err := s.measure(ctx, out, p.name, mode, jars); err != nil {
				return err
			}
		}
	}
	return nil
}

func known(name string) bool {
	for _, p := range programs {
		if strings.EqualFold(p.name, name) {
			return true
		}
	}
	return false
}

// find returns the places of jars.
func (s *settings) find(names []string) ([]string, error) {
	var out []string
	for _, n := range names {
		jar := filepath.Join(s.dir, "jars", n+".jar")
		if _, err := os.Stat(jar); err != nil {
			return nil, err
		}
		out = append(out, jar)
	}
	return out, nil
}

// head is the head of the table.
const head = `| program | verdict | classes | methods reached | origins | shared cells | high | medium | low | CPU s | peak MB | |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
`

// measure runs one verdict on one program and prints its line.
func (s *settings) measure(ctx context.Context, out io.Writer, name, mode string, jars []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	args := append([]string{childArg, mode, fmt.Sprint(s.memory)}, jars...)
	cmd := exec.CommandContext(ctx, self, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	u, err := process.Run(cmd)
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	cost := fmt.Sprintf("%.0f | %.0f", u.CPU.Seconds(), float64(u.Peak)/(1<<20))
	if err != nil {
		why := strings.TrimSpace(stderr.String())
		if ctx.Err() != nil {
			why = fmt.Sprintf("stopped after %v", s.timeout)
		} else if first, _, more := strings.Cut(why, "\n"); more {
			fmt.Fprintf(os.Stderr, "%s\n", why)
			why = first
		}
		_, err := fmt.Fprintf(out, "| %s | %s | | | | | | | | %s | %s |\n", name, mode, cost, why)
		return err
	}
	var o outcome
	if err := json.Unmarshal(stdout.Bytes(), &o); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	reached := ""
	if mode == "program" && o.Methods > 0 {
		reached = fmt.Sprintf("%d of %d (%d %%)", o.Reached, o.Methods, 100*o.Reached/o.Methods)
	}
	_, err = fmt.Fprintf(out, "| %s | %s | %d | %s | %d | %d | %d | %d | %d | %s | %s |\n", name, mode, o.Classes, reached,
		o.Origins, o.Cells, o.High, o.Medium, o.Low, cost, o.Note)
	return err
}
