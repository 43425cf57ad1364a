package driver_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/deadheat/deadheat/internal/driver"
)

// TestLibraryWant checks the library verdict on the packages in testdata/golib
// against their marks, both ways.
func TestLibraryWant(t *testing.T) {
	dir, err := filepath.Abs("../../testdata/golib")
	if err != nil {
		t.Fatal(err)
	}
	res, err := driver.Check(context.Background(), driver.Config{Dir: dir, Mode: driver.ModeLibrary})
	if err != nil {
		t.Fatal(err)
	}
	checkMarks(t, dir, res)
}
