// Package irtest reads programs that tests write as text.
package irtest

import (
	"testing"

	"github.com/deadheat/deadheat/internal/ir"
)

// Parse returns the units of a text, which must be well formed. The file is what
// errors name.
func Parse(tb testing.TB, file, text string) []*ir.Unit {
	tb.Helper()
	units, err := ir.ParseAll(file, text)
	if err != nil {
		tb.Fatal(err)
	}
	for _, u := range units {
		if err := ir.Check(u); err != nil {
			tb.Fatal(err)
		}
	}
	return units
}
