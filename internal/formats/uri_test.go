package formats

import "testing"

// FuzzPlainURL compares the short way to accept usual URLs with the whole grammar.
func FuzzPlainURL(f *testing.F) {
	for _, text := range []string{
		"https://example.com/a-b_c~d/7", "https://", "https:///", "https://a b", "https://a:80/", "https://a/%20", "http://a", "",
		"https://é/", "https://a/b?c#d", "https://[::1]/",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, iri := range []bool{false, true} {
			if err := checkURI(text, iri, false); err != nil && isPlainURL(text) {
				t.Errorf("%q: %v", text, err)
			}
		}
	})
}

// BenchmarkURI checks a usual URL, and by the whole grammar.
func BenchmarkURI(b *testing.B) {
	const usual = "https://example.com/repositories/1296269/contributors"
	check := Lookup("uri").Validate
	for name, check := range map[string]func() error{
		"usual":   func() error { return check(usual) },
		"grammar": func() error { return checkURI(usual, false, false) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := check(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
