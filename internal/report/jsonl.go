package report

import (
	"encoding/json"
	"io"

	"github.com/deadheat/deadheat/internal/detect"
)

// WriteJSONL writes each finding of doc as one flat JSON object on a line of
// its own.
func WriteJSONL(w io.Writer, doc *Document, paths Paths) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range doc.Findings {
		if err := enc.Encode(paths.flat(&doc.Findings[i])); err != nil {
			return err
		}
	}
	return nil
}

type flatFinding struct {
	Rule        string `json:"rule"`
	Confidence  string `json:"confidence"`
	Fingerprint string `json:"fingerprint"`
	What        string `json:"what"`
	State       string `json:"state"`
	Suppressed  bool   `json:"suppressed"`

	File     string      `json:"file"`
	Line     int         `json:"line"`
	Col      int         `json:"col"`
	Function string      `json:"function"`
	Access   string      `json:"access"`
	Locks    []string    `json:"locks"`
	Origin   string      `json:"origin"`
	Trace    []flatFrame `json:"trace"`

	OtherFile     string      `json:"other_file"`
	OtherLine     int         `json:"other_line"`
	OtherCol      int         `json:"other_col"`
	OtherFunction string      `json:"other_function"`
	OtherAccess   string      `json:"other_access"`
	OtherLocks    []string    `json:"other_locks"`
	OtherOrigin   string      `json:"other_origin"`
	OtherTrace    []flatFrame `json:"other_trace"`
}

type flatFrame struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
}

func (p Paths) flat(f *detect.Finding) flatFinding {
	a, b := &f.First, &f.Second
	return flatFinding{
		Rule:        f.Rule,
		Confidence:  f.Confidence.String(),
		Fingerprint: f.Fingerprint,
		What:        f.What,
		State:       f.State.String(),
		Suppressed:  f.Suppression != nil,

		File:     p.Show(a.Place.File),
		Line:     a.Place.Line,
		Col:      a.Place.Col,
		Function: a.Function,
		Access:   a.Kind.String(),
		Locks:    flatLocks(a.Locks),
		Origin:   p.flatOrigin(&a.Origin),
		Trace:    p.flatTrace(a.Trace),

		OtherFile:     p.Show(b.Place.File),
		OtherLine:     b.Place.Line,
		OtherCol:      b.Place.Col,
		OtherFunction: b.Function,
		OtherAccess:   b.Kind.String(),
		OtherLocks:    flatLocks(b.Locks),
		OtherOrigin:   p.flatOrigin(&b.Origin),
		OtherTrace:    p.flatTrace(b.Trace),
	}
}

func flatLocks(held []detect.HeldLock) []string {
	out := []string{}
	for _, l := range held {
		out = append(out, lockName(l))
	}
	return out
}

func (p Paths) flatOrigin(o *detect.OriginRef) string {
	s := originName(o)
	if o.Start.IsValid() {
		s += " at " + p.At(o.Start)
	}
	return s
}

func (p Paths) flatTrace(frames []detect.Frame) []flatFrame {
	out := []flatFrame{}
	for _, f := range frames {
		out = append(out, flatFrame{p.Show(f.Place.File), f.Place.Line, f.Function})
	}
	return out
}
