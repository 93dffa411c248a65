package respond

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sort"
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
	maxDepth          = 4  // how deep a reason is looked for in an error body
	maxErrors         = 20 // elements of an array of errors
	shortestReason    = 8  // characters; less says nothing
	maxReasonFindings = 10 // findings that one line gives
)

// explaining makes an error body in the API's own form: a conforming value with
// the status and the reason put where names say they belong. What the schema
// does not allow there is left as it was.
func (b *Body) explaining(key generate.Key, status int, reason string, findings []exchange.Finding) (any, error) {
	if b.media.Schema == nil {
		if b.media.IsJSON() {
			return map[string]any{"message": reason, "status": json.Number(strconv.Itoa(status))}, nil
		}
		return reason, nil
	}
	value, err := b.generator().Value(key)
	if err != nil {
		return nil, err
	}
	value = clone(value) // examples and defaults in it are the document's own
	e := errorBody{schema: b.media.Schema, root: value, status: strconv.Itoa(status)}
	if !e.fill(value, func(v any) { e.root = v }, explanation{reason, findings}, 0) {
		_ = e.fillAnywhere(e.root, reasonNames, reason, 0) || e.fillAnywhere(e.root, nil, reason, 0)
	}
	if b.media.Subtype == "problem+json" {
		e.setTitle(status)
	}
	return e.root, nil
}

// setTitle gives problem details the title of their status, and the type that
// says that there is no more to it (RFC 9457 section 4.2.1), where the reason
// stands in the detail.
func (e *errorBody) setTitle(status int) {
	object, _ := e.root.(map[string]any)
	if _, ok := object["detail"].(string); !ok {
		return
	}
	for name, text := range map[string]string{"title": http.StatusText(status), "type": "about:blank"} {
		if before, ok := object[name].(string); ok {
			e.try(before, put(object, name), text)
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

// errorBody puts a reason into a generated error body. Each change is kept only
// if the whole still conforms.
type errorBody struct {
	schema *spec.Schema
	root   any
	status string
}

// explanation is what is to be placed in a part of the body.
type explanation struct {
	reason   string
	findings []exchange.Finding
}

// fill reports whether the reason stands somewhere in a value. set replaces the
// value.
func (e *errorBody) fill(value any, set func(any), why explanation, depth int) bool {
	switch v := value.(type) {
	case string:
		return e.setReason(v, set, why.reason)
	case []any:
		return e.list(v, set, why, depth)
	case map[string]any:
		return e.object(v, why, depth)
	}
	return false
}

func (e *errorBody) object(object map[string]any, why explanation, depth int) bool {
	if depth > maxDepth {
		return false
	}
	names := slices.Sorted(maps.Keys(object))
	for _, name := range names {
		if wordIn(name, statusNames) >= 0 {
			e.putStatus(object, name)
		}
		if text, ok := object[name].(string); ok && len(why.findings) == 1 && wordIn(name, placeNames) >= 0 {
			e.try(text, put(object, name), why.findings[0].Where())
		}
	}
	placed := false
	for word := range reasonNames {
		for _, name := range names {
			if text, ok := object[name].(string); ok && !placed && wordIn(name, reasonNames) == word {
				placed = e.setReason(text, put(object, name), why.reason)
			}
		}
	}
	for _, name := range names {
		switch v := object[name].(type) {
		case map[string]any:
			placed = e.object(v, e.unless(placed, why), depth+1) || placed
		case []any:
			if wordIn(name, listNames) >= 0 {
				placed = e.list(v, put(object, name), why, depth+1) || placed
			}
		}
	}
	return placed
}

// unless leaves nothing to tell where it has been placed.
func (e *errorBody) unless(placed bool, why explanation) explanation {
	if placed {
		why.reason = ""
	}
	return why
}

// putStatus sets a number, or a text named status, to the HTTP status.
func (e *errorBody) putStatus(object map[string]any, name string) {
	switch v := object[name].(type) {
	case json.Number:
		e.try(v, put(object, name), json.Number(e.status))
	case string:
		if strings.Contains(strings.ToLower(name), "status") {
			e.try(v, put(object, name), e.status)
		}
	}
}

// list gives each finding an element of its own, made like those that are
// there.
func (e *errorBody) list(list []any, set func(any), why explanation, depth int) bool {
	if len(list) == 0 || depth > maxDepth {
		return false
	}
	elements := list
	for n := min(max(len(why.findings), 1), maxErrors); n > 0; n-- {
		sized := resize(list, n)
		if set(sized); e.conforms() {
			elements = sized
			break
		}
	}
	set(elements)
	placed := false
	for i, element := range elements {
		one := why
		if i < len(why.findings) {
			one = explanation{why.findings[i].String(), why.findings[i : i+1]}
		}
		placed = e.fill(element, func(v any) { elements[i] = v }, one, depth+1) || placed
	}
	return placed
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

// fillAnywhere is the last resort where no property takes a reason where one would
// look for it: the first text below that has one of the names, or with none
// given the first that takes a sentence.
func (e *errorBody) fillAnywhere(value any, names []string, reason string, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch v := value.(type) {
	case []any:
		return len(v) > 0 && e.fillAnywhere(v[0], names, reason, depth+1)
	case map[string]any:
		sorted := slices.Sorted(maps.Keys(v))
		for _, name := range sorted {
			if text, ok := v[name].(string); ok && takesReason(name, names) && e.setReason(text, put(v, name), reason) {
				return true
			}
			if list, ok := v[name].([]any); ok && len(list) > 0 && reason != "" && takesReason(name, names) {
				if _, text := list[0].(string); text && e.try(list, put(v, name), []any{reason}) {
					return true
				}
			}
		}
		for _, name := range sorted {
			if e.fillAnywhere(v[name], names, reason, depth+1) {
				return true
			}
		}
	}
	return false
}

func takesReason(name string, names []string) bool {
	if names == nil {
		return wordIn(name, notReasons) < 0
	}
	return wordIn(name, names) >= 0
}

// setReason puts a reason in place of a text, as much of it as the schema takes.
func (e *errorBody) setReason(before string, set func(any), reason string) bool {
	if reason == "" {
		return false
	}
	if e.try(before, set, reason) {
		return true
	}
	fits := func(length int) bool { return e.try(before, set, shortened(reason, length)) }
	more := sort.Search(len(reason), func(n int) bool { return !fits(shortestReason + n) })
	return more > 0 && fits(shortestReason+more-1)
}

// try sets a value and takes that back where the body does not conform any
// more.
func (e *errorBody) try(before any, set func(any), after any) bool {
	if set(after); e.conforms() {
		return true
	}
	set(before)
	return false
}

func (e *errorBody) conforms() bool { return spec.Conforms(e.schema.Keywords, e.root) }

func put(object map[string]any, name string) func(any) {
	return func(v any) { object[name] = v }
}

// wordIn gives the first word that a property's name begins or ends with, as
// error, errorCode and error_code do; -1 where it has none of them.
func wordIn(name string, words []string) int {
	name = strings.ToLower(name)
	return slices.IndexFunc(words, func(word string) bool {
		return strings.HasPrefix(name, word) || strings.HasSuffix(name, word) || strings.HasSuffix(name, word+"s")
	})
}

// shortened shortens a text to a number of characters.
func shortened(text string, length int) string {
	runes := []rune(text)
	if len(runes) <= length {
		return text
	}
	return string(runes[:length-1]) + "…"
}
