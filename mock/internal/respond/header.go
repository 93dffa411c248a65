package respond

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/coldframe/coldframe/internal/decode"
	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/generate"
	"github.com/coldframe/coldframe/internal/naming"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

type header struct {
	parameter *spec.Parameter
	examples  bool                       // serve them
	generator func() *generate.Generator // nil if it has no schema
	standard  *field                     // what its own standard says; nil for nothing, or if the document says more
}

func newHeader(p *spec.Parameter, options generate.Options) *header {
	h := &header{parameter: p, examples: options.Examples, generator: generatorOf(p.ValueSchema(), options)}
	if p.Content == nil && !isStated(p.Schema, options.Examples) {
		h.standard = fieldNamed(p.Name)
	}
	return h
}

// isStated reports whether a schema says more of its values than their type.
func isStated(s *spec.Schema, examples bool) bool {
	if s == nil {
		return false
	}
	for k := range schema.All(s.Keywords) {
		n := s.Node(k)
		if k.Enum != nil || k.Const != nil || k.Pattern != nil ||
			examples && (n.Get("example") != nil || n.Get("examples") != nil || n.Get("default") != nil) {
			return true
		}
	}
	return false
}

// value returns the header's documented example, else a value of the field's own standard, or else generates a value.
func (h *header) value(a *fieldAsk) (any, error) {
	examples := h.parameter.Examples
	if h.parameter.Content != nil {
		examples = append(slices.Clip(examples), h.parameter.Content.Examples...)
	}
	if h.examples {
		for _, e := range examples {
			if len(e.Broken) == 0 {
				return e.Value, nil
			}
		}
	}
	if h.standard != nil {
		if value, ok := h.fitting(h.standard.value(a)); ok {
			return value, nil
		}
	}
	if generator := h.generator(); generator != nil {
		return generator.Value(a.key)
	}
	return h.parameter.Name, nil
}

// fitting returns a field's text as the header's schema takes it: as a text, a number, a boolean or a list of one.
func (h *header) fitting(text string) (any, bool) {
	s := h.parameter.Schema
	if text == "" {
		return nil, false
	}
	if s == nil {
		return text, true
	}
	candidates := []any{text, []any{text}}
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		candidates = append(candidates, json.Number(text))
	}
	if text == "true" {
		candidates = append(candidates, true)
	}
	for _, value := range candidates {
		if spec.Conforms(s.Keywords, value) {
			return value, true
		}
	}
	return nil, false
}

// field is a header field with a standard, or with the same meaning in many APIs.
type field struct {
	name   string // in lower case; "*" before it for any that ends so
	source string
	value  func(a *fieldAsk) string // "" if none
}

// fieldAsk is what the value of a field depends on.
type fieldAsk struct {
	request *Request
	key     generate.Key
	origin  string   // of the server
	methods []string // of the request's path
}

// fieldTime is the time in all fields with a time: a response depends on its request alone.
var fieldTime = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

func constant(text string) func(*fieldAsk) string { return func(*fieldAsk) string { return text } }

// at returns an HTTP date (RFC 9110 section 5.6.7) within a month after fieldTime, plus days.
func at(days int) func(*fieldAsk) string {
	return func(a *fieldAsk) string {
		second := time.Duration(uint64(a.key)%(30*24*60*60)) * time.Second
		return fieldTime.AddDate(0, 0, days).Add(second).Format(http.TimeFormat)
	}
}

// resourceURL returns the URL of what the request concerns.
func (a *fieldAsk) resourceURL() string { return a.origin + a.request.Path }

const (
	semantics = "RFC 9110"
	fetch     = "https://fetch.spec.whatwg.org"
	limits    = "draft-ietf-httpapi-ratelimit-headers"
)

// standardFields are rows by the names of fields.
var standardFields = []field{
	{"accept-ranges", semantics + " section 14.3", constant("bytes")},
	{"access-control-allow-credentials", fetch, constant("true")},
	{"access-control-allow-headers", fetch, constant("Authorization, Content-Type")},
	{"access-control-allow-methods", fetch, (*fieldAsk).allow},
	{"access-control-allow-origin", fetch, constant("*")},
	{"access-control-expose-headers", fetch, constant("*")},
	{"access-control-max-age", fetch, constant("600")},
	{"age", "RFC 9111 section 5.1", constant("0")},
	{"allow", semantics + " section 10.2.1", (*fieldAsk).allow},
	{"cache-control", "RFC 9111 section 5.2", constant("no-cache")},
	{"content-disposition", "RFC 6266", (*fieldAsk).disposition},
	{"content-language", semantics + " section 8.5", constant("en")},
	{"content-location", semantics + " section 8.7", (*fieldAsk).resourceURL},
	{"content-range", semantics + " section 14.4", constant("bytes 0-99/100")},
	{"deprecation", "RFC 9745", constant("@" + strconv.FormatInt(fieldTime.Unix(), 10))},
	{"etag", semantics + " section 8.8.3", (*fieldAsk).etag},
	{"expires", "RFC 9111 section 5.3", at(31)},
	{"last-modified", semantics + " section 8.8.2", at(0)},
	{"link", "RFC 8288", func(a *fieldAsk) string { return "<" + a.resourceURL() + `>; rel="self"` }},
	{"location", semantics + " section 10.2.2", (*fieldAsk).resourceURL},
	{"pragma", "RFC 9111 section 5.4", constant("no-cache")},
	{"ratelimit", limits, constant(`"default";r=99;t=60`)},
	{"ratelimit-policy", limits, constant(`"default";q=100;w=60`)},
	{"retry-after", semantics + " section 10.2.3", constant("60")},
	{"set-cookie", "RFC 6265 section 4.1", (*fieldAsk).cookie},
	{"strict-transport-security", "RFC 6797", constant("max-age=31536000")},
	{"sunset", "RFC 8594", at(365)},
	{"vary", semantics + " section 12.5.5", constant("Accept")},
	{"x-content-type-options", fetch, constant("nosniff")},
	{"*ratelimit-limit", limits, constant("100")},
	{"*ratelimit-remaining", limits, constant("99")},
	{"*ratelimit-reset", limits, constant("60")},
	{"*rate-limit-limit", limits, constant("100")},
	{"*rate-limit-remaining", limits, constant("99")},
	{"*rate-limit-reset", limits, constant("60")},
}

// fieldNamed returns the row of a field, nil if none.
func fieldNamed(name string) *field {
	name = strings.ToLower(name)
	i := slices.IndexFunc(standardFields, func(f field) bool {
		ending, isEnding := strings.CutPrefix(f.name, "*")
		return f.name == name || isEnding && strings.HasSuffix(name, ending)
	})
	if i < 0 {
		return nil
	}
	return &standardFields[i]
}

func (a *fieldAsk) allow() string { return strings.Join(slices.Sorted(slices.Values(a.methods)), ", ") }

func (a *fieldAsk) token() string { return strconv.FormatUint(uint64(a.key), 36) }

func (a *fieldAsk) cookie() string { return "session=" + a.token() + "; Path=/; HttpOnly" }

func (a *fieldAsk) etag() string { return strconv.Quote(a.token()) }

// disposition names a file after the last thing that the path names.
func (a *fieldAsk) disposition() string {
	name := ""
	for segment := range strings.SplitSeq(a.request.Operation.Path, "/") {
		if segment != "" && !strings.Contains(segment, "{") {
			name = strings.Join(naming.Words(segment), "-")
		}
	}
	return `attachment; filename="` + strings.Map(fileCharacter, name) + `"`
}

// transportHeaders say how a message travels: the server sets them, whatever a document says.
var transportHeaders = []string{
	"Content-Length", "Content-Encoding", "Transfer-Encoding", "Connection", "Keep-Alive", "Trailer", "Upgrade", "Date",
}

// setHeaders sets the documented headers of a response. One for which no value can be made is left out.
func (r *Responder) setHeaders(q *Request, a *Answer, documented *spec.Response) {
	if len(documented.Headers) == 0 {
		return
	}
	ask := fieldAsk{request: q, origin: q.OriginAt(r.url()), methods: r.methods[q.Operation.Path]}
	for _, h := range documented.Headers {
		if slices.ContainsFunc(transportHeaders, func(name string) bool { return strings.EqualFold(name, h.Name) }) {
			continue
		}
		ask.key = q.key(documented.Status, h.Name)
		value, err := r.headers[h].value(&ask)
		if err != nil {
			continue
		}
		if list, ok := value.([]any); ok && strings.EqualFold(h.Name, "Set-Cookie") { // RFC 6265 section 3: not folded
			for _, cookie := range list {
				if text, ok := cookie.(string); ok {
					a.Header = append(a.Header, exchange.Field{Name: h.Name, Value: strings.Map(fieldCharacter, text)})
				}
			}
			continue
		}
		if text, err := decode.Encode(h, value); err == nil {
			a.Header.Set(h.Name, strings.Map(fieldCharacter, text))
			isFree := h.Schema == nil || spec.Conforms(h.Schema.Keywords, ask.etag())
			if text == ask.etag() || q.Operation.Kept && isFree && strings.EqualFold(h.Name, "ETag") {
				a.generatedTag = text
			}
		}
	}
}

// fieldCharacter returns a space for what may not stand in a field's value (RFC 9110 section 5.5).
func fieldCharacter(r rune) rune {
	if unicode.IsControl(r) && r != '\t' {
		return ' '
	}
	return r
}
