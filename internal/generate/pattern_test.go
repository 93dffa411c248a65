package generate

import (
	"regexp"
	"strings"
	"testing"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/spec"
)

// FuzzPattern: what is made from a pattern matches it, if the pattern has
// nothing that automata leave to the matcher.
func FuzzPattern(f *testing.F) {
	for _, seed := range []string{
		`^[A-Z]{3}-\d{4}$`, `a|b|(c|d)+`, `^(ab)*c{2,}?$`, `[^a-z]`, `\p{Lu}\P{L}`, `^x{600,900}$`, `(?:a|^b)c$`, `[\w.-]+@[\d]`,
		`^$`, `()`, `[a\-z]`, `^((a{1,9}){1,9}){1,9}$`, `[]`, `\x41é`, `(?=a)b`, `^(?!a)[ab]$`, `\bword\b`, `(a)\1`,
		`^([a-z]{1,63}\.){1,99}[a-z]{2,}$`, `^a{2,5000}$`, `^[^]{3}$|^[\s\S]{4}$`, `^a(?<=a)b(?<!c)$`, `(?<x>a)\k<x>`, `[\S]{`,
	} {
		f.Add(seed, uint8(0), uint8(40))
	}
	f.Fuzz(func(t *testing.T, source string, lo, hi uint8) {
		longest := never
		if hi > 0 {
			longest = int(hi)
		}
		a := newAutomaton([]string{source}, nil, int(lo), longest)
		if a == nil {
			return
		}
		translated, ok := spec.ToRE2(source)
		re, err := regexp.Compile(translated)
		for i := range 4 {
			made := a.write(formats.NewFaker().Seed(uint64(i)))
			n := len([]rune(made))
			if n < int(lo) || n > longest {
				t.Fatalf("%q has %d characters, not %d to %d", made, n, lo, longest)
			}
			if ok && err == nil && !strings.Contains(strings.ToLower(source), `\b`) && !re.MatchString(made) {
				t.Fatalf("%q does not match %q", made, source)
			}
		}
	})
}
