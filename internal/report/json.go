package report

import (
	"encoding/json"
	"io"

	"github.com/deadheat/deadheat/internal/detect"
)

// JSONVersion is the version of the JSON format. It changes when a field is
// removed or changes its meaning, not when one is added.
const JSONVersion = 1

// WriteJSON writes doc as one nested JSON document.
func WriteJSON(w io.Writer, doc *Document, paths Paths) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(toJSON(doc, paths))
}

type jsonDocument struct {
	Version     int           `json:"version"`
	Tool        jsonTool      `json:"tool"`
	Findings    []jsonFinding `json:"findings"`
	Counted     int           `json:"counted"`
	Hidden      int           `json:"hidden"`
	Excluded    int           `json:"excluded"`
	Base        *jsonBase     `json:"base"`
	Baseline    *jsonBaseline `json:"baseline"`
	Comments    []jsonComment `json:"suppressions"`
	Entries     []string      `json:"entries"`
	Limits      []jsonLimit   `json:"limits"`
	NotAnalysed []jsonSkipped `json:"notAnalysed"`
	Stats       jsonStats     `json:"stats"`
}

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type jsonFinding struct {
	Rule        string       `json:"rule"`
	Confidence  string       `json:"confidence"`
	Fingerprint string       `json:"fingerprint"`
	What        string       `json:"what"`
	Type        string       `json:"type"`
	Object      jsonObject   `json:"object"`
	First       jsonAccess   `json:"first"`
	Second      jsonAccess   `json:"second"`
	Reasons     []jsonReason `json:"reasons"`
	Fix         string       `json:"fix"`
	State       string       `json:"state"`
	Suppression *jsonIgnored `json:"suppression"`
}

type jsonIgnored struct {
	Reason string     `json:"reason"`
	Place  *jsonPlace `json:"place"`
}

type jsonBase struct {
	Revision string `json:"revision"`
	Commit   string `json:"commit"`
}

type jsonBaseline struct {
	File  string `json:"file"`
	Found int    `json:"found"`
	Stale int    `json:"stale"`
}

type jsonComment struct {
	Rules   []string   `json:"rules"`
	Reason  string     `json:"reason"`
	Place   *jsonPlace `json:"place"`
	Used    bool       `json:"used"`
	Problem string     `json:"problem"`
}

type jsonObject struct {
	Kind  string     `json:"kind"`
	Name  string     `json:"name"`
	Place *jsonPlace `json:"place"`
}

type jsonAccess struct {
	Access   string      `json:"access"`
	Op       string      `json:"op"`
	Place    *jsonPlace  `json:"place"`
	Function string      `json:"function"`
	Symbol   string      `json:"symbol"`
	Locks    []jsonLock  `json:"locks"`
	Origin   jsonOrigin  `json:"origin"`
	Trace    []jsonFrame `json:"trace"`
}

type jsonLock struct {
	Name   string     `json:"name"`
	Shared bool       `json:"shared"`
	Apart  string     `json:"apart"`
	Place  *jsonPlace `json:"place"`
}

type jsonOrigin struct {
	Kind  string     `json:"kind"`
	Name  string     `json:"name"`
	Start *jsonPlace `json:"start"`
	Many  bool       `json:"many"`
}

type jsonFrame struct {
	Function string     `json:"function"`
	Place    *jsonPlace `json:"place"`
}

type jsonReason struct {
	Kind  string     `json:"kind"`
	Text  string     `json:"text"`
	Place *jsonPlace `json:"place"`
}

type jsonPlace struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	EndLine int    `json:"endLine"`
	EndCol  int    `json:"endCol"`
}

type jsonLimit struct {
	Kind    string     `json:"kind"`
	Text    string     `json:"text"`
	Count   int        `json:"count"`
	Symbol  string     `json:"symbol"`
	Example *jsonPlace `json:"example"`
}

type jsonSkipped struct {
	Path   string     `json:"path"`
	Reason string     `json:"reason"`
	Place  *jsonPlace `json:"place"`
}

type jsonStats struct {
	Packages  int `json:"packages"`
	Units     int `json:"units"`
	Functions int `json:"functions"`
	Origins   int `json:"origins"`
	Accesses  int `json:"accesses"`
}

func toJSON(doc *Document, paths Paths) jsonDocument {
	out := jsonDocument{
		Version:     JSONVersion,
		Tool:        jsonTool{Name: "deadheat", Version: doc.Version},
		Findings:    []jsonFinding{},
		Counted:     doc.Count(),
		Hidden:      doc.Hidden,
		Excluded:    doc.Excluded,
		Comments:    []jsonComment{},
		Entries:     append([]string{}, doc.Entries...),
		Limits:      []jsonLimit{},
		NotAnalysed: []jsonSkipped{},
		Stats:       jsonStats(doc.Stats),
	}
	for i := range doc.Findings {
		out.Findings = append(out.Findings, paths.finding(&doc.Findings[i]))
	}
	if b := doc.Base; b != nil {
		out.Base = &jsonBase{b.Revision, b.Commit}
	}
	if b := doc.Baseline; b != nil {
		out.Baseline = &jsonBaseline{paths.Show(b.File), b.Found, b.Stale}
	}
	for _, c := range doc.Comments {
		out.Comments = append(out.Comments, jsonComment{append([]string{}, c.Rules...), c.Reason, paths.place(c.Place), c.Used, c.Problem})
	}
	for _, l := range doc.Limits {
		out.Limits = append(out.Limits, jsonLimit{l.Kind, l.Text, l.Count, l.Symbol, paths.place(l.Example)})
	}
	for _, s := range doc.NotAnalysed {
		out.NotAnalysed = append(out.NotAnalysed, jsonSkipped{s.Path, s.Reason, paths.place(s.Place)})
	}
	return out
}

func (p Paths) finding(f *detect.Finding) jsonFinding {
	out := jsonFinding{
		Rule:        f.Rule,
		Confidence:  f.Confidence.String(),
		Fingerprint: f.Fingerprint,
		What:        f.What,
		Type:        f.Type,
		Object:      jsonObject{f.Object.Kind, f.Object.Name, p.place(f.Object.Place)},
		First:       p.access(&f.First),
		Second:      p.access(&f.Second),
		Reasons:     []jsonReason{},
		Fix:         f.Fix,
		State:       f.State.String(),
	}
	if sup := f.Suppression; sup != nil {
		out.Suppression = &jsonIgnored{sup.Reason, p.place(sup.Place)}
	}
	for _, r := range f.Reasons {
		out.Reasons = append(out.Reasons, jsonReason{r.Kind, r.Text, p.place(r.Place)})
	}
	return out
}

func (p Paths) access(a *detect.Access) jsonAccess {
	out := jsonAccess{
		Access:   a.Kind.String(),
		Op:       a.Op,
		Place:    p.place(a.Place),
		Function: a.Function,
		Symbol:   a.Symbol,
		Locks:    []jsonLock{},
		Origin:   jsonOrigin{a.Origin.Kind, a.Origin.Name, p.place(a.Origin.Start), a.Origin.Many},
		Trace:    []jsonFrame{},
	}
	for _, l := range a.Locks {
		out.Locks = append(out.Locks, jsonLock{l.Name, l.Shared, l.Apart, p.place(l.Place)})
	}
	for _, f := range a.Trace {
		out.Trace = append(out.Trace, jsonFrame{f.Function, p.place(f.Place)})
	}
	return out
}

func (p Paths) place(pl detect.Place) *jsonPlace {
	if !pl.IsValid() {
		return nil
	}
	return &jsonPlace{p.Show(pl.File), pl.Line, pl.Col, pl.EndLine, pl.EndCol}
}
