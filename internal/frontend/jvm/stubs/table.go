package stubs

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
)

//go:embed jdk.bin
var jdk []byte

// Table has the declarations of classes. Any number of goroutines may use it.
type Table struct {
	names []string // internal names, sorted
	lines []string // of each class: the head and its members
}

// header begins a table; it says which form the rest has.
const header = "deadheat stubs 1\n"

// maxTable bounds the size of a table without its compression.
const maxTable = 64 << 20

// Open reads the table that the binary has.
func Open() (*Table, error) { return Decode(jdk) }

// Encode writes a table of classes, which must be sorted by name. It is
// compressed text:
//
//	Cjava/util/ArrayList 21 java/util/AbstractList java/util/List …
//	FmodCount 4 I
//	Madd 1 (Ljava/lang/Object;)Z
//
// The numbers are access flags, in base 16. A class without superclass has "-".
func Encode(classes []*classfile.Class) ([]byte, error) {
	var text bytes.Buffer
	text.WriteString(header)
	for _, c := range classes {
		super := c.Super
		if super == "" {
			super = "-"
		}
		fmt.Fprintf(&text, "C%s %x %s\n", c.Name, c.Access, strings.Join(append([]string{super}, c.Interfaces...), " "))
		for i := range c.Fields {
			f := &c.Fields[i]
			fmt.Fprintf(&text, "F%s %x %s\n", f.Name, f.Access, f.Desc)
		}
		for i := range c.Methods {
			m := &c.Methods[i]
			fmt.Fprintf(&text, "M%s %x %s\n", m.Name, m.Access, m.Desc)
		}
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text.Bytes()); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// Decode reads what Encode wrote.
func Decode(data []byte) (*Table, error) {
	var b strings.Builder
	n, err := io.Copy(&b, io.LimitReader(flate.NewReader(bytes.NewReader(data)), maxTable+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("table of declarations: %w", err)
	case n > maxTable:
		return nil, fmt.Errorf("table of declarations: more than %d bytes", maxTable)
	}
	text, ok := strings.CutPrefix(b.String(), header)
	if !ok {
		return nil, fmt.Errorf("table of declarations: it does not begin with %q", header)
	}
	t := &Table{}
	for text != "" {
		class, rest, _ := strings.Cut(text, "\nC")
		name, _, ok := strings.Cut(strings.TrimPrefix(class, "C"), " ")
		if !ok || name == "" || len(t.names) > 0 && name <= t.names[len(t.names)-1] {
			return nil, fmt.Errorf("table of declarations: class %d (%.50q) has no name or is out of order", len(t.names), name)
		}
		t.names = append(t.names, name)
		t.lines = append(t.lines, strings.TrimPrefix(class, "C"))
		text = rest
	}
	return t, nil
}

// Names returns the internal names of all classes, sorted.
func (t *Table) Names() []string { return t.names }

// Lines returns what the table says of a class, "" if it has none.
func (t *Table) Lines(name string) string {
	i, ok := slices.BinarySearch(t.names, name)
	if !ok {
		return ""
	}
	return t.lines[i]
}

var errLine = errors.New("a line of the table of declarations is not as it must be")

// Class returns a class of the table; nil if there is none of that name.
func (t *Table) Class(name string) (*classfile.Class, error) {
	lines := t.Lines(name)
	if lines == "" {
		return nil, nil
	}
	head, members, _ := strings.Cut(lines, "\n")
	words := strings.Split(head, " ")
	if len(words) < 3 {
		return nil, fmt.Errorf("%s: %w", name, errLine)
	}
	c := &classfile.Class{Name: name, Super: words[2], Interfaces: words[3:]}
	if c.Super == "-" {
		c.Super = ""
	}
	var err error
	if c.Access, err = access(words[1]); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for line := range strings.Lines(members) {
		if err := addMember(c, strings.TrimSuffix(line, "\n")); err != nil {
			return nil, fmt.Errorf("%s: %w: %.50q", name, err, line)
		}
	}
	return c, nil
}

func addMember(c *classfile.Class, line string) error {
	words := strings.Split(line, " ")
	if len(words) != 3 || len(words[0]) < 2 || words[2] == "" {
		return errLine
	}
	flags, err := access(words[1])
	if err != nil {
		return err
	}
	switch name := words[0][1:]; words[0][0] {
	case 'F':
		c.Fields = append(c.Fields, classfile.Field{Access: flags, Name: name, Desc: words[2]})
	case 'M':
		c.Methods = append(c.Methods, classfile.Method{Access: flags, Name: name, Desc: words[2]})
	default:
		return errLine
	}
	return nil
}

func access(word string) (classfile.Access, error) {
	n, err := strconv.ParseUint(word, 16, 16)
	return classfile.Access(n), err
}
