package cases

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/jsontext"
	"github.com/coldframe/coldframe/internal/jsonvalue"
	"github.com/coldframe/coldframe/internal/spec"
)

// site is a place of a request whose value is changed: a parameter, a body, or
// something within one.
type site struct {
	parameter       *parameter // nil for a place of a body
	body            *body      // nil for a place of a parameter
	tokens          []string   // of the JSON Pointer from the value's root
	schema          *spec.Schema
	constraints     *constraints
	value           any           // what stands there in the template
	minimal         bool          // it is there where only what is required is
	repeated        bool          // an element whose schema another element has, too
	optional        bool          // what is around it can be without it
	alternativeBody bool          // of a media type that says the same as that of plain requests
	branchTaken     []branchTaken // the branches that the template takes around it
	variant         *variant      // of a branch that the template does not take; nil for the template's own
}

// place says where the site, or what token leads to from it, stands.
func (s *site) place(token string) exchange.Finding {
	f := exchange.Finding{In: exchange.InBody}
	if s.parameter != nil {
		f.In, f.Name = s.parameter.In, s.parameter.Name
		if f.In == "querystring" {
			f.In = exchange.InQuery
		}
	} else if s.body == nil {
		f.In, f.Name = exchange.InRequest, ""
	}
	var b strings.Builder
	for _, t := range s.tokens {
		b.WriteByte('/')
		b.WriteString(exchange.EscapePointer(t))
	}
	if token != "" {
		b.WriteByte('/')
		b.WriteString(exchange.EscapePointer(token))
	}
	f.Pointer = b.String()
	return f
}

// names gives the names of the properties that lead to the site, of the last
// two.
func (s *site) names() []string {
	names := slices.Clone(s.tokens[max(0, len(s.tokens)-2):])
	if s.parameter != nil {
		names = append(names, s.parameter.Name)
	}
	return names
}

// text reports whether values travel as text there: types that look alike
// cannot be told apart.
func (s *site) text() bool {
	return s.parameter != nil && s.parameter.Content == nil || s.body != nil && !s.body.IsJSON()
}

// opaque reports whether the schema says nothing of the form of what stands
// there: a file, or text of a media type of its own.
func (s *site) opaque() bool {
	if s.body == nil {
		return false
	}
	if !s.body.structured() {
		return true
	}
	if len(s.tokens) == 0 {
		return false
	}
	_, file := s.body.files[s.tokens[0]]
	return file
}

// of gives the site's value in a draft.
func (s *site) of(d *draft) (any, bool) {
	if s.parameter == nil {
		return jsonvalue.At(d.value, s.tokens)
	}
	value, ok := d.values[s.parameter]
	if !ok {
		return nil, false
	}
	return jsonvalue.At(value, s.tokens)
}

// put gives a draft like d with another value at the site.
func (s *site) put(d *draft, value any) (*draft, bool) {
	changed := d.clone()
	ok := true
	if s.parameter == nil {
		changed.value, ok = jsonvalue.With(d.value, s.tokens, value)
		return changed, ok
	}
	changed.values[s.parameter], ok = jsonvalue.With(d.values[s.parameter], s.tokens, value)
	if s.parameter.In == exchange.InPath {
		changed.own[s.parameter.Name] = true
	}
	return changed, ok
}

// graft gives lean with what full has where tokens lead.
func graft(minimal, full any, tokens []string) any {
	if len(tokens) == 0 {
		return minimal
	}
	l, lok := minimal.(map[string]any)
	f, fok := full.(map[string]any)
	if !lok || !fok {
		return full
	}
	from, ok := f[tokens[0]]
	if !ok {
		return minimal
	}
	object := maps.Clone(l)
	if to, has := l[tokens[0]]; has {
		object[tokens[0]] = graft(to, from, tokens[1:])
	} else {
		object[tokens[0]] = from
	}
	return object
}

// isNew reports whether the value was not yet sent at the proposal's site.
func (c *coverage) isNew(p *proposal, value any) bool {
	_, ok := c.seen[c.signature(p, value)]
	return !ok
}

func (c *coverage) remember(p *proposal, value any) {
	c.seen[c.signature(p, value)] = struct{}{}
}

func (c *coverage) signature(p *proposal, value any) uint64 {
	var h fnv
	about := p.site.place("")
	h.add([]byte(about.In + " " + about.Name))
	if p.site.body != nil {
		h.add([]byte(p.site.body.Range))
	}
	h.add([]byte(about.Pointer))
	if v := p.site.variant; v != nil {
		h.add([]byte(v.branch + v.site.place("").Pointer))
	}
	if p.want == Accepted && p.hidesValue {
		h.add([]byte(p.what))
		return uint64(h)
	}
	h.add(jsontext.Append(nil, value))
	return uint64(h)
}

// shown is how much of a value a title shows, in bytes.
const shown = 60

// brief gives a value for a title, "" for one that is too long.
func brief(value any) string {
	text := string(jsontext.Append(nil, value))
	if len(text) > shown {
		if s, ok := value.(string); ok {
			return strconv.Itoa(len([]rune(s))) + " characters"
		}
		return ""
	}
	return text
}
