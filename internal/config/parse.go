package config

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Error lists everything that is wrong with a file.
type Error struct {
	File     string
	Problems []Problem
}

// Problem is one mistake.
type Problem struct {
	At   Position
	Text string
}

func (e *Error) Error() string {
	var lines []string
	for _, p := range e.Problems {
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", e.File, p.At.Line, p.At.Col, p.Text))
	}
	return strings.Join(lines, "\n")
}

// Parse reads the text of a configuration file. The error is an *Error.
func Parse(file string, data []byte) (*Config, error) {
	p := &reader{c: &Config{File: file, Tests: true, at: map[string]Position{}}, keys: Keys()}
	doc, err := parser.ParseBytes(data, 0)
	if err != nil {
		p.syntax(err)
	} else {
		p.file(doc)
	}
	if len(p.problems) > 0 {
		slices.SortStableFunc(p.problems, func(a, b Problem) int {
			if a.At.Line != b.At.Line {
				return a.At.Line - b.At.Line
			}
			return a.At.Col - b.At.Col
		})
		return nil, &Error{filepath.ToSlash(file), p.problems}
	}
	return p.c, nil
}

// reader turns a syntax tree into a Config.
type reader struct {
	c        *Config
	keys     []Key
	problems []Problem
}

func (p *reader) problem(at Position, format string, args ...any) {
	p.problems = append(p.problems, Problem{at, fmt.Sprintf(format, args...)})
}

func (p *reader) syntax(err error) {
	var e yaml.Error
	if errors.As(err, &e) {
		p.problem(positionOf(e.GetToken()), "%s", e.GetMessage())
		return
	}
	p.problem(Position{1, 1}, "%v", err)
}

func positionOf(t *token.Token) Position {
	if t == nil || t.Position == nil {
		return Position{1, 1}
	}
	return Position{t.Position.Line, t.Position.Column}
}

func (p *reader) file(f *ast.File) {
	docs := slices.DeleteFunc(slices.Clone(f.Docs), func(d *ast.DocumentNode) bool { return d.Body == nil })
	if len(docs) == 0 {
		p.problem(Position{1, 1}, "the file is empty: want at least version: %d", Version)
		return
	}
	if len(docs) > 1 {
		p.problem(positionOf(docs[1].Body.GetToken()), "want one document only")
		return
	}
	p.mapping("", docs[0].Body)
	if _, ok := p.c.at["version"]; !ok && len(p.problems) == 0 {
		p.problem(Position{1, 1}, "no version: want version: %d", Version)
	}
	if at, ok := p.c.at["version"]; ok && p.c.Version != Version && len(p.problems) == 0 {
		p.problem(at, "version %d of the format is not known: this program reads version %d", p.c.Version, Version)
	}
}

// mapping reads the keys of a mapping; prefix is its own key and a dot.
func (p *reader) mapping(prefix string, n ast.Node) {
	m, ok := n.(ast.MapNode)
	if !ok {
		p.problem(positionOf(n.GetToken()), "want keys with values, got %s", describe(n))
		return
	}
	for it := m.MapRange(); it.Next(); {
		key, ok := it.Key().(*ast.StringNode)
		if !ok {
			p.problem(positionOf(it.Key().GetToken()), "want a key, got %s", describe(it.Key()))
			continue
		}
		p.entry(prefix+key.Value, positionOf(key.GetToken()), it.Value())
	}
}

func (p *reader) entry(name string, at Position, value ast.Node) {
	if _, twice := p.c.at[name]; twice {
		p.problem(at, "%s is there twice", name)
		return
	}
	if p.isGroup(name) {
		p.c.at[name] = at
		p.mapping(name+".", value)
		return
	}
	for i := range p.keys {
		if k := &p.keys[i]; k.Name == name {
			p.c.at[name] = at
			p.value(k, value)
			return
		}
	}
	p.problem(at, "unknown key %s: want one of %s", name, strings.Join(p.siblings(name), ", "))
}

// isGroup tells whether keys are inside the mapping of that name.
func (p *reader) isGroup(name string) bool {
	return slices.ContainsFunc(p.keys, func(k Key) bool { return strings.HasPrefix(k.Name, name+".") })
}

// siblings lists the keys that may stand where an unknown one does.
func (p *reader) siblings(name string) []string {
	prefix := name[:strings.LastIndexByte(name, '.')+1]
	var out []string
	for _, k := range p.keys {
		rest, ok := strings.CutPrefix(k.Name, prefix)
		if rest, _, _ = strings.Cut(rest, "."); ok && !slices.Contains(out, rest) {
			out = append(out, rest)
		}
	}
	return out
}

func (p *reader) value(k *Key, n ast.Node) {
	switch field := k.field(p.c).(type) {
	case *[]string:
		list, ok := n.(*ast.SequenceNode)
		if !ok {
			p.problem(positionOf(n.GetToken()), "%s: want a list, got %s", k.Name, describe(n))
			return
		}
		for _, e := range list.Values {
			if s, ok := p.word(k, e); ok {
				*field = append(*field, s)
			}
		}
	case *string:
		if s, ok := p.word(k, n); ok {
			*field = s
		}
	case *bool:
		b, ok := n.(*ast.BoolNode)
		if !ok {
			p.problem(positionOf(n.GetToken()), "%s: want true or false, got %s", k.Name, describe(n))
			return
		}
		*field = b.Value
	case *int:
		i, ok := n.(*ast.IntegerNode)
		v, isSmall := uint64(0), false
		if ok {
			v, isSmall = i.Value.(uint64)
		}
		if !isSmall || v > 1<<30 {
			p.problem(positionOf(n.GetToken()), "%s: want a number, got %s", k.Name, describe(n))
			return
		}
		*field = int(v)
	}
}

// word reads a string and checks it.
func (p *reader) word(k *Key, n ast.Node) (string, bool) {
	at := positionOf(n.GetToken())
	s, ok := n.(*ast.StringNode)
	if !ok {
		p.problem(at, "%s: want text, got %s", k.Name, describe(n))
		return "", false
	}
	if len(k.Allowed) > 0 && !slices.Contains(k.Allowed, s.Value) {
		p.problem(at, "%s: %q is not one of %s", k.Name, s.Value, strings.Join(k.Allowed, ", "))
		return "", false
	}
	if k.check != nil {
		if err := k.check(s.Value); err != nil {
			p.problem(at, "%s: %s: %v", k.Name, s.Value, err)
			return "", false
		}
	}
	return s.Value, true
}

// describe names a kind of node for people.
func describe(n ast.Node) string {
	switch n.Type() {
	case ast.NullType:
		return "nothing"
	case ast.MappingType, ast.MappingValueType:
		return "a mapping"
	case ast.SequenceType:
		return "a list"
	case ast.BoolType:
		return "true or false"
	case ast.IntegerType, ast.FloatType, ast.InfinityType, ast.NanType:
		return "a number"
	case ast.StringType:
		return "text"
	case ast.LiteralType:
		return "a block of text"
	case ast.AnchorType, ast.AliasType, ast.TagType, ast.MergeKeyType:
		return "an anchor, alias or tag, which are not allowed here"
	}
	return "something else"
}
