package report

import (
	"bytes"
	"unicode/utf16"

	"github.com/deadheat/deadheat/internal/detect"
)

// sourceLines gives the lines of source files, each file read and split once.
type sourceLines struct {
	read  func(file string) ([]byte, error) // may be nil
	files map[string]*sourceText
}

type sourceText struct {
	lines  [][]byte
	src    []byte
	hashes []string
	hashed bool
}

func newSourceLines(read func(string) ([]byte, error)) *sourceLines {
	return &sourceLines{read: read, files: map[string]*sourceText{}}
}

// file returns nil if a file cannot be read.
func (s *sourceLines) file(name string) *sourceText {
	t, known := s.files[name]
	if known || s.read == nil || name == "" {
		return t
	}
	if src, err := s.read(name); err == nil {
		t = &sourceText{lines: bytes.Split(src, []byte("\n")), src: src}
	}
	s.files[name] = t
	return t
}

// line returns a line, from 1, without its end.
func (s *sourceLines) line(file string, n int) (string, bool) {
	t := s.file(file)
	if t == nil || n < 1 || n > len(t.lines) {
		return "", false
	}
	return string(bytes.TrimSuffix(t.lines[n-1], []byte("\r"))), true
}

// hash returns the hash of the line that a place begins on, or "".
func (s *sourceLines) hash(pl detect.Place) string {
	t := s.file(pl.File)
	if t == nil {
		return ""
	}
	if !t.hashed {
		t.hashes, t.hashed = lineHashes(t.src), true
	}
	if pl.Line < 1 || pl.Line > len(t.hashes) {
		return ""
	}
	return t.hashes[pl.Line-1]
}

// utf16Column turns a column in bytes into one in UTF-16 units; without the
// source it is returned as it is.
func (s *sourceLines) utf16Column(file string, line, col int) int {
	text, ok := s.line(file, line)
	if !ok || col < 1 || col-1 > len(text) {
		return max(col, 0)
	}
	n := 1
	for _, r := range text[:col-1] {
		n += max(utf16.RuneLen(r), 1)
	}
	return n
}
