package ir

import (
	"os"
	"strings"
	"testing"
)

func TestSmoke(t *testing.T) {
	for _, n := range []string{"ops", "java", "c", "units"} {
		src, _ := os.ReadFile("../../testdata/ir/roundtrip-" + n + ".ir")
		us, err := ParseAll("roundtrip-"+n+".ir", string(src))
		if err != nil {
			t.Error(err)
			continue
		}
		for _, u := range us {
			if err := Check(u); err != nil {
				t.Error(err)
			}
			var b strings.Builder
			Print(&b, u)
			if testing.Verbose() {
				os.Stdout.WriteString(b.String())
			}
		}
	}
}
