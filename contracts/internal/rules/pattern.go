package rules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/spec"
)

// Pattern reads a pattern of operations: whether one matches it; nil if it says nothing.
func Pattern(text string) func(*spec.Operation) bool {
	if tag, ok := strings.CutPrefix(text, "tag:"); ok && tag != "" {
		return func(o *spec.Operation) bool { return slices.ContainsFunc(o.Tags, glob(tag)) }
	}
	method, name, both := strings.Cut(text, " ")
	switch {
	case text == "", text == "tag:":
		return nil
	case both:
		method, name = strings.ToUpper(method), strings.TrimSpace(name)
	case text != strings.ToUpper(text) || strings.ContainsAny(text, "/*"):
		method, name = "", text
	}
	matches := glob(name)
	return func(o *spec.Operation) bool {
		if method != "" && method != "*" && method != strings.ToUpper(o.Method) {
			return false
		}
		return name == "" || matches(o.Path) || method == "" && matches(o.ID)
	}
}

// glob returns whether a text matches a pattern in which "*" stands for any characters, "/" among them.
func glob(pattern string) func(text string) bool {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, "(?s:.*)") + "$").MatchString
}
