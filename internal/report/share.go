package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// WriteShare writes which memory of programs is shared, and by whom.
func (t *Text) WriteShare(w io.Writer, programs []Inspected[detect.ShareMap]) error {
	var blocks []block
	for _, p := range programs {
		m := &p.Answer
		head := block{programLine(p.Names)}
		head.add(text(fmt.Sprintf("objects: %d touched by one origin only, %d by several", m.Local, m.Shared)))
		s := fmt.Sprintf("shared memory of your code: %s listed", plural(len(m.Cells), "entry"))
		var rest []string
		if m.Protected > 0 {
			rest = append(rest, plural(m.Protected, "cell")+" only read or protected in every access")
		}
		if m.Unsure > 0 {
			rest = append(rest, plural(m.Unsure, "cell")+" that each instance may have for itself")
		}
		if len(rest) > 0 {
			s += "; --all lists the rest: " + strings.Join(rest, ", ")
		}
		head.add(text(s))
		blocks = append(blocks, head)
		for i := range m.Cells {
			blocks = append(blocks, t.sharedCell(&m.Cells[i]))
		}
	}
	return t.writeBlocks(w, blocks)
}

func (t *Text) sharedCell(c *detect.SharedCells) block {
	var b block
	b.add(span{joinNames(c.Names), strong}, text(t.made(&c.Object, c.Several)))
	var rows []line
	rows = append(rows, t.userRows("written by", c.Writers)...)
	rows = append(rows, t.userRows("read by", c.Readers)...)
	rows = append(rows, line{{"protected by", dim}, text(guardText(c))})
	return append(b, columnsOf(rows, 2).indent(2)...)
}

// joinNames writes names of cells, what they have in common once. Of many it
// writes the first.
func joinNames(names []string) string {
	common := names[0][:strings.LastIndexByte(names[0], '.')+1]
	for _, n := range names[1:] {
		for !strings.HasPrefix(n, common) {
			common = common[:strings.LastIndexByte(strings.TrimSuffix(common, "."), '.')+1]
		}
	}
	if len(names) == 1 {
		return names[0]
	}
	var rest []string
	for i, n := range names {
		if i == maxMemory {
			rest = append(rest, fmt.Sprintf("… %d cells", len(names)))
			break
		}
		rest = append(rest, strings.TrimPrefix(n, common))
	}
	s := strings.Join(rest, ", ")
	if common == "" {
		return s
	}
	return common + "{" + s + "}"
}

func guardText(c *detect.SharedCells) string {
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
	if c.Unsure {
		return "nothing that all accesses have in common, but each instance may have its own"
	}
	return "nothing that all accesses have in common"
}

// maxUsers is how many origins the text names for an access.
const maxUsers = 4

// userRows lists accesses, each with the origins that make it.
func (t *Text) userRows(label string, users []detect.User) []line {
	var uses []detect.Use
	origins := map[detect.Use][]string{}
	for _, u := range users {
		for _, use := range u.At {
			if origins[use] == nil {
				uses = append(uses, use)
			}
			if name := originName(&u.Origin); !slices.Contains(origins[use], name) {
				origins[use] = append(origins[use], name)
			}
		}
	}
	slices.SortStableFunc(uses, func(a, b detect.Use) int {
		return cmp.Or(strings.Compare(t.Paths.Show(a.Place.File), t.Paths.Show(b.Place.File)),
			cmp.Compare(a.Place.Line, b.Place.Line), cmp.Compare(a.Place.Col, b.Place.Col))
	})
	var rows []line
	for _, use := range uses {
		s := t.Paths.At(use.Place) + " in " + use.Function
		if use.Kind.Atomic() {
			s += ", atomic"
		}
		by := origins[use]
		if n := len(by) - maxUsers; n > 1 {
			by = append(by[:maxUsers:maxUsers], plural(n, "other origin"))
		}
		rows = append(rows, line{{label, dim}, text(s), {"by " + strings.Join(by, ", "), dim}})
		label = ""
	}
	return rows
}

type jsonShare struct {
	Names     []string         `json:"names"`
	Entries   []string         `json:"entries"`
	Local     int              `json:"local"`
	Shared    int              `json:"shared"`
	Protected int              `json:"protected"`
	Unsure    int              `json:"unsure"`
	Cells     []jsonSharedCell `json:"cells"`
}

type jsonSharedCell struct {
	Names   []string   `json:"names"`
	Object  jsonObject `json:"object"`
	Several bool       `json:"several"`
	Unsure  bool       `json:"unsure"`
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
		j := jsonShare{Names: p.Names, Entries: orEmpty(p.Entries), Local: m.Local, Shared: m.Shared, Protected: m.Protected, Unsure: m.Unsure, Cells: []jsonSharedCell{}}
		for _, c := range m.Cells {
			j.Cells = append(j.Cells, jsonSharedCell{c.Names, paths.object(&c.Object), c.Several, c.Unsure, c.Guard.String(), c.Lock,
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
