package report

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// Inspected is the answer to a question about one program.
type Inspected[T any] struct {
	Names   []string // the program, or several of which the same holds
	Entries []string // symbols of the functions that the runtime calls
	Answer  T
}

// jsonInspection is the document of a command that asks about programs.
type jsonInspection[T any] struct {
	Version     int           `json:"version"`
	Tool        jsonTool      `json:"tool"`
	Programs    []T           `json:"programs"`
	NotAnalysed []jsonSkipped `json:"notAnalysed"`
}

// writeInspection writes the JSON of a command that asks about programs.
func writeInspection[T any](w io.Writer, version string, programs []T, skipped []Skipped, paths Paths) error {
	doc := jsonInspection[T]{Version: JSONVersion, Tool: jsonTool{Name: "deadheat", Version: version}, Programs: programs, NotAnalysed: []jsonSkipped{}}
	if doc.Programs == nil {
		doc.Programs = []T{}
	}
	for _, s := range skipped {
		doc.NotAnalysed = append(doc.NotAnalysed, jsonSkipped{s.Path, s.Reason, paths.place(s.Place)})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(doc)
}

// programLine is the heading of what is said of a program.
func programLine(names []string) line {
	word := "program "
	if len(names) > 1 {
		word = "programs "
	}
	return line{{word, dim}, {strings.Join(names, ", "), strong}}
}

// originAt names an origin and says where it begins.
func (t *Text) originAt(o *detect.OriginRef) line {
	l := line{text(originName(o))}
	switch {
	case !o.Start.IsValid():
	case isEntry(o):
		l = append(l, span{", entered at ", dim}, text(t.Paths.At(o.Start)))
	default:
		l = append(l, span{", started at ", dim}, text(t.Paths.At(o.Start)))
	}
	return l
}

// writeBlocks writes blocks with an empty line between them.
func (t *Text) writeBlocks(w io.Writer, blocks []block) error {
	for i, b := range blocks {
		if i > 0 {
			b = append(block{nil}, b...)
		}
		if err := b.write(w, t.Color); err != nil {
			return err
		}
	}
	return nil
}

func (p Paths) sentence(s detect.Sentence) string { return s.Text(p.At) }

// orEmpty makes JSON arrays of absent lists.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (p Paths) origin(o *detect.OriginRef) jsonOrigin {
	return jsonOrigin{o.Kind, o.Name, p.place(o.Start), o.Many}
}
