package ir_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"github.com/deadheat/deadheat/internal/frontend/golang"
)

func TestDump(t *testing.T) {
	r, err := golang.Load(context.Background(), golang.Config{Patterns: []string{"net/http", "go/types", "encoding/json"}})
	if err != nil {
		t.Fatal(err)
	}
	os.MkdirAll("/tmp/units", 0o755)
	for i, p := range r.Packages {
		if d := p.Encoded(); d != nil {
			os.WriteFile(fmt.Sprintf("/tmp/units/%03d.ir", i), d, 0o644)
		}
	}
}
