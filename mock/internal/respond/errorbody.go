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
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/spec"
)

// What properties of error bodies are called by what they take, best first.
var (
	reasonNames = []string{"message", "msg", "detail", "description", "title", "reason", "error"}
	statusNames = []string{"status", "code", "error"}
	codeNames   = []string{"code", "errorcode", "reasoncode", "problemcode"} // of a string, the whole name
	placeNames  = []string{"field", "pointer", "parameter", "param", "property", "path", "location"}
	listNames   = []string{
		"error", "detail", "message", "reason", "problem", "violation", "issue", "cause", "fault", "failure", "invalid",
	}
	// notReasons take no sentence, though the schema might allow one.
	notReasons = []string{
		"id", "type", "code", "status", "url", "uri", "href", "link", "instance", "timestamp", "time", "date",
		"version", "field", "path",
	}
)

const (
	maxDepth          = 4  // how deep a reason is looked for in an error body
	maxErrors         = 20 // elements of an array of errors
	shortestReason    = 8  // characters; less says nothing
	maxReasonFindings = 10 // findings that one line gives
)

// errorBody is an error body in the API's own form: a conforming value with the status and the reason put
// where names say they belong. Each change is kept only if the whole still conforms.
type errorBody struct {
	schema *spec.Schema
	value  any
	status int

	problem bool // it is problem details (RFC 9457)
}

// explanation is what a part of the body is to say. An empty reason is said already.
type explanation struct {
	reason   string
	findings []exchange.Finding
}

// ErrorBody makes an error body that names its status.
func ErrorBody(op *spec.Operation, m *spec.MediaType, o generate.Options, key generate.Key, status int) any {
	value, _ := newBody(op, m, m, o, "off").explain(key, status, explanation{reason: StatusText(status)})
	return value
}

// explain makes an error body, and reports whether the reason stands in it.
func (b *Body) explain(key generate.Key, status int, why explanation) (body any, placed bool) {
	example := b.Example("")
	e := errorBody{schema: b.media.Schema, status: status, problem: b.media.Subtype == "problem+json"}
	switch {
	case e.schema != nil:
		e.value = clone(b.value(key)) // examples and defaults in it are the document's own
	case example != nil:
		e.value = clone(example.Value)
	case b.media.IsJSON():
		return map[string]any{"message": why.reason, "status": json.Number(strconv.Itoa(status))}, true
	default:
		return why.reason, true
	}
	placed = e.fill(e.value, func(v any) { e.value = v }, why, 0) ||
		e.fillAnywhere(e.value, namedAsReason, why.reason, 0) || e.fillAnywhere(e.value, mayBeReason, why.reason, 0)
	if e.problem {
		e.setTitle()
	}
	return e.value, placed
}

// setTitle returns problem details the title of their status, and the type that says that there is no more to
// it (RFC 9457 section 4.2.1), where the reason stands in the detail.
func (e *errorBody) setTitle() {
	object, _ := e.value.(map[string]any)
	if _, ok := object["detail"].(string); !ok {
		return
	}
	for name, text := range map[string]string{"title": http.StatusText(e.status), "type": "about:blank"} {
		if _, ok := object[name].(string); ok {
			e.try(object[name], member(object, name), text)
		}
	}
}

// fill reports whether the reason stands somewhere in a value. set replaces the value.
func (e *errorBody) fill(value any, set func(any), why explanation, depth int) bool {
	switch v := value.(type) {
	case string:
		return e.setReason(v, set, why.reason)
	case []any:
		return depth <= maxDepth && e.fillList(v, set, why, depth)
	case map[string]any:
		return depth <= maxDepth && e.fillObject(v, why, depth)
	}
	return false
}

func (e *errorBody) fillObject(object map[string]any, why explanation, depth int) bool {
	names := slices.Sorted(maps.Keys(object))
	for _, name := range names {
		if wordIn(name, statusNames) >= 0 {
			e.setStatus(object, name)
		}
		if text, ok := object[name].(string); ok && slices.Contains(codeNames, naming.Fold(name)) {
			e.try(text, member(object, name), why.code(e.status))
		}
		if text, ok := object[name].(string); ok && wordIn(name, placeNames) >= 0 {
			e.setPlace(object, name, text, why.findings)
		}
	}
	placed := e.setBestReason(object, names, why.reason)
	for _, name := range names {
		_, list := object[name].([]any)
		if _, text := object[name].(string); text || list && wordIn(name, listNames) < 0 {
			continue
		}
		rest := why
		if placed && !list {
			rest.reason = ""
		}
		placed = e.fill(object[name], member(object, name), rest, depth+1) || placed
	}
	return placed
}

// setPlace names the place of the only finding. Where there is none that the property can name, a made-up place is
// left out.
func (e *errorBody) setPlace(object map[string]any, name, text string, findings []exchange.Finding) {
	if len(findings) > 1 {
		return
	}
	if len(findings) == 1 {
		if place := e.place(object, name, findings[0]); place != "" && e.try(text, member(object, name), place) {
			return
		}
	}
	e.try(text, func(v any) {
		delete(object, name)
		if v != nil {
			object[name] = v
		}
	}, nil)
}

// place names the part of the request in the terms of the property: "pointer" takes a JSON Pointer into the body
// (JSON:API 1.1 error objects), as a URI fragment in problem details (RFC 9457 section 3), "parameter" the name of a
// parameter; others take both with the part of the request before them.
func (e *errorBody) place(object map[string]any, name string, f exchange.Finding) string {
	_, pointed := object["pointer"]
	switch word := placeNames[wordIn(name, placeNames)]; {
	case word == "pointer" && f.In != exchange.InBody, word == "parameter" && f.In == exchange.InBody && pointed:
		return ""
	case word == "pointer" && e.problem:
		return "#" + f.Pointer
	case word == "pointer":
		return f.Pointer
	case word == "parameter" && f.Name != "":
		return f.Name
	}
	return f.Where()
}

func (e *errorBody) setBestReason(object map[string]any, names []string, reason string) bool {
	for word := range reasonNames {
		for _, name := range names {
			text, ok := object[name].(string)
			if ok && wordIn(name, reasonNames) == word && e.setReason(text, member(object, name), reason) {
				return true
			}
		}
	}
	return false
}

func (e *errorBody) setStatus(object map[string]any, name string) {
	status := strconv.Itoa(e.status)
	switch v := object[name].(type) {
	case json.Number:
		e.try(v, member(object, name), json.Number(status))
	case string:
		if strings.Contains(strings.ToLower(name), "status") {
			e.try(v, member(object, name), status)
		}
	}
}

// fillList returns each finding an element of its own, made like those that are there.
func (e *errorBody) fillList(list []any, set func(any), why explanation, depth int) bool {
	if len(list) == 0 {
		return false
	}
	for n := min(max(len(why.findings), 1), maxErrors); n > 0; n-- {
		sized := slices.Clone(list[:min(n, len(list))])
		for len(sized) < n {
			sized = append(sized, clone(list[0]))
		}
		if e.try(list, set, sized) {
			list = sized
			break
		}
	}
	placed := false
	for i, element := range list {
		one := why
		if i < len(why.findings) {
			one = explanation{why.findings[i].String(), why.findings[i : i+1]}
		}
		placed = e.fill(element, func(v any) { list[i] = v }, one, depth+1) || placed
	}
	return placed
}

func namedAsReason(name string) bool { return wordIn(name, reasonNames) >= 0 }
func mayBeReason(name string) bool   { return wordIn(name, notReasons) < 0 }

// fillAnywhere is the last resort where no property takes a reason where one would look for it: it goes to
// the first text, or list of texts, below whose name allows it.
func (e *errorBody) fillAnywhere(value any, allows func(name string) bool, reason string, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch v := value.(type) {
	case []any:
		return len(v) > 0 && e.fillAnywhere(v[0], allows, reason, depth+1)
	case map[string]any:
		sorted := slices.Sorted(maps.Keys(v))
		return slices.ContainsFunc(sorted, func(name string) bool {
			if list, ok := v[name].([]any); ok && len(list) > 0 && allows(name) && reason != "" {
				_, isText := list[0].(string)
				return isText && e.try(list, member(v, name), []any{reason})
			}
			text, ok := v[name].(string)
			return ok && allows(name) && e.setReason(text, member(v, name), reason)
		}) || slices.ContainsFunc(sorted, func(name string) bool {
			return e.fillAnywhere(v[name], allows, reason, depth+1)
		})
	}
	return false
}

// setReason puts a reason in place of a text, as much of it as the schema allows.
func (e *errorBody) setReason(before string, set func(any), reason string) bool {
	if reason == "" {
		return false
	}
	if e.try(before, set, reason) {
		return true
	}
	fits := func(length int) bool { return e.try(before, set, exchange.Shorten(reason, length)) }
	more := sort.Search(len(reason), func(n int) bool { return !fits(shortestReason + n) })
	return more > 0 && fits(shortestReason+more-1)
}

// code returns the code of the first finding, else the status in words: not-found.
func (why *explanation) code(status int) string {
	if len(why.findings) > 0 {
		return why.findings[0].Code
	}
	return strings.ReplaceAll(strings.ToLower(StatusText(status)), " ", "-")
}

// try sets a value and takes that back where the body does not conform any more.
func (e *errorBody) try(before any, set func(any), after any) bool {
	if set(after); e.schema == nil || spec.Conforms(e.schema.Keywords, e.value) {
		return true
	}
	set(before)
	return false
}

func member(object map[string]any, name string) func(any) {
	return func(v any) { object[name] = v }
}

func clone(value any) any {
	return jsonvalue.WithTexts(value, func(text string) string { return text })
}

// wordIn returns the first word that a property's name begins or ends with, as
// error, errorCode and error_code do; -1 if it has none of them.
func wordIn(name string, words []string) int {
	name = strings.ToLower(name)
	return slices.IndexFunc(words, func(word string) bool {
		return strings.HasPrefix(name, word) || strings.HasSuffix(name, word) || strings.HasSuffix(name, word+"s")
	})
}

// explanationOf returns findings as an explanation in one line. Findings that read
// the same are given once: two parts of an allOf may demand one thing.
func explanationOf(findings []exchange.Finding) explanation {
	seen := make(map[string]bool, len(findings))
	var distinct []exchange.Finding
	for _, f := range findings {
		if text := f.String(); !seen[text] {
			seen[text] = true
			distinct = append(distinct, f)
		}
	}
	if more := len(distinct) - maxReasonFindings; more > 0 {
		return explanation{exchange.Join(distinct[:maxReasonFindings]) + "; and " + strconv.Itoa(more) + " more", distinct}
	}
	return explanation{exchange.Join(distinct), distinct}
}
