package link

import "strings"

// ShortName drops the directories of a symbol's path, and the packages of a
// class: "a/b/c.X" is "c.X", "org.example.Cache.size" is "Cache.size".
func ShortName(word string) string {
	if k := strings.LastIndexByte(word, '/'); k >= 0 {
		return word[k+1:]
	}
	if strings.Count(word, ".") < 2 {
		return word
	}
	for rest := word; rest != ""; {
		if c := rest[0]; c >= 'A' && c <= 'Z' || c == '$' {
			return rest
		}
		_, rest, _ = strings.Cut(rest, ".")
	}
	return word
}
