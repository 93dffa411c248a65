package main

import (
	"regexp"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/naming"
)

// numbered is a code that says nothing but a number: "REF-4821".
var numbered = regexp.MustCompile(`^[A-Z]{1,3}-\d{4}$`)

// plain are sorts that say nothing of what they are sorts of.
var plain = []string{"", "standard", "basic", "default", "custom", "extended", "automatic", "manual"}

// isNeutral reports whether a text claims nothing: it has the words of the property's name or of the object around it
// and at most one more that distinguishes it ("Subject C", "Regional Subject"), or it is a number or a plain sort.
func (p *place) isNeutral() bool {
	text, isText := p.value.(string)
	if !isText {
		return p.value == nil
	}
	if slices.Contains(plain, text) || numbered.MatchString(text) {
		return true
	}
	own := p.words
	if p.parent != nil {
		own = slices.Concat(own, naming.Words(p.parent.name))
	}
	known, others := 0, 0
	for word := range strings.FieldsSeq(strings.ToLower(text)) {
		if slices.ContainsFunc(own, func(w string) bool { return naming.Singular(w) == naming.Singular(word) }) {
			known++
		} else {
			others++
		}
	}
	return known > 0 && others <= 1
}
