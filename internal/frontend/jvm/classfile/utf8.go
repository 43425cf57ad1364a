package classfile

import "unicode/utf8"

// decodeUTF8 turns modified UTF-8 (JVMS 4.4.7) into a string: NUL has two bytes
// there, and a character beyond 16 bits is a pair of surrogates of three bytes
// each. A surrogate without its other half becomes the replacement character.
// bad is the offset of the first byte that cannot be there, or -1.
func decodeUTF8(b []byte) (s string, bad int) {
	i := 0
	for i < len(b) && b[i] != 0 && b[i] < utf8.RuneSelf {
		i++
	}
	if i == len(b) {
		return string(b), -1
	}
	out := make([]byte, i, len(b))
	copy(out, b)
	for i < len(b) {
		r, n := unit(b[i:])
		if n == 0 {
			return "", i
		}
		i += n
		if r >= 0xD800 && r < 0xDC00 {
			if low, n := unit(b[i:]); low >= 0xDC00 && low < 0xE000 {
				r = 0x10000 + (r-0xD800)<<10 + (low - 0xDC00)
				i += n
			}
		}
		// AppendRune makes the replacement character of what is left of a pair.
		out = utf8.AppendRune(out, r)
	}
	return string(out), -1
}

// unit decodes one UTF-16 unit of 1 to 3 bytes; n is 0 if there is none.
func unit(b []byte) (r rune, n int) {
	tail := func(i int) (rune, bool) {
		if i >= len(b) || b[i]&0xC0 != 0x80 {
			return 0, false
		}
		return rune(b[i] & 0x3F), true
	}
	switch {
	case len(b) == 0 || b[0] == 0:
		return 0, 0
	case b[0] < 0x80:
		return rune(b[0]), 1
	case b[0]&0xE0 == 0xC0:
		if x, ok := tail(1); ok {
			return rune(b[0]&0x1F)<<6 | x, 2
		}
	case b[0]&0xF0 == 0xE0:
		x, ok := tail(1)
		y, ok2 := tail(2)
		if ok && ok2 {
			return rune(b[0]&0x0F)<<12 | x<<6 | y, 3
		}
	}
	return 0, 0
}
