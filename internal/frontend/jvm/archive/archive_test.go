package archive

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestJar(t *testing.T) {
	a := open(t, "a.jar", makeZip(t,
		manifest("Main-Class: p.Main", "Class-Path: lib/b.jar  c", " .jar"),
		entry{name: "q/"},
		entry{name: "q/B.class", data: makeClass("q/B", 50)},
		entry{name: "p/Main.class", data: makeClass("p/Main", 61)},
		entry{name: "META-INF/services/java.lang.Runnable", data: []byte("p.Main\n")},
		entry{name: "META-INF/versions/11/q/B.class", data: makeClass("q/B", 55)},
		entry{name: "META-INF/x/C.class", data: makeClass("C", 50)},
		entry{name: "module-info.class", data: []byte("x")},
		entry{name: ".class"},
		// Twice the same name: the last one counts.
		entry{name: "q/B.class", data: makeClass("q/B", 52), store: true},
	), Config{})
	if want := []string{"p/Main", "q/B"}; !reflect.DeepEqual(a.Classes(), want) {
		t.Errorf("classes = %q", a.Classes())
	}
	if got := majorOf(t, a, "q/B"); got != 52 {
		t.Errorf("q/B has version %d", got)
	}
	m := a.Manifest()
	if m.MainClass() != "p/Main" || !reflect.DeepEqual(m.ClassPath(), []string{"lib/b.jar", "c.jar"}) || m.MultiRelease() || m.Get("MANIFEST-version") != "1.0" {
		t.Errorf("manifest = %+v", m)
	}
	if b, err := a.Resource("META-INF/services/java.lang.Runnable"); err != nil || string(b) != "p.Main\n" {
		t.Errorf("service = %q, %v", b, err)
	}
	if got := a.Resources("META-INF/services"); !reflect.DeepEqual(got, []string{"META-INF/services/java.lang.Runnable"}) {
		t.Errorf("services = %q", got)
	}
	if !reflect.DeepEqual(a.Modules(), []string{"module-info.class"}) || !a.Has("q/B") || a.Has("q/C") || len(a.Problems()) != 0 {
		t.Errorf("archive = %+v", a)
	}
	for _, f := range []func(string) ([]byte, error){a.Read, a.Resource} {
		if _, err := f("q/C"); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "a.jar: q/C") {
			t.Errorf("reading what is not there: %v", err)
		}
	}
}

func TestMultiRelease(t *testing.T) {
	jar := makeZip(t,
		manifest("Multi-Release: TRUE"),
		entry{name: "p/A.class", data: makeClass("p/A", 52)},
		entry{name: "META-INF/versions/9/p/A.class", data: makeClass("p/A", 53)},
		entry{name: "META-INF/versions/17/p/A.class", data: makeClass("p/A", 61)},
		entry{name: "META-INF/versions/8/p/A.class", data: makeClass("p/A", 1)},
		entry{name: "META-INF/versions/017/p/A.class", data: makeClass("p/A", 2)},
		entry{name: "META-INF/versions/x/p/A.class", data: makeClass("p/A", 3)},
		entry{name: "META-INF/versions/9/p/New.class", data: makeClass("p/New", 53)},
		entry{name: "META-INF/versions/9/META-INF/services/S", data: []byte("no")},
		entry{name: "META-INF/versions/9/text", data: []byte("nine")},
	)
	for _, tt := range []struct {
		release, major int
		classes        string
	}{{8, 52, "p/A"}, {9, 53, "p/A p/New"}, {16, 53, "p/A p/New"}, {17, 61, "p/A p/New"}, {0, 61, "p/A p/New"}} {
		a := open(t, "mr.jar", jar, Config{Release: tt.release})
		if got := strings.Join(a.Classes(), " "); got != tt.classes {
			t.Errorf("release %d: classes %s", tt.release, got)
		}
		if got := majorOf(t, a, "p/A"); got != tt.major {
			t.Errorf("release %d: p/A has version %d, want %d", tt.release, got, tt.major)
		}
		if _, err := a.Resource("META-INF/services/S"); err == nil {
			t.Errorf("release %d: an entry of META-INF has versions", tt.release)
		}
		if b, err := a.Resource("text"); (err == nil) != (tt.release != 8) || err == nil && string(b) != "nine" {
			t.Errorf("release %d: text = %q, %v", tt.release, b, err)
		}
	}
}

func TestNested(t *testing.T) {
	lib := makeZip(t, entry{name: "lib/L.class", data: makeClass("lib/L", 61)}, entry{name: "p/App.class", data: makeClass("p/App", 50)})
	war := makeZip(t,
		entry{name: "WEB-INF/classes/p/App.class", data: makeClass("p/App", 61)},
		entry{name: "p/App.class", data: makeClass("p/App", 45)},
		entry{name: "WEB-INF/web.xml", data: []byte("<web-app/>")},
		entry{name: "WEB-INF/lib/stored.jar", data: lib, store: true},
		entry{name: "WEB-INF/lib/packed.jar", data: lib},
		entry{name: "WEB-INF/lib/deep/other.jar", data: lib},
		entry{name: "WEB-INF/lib/bad.jar", data: []byte("this is not a zip file")},
		entry{name: "data/sample.jar", data: lib})
	a := open(t, "x.war", war, Config{})
	if got := strings.Join(a.Classes(), " "); got != "p/App" || majorOf(t, a, "p/App") != 61 {
		t.Errorf("classes of the war: %s", got)
	}
	var names []string
	for _, n := range a.Nested() {
		names = append(names, strings.TrimPrefix(n.Name(), a.Name()))
		if got := majorOf(t, n, "lib/L"); got != 61 {
			t.Errorf("%s: version %d", n.Name(), got)
		}
	}
	if want := []string{"!/WEB-INF/lib/packed.jar", "!/WEB-INF/lib/stored.jar"}; !reflect.DeepEqual(names, want) {
		t.Errorf("nested = %q", names)
	}
	if p := a.Problems(); len(p) != 1 || p[0].Entry != "WEB-INF/lib/bad.jar" || !strings.Contains(p[0].String(), "x.war: WEB-INF/lib/bad.jar: ") {
		t.Errorf("problems = %v", p)
	}
	ear := makeZip(t, entry{name: "x.war", data: war, store: true}, entry{name: "lib/l.jar", data: lib}, entry{name: "META-INF/no.jar", data: lib})
	path, err := OpenPath([]string{open(t, "y.ear", ear, Config{}).Name()}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer path.Close()
	// The ear, the library, the war and its two jars.
	if got := strings.Join(path.Classes(), " "); got != "lib/L p/App" || len(path.Archives) != 5 || len(path.Problems) != 1 {
		t.Errorf("ear: classes %s, %d archives, problems %v", got, len(path.Archives), path.Problems)
	}
	boot := open(t, "boot.jar", makeZip(t, manifest("Main-Class: org.loader.Main", "Start-Class: p.App"),
		entry{name: "org/loader/Main.class", data: makeClass("org/loader/Main", 52)},
		entry{name: "BOOT-INF/classes/p/App.class", data: makeClass("p/App", 61)},
		entry{name: "BOOT-INF/lib/l.jar", data: lib, store: true}), Config{})
	if got := strings.Join(boot.Classes(), " "); got != "org/loader/Main p/App" || len(boot.Nested()) != 1 || boot.Manifest().StartClass() != "p/App" {
		t.Errorf("boot: classes %s, nested %v", got, boot.Nested())
	}
}

// Nested jars end somewhere, whatever a file says.
func TestNestedTooDeep(t *testing.T) {
	b := makeZip(t, entry{name: "A.class", data: makeClass("A", 61)})
	for range 5 {
		b = makeZip(t, entry{name: "WEB-INF/lib/x.jar", data: b})
	}
	a := open(t, "deep.war", b, Config{})
	if p := a.Problems(); len(p) != 1 || !strings.Contains(p[0].Err.Error(), "nested more than 3 deep") {
		t.Errorf("problems = %v", p)
	}
}

// What is compressed a thousandfold is not unpacked beyond the bounds.
func TestBomb(t *testing.T) {
	zeros := make([]byte, maxEntry+1)
	bomb := makeZip(t, entry{name: "A.class", data: zeros}, entry{name: "B.class", data: makeClass("B", 61)})
	a := open(t, "bomb.jar", bomb, Config{})
	if _, err := a.Read("A"); err == nil || !strings.Contains(err.Error(), "bomb.jar: class A: 67108865 bytes, more than 67108864") {
		t.Errorf("A: %v", err)
	}
	if _, err := a.Class("B"); err != nil {
		t.Error(err)
	}
	// The directory understates the size: what comes out is counted.
	lie := append([]byte(nil), bomb...)
	at := strings.LastIndex(string(lie), "PK\x01\x02")
	first := strings.Index(string(lie), "PK\x01\x02")
	if first < 0 || first == at {
		t.Fatal("no directory")
	}
	copy(lie[first+24:], []byte{16, 0, 0, 0})
	if _, err := open(t, "lie.jar", lie, Config{}).Read("A"); err == nil {
		t.Error("an entry with more bytes than announced was read")
	}
	// Two entries of the directory name the same bytes.
	shared := makeZip(t, entry{name: "A.class", data: zeros[:5000], store: true}, entry{name: "B.class", data: nil, store: true})
	second := strings.LastIndex(string(shared), "PK\x01\x02")
	copy(shared[second+20:], []byte{0x88, 0x13, 0, 0, 0x88, 0x13, 0, 0})
	if _, err := Open(writeFile(t, filepath.Join(t.TempDir(), "shared.jar"), shared), Config{}); err == nil || !strings.Contains(err.Error(), "shared.jar: the entries overlap") {
		t.Errorf("shared.jar: %v", err)
	}
	budget := int64(1000)
	z := makeZip(t, entry{name: "WEB-INF/lib/x.jar", data: makeZip(t, entry{name: "x", data: zeros[:5000], store: true})})
	f, err := os.Open(writeFile(t, filepath.Join(t.TempDir(), "n.war"), z))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n, err := openBytes("n.war", f, int64(len(z)), Config{}, 0, &budget)
	if err != nil || len(n.Nested()) != 0 || len(n.Problems()) != 1 || !strings.Contains(n.Problems()[0].Err.Error(), "more than 1000") {
		t.Errorf("nested jar over the budget: %v, %v", n, err)
	}
}

func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "p", "A.class"), makeClass("p/A", 61))
	writeFile(t, filepath.Join(dir, "module-info.class"), []byte("x"))
	writeFile(t, filepath.Join(dir, "META-INF", "MANIFEST.MF"), []byte("Main-Class: p.A\n"))
	wrong := writeFile(t, filepath.Join(dir, "p", "Wrong.class"), makeClass("p/Other", 61))
	if err := os.Symlink(wrong, filepath.Join(dir, "Linked.class")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir, filepath.Join(dir, "p", "loop")); err != nil {
		t.Fatal(err)
	}
	a, err := Open(dir, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(a.Classes(), " "); got != "Linked p/A p/Wrong" || a.Manifest().MainClass() != "p/A" || len(a.Modules()) != 1 {
		t.Errorf("classes = %s", got)
	}
	if k, err := a.Class("p/A"); err != nil || k.Name != "p/A" {
		t.Errorf("p/A: %v", err)
	}
	var misplaced *MisplacedError
	if _, err := a.Class("p/Wrong"); !errors.As(err, &misplaced) || misplaced.Class.Name != "p/Other" || !strings.Contains(err.Error(), "entry of p/Wrong has the class p/Other") {
		t.Errorf("p/Wrong: %v", err)
	}
	if b, err := a.Resource("../" + filepath.Base(dir) + "/p/A.class"); err == nil {
		t.Errorf("a resource outside: %d bytes", len(b))
	}
}

func TestSingleClass(t *testing.T) {
	a := open(t, "Whatever.class", makeClass("p/A", 61), Config{})
	if k, err := a.Class("p/A"); err != nil || k.Name != "p/A" || len(a.Classes()) != 1 {
		t.Errorf("%v, %v", k, err)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	for name, tt := range map[string]struct{ data, want string }{
		"short":     {"PK", "not an archive: fewer than four bytes"},
		"text.jar":  {"hello, world", "text.jar: zip: not a valid zip file"},
		"bad.class": {"\xCA\xFE\xBA\xBE\x00", "bad.class: class file: offset 4:"},
		"image":     {"\xDA\xDA\xFE\xCA", "image: run-time image: header: unexpected EOF"},
		"x.jmod":    {"JM\x01\x00junk", "x.jmod: zip: not a valid zip file"},
	} {
		_, err := Open(writeFile(t, filepath.Join(dir, name), []byte(tt.data)), Config{})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
	if _, err := Open(os.DevNull, Config{}); err == nil || !strings.Contains(err.Error(), "neither a file nor a directory") {
		t.Errorf("%s: %v", os.DevNull, err)
	}
	if _, err := Open(filepath.Join(dir, "none.jar"), Config{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none.jar: %v", err)
	}
}

func TestJmod(t *testing.T) {
	z := makeZip(t, entry{name: "classes/p/A.class", data: makeClass("p/A", 61)}, entry{name: "classes/module-info.class", data: []byte("x")},
		entry{name: "lib/p/B.class", data: makeClass("p/B", 61)})
	a := open(t, "x.jmod", append([]byte("JM\x01\x00"), z...), Config{})
	if got := strings.Join(a.Classes(), " "); got != "p/A" || majorOf(t, a, "p/A") != 61 || strings.Join(a.Modules(), " ") != "classes/module-info.class" {
		t.Errorf("classes %s, modules %q", got, a.Modules())
	}
}

func TestPath(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "main.jar"), makeZip(t, manifest("Class-Path: lib/two.jar main.jar none.jar http://x/y.jar file:lib/with%20space.jar"),
		entry{name: "p/A.class", data: makeClass("p/A", 61)}))
	writeFile(t, filepath.Join(dir, "lib", "two.jar"), makeZip(t, manifest("Class-Path: ../main.jar"),
		entry{name: "p/A.class", data: makeClass("p/A", 50)}, entry{name: "p/B.class", data: makeClass("p/B", 50)}))
	writeFile(t, filepath.Join(dir, "lib", "with space.jar"), makeZip(t, entry{name: "p/Bad.class", data: []byte("\xCA\xFE\xBA\xBE!")}))
	writeFile(t, filepath.Join(dir, "last", "p", "B.class"), makeClass("p/B", 45))
	p, err := OpenPath([]string{filepath.Join(dir, "main.jar"), filepath.Join(dir, "last"), filepath.Join(dir, "lib", "*")}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if got := strings.Join(p.Classes(), " "); got != "p/A p/B p/Bad" || len(p.Archives) != 4 {
		t.Errorf("classes %s of %d archives", got, len(p.Archives))
	}
	if a, b := majorOf(t, p, "p/A"), majorOf(t, p, "p/B"); a != 61 || b != 50 {
		t.Errorf("versions %d and %d", a, b)
	}
	if len(p.Problems) != 2 || !errors.Is(p.Problems[0].Err, fs.ErrNotExist) || !strings.Contains(p.Problems[1].String(), "only files are read, not http URLs") {
		t.Errorf("problems = %v", p.Problems)
	}
	for jobs := range 4 {
		classes, problems := p.Load([]string{"p/A", "p/Bad", "p/None", "p/B"}, jobs)
		if classes[0].Name != "p/A" || classes[1] != nil || classes[2] != nil || classes[3].Name != "p/B" {
			t.Errorf("classes = %v", classes)
		}
		if len(problems) != 2 || problems[0].Entry != "p/Bad" || !strings.Contains(problems[0].Archive, "with space.jar") || problems[1].Entry != "p/None" || !errors.Is(problems[1].Err, fs.ErrNotExist) {
			t.Errorf("problems = %v", problems)
		}
	}
	if p.Find("p/None") != nil {
		t.Error("found a class that is not there")
	}
	if _, err := OpenPath([]string{filepath.Join(dir, "main.jar"), filepath.Join(dir, "no.jar")}, Config{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no.jar: %v", err)
	}
}

func TestFindJDK(t *testing.T) {
	dir := t.TempDir()
	for _, tt := range []struct {
		home, library, file, version string
		release                      int
	}{
		{"a", "lib/modules", string(simpleImage()), `JAVA_VERSION="17.0.2"`, 17},
		{"b", "jmods/x.jmod", "JM\x01\x00" + string(makeZip(t, entry{name: "classes/p/A.class", data: makeClass("p/A", 61)})), "IMPLEMENTOR=x\nJAVA_VERSION=\"25\"\n", 25},
		{"c", "jre/lib/rt.jar", string(makeZip(t, entry{name: "p/A.class", data: makeClass("p/A", 61)})), `JAVA_VERSION="1.8.0_392"`, 8},
		{"d", "lib/rt.jar", string(makeZip(t, entry{name: "p/A.class", data: makeClass("p/A", 61)})), "nothing", 0},
	} {
		home := filepath.Join(dir, tt.home)
		writeFile(t, filepath.Join(home, filepath.FromSlash(tt.library)), []byte(tt.file))
		writeFile(t, filepath.Join(home, "release"), []byte(tt.version))
		bin := writeFile(t, filepath.Join(home, "bin", "java"), nil)
		found, err := FindJDK(home, "")
		if err != nil || found != home {
			t.Errorf("FindJDK(%s) = %s, %v", home, found, err)
		}
		jdk, err := OpenJDK(found, Config{})
		if err != nil {
			t.Error(err)
			continue
		}
		if jdk.Release != tt.release || majorOf(t, jdk.Path, "p/A") != 61 {
			t.Errorf("%s: %+v", tt.home, jdk)
		}
		jdk.Path.Close()
		// A link in PATH, as package managers make it.
		links := filepath.Join(dir, "bin-"+tt.home)
		if err := os.Mkdir(links, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(bin, filepath.Join(links, "java")); err != nil {
			t.Fatal(err)
		}
		real, err := filepath.EvalSymlinks(home)
		if err != nil {
			t.Fatal(err)
		}
		if found, err := FindJDK("", filepath.Join(dir, "none")+string(filepath.ListSeparator)+links); err != nil || found != real {
			t.Errorf("FindJDK by PATH = %s, %v, want %s", found, err, real)
		}
	}
	if _, err := FindJDK(dir, ""); err == nil || !strings.Contains(err.Error(), "JAVA_HOME is "+dir) {
		t.Errorf("FindJDK of no JDK: %v", err)
	}
	if _, err := FindJDK("", dir); err == nil || !strings.Contains(err.Error(), "set JAVA_HOME") {
		t.Errorf("FindJDK without java: %v", err)
	}
	if _, err := OpenJDK(dir, Config{}); err == nil || !strings.Contains(err.Error(), "name the directory of a JDK") {
		t.Errorf("OpenJDK of no JDK: %v", err)
	}
}
