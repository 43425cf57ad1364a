package jvm

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
)

func TestSourceSuppressions(t *testing.T) {
	const src = `package demo.app;

/* deadheat:ignore race in a block
 * deadheat:ignore race-atomic its second line */
@interface Mark { String value() default "@SuppressWarnings(\"deadheat\")"; }

@Deprecated
public class Outer<A, B> extends Base<A, B> {
	//deadheat:ignore race a comment
	String s = "//deadheat:ignore race in a string", c = '"' + "";
	String text = """
		//deadheat:ignore race in a "text" block
		""";
	@SuppressWarnings("deadheat") private Map<String, int[]> hits = new HashMap<>();
	@SuppressWarnings({"unchecked", "deadheat:race"})
	int first, second = f(1, 2);
	@SuppressFBWarnings(value = "IS2_INCONSISTENT_SYNC", justification = "one thread only") int third;
	@SuppressFBWarnings("EI_EXPOSE_REP") int other;

	@SuppressWarnings("deadheat")
	@Override public void method(@SuppressWarnings("deadheat") int p, int q) throws A, B {
		int local = 1; // deadheat:ignore race at the end of a line
		if (p > q) { local++; }
	}

	@edu.umd.cs.findbugs.annotations.SuppressFBWarnings
	abstract void none(int a, int b);

	@SuppressWarnings("unchecked") static Class<?> k = Outer.class;

	@SuppressWarnings("GuardedBy")
	static class Inner<T extends Comparable<T>> implements A, B {
		@SuppressWarnings("deadheat") int field;
		Runnable r = new Runnable() { @SuppressWarnings("deadheat") int hidden; public void run() {} };
	}
}
`
	const want = `
3: deadheat:ignore race in a block
4: deadheat:ignore race-atomic its second line
9: deadheat:ignore race a comment
14-14 demo.app.Outer.hits rules="" reason=@SuppressWarnings
15-16 demo.app.Outer.first rules="race" reason=@SuppressWarnings
15-16 demo.app.Outer.second rules="race" reason=@SuppressWarnings
17-17 demo.app.Outer.third rules="" reason=one thread only foreign
20-24  rules="" reason=@SuppressWarnings
21-21 demo.app.Outer.p rules="" reason=@SuppressWarnings
22: deadheat:ignore race at the end of a line
26-27  rules="" reason=@SuppressFBWarnings foreign
31-35  rules="" reason=@SuppressWarnings foreign
33-33 demo.app.Outer$Inner.field rules="" reason=@SuppressWarnings
34-34  rules="" reason=@SuppressWarnings
`
	var b strings.Builder
	b.WriteByte('\n')
	list := SourceSuppressions("demo/app/Outer.java", []byte(src))
	for line := range strings.Count(src, "\n") + 1 {
		for _, s := range list {
			if s.Line == line {
				b.WriteString(showSuppression(&s))
			}
		}
	}
	if got := b.String(); got != want {
		t.Errorf("got:%s\nwant:%s", got, want)
	}
	if got := SourceSuppressions("a.kt", []byte("@SuppressWarnings(\"deadheat\") val x = 1 //deadheat:ignore race y")); len(got) != 1 || got[0].Comment == "" {
		t.Errorf("of Kotlin: %+v", got)
	}
}

func showSuppression(s *Suppression) string {
	if s.Comment != "" {
		return fmt.Sprintf("%d: %s\n", s.Line, s.Comment)
	}
	foreign := ""
	if s.Foreign {
		foreign = " foreign"
	}
	return fmt.Sprintf("%d-%d %s rules=%q reason=%s%s\n", s.Line, s.EndLine, s.Symbol, s.Rules, s.Reason, foreign)
}

func TestClassSuppressions(t *testing.T) {
	u := &ir.Unit{Annotations: []ir.Annotation{
		{Target: "a.A", Text: "SuppressFBWarnings"},
		{Target: "a.A.f", Text: `SuppressFBWarnings(value={"NP_X", "VO_VOLATILE_INCREMENT"}, justification="a \"single\" writer")`},
		{Target: "a.A.g", Text: `SuppressFBWarnings("EI_EXPOSE_REP")`},
		{Target: "a.A.m()V", Text: `SuppressFBWarnings("deadheat:race")`},
		{Target: "a.A.n()V", Text: `SuppressFBWarningsToo("deadheat")`},
	}}
	got := ""
	for _, s := range ClassSuppressions(u) {
		got += fmt.Sprintf("%s %q %q %t\n", s.Symbol, s.Rules, s.Reason, s.Foreign)
	}
	const want = `a.A "" "@SuppressFBWarnings" true
a.A.f "" "a \"single\" writer" true
a.A.m()V "race" "@SuppressFBWarnings(\"deadheat:race\")" false
`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// Whatever the source, reading it ends and lines are within it.
func FuzzSourceSuppressions(f *testing.F) {
	f.Add("package a; class B { @SuppressWarnings(\"deadheat\") int x = 1; /* deadheat:ignore race y */ }")
	f.Add("@SuppressWarnings(\"deadheat\") \"\"\" \\")
	f.Add("@SuppressWarnings(\"deadheat\" class } ) ; '")
	f.Fuzz(func(t *testing.T, src string) {
		lines := strings.Count(src, "\n") + 1
		for _, s := range SourceSuppressions("A.java", []byte(src)) {
			if s.Line < 1 || s.Line > lines || s.EndLine > lines || s.Col < 1 {
				t.Errorf("%+v, of %d lines", s, lines)
			}
		}
	})
}
