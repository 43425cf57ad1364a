package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/detect"
)

// The validator is an independent judge of what is written. It ends with code 0
// whatever it finds, so its own log is read.
func TestSARIFValid(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: the SARIF output was not validated: -short")
	}
	tool := multitool()
	if tool == "" {
		const how = "run scripts/install-sarif-multitool"
		if os.Getenv("CI") != "" {
			t.Fatal("CI is set and the SARIF validator is not installed: " + how)
		}
		t.Skip("SKIPPED: the SARIF validator is not installed, so the output was not validated: " + how)
	}
	var b bytes.Buffer
	if err := (&SARIF{Paths: appPaths, Sources: sources}).Write(&b, fixture()); err != nil {
		t.Fatal(err)
	}
	if bad := validate(t, tool, b.Bytes()); len(bad) > 0 {
		t.Errorf("the validator objects:\n%s", strings.Join(bad, "\n"))
	}
	// It must be able to object.
	broken := strings.Replace(b.String(), `"startLine": 9`, `"startLine": -9`, 1)
	if bad := validate(t, tool, []byte(broken)); len(bad) == 0 {
		t.Error("the validator finds nothing wrong with a line number of -9")
	}
}

// multitool returns the program that scripts/install-sarif-multitool installs,
// or "".
func multitool() string {
	dir := os.Getenv("DEADHEAT_TOOLS")
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return ""
		}
		dir = filepath.Join(cache, "deadheat-tools")
	}
	name := filepath.Join(dir, "node_modules", "@microsoft", "sarif-multitool-linux", "Sarif.Multitool")
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return name
}

func validate(t *testing.T, tool string, log []byte) []string {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.sarif"), filepath.Join(dir, "out.sarif")
	if err := os.WriteFile(in, log, 0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, "validate", in, "--output", out, "--rule-kind", "Sarif;Ghas", "--level", "Error;Warning")
	cmd.Env = append(os.Environ(), "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1")
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Logf("%v: %s", err, said)
	}
	data, err := os.ReadFile(out)
	if err != nil {
		t.Fatalf("no log from the validator: %v\n%s", err, said)
	}
	var report struct {
		Runs []struct {
			Results []struct {
				RuleID    string
				Level     string
				Message   struct{ Arguments []string }
				Locations []struct {
					PhysicalLocation struct{ Region struct{ StartLine int } }
				}
			}
			Invocations []struct {
				ToolExecutionNotifications []struct {
					Level   string
					Message struct{ Text string }
				}
			}
		}
	}
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &report); err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	if len(report.Runs) == 0 {
		t.Fatalf("the validator did not run:\n%s", data)
	}
	var bad []string
	for _, run := range report.Runs {
		for _, r := range run.Results {
			line := 0
			if len(r.Locations) > 0 {
				line = r.Locations[0].PhysicalLocation.Region.StartLine
			}
			bad = append(bad, fmt.Sprintf("line %d: %s %s %s", line, r.RuleID, r.Level, strings.Join(r.Message.Arguments, "; ")))
		}
		for _, inv := range run.Invocations {
			for _, n := range inv.ToolExecutionNotifications {
				if n.Level == "error" {
					bad = append(bad, n.Message.Text)
				}
			}
		}
	}
	return bad
}

func TestSARIFLimits(t *testing.T) {
	doc := fixture()
	doc.Findings = doc.Findings[:3]
	s := &SARIF{Paths: appPaths, Max: 2}
	var b bytes.Buffer
	if err := s.Write(&b, doc); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Runs []struct {
			Results []struct {
				Level string
				Rank  float64
			}
			Properties struct {
				LeftOut int
				Fixed   []string
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	if len(run.Results)+run.Properties.LeftOut+len(run.Properties.Fixed) != 3 || len(run.Results) > 2 {
		t.Errorf("%d results, %d left out, fixed %v", len(run.Results), run.Properties.LeftOut, run.Properties.Fixed)
	}
	for i := 1; i < len(run.Results); i++ {
		if run.Results[i].Rank > run.Results[i-1].Rank {
			t.Errorf("not by rank: %v", run.Results)
		}
	}
}

func TestSARIFText(t *testing.T) {
	b := &sarifBuilder{paths: Paths{Dir: "/home/me/my app"}}
	for file, want := range map[string]string{
		"/home/me/my app/a b/ü%.go": "a%20b/%C3%BC%25.go",
		"/go/src/fmt/print.go":      "file:///go/src/fmt/print.go",
		"C:/x.go":                   "file:///C:/x.go",
	} {
		if got := b.artifact(file).URI; got != want {
			t.Errorf("%s: got %s, want %s", file, got, want)
		}
	}
	f := fixture().Findings[2]
	f.What = "handlers[i](x)"
	f.Second.Locks = []detect.HeldLock{{Name: "m[k].mu", Place: at("/a.go", 1, 1, 2)}}
	b.lines = newSourceLines(nil)
	text, related := b.message(&f)
	if !strings.Contains(text, "handlers[i] (x)") || !strings.Contains(text, `[m\[k\].mu](`) {
		t.Errorf("brackets: %s", text)
	}
	for i, l := range related {
		if l.ID != i+1 || !strings.Contains(text, fmt.Sprintf("](%d)", l.ID)) {
			t.Errorf("related location %d is not linked from %s", l.ID, text)
		}
	}
}

// Columns of findings are in bytes, those of SARIF in UTF-16 units.
func TestUTF16Column(t *testing.T) {
	s := newSourceLines(func(string) ([]byte, error) { return []byte("é🏁x = 1\n"), nil })
	for col, want := range map[int]int{1: 1, 3: 2, 7: 4, 8: 5, 99: 99} {
		if got := s.utf16Column("f", 1, col); got != want {
			t.Errorf("byte column %d: got %d, want %d", col, got, want)
		}
	}
}

func TestGitHubEscapes(t *testing.T) {
	f := fixture().Findings[2]
	f.What, f.Fix = "a,b:c%\n", "line\r\nbreak"
	f.Suppression, f.State = nil, detect.Uncompared
	var many []detect.Finding
	for range maxAnnotations + 2 {
		many = append(many, f)
	}
	var b bytes.Buffer
	if err := (&GitHub{appPaths}).Write(&b, &Document{Findings: many}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	if len(lines) != maxAnnotations+1 || !strings.Contains(lines[maxAnnotations], "12 findings, 2 of them not annotated") {
		t.Errorf("%d lines, last %q", len(lines), lines[len(lines)-1])
	}
	if !strings.Contains(lines[0], "title=race%3A a%2Cb%3Cc") && !strings.Contains(lines[0], "a%2Cb%3Ac%25%0A::") {
		t.Errorf("not escaped: %q", lines[0])
	}
}
