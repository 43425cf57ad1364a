package report

import (
	"strconv"
	"unicode/utf16"
)

// lineHashes returns for each line of a file the hash by which GitHub's code
// scanning recognises an alert whose line has moved: a polynomial over the
// hundred characters, spaces and tabs left out, from the beginning of the line,
// and how many lines before have the same one. The service computes it itself
// where a result lacks it, and must come to the same.
func lineHashes(src []byte) []string {
	h := &lineHasher{seen: map[uint64]int{}}
	for i := range h.lines {
		h.lines[i] = -1
	}
	h.oldest = 1
	for range hashWindow {
		h.oldest *= hashBase
	}
	h.lineStart = true
	for _, unit := range utf16.Encode([]rune(string(src))) {
		h.add(unit)
	}
	h.add(endOfFile)
	for range hashWindow {
		h.emit()
		h.push(0)
	}
	return h.out
}

const (
	hashWindow = 100
	hashBase   = 37
	endOfFile  = 0xffff
)

// lineHasher slides a window over the characters of a file.
type lineHasher struct {
	window    [hashWindow]uint16
	lines     [hashWindow]int // line that begins at a character of the window, or -1
	at        int             // of the oldest character in the window
	sum       uint64
	oldest    uint64 // weight of a character that leaves the window
	line      int
	lineStart bool
	afterCR   bool
	seen      map[uint64]int
	out       []string
}

func (h *lineHasher) add(c uint16) {
	if c == ' ' || c == '\t' || c == '\n' && h.afterCR {
		h.afterCR = false
		return
	}
	h.afterCR = c == '\r'
	if h.afterCR {
		c = '\n'
	}
	h.emit()
	if h.lineStart {
		h.lines[h.at] = h.line
		h.line++
	}
	h.lineStart = c == '\n'
	h.push(c)
}

// emit ends the line that begins at the oldest character of the window, if one
// does: the window holds all that its hash is made of.
func (h *lineHasher) emit() {
	if h.lines[h.at] < 0 {
		return
	}
	h.lines[h.at] = -1
	h.seen[h.sum]++
	h.out = append(h.out, strconv.FormatUint(h.sum, 16)+":"+strconv.Itoa(h.seen[h.sum]))
}

func (h *lineHasher) push(c uint16) {
	h.sum = h.sum*hashBase + uint64(c) - h.oldest*uint64(h.window[h.at])
	h.window[h.at] = c
	h.at = (h.at + 1) % hashWindow
}
