package exchange

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/report/exchange"
)

// The severities, and the parts of an exchange that a finding can be about.
const (
	Error   = exchange.Error
	Warning = exchange.Warning
	Info    = exchange.Info

	InPath    = exchange.InPath
	InQuery   = exchange.InQuery
	InHeader  = exchange.InHeader
	InCookie  = exchange.InCookie
	InBody    = exchange.InBody
	InRequest = exchange.InRequest

	InResponse       = exchange.InResponse
	InResponseHeader = exchange.InResponseHeader
	InResponseBody   = exchange.InResponseBody
)

// OfResponse makes findings on a response say so: until then they name its parts as a request's.
func OfResponse(findings []Finding) []Finding {
	for i, f := range findings {
		switch f.In {
		case InBody:
			findings[i].In = InResponseBody
		case InHeader:
			findings[i].In = InResponseHeader
		default:
			findings[i].In = InResponse
		}
	}
	return findings
}

// Join returns the findings in one line.
func Join(findings []Finding) string {
	lines := make([]string, len(findings))
	for i, f := range findings {
		lines[i] = f.String()
	}
	return strings.Join(lines, "; ")
}

// Sort sorts findings so that equal sets print equally, and removes duplicates: findings about the document by line,
// findings about an exchange by their place in it.
func Sort(findings []Finding) []Finding {
	slices.SortFunc(findings, compare)
	return slices.Compact(findings)
}

// compare looks at the document only if the place in the exchange is the same. With that, the findings about a
// response that lacks 80 properties are sorted in 29 µs instead of 41 (BenchmarkSort).
func compare(a, b Finding) int {
	if order := cmp.Or(cmp.Compare(a.In, b.In), cmp.Compare(a.Name, b.Name)); order != 0 {
		return order
	}
	if order := comparePointers(a.Pointer, b.Pointer); order != 0 {
		return order
	}
	return cmp.Or(
		cmp.Compare(a.Document.File, b.Document.File),
		cmp.Compare(a.Document.Line, b.Document.Line),
		cmp.Compare(a.Document.Column, b.Document.Column),
		cmp.Compare(a.Document.Pointer, b.Document.Pointer),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Severity, b.Severity),
	)
}

// comparePointers compares tokens, and array indexes as numbers.
func comparePointers(a, b string) int {
	for a != b {
		x, afterX, goesOnX := strings.Cut(a, "/")
		y, afterY, goesOnY := strings.Cut(b, "/")
		switch {
		case x != y && isIndex(x) && isIndex(y):
			return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
		case x != y:
			return cmp.Compare(x, y)
		case !goesOnX:
			return -1
		case !goesOnY:
			return 1
		}
		a, b = afterX, afterY
	}
	return 0
}

func isIndex(token string) bool {
	isNoDigit := func(r rune) bool { return r < '0' || r > '9' }
	return token != "" && strings.IndexFunc(token, isNoDigit) < 0 && (token == "0" || token[0] != '0')
}

var (
	pointerEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// EscapePointer escapes one token of a JSON Pointer (RFC 6901 section 3).
func EscapePointer(token string) string { return pointerEscaper.Replace(token) }

// WriteToken writes one token of a JSON Pointer, preceded by a slash.
func WriteToken(b *strings.Builder, token string) {
	b.WriteByte('/')
	pointerEscaper.WriteString(b, token)
}

// SplitPointer returns the unescaped tokens of a JSON Pointer (RFC 6901), nil for the pointer to the whole value.
func SplitPointer(pointer string) []string { return slices.Collect(Tokens(pointer)) }

// Tokens iterates over the tokens of SplitPointer.
func Tokens(pointer string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if pointer == "" {
			return
		}
		for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
			if !yield(UnescapePointer(token)) {
				return
			}
		}
	}
}

// UnescapePointer undoes EscapePointer.
func UnescapePointer(token string) string {
	if !strings.Contains(token, "~") {
		return token
	}
	return pointerUnescaper.Replace(token)
}
