package store

import "testing"

// Sequences of fields that look alike must have different keys.
func TestKeysDiffer(t *testing.T) {
	tests := []struct {
		name  string
		build func(b *KeyBuilder)
	}{
		{"nothing", func(b *KeyBuilder) {}},
		{"empty text", func(b *KeyBuilder) { b.Text("") }},
		{"ab c", func(b *KeyBuilder) { b.Text("ab"); b.Text("c") }},
		{"a bc", func(b *KeyBuilder) { b.Text("a"); b.Text("bc") }},
		{"abc", func(b *KeyBuilder) { b.Text("abc") }},
		{"bytes abc", func(b *KeyBuilder) { b.Bytes([]byte("abc")) }},
		{"list ab c", func(b *KeyBuilder) { b.Texts([]string{"ab", "c"}) }},
		{"list ab, text c", func(b *KeyBuilder) { b.Texts([]string{"ab"}); b.Text("c") }},
		{"empty list", func(b *KeyBuilder) { b.Texts(nil) }},
		{"two empty lists", func(b *KeyBuilder) { b.Texts(nil); b.Texts(nil) }},
		{"0", func(b *KeyBuilder) { b.Int(0) }},
		{"1", func(b *KeyBuilder) { b.Int(1) }},
		{"-1", func(b *KeyBuilder) { b.Int(-1) }},
		{"false", func(b *KeyBuilder) { b.Bool(false) }},
		{"true", func(b *KeyBuilder) { b.Bool(true) }},
		{"digest", func(b *KeyBuilder) { b.Digest(Digest{1}) }},
		{"key", func(b *KeyBuilder) { b.Key(Key{1}) }},
		{"key as bytes", func(b *KeyBuilder) { k := Key{1}; b.Bytes(k[:]) }},
	}
	seen := map[Key]string{}
	for _, tt := range tests {
		b := NewKey("test 1")
		tt.build(b)
		k := b.Sum()
		if other, ok := seen[k]; ok {
			t.Errorf("%s and %s have the same key", tt.name, other)
		}
		seen[k] = tt.name
		again := NewKey("test 1")
		tt.build(again)
		if again.Sum() != k {
			t.Errorf("%s: two keys for one sequence", tt.name)
		}
	}
	if k := NewKey("test 2").Sum(); seen[k] != "" {
		t.Errorf("purpose has no effect: same key as %s", seen[k])
	}
}

// The hash is part of the format on disk: a change of it must come with a new
// version of what is stored, not by accident.
func TestKeyIsStable(t *testing.T) {
	b := NewKey("go unit 1")
	b.Texts([]string{"a.go", "b.go"})
	b.Int(-7)
	b.Bool(true)
	b.Digest(Sum([]byte("x")))
	const want = "ac2fc6adc703a7453f2379e6b657446c233b1bf16ed94806bdef3484f9f52a7d"
	if got := b.Sum().String(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Sum does not end the builder: a common prefix can be shared by adding more.
func TestKeySumThenMore(t *testing.T) {
	a, b := NewKey("p"), NewKey("p")
	a.Text("x")
	a.Sum()
	a.Text("y")
	b.Text("x")
	b.Text("y")
	if a.Sum() != b.Sum() {
		t.Error("Sum changed the builder")
	}
}
