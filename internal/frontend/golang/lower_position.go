package golang

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// positions finds the source range that belongs to a position of go/ssa, which
// is that of one token: the bracket of an index expression, the name after the
// dot of a selector. One walk over the syntax notes for each such token the
// range of the node it stands for; a query is then two array reads and a search
// in the line table, with nothing hashed and no lock taken.
type positions struct {
	b        *ir.Builder
	fset     *token.FileSet
	fileName func(string) string
	files    []*filePositions     // by base
	last     *filePositions       // of the last query
	directed map[string]ir.FileID // files named by line directives
	byFile   map[*ast.File]ir.FileID
}

// filePositions is the index of one file. Offsets count from its beginning.
type filePositions struct {
	file     *token.File
	base     int
	size     int
	id       ir.FileID
	lines    []int // offset of each line's beginning
	line     int   // of the last query, from 0: the next one is often near
	directed bool  // has line directives
	meta     ir.File
	at       []int32 // by offset: 1 + index in spans, or 0
	spans    []span
}

// span is the range of a node. The anchor is where the compiler takes the node
// to be, and with it the line a stack trace or the race detector names.
type span struct{ start, anchor, end int32 }

func newPositions(b *ir.Builder, in *lowerInput) *positions {
	p := &positions{
		b:        b,
		fset:     in.Fset,
		fileName: in.FileName,
		directed: make(map[string]ir.FileID),
		byFile:   make(map[*ast.File]ir.FileID, len(in.Files)),
	}
	if p.fileName == nil {
		p.fileName = func(name string) string { return name }
	}
	for i, f := range in.Files {
		id := b.AddFile(in.FileMeta[i])
		p.byFile[f] = id
		tf := in.Fset.File(f.FileStart)
		if tf == nil {
			continue
		}
		fp := &filePositions{
			file: tf, base: tf.Base(), size: tf.Size(), id: id,
			lines: tf.Lines(), directed: hasLineDirectives(f), meta: in.FileMeta[i],
			at:    make([]int32, tf.Size()+1),
			spans: make([]span, 0, tf.Size()/8),
		}
		fp.index(f)
		p.files = append(p.files, fp)
	}
	slices.SortFunc(p.files, func(a, b *filePositions) int { return a.base - b.base })
	if len(p.files) > 0 {
		p.last = p.files[0]
	}
	return p
}

func hasLineDirectives(f *ast.File) bool {
	for _, g := range f.Comments {
		for _, c := range g.List {
			if strings.HasPrefix(c.Text, "//line ") || strings.HasPrefix(c.Text, "/*line ") {
				return true
			}
		}
	}
	return false
}

// index notes the tokens go/ssa uses as positions.
func (fp *filePositions) index(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			fp.note(n.NamePos, n.NamePos, n.NamePos, n.End())
		case *ast.BasicLit:
			fp.note(n.ValuePos, n.ValuePos, n.ValuePos, n.End())
		case *ast.SelectorExpr:
			// The compiler takes the dot, which ends the line of the operand.
			fp.note(n.Sel.NamePos, n.X.Pos(), n.X.End(), n.Sel.End())
		case *ast.CallExpr:
			anchor := n.Lparen
			if sel := calleeSelector(n.Fun); sel != nil {
				anchor = sel.NamePos
			}
			fp.note(n.Lparen, n.Fun.Pos(), anchor, n.Rparen+1)
			fp.note(n.Rparen, n.Fun.Pos(), anchor, n.Rparen+1)
		case *ast.IndexExpr:
			fp.note(n.Lbrack, n.X.Pos(), n.Lbrack, n.Rbrack+1)
		case *ast.IndexListExpr:
			fp.note(n.Lbrack, n.X.Pos(), n.Lbrack, n.Rbrack+1)
		case *ast.SliceExpr:
			fp.note(n.Lbrack, n.X.Pos(), n.Lbrack, n.Rbrack+1)
		case *ast.TypeAssertExpr:
			fp.note(n.Lparen, n.X.Pos(), n.Lparen, n.Rparen+1)
		case *ast.StarExpr:
			fp.note(n.Star, n.Star, n.Star, n.End())
		case *ast.UnaryExpr:
			fp.note(n.OpPos, n.OpPos, n.OpPos, n.End())
		case *ast.BinaryExpr:
			fp.note(n.OpPos, n.Pos(), n.OpPos, n.End())
		case *ast.KeyValueExpr:
			fp.note(n.Colon, n.Pos(), n.Colon, n.End())
		case *ast.CompositeLit:
			fp.note(n.Lbrace, n.Pos(), n.Lbrace, n.Rbrace+1)
		case *ast.FuncLit:
			fp.note(n.Type.Func, n.Type.Func, n.Type.Func, n.Type.End())
		case *ast.GoStmt:
			fp.note(n.Go, n.Go, n.Go, n.End())
		case *ast.DeferStmt:
			fp.note(n.Defer, n.Defer, n.Defer, n.End())
		case *ast.SendStmt:
			fp.note(n.Arrow, n.Pos(), n.Arrow, n.End())
		case *ast.ReturnStmt:
			fp.note(n.Return, n.Return, n.Return, n.End())
		case *ast.SelectStmt:
			fp.note(n.Select, n.Select, n.Select, n.Select+token.Pos(len("select")))
		case *ast.CaseClause:
			fp.note(n.Case, n.Case, n.Case, n.Colon)
		case *ast.RangeStmt:
			fp.note(n.For, n.For, n.For, n.X.End())
			fp.note(n.Range, n.For, n.For, n.X.End())
		case *ast.Comment, *ast.CommentGroup:
			return false
		}
		return true
	})
}

// calleeSelector returns the method or function name of a callee x.f or
// x.f[T], or nil.
func calleeSelector(fun ast.Expr) *ast.Ident {
	for {
		switch f := fun.(type) {
		case *ast.ParenExpr:
			fun = f.X
		case *ast.IndexExpr:
			fun = f.X
		case *ast.IndexListExpr:
			fun = f.X
		case *ast.SelectorExpr:
			return f.Sel
		default:
			return nil
		}
	}
}

// note remembers the range of a token. An outer node is visited first and
// keeps what it shares with an inner one: x.f keeps f.
func (fp *filePositions) note(key, start, anchor, end token.Pos) {
	k := int(key) - fp.base
	if k < 0 || k >= len(fp.at) || fp.at[k] != 0 {
		return
	}
	fp.spans = append(fp.spans, span{fp.offset(start), fp.offset(anchor), fp.offset(end)})
	fp.at[k] = int32(len(fp.spans))
}

// offset is safe for positions that a parser made up after a syntax error.
func (fp *filePositions) offset(pos token.Pos) int32 {
	return int32(min(max(int(pos)-fp.base, 0), fp.size))
}

// find returns the file that pos is in, or nil if it is not of this package.
func (p *positions) find(pos token.Pos) *filePositions {
	if fp := p.last; fp != nil && fp.contains(pos) {
		return fp
	}
	i, ok := slices.BinarySearchFunc(p.files, int(pos), func(fp *filePositions, pos int) int { return fp.base - pos })
	if !ok {
		i--
	}
	if i < 0 || !p.files[i].contains(pos) {
		return nil
	}
	p.last = p.files[i]
	return p.last
}

func (fp *filePositions) contains(pos token.Pos) bool {
	return fp.base <= int(pos) && int(pos) <= fp.base+fp.size
}

// read returns the range of the node that pos stands for, as what is evaluated.
func (p *positions) read(pos token.Pos) ir.Pos { return p.at(pos, false) }

// written returns the range of the node that pos stands for, as what is
// assigned to: the line is that of its last token, where the operator stands.
func (p *positions) written(pos token.Pos) ir.Pos { return p.at(pos, true) }

func (p *positions) at(pos token.Pos, written bool) ir.Pos {
	if !pos.IsValid() {
		return ir.Pos{}
	}
	fp := p.find(pos)
	if fp == nil {
		return ir.Pos{}
	}
	key := int32(int(pos) - fp.base)
	s := span{key, key, min(key+1, int32(fp.size))}
	if i := fp.at[key]; i != 0 {
		s = fp.spans[i-1]
		if written {
			s.anchor = key
		}
	}
	return p.span(fp, s)
}

// inside tells whether a position is in the node that another stands for.
func (p *positions) inside(pos, node token.Pos) bool {
	fp := p.find(node)
	if fp == nil || !fp.contains(pos) {
		return false
	}
	i := fp.at[int(node)-fp.base]
	k := int32(int(pos) - fp.base)
	return i != 0 && fp.spans[i-1].anchor < k && k < fp.spans[i-1].end
}

// node returns the range of a node.
func (p *positions) node(start, end token.Pos) ir.Pos {
	fp := p.find(start)
	if fp == nil {
		return ir.Pos{}
	}
	k := fp.offset(start)
	return p.span(fp, span{k, k, fp.offset(end)})
}

func (p *positions) span(fp *filePositions, s span) ir.Pos {
	if fp.directed {
		return p.directedSpan(fp, s)
	}
	line := fp.lineOf(int(s.anchor))
	from := s.start
	if int(s.start) < fp.lines[line] {
		from = s.anchor // the node begins on an earlier line than the one it is known by
	}
	col := int(from) - fp.lines[line]
	endLine := line
	if line+1 < len(fp.lines) && int(s.end) >= fp.lines[line+1] {
		endLine = fp.lineOf(int(s.end))
	}
	return ir.Pos{
		File: fp.id, Line: int32(line + 1), Col: int32(col + 1),
		EndLine: int32(endLine + 1), EndCol: int32(int(s.end) - fp.lines[endLine] + 1),
	}
}

// lineOf returns the line an offset is on, from 0.
func (fp *filePositions) lineOf(offset int) int {
	lines := fp.lines
	// Queries come roughly in the order of the text.
	for i := fp.line; i < len(lines) && i < fp.line+4 && lines[i] <= offset; i++ {
		if i+1 == len(lines) || offset < lines[i+1] {
			fp.line = i
			return i
		}
	}
	i, ok := slices.BinarySearch(lines, offset)
	if !ok {
		i--
	}
	fp.line = max(i, 0)
	return fp.line
}

// directedSpan obeys line directives: files that cgo and parser generators
// write say where their text comes from.
func (p *positions) directedSpan(fp *filePositions, s span) ir.Pos {
	anchor := p.position(fp, s.anchor)
	from := p.position(fp, s.start)
	if from.Line != anchor.Line || from.Filename != anchor.Filename {
		from = anchor
	}
	if from.Line <= 0 {
		return ir.Pos{}
	}
	end := p.position(fp, s.end)
	if end.Filename != from.Filename || end.Line < from.Line || end.Line == from.Line && end.Column < from.Column {
		end = from
	}
	return ir.Pos{
		File: p.directedFile(fp, from.Filename), Line: int32(from.Line), Col: int32(max(from.Column, 1)),
		EndLine: int32(end.Line), EndCol: int32(max(end.Column, 1)),
	}
}

func (p *positions) position(fp *filePositions, offset int32) token.Position {
	return fp.file.PositionFor(fp.file.Pos(int(offset)), true)
}

func (p *positions) directedFile(fp *filePositions, name string) ir.FileID {
	if name == "" || name == fp.file.Name() {
		return fp.id
	}
	id, ok := p.directed[name]
	if !ok {
		meta := ir.File{Path: p.fileName(filepath.ToSlash(name)), Test: fp.meta.Test}
		id = p.b.AddFile(meta)
		p.directed[name] = id
	}
	return id
}
