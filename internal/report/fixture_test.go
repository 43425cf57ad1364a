package report

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
)

var update = flag.Bool("update", false, "rewrite golden files")

const serverSrc = `package srv

type Server struct {
	mu    sync.RWMutex
	conns map[string]*Conn
}

func (s *Server) handle(c *Conn) {
	s.conns[c.id] = c
}

func (s *Server) Count() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return len(s.conns)
}
`

const mainSrc = `package main

var hits int

func main() {
	for range 3 {
		go count()
	}
}

func count() { hits++ }
`

func sources(file string) ([]byte, error) {
	switch file {
	case "/home/me/app/srv/server.go":
		return []byte(serverSrc), nil
	case "/home/me/app/main.go":
		return []byte(mainSrc), nil
	}
	return nil, errors.New("no such file")
}

var appPaths = Paths{Dir: "/home/me/app"}

func at(file string, line, col, endCol int) detect.Place {
	return detect.Place{File: file, Line: line, Col: col, EndLine: line, EndCol: endCol}
}

// fixture is a document in which every field of every format is set.
func fixture() *Document {
	const srv, mainGo, lib = "/home/me/app/srv/server.go", "/home/me/app/main.go", "/go/src/net/http/server.go"
	deep := []detect.Frame{{Function: "(*Server).Serve", Place: at(srv, 40, 3, 0)}}
	for range 8 {
		deep = append(deep, detect.Frame{Function: "http.(*conn).serve", Place: at(lib, 2000, 5, 0)})
	}
	deep = append(deep, detect.Frame{Function: "(*Server).handle", Place: at(srv, 9, 2, 9)})
	conns := detect.Finding{
		Rule: detect.RuleRace, Confidence: detect.Medium, Fingerprint: "0a1b2c3d4e5f60718293",
		What: "elements of (*Server).conns", Type: "map[string]*Conn",
		Object: detect.Object{Kind: "map", Name: "conns", Place: at(srv, 30, 10, 30)},
		First: detect.Access{
			Kind: detect.Write, Place: at(srv, 9, 2, 15), Function: "(*Server).handle", Symbol: "example.com/app/srv.(*Server).handle",
			Origin: detect.OriginRef{Kind: "goroutine", Name: "(*Server).Serve", Start: at(mainGo, 7, 3, 12), Many: true},
			Trace:  deep,
		},
		Second: detect.Access{
			Kind: detect.Read, Place: at(srv, 15, 13, 20), Function: "(*Server).Count", Symbol: "example.com/app/srv.(*Server).Count",
			Locks:  []detect.HeldLock{{Name: "s.mu", Shared: true, Place: at(srv, 13, 2, 14), Function: "(*Server).Count"}},
			Origin: detect.OriginRef{Kind: "main", Name: "main.main", Start: at(mainGo, 5, 6, 10)},
			Trace: []detect.Frame{
				{Function: "main.main", Place: at(mainGo, 8, 3, 0)},
				{Function: "(*Server).Count", Place: at(srv, 15, 13, 20)},
			},
		},
		Reasons: []detect.Reason{
			{Kind: "concurrent", Text: "the goroutine is started and never awaited", Place: at(mainGo, 7, 3, 12)},
			{Kind: "same-memory", Text: "both use the map allocated in NewServer", Place: at(srv, 30, 10, 30)},
			{Kind: "no-common-lock", Text: "the write holds no lock"},
			{Kind: "lowers", Text: "the map may be a different one in each call"},
		},
		Fix: "take s.mu around the write",
	}
	self := detect.Access{
		Kind: detect.Write, Place: at(mainGo, 11, 16, 22), Function: "main.count", Symbol: "main.count",
		Origin: detect.OriginRef{Kind: "goroutine", Name: "main.count", Start: at(mainGo, 7, 3, 13), Many: true},
		Trace:  []detect.Frame{{Function: "main.count", Place: at(mainGo, 11, 16, 22)}},
	}
	hits := detect.Finding{
		Rule: detect.RuleRace, Confidence: detect.High, Fingerprint: "0a1b2c3dffffffffffff",
		What: "hits", Type: "int", Object: detect.Object{Kind: "global", Name: "main.hits", Place: at(mainGo, 3, 5, 9)},
		First: self, Second: self,
		State: detect.Introduced,
	}
	conns.State = detect.Introduced
	ignored := conns
	ignored.Fingerprint, ignored.Confidence = "77771b2c3d4e5f607182", detect.Low
	ignored.State = detect.Preexisting
	ignored.Suppression = &detect.Suppression{Reason: "counts are approximate", Place: at(srv, 15, 40, 70)}
	gone := hits
	gone.Fingerprint, gone.State = "99991b2c3d4e5f607182", detect.Fixed
	doc := &Document{
		Version:  "v0.0.0-test",
		Findings: []detect.Finding{conns, hits, ignored, gone},
		Hidden:   2,
		Excluded: 1,
		Comments: []Comment{
			{Rules: []string{"race"}, Reason: "counts are approximate", Place: at(srv, 15, 40, 70), Used: true},
			{Rules: []string{"race"}, Place: at(srv, 9, 20, 41), Problem: "no reason: want deadheat:ignore race reason"},
		},
		Base:     &Base{Revision: "main", Commit: "0123456789abcdef0123456789abcdef01234567"},
		Baseline: &Accepted{File: "/home/me/app/.deadheat-baseline", Found: 1, Stale: 2},
		Entries:  []string{"example.com/app.main"},
		Limits:   []Limit{{Kind: "assembly", Text: "no body to look into", Count: 3, Symbol: "math.archSqrt", Example: at(lib, 1, 1, 2)}},
		NotAnalysed: []Skipped{
			{Path: "example.com/app/broken", Reason: "expected declaration", Place: at("/home/me/app/broken/b.go", 3, 1, 4)},
		},
		Stats: Stats{Packages: 2, Units: 40, Functions: 300, Origins: 2, Accesses: 17},
	}
	Sort(doc.Findings, appPaths)
	return doc
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (go test -update rewrites it); got:\n%s", file, got)
	}
}
