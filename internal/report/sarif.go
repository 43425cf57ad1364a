package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// Limits of code scanning services: what is beyond is dropped by them, in an
// order that nobody chose.
const (
	// DefaultSARIFResults is how many results are kept for display.
	DefaultSARIFResults = 5000
	maxSARIFSteps       = 1000
)

const (
	sarifSchema  = "https://json.schemastore.org/sarif-2.1.0.json"
	projectURI   = "https://github.com/deadheat/deadheat"
	sarifRoot    = "%SRCROOT%"
	sarifRunID   = "deadheat/go/"
	raceKey      = "raceKey/v1"
	lineHashName = "primaryLocationLineHash"
)

// SARIF writes findings in the Static Analysis Results Interchange Format,
// version 2.1.0. Paths should be relative to the root of the repository: that is
// where services look for them.
type SARIF struct {
	Paths   Paths
	Sources func(file string) ([]byte, error) // nil: no snippets and line hashes
	Max     int                               // results written, the gravest first; 0 means all
}

// Write writes doc as one log with one run.
func (s *SARIF) Write(w io.Writer, doc *Document) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	b := &sarifBuilder{paths: s.Paths, lines: newSourceLines(s.Sources), rules: detect.Rules()}
	return enc.Encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{b.run(doc, s.Max)}})
}

// sarifBuilder makes the parts of a run.
type sarifBuilder struct {
	paths Paths
	lines *sourceLines
	rules []detect.Rule
}

func (b *sarifBuilder) run(doc *Document, limit int) sarifRun {
	run := sarifRun{
		Tool: sarifTool{sarifDriver{
			Name:            "deadheat",
			FullName:        "deadheat, a static detector of data races",
			SemanticVersion: semantic(doc.Version),
			InformationURI:  projectURI,
		}},
		AutomationDetails:  sarifAutomation{sarifRunID},
		ColumnKind:         "utf16CodeUnits",
		OriginalURIBaseIDs: map[string]sarifArtifact{sarifRoot: {Description: &sarifText{Text: "The root of the repository."}}},
		Invocations:        []sarifInvocation{b.invocation(doc)},
		Results:            []sarifResult{},
	}
	for i := range b.rules {
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, b.rule(&b.rules[i]))
	}
	props := sarifRunProperties{Hidden: doc.Hidden}
	var present []*detect.Finding
	for i := range doc.Findings {
		f := &doc.Findings[i]
		if f.State == detect.Fixed {
			// Services show every result, whatever its state: one that is gone
			// must not be among them.
			props.Fixed = append(props.Fixed, f.Fingerprint)
			continue
		}
		present = append(present, f)
	}
	slices.SortStableFunc(present, func(f, g *detect.Finding) int {
		return cmp.Or(cmp.Compare(weight(g), weight(f)), cmp.Compare(g.Confidence, f.Confidence))
	})
	if limit > 0 && len(present) > limit {
		props.LeftOut = len(present) - limit
		present = present[:limit]
	}
	for _, f := range present {
		run.Results = append(run.Results, b.result(f))
	}
	if props.Hidden > 0 || props.LeftOut > 0 || props.Fixed != nil {
		run.Properties = &props
	}
	return run
}

// weight puts findings that count before those that do not.
func weight(f *detect.Finding) int {
	if f.Counts() {
		return 1
	}
	return 0
}

// semantic writes a version as a semantic one, which validators want. Programs
// that were not released are before all that were.
func semantic(version string) string {
	if v, ok := strings.CutPrefix(version, "v"); ok {
		return v
	}
	return "0.0.0-" + version
}

func (b *sarifBuilder) invocation(doc *Document) sarifInvocation {
	inv := sarifInvocation{ExecutionSuccessful: len(doc.NotAnalysed) == 0}
	note := func(level, text string, pl detect.Place) {
		n := sarifNotification{Level: level, Message: sarifText{Text: sentence(text)}}
		if pl.File != "" {
			n.Locations = []sarifLocation{{PhysicalLocation: b.physical(pl, false)}}
		}
		inv.Notifications = append(inv.Notifications, n)
	}
	for _, s := range doc.NotAnalysed {
		note("error", fmt.Sprintf("%s was not analysed: %s", s.Path, s.Reason), s.Place)
	}
	for _, c := range doc.Comments {
		if c.Problem != "" {
			note("warning", "this suppression does nothing: "+c.Problem, c.Place)
		}
	}
	return inv
}

func (b *sarifBuilder) rule(r *detect.Rule) sarifRule {
	first, _, _ := strings.Cut(r.Text, "\n\n")
	example := func(head, src string) string {
		return "\n\n**" + head + "**\n\n```go\n" + strings.TrimSuffix(src, "\n") + "\n```"
	}
	return sarifRule{
		ID:               r.ID,
		Name:             "Deadheat" + pascal(r.ID), // validators want it to differ from the ID
		ShortDescription: sarifText{Text: sentence(capital(r.Title))},
		FullDescription:  sarifText{Text: sentence(strings.ReplaceAll(first, "\n", " "))},
		Help: sarifText{
			Text:     r.Text,
			Markdown: r.Text + example("Racy", r.Racy) + example("Fixed", r.Fixed),
		},
		HelpURI:              projectURI,
		DefaultConfiguration: sarifConfiguration{r.Severity},
		Properties: sarifRuleProperties{
			Tags:      []string{"concurrency", "correctness", "data-race"},
			Precision: "high",
			Severity:  r.Severity,
		},
	}
}

// level is how a result is shown: as grave as its rule if it is sure, less
// otherwise.
func (b *sarifBuilder) level(f *detect.Finding) (level string, rank float64) {
	switch f.Confidence {
	case detect.High:
		if r, ok := detect.RuleByID(f.Rule); ok {
			return r.Severity, 90
		}
		return "error", 90
	case detect.Medium:
		return "warning", 60
	}
	return "note", 20
}

func (b *sarifBuilder) result(f *detect.Finding) sarifResult {
	level, rank := b.level(f)
	res := sarifResult{
		RuleID:              f.Rule,
		RuleIndex:           slices.IndexFunc(b.rules, func(r detect.Rule) bool { return r.ID == f.Rule }),
		Level:               level,
		Rank:                rank,
		Locations:           []sarifLocation{b.location(f.First.Place, f.First.Symbol)},
		PartialFingerprints: map[string]string{raceKey: f.Fingerprint},
		Suppressions:        []sarifSuppression{},
		Properties:          sarifResultProperties{f.Confidence.String()},
	}
	res.Message.Text, res.RelatedLocations = b.message(f)
	if h := b.lines.hash(f.First.Place); h != "" {
		res.PartialFingerprints[lineHashName] = h
	}
	switch f.State {
	case detect.Introduced:
		res.BaselineState = "new"
	case detect.Preexisting:
		res.BaselineState = "unchanged"
	}
	for _, a := range []*detect.Access{&f.First, &f.Second} {
		res.CodeFlows = append(res.CodeFlows, b.codeFlow(f, a))
	}
	if sup := f.Suppression; sup != nil {
		at := b.location(sup.Place, "")
		res.Suppressions = append(res.Suppressions, sarifSuppression{
			Kind: "inSource", Status: "accepted", Justification: sup.Reason, Location: &at,
		})
	}
	return res
}

// message says in one sentence what the finding is. Services show a related
// location only where the text links to it, so it links to all of them: the
// other access, the starts of the origins, the locks.
func (b *sarifBuilder) message(f *detect.Finding) (string, []sarifLocation) {
	var related []sarifLocation
	link := func(text string, pl detect.Place, symbol, note string) string {
		if !pl.IsValid() {
			return plainText(text)
		}
		l := b.location(pl, symbol)
		l.ID = len(related) + 1
		l.Message = &sarifText{Text: sentence(note)}
		related = append(related, l)
		return fmt.Sprintf("[%s](%d)", linkText(text), l.ID)
	}
	// The other access comes first, so that it is number 1.
	other := link(f.Second.Word(), f.Second.Place, f.Second.Symbol, b.describe(f, &f.Second))
	side := func(a *detect.Access) string {
		s := " in " + plainText(a.Function) + " by "
		if isEntry(&a.Origin) {
			s += plainText(originName(&a.Origin))
		} else {
			s += link(originName(&a.Origin), a.Origin.Start, "", originName(&a.Origin)+" is started here")
		}
		if len(a.Locks) == 0 {
			return s + ", no lock held,"
		}
		var locks []string
		for _, l := range a.Locks {
			locks = append(locks, link(lockName(l), l.Place, "", lockName(l)+" is taken here"))
		}
		return s + ", holding " + strings.Join(locks, " and ") + ","
	}
	text := capital(f.First.Act()) + " " + plainText(f.What) + side(&f.First) + " " + f.Clash() + " " + other + side(&f.Second)
	text = strings.TrimSuffix(text, ",") + "."
	for _, r := range f.Reasons {
		if r.Kind == "lowers" {
			text += " Doubt: " + plainText(r.Text) + "."
		}
	}
	if f.Fix != "" {
		text += " To fix it, " + plainText(f.Fix) + "."
	}
	return text, related
}

// describe says what an access does, for a location's message.
func (b *sarifBuilder) describe(f *detect.Finding, a *detect.Access) string {
	return a.Act() + " " + f.What + " in " + a.Function + ", " + heldLocks(a.Locks)
}

func heldLocks(held []detect.HeldLock) string {
	if len(held) == 0 {
		return "no lock held"
	}
	var names []string
	for _, l := range held {
		names = append(names, lockName(l))
	}
	return "holding " + strings.Join(names, ", ")
}

// codeFlow is the way from the start of an origin to an access.
func (b *sarifBuilder) codeFlow(f *detect.Finding, a *detect.Access) sarifCodeFlow {
	flow := sarifThreadFlow{ID: originName(&a.Origin)}
	add := func(pl detect.Place, text string, nesting int, held []detect.HeldLock, importance string) {
		if !pl.IsValid() || len(flow.Locations) >= maxSARIFSteps {
			return
		}
		l := b.location(pl, "")
		l.Message = &sarifText{Text: sentence(text)}
		step := sarifStep{Location: l, NestingLevel: nesting, Importance: importance}
		if len(held) > 0 {
			step.State = map[string]sarifText{"locks": {Text: heldLocks(held)}}
		}
		flow.Locations = append(flow.Locations, step)
	}
	if !isEntry(&a.Origin) {
		add(a.Origin.Start, originName(&a.Origin)+" is started", 0, nil, "important")
	}
	for i, s := range stepsOf(a) {
		switch {
		case s.taken != nil:
			add(s.place, s.function+" takes "+lockName(*s.taken), i, s.held, "important")
		case s.last:
			add(s.place, b.describe(f, a), i, s.held, "essential")
		default:
			add(s.place, s.function+" calls "+s.callee, i, s.held, "")
		}
	}
	if len(flow.Locations) == 0 {
		add(a.Place, b.describe(f, a), 0, a.Locks, "essential")
	}
	return sarifCodeFlow{Message: sarifText{Text: sentence("the " + b.describe(f, a))}, ThreadFlows: []sarifThreadFlow{flow}}
}

func (b *sarifBuilder) location(pl detect.Place, symbol string) sarifLocation {
	l := sarifLocation{PhysicalLocation: b.physical(pl, true)}
	if symbol != "" {
		l.LogicalLocations = []sarifFunction{{symbol, "function"}}
	}
	return l
}

func (b *sarifBuilder) physical(pl detect.Place, snippet bool) *sarifPhysical {
	p := &sarifPhysical{ArtifactLocation: b.artifact(pl.File)}
	if !pl.IsValid() {
		return p
	}
	r := &sarifRegion{StartLine: pl.Line, StartColumn: b.lines.utf16Column(pl.File, pl.Line, pl.Col)}
	if pl.EndLine >= pl.Line && pl.EndCol > 0 && (pl.EndLine > pl.Line || pl.EndCol > pl.Col) {
		r.EndLine, r.EndColumn = pl.EndLine, b.lines.utf16Column(pl.File, pl.EndLine, pl.EndCol)
	}
	if text, ok := b.lines.line(pl.File, pl.Line); ok && snippet && r.EndLine == r.StartLine && pl.EndCol-1 <= len(text) && pl.Col >= 1 {
		r.Snippet = &sarifText{Text: strings.ToValidUTF8(text[pl.Col-1:pl.EndCol-1], "�")}
	}
	p.Region = r
	return p
}

// artifact is a file, relative to the root of the repository where inside it.
func (b *sarifBuilder) artifact(file string) sarifArtifact {
	shown := b.paths.Show(file)
	if strings.HasPrefix(shown, "/") {
		return sarifArtifact{URI: "file://" + escapeURI(shown)}
	}
	if len(shown) > 1 && shown[1] == ':' {
		return sarifArtifact{URI: "file:///" + escapeURI(shown)}
	}
	return sarifArtifact{URI: escapeURI(shown), URIBaseID: sarifRoot}
}
