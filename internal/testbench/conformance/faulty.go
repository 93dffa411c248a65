package main

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/spec"
)

// clone copies a request so that it can be changed.
func clone(r *exchange.Request) *exchange.Request {
	copied := *r
	copied.Header = slices.Clone(r.Header)
	return &copied
}

// fault is what makes a request invalid: the part of it that a good answer
// names, and how it was made wrong.
type fault struct{ part, how string }

// faulty makes a request invalid in one way: something required is left out or
// has a wrong type. It is nil if nothing about the operation can be wrong.
func faulty(o *spec.Operation, valid *exchange.Request) (*exchange.Request, fault) {
	r := clone(valid)
	if o.Body != nil && o.Body.Required && len(r.Body) > 0 {
		media, ok := r.Header.Get("Content-Type")
		if ok && strings.Contains(media, "json") {
			if body, what := faultyJSON(o, r.Body); body != nil {
				r.Body = body
				return r, what
			}
		}
		r.Body = nil
		r.Header.Del("Content-Type")
		return r, fault{"body", "left out"}
	}
	if what, ok := leaveOutParameter(o, r); ok {
		return r, what
	}
	return corruptPath(o, r)
}

// leaveOutParameter takes a required parameter of the query or the header out of a
// request.
func leaveOutParameter(o *spec.Operation, r *exchange.Request) (fault, bool) {
	for _, p := range o.Parameters {
		switch {
		case !p.Required:
		case p.In == exchange.InQuery && r.Query != "":
			before := len(r.Query)
			r.Query = withoutQuery(r.Query, p.Name)
			if len(r.Query) != before {
				return fault{p.Name, "left out of the query"}, true
			}
		case p.In == exchange.InHeader:
			if _, ok := r.Header.Get(p.Name); ok {
				r.Header.Del(p.Name)
				return fault{p.Name, "left out of the header"}, true
			}
		}
	}
	return fault{}, false
}

// corruptPath returns the path's only variable a value that its schema forbids.
func corruptPath(o *spec.Operation, r *exchange.Request) (*exchange.Request, fault) {
	for _, p := range o.Parameters {
		if p.In != exchange.InPath || p.Schema == nil || p.Schema.Check("x~!", "", "") == nil ||
			p.Schema.Check([]any{"x~!"}, "", "") == nil { // a list of one looks the same
			continue
		}
		r.Path = strings.ReplaceAll(o.Template(), "{"+p.Name+"}", "x~!")
		for _, q := range o.Parameters {
			if q.In == exchange.InPath && q != p {
				return nil, fault{}
			}
		}
		return r, fault{p.Name, "x~! in the path"}
	}
	return nil, fault{}
}

// faultyJSON drops a required property or, if there is none, sends another
// type; nil if the schema takes even that.
func faultyJSON(o *spec.Operation, body []byte) ([]byte, fault) {
	value, err := jsontext.Decode(string(body))
	if err != nil {
		return nil, fault{}
	}
	at := slices.IndexFunc(o.Body.Content, (*spec.MediaType).IsJSON)
	if at < 0 || o.Body.Content[at].Schema == nil {
		return nil, fault{}
	}
	schema := o.Body.Content[at].Schema
	if object, ok := value.(map[string]any); ok {
		for name := range schema.Requires() {
			if before, has := object[name]; has {
				delete(object, name)
				if schema.Check(object, "", "") != nil {
					return jsontext.Append(nil, object), fault{name, "left out of the body"}
				}
				object[name] = before
			}
		}
	}
	for _, wrong := range []any{"text", true, []any{}, map[string]any{}, nil} {
		if schema.Check(wrong, "", "") != nil {
			return jsontext.Append(nil, wrong), fault{"body", "of another type"}
		}
	}
	return nil, fault{}
}

// withoutQuery takes a parameter's pairs out of a query, pairs of deepObject
// too.
func withoutQuery(query, name string) string {
	pairs := slices.DeleteFunc(strings.Split(query, "&"), func(pair string) bool {
		key, _, _ := strings.Cut(pair, "=")
		return key == name || strings.HasPrefix(key, name+"[") || strings.HasPrefix(key, name+"%5B")
	})
	return strings.Join(pairs, "&")
}

// withoutCredentials takes every credential of the operation out of a request.
func withoutCredentials(o *spec.Operation, valid *exchange.Request) *exchange.Request {
	r := clone(valid)
	r.Header.Del("Authorization")
	for _, alternative := range o.Security {
		for _, need := range alternative {
			s := need.Scheme
			switch {
			case s.Type != "apiKey":
			case s.In == exchange.InHeader:
				r.Header.Del(s.Name)
			case s.In == exchange.InQuery:
				r.Query = withoutQuery(r.Query, s.Name)
			case s.In == exchange.InCookie:
				r.Header.Del("Cookie")
			}
		}
	}
	return r
}
