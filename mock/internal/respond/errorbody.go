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
	"github.com/coldframe/coldframe/internal/resource"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

const (
	maxDepth          = 4   // how deep a reason is looked for in an error body
	maxErrors         = 20  // elements of an array of errors
	shortestReason    = 8   // characters; less says nothing
	maxReasonFindings = 10  // findings in one line
	maxCodes          = 30  // values of an enum that are tried
	maxOmissions      = 300 // members that are tried to be left out
)

// errorBody is an error body in the API's own form: a conforming value with the status and the reason where names and
// types say that they belong. Each change is kept only if the whole still conforms.
type errorBody struct {
	schema  *spec.Schema
	value   any
	status  int
	request *Request // nil if none
	example any      // of the response, nil if none

	isProblem bool            // it is problem details (RFC 9457)
	carries   map[string]bool // JSON Pointers of what says something of the problem, and of what it stands in
	omissions int             // members that were tried to be left out
}

// explanation is what a part of the body is to say. An empty reason is said already.
type explanation struct {
	reason   string
	findings []exchange.Finding
	problem  *Problem // nil if the request preferred the status
	codes    []string // values of an enum that say why; nil if none is known
}

// isPlaced reports whether the findings are about parts of the request that the client can correct: not about
// credentials, and not about an item that does not exist.
func (why *explanation) isPlaced() bool {
	if len(why.findings) == 0 || !slices.ContainsFunc(why.findings, hasPlace) {
		return false
	}
	return why.problem == nil || *why.problem != BadCredentials && *why.problem != WrongPassword &&
		*why.problem != MissingScope
}

// errorPart is a part of an error body.
type errorPart struct {
	value   any
	set     func(any) // replaces the value
	name    string    // of the member; "" for the body and for elements
	pointer string    // to it
	shape   *schema.Shape
	depth   int
	inList  bool // it is one of several errors, or below one
	silent  bool // it says nothing that another part does not say
}

// child returns a member of an object.
func (p *errorPart) child(name string) errorPart {
	object, _ := p.value.(map[string]any)
	var b strings.Builder
	b.WriteString(p.pointer)
	exchange.WriteToken(&b, name)
	return errorPart{
		value: object[name], set: member(object, name), name: name, pointer: b.String(), shape: p.shape.Property(name),
		depth: p.depth + 1, inList: p.inList, silent: p.silent,
	}
}

// ErrorBody makes an error body that names its status.
func ErrorBody(op *spec.Operation, m *spec.MediaType, o generate.Options, key generate.Key, status int) any {
	value, _ := newBody(op, m, m, o, "off").explain(nil, key, status, explanation{reason: StatusText(status)})
	return value
}

// explain makes an error body, and reports whether the reason stands in it. The request may be nil.
func (b *Body) explain(q *Request, key generate.Key, status int, why explanation) (body any, placed bool) {
	example := b.Example("")
	e := errorBody{schema: b.media.Schema, status: status, request: q, isProblem: b.media.Subtype == "problem+json",
		carries: map[string]bool{}}
	if example != nil {
		e.example = example.Value
	}
	root := errorPart{set: func(v any) { e.value = v }, shape: schema.Anything}
	switch {
	case e.schema != nil:
		e.value = clone(b.value(key)) // examples and defaults in it are the document's own
		root.shape = e.schema.Shape()
	case example != nil:
		e.value = clone(example.Value)
	case b.media.IsJSON():
		return map[string]any{"message": why.reason, "status": json.Number(strconv.Itoa(status))}, true
	default:
		return why.reason, true
	}
	root.value = e.value
	placed = e.fill(root, why)
	root.value = e.value
	placed = placed || e.fillAnywhere(root, isReason, why.reason) || e.fillAnywhere(root, mayBeReason, why.reason)
	if e.schema != nil && e.conforms() {
		root.value = e.value
		e.omit(root)
	}
	return e.value, placed
}

// carry notes that a part says something of the problem.
func (e *errorBody) carry(p errorPart) {
	if p.silent {
		return
	}
	for pointer := p.pointer; !e.carries[pointer]; {
		e.carries[pointer] = true
		if pointer == "" {
			return
		}
		pointer = pointer[:strings.LastIndexByte(pointer, '/')]
	}
}

// carryAll notes that a part with all that is in it says something of the problem.
func (e *errorBody) carryAll(p errorPart) {
	e.carry(p)
	if !p.silent {
		e.carries[p.pointer+"/"] = true
	}
}

// omit leaves out the members that say nothing of the problem and are not required.
func (e *errorBody) omit(p errorPart) {
	if e.carries[p.pointer+"/"] {
		return
	}
	switch v := p.value.(type) {
	case []any:
		if !e.carries[p.pointer] && len(v) > 0 && e.tryOmission(v, p.set, []any{}) {
			return
		}
		for i, element := range v {
			part := e.element(p, v, i)
			part.value = element
			e.omit(part)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			part := p.child(name)
			remove := func(value any) {
				if delete(v, name); value != nil {
					v[name] = value
				}
			}
			if e.carries[part.pointer] || part.value == nil || !e.tryOmission(part.value, remove, nil) {
				e.omit(part)
			}
		}
	}
}

func (e *errorBody) tryOmission(before any, set func(any), after any) bool {
	if e.omissions++; e.omissions > maxOmissions {
		return false
	}
	return e.try(before, set, after)
}

// element returns an element of a list of errors.
func (e *errorBody) element(p errorPart, list []any, i int) errorPart {
	return errorPart{
		value: list[i], set: func(v any) { list[i] = v }, pointer: p.pointer + "/" + strconv.Itoa(i),
		shape: p.shape.Item(i), depth: p.depth + 1, inList: true, silent: p.silent,
	}
}

// fill reports whether the reason stands somewhere in a part.
func (e *errorBody) fill(p errorPart, why explanation) bool {
	switch v := p.value.(type) {
	case string:
		return e.setReason(p, v, why.reason)
	case []any:
		return p.depth <= maxDepth && e.fillList(p, v, why)
	case map[string]any:
		isMap := p.depth == 0 && len(p.shape.Names()) == 0 && p.shape.Additional() != schema.Anything
		if isMap && (why.isPlaced() || mapsTexts(p.shape)) && e.fillMap(p, v, why) {
			return true
		}
		return p.depth <= maxDepth && e.fillObject(p, v, why)
	}
	return false
}

func (e *errorBody) fillObject(p errorPart, object map[string]any, why explanation) bool {
	e.fillElement(p, object, why)
	names := slices.Sorted(maps.Keys(object))
	isProblem := e.isProblem || isProblemDetails(object)
	listed := false // the findings stand in a list or a map
	if why.isPlaced() {
		for _, name := range names {
			listed = e.fillErrors(p.child(name), why) || listed
		}
	}
	for _, name := range names {
		if _, ok := object[name]; ok && !e.carries[p.child(name).pointer] {
			e.fillScalar(p, object, name, why)
		}
	}
	said, placed := e.setBestReason(p, object, isProblem, listed, why)
	placed = placed || listed
	for _, name := range names {
		if placed && name != said {
			e.setPhrase(p, object, name, isProblem, why)
		}
		e.setTime(p, object, name)
	}
	for _, name := range names {
		part := p.child(name)
		isError, rest := hasRole(name, "list"), why
		switch part.value.(type) {
		case []any:
			if e.carries[part.pointer] || !isError || placed && e.try(part.value, part.set, []any{}) {
				continue
			}
		case map[string]any:
			if e.carries[part.pointer] {
				continue
			}
			if placed && !isError {
				rest.reason, part.silent = "", p.silent || !why.isPlaced()
			}
		default:
			continue
		}
		placed = e.fill(part, rest) || placed
	}
	return placed
}

// isProblemDetails reports whether an object has the members of problem details (RFC 9457 section 3.1).
func isProblemDetails(object map[string]any) bool {
	_, hasStatus := object["status"].(json.Number)
	hasStatus = hasStatus || isText(object, "status")
	return hasStatus && isText(object, "title") && (isText(object, "type") || isText(object, "detail"))
}

func isText(object map[string]any, name string) bool {
	_, ok := object[name].(string)
	return ok
}

// fillErrors fills a list or a map of errors with the findings, and lists that name parts of the request.
func (e *errorBody) fillErrors(p errorPart, why explanation) bool {
	switch v := p.value.(type) {
	case []any:
		if isPlaceList(p) && len(v) > 0 {
			if e.setPlaceList(p, why) {
				e.carryAll(p)
			}
			return false
		}
		return (hasRole(p.name, "list") || listsFindings(p)) && p.depth <= maxDepth && e.fillList(p, v, why)
	case map[string]any:
		if !hasRole(p.name, "list") && !mapsTexts(p.shape) || p.depth > maxDepth {
			return false
		}
		names := p.shape.Names()
		if p.shape.Additional() == schema.Anything {
			names = slices.AppendSeq(slices.Clone(names), maps.Keys(v)) // the names of an example
		}
		for _, name := range names {
			if isReason(name) || isCode(name) || placeRole(name) != "" || hasRole(name, "list") {
				return false // it describes one error
			}
		}
		return e.fillMap(p, v, why)
	}
	return false
}

// mapsTexts reports whether an object is only a map of texts, or of lists of texts: what is wrong with each field.
func mapsTexts(s *schema.Shape) bool {
	other := s.Additional()
	if len(s.Names()) > 0 || other == nil || other == schema.Anything {
		return false
	}
	if other.Types() == schema.Array {
		other = other.Item(0)
	}
	return other != nil && other != schema.Anything && other.Types() == schema.String
}

// fillScalar fills a member that takes the status, a code or the place, and a flag such as success.
func (e *errorBody) fillScalar(p errorPart, object map[string]any, name string, why explanation) {
	part := p.child(name)
	if hasRole(name, "status") {
		e.setStatus(part)
	}
	if _, isFlag := object[name].(bool); isFlag && isSuccess(name) && e.try(object[name], part.set, false) {
		e.carry(part)
	}
	text, ok := object[name].(string)
	if !ok {
		return
	}
	codes := listedTexts(part.shape)
	switch {
	case len(codes) > 0 && (placeRole(name) == "" || !slices.Contains(codes, exchange.InQuery)):
		e.setListed(part, codes, why)
	case isCode(name):
		if e.try(text, part.set, e.freeCode(part, why)) {
			e.carry(part)
		}
	case placeRole(name) != "":
		e.setPlace(p, object, name, why)
	}
}

// setListed sets a text to the value of its enum that means the problem; if none does, to the first.
func (e *errorBody) setListed(p errorPart, codes []string, why explanation) {
	c := e.causeOf(why)
	if len(c.given) == 0 {
		c.named = slices.DeleteFunc(slices.Clone(codes), func(code string) bool {
			return !resource.NamesCode(e.description(), code)
		})
	}
	best := c.codesFor(codes)
	if code := e.declaredCode(why); slices.Contains(codes, code) && e.try(p.value, p.set, code) {
		e.carry(p)
		return
	}
	if example, ok := e.exampleText(p.pointer); ok && c.fit(example) >= 0 && slices.Contains(codes, example) &&
		c.fit(best[0]) <= c.fit(example) && !c.isMeant(best[0]) {
		best = append([]string{example}, best...)
	}
	if c.fit(best[0]) < 0 {
		best = codes
	}
	for _, code := range best[:min(len(best), maxCodes)] {
		if e.try(p.value, p.set, code) {
			if c.isMeant(code) || c.fit(code) > 0 || mayBeCode(p.name) {
				e.carry(p)
			}
			return
		}
	}
}

// description returns what the document says of the response.
func (e *errorBody) description() string {
	if e.request == nil || e.request.Operation == nil {
		return ""
	}
	if r := e.request.Operation.Response(e.status); r != nil && r.Status == strconv.Itoa(e.status) {
		return r.Description
	}
	return ""
}

// mayBeCode reports whether a member says what kind of error there is.
func mayBeCode(name string) bool { return isCode(name) || isReason(name) || hasRole(name, "status") }

// freeCode returns the code of the response's own example if that does not mean another status, else the code of the
// first finding, else the status in words: not-found.
func (e *errorBody) freeCode(p errorPart, why explanation) string {
	if example, ok := e.exampleText(p.pointer); ok {
		if c := e.causeOf(why); c.fit(example) >= 0 {
			return example
		}
	}
	return why.code(e.status)
}

// exampleText returns the text at a place in the example of the response.
func (e *errorBody) exampleText(pointer string) (string, bool) {
	value := e.example
	for token := range exchange.Tokens(pointer) {
		switch v := value.(type) {
		case map[string]any:
			value = v[token]
		case []any:
			if value = nil; len(v) > 0 {
				value = v[0]
			}
		default:
			return "", false
		}
	}
	text, ok := value.(string)
	return text, ok && text != ""
}

// setBestReason puts the reason into the member whose name promises it most: a text, or a list of texts. It returns the
// name of the member, and whether there is one. The title of problem details is the same for all problems of a status
// (RFC 9457 section 3.1.3), so it takes no reason if something else does.
func (e *errorBody) setBestReason(
	p errorPart, object map[string]any, isProblem, listed bool, why explanation,
) (string, bool) {
	names := slices.Sorted(maps.Keys(object))
	for _, role := range reasonRoles() {
		for _, name := range names {
			if !hasRole(name, role) || len(listedTexts(p.shape.Property(name))) > 0 || placeRole(name) != "" {
				continue
			}
			if isProblem && naming.Fold(name) == "title" && (listed || isText(object, "detail")) {
				continue
			}
			part := p.child(name)
			switch v := part.value.(type) {
			case []any:
				if !isTexts(v) {
					continue
				}
				if e.carries[part.pointer] || e.fillList(part, v, why) {
					return name, true
				}
			case string:
				if e.setReason(part, v, why.reason) {
					return name, true
				}
			}
		}
	}
	return "", false
}

func isTexts(list []any) bool {
	if len(list) == 0 {
		return false
	}
	_, ok := list[0].(string)
	return ok
}

// setPhrase fills a text beside the one that has the reason: the title and the type of problem details (RFC 9457
// section 4.2.1), the error of a framework, the code of OAuth 2.0.
func (e *errorBody) setPhrase(p errorPart, object map[string]any, name string, isProblem bool, why explanation) {
	part := p.child(name)
	before, ok := part.value.(string)
	if !ok || e.carries[part.pointer] || len(listedTexts(part.shape)) > 0 {
		return
	}
	text := ""
	switch folded := naming.Fold(name); {
	case isProblem && folded == "type":
		text = "about:blank"
	case isProblem && folded == "instance":
		if e.request != nil {
			text = e.request.Path
		}
	case folded == "error" && isText(object, "error_description"):
		text = oauthError(e.status)
	case folded == "title", folded == "error":
		text = http.StatusText(e.status)
	case folded == "timestamp" && isTime(part.shape) && e.isRequestPath(p, object) && isText(object, "path"):
		e.carry(part) // errors of Spring always have it
	case folded == "type" && isText(object, "msg") && why.code(e.status) == "required":
		text = "missing" // errors of Pydantic, as https://docs.pydantic.dev/latest/errors/validation_errors lists them
	case folded == "type":
		text = e.freeCode(part, why)
	}
	if text != "" && e.try(before, part.set, text) {
		e.carry(part)
	}
}

// setTime sets a member that has the time of the error to now: one whose name is a word for a time, or the only one of
// the object with the format date-time.
func (e *errorBody) setTime(p errorPart, object map[string]any, name string) {
	if e.request == nil || e.request.Now.IsZero() {
		return
	}
	part := p.child(name)
	_, write, ok := generate.ReadTime(part.value)
	if !ok {
		return
	}
	if !hasRole(name, "time") {
		for other := range object {
			if isTime(p.shape.Property(other)) != (other == name) {
				return
			}
		}
	}
	e.try(part.value, part.set, write(e.request.Now))
}

// oauthError returns the error code of OAuth 2.0 for a status (RFC 6750 section 3.1, RFC 6749 section 4.1.2.1).
func oauthError(status int) string {
	switch {
	case status == 401:
		return "invalid_token"
	case status == 403:
		return "insufficient_scope"
	case status == 503:
		return "temporarily_unavailable"
	case status >= 500:
		return "server_error"
	}
	return "invalid_request"
}

func (e *errorBody) setStatus(p errorPart) {
	status := strconv.Itoa(e.status)
	switch v := p.value.(type) {
	case json.Number:
		if e.try(v, p.set, json.Number(status)) {
			e.carry(p)
		}
	case string:
		if strings.Contains(strings.ToLower(p.name), "status") && e.try(v, p.set, status) {
			e.carry(p)
		}
	}
}

// fillList returns each finding an element of its own, made like those that are there.
func (e *errorBody) fillList(p errorPart, list []any, why explanation) bool {
	if len(list) == 0 {
		return false
	}
	for n := min(max(len(why.findings), 1), maxErrors); n > 0; n-- {
		sized := slices.Clone(list[:min(n, len(list))])
		for len(sized) < n {
			sized = append(sized, clone(list[0]))
		}
		if e.try(list, p.set, sized) {
			list = sized
			break
		}
	}
	placed := false
	for i := range list {
		one := why
		if i < len(why.findings) {
			one.reason, one.findings = why.findings[i].String(), why.findings[i:i+1]
			if _, isText := list[i].(string); isText {
				one.reason = e.namedReason(why.findings[i])
			}
		}
		placed = e.fill(e.element(p, list, i), one) || placed
	}
	return placed
}

// fillAnywhere is the last resort if no member takes a reason by its name: it goes to the first text, or list of texts,
// whose name allows it.
func (e *errorBody) fillAnywhere(p errorPart, allows func(name string) bool, reason string) bool {
	if p.depth > maxDepth {
		return false
	}
	switch v := p.value.(type) {
	case []any:
		return len(v) > 0 && e.fillAnywhere(e.element(p, v, 0), allows, reason)
	case map[string]any:
		sorted := slices.Sorted(maps.Keys(v))
		return slices.ContainsFunc(sorted, func(name string) bool {
			part := p.child(name)
			if list, ok := part.value.([]any); ok && allows(name) && reason != "" {
				if isTexts(list) && e.try(list, part.set, []any{reason}) {
					e.carryAll(part)
					return true
				}
				return false
			}
			text, ok := part.value.(string)
			return ok && allows(name) && e.setReason(part, text, reason)
		}) || slices.ContainsFunc(sorted, func(name string) bool {
			return e.fillAnywhere(p.child(name), allows, reason)
		})
	}
	return false
}

// setReason puts a reason in place of a text, as much of it as the schema allows.
func (e *errorBody) setReason(p errorPart, before, reason string) bool {
	if reason == "" {
		return false
	}
	if e.try(before, p.set, reason) {
		e.carry(p)
		return true
	}
	fits := func(length int) bool { return e.try(before, p.set, exchange.Shorten(reason, length)) }
	more := sort.Search(len(reason), func(n int) bool { return !fits(shortestReason + n) })
	if more > 0 && fits(shortestReason+more-1) {
		e.carry(p)
		return true
	}
	return false
}

// code returns the code of the first finding, else the status in words: not-found.
func (why *explanation) code(status int) string {
	if len(why.findings) > 0 {
		return why.findings[0].Code
	}
	return strings.ReplaceAll(strings.ToLower(StatusText(status)), " ", "-")
}

// try sets a value and takes that back if the body does not conform any more.
func (e *errorBody) try(before any, set func(any), after any) bool {
	if set(after); e.conforms() {
		return true
	}
	set(before)
	return false
}

func (e *errorBody) conforms() bool {
	return e.schema == nil || spec.Conforms(e.schema.Keywords, e.value)
}

func member(object map[string]any, name string) func(any) {
	return func(v any) { object[name] = v }
}

func clone(value any) any {
	return jsonvalue.WithTexts(value, func(text string) string { return text })
}

// explanationOf returns findings as an explanation in one line. Findings that read the same stand there once: two parts
// of an allOf may demand one thing.
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
		reason := exchange.Join(distinct[:maxReasonFindings]) + "; and " + strconv.Itoa(more) + " more"
		return explanation{reason: reason, findings: distinct}
	}
	return explanation{reason: exchange.Join(distinct), findings: distinct}
}
