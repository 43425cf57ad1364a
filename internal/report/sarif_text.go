package report

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// escapeURI writes a slash-separated path as a URI.
func escapeURI(path string) string {
	var b strings.Builder
	for _, c := range []byte(path) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/!$&'()*+,;=:@", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// plainText keeps text that is not a link from looking like one.
func plainText(s string) string { return strings.ReplaceAll(s, "](", "] (") }

// linkText escapes what would end the text of a link.
func linkText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`).Replace(s)
}

// sentence ends text with a full stop, as validators want it.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[n:]
}

// pascal writes an ID such as race-atomic as RaceAtomic.
func pascal(id string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(id, "-") {
		b.WriteString(capital(part))
	}
	return b.String()
}
