package ir

import "testing"

// TestDigest demands that a digest ignores positions and the numbers of tables,
// and nothing else.
func TestDigest(t *testing.T) {
	const head = "unit m\nfile \"m.go\"\ntype m.T struct{n int}\n"
	const code = `func @m.f(v0 t: *m.T) {
b0:
	v1 = field *int m.T.n v0
	v2 n = load int v1
	v3 = alloc.heap int "x"
	store int v3, v2
	call () @g[int]($m.x, @h)
	invoke () v0.M()
	ret
}
`
	digest := func(src string) Digest {
		u := parse(t, src)
		for i := range u.Funcs {
			if u.Funcs[i].Symbol == "m.f" {
				return NewDigester(u).Body(u.Funcs[i].body)
			}
		}
		t.Fatal("no m.f")
		return Digest{}
	}
	base := digest(head + code)
	if before := "func @m.e(v0: []string) (string) {\nb0:\n\tv1 = call string @z($y, 3:int)\n\tret v1\n}\n"; digest(head+before+code) != base {
		t.Error("digest depends on other functions")
	}
	replace := func(old, new string) string {
		u := head + code
		for i := 0; i+len(old) <= len(u); i++ {
			if u[i:i+len(old)] == old {
				return u[:i] + new + u[i+len(old):]
			}
		}
		t.Fatalf("no %s", old)
		return ""
	}
	if digest(replace("v2 n = load int v1", "v2 n = load int v1 ; 7:9-12")) != base {
		t.Error("digest depends on positions")
	}
	for _, edit := range [][2]string{
		{"v2 n = load", "v2 m = load"},
		{"load int v1", "load.acquire int v1"},
		{"load int v1", "load[volatile] int v1"},
		{"m.T.n v0", "m.T.n#_ v0"},
		{"\"x\"", "\"y\""},
		{" \"x\"", ""},
		{"@g[int]", "@g[bool]"},
		{"@g[int]", "@k[int]"},
		{"$m.x", "$m.y"},
		{"@h", "@i"},
		{"v0.M()", "v0.N()"},
		{"v3, v2", "v3, 0:int"},
		{"\tret", "\tunreachable"},
	} {
		if digest(replace(edit[0], edit[1])) == base {
			t.Errorf("digest does not notice %s for %s", edit[1], edit[0])
		}
	}
}

// TestDigestRandom demands that digests survive both forms and a Digester that
// has seen other bodies.
func TestDigestRandom(t *testing.T) {
	for seed := range uint64(200) {
		u := randomUnit(seed, 5)
		again, err := Decode(Encode(u))
		if err != nil {
			t.Fatal(err)
		}
		warm := NewDigester(again)
		for i := range u.Funcs {
			if u.Funcs[i].body == nil {
				continue
			}
			body, err := again.Body(FuncID(i))
			if err != nil {
				t.Fatal(err)
			}
			if NewDigester(u).Body(u.Funcs[i].body) != warm.Body(body) {
				t.Errorf("seed %d: digests of %s differ", seed, u.Funcs[i].Symbol)
			}
		}
	}
}
