package model

import "testing"

func TestEmbedded(t *testing.T) {
	set, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(set.Rows()); n < 300 {
		t.Errorf("only %d rows", n)
	}
}
