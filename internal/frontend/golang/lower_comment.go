package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/deadheat/deadheat/internal/ir"
)

// annotate collects the comments that say something to us. One in the
// documentation of a declaration, or at the end of its line, is attached to what
// is declared; any other governs its line.
func (l *lowerer) annotate() {
	for _, f := range l.in.Files {
		targets := l.commentTargets(f)
		for _, group := range f.Comments {
			for _, c := range group.List {
				l.annotateComment(c, targets[group])
			}
		}
	}
}

func (l *lowerer) annotateComment(c *ast.Comment, targets []string) {
	if !strings.Contains(c.Text, "deadheat:") && !strings.Contains(c.Text, "+checklocks") {
		return
	}
	for line := range strings.SplitSeq(commentText(c), "\n") {
		text := strings.TrimSpace(line)
		if !strings.HasPrefix(text, "deadheat:") && !strings.HasPrefix(text, "+checklocks") {
			continue
		}
		l.addAnnotations(targets, text, l.pos.node(c.Pos(), c.End()))
	}
}

func (l *lowerer) addAnnotations(targets []string, text string, pos ir.Pos) {
	if len(targets) == 0 {
		l.b.AddAnnotation(ir.Annotation{Text: text, Pos: pos})
	}
	for _, t := range targets {
		l.b.AddAnnotation(ir.Annotation{Target: t, Text: text, Pos: pos})
	}
}

func commentText(c *ast.Comment) string {
	if text, ok := strings.CutPrefix(c.Text, "//"); ok {
		return text
	}
	return strings.TrimSuffix(strings.TrimPrefix(c.Text, "/*"), "*/")
}

// commentTargets maps the comments of declarations to the symbols declared. On
// the way it notes types whose documentation allows concurrent use.
func (l *lowerer) commentTargets(f *ast.File) map[*ast.CommentGroup][]string {
	targets := make(map[*ast.CommentGroup][]string)
	attach := func(symbols []string, groups ...*ast.CommentGroup) {
		for _, g := range groups {
			if g != nil {
				targets[g] = symbols
			}
		}
	}
	for _, decl := range f.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if fn, ok := l.in.Info.Defs[decl.Name].(*types.Func); ok {
				attach([]string{l.funcSymbol(fn)}, decl.Doc)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				doc := decl.Doc
				if len(decl.Specs) > 1 || decl.Lparen.IsValid() {
					doc = nil
				}
				l.specTargets(decl, spec, doc, attach)
			}
		}
	}
	for _, spec := range l.specs {
		if f.FileStart <= spec.Pos() && spec.Pos() < f.FileEnd {
			l.specTargets(nil, spec, nil, attach)
		}
	}
	return targets
}

// specTargets attaches the comments of a type or variable; doc is that of the
// declaration, where it has but one specification.
func (l *lowerer) specTargets(decl *ast.GenDecl, spec ast.Spec, doc *ast.CommentGroup, attach func([]string, ...*ast.CommentGroup)) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		name, ok := l.in.Info.Defs[spec.Name].(*types.TypeName)
		if !ok || name.IsAlias() {
			return
		}
		symbol := l.typeSymbol(name)
		attach([]string{symbol}, doc, spec.Doc, spec.Comment)
		switch max(promise(doc), promise(spec.Doc)) {
		case promisedFully:
			l.addAnnotations([]string{symbol}, "concurrent", l.pos.read(spec.Name.NamePos))
		case promisedPartly:
			l.addAnnotations([]string{symbol}, "concurrent with exceptions", l.pos.read(spec.Name.NamePos))
		}
		if s, ok := spec.Type.(*ast.StructType); ok {
			fieldTargets(symbol, s, attach)
		}
	case *ast.ValueSpec:
		if decl == nil || decl.Tok != token.VAR {
			return
		}
		var symbols []string
		for _, id := range spec.Names {
			symbols = append(symbols, l.in.ImportPath+"."+id.Name)
		}
		attach(symbols, doc, spec.Doc, spec.Comment)
	}
}

// fieldTargets attaches the comments of fields, also of structs in structs.
func fieldTargets(prefix string, s *ast.StructType, attach func([]string, ...*ast.CommentGroup)) {
	for _, field := range s.Fields.List {
		var symbols []string
		for _, id := range field.Names {
			symbols = append(symbols, prefix+"."+id.Name)
		}
		if len(field.Names) == 0 {
			symbols = append(symbols, prefix+"."+embeddedName(field.Type))
		}
		attach(symbols, field.Doc, field.Comment)
		if inner, ok := field.Type.(*ast.StructType); ok {
			for _, symbol := range symbols {
				fieldTargets(symbol, inner, attach)
			}
		}
	}
}

func embeddedName(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return embeddedName(t.X)
	case *ast.IndexExpr:
		return embeddedName(t.X)
	case *ast.IndexListExpr:
		return embeddedName(t.X)
	case *ast.SelectorExpr:
		return t.Sel.Name
	case *ast.Ident:
		return t.Name
	default:
		return "_"
	}
}

// promised is what documentation says about use by several goroutines at once.
type promised uint8

const (
	notPromised promised = iota
	promisedPartly
	promisedFully
)

// promise finds out what documentation promises. Where the sentence, or the one
// after it, sounds like an exception or a condition, only part of it is promised;
// so it is where it speaks of calls, which are those of some methods.
func promise(doc *ast.CommentGroup) promised {
	if doc == nil || !slices.ContainsFunc(doc.List, mayPromise) {
		return notPromised
	}
	best := notPromised
	text := strings.ToLower(strings.Join(strings.Fields(doc.Text()), " "))
	for _, phrase := range []string{
		"safe for concurrent use",
		"safe for use by multiple goroutines",
		"concurrent use by multiple goroutines",
		"by multiple goroutines simultaneously",
		"from multiple goroutines simultaneously",
		"safe to call concurrently",
		"may be called concurrently",
	} {
		for rest := text; ; {
			before, after, ok := strings.Cut(rest, phrase)
			if !ok {
				break
			}
			if !denied(before) {
				if qualified(before, after) || strings.Contains(phrase, "call") {
					best = max(best, promisedPartly)
				} else {
					best = promisedFully
				}
			}
			rest = after
		}
	}
	return best
}

// qualified tells whether what surrounds a promise restricts it.
func qualified(before, after string) bool {
	if i := strings.LastIndex(before, ". "); i >= 0 {
		before = before[i:]
	}
	if i := strings.Index(after, ". "); i >= 0 {
		if j := strings.Index(after[i+2:], ". "); j >= 0 {
			after = after[:i+2+j]
		}
	}
	text := before + after
	return slices.ContainsFunc([]string{"except", "however", "unless", "but ", "as long as", "provided", "other than", "only", "once ", "after ", " if ", " not ", "must", "methods of", "should"},
		func(word string) bool { return strings.Contains(text, word) })
}

// mayPromise tells cheaply whether a comment can hold one of the phrases above,
// or its part on a line: most hold neither.
func mayPromise(c *ast.Comment) bool {
	return strings.Contains(c.Text, "oncurrent") || strings.Contains(c.Text, "goroutines")
}

// denied tells whether a sentence begins in a way that turns the promise that
// follows into a warning.
func denied(before string) bool {
	if i := strings.LastIndex(before, ". "); i >= 0 {
		before = before[i:]
	}
	if strings.HasSuffix(before, "un") {
		return true // unsafe
	}
	for _, word := range []string{"not ", "never ", "no "} {
		if strings.HasPrefix(before, word) || strings.Contains(before, " "+word) {
			return true
		}
	}
	return strings.Contains(before, "n't ")
}
