package link

import "testing"

func TestShortName(t *testing.T) {
	for in, want := range map[string]string{
		"example.com/a/b.T":               "b.T",
		"gopkg.in/yaml.v3.Node":           "yaml.v3.Node",
		"main.T":                          "main.T",
		"shop.desk":                       "shop.desk",
		"org.example.Cache":               "Cache",
		"org.example.Cache.size":          "Cache.size",
		"org.example.Cache$Node":          "Cache$Node",
		"org.example.$Read":               "$Read", // of a model
		"Cache.size":                      "Cache.size",
		"com.example.lower.case":          "com.example.lower.case",
		"org.example.EvictionTimer.class": "EvictionTimer.class",
		"...":                             "...",
	} {
		if got := ShortName(in); got != want {
			t.Errorf("ShortName(%q) = %q, want %q", in, got, want)
		}
	}
}
