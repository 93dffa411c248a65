package scenario

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/nearest"
	"github.com/coldframe/coldframe/internal/tree"
)

// The codes of findings on a scenario file.
const (
	CodeSyntax     = "scenario-syntax"              // not YAML, or too much of it
	CodeDuplicate  = "scenario-duplicate-key"       // a key appears twice
	CodeKey        = "scenario-unknown-key"         // a key that the format does not have
	CodeValue      = "scenario-value"               // a value that its key cannot have
	CodeName       = "scenario-name"                // two scenarios have the same name
	CodeOperation  = "scenario-unknown-operation"   // on names no operation
	CodeStatus     = "scenario-undocumented-status" // the document has no such response
	CodeMediaType  = "scenario-undocumented-type"   // the media type of the response is not documented
	CodeBody       = "scenario-body"                // the body violates the response's schema, or cannot be written
	CodeHeader     = "scenario-header"              // a header violates its schema
	CodeExample    = "scenario-unknown-example"     // there is no documented example with this name
	CodeExpression = "scenario-expression"          // an expression that cannot be compiled
	CodeRule       = "scenario-rule"                // a rule that does nothing, or contradicts itself
	CodeState      = "scenario-state"               // a state that cannot be reached
	CodeShadowed   = "scenario-shadowed"            // a rule that can never apply
	CodeFailed     = "scenario-when-failed"         // at a request: when could not be evaluated
)

const maxFindings = 100

type report struct {
	file     string
	findings []exchange.Finding
}

func (r *report) add(f exchange.Finding) {
	if len(r.findings) < maxFindings {
		r.findings = append(r.findings, f)
	}
}

func (r *report) fail(n *tree.Node, code, format string, args ...any) {
	r.failAt(n.Place(), code, format, args...)
}

func (r *report) failAt(place exchange.Place, code, format string, args ...any) {
	r.add(exchange.Finding{Code: code, Message: fmt.Sprintf(format, args...), Document: place})
}

func (r *report) warn(place exchange.Place, code, format string, args ...any) {
	r.add(exchange.Finding{Code: code, Severity: exchange.Warning, Message: fmt.Sprintf(format, args...), Document: place})
}

// MaxSize is the largest scenario file, in bytes.
const MaxSize = 1 << 20

// codes maps the reader's codes of findings to scenario codes.
var codes = map[string]string{"duplicate-key": CodeDuplicate, "merge-key": CodeKey, "not-a-json-number": CodeValue}

// read reads the YAML text of a file strictly: constructs that readers understand differently are errors. It returns
// nil if there is no tree.
func (r *report) read(text []byte) *tree.Node {
	if len(text) > MaxSize {
		r.failAt(exchange.Place{File: r.file}, CodeSyntax, "the file is larger than %d bytes", MaxSize)
		return nil
	}
	for i := 0; !utf8.Valid(text); i++ {
		if character, size := utf8.DecodeRune(text[i:]); character == utf8.RuneError && size == 1 {
			line, column := jsontext.Position(string(text), i)
			r.failAt(exchange.Place{File: r.file, Line: line, Column: column}, CodeSyntax, "the file is not UTF-8")
			return nil
		}
	}
	root, findings, err := tree.ReadStrict(r.file, text)
	for _, f := range findings {
		r.failAt(f.Document, cmp.Or(codes[f.Code], CodeSyntax), "%s", f.Message)
	}
	if e := (*tree.Error)(nil); errors.As(err, &e) {
		r.failAt(e.Place, CodeSyntax, "%s", e.Message)
		return nil
	}
	if root.Kind == tree.Null {
		r.failAt(exchange.Place{File: r.file, Line: 1, Column: 1}, CodeSyntax, "the file is empty; a scenario needs rules")
		return nil
	}
	return root
}

// isNumber reports whether s is a JSON number (RFC 8259 section 6) within the limits of jsontext.
func isNumber(s string) bool {
	v, _ := jsontext.Decode(s)
	_, ok := v.(json.Number)
	return ok
}

// begin returns the offset at which a value begins, after its anchor, and the rest of that line.
func begin(n *tree.Node) (at int, rest string) {
	at = int(n.Offset)
	rest, _, _ = strings.Cut(n.File.Text[at:], "\n")
	if strings.HasPrefix(rest, "&") {
		anchor, value, _ := strings.Cut(rest, " ")
		return at + len(anchor) + 1, value
	}
	return at, rest
}

// locate returns the place of a byte in a string's text, or the place of the string if quoting or folding hides the
// byte.
func locate(n *tree.Node, offset int) exchange.Place {
	at, rest := begin(n)
	before := n.Text[:min(offset, len(n.Text))]
	switch {
	case strings.HasPrefix(rest, "|"): // a literal block, whose text begins on the next line
		above := strings.Count(before, "\n") + 1
		lines := strings.SplitN(n.File.Text[at:], "\n", above+2)
		if len(lines) <= above {
			return n.Place()
		}
		before = before[strings.LastIndexByte(before, '\n')+1:]
		content, _, _ := strings.Cut(n.Text[min(offset, len(n.Text))-len(before):], "\n")
		indent := strings.Index(lines[above], content)
		if indent < 0 {
			return n.Place()
		}
		for _, line := range lines[:above] {
			at += len(line) + 1
		}
		at += indent
	case strings.HasPrefix(rest, `"`+before), strings.HasPrefix(rest, "'"+before):
		at++
	case !strings.HasPrefix(rest, before):
		return n.Place()
	}
	return n.File.Place(int32(at + len(before)))
}

// commentHint returns a hint if YAML has read the end of a plain string, from " #" on, as a comment.
func commentHint(n *tree.Node) string {
	_, source := begin(n)
	rest, ok := strings.CutPrefix(source, n.Text)
	if ok && len(rest) > 1 && strings.HasPrefix(strings.TrimLeft(rest, " \t"), "#") {
		return `; " #" begins a comment in YAML, so quote the whole expression`
	}
	return ""
}

// hint suggests the candidate nearest to a misspelt word, or lists a few candidates if none is near.
func hint(word string, candidates []string, prefix string) string {
	if c := nearest.Word(word, candidates, max(2, len(word)/3)); c != "" {
		return "; did you mean " + strconv.Quote(c) + "?"
	}
	if n := len(candidates); n > 0 && n <= 20 {
		return "; " + prefix + " " + enumerate(candidates, "and")
	}
	return ""
}

func enumerate(words []string, conjunction string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

func some(words []string) string {
	if len(words) > 3 {
		return fmt.Sprintf("%s, %s and %d more", words[0], words[1], len(words)-2)
	}
	return enumerate(words, "and")
}

func shorten(s string) string { return exchange.Shorten(s, 58) }

func describe(n *tree.Node) string {
	switch n.Kind {
	case tree.String:
		return strconv.Quote(shorten(n.Text))
	case tree.Number, tree.Bool:
		return shorten(n.Text)
	}
	return n.Kind.String()
}
