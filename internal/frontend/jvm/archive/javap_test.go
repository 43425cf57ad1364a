package archive

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/frontend/jvm/classfile"
)

// The tests of this file compare what classfile reads with what the javap of
// the JDK prints, for a sample that is always the same.

const javapMethods = 1000

func TestJavapJDK(t *testing.T) {
	jdk := openTestJDK(t)
	compareWithJavap(t, jdk.Path)
}

func TestJavapCorpus(t *testing.T) {
	p, err := OpenPath(corpusJars(t), Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	compareWithJavap(t, p)
}

// compareWithJavap takes classes at equal distances until they have enough
// methods.
func compareWithJavap(t *testing.T, p *Path) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs javap")
	}
	javap, err := exec.LookPath("javap")
	if err != nil {
		t.Skip("no javap in PATH: install a JDK to run this test")
	}
	dir := t.TempDir()
	names := p.Classes()
	// A class has eight methods or so; a prime avoids keeping step with groups
	// of generated classes.
	step := max(1, len(names)*8/javapMethods) | 1
	var sample []*classfile.Class
	args := []string{"-c", "-l", "-p", "-s"}
	methods := 0
	for i := step / 2; methods < javapMethods; i += step {
		name := names[i%len(names)]
		b, err := p.Read(name)
		if err != nil {
			t.Fatal(err)
		}
		k, err := classfile.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, strconv.Itoa(len(sample))+".class")
		if err := os.WriteFile(file, b, 0o666); err != nil {
			t.Fatal(err)
		}
		sample = append(sample, k)
		args = append(args, file)
		methods += len(k.Methods)
	}
	out, err := exec.Command(javap, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("javap: %v\n%s", err, out)
	}
	// javap warns where a file does not have the name of its class.
	text := regexp.MustCompile(`(?m)^Warning: .*\n`).ReplaceAllString(string(out), "")
	classes := splitJavap(text)
	if len(classes) != len(sample) {
		t.Fatalf("javap printed %d classes, want %d", len(classes), len(sample))
	}
	insns, lines := 0, 0
	for i, k := range sample {
		i1, l1 := compareClass(t, k, classes[i])
		insns, lines = insns+i1, lines+l1
	}
	t.Logf("%d classes, %d methods, %d instructions, %d lines agree with javap", len(sample), methods, insns, lines)
}

// splitJavap returns the lines of each class: from the line that ends with an
// opening brace at the margin to the closing one.
func splitJavap(text string) [][]string {
	var out [][]string
	var now []string
	for line := range strings.SplitSeq(text, "\n") {
		switch {
		case line == "}":
			out = append(out, now)
			now = nil
		case strings.HasPrefix(line, " ") || line == "":
			now = append(now, line)
		default:
			now = now[:0:0]
		}
	}
	return out
}

// printed is a member as javap prints it.
type printed struct {
	decl, desc                        string
	insns, handlers, lines, variables []string
}

var insnLine = regexp.MustCompile(`^\s+(\d+): ([a-z]\w*)\s*(.*)$`)

// parseMembers reads the text of a class. Sections of a member are told by
// their headings.
func parseMembers(lines []string) []*printed {
	var out []*printed
	var now *printed
	var into *[]string
	for _, line := range lines {
		text := strings.Trim(line, " ")
		switch {
		case text == "":
		case strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "   "):
			now = &printed{decl: text}
			out = append(out, now)
			into = nil
		case now == nil:
		case strings.HasPrefix(line, "    descriptor: "):
			now.desc = strings.TrimPrefix(text, "descriptor: ")
		case line == "    Code:":
			into = &now.insns
		case text == "Exception table:":
			into = &now.handlers
		case line == "    LineNumberTable:":
			into = &now.lines
		case line == "    LocalVariableTable:":
			into = &now.variables
		case into == &now.insns && !insnLine.MatchString(line) && len(now.insns) > 0:
			// A case of a switch, or its end.
			now.insns[len(now.insns)-1] += " " + text
		case into == &now.lines:
			*into = append(*into, text)
		case into != nil && (text[0] < '0' || text[0] > '9') && into != &now.insns:
			// The head of a table.
		case into != nil:
			*into = append(*into, squeeze(line))
		}
	}
	return out
}

func compareClass(t *testing.T, k *classfile.Class, text []string) (insns, lines int) {
	t.Helper()
	members := parseMembers(text)
	if len(members) != len(k.Fields)+len(k.Methods) {
		t.Errorf("%s: javap has %d members, we have %d fields and %d methods", k.Name, len(members), len(k.Fields), len(k.Methods))
		return 0, 0
	}
	for i := range k.Fields {
		f, p := &k.Fields[i], members[i]
		got := f.Name + " " + f.Desc + " " + modifiers(f.Access, true)
		want := strings.TrimSuffix(p.decl[strings.LastIndexByte(p.decl, ' ')+1:], ";") + " " + p.desc + " " + declared(p.decl, true)
		if got != want {
			t.Errorf("%s: field %q, javap %q", k.Name, got, want)
		}
	}
	for i := range k.Methods {
		m, p := &k.Methods[i], members[len(k.Fields)+i]
		what := k.Name + "." + m.Name + m.Desc
		// Of methods of interfaces javap prints "default", which no flag says.
		if got, want := m.Desc+" "+modifiers(m.Access, false), p.desc+" "+declared(p.decl, false); got != want {
			t.Errorf("%s: method %q, javap %q", what, got, want)
		}
		code, err := k.Decode(m)
		if err != nil {
			t.Error(err)
			continue
		}
		if code == nil {
			code = &classfile.Code{}
		}
		diff(t, what+": instructions", insnTexts(k, code), javapInsns(k, p.insns))
		diff(t, what+": handlers", handlerTexts(code), p.handlers)
		var got []string
		for _, l := range code.Lines {
			got = append(got, fmt.Sprintf("line %d: %d", l.Line, l.PC))
		}
		diff(t, what+": lines", got, byPC(p.lines))
		got = nil
		for _, v := range code.Locals {
			got = append(got, fmt.Sprintf("%d %d %d %s %s", v.Start, v.End-v.Start, v.Index, v.Name, v.Desc))
		}
		diff(t, what+": variables", got, p.variables)
		insns += len(code.Insns)
		lines += len(code.Lines)
	}
	return insns, lines
}

// diff reports the first difference of two lists.
func diff(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		g, w := "(nothing)", "(nothing)"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			t.Errorf("%s: %d:\n   we %s\njavap %s", what, i, g, w)
			return
		}
	}
}

// byPC sorts "line 5: 12" by what is behind the colon, as Code.Lines is.
func byPC(lines []string) []string {
	pc := func(s string) int {
		n, _ := strconv.Atoi(s[strings.LastIndexByte(s, ' ')+1:])
		return n
	}
	slices.SortStableFunc(lines, func(a, b string) int { return pc(a) - pc(b) })
	return lines
}

var flagNames = []struct {
	name          string
	flag          classfile.Access
	field, method bool
}{
	{"public", classfile.AccPublic, true, true}, {"private", classfile.AccPrivate, true, true}, {"protected", classfile.AccProtected, true, true},
	{"static", classfile.AccStatic, true, true}, {"final", classfile.AccFinal, true, true}, {"abstract", classfile.AccAbstract, false, true},
	{"synchronized", classfile.AccSynchronized, false, true}, {"native", classfile.AccNative, false, true},
	{"volatile", classfile.AccVolatile, true, false}, {"transient", classfile.AccTransient, true, false},
}

func modifiers(a classfile.Access, field bool) string {
	var out []string
	for _, f := range flagNames {
		if a.Has(f.flag) && (field && f.field || !field && f.method) {
			out = append(out, f.name)
		}
	}
	return strings.Join(out, " ")
}

// declared returns the modifiers of a declaration.
func declared(decl string, field bool) string {
	words := strings.Fields(decl)
	var out []string
	for _, f := range flagNames {
		if slices.Contains(words, f.name) && (field && f.field || !field && f.method) {
			out = append(out, f.name)
		}
	}
	return strings.Join(out, " ")
}

func handlerTexts(c *classfile.Code) []string {
	pc := func(i int) int {
		if i == len(c.Insns) {
			return len(c.Bytes)
		}
		return int(c.Insns[i].PC)
	}
	var out []string
	for _, h := range c.Handlers {
		what := "any"
		if h.Class != "" {
			what = "Class " + h.Class
		}
		out = append(out, fmt.Sprintf("%d %d %d %s", pc(h.Start), pc(h.End), pc(h.Target), what))
	}
	return out
}

// insnTexts puts instructions into the words of javap, without indexes of
// constants and without quotes.
func insnTexts(k *classfile.Class, c *classfile.Code) []string {
	pc := func(i int32) int32 { return c.Insns[i].PC }
	var out []string
	for i := range c.Insns {
		in := &c.Insns[i]
		name := in.Raw.String()
		if c.Bytes[in.PC] == byte(classfile.OpWide) {
			name += "_w"
		}
		s := fmt.Sprintf("%d %s", in.PC, name)
		switch {
		case in.Switch != nil:
			for j, key := range in.Switch.Keys {
				s += fmt.Sprintf(" %d: %d", key, pc(in.Switch.Targets[j]))
			}
			s += fmt.Sprintf(" default: %d", pc(in.Switch.Default))
		case in.Member != nil && in.Op != classfile.OpLdc:
			s += " " + in.Member.Owner + "." + in.Member.Name + ":" + in.Member.Desc
			if in.Member.Interface {
				s += " interface"
			}
		case in.Op == classfile.OpInvokeDynamic:
			s += fmt.Sprintf(" #%d:%s:%s", in.Dynamic.Bootstrap, in.Dynamic.Name, in.Dynamic.Desc)
		case in.Op == classfile.OpGoto || in.Op >= classfile.OpIfEq && in.Op <= classfile.OpIfACmpNe || in.Op == classfile.OpIfNull || in.Op == classfile.OpIfNonNull:
			s += fmt.Sprintf(" %d", pc(in.Target))
		case in.Op == classfile.OpNewArray:
			s += " " + map[string]string{"Z": "boolean", "C": "char", "F": "float", "D": "double", "B": "byte", "S": "short", "I": "int", "J": "long"}[in.Text]
		case in.Op == classfile.OpMultiANewArray:
			s += fmt.Sprintf(" %s %d", in.Text, in.Dims)
		case in.Op == classfile.OpIInc:
			s += fmt.Sprintf(" %d %d", in.Local, in.Int)
		case in.Op == classfile.OpLdc:
			s += constText(in)
		case in.Op != in.Raw || in.Text == "" && in.Local == 0 && !usesLocal(in.Raw):
		case usesLocal(in.Raw):
			s += fmt.Sprintf(" %d", in.Local)
		default:
			s += " " + in.Text
		}
		out = append(out, strings.ReplaceAll(s, `"`, ""))
	}
	return out
}

func usesLocal(op classfile.Op) bool {
	return op >= classfile.OpILoad && op <= classfile.OpALoad || op >= classfile.OpIStore && op <= classfile.OpAStore
}

// constText is what javap says of a constant. Strings are compared only where
// it prints them as they are.
func constText(in *classfile.Insn) string {
	switch in.Raw {
	case classfile.OpBIPush, classfile.OpSIPush:
		return fmt.Sprintf(" %d", in.Int)
	case classfile.OpLdc, classfile.OpLdcW, classfile.OpLdc2W:
	default:
		return ""
	}
	switch in.Const {
	case classfile.ConstInt:
		return fmt.Sprintf(" int %d", in.Int)
	case classfile.ConstLong:
		return fmt.Sprintf(" long %dl", in.Int)
	case classfile.ConstClass:
		return " class " + in.Text
	case classfile.ConstString:
		if plain(in.Text) {
			return " String " + squeeze(in.Text)
		}
		return " String"
	case classfile.ConstFloat:
		return " float"
	case classfile.ConstDouble:
		return " double"
	case classfile.ConstHandle:
		return " MethodHandle"
	case classfile.ConstMethodType:
		return " MethodType"
	}
	return " Dynamic"
}

// squeeze makes one space of several and drops those at the ends; other blanks,
// which occur in strings, stay.
func squeeze(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }), " ")
}

func plain(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r > '~' || r == '\\' || r == '\'' || r == '"' }) < 0
}

// javapInsns brings the lines of javap into the form of insnTexts.
func javapInsns(k *classfile.Class, lines []string) []string {
	var out []string
	for _, line := range lines {
		pc, rest, _ := strings.Cut(line, ": ")
		name, rest, _ := strings.Cut(rest, " ")
		operand, comment, _ := strings.Cut(rest, "// ")
		s := pc + " " + name
		kind, value, _ := strings.Cut(comment, " ")
		switch {
		case strings.HasSuffix(name, "switch"):
			_, cases, _ := strings.Cut(rest, "{")
			if strings.HasPrefix(strings.TrimSpace(cases), "//") {
				// "// 1 to 3" or "// 2"
				fields := strings.Fields(cases)
				n := 2
				if name == "tableswitch" {
					n = 4
				}
				cases = strings.Join(fields[n:], " ")
			}
			s += " " + strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(cases), "}"))
		case kind == "Field" || kind == "Method" || kind == "InterfaceMethod":
			value = strings.ReplaceAll(value, `"`, "")
			name, _, _ := strings.Cut(value, ":")
			if !strings.Contains(name, ".") {
				value = k.Name + "." + value
			}
			s += " " + value
			if kind == "InterfaceMethod" {
				s += " interface"
			}
		case kind == "InvokeDynamic":
			s += " " + value
		case name == "multianewarray":
			_, dims, _ := strings.Cut(operand, ",")
			s += " " + value + " " + strings.TrimSpace(dims)
		case strings.HasPrefix(name, "ldc"):
			s += javapConst(kind, value)
		case kind == "class":
			s += " " + value
		case name == "iinc" || name == "iinc_w":
			s += " " + strings.Join(strings.Fields(strings.ReplaceAll(operand, ",", " ")), " ")
		case operand != "":
			s += " " + strings.TrimSpace(operand)
		}
		out = append(out, strings.ReplaceAll(s, `"`, ""))
	}
	return out
}

func javapConst(kind, value string) string {
	switch kind {
	case "String":
		if !plain(value) {
			return " String"
		}
		return " String " + value
	case "int", "long", "class":
		return " " + kind + " " + value
	}
	return " " + strings.TrimSuffix(kind, ":")
}
