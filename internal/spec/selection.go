package spec

import (
	"regexp"
	"slices"
	"strings"
)

// Pattern reads a pattern of operations, and returns whether an operation matches it: "POST /plants", "/plants/*",
// "tag:plants", "POST", an operationId, or a glob of these. It returns nil for a pattern that says nothing.
func Pattern(text string) func(*Operation) bool {
	if tag, ok := strings.CutPrefix(text, "tag:"); ok && tag != "" {
		return func(o *Operation) bool { return slices.ContainsFunc(o.Tags, Glob(tag)) }
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
	matches := Glob(name)
	return func(o *Operation) bool {
		if method != "" && method != "*" && method != strings.ToUpper(o.Method) {
			return false
		}
		return name == "" || matches(o.Path) || method == "" && matches(o.ID)
	}
}

// Glob returns whether a text matches a pattern in which "*" stands for any characters, "/" among them.
func Glob(pattern string) func(text string) bool {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, "(?s:.*)") + "$").MatchString
}
