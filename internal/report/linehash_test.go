package report

import (
	"slices"
	"strings"
	"testing"
)

// The expected values are those of the service's own tests.
func TestLineHashes(t *testing.T) {
	greetings := []string{
		"e9496ae3ebfced30:1", "fb7c023a8b9ccb3f:1", "ce8ba1a563dcdaca:1", "e20e36e16fcb0cc8:1",
		"b3edc88f2938467e:1", "c8e28b0b4002a3a0:1", "c129715d7a2bc9a3:1",
	}
	for _, tt := range []struct {
		src  string
		want []string
	}{
		{"", []string{"c129715d7a2bc9a3:1"}},
		{" a\nb\n  \t\tc\n d", []string{"271789c17abda88f:1", "54703d4cd895b18:1", "180aee12dab6264:1", "a23a3dc5e078b07b:1"}},
		{" hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n", greetings},
		{" hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r", greetings},
		{" hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n", greetings},
	} {
		if got := lineHashes([]byte(tt.src)); !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %v, want %v", tt.src, got, tt.want)
		}
	}
	same := lineHashes([]byte(strings.Repeat("x = 1\n", 60)))
	if !strings.HasSuffix(same[1], ":2") || strings.TrimSuffix(same[1], ":2") != strings.TrimSuffix(same[0], ":1") {
		t.Errorf("equal lines are not numbered: %v", same[:2])
	}
}
