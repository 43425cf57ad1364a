package report

import (
	"regexp"
	"strings"

	"github.com/deadheat/deadheat/internal/detect"
)

// Scope is the declaration that a suppression governs, by its lines in the file
// of the suppression, by its symbol, or both.
type Scope struct {
	From, To int    // lines; 0 if they are not known
	Symbol   string // a class, a method with its descriptor or a field with its class; "" if it is not known
}

// suppressIn marks the findings with an access in the scope of a suppression.
func (c *Comment) suppressIn(findings []detect.Finding) {
	if c.Problem != "" {
		return
	}
	for i := range findings {
		f := &findings[i]
		for _, a := range []*detect.Access{&f.First, &f.Second} {
			if c.Scope.hasLine(c.Place.File, a.Place) || c.Scope.hasCode(a.Symbol) || c.Scope.isField(f, a.Symbol) {
				c.suppress(f)
			}
		}
	}
}

func (s *Scope) hasLine(file string, p detect.Place) bool {
	return p.File == file && s.From <= p.Line && p.Line <= s.To
}

// hasCode tells whether a function is a method of the scope, or a lambda in one;
// if the scope is a class, whether it is of that or of a class within.
func (s *Scope) hasCode(symbol string) bool {
	if s.Symbol == "" {
		return false
	}
	owner, name := splitMethod(s.Symbol)
	if name == "" {
		return inClass(symbol, s.Symbol)
	}
	return symbol == s.Symbol || strings.HasPrefix(symbol, owner+".lambda$"+name+"$")
}

// splitMethod splits a symbol with a descriptor; name is empty if there is none.
func splitMethod(symbol string) (owner, name string) {
	head, _, ok := strings.Cut(symbol, "(")
	i := strings.LastIndexByte(head, '.')
	if !ok || i < 0 {
		return symbol, ""
	}
	return head[:i], head[i+1:]
}

// inClass tells whether a symbol is that of a member of a class or of one within
// it.
func inClass(symbol, class string) bool {
	rest, ok := strings.CutPrefix(symbol, class)
	return ok && rest != "" && (rest[0] == '.' || rest[0] == '$')
}

// elements ends the name of memory that is part of what a field holds.
var elements = regexp.MustCompile(`(\[[^\]]*\])+$`)

// isField tells whether a finding is about the field that the scope is: the
// memory is called so, and belongs to the class or is used by it.
func (s *Scope) isField(f *detect.Finding, symbol string) bool {
	i := strings.LastIndexByte(s.Symbol, '.')
	if i < 0 || strings.Contains(s.Symbol, "(") {
		return false
	}
	class, field := s.Symbol[:i], s.Symbol[i+1:]
	base, ok := strings.CutSuffix(elements.ReplaceAllString(f.What, ""), "."+field)
	return ok && (f.Type == class || inClass(symbol, class) || base == class || strings.HasSuffix(base, " "+class))
}
