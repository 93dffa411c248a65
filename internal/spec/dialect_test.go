package spec

import "testing"

// TestPatternsOfOtherLanguages: what other languages write is translated, and what ECMA-262 has stays.
func TestPatternsOfOtherLanguages(t *testing.T) {
	for _, test := range []struct{ pattern, want string }{
		{`\A\d{5}\z`, `^\d{5}$`},
		{`\A[A-Z]+\Z`, `^[A-Z]+$`},
		{`/^[a-f]+$/i`, `^[a-fA-F]+$`},
		{`/^\d+$/`, `^\d+$`},
		{`(?i)^ab[c\d]$`, `^[aA][bB][cC\d]$`},
		{`^\d++x*+$`, `^\d+x*$`},
		{`^(?>ab)c$`, `^(?:ab)c$`},
		{`^(?P<year>\d{4})$`, `^(?<year>\d{4})$`},
		{`^a+?b??$`, `^a+?b??$`},
		{`^[*+]+$`, `^[*+]+$`},
		{`^\\A$`, `^\\A$`},
		{`[\A]`, `[\A]`},
		{`/path/`, `/path/`},
		{`^/a/b$`, `^/a/b$`},
		{`^(?:a|b)+$`, `^(?:a|b)+$`},
		{`^(?=a).*$`, `^(?=a).*$`},
		{`^\d{2,3}$`, `^\d{2,3}$`},
		{`^\p{L}+\u{1F600}+$`, `^\p{L}+\u{1F600}+$`},
		{`(?i)\p{L}b`, `\p{L}[bB]`},
	} {
		if got := ecmaPattern(test.pattern); got != test.want {
			t.Errorf("%s: got %s, want %s", test.pattern, got, test.want)
		}
	}
}
