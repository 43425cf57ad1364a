package report

import (
	"fmt"
	"io"

	"github.com/deadheat/deadheat/internal/detect"
)

// WriteShare writes which memory of programs is shared, and by whom.
func (t *Text) WriteShare(w io.Writer, programs []Inspected[detect.ShareMap]) error {
	var blocks []block
	for _, p := range programs {
		m := &p.Answer
		head := block{programLine(p.Names)}
		head.add(text(fmt.Sprintf("objects: %d touched by one origin only, %d by several", m.Local, m.Shared)))
		s := fmt.Sprintf("shared cells of your code: %d listed", len(m.Cells))
		if m.Hidden > 0 {
			s += fmt.Sprintf(", %d only read or protected in every access (--all lists them)", m.Hidden)
		}
		head.add(text(s))
		blocks = append(blocks, head)
		for i := range m.Cells {
			blocks = append(blocks, t.sharedCell(&m.Cells[i]))
		}
	}
	return t.writeBlocks(w, blocks)
}

func (t *Text) sharedCell(c *detect.SharedCell) block {
	var b block
	b.add(span{c.Name, strong}, text(t.made(&c.Object, c.Several)))
	var rows []line
	rows = append(rows, t.userRows("written by", c.Writers)...)
	rows = append(rows, t.userRows("read by", c.Readers)...)
	rows = append(rows, line{{"protected by", dim}, text(guardText(c))})
	return append(b, columnsOf(rows, 2).indent(2)...)
}

func guardText(c *detect.SharedCell) string {
	switch c.Guard {
	case detect.GuardRead:
		return "nobody writes it"
	case detect.GuardLock:
		return "lock " + c.Lock
	case detect.GuardAtomic:
		return "atomic operations"
	case detect.GuardOrder:
		return "order: no two accesses can happen at the same time"
	}
	return "nothing that all accesses have in common"
}

func (t *Text) userRows(label string, users []detect.User) []line {
	var rows []line
	for _, u := range users {
		head := ""
		for _, s := range t.originAt(&u.Origin) {
			head += s.text
		}
		rows = append(rows, line{{label, dim}, text(head)})
		label = ""
		for _, use := range u.At {
			s := "  " + t.Paths.At(use.Place) + " in " + use.Function
			if use.Kind.Atomic() {
				s += ", atomic"
			}
			rows = append(rows, line{text(""), text(s)})
		}
	}
	return rows
}

type jsonShare struct {
	Names   []string         `json:"names"`
	Entries []string         `json:"entries"`
	Local   int              `json:"local"`
	Shared  int              `json:"shared"`
	Hidden  int              `json:"hidden"`
	Cells   []jsonSharedCell `json:"cells"`
}

type jsonSharedCell struct {
	Name    string     `json:"name"`
	Object  jsonObject `json:"object"`
	Several bool       `json:"several"`
	Guard   string     `json:"guard"`
	Lock    string     `json:"lock"`
	Writers []jsonUser `json:"writers"`
	Readers []jsonUser `json:"readers"`
}

type jsonUser struct {
	Origin   jsonOrigin `json:"origin"`
	Accesses []jsonUse  `json:"accesses"`
}

type jsonUse struct {
	Access   string     `json:"access"`
	Op       string     `json:"op"`
	Function string     `json:"function"`
	Place    *jsonPlace `json:"place"`
}

// WriteShareJSON writes which memory of programs is shared as a JSON document.
func WriteShareJSON(w io.Writer, version string, programs []Inspected[detect.ShareMap], skipped []Skipped, paths Paths) error {
	var out []jsonShare
	for _, p := range programs {
		m := &p.Answer
		j := jsonShare{Names: p.Names, Entries: orEmpty(p.Entries), Local: m.Local, Shared: m.Shared, Hidden: m.Hidden, Cells: []jsonSharedCell{}}
		for _, c := range m.Cells {
			j.Cells = append(j.Cells, jsonSharedCell{c.Name, paths.object(&c.Object), c.Several, c.Guard.String(), c.Lock,
				paths.users(c.Writers), paths.users(c.Readers)})
		}
		out = append(out, j)
	}
	return writeInspection(w, version, out, skipped, paths)
}

func (p Paths) object(o *detect.Object) jsonObject {
	return jsonObject{o.Kind, o.Name, p.place(o.Place)}
}

func (p Paths) users(list []detect.User) []jsonUser {
	out := []jsonUser{}
	for _, u := range list {
		j := jsonUser{Origin: p.origin(&u.Origin), Accesses: []jsonUse{}}
		for _, use := range u.At {
			j.Accesses = append(j.Accesses, p.use(&use))
		}
		out = append(out, j)
	}
	return out
}

func (p Paths) use(u *detect.Use) jsonUse {
	return jsonUse{u.Kind.String(), u.Op, u.Function, p.place(u.Place)}
}
