package golang

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
)

func TestNoGoCommand(t *testing.T) {
	_, err := Load(context.Background(), Config{Dir: t.TempDir(), Env: []string{"PATH=" + t.TempDir()}})
	if err == nil || !strings.Contains(err.Error(), "install Go") {
		t.Errorf("error is %v", err)
	}
}

func TestNoDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "none")
	_, err := Load(context.Background(), Config{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("error is %v", err)
	}
}

func TestLanguage(t *testing.T) {
	limit := checkerVersion()
	tests := []struct {
		name      string
		toolchain string
		p         listed
		want      string
	}{
		{"module", "go1.22.1", listed{Module: &listedModule{GoVersion: "1.20"}}, "go1.20"},
		{"module without go line", "go1.22.1", listed{Module: &listedModule{}}, "go1.16"},
		{"files", "go1.22.1", listed{}, "go1.22"},
		{"standard library", "go1.22.1", listed{Standard: true}, "go1.22"},
		{"module newer than the checker", "go1.99.1", listed{Module: &listedModule{GoVersion: "1.99"}}, limit},
		{"standard library newer than the checker", "go1.99.1", listed{Standard: true}, limit},
		{"unknown toolchain", "devel", listed{}, limit},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tc := &Toolchain{Version: test.toolchain}
			if got := tc.language(&test.p); got != test.want {
				t.Errorf("language version is %s, want %s", got, test.want)
			}
		})
	}
}
