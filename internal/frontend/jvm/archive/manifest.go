package archive

import (
	"bytes"
	"strings"
)

const manifestName = "META-INF/MANIFEST.MF"

// Manifest is the main section of META-INF/MANIFEST.MF.
type Manifest struct {
	// Main has all attributes by name in lower case.
	Main map[string]string
}

// Get returns an attribute; names are compared without case.
func (m *Manifest) Get(name string) string { return m.Main[strings.ToLower(name)] }

// MainClass is the internal name of the class that the launcher starts, "" if
// none.
func (m *Manifest) MainClass() string { return internalName(m.Get("Main-Class")) }

// StartClass is the internal name of the class that the launcher of Spring Boot
// starts, "" if none.
func (m *Manifest) StartClass() string { return internalName(m.Get("Start-Class")) }

// ClassPath returns the places that the manifest adds to the class path, as
// URLs relative to the jar.
func (m *Manifest) ClassPath() []string { return strings.Fields(m.Get("Class-Path")) }

// MultiRelease reports whether entries below META-INF/versions count.
func (m *Manifest) MultiRelease() bool { return strings.EqualFold(m.Get("Multi-Release"), "true") }

func internalName(class string) string { return strings.ReplaceAll(class, ".", "/") }

// parseManifest reads the main section. A line is "name: value"; one that
// begins with a space goes on with the line before. What is no such line is
// passed over.
func parseManifest(b []byte) *Manifest {
	m := &Manifest{Main: map[string]string{}}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	b = bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n"))
	b = bytes.ReplaceAll(b, []byte("\r"), []byte("\n"))
	if end := bytes.Index(b, []byte("\n\n")); end >= 0 {
		b = b[:end]
	}
	text := string(bytes.ReplaceAll(b, []byte("\n "), nil))
	for line := range strings.SplitSeq(text, "\n") {
		name, value, ok := strings.Cut(line, ":")
		if ok && name != "" {
			m.Main[strings.ToLower(name)] = strings.TrimSpace(value)
		}
	}
	return m
}
