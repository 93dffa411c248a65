package replay

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
	"github.com/coldframe/coldframe/internal/validate"
)

// Request is what decides which exchange answers a request.
type Request struct {
	*exchange.Request // without credentials
	Operation         *spec.Operation
	Values            decode.Values
	Undeclared        []string        // names of query parameters that the document does not have
	Cursors           map[string]bool // query parameters that repeat what an earlier response said
	Authorized        bool            // it has the credentials that its operation needs, whatever they are
}

type key = [sha256.Size]byte

// The tiers of a match, best first.
const (
	exact              = iota // all that the request says
	withoutVolatile           // without what differs between requests that mean the same
	withoutCredentials        // the same, whether the request has credentials or not: browsers record none
	withoutBody               // for requests whose body was not recorded
	tiers
)

// keys returns the keys of the request, by tier. Conditions and ranges count in each, because they ask for a 304 or 206
// in place of the usual response.
func (r *Request) keys(all, stable map[string]any) (keys [tiers]key) {
	said := []map[string]any{exact: all, withoutVolatile: stable, withoutCredentials: stable,
		withoutBody: {inPath: stable[inPath], inQuery: stable[inQuery]}}
	for tier := range keys {
		about := map[string]any{
			"tier": tier, "operation": r.Operation.Method + " " + r.Operation.Path, "method": r.Method,
			"authorized": r.Authorized && tier < withoutCredentials, "said": said[tier],
		}
		for _, status := range validate.RequestedStatuses(r.Header) {
			if status != http.StatusNotAcceptable { // nearly every request has Accept
				about[strconv.Itoa(status)] = true
			}
		}
		keys[tier] = sha256.Sum256(jsontext.Append(nil, about))
	}
	return keys
}

// The members of what a request says.
const (
	inPath  = exchange.InPath
	inQuery = exchange.InQuery
	inBody  = exchange.InBody
)

// Said returns what the request says, and the same without its volatile parts: parameters that the document does not
// have, cursors, and what the document declares as dates, times or readOnly. The path stays whole.
func (r *Request) Said() (all, stable map[string]any) {
	all, stable = map[string]any{}, map[string]any{}
	if len(r.Values.Path) > 0 {
		all[inPath] = plain(r.Values.Path)
		stable[inPath] = all[inPath]
	}
	query, steady := map[string]any{}, map[string]any{}
	for _, p := range r.Operation.Parameters {
		value, sent := r.Values.Query[p.Name]
		if p.In != exchange.InQuery || !sent {
			continue
		}
		query[p.Name] = plain(value)
		if s := p.ValueSchema(); s == nil {
			steady[p.Name] = query[p.Name]
		} else if kept, ok := withoutParts([]*spec.Keywords{s.Keywords}, query[p.Name]); ok && !r.Cursors[p.Name] {
			steady[p.Name] = kept
		}
	}
	if len(r.Undeclared) > 0 {
		sent, _ := url.ParseQuery(r.Query)
		for _, name := range r.Undeclared {
			if _, declared := query[name]; !declared {
				query[name] = strings.Join(sent[name], ",")
			}
		}
	}
	if len(query) > 0 {
		all[inQuery] = query
	}
	if len(steady) > 0 {
		stable[inQuery] = steady
	}
	if len(r.Body) > 0 {
		body, s := r.body()
		all[inBody], stable[inBody] = body, body
		if s != nil {
			kept, ok := withoutParts([]*spec.Keywords{s.Keywords}, body)
			if stable[inBody] = kept; !ok {
				delete(stable, inBody)
			}
		}
	}
	return all, stable
}

// body returns the value of the body, and its schema; nil if it has none.
func (r *Request) body() (any, *spec.Schema) {
	if m := r.Values.MediaType; r.Values.HasBody && m != nil && !m.IsFile() {
		if value := r.Values.Body(); value != nil {
			return plain(value), m.Schema
		}
	}
	contentType, _ := r.Header.Get("Content-Type")
	value := jsontext.DecodeBody(contentType, r.Body)
	if text, ok := value.(string); ok && (len(text) > maxSaid || !utf8.ValidString(text)) {
		sum := sha256.Sum256(r.Body)
		return "SHA-256 " + hex.EncodeToString(sum[:]), nil
	}
	return plain(value), nil
}

// withoutParts returns a value without its volatile parts; ok is false if all of it is volatile.
func withoutParts(schemas []*spec.Keywords, value any) (kept any, ok bool) {
	b := schema.BoundsFor(schemas, value)
	if isMoment(b.Format) || slices.ContainsFunc(schemas, schema.ReadOnly) {
		return nil, false
	}
	switch v := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			of, _ := b.Property(name)
			if kept, ok := withoutParts(of, member); ok {
				object[name] = kept
			}
		}
		return object, len(object) > 0 || len(v) == 0
	case []any:
		list := make([]any, 0, len(v))
		for i, element := range v {
			if kept, ok := withoutParts(b.Item(i), element); ok {
				list = append(list, kept)
			}
		}
		return list, true
	}
	return value, true
}

// isMoment reports whether values of a format are points in time (JSON Schema Validation section 7.3.1).
func isMoment(format string) bool {
	return format == "date" || format == "date-time" || format == "time"
}

// plain returns a value in which equal numbers are written alike.
func plain(value any) any {
	switch v := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = plain(member)
		}
		return object
	case []any:
		list := make([]any, len(v))
		for i, element := range v {
			list[i] = plain(element)
		}
		return list
	case json.Number:
		if !strings.ContainsAny(string(v), ".eE") {
			return v
		}
		if f, err := strconv.ParseFloat(string(v), 64); err == nil {
			return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
		}
	}
	return value
}
