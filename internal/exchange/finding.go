package exchange

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"
)

// Severity is the severity of a finding.
type Severity uint8

const (
	// Error violates the contract: a request is refused, a document is faulty.
	Error Severity = iota
	// Warning should be fixed but does not violate the contract.
	Warning
)

func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// MarshalText returns the word of String.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Place is a place in a document. Line and Column count from 1; 0 means unknown.
type Place struct {
	Pointer string `json:"pointer,omitempty"` // JSON Pointer (RFC 6901) from the root of File
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

// String returns file:line:col, as far as known.
func (p Place) String() string {
	s := p.File
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
	}
	return s
}

// The parts of an exchange for findings.
const (
	InPath    = "path"
	InQuery   = "query"
	InHeader  = "header"
	InCookie  = "cookie"
	InBody    = "body"
	InRequest = "request" // the message as a whole: method, credentials, media type
)

// Finding is one disagreement between an exchange, or the document itself, and the contract. Findings are comparable
// values.
type Finding struct {
	Code     string   `json:"code"` // stable, kebab-case
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`           // what is wrong, without the place
	In       string   `json:"in,omitempty"`      // the part of the exchange; empty for a finding about the document
	Name     string   `json:"name,omitempty"`    // the parameter's or header's name
	Pointer  string   `json:"pointer,omitempty"` // JSON Pointer into the body or the parameter's value
	Document Place    `json:"document"`          // the place in the document that applies
}

// Where returns the place in the exchange for people: body.tags.0, query.limit.
func (f Finding) Where() string {
	where := f.In
	if f.Name != "" {
		where += "." + f.Name
	}
	if f.Pointer == "" {
		return where
	}
	return where + "." + strings.Join(SplitPointer(f.Pointer), ".")
}

// String returns the finding in one line: place and message.
func (f Finding) String() string {
	if f.In == "" {
		if place := f.Document.String(); place != "" {
			return place + ": " + f.Message
		}
		return f.Message
	}
	return f.Where() + ": " + f.Message
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
