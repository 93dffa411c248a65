package cases

import (
	"encoding/base64"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/jsontext"
)

// proposeParameters proposes changes of whole parameters: left out, empty, given twice, unknown.
func (c *coverage) proposeParameters(p *proposals) {
	query := false
	var optional []*parameter
	for _, parameter := range c.parameters {
		if _, ok := c.parameterValues[parameter]; !ok {
			continue
		}
		p.site = &site{location: location{parameter: parameter}}
		if !parameter.Required && !unguessable(parameter) {
			optional = append(optional, parameter)
		}
		if parameter.Required && parameter.In != exchange.InPath {
			p.request(essential, Refused, "left out", func(key generate.Key) *draft {
				d := c.plain(key).clone()
				delete(d.values, parameter)
				return d
			}, unchanged).code = "missing-parameter"
		}
		switch parameter.In {
		case exchange.InQuery:
			query = true
			c.proposeQuery(parameter, p)
		case exchange.InPath:
			c.proposeKey(parameter, p)
		}
	}
	p.site = &site{}
	if query {
		p.request(exotic, Anything, "with a query parameter that is not known", nil, func(r *exchange.Request) bool {
			if r.Query != "" {
				r.Query += "&"
			}
			r.Query += "unexpectedParameter=1"
			return true
		})
	}
	if len(optional) >= 2 {
		p.request(usual, Accepted, "with all optional parameters", func(key generate.Key) *draft {
			d := c.plain(key).clone()
			for _, parameter := range optional {
				d.values[parameter] = c.valueOf(parameter, key)
			}
			return d
		}, unchanged)
	}
}

// proposeKey returns the number of an item that exists with letters after it.
func (c *coverage) proposeKey(parameter *parameter, p *proposals) {
	value, ok := withLetters(c.parameterValues[parameter])
	if !ok || c.operation.Method == "DELETE" {
		return
	}
	p.request(usual, Refused, "an item's number with letters after it", func(key generate.Key) *draft {
		d := c.plain(key).clone()
		d.values[parameter] = value
		return d
	}, func(r *exchange.Request) bool {
		r.Path = strings.Replace(r.Path, "{"+parameter.Name+"}", "{"+parameter.Name+"}abc", 1)
		return true
	}).code = "type"
}

// proposeQuery is for a parameter of the query, which servers read in different ways
// if it is empty or repeated.
func (c *coverage) proposeQuery(parameter *parameter, p *proposals) {
	given := func(key generate.Key) *draft {
		d := c.plain(key)
		if _, ok := d.values[parameter]; !ok {
			d = d.clone()
			d.values[parameter] = c.parameterValues[parameter]
		}
		return d
	}
	// mine finds the pair of the parameter in a query.
	mine := func(pairs []string) int {
		return slices.IndexFunc(pairs, func(pair string) bool {
			name, _, _ := strings.Cut(pair, "=")
			return name == parameter.Name
		})
	}
	p.request(usual, Anything, "empty", given, func(r *exchange.Request) bool {
		pairs := strings.Split(r.Query, "&")
		first := mine(pairs)
		if first < 0 {
			return false
		}
		for i := first; i >= 0; i = mine(pairs) {
			pairs = slices.Delete(pairs, i, i+1)
		}
		r.Query = strings.Join(slices.Insert(pairs, first, parameter.Name+"="), "&")
		return true
	})
	p.request(exotic, Anything, "given twice", given, func(r *exchange.Request) bool {
		pairs := strings.Split(r.Query, "&")
		i := mine(pairs)
		if i < 0 {
			return false
		}
		r.Query += "&" + pairs[i]
		return true
	})
}

// foreignTypes are media types that hardly any API takes for what it documents.
var foreignTypes = []string{"text/plain", "application/xml", "application/x-www-form-urlencoded", "application/x-unknown"}

// proposeBodies proposes changes of whole bodies: another media type, none, and broken syntax.
func (c *coverage) proposeBodies(p *proposals) {
	if len(c.bodies) == 0 {
		return
	}
	p.site = &site{body: c.bodies[0]}
	withoutBody := func(r *exchange.Request) bool {
		r.Body = nil
		r.Header.Del("Content-Type")
		return true
	}
	s := c.bodies[0].Schema
	switch {
	case c.operation.Body.Required:
		isFile := !c.bodies[0].IsJSON() && c.bodies[0].Conforms("") // no bytes are an empty one
		p.request(essential, Refused, "left out", nil, withoutBody).lenient = isFile
		p.request(usual, Refused, "empty", nil, func(r *exchange.Request) bool { r.Body = nil; return true })
	case s != nil && len(s.Requires()) > 0: // that it may be left out is more likely a slip
		p.request(usual, Anything, "left out", nil, withoutBody)
	default:
		p.request(usual, Accepted, "left out", nil, withoutBody).on(LeftOut)
	}
	for i, b := range c.bodies {
		if _, ok := c.completeBodies[b]; ok {
			p.site = &site{body: b}
			c.proposeMedia(p, i > 0)
		}
	}
	p.site = &site{} // a header field that no parameter describes
	if !slices.ContainsFunc(c.bodies, func(b *body) bool {
		return b.IsJSON() || b.Range == "*/*" || b.Range == "application/*"
	}) {
		c.proposeJSON(p)
	}
	for i, media := range foreignTypes {
		rank := exotic
		if i == 0 {
			rank = essential
		}
		p.request(rank, Refused, "of media type "+media, nil, typed(media))
	}
	p.request(exotic, Refused, "with a Content-Type that is none", nil, typed("json")).lenient = true
	p.request(exotic, Anything, "without Content-Type", nil,
		func(r *exchange.Request) bool { r.Header.Del("Content-Type"); return true })
}

// proposeMedia is for one media type of the body. alternative says that plain requests have another one.
func (c *coverage) proposeMedia(p *proposals, alternative bool) {
	b := p.site.body
	sent := func(key generate.Key) *draft { return c.sending(b, key, "required") }
	if alternative {
		as := p.request(essential, Accepted, "as "+b.Range, sent, unchanged)
		if b.sameSchema(c.bodies[0]) {
			as.on(Media)
		}
	}
	p.request(usual, Accepted, "with all that is optional, as "+b.Range,
		func(key generate.Key) *draft { return c.sending(b, key, "all") }, unchanged)
	if b.IsJSON() {
		for _, fault := range jsonFaults {
			rank := fault.rank
			if alternative {
				rank = exotic
			}
			p.request(rank, fault.want, fault.what, sent, fault.body.edit).lenient = fault.lenient
		}
		for _, same := range []struct{ what, contentType string }{
			{"with charset=utf-8", b.Concrete() + "; charset=utf-8"},
			{"with its media type in capitals", strings.ToUpper(b.Concrete())},
			{"with charset=\"UTF-8\"", b.Concrete() + `;charset="UTF-8"`},
		} {
			as := p.request(usual, Accepted, same.what, sent, typed(same.contentType))
			if !alternative {
				as.on(SameThing)
			}
		}
		p.request(exotic, Anything, "with charset=iso-8859-1", sent, typed(b.Concrete()+"; charset=iso-8859-1"))
	}
	if b.Type == "multipart" {
		p.request(usual, Refused, "without its boundary", sent, typed(b.Concrete()))
		p.request(usual, Refused, "with another boundary", sent, typed(b.Concrete()+`; boundary="another"`))
		p.request(exotic, Refused, "cut short", sent, func(r *exchange.Request) bool {
			r.Body = r.Body[:len(r.Body)/2]
			return true
		}).lenient = true
		for _, fault := range partFaults {
			p.request(usual, Refused, fault.what, sent, fault.body.edit).lenient = fault.lenient
		}
		c.proposeFiles(p)
	}
	if b.isXML() {
		p.request(usual, Refused, "cut short", sent, substitution{regexp.MustCompile(`(?s).\s*\z`), ""}.edit)
	}
	if b.Type == "text" {
		p.request(exotic, Refused, "of bytes that are not UTF-8", sent, replacing(`\z`, "\xff\xfe").edit).lenient = true
	}
}

func typed(contentType string) func(*exchange.Request) bool {
	return func(r *exchange.Request) bool { r.Header.Set("Content-Type", contentType); return true }
}

// sending returns the plain draft with a body of another media type, or a fuller
// one; nil if none can be made.
func (c *coverage) sending(b *body, key generate.Key, fill string) *draft {
	d := c.plain(key)
	if d.body == b && fill == "required" {
		return d
	}
	value, err := b.make(key.Child("body"), c.have, fill)
	if err != nil {
		return nil
	}
	return d.with(b, value)
}

// substitution replaces what matches in a request's body.
type substitution struct {
	pattern *regexp.Regexp
	with    string // as regexp.Regexp.Expand reads it
}

func replacing(pattern, with string) substitution {
	return substitution{regexp.MustCompile("(?s)" + pattern), with}
}

// edit reports whether anything was replaced, and not all taken away.
func (s substitution) edit(r *exchange.Request) bool {
	if !s.pattern.Match(r.Body) {
		return false
	}
	r.Body = s.pattern.ReplaceAll(r.Body, []byte(s.with))
	return len(r.Body) > 0
}

// jsonFaults break the syntax of JSON. Lenient ones are of a wider syntax, or broken only behind or within the
// value: "a JSON parser MAY accept non-JSON forms or extensions" (RFC 8259 section 9). Duplicate names are left
// out: section 4 leaves them to the recipient.
var jsonFaults = []struct {
	rank    int
	want    Outcome
	lenient bool
	what    string
	body    substitution
}{
	{essential, Refused, false, "cut short", replacing(`.\z`, "")},
	{usual, Refused, true, "with a comma after the last", replacing(`^(..+)(.)\z`, "$1,$2")},
	{usual, Refused, true, "with text after the end", replacing(`\z`, " x")},
	{usual, Refused, false, "that is not JSON", replacing(`^.*\z`, "name=value")},
	{exotic, Refused, true, "twice in a row", replacing(`^.*\z`, "$0\n$0")},
	{exotic, Refused, true, "in single quotes", replacing(`"`, "'")},
	{exotic, Refused, true, "with a name without quotes", replacing(`^([^"]*\{|)"([^"]*)"`, "$1$2")},
	{exotic, Refused, false, "without a colon", replacing(`^(.*?)":`, `$1" `)},
	{exotic, Refused, true, "with a comment", replacing(`^`, "// comment\n")},
	{exotic, Refused, true, "NaN", replacing(`^.*\z`, "NaN")},
	{exotic, Refused, true, "of bytes that are not UTF-8", replacing(`^(.*)"`, "$1\xff\xfe\"")},
	{exotic, Anything, false, "with half of a surrogate pair", replacing(`^(.*)"`, `$1\ud800"`)}, // RFC 8259 section 8.2
	{exotic, Refused, false, "nested a hundred deep", replacing(`^.*\z`, strings.Repeat("[", 100)+strings.Repeat("]", 100))},
	{exotic, Refused, false, "of a hundred brackets", replacing(`^.*\z`, strings.Repeat("[", 100))},
	{exotic, Anything, false, "nested ten thousand deep",
		replacing(`^.*\z`, strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000))},
}

// partFaults break the parts of a multipart body. A server may read a part's
// bytes whatever its own Content-Type says.
var partFaults = []struct {
	lenient bool
	what    string
	body    substitution
}{
	{true, "with a part of another media type",
		replacing(`^(.*?Content-Type: )[^\r]*\r`, "${1}application/x-unknown\r")},
	{true, "with a second part of another media type",
		replacing(`^(.*?Content-Type: .*?Content-Type: )[^\r]*\r`, "${1}application/x-unknown\r")},
	{false, "with a part of JSON that is cut short",
		replacing(`^(.*?application/json\r\n\r\n.*?).(\r\n--)`, "$1$2")},
}

// proposeFiles proposes for the parts of a multipart body that are files: each media type that the document
// lists for one, with a true file of it, and none at all in it. Plain requests have the first type.
func (c *coverage) proposeFiles(p *proposals) {
	b := p.site.body
	for _, name := range slices.Sorted(maps.Keys(b.files)) {
		p.site = &site{body: b, location: location{tokens: []string{name}}}
		if e := b.Encoding[name]; e != nil {
			for i, kind := range strings.Split(e.ContentType, ",") {
				if kind = strings.TrimSpace(kind); i == 0 || strings.ContainsAny(kind, "*;") || sampleFile(kind) == "" {
					continue
				}
				field := replacing(`(; name=`+regexp.QuoteMeta(strconv.Quote(name))+
					`[^\r]*\r\n(?:[^\r]+\r\n)*?Content-Type: )[^\r]*`, "${1}"+kind)
				p.request(usual, Accepted, "as "+kind, c.holding(b, name, sampleFile(kind)), field.edit).on(Listed)
			}
		}
		p.request(usual, Anything, "an empty file", c.holding(b, name, ""), unchanged)
	}
}

// holding returns drafts in whose body a file holds a content; the other parts are those that are required.
func (c *coverage) holding(b *body, name, content string) base {
	return func(key generate.Key) *draft {
		d := c.sending(b, key, "required")
		if d == nil {
			return nil
		}
		object, ok := d.value.(map[string]any)
		if !ok {
			return nil
		}
		var file any = content
		if _, list := object[name].([]any); list {
			file = []any{content}
		}
		return d.with(b, mergeObjects(object, map[string]any{name: file}))
	}
}

// proposeJSON proposes the values of a body that is never JSON as JSON, files as base64.
func (c *coverage) proposeJSON(p *proposals) {
	var value any
	sent := func(key generate.Key) *draft {
		d := c.plain(key)
		value = d.value
		return d
	}
	p.request(usual, Refused, "of media type application/json", sent, func(r *exchange.Request) bool {
		if object, ok := value.(map[string]any); ok {
			object = maps.Clone(object)
			for name := range c.bodies[0].files {
				if text, ok := object[name].(string); ok {
					object[name] = base64.StdEncoding.EncodeToString([]byte(text))
				}
			}
			value = object
		}
		r.Header.Set("Content-Type", "application/json")
		r.Body = jsontext.Append(nil, value)
		return true
	})
}
