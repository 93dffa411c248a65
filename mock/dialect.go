package mock

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
)

// reasonNames are what a property that takes a reason is called, best first.
var reasonNames = []string{"message", "detail", "description", "title", "reason", "error"}

// statusNames are what a property that takes the HTTP status is called.
var statusNames = []string{"status", "code", "error"}

// dialect makes an error body in the API's own form: a conforming value with
// the status and the reason put where their names say they belong. What the
// schema does not take there is left as it was.
func (p *producer) dialect(key generate.Key, status int, reason string, findings []exchange.Finding) (any, error) {
	if p.media.Schema == nil {
		if p.media.IsJSON() {
			return map[string]any{"message": reason, "status": json.Number(strconv.Itoa(status))}, nil
		}
		return reason, nil
	}
	value, err := p.generator().Value(key)
	if err != nil {
		return nil, err
	}
	if _, ok := value.(string); ok {
		if p.conforms(reason) {
			return reason, nil
		}
		return value, nil
	}
	f := filler{schema: p.media.Schema, root: value, status: json.Number(strconv.Itoa(status)), reason: reason, findings: findings}
	f.fill(value, 0)
	return f.root, nil
}

// filler puts a reason into a generated error body. Each change is kept only
// if the whole still conforms.
type filler struct {
	schema   *spec.Schema
	root     any
	status   json.Number
	reason   string
	findings []exchange.Finding
	told     bool // the reason stands somewhere
}

// maxDialectDepth is how deep a reason is looked for in an error body.
const maxDialectDepth = 4

func (f *filler) fill(value any, depth int) {
	if depth > maxDialectDepth {
		return
	}
	switch v := value.(type) {
	case map[string]any:
		f.object(v, depth)
	case []any:
		f.array(v, depth)
	}
}

func (f *filler) object(object map[string]any, depth int) {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, word := range statusNames {
		for _, name := range names {
			if n, ok := object[name].(json.Number); ok && says(name, word) {
				f.try(object, name, n, f.status)
			}
		}
	}
	for _, word := range reasonNames {
		for _, name := range names {
			if text, ok := object[name].(string); ok && says(name, word) && !f.told {
				f.told = f.try(object, name, text, f.reason) || f.try(object, name, text, cut(f.reason, 100)) || f.try(object, name, text, cut(f.reason, 40))
			}
		}
	}
	for _, name := range names {
		f.fill(object[name], depth+1)
	}
}

// array gives each finding an element of its own, made like the first.
func (f *filler) array(array []any, depth int) {
	if len(array) == 0 {
		return
	}
	whole := *f
	for i, element := range array {
		f.reason, f.told = whole.reason, false
		if i < len(whole.findings) {
			f.reason = whole.findings[i].String()
			f.findings = whole.findings[i : i+1]
		}
		if text, ok := element.(string); ok {
			array[i] = f.reason
			if !f.conforms() {
				array[i] = text
			}
			continue
		}
		f.fill(element, depth+1)
	}
	*f = filler{f.schema, f.root, whole.status, whole.reason, whole.findings, whole.told || f.told}
}

// try sets a property and takes that back where the body does not conform any
// more.
func (f *filler) try(object map[string]any, name string, before, after any) bool {
	object[name] = after
	if f.conforms() {
		return true
	}
	object[name] = before
	return false
}

func (f *filler) conforms() bool { return f.schema.Keywords.Validate(f.root) == nil }

// says reports whether a property's name has a word: error, errorCode,
// error_code.
func says(name, word string) bool {
	name = strings.ToLower(name)
	return strings.HasPrefix(name, word) || strings.HasSuffix(name, word)
}

func cut(text string, length int) string {
	runes := []rune(text)
	if len(runes) <= length {
		return text
	}
	return string(runes[:length-1]) + "…"
}
