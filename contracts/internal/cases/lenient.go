package cases

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
	"github.com/coldframe/coldframe/internal/lazyregexp"
	"github.com/coldframe/coldframe/internal/schema"
	"github.com/coldframe/coldframe/internal/spec"
)

// booleanWords are texts that programs read as booleans; OpenAPI does not say how a boolean is written in a query.
var booleanWords = []string{"true", "false", "1", "0", "yes", "no", "on", "off", "t", "f", "y", "n"}

// numberText is a number as programs read it from text: with a sign, zeros in front, a fraction of zero.
var numberText = lazyregexp.New(`^\s*[+-]?[0-9]+(\.0*)?([eE]\+?[0-9]+)?\s*$`)

// mayBeRead reports whether a value that travels as text may be read as one of some types although the schema
// refuses it: no text at all may stand for no value, and numbers and booleans have several forms.
func mayBeRead(value any, types schema.Type) bool {
	text := ""
	switch v := value.(type) {
	case string:
		text = v
	case json.Number:
		text = string(v)
	case bool:
		return types&schema.Boolean != 0
	default:
		return false
	}
	word := strings.ToLower(strings.TrimSpace(text))
	return word == "" || types&schema.Boolean != 0 && slices.Contains(booleanWords, word) ||
		types.Has(schema.Number) && !types.Has(schema.String) && schema.TypeOf(value) == schema.String &&
			numberText.Get().MatchString(text)
}

// parameterMayBeRead is mayBeRead for the text of the parameter that a finding concerns.
func (m *Builder) parameterMayBeRead(d *draft, r *exchange.Request, f *exchange.Finding) bool {
	i := slices.IndexFunc(m.parameters, func(p *parameter) bool { return p.In == f.In && p.Name == f.Name })
	if i < 0 || m.parameters[i].Content != nil || m.parameters[i].schema == nil {
		return false
	}
	p := m.parameters[i]
	value := d.values[p]
	switch p.In {
	case exchange.InHeader:
		if text, sent := r.Header.Get(p.Name); sent {
			value = text
		}
	case exchange.InQuery:
		if sent, err := url.ParseQuery(r.Query); err == nil && len(sent[p.Name]) == 1 {
			value = sent.Get(p.Name)
		}
	}
	return mayBeRead(value, constraintsOf([]*spec.Keywords{p.schema.Keywords}, nil).Types)
}
