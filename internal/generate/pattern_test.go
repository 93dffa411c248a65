package generate

import (
	"regexp"
	"testing"

	"github.com/dlclark/regexp2"

	"github.com/coldframe/coldframe/internal/formats"
	"github.com/coldframe/coldframe/internal/spec"
)

// TestPattern: strings of patterns are found within bounds of length.
func TestPattern(t *testing.T) {
	for _, source := range []string{
		`^[A-Z]{3}-\d{4}$`, `a|b|(c|d)+`, `^(ab)*c{2,}?$`, `[^a-z]`, `^x{30,900}$`, `(?:a|^b)c$`, `[\w.-]+@[\d]`,
		`[a\-z]`, `^((a{1,9}){1,9}){1,9}$`, `\x41é`, `^([a-z]{1,63}\.){1,99}[a-z]{2,}$`, `^a{2,5000}$`,
	} {
		re := regexp2.MustCompile(source, regexp2.ECMAScript)
		accepts := func(made string) bool { ok, err := re.MatchString(made); return ok && err == nil && made != "" }
		if write := patternWriter(source, 1, 40, accepts); write(formats.NewFaker()) == "" {
			t.Errorf("no string for %q", source)
		}
	}
}

// FuzzPattern: what is made from a pattern matches it and has a length within the bounds.
func FuzzPattern(f *testing.F) {
	for _, seed := range []string{
		`^[A-Z]{3}-\d{4}$`, `^$`, `()`, `[]`, `(?=a)b`, `^(?!a)[ab]$`, `\bword\b`, `(a)\1`, `^[^]{3}$|^[\s\S]{4}$`, `^x{600,900}$`,
		`^a(?<=a)b(?<!c)$`, `(?<x>a)\k<x>`, `[\S]{`, `^((a{1,9}){1,9}){1,9}$`, `\x41é`,
	} {
		f.Add(seed, uint8(0), uint8(40))
	}
	f.Fuzz(func(t *testing.T, source string, lo, hi uint8) {
		sh := newShape()
		sh.MinLength, sh.MaxLength = int(lo), never
		if hi > 0 {
			sh.MaxLength = int(hi)
		}
		translated, ok := spec.ToRE2(source)
		re, err := regexp.Compile(translated)
		if ok && err == nil {
			sh.Patterns = append(sh.Patterns, re)
		}
		write := patternWriter(source, sh.MinLength, sh.MaxLength, sh.acceptsText)
		for i := range 4 {
			made := write(formats.NewFaker().Seed(uint64(i)))
			n := len([]rune(made))
			if made != "" && (n < int(lo) || n > sh.MaxLength) {
				t.Fatalf("%q has %d characters, not %d to %d", made, n, lo, sh.MaxLength)
			}
			if made != "" && ok && err == nil && !re.MatchString(made) {
				t.Fatalf("%q does not match %q", made, source)
			}
		}
	})
}
