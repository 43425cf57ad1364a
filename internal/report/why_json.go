package report

import (
	"io"

	"github.com/deadheat/deadheat/internal/detect"
)

type jsonWhy struct {
	Names []string      `json:"names"`
	Lines []jsonWhyLine `json:"lines"`
	Pairs []jsonPair    `json:"pairs"`
}

type jsonWhyLine struct {
	File     string          `json:"file"`
	Line     int             `json:"line"`
	Function string          `json:"function"`
	State    string          `json:"state"`
	Text     string          `json:"text"`
	Accesses []jsonWhyAccess `json:"accesses"`
}

type jsonWhyAccess struct {
	jsonUse
	What     string        `json:"what"`
	Library  string        `json:"library"`
	Alone    bool          `json:"alone"`
	Never    string        `json:"never"`
	Memory   []jsonMemory  `json:"memory"`
	Sharers  []jsonSharer  `json:"sharers"`
	Contexts []jsonContext `json:"contexts"`
}

type jsonMemory struct {
	Name    string     `json:"name"`
	Object  jsonObject `json:"object"`
	Several bool       `json:"several"`
}

type jsonSharer struct {
	Origin jsonOrigin `json:"origin"`
	Reads  bool       `json:"reads"`
	Writes bool       `json:"writes"`
}

type jsonContext struct {
	Origin jsonOrigin `json:"origin"`
	Locks  []jsonLock `json:"locks"`
	Maybe  []jsonLock `json:"maybe"`
	Owned  bool       `json:"owned"`
	Until  *jsonPlace `json:"until"`
}

type jsonPair struct {
	What     string        `json:"what"`
	First    jsonUse       `json:"first"`
	Second   jsonUse       `json:"second"`
	Race     bool          `json:"race"`
	Reported string        `json:"reported"`
	Folded   bool          `json:"folded"`
	Finding  *jsonFinding  `json:"finding"`
	Verdicts []jsonVerdict `json:"verdicts"`
}

type jsonVerdict struct {
	Kind   string      `json:"kind"`
	Rule   string      `json:"rule"`
	Text   string      `json:"text"`
	Places []jsonPlace `json:"places"`
}

// WriteWhyJSON writes the answers to a question about lines as a JSON document.
func WriteWhyJSON(w io.Writer, version string, programs []Inspected[detect.Answer], skipped []Skipped, paths Paths) error {
	var out []jsonWhy
	for _, p := range programs {
		j := jsonWhy{Names: p.Names, Lines: []jsonWhyLine{}, Pairs: []jsonPair{}}
		for i := range p.Answer.Lines {
			j.Lines = append(j.Lines, paths.whyLine(&p.Answer.Lines[i]))
		}
		for i := range p.Answer.Pairs {
			j.Pairs = append(j.Pairs, paths.pair(&p.Answer.Pairs[i]))
		}
		out = append(out, j)
	}
	return writeInspection(w, version, out, skipped, paths)
}

func (p Paths) whyLine(a *detect.LineAnswer) jsonWhyLine {
	out := jsonWhyLine{p.Show(a.Line.File), a.Line.Line, a.Function, a.State.String(), p.sentence(a.Text), []jsonWhyAccess{}}
	for i := range a.Accesses {
		acc := &a.Accesses[i]
		j := jsonWhyAccess{jsonUse: p.use(&acc.Use), What: acc.What, Library: acc.Library, Alone: acc.Alone, Never: p.sentence(acc.Never),
			Memory: []jsonMemory{}, Sharers: []jsonSharer{}, Contexts: []jsonContext{}}
		for _, m := range acc.Memory {
			j.Memory = append(j.Memory, jsonMemory{m.Name, p.object(&m.Object), m.Several})
		}
		for _, s := range acc.Sharers {
			j.Sharers = append(j.Sharers, jsonSharer{p.origin(&s.Origin), s.Reads, s.Writes})
		}
		for _, c := range acc.Contexts {
			j.Contexts = append(j.Contexts, jsonContext{p.origin(&c.Origin), p.heldLocks(c.Locks), p.heldLocks(c.Maybe), c.Owned, p.place(c.Until)})
		}
		out.Accesses = append(out.Accesses, j)
	}
	return out
}

func (p Paths) heldLocks(list []detect.HeldLock) []jsonLock {
	out := []jsonLock{}
	for _, l := range list {
		out = append(out, jsonLock{l.Name, l.Shared, l.Apart, p.place(l.Place)})
	}
	return out
}

func (p Paths) pair(a *detect.Pair) jsonPair {
	out := jsonPair{What: a.What, First: p.use(&a.First), Second: p.use(&a.Second), Race: a.Race, Reported: a.Reported, Folded: a.Into[0].IsValid(), Verdicts: []jsonVerdict{}}
	if a.Finding != nil {
		f := p.finding(a.Finding)
		out.Finding = &f
	}
	for _, v := range a.Verdicts {
		j := jsonVerdict{v.Kind, v.Rule, p.sentence(v.Text), []jsonPlace{}}
		for _, ph := range v.Text {
			if pl := p.place(ph.Place); pl != nil {
				j.Places = append(j.Places, *pl)
			}
		}
		out.Verdicts = append(out.Verdicts, j)
	}
	return out
}
