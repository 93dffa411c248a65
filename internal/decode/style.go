package decode

import (
	"slices"
	"strings"

	"github.com/coldframe/coldframe/internal/exchange"
)

// style is a row of the table of styles (OpenAPI 3.2 section 4.12.3, "Style
// Values"). To add one: a row here, a data case in testdata.
type style struct {
	name  string
	in    []string // the places where it is allowed
	lead  string   // before the value: "." or ";"
	named bool     // the lead goes on with the parameter's name and "="
	plain string   // between values, as written
	// fromExploded is between values with explode; "" where explode is not defined, and
	// the parameter is read as form.
	fromExploded string
	// separators are other ways in which the plain delimiter is read. They are those of
	// styles whose delimiter cannot stand in a URL as it is, as in the specification's
	// examples.
	separators []string
	// repeats: exploded, each value has the parameter's name: a=1&a=2, ;a=1;a=2.
	repeats bool
}

var (
	simple = &style{name: "simple", in: []string{exchange.InPath, exchange.InHeader}, plain: ",", fromExploded: ","}
	label  = &style{name: "label", in: []string{exchange.InPath}, lead: ".", plain: ",", fromExploded: "."}
	matrix = &style{
		name: "matrix", in: []string{exchange.InPath}, lead: ";", named: true, plain: ",", fromExploded: ";", repeats: true,
	}
	form = &style{
		name: "form", in: []string{exchange.InQuery, exchange.InCookie}, named: true, plain: ",", fromExploded: "&", repeats: true,
	}
	spaceDelimited = &style{
		name: "spaceDelimited", in: []string{exchange.InQuery}, named: true, plain: "%20", separators: []string{" ", "+", "%20"},
	}
	pipeDelimited = &style{
		name: "pipeDelimited", in: []string{exchange.InQuery}, named: true, plain: "%7C", separators: []string{"|", "%7C", "%7c"},
	}
	deepObject = &style{name: "deepObject", in: []string{exchange.InQuery}, named: true, plain: "&", fromExploded: "&"}

	styles = []*style{simple, label, matrix, form, spaceDelimited, pipeDelimited, deepObject}
)

// styleNamed gives the style that a document names for a place, otherwise the
// default of the place (OpenAPI 3.2 section 4.12.2.2) or of a form's property.
// Exploded, the delimited styles are not defined; documents that ask for it mean
// what form does.
func styleNamed(name, in string, explode bool) (*style, bool) {
	s := simple
	if in == exchange.InQuery || in == exchange.InCookie {
		s = form
	}
	if i := slices.IndexFunc(styles, func(s *style) bool { return s.name == name && slices.Contains(s.in, in) }); i >= 0 {
		s = styles[i]
	}
	switch {
	case s == deepObject:
		explode = true
	case explode && s.fromExploded == "":
		s = form
	}
	return s, explode
}

// delimiter stands between values as they are written.
func (p *param) delimiter() string {
	switch {
	case !p.explode || p.style.fromExploded == "":
		return p.style.plain
	case p.style == form && p.in == exchange.InCookie:
		return "; "
	}
	return p.style.fromExploded
}

// cutter gives text with one delimiter between its values, and that delimiter. A
// percent-encoded one belongs to a value, but for the styles with separators.
func (p *param) cutter(text string) (rest, delimiter string) {
	if separators := p.style.separators; separators != nil {
		for _, s := range separators[1:] {
			text = strings.ReplaceAll(text, s, separators[0])
		}
		return text, separators[0]
	}
	if p.explode && p.style.lead != "" {
		return text, p.style.fromExploded
	}
	return text, ","
}

// delimited reports whether text has what stands between values.
func (p *param) delimited(text string) bool {
	text, delimiter := p.cutter(text)
	last := strings.LastIndex(text, delimiter)
	return last > 0 || last == 0 && delimiter != p.style.lead
}

// prefix puts before a value what its style asks for.
func (p *param) prefix(text string) string {
	if !p.style.named {
		return p.style.lead + text
	}
	name := p.style.lead + p.escape.encode(p.name, false, "")
	if text == "" && p.style.lead != "" {
		return name
	}
	return name + "=" + text
}

// strip takes off what a style puts before the value: "." of label, ";name=" of
// matrix.
func (p *param) strip(text string) (string, *fault) {
	rest, ok := strings.CutPrefix(text, p.style.lead)
	switch {
	case !ok:
		return "", malformed("style "+p.style.name+" starts with \""+p.style.lead+"\", got %s", text)
	case p.style.lead != "" && p.style.named:
		return p.stripName(rest)
	}
	return rest, nil
}

// stripName takes "name=" off; a name alone stands for an empty value.
func (p *param) stripName(text string) (string, *fault) {
	name, value, _ := strings.Cut(text, "=")
	decoded, f := p.escape.decode(name)
	if f != nil {
		return "", f
	}
	if decoded != p.name {
		return "", malformed("style matrix names the parameter %s, got %s", p.name, text)
	}
	return value, nil
}
