package mock

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/spec"
)

// What properties of error bodies are called by what they take, best first.
var (
	reasonNames = []string{"message", "msg", "detail", "description", "title", "reason", "error"}
	statusNames = []string{"status", "code", "error"}
	placeNames  = []string{"field", "pointer", "parameter", "param", "property", "path", "location"}
	listNames   = []string{"error", "detail", "message", "reason", "problem", "violation", "issue", "cause", "fault", "failure", "invalid"}
)

// notReasons are properties that take no sentence, though the schema might
// allow one.
var notReasons = []string{"id", "type", "code", "status", "url", "uri", "href", "link", "instance", "timestamp", "time", "date", "version", "field", "path"}

const (
	maxDialectDepth   = 4  // how deep a reason is looked for in an error body
	maxDialectErrors  = 20 // elements of an array of errors
	shortestReason    = 8  // characters; less says nothing
	maxReasonFindings = 10 // that are told in one line
)

// dialect makes an error body in the API's own form: a conforming value with
// the status and the reason put where names say they belong. What the schema
// does not take there is left as it was.
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
	value = clone(value) // examples and defaults in it are the document's own
	f := filler{schema: p.media.Schema, root: value, status: strconv.Itoa(status)}
	if !f.fill(value, func(v any) { f.root = v }, telling{reason: reason, findings: findings}, 0) {
		_ = f.anywhere(f.root, reasonNames, reason, 0) || f.anywhere(f.root, nil, reason, 0)
	}
	if p.media.Subtype == "problem+json" {
		f.problem(status)
	}
	return f.root, nil
}

// problem gives problem details the title of their status, and the type that
// says that there is no more to it (RFC 9457 section 4.2.1), where the reason
// stands in the detail.
func (f *filler) problem(status int) {
	object, _ := f.root.(map[string]any)
	if _, ok := object["detail"].(string); !ok {
		return
	}
	for name, text := range map[string]string{"title": http.StatusText(status), "type": "about:blank"} {
		if before, ok := object[name].(string); ok {
			f.try(before, put(object, name), text)
		}
	}
}

// reasonOf gives findings in one line.
func reasonOf(findings []exchange.Finding) string {
	if more := len(findings) - maxReasonFindings; more > 0 {
		return exchange.Join(findings[:maxReasonFindings]) + "; and " + strconv.Itoa(more) + " more"
	}
	return exchange.Join(findings)
}

// distinct leaves out findings that read the same: two parts of an allOf may
// ask for one thing.
func distinct(findings []exchange.Finding) []exchange.Finding {
	seen := make(map[string]bool, len(findings))
	kept := make([]exchange.Finding, 0, len(findings))
	for _, f := range findings {
		if text := f.String(); !seen[text] {
			seen[text] = true
			kept = append(kept, f)
		}
	}
	return kept
}

// filler puts a reason into a generated error body. Each change is kept only
// if the whole still conforms.
type filler struct {
	schema *spec.Schema
	root   any
	status string
}

// telling is what is to be told in a part of the body.
type telling struct {
	reason   string
	findings []exchange.Finding
}

// fill reports whether the reason stands somewhere in a value. set replaces the
// value.
func (f *filler) fill(value any, set func(any), t telling, depth int) bool {
	switch v := value.(type) {
	case string:
		return f.tell(v, set, t.reason)
	case []any:
		return f.list(v, set, t, depth)
	case map[string]any:
		return f.object(v, t, depth)
	}
	return false
}

func (f *filler) object(object map[string]any, t telling, depth int) bool {
	if depth > maxDialectDepth {
		return false
	}
	names := sortedNames(object)
	for _, name := range names {
		if says(name, statusNames) >= 0 {
			f.putStatus(object, name)
		}
		if text, ok := object[name].(string); ok && len(t.findings) == 1 && says(name, placeNames) >= 0 {
			f.try(text, put(object, name), t.findings[0].Where())
		}
	}
	told := false
	for word := range reasonNames {
		for _, name := range names {
			if text, ok := object[name].(string); ok && !told && says(name, reasonNames) == word {
				told = f.tell(text, put(object, name), t.reason)
			}
		}
	}
	for _, name := range names {
		switch v := object[name].(type) {
		case map[string]any:
			told = f.object(v, f.unless(told, t), depth+1) || told
		case []any:
			if says(name, listNames) >= 0 {
				told = f.list(v, put(object, name), t, depth+1) || told
			}
		}
	}
	return told
}

// unless leaves nothing to tell where it has been told.
func (f *filler) unless(told bool, t telling) telling {
	if told {
		t.reason = ""
	}
	return t
}

// putStatus sets a number, or a text named status, to the HTTP status.
func (f *filler) putStatus(object map[string]any, name string) {
	switch v := object[name].(type) {
	case json.Number:
		f.try(v, put(object, name), json.Number(f.status))
	case string:
		if strings.Contains(strings.ToLower(name), "status") {
			f.try(v, put(object, name), f.status)
		}
	}
}

// list gives each finding an element of its own, made like those that are
// there.
func (f *filler) list(list []any, set func(any), t telling, depth int) bool {
	if len(list) == 0 || depth > maxDialectDepth {
		return false
	}
	elements := list
	for n := min(max(len(t.findings), 1), maxDialectErrors); n > 0; n-- {
		sized := resize(list, n)
		if set(sized); f.conforms() {
			elements = sized
			break
		}
	}
	set(elements)
	told := false
	for i, element := range elements {
		one := t
		if i < len(t.findings) {
			one = telling{t.findings[i].String(), t.findings[i : i+1]}
		}
		told = f.fill(element, func(v any) { elements[i] = v }, one, depth+1) || told
	}
	return told
}

// resize gives the first n elements, with copies of the first for those that
// are not there.
func resize(list []any, n int) []any {
	sized := slices.Clone(list[:min(n, len(list))])
	for len(sized) < n {
		sized = append(sized, clone(list[0]))
	}
	return sized
}

func clone(value any) any {
	switch v := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = clone(member)
		}
		return object
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = clone(element)
		}
		return list
	}
	return value
}

// anywhere is the last resort where no property takes a reason where one would
// look for it: the first text below that has one of the names, or with none
// given the first that takes a sentence.
func (f *filler) anywhere(value any, names []string, reason string, depth int) bool {
	if depth > maxDialectDepth {
		return false
	}
	switch v := value.(type) {
	case []any:
		return len(v) > 0 && f.anywhere(v[0], names, reason, depth+1)
	case map[string]any:
		sorted := sortedNames(v)
		for _, name := range sorted {
			if text, ok := v[name].(string); ok && takesReason(name, names) && f.tell(text, put(v, name), reason) {
				return true
			}
			if list, ok := v[name].([]any); ok && len(list) > 0 && reason != "" && takesReason(name, names) {
				if _, text := list[0].(string); text && f.try(list, put(v, name), []any{reason}) {
					return true
				}
			}
		}
		for _, name := range sorted {
			if f.anywhere(v[name], names, reason, depth+1) {
				return true
			}
		}
	}
	return false
}

func takesReason(name string, names []string) bool {
	if names == nil {
		return says(name, notReasons) < 0
	}
	return says(name, names) >= 0
}

// tell puts a reason in place of a text, as much of it as the schema takes.
func (f *filler) tell(before string, set func(any), reason string) bool {
	if reason == "" {
		return false
	}
	if f.try(before, set, reason) {
		return true
	}
	fits := func(length int) bool { return f.try(before, set, cut(reason, length)) }
	if !fits(shortestReason) {
		return false
	}
	low, high := shortestReason, len([]rune(reason))
	for low+1 < high {
		if middle := (low + high) / 2; fits(middle) {
			low = middle
		} else {
			high = middle
		}
	}
	return fits(low)
}

// try sets a value and takes that back where the body does not conform any
// more.
func (f *filler) try(before any, set func(any), after any) bool {
	if set(after); f.conforms() {
		return true
	}
	set(before)
	return false
}

func (f *filler) conforms() bool { return spec.Conforms(f.schema.Keywords, f.root) }

func put(object map[string]any, name string) func(any) {
	return func(v any) { object[name] = v }
}

func sortedNames(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// says gives the first word that a property's name begins or ends with, as
// error, errorCode and error_code do; -1 where it has none of them.
func says(name string, words []string) int {
	name = strings.ToLower(name)
	return slices.IndexFunc(words, func(word string) bool {
		return strings.HasPrefix(name, word) || strings.HasSuffix(name, word) || strings.HasSuffix(name, word+"s")
	})
}

// cut shortens a text to a number of characters.
func cut(text string, length int) string {
	runes := []rune(text)
	if len(runes) <= length {
		return text
	}
	return string(runes[:length-1]) + "…"
}
