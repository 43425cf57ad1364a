package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/bench/internal/process"
)

// program is what is measured: the jars that are one program, and its bar.
type program struct {
	name string
	jars []string
	cpu  float64 // seconds of processor time for one verdict
}

var programs = []program{
	{"H2", []string{"h2"}, 60},
	{"ZooKeeper", []string{"zookeeper", "zookeeper-jute"}, 60},
	{"Tomcat", []string{"catalina", "coyote"}, 60},
	{"Jetty", []string{"jetty-server", "jetty-util", "jetty-io"}, 60},
	{"ActiveMQ", []string{"activemq-broker", "activemq-client", "activemq-kahadb"}, 60},
	{"JGroups", []string{"jgroups"}, 60},
	{"Lucene", []string{"lucene-core"}, 60},
	{"Xalan", []string{"xalan2"}, 60},
	{"Batik", []string{"batik"}, 60},
	{"Jython", []string{"jython"}, 180},
}

// jdkCPU is the bar for reading the JDK, in seconds of processor time.
const jdkCPU = 30

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
	dir    string
	cpu    float64
	memory float64
	modes  string
	jdk    bool
}

func run(ctx context.Context, args []string, out io.Writer) error {
	var s settings
	fs := flag.NewFlagSet("java", flag.ExitOnError)
	fs.StringVar(&s.dir, "dir", "", `directory of the corpus (default "deadheat-bench/java" in the user's cache directory)`)
	fs.Float64Var(&s.cpu, "cpu", 0, "most processor time of one line, in seconds (default: the bar of the program)")
	fs.Float64Var(&s.memory, "memory", 4, "most memory of one line, in GiB")
	fs.StringVar(&s.modes, "modes", "program,library", "which verdicts")
	fs.BoolVar(&s.jdk, "jdk-image", false, "read and lower all classes of the JDK instead")
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
	if s.jdk {
		fmt.Fprintf(out, "%s\n\n%s", process.Machine(), jdkHead)
		return s.measureJDK(ctx, out)
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
			if err := s.measure(ctx, out, &p, mode, jars); err != nil {
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

// jdkHead is the head of the table with --jdk-image.
const jdkHead = `| classes | methods with code | CPU s | peak MB | |
| ---: | ---: | ---: | ---: | --- |
`

// measured is what became of a child.
type measured struct {
	outcome
	process.Usage
	failed string // why it did not come to an end, "" if it did
}

func (m *measured) cost() string {
	return fmt.Sprintf("%.0f | %.0f", m.CPU.Seconds(), float64(m.Peak)/(1<<20))
}

// start runs a child to its end.
func (s *settings) start(ctx context.Context, mode string, b bounds, jars []string) (m measured, err error) {
	self, err := os.Executable()
	if err != nil {
		return m, err
	}
	if s.cpu > 0 {
		b.cpu = s.cpu
	}
	cmd := exec.CommandContext(ctx, self, slices.Concat([]string{childArg, mode}, b.args(), jars)...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	m.Usage, err = process.Run(cmd)
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	if err != nil {
		why := strings.TrimSpace(stderr.String())
		if first, _, more := strings.Cut(why, "\n"); more {
			fmt.Fprintf(os.Stderr, "%s\n", why)
			why = first
		}
		m.failed = cmp.Or(why, err.Error())
		return m, nil
	}
	return m, json.Unmarshal(stdout.Bytes(), &m.outcome)
}

// measure runs one verdict on one program and prints its line.
func (s *settings) measure(ctx context.Context, out io.Writer, p *program, mode string, jars []string) error {
	m, err := s.start(ctx, mode, bounds{p.cpu, s.memory}, jars)
	if err != nil {
		return fmt.Errorf("%s: %w", p.name, err)
	}
	if m.failed != "" {
		_, err := fmt.Fprintf(out, "| %s | %s | | | | | | | | %s | %s |\n", p.name, mode, m.cost(), m.failed)
		return err
	}
	o := &m.outcome
	reached, origins := "", " | "
	if mode == "program" {
		if o.Methods > 0 {
			reached = fmt.Sprintf("%d of %d (%d %%)", o.Reached, o.Methods, 100*o.Reached/o.Methods)
		}
		origins = fmt.Sprintf("%d | %d", o.Origins, o.Cells)
	}
	_, err = fmt.Fprintf(out, "| %s | %s | %d | %s | %s | %d | %d | %d | %s | %s |\n", p.name, mode, o.Classes, reached,
		origins, o.High, o.Medium, o.Low, m.cost(), o.Note)
	return err
}

// measureJDK reads the JDK and prints its line.
func (s *settings) measureJDK(ctx context.Context, out io.Writer) error {
	m, err := s.start(ctx, jdkMode, bounds{jdkCPU, s.memory}, nil)
	if err != nil {
		return err
	}
	if m.failed != "" {
		_, err = fmt.Fprintf(out, "| | | %s | %s |\n", m.cost(), m.failed)
		return err
	}
	_, err = fmt.Fprintf(out, "| %d | %d | %s | %s |\n", m.Classes, m.Methods, m.cost(), m.Note)
	return err
}
