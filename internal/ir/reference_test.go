package ir

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/template"
)

var update = flag.Bool("update", false, "write docs/ir.md anew")

// flagMeanings are the descriptions of flags in the reference, by bit.
var flagMeanings = []string{
	"also yields a bool; the type is the pair's",
	"volatile in the source; what it orders is in the memory order",
	"does not wait; the result tells whether it happened",
	"the holder may take the lock again",
	"a select without default",
	"happens any number of times",
	"the first operand is the group the origin belongs to",
	"origins of the same group exclude each other",
	"reaches everything that is reachable from the operand",
	"concerns the elements, not the header",
	"reinterprets memory without the type system's consent",
	"wakes all waiters instead of one",
	"may happen or not: never a must-fact",
	"written by a model; the position is the call's",
}

type referenceFlag struct{ Name, Meaning string }

type referenceOp struct {
	*OpInfo
	Facts string
}

type referenceGroup struct {
	Title string
	Ops   []referenceOp
}

// reference renders docs/ir.md.
func reference(t *testing.T) []byte {
	t.Helper()
	if len(flagMeanings) != len(flagNames) {
		t.Fatalf("%d flags have %d meanings", len(flagNames), len(flagMeanings))
	}
	var flags []referenceFlag
	for i, name := range flagNames {
		flags = append(flags, referenceFlag{name, flagMeanings[i]})
	}
	var groups []referenceGroup
	titles := map[Op]string{
		OpPhi: "Values", OpAlloc: "Memory", OpMakeSlice: "Containers", OpClosure: "Functions and dynamic types",
		OpLock: "Synchronisation", OpJump: "Terminators",
	}
	for op := OpInvalid + 1; op < numOps; op++ {
		if title, ok := titles[op]; ok {
			groups = append(groups, referenceGroup{Title: title})
		}
		group := &groups[len(groups)-1]
		group.Ops = append(group.Ops, referenceOp{op.Info(), facts(op)})
	}
	text, err := os.ReadFile("reference.tmpl")
	if err != nil {
		t.Fatal(err)
	}
	page, err := template.New("").Funcs(template.FuncMap{"join": strings.Join}).Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := page.Execute(&out, map[string]any{
		"Langs": langNames, "FileFlags": fileFlagNames, "TypeFlags": typeFlagNames, "MethodFlags": methodFlagNames,
		"GlobalFlags": globalFlagNames, "FuncFlags": funcFlagNames, "FieldFlags": fieldFlagNames, "Basics": basicNames,
		"Orders": orderNames, "Origins": originNames, "Flags": flags, "Groups": groups, "Version": EncodingVersion,
	}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// facts tells in one line what the checker demands of an operation.
func facts(op Op) string {
	info := op.Info()
	var list []string
	switch {
	case info.MaxArgs < 0:
		list = append(list, fmt.Sprintf("Operands: %d or more.", info.MinArgs))
	case info.MaxArgs != info.MinArgs:
		list = append(list, fmt.Sprintf("Operands: %d to %d.", info.MinArgs, info.MaxArgs))
	default:
		list = append(list, fmt.Sprintf("Operands: %d.", info.MinArgs))
	}
	list = append(list, [...]string{NoResult: "No result.", HasResult: "Has a result.", MayResult: "May have a result."}[info.Result])
	if len(info.Sub) > 0 && !isCall(op) {
		list = append(list, "Variants: "+strings.Join(info.Sub, ", ")+".")
	}
	if info.Flags != 0 {
		list = append(list, "Flags: "+strings.Join(flagList(flagNames, uint32(info.Flags)), ", ")+".")
	}
	if info.At == "nothing" {
		return strings.Join(append(list, "It has no position."), " ")
	}
	return strings.Join(append(list, "Its position is that of "+info.At+"."), " ")
}

// TestReference fails if docs/ir.md is not what op.go and the template make of
// it.
func TestReference(t *testing.T) {
	name := filepath.Join("..", "..", "docs", "ir.md")
	want := reference(t)
	if *update {
		if err := os.WriteFile(name, want, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Error("docs/ir.md is stale: run go generate ./internal/ir")
	}
}

// TestReferenceExample checks the program that the reference starts with.
func TestReferenceExample(t *testing.T) {
	_, rest, ok := strings.Cut(string(reference(t)), "```\n")
	src, _, ok2 := strings.Cut(rest, "```")
	if !ok || !ok2 {
		t.Fatal("no example")
	}
	u := parse(t, src)
	if err := Check(u); err != nil {
		t.Error(err)
	}
	checkRoundTrip(t, u)
}
