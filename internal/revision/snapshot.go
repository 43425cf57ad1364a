package revision

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/deadheat/deadheat/internal/detect"
	"github.com/deadheat/deadheat/internal/driver"
	"github.com/deadheat/deadheat/internal/report"
)

// Snapshot is what there is to compare with.
type Snapshot struct {
	Findings    []detect.Finding
	Functions   report.Functions
	NotAnalysed []report.Skipped
}

// snapshotVersion is that of the encoding of stored snapshots. It is part of
// their keys, as is the program's version.
const snapshotVersion = "findings 1"

// stored is a snapshot as it is kept: files inside the repository are relative
// to its root.
type stored struct {
	Findings  []detect.Finding
	Functions []string
}

// encode writes the findings of a result, whose files are below root.
func (r *Repo) encode(res *driver.Result, root string) ([]byte, error) {
	s, err := clone(stored{Findings: res.Findings})
	if err != nil {
		return nil, err
	}
	for i := range s.Findings {
		eachPlace(&s.Findings[i], func(p *detect.Place) {
			if rel, ok := r.relative(root, p.File); ok && p.File != "" {
				p.File = rel
			}
		})
	}
	for f := range res.Functions {
		s.Functions = append(s.Functions, f)
	}
	slices.Sort(s.Functions)
	return json.Marshal(s)
}

// decode reads what encode wrote, with files in the user's working tree.
func (r *Repo) decode(data []byte) (*Snapshot, error) {
	var s stored
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	out := &Snapshot{Findings: s.Findings, Functions: report.Functions{}}
	for i := range s.Findings {
		eachPlace(&s.Findings[i], func(p *detect.Place) {
			if p.File != "" && !filepath.IsAbs(p.File) {
				p.File = filepath.ToSlash(filepath.Join(r.root, filepath.FromSlash(p.File)))
			}
		})
	}
	for _, f := range s.Functions {
		out.Functions[f] = true
	}
	return out, nil
}

// clone copies a value deeply.
func clone(s stored) (out stored, err error) {
	data, err := json.Marshal(s)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	return out, err
}

// eachPlace calls do for every place that a finding names.
func eachPlace(f *detect.Finding, do func(*detect.Place)) {
	do(&f.Object.Place)
	for _, a := range []*detect.Access{&f.First, &f.Second} {
		do(&a.Place)
		do(&a.Origin.Start)
		for i := range a.Locks {
			do(&a.Locks[i].Place)
		}
		for i := range a.Trace {
			do(&a.Trace[i].Place)
		}
	}
	for i := range f.Reasons {
		do(&f.Reasons[i].Place)
	}
	if f.Suppression != nil {
		do(&f.Suppression.Place)
	}
}
