package generate

import (
	"regexp"
	"strings"
	"testing"
)

// FuzzPattern: what is made from a pattern matches it, if the pattern has
// nothing that the sampler leaves to the matcher.
func FuzzPattern(f *testing.F) {
	for _, seed := range []string{
		`^[A-Z]{3}-\d{4}$`, `a|b|(c|d)+`, `^(ab)*c{2,}?$`, `[^a-z]`, `\p{Lu}\P{L}`, `^x{600,900}$`, `(?:a|^b)c$`, `[\w.-]+@[\d]`,
		`^$`, `()`, `[a\-z]`, `^((a{1,9}){1,9}){1,9}$`, `[]`, `\x41é`, `(?=a)b`, `^(?!a)[ab]$`, `\bword\b`, `(a)\1`,
	} {
		f.Add(seed, uint8(0), uint8(40))
	}
	f.Fuzz(func(t *testing.T, source string, lo, hi uint8) {
		tree := parsePattern(source)
		if tree == nil {
			return
		}
		longest := never
		if hi > 0 {
			longest = int(hi)
		}
		re, err := regexp.Compile(source)
		for _, made := range samples(tree, int(lo), longest) {
			n := len([]rune(made))
			if n < int(lo) || n > longest {
				t.Fatalf("%q has %d characters, not %d to %d", made, n, lo, longest)
			}
			// The two dialects differ in {00}, in \s, in escapes of letters and in
			// characters that are no UTF-8.
			if err == nil && !leaves(tree, true) && !strings.Contains(source, `\`) && !strings.Contains(source, "{0") && !re.MatchString(made) {
				t.Fatalf("%q does not match %q", made, source)
			}
		}
	})
}

func samples(tree *pattern, lo, hi int) []string {
	var made []string
	if s := newSampler(tree, lo, hi); s != nil {
		for i := range 4 {
			made = append(made, s.make(Key(1).at(i)))
		}
	}
	if a := newAutomaton([]*pattern{tree}, nil, lo, hi); a != nil {
		for i := range 4 {
			made = append(made, a.make(Key(1).at(i)))
		}
	}
	return made
}

// leaves reports whether the pattern has what the sampler leaves to the
// matcher: look-around, boundaries, back references, anchors inside.
func leaves(p *pattern, top bool) bool {
	switch p.op {
	case opLook, opBoundary, opBackref, opBegin, opEnd:
		return true
	}
	for i, sub := range p.sub {
		if top && p.op == opConcat && (i == 0 && sub.op == opBegin || i == len(p.sub)-1 && sub.op == opEnd) {
			continue
		}
		if leaves(sub, false) {
			return true
		}
	}
	return false
}
