package jvm

import (
	"strconv"
	"strings"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
	"github.com/deadheat/deadheat/internal/ir"
)

// concurrentText is the annotation by which engines know that a type is meant
// to be used by several origins.
const concurrentText = "concurrent"

// annotations keeps the annotations of the class and its members by their
// simple names: which package a project takes @ThreadSafe or @GuardedBy from
// says nothing.
func (l *lowerer) annotations() {
	l.annotate(l.name, l.c.Annotations)
	for i := range l.c.Fields {
		l.annotate(l.name+"."+l.c.Fields[i].Name, l.c.Fields[i].Annotations)
	}
	for i := range l.c.Methods {
		m := &l.c.Methods[i]
		l.annotate(methodSymbol(l.name, m.Name, m.Desc), m.Annotations)
	}
}

func (l *lowerer) annotate(target string, list []classfile.Annotation) {
	for i := range list {
		text := annotationText(&list[i])
		if text == "" {
			continue // the file names no type
		}
		l.b.AddAnnotation(ir.Annotation{Target: target, Text: text})
		if target == l.name && text == "ThreadSafe" {
			l.b.AddAnnotation(ir.Annotation{Target: target, Text: concurrentText})
		}
	}
}

// annotationText spells an annotation: GuardedBy("lock"), Scheduled(fixedRate=5).
func annotationText(a *classfile.Annotation) string {
	class := dotted(classfile.ClassOf(a.Type))
	var b strings.Builder
	b.WriteString(class[strings.LastIndexAny(class, ".$")+1:])
	if len(a.Elements) == 0 {
		return b.String()
	}
	b.WriteByte('(')
	for i := range a.Elements {
		e := &a.Elements[i]
		if i > 0 {
			b.WriteString(", ")
		}
		if e.Name != "value" || len(a.Elements) > 1 {
			b.WriteString(e.Name + "=")
		}
		writeValue(&b, &e.Value)
	}
	b.WriteByte(')')
	return b.String()
}

func writeValue(b *strings.Builder, v *classfile.Value) {
	switch v.Tag {
	case 's':
		b.WriteString(strconv.Quote(v.Text))
	case 'e':
		b.WriteString(v.Text)
	case 'c':
		b.WriteString(dotted(classfile.ClassOf(v.Text)) + ".class")
	case 'Z':
		b.WriteString(strconv.FormatBool(v.Int != 0))
	case '@':
		b.WriteString(annotationText(v.Nested))
	case '[':
		b.WriteByte('{')
		for i := range v.Array {
			if i > 0 {
				b.WriteString(", ")
			}
			writeValue(b, &v.Array[i])
		}
		b.WriteByte('}')
	default:
		b.WriteString(strconv.FormatInt(v.Int, 10))
	}
}
