package golang

import "testing"

func TestListError(t *testing.T) {
	tests := []struct{ pos, err, want string }{
		{"", "no such thing", "no such thing"},
		{"a/a.go:3:8", "not found; to add it:\n\tgo get x", "a/a.go:3:8: not found; to add it: go get x"},
		{"/home/a/a.go:3", "bad", "a/a.go:3: bad"},
		{"/elsewhere/a.go:3:1", "bad", "/elsewhere/a.go:3:1: bad"},
		{"/homestead/a.go:3:1", "bad", "/homestead/a.go:3:1: bad"},
		{"../b.go:1:2", "bad", "/b.go:1:2: bad"},
	}
	for _, test := range tests {
		got := listError(&listedError{Pos: test.pos, Err: test.err}, "/home").Error()
		if got != test.want {
			t.Errorf("%q %q: %q, want %q", test.pos, test.err, got, test.want)
		}
	}
}

func TestCgoError(t *testing.T) {
	tests := []struct{ err, want string }{
		{"# m/a\na/a.go:3:11: fatal error: x.h: No such file\n    3 | #include\n", "a/a.go:3:11: cgo: fatal error: x.h: No such file"},
		{"# m/a\ncgo: C compiler \"cc\" not found", "cgo: cgo: C compiler \"cc\" not found"},
		{"", "cgo:"},
	}
	for _, test := range tests {
		if got := cgoError(&listedError{Err: test.err}, "/home").Error(); got != test.want {
			t.Errorf("%q: %q, want %q", test.err, got, test.want)
		}
	}
}
